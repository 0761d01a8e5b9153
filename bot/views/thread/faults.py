"""A fault as it is told: an icon, the words of the catalogue as they are, and the code."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.views.kit.blocks import CONTEXT_CHARS_MAX, Message, code_element, context, message
from bot.views.kit.rich_text import Block, greeted, paragraph, words
from bot.views.kit.text import clean, cut
from core.domain.ids import UserId
from core.domain.session import Fault
from core.taxonomy.catalogue import Severity

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
    rest = len(faults) - FAULTS_SHOWN_MAX
    more = context(f"… and {rest} more; /roundtable status --errors lists them.")
    shown = [fault_block(*fault) for fault in faults[:FAULTS_SHOWN_MAX]]
    return message(*shown, more if rest > 0 else None, _called(mention))


def fault_block(fault: Fault, severity: Severity) -> Block:
    room = CONTEXT_CHARS_MAX - len(ICONS[severity]) - 1
    block = context(f"{ICONS[severity]} {cut(clean(fault.message), room)}")
    return {**block, "elements": [*block["elements"], code_element(fault.code)]}


def _called(mention: Sequence[UserId]) -> Block | None:
    if not mention:
        return None
    return paragraph([*greeted(mention), words(" please have a look.")])
