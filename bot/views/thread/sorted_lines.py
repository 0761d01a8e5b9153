"""How the lines of a step were sorted, in its message: folded, with who changed what."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.views.kit.controls import button
from bot.views.kit.kinds import rank
from bot.views.kit.names import Names, name_of
from bot.views.kit.rich_text import Block
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING
from bot.views.private.sorting import SORT, SORTING
from bot.views.widgets.fold import Fold, fitting_lines
from core.artifacts.document.plain import without_fence
from core.domain.answers import Claim, ClaimKind
from core.domain.assumptions import is_assumed
from core.domain.ids import SessionId, StepId, UserId
from core.domain.lines import KIND_OF, SEEN_AS, Correction, rests_on
from core.english import joined

SORTED_CHARS_MAX: Final = 160
_ALSO_SAID: Final[frozenset[ClaimKind]] = frozenset({"fact", "note"})
OTHER_CHARS_MAX: Final = 50  # of another line that has no name


@dataclass(frozen=True, slots=True)
class SortedLines:
    """The lines of a step, and what people said of them.

    `replaced`: ids of lines → the one that stands in their place; `beside`: → those that hold as
    well; both of any step. `lapsed`: what people sorted and is no longer said. `asked_for`: the
    kinds that the step needs, which stand first.
    """

    claims: Sequence[Claim] = ()
    replaced: Mapping[str, Claim] = field(default_factory=dict)
    beside: Mapping[str, Sequence[tuple[Claim, Correction]]] = field(default_factory=dict)
    lapsed: Sequence[Correction] = ()
    replaced_refs: Collection[str] = ()  # names of replaced lines, of any step
    asked_for: Collection[str] = ()


def sorted_lines(lines: SortedLines, room: int, names: Names) -> Fold | None:
    """ "3 requirements · 1 decision", and the lines below, what the step asks for first, then what
    says most of it."""
    kinds = [
        (_sorted_as(claim), claim)
        for readings in _by_line(lines.claims)
        for claim in _what_counts(readings)
    ]
    by_kind = sorted(kinds, key=lambda line: (line[0] not in lines.asked_for, rank(line[0])))
    counts = Counter(kind for kind, _ in by_kind)
    title = " · ".join(f"{n} {WORDING.sorted_as[kind][n > 1]}" for kind, n in counts.items())
    only = next(iter(counts), None) if len(counts) == 1 else None  # the title says it of each
    rows = [
        row
        for readings in _by_line(claim for _, claim in by_kind)
        for row in (_row(readings, lines, names, only), *_beside_rows(readings, lines, names))
    ]
    rows += [
        lapsed_line(correction, names) for correction in lines.lapsed if correction.sort in KIND_OF
    ]
    texts = list(dict.fromkeys(short(row, SORTED_CHARS_MAX) for row in rows))
    title = title or "nothing any more"
    return Fold("sorted", f"Sorted: {title}", fitting_lines(texts, room)) if rows else None


def sorting_button(session: SessionId, step: StepId) -> Block:
    return button(SORTING, f"{SORT}{step}", session)


def _what_counts(readings: Sequence[Claim]) -> Sequence[Claim]:
    """The readings of a line, without "also said" of what is something else as well."""
    return [claim for claim in readings if _sorted_as(claim) not in _ALSO_SAID] or readings


def _by_line(claims: Iterable[Claim]) -> Iterable[Sequence[Claim]]:
    """The readings of each line: a failure may be a requirement as well."""
    readings: dict[object, list[Claim]] = {}
    for claim in claims:
        readings.setdefault((claim.text, claim.sources), []).append(claim)
    return readings.values()


def _row(
    readings: Sequence[Claim], lines: SortedLines, names: Names, only: ClaimKind | None
) -> str:
    """`Check of FR-001 (sorted by dev): press it twice`; "Requirement, failure" of one line.

    `only`: the kind of all lines, which goes without saying where nothing else is to be said.
    """
    claim, kinds = readings[0], list(dict.fromkeys(map(_sorted_as, readings)))
    nouns = ", ".join([kind_noun(kinds[0]), *(WORDING.sorted_as[kind][0] for kind in kinds[1:])])
    of = f" of {claim.data['of']}" if kinds[0] == "check" and claim.data.get("of") else ""
    if "answers" in claim.data:
        of = f", on {short(claim.data['of'], OTHER_CHARS_MAX)}"
    newer = lines.replaced.get(claim.id)
    gone = f" (replaced by {named_line(newer)})" if newer else ""
    refs = () if newer else rests_on(claim, lines.replaced_refs)
    again = f" (rests on {joined(refs)}, which was replaced)" if refs else ""
    notes = f"{of}{gone}{tapped_by(claim, names)}{again}{_perhaps(claim)}"
    title = "" if not notes and kinds == [only] else f"{nouns}{notes}:"
    return f"{title} {claim.ref or ''} {without_fence(claim.text)}"


def _beside_rows(readings: Sequence[Claim], lines: SortedLines, names: Names) -> Sequence[str]:
    notes = [note for claim in readings for note in lines.beside.get(claim.id, ())]
    return [_beside(other, correction, names) for other, correction in notes]


def _beside(other: Claim, correction: Correction, names: Names) -> str:
    why = f": {correction.why}" if correction.why else ""
    return f"Holds beside {named_line(other)}, says {name_of(names, correction.by)}{why}"


def named_line(claim: Claim) -> str:
    """What another line is called."""
    return claim.ref or f"“{short(claim.text, OTHER_CHARS_MAX)}”"


def lapsed_line(correction: Correction, names: Names) -> str:
    """Without its words: whoever said them took them back."""
    noun = WORDING.sorted_as[KIND_OF[correction.sort]][0]
    return f"No longer said: a line that {name_of(names, correction.by)} had sorted as {noun}"


def tapped_by(claim: Claim, names: Names) -> str:
    """` (sorted by dev)`, if somebody did."""
    by = sorter_of(claim)
    return f" (sorted by {name_of(names, by)})" if by else ""


def _perhaps(claim: Claim) -> str:
    """What a model sees in it, and nobody but people can make of it, by a tap."""
    is_seen = claim.data.get(SEEN_AS) == "decision"
    return f" (perhaps a {WORDING.sorted_as['decision'][0]})" if is_seen else ""


def sorter_of(claim: Claim) -> UserId | None:
    by = claim.data.get("sorted_by")
    return UserId(by) if by else None


def kind_noun(kind: ClaimKind) -> str:
    noun = WORDING.sorted_as[kind][0]
    return noun[:1].upper() + noun[1:]


def _sorted_as(claim: Claim) -> ClaimKind:
    return "assumption" if is_assumed(claim) else claim.kind
