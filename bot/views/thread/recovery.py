"""Faults as people read them, and recovery menus: what each choice keeps, loses and costs."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import CONTEXT_CHARS_MAX, Message, code_element, context, message
from bot.views.kit.leaves import Leaf, greeted, link, words
from bot.views.kit.names import Names, known_name
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.text import clean, cut, short
from bot.views.kit.wording import WORDING, of_kind
from core.domain.ids import FaultId, UserId
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu
from core.taxonomy.catalogue import CATALOGUE, Severity

SETTLED: Final = "This is settled: nothing has to be chosen any more."
LEADER_CHARS_MAX: Final = 40  # it stands twice in what a card can say
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
    block = fault_block(fault, severity)
    if menu.state != "open":
        return message(block, paragraph(_outcome(menu, names, leader)))
    lead = WORDING.recovery_leads[menu.kind]
    rows: list[list[Leaf]] = [[*greeted(mention), words(f" {lead}" if mention else lead)]]
    rows += [[words(line)] for line in _found(fault)]
    meanings = {choice: _means(menu, choice, leader) for choice in menu.choices}
    return message(block, paragraph(*rows), menus.choice_cards(menu, meanings))


def operators_notice(
    fault: Fault, severity: Severity, title: str, url: str, *, is_state_preserved: bool = True
) -> Message:
    """What the operators' channel reads: the fault, which session, what to do first."""
    rows: list[list[Leaf]] = [[link(url, short(title))]]
    if where := _credential(fault):
        rows.append([words(where)])
    if is_state_preserved:
        path = words(str(fault.facts.get("forensics_path")), code=True)
        rows.append([words("Its state is kept below the artifacts folder in "), path, words(".")])
    else:
        rows.append([words("Its state could not be kept; the log says why.")])
    if steps := "; ".join(fault.facts.get("remediation_steps", ())):
        rows.append([words(f"What to do: {steps}.")])
    return message(fault_block(fault, severity), paragraph(*rows))


def notice_elsewhere(code: str, severity: Severity, ids: tuple[str, str, str]) -> Message:
    """The same in another workspace than the session's: codes and ids, and nobody's words.

    `ids`: of the workspace, the session and the fault.
    """
    team, session, fault = (words(name, code=True) for name in ids)
    entry = CATALOGUE.get(code)
    bare = Fault(FaultId(ids[2]), code, entry.title if entry else "", True, 0.0)
    rows: list[list[Leaf]] = [
        [words("In workspace "), team, words(", session "), session, words(".")],
        [words("The log has the rest, under the fault "), fault, words(".")],
    ]
    return message(fault_block(bare, severity), paragraph(*rows))


def _found(fault: Fault) -> list[str]:
    """Which credential it was and where, and what to do there if the fault does not say so."""
    where = _credential(fault)
    if not where:
        return []
    first, second, *_ = fault.facts["remediation_steps"]
    return [where] if first == AT_THE_MESSAGE else [where, f"Please {first}, and {second}."]


def _credential(fault: Fault) -> str:
    kind, where = fault.facts.get("secret_type"), fault.facts.get("location")
    return f"It was {kind}, in {where}." if kind and where else ""


def _outcome(menu: Menu, names: Names, leader: str) -> list[Leaf]:
    if menu.used_by is None or menu.chosen is None:
        return [words(SETTLED)]
    name = known_name(names, menu.used_by)
    label = menus.label_of(menu.chosen, menu.kind)
    chose = f"{name} chose “{label}”." if name else f"“{label}” was chosen."
    return [words(f"{chose} {_came_of(menu, leader)}".strip())]


def _means(menu: Menu, choice: str, leader: str) -> str:
    text = of_kind(WORDING.recovery_choices, menu.kind, choice)
    if choice == "cancel" and "redact" in menu.choices:
        text = WORDING.cancel_for_good
    return text.format(name=short(leader, LEADER_CHARS_MAX))


def _came_of(menu: Menu, leader: str) -> str:
    text = of_kind(WORDING.recovery_outcomes, menu.kind, menu.chosen or "")
    return text.format(name=short(leader))


# ── faults ───────────────────────────────────────────────────────────────────────────────────────


FAULTS_SHOWN_MAX: Final = 10  # in one message
ICONS: Final[Mapping[Severity, str]] = {
    "INFO": "ℹ️",
    "WARNING": "⚠️",
    "ERROR": "⚠️",
    "FATAL": "⛔",
}


def fault_message(
    faults: Sequence[tuple[Fault, Severity]], mention: Sequence[UserId] = ()
) -> Message:
    """The faults of one moment. `mention`: who is notified of them, for FATAL alone."""
    hidden = len(faults) - FAULTS_SHOWN_MAX
    more = context(f"… and {hidden} more; /roundtable status --errors lists them.")
    blocks = [fault_block(*fault) for fault in faults[:FAULTS_SHOWN_MAX]]
    return message(*blocks, more if hidden > 0 else None, _called(mention))


def fault_block(fault: Fault, severity: Severity) -> Block:
    room = CONTEXT_CHARS_MAX - len(ICONS[severity]) - 1
    block = context(f"{ICONS[severity]} {cut(clean(fault.message), room)}")
    return {**block, "elements": [*block["elements"], code_element(fault.code)]}


def _called(mention: Sequence[UserId]) -> Block | None:
    if not mention:
        return None
    return paragraph([*greeted(mention), words(" please have a look.")])
