"""The end of a phase: what it came to, what it assumes, and Accept or Amend."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, context, listed_rows, message
from bot.views.kit.kinds import GROUPS, by_kind
from bot.views.kit.leaves import Leaf, words
from bot.views.kit.names import Names, counted, joined, listed
from bot.views.kit.rich_text import Block, bullets, fitting, paragraph, rich_text, size
from bot.views.kit.text import short
from bot.views.private.away import missed_clicks
from bot.views.private.why import picker
from bot.views.thread.assumptions import assumption_blocks
from bot.views.thread.step import outcome
from core.domain.answers import Claim, Confidence
from core.domain.assumptions import assumptions
from core.domain.session import Menu, StepState

LINE_CHARS_MAX: Final = 160
LINES_ROOM: Final = 4_600
TITLE_ROOM: Final = 120  # what the title of a group takes
CHANGES_ROOM: Final = 1_200
CONFIDENCES: Final[tuple[Confidence, ...]] = ("stated", "inferred", "assumed")


@dataclass(frozen=True, slots=True)
class PhaseSummary:
    """A phase's steps and what was recorded in them."""

    label: str
    steps: tuple[StepState, ...]
    claims: tuple[Claim, ...]
    before: tuple[Claim, ...] | None = None  # as last accepted or amended; None: never
    assumed: Menu | None = None  # with it people can say which assumptions hold
    dissent: tuple[str, ...] = ()  # titles of steps on which people still differ


def phase_message(
    summary: PhaseSummary,
    names: Names,
    *,
    menu: Menu | None,
    following: str | None,
    decided: StepState | None = None,
    verdict: Sequence[Block] = (),
) -> Message:
    """The summary as a message of its own. What has changed is told while it can be chosen on."""
    waiting = menu is not None and menu.state == "open"
    if not waiting:
        summary = replace(summary, before=None, assumed=None)
    return message(
        *summary_blocks(summary),
        *verdict,
        missed_clicks(summary.steps) if waiting else None,
        None if waiting or decided is None else outcome(decided, names),
        menus.menu_row(menu, following=following, steps=amendable(summary.steps)),
    )


def amendable(steps: Sequence[StepState]) -> list[StepState]:
    """Steps that were asked: each of them can be amended."""
    return [step for step in steps if step.prompt.revision and step.status == "completed"]


def summary_blocks(summary: PhaseSummary) -> list[Block]:
    title: list[Leaf] = [words(f"{short(summary.label)} in short", bold=True)]
    counts = [words(_counts(summary.claims))]
    parts, left_out = _groups(summary.claims)
    more = context(f"… and {_left_out(left_out)}, in the files.") if left_out else None
    blocks = [paragraph(title, counts), rich_text(*parts) if parts else None, more]
    kept_blocks = [block for block in blocks if block]
    assumed = assumptions(summary.steps, summary.claims)
    asked = picker(summary.assumed.session, summary.claims) if summary.assumed else None
    return [
        *kept_blocks,
        *_dissent(summary.dissent),
        *_changes(summary),
        *_not_asked(summary.steps),
        *assumption_blocks(assumed, summary.assumed, all_asked=not _unasked(summary.steps)),
        *([asked] if asked else []),
    ]


def _unasked(steps: Sequence[StepState]) -> list[str]:
    return [step.title for step in steps if step.is_left_out]


def _not_asked(steps: Sequence[StepState]) -> list[Block]:
    """Steps that people chose not to be asked: nothing is known of them."""
    titles = [short(title) for title in _unasked(steps)]
    return [context(f"Not asked: {listed(titles)}.")] if titles else []


def _dissent(titles: Sequence[str]) -> list[Block]:
    """Nobody has to settle it before going on; whoever accepts should know of it."""
    return [context(f"People still differ on {listed(titles)}.")] if titles else []


def _changes(summary: PhaseSummary) -> list[Block]:
    """What is new and what is gone since people last accepted or amended this phase."""
    if summary.before is None:
        return []
    rows = list(dict.fromkeys(_changed(summary.before, summary.claims)))
    if not rows:
        return [context("Nothing has changed since you last looked at this together.")]
    return listed_rows("Changed since you last looked", rows, CHANGES_ROOM, "more changes.")


def _changed(before: Sequence[Claim], now: Sequence[Claim]) -> Iterator[str]:
    """Compared in full, told in short. A line that has a name may say something else now."""
    stood, stands = {_whole(claim): claim for claim in before}, {_whole(claim) for claim in now}
    named = {claim.ref: claim for claim in before if claim.ref}
    refs = {claim.ref for claim in now}
    for claim in now:
        earlier = stood.get(_whole(claim))
        if earlier is not None:
            if earlier.confidence == "assumed" != claim.confidence:
                yield f"Confirmed: {_short(claim)}"
        elif claim.ref and claim.ref in named:
            yield f"Changed: {_short(claim)} (was: {short(named[claim.ref].text, LINE_CHARS_MAX)})"
        else:
            yield f"New: {_short(claim)}"
    for claim in before:
        if _whole(claim) not in stands and claim.ref not in (refs - {None}):
            yield f"Gone: {_short(claim)}"


def _whole(claim: Claim) -> tuple[str | None, str]:
    return claim.ref, " ".join(claim.text.split())


def _counts(claims: Sequence[Claim]) -> str:
    if not claims:
        return "Nothing is recorded yet."
    counts = Counter(claim.confidence for claim in claims)
    parts = [
        f"{counts[confidence]} {confidence}" for confidence in CONFIDENCES if counts[confidence]
    ]
    return f"{counted(len(claims), 'line')}: {', '.join(parts)}."


def _groups(claims: Sequence[Claim]) -> tuple[list[Block], Counter[str]]:
    """Lines by what they are, what people accept first; and what found no room, by kind."""
    parts: list[Block] = []
    left_out: Counter[str] = Counter()
    for kind, group in by_kind(claims):
        room = LINES_ROOM - sum(map(size, parts))
        texts = list(dict.fromkeys(_short(claim) for claim in group))  # one line says it once
        rows = fitting(texts, room - TITLE_ROOM)
        if len(rows) < len(texts):
            left_out[kind] = len(texts) - len(rows)
        if rows:
            parts += [bullets([[words(GROUPS[kind], bold=True)]]), bullets(rows, indent=1)]
    return parts, left_out


def _left_out(counts: Counter[str]) -> str:
    return joined([f"{number} more under {GROUPS[kind]}" for kind, number in counts.items()])


def _short(claim: Claim) -> str:
    named = f"{claim.ref} " if claim.ref else ""
    return short(named + claim.text, LINE_CHARS_MAX)
