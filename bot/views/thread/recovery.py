"""Recovery menus: what failed, what each choice keeps, loses and costs, and what came of it."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, message
from bot.views.kit.names import Names, known_name
from bot.views.kit.rich_text import Leaf, greeted, link, paragraph, words
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING, of_kind
from bot.views.thread.faults import fault_block
from core.domain.ids import UserId
from core.domain.session import Fault, Menu
from core.taxonomy.catalogue import Severity

CANCEL_FOR_GOOD: Final = (  # halted for a secret
    "ends this here for everybody. What was written stays; it cannot be taken up again."
)
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
        return message(shown, paragraph(_outcome(menu, names, leader)))
    lead = WORDING.recovery_leads[menu.kind]
    rows: list[list[Leaf]] = [[*greeted(mention), words(f" {lead}" if mention else lead)]]
    rows += [[words(each)] for each in _found(fault)]
    rows += [
        [
            words(menus.label_of(choice, menu.kind), bold=True),
            words(f" {_means(menu, choice, leader)}"),
        ]
        for choice in menu.choices
    ]
    return message(shown, paragraph(*rows), menus.menu_row(menu))


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
    return message(fault_block(fault, severity), paragraph(*rows))


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
    text = of_kind(WORDING.recovery_choices, menu.kind, choice)
    if choice == "cancel" and "redact" in menu.choices:
        text = CANCEL_FOR_GOOD
    return text.format(name=short(leader))


def _came_of(menu: Menu, leader: str) -> str:
    text = of_kind(WORDING.recovery_outcomes, menu.kind, menu.chosen or "")
    return text.format(name=short(leader))
