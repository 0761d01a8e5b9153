"""What people changed in the lines of a session, folded: for whoever comes late."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit.names import Names, counted
from bot.views.kit.text import short
from bot.views.thread.sorted_lines import kind_noun, lapsed_line, named_line, tapped_by
from bot.views.widgets.fold import Fold, fitting_lines
from core.artifacts.compose.lines.changed_lines import ChangedLines
from core.domain.answers import Claim
from core.domain.lines import KIND_OF
from core.english import joined

CHANGED_ROOM: Final = 700
CHANGED_CHARS_MAX: Final = 240
QUOTE_CHARS: Final = 70


def changed_fold(changed: ChangedLines, names: Names) -> Fold | None:
    """Lines that were replaced, sorted by hand, or are said no more, with who did so."""
    replaced = [_replaced(old, newer, changed.resting[old.id]) for old, newer in changed.replaced]
    by_hand = [_sorted_by_hand(claim, names) for claim in changed.sorted]
    gone = [
        lapsed_line(correction, names)
        for correction in changed.lapsed
        if correction.sort in KIND_OF
    ]
    lines = [short(line, CHANGED_CHARS_MAX) for line in (*replaced, *gone, *by_hand)]
    title = f"{counted(len(lines), 'line')} changed by people"
    return Fold("changed", title, fitting_lines(lines, CHANGED_ROOM)) if lines else None


def _replaced(old: Claim, newer: Claim, resting: Sequence[Claim]) -> str:
    names = joined([named_line(claim) for claim in resting])
    look = f" To be looked at again: {names}." if resting else ""
    return f"{_quoted(old)} was replaced by {_quoted(newer)}.{look}"


def _quoted(claim: Claim) -> str:
    ref = f"{claim.ref} " if claim.ref else ""
    return f"{ref}“{short(claim.text, QUOTE_CHARS)}”"


def _sorted_by_hand(claim: Claim, names: Names) -> str:
    return f"{kind_noun(claim.kind)}{tapped_by(claim, names)}: {claim.ref or ''} {claim.text}"
