"""Recovery menus: what failed, what each choice keeps, loses and costs, and what came of it."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Leaf, Message, greeted, lines, link, message, rich_text, words
from bot.views.kit.names import Names, known_name
from bot.views.kit.text import short
from bot.views.thread.faults import fault_block
from core.domain.ids import UserId
from core.domain.session import Fault, Menu
from core.taxonomy.catalogue import Severity

# What stands behind each button, in the order keeps, loses, costs.
CHOICES: Final[Mapping[str, str]] = {
    "redact": "goes on from the last clean point. Every answer stays; where the credential was, a "
    "mark stands in its place. It begins a new run.",
    "check": "looks again and, if all is well, goes on from the last clean point. Nothing more is "
    "lost. It begins a new run.",
    "retry": "reads the answers once more. Nothing is lost; it may fail again.",
    "facilitator": "has me read in place of {name} for the rest of this phase. Your answers stay; "
    "what {name} would have made of them is lost.",
    "skip-step": "goes on with the next step. The answers to this one stay, but nothing is written "
    "from them; you can go back to it.",
    "classic": "goes on with one facilitator, from the first phase. What you said is kept and "
    "proposed again; what the party wrote is left behind.",
    "leave": "lets the file be as it is. The artifacts are complete, only that list is old.",
    "cancel": "ends this here for everybody. What was written stays; for ten minutes you or an "
    "admin can take that back.",
}
CANCEL_FOR_GOOD: Final = (  # halted for a secret
    "ends this here for everybody. What was written stays; it cannot be taken up again."
)
OUTCOMES: Final[Mapping[str, str]] = {
    "redact": "A new run goes on from the last clean point.",
    "check": "I look again. If all is well, a new run goes on from the last clean point.",
    "retry": "The answers are read once more.",
    "facilitator": "I read in place of {name} for the rest of this phase.",
    "skip-step": "We go on with the next step.",
    "classic": "We go on in classic mode; what you said comes up there again.",
    "leave": "The file stays as it is.",
    "cancel": "It ended here. What was written is kept.",
}
# Where a choice means something of its own in one kind of menu.
CHOICES_OF_KIND: Final[Mapping[tuple[str, str], str]] = {
    ("no-team", "retry"): "tries to bring everybody to the table once more. Nothing is lost.",
    ("no-team", "classic"): "begins with one facilitator in place of the party. Nothing is lost.",
    ("no-team", "cancel"): "ends this here for everybody. Nothing was said or written yet.",
    ("no-roster", "stand-in"): "has Maya Chen ask them, in the same words. Nothing is lost.",
    ("no-roster", "cancel"): "ends this here for everybody. Nothing was said or written yet.",
    ("all-failed", "retry"): "brings all of them back with fresh questions. Your answers stay; the "
    "debate so far does not.",
    ("state-unwritten", "retry"): "writes state.json once more. Nothing is lost.",
}
OUTCOMES_OF_KIND: Final[Mapping[tuple[str, str], str]] = {
    ("no-team", "retry"): "I am bringing everybody to the table once more.",
    ("no-team", "classic"): "One facilitator begins, in classic mode.",
    ("no-team", "cancel"): "It ended here, before it began.",
    ("no-roster", "stand-in"): "Maya Chen leads the steps that had nobody.",
    ("no-roster", "cancel"): "It ended here, before it began.",
    ("all-failed", "retry"): "They begin this phase once more.",
    ("state-unwritten", "retry"): "I am writing it once more.",
}
LEADS: Final[Mapping[str, str]] = {
    "fatal": "Everything stands still here until you or an admin chooses.",
    "no-team": "Nothing has begun yet. Anybody may try again; the other two are for you or an "
    "admin.",
    "no-roster": "Who sits at this table cannot be read, and some steps are for people I do not "
    "know. Nothing has begun yet. Anybody may go on; cancelling is for you or an admin.",
    "all-failed": "Nobody is left at this table, and your answers are kept. Anybody may retry; the "
    "other two are for you or an admin.",
    "state-unwritten": "Everything else is done and written. What shall we do?",
    "escalation": "I could not put this right by myself. Your answers are kept. Anybody may choose "
    "how we go on; cancelling is for you or an admin.",
}
SETTLED: Final = "This is settled: nothing has to be chosen any more."
AT_THE_MESSAGE: Final = "delete the message"  # the fault's own words say so already


def recovery(
    menu: Menu,
    fault: Fault,
    severity: Severity,
    names: Names,
    *,
    mention: Sequence[UserId] = (),
    leader: str = "the persona",
) -> Message:
    """While it is open the owner is called and every choice is explained; then the outcome."""
    shown = fault_block(fault, severity)
    if menu.state != "open":
        return message(shown, rich_text(lines([_outcome(menu, names, leader)])))
    lead = LEADS[menu.kind]
    rows: list[list[Leaf]] = [[*greeted(mention), words(f" {lead}" if mention else lead)]]
    rows += [[words(each)] for each in _found(fault)]
    rows += [
        [
            words(menus.label_of(choice, menu.kind), bold=True),
            words(f" {_means(menu, choice, leader)}"),
        ]
        for choice in menu.choices
    ]
    return message(shown, rich_text(lines(rows)), menus.menu_row(menu))


def operators_notice(
    fault: Fault, severity: Severity, title: str, url: str, *, kept: bool = True
) -> Message:
    """What the operators' channel reads: the fault, which session, what to do first."""
    rows: list[list[Leaf]] = [[link(url, short(title))]]
    if where := _credential(fault):
        rows.append([words(where)])
    if kept:
        path = words(str(fault.facts.get("forensics_path")), code=True)
        rows.append([words("Its state is kept below the artifacts folder in "), path, words(".")])
    else:
        rows.append([words("Its state could not be kept; the log says why.")])
    if steps := "; ".join(fault.facts.get("remediation_steps", ())):
        rows.append([words(f"What to do: {steps}.")])
    return message(fault_block(fault, severity), rich_text(lines(rows)))


def _found(fault: Fault) -> list[str]:
    """Which credential it was and where, and what to do there if the fault does not say so."""
    where = _credential(fault)
    if not where:
        return []
    first, then, *_ = fault.facts["remediation_steps"]
    return [where] if first == AT_THE_MESSAGE else [where, f"Please {first}, and {then}."]


def _credential(fault: Fault) -> str:
    kind, where = fault.facts.get("secret_type"), fault.facts.get("location")
    return f"It was {kind}, in {where}." if kind and where else ""


def _outcome(menu: Menu, names: Names, leader: str) -> list[Leaf]:
    if menu.used_by is None or menu.chosen is None:
        return [words(SETTLED)]
    who = known_name(names, menu.used_by)
    label = menus.label_of(menu.chosen, menu.kind)
    chose = f"{who} chose “{label}”." if who else f"“{label}” was chosen."
    return [words(f"{chose} {_came_of(menu, leader)}".strip())]


def _means(menu: Menu, choice: str, leader: str) -> str:
    text = CHOICES_OF_KIND.get((menu.kind, choice)) or CHOICES[choice]
    if choice == "cancel" and "redact" in menu.choices:
        text = CANCEL_FOR_GOOD
    return text.format(name=short(leader))


def _came_of(menu: Menu, leader: str) -> str:
    choice = menu.chosen or ""
    text = OUTCOMES_OF_KIND.get((menu.kind, choice)) or OUTCOMES.get(choice, "")
    return text.format(name=short(leader))
