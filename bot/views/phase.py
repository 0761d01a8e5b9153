"""The end of a phase: what it came to, what it assumes, and Accept or Amend."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.views import menus
from bot.views.blocks import (
    Block,
    Leaf,
    Message,
    bullets,
    context,
    fitting,
    lines,
    message,
    rich_text,
    size,
    words,
)
from bot.views.names import Names, counted
from bot.views.step import outcome
from bot.views.text import short
from core.domain.answers import Claim, Confidence
from core.domain.session import Menu, StepState

LINES_PER_STEP_MAX: Final = 3
LINE_CHARS_MAX: Final = 120
STEPS_ROOM: Final = 3_200
CHANGES_ROOM: Final = 1_200
ASSUMPTIONS_ROOM: Final = 1_200
CONFIDENCES: Final[tuple[Confidence, ...]] = ("stated", "inferred", "assumed")


@dataclass(frozen=True, slots=True)
class Summary:
    """A phase's steps and what was recorded in them."""

    label: str
    steps: tuple[StepState, ...]
    claims: tuple[Claim, ...]
    before: tuple[Claim, ...] | None = None  # as last accepted or amended; None: never


def phase_message(
    summary: Summary,
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
        summary = replace(summary, before=None)
    return message(
        *summary_blocks(summary),
        *verdict,
        None if waiting or decided is None else outcome(decided, names),
        menus.menu_row(menu, following=following),
    )


def summary_blocks(summary: Summary) -> list[Block]:
    title: list[Leaf] = [words(f"{short(summary.label)} in short", bold=True)]
    counts = [words(_counts(summary.claims))]
    groups = [group for step in summary.steps if (group := _group(step, summary.claims))]
    kept = _fitting(groups)
    parts = [part for group in kept for part in group]
    more = context("… and more, in the artifacts.") if len(kept) < len(groups) else None
    blocks = [rich_text(lines([title, counts])), rich_text(*parts) if parts else None, more]
    kept_blocks = [block for block in blocks if block]
    return kept_blocks + _changes(summary) + _assumption_blocks(_assumptions(summary))


def _changes(summary: Summary) -> list[Block]:
    """What is new and what is gone since people last accepted or amended this phase."""
    if summary.before is None:
        return []
    was = {_short(claim) for claim in summary.before}
    now = {_short(claim) for claim in summary.claims}
    new = [f"New: {text}" for text in map(_short, summary.claims) if text not in was]
    gone = [f"Gone: {text}" for text in map(_short, summary.before) if text not in now]
    rows = list(dict.fromkeys([*new, *gone]))
    if not rows:
        return [context("Nothing has changed since you last looked at this together.")]
    kept = fitting([[words(text)] for text in rows], CHANGES_ROOM)
    title = lines([[words("Changed since you last looked", bold=True)]])
    blocks = [rich_text(title, bullets(kept))]
    left_out = len(rows) - len(kept)
    return [*blocks, context(f"… and {left_out} more changes.")] if left_out else blocks


def _counts(claims: Sequence[Claim]) -> str:
    if not claims:
        return "Nothing is recorded yet."
    found = Counter(claim.confidence for claim in claims)
    parts = [f"{found[each]} {each}" for each in CONFIDENCES if found[each]]
    return f"{counted(len(claims), 'line')}: {', '.join(parts)}."


def _group(step: StepState, claims: Sequence[Claim]) -> list[Block]:
    """A step's title with its first lines; nothing for a step that recorded nothing."""
    mine = [claim for claim in claims if claim.step == step.id]
    if not mine:
        return []
    rows = [[words(_short(claim))] for claim in mine[:LINES_PER_STEP_MAX]]
    left_out = len(mine) - len(rows)
    more = [words(f" … and {left_out} more", italic=True)] if left_out else []
    title = [words(short(step.title), bold=True)]
    return [bullets([title]), bullets([*rows[:-1], [*rows[-1], *more]], indent=1)]


def _fitting(groups: Sequence[list[Block]]) -> Sequence[list[Block]]:
    used = 0
    for number, group in enumerate(groups):
        used += size(group)
        if used > STEPS_ROOM:
            return groups[:number]
    return groups


def _short(claim: Claim) -> str:
    named = f"{claim.ref} " if claim.ref else ""
    return short(named + claim.text, LINE_CHARS_MAX)


def _assumptions(summary: Summary) -> list[str]:
    """What nobody said: claims that are assumed, and questions left open that no claim repeats."""
    room = LINE_CHARS_MAX * 2
    assumed = [short(each.text, room) for each in summary.claims if each.confidence == "assumed"]
    gaps = [short(gap, room) for step in summary.steps for gap in step.gaps]
    return assumed + [gap for gap in gaps if not any(gap in text for text in assumed)]


def _assumption_blocks(assumed: Sequence[str]) -> list[Block]:
    if not assumed:
        return [context("No assumptions.")]
    kept = fitting([[words(text)] for text in assumed], ASSUMPTIONS_ROOM)
    blocks = [
        rich_text(lines([[words("Assumptions", bold=True)]]), bullets(kept)),
    ]
    left_out = len(assumed) - len(kept)
    return [*blocks, context(f"… and {left_out} more, in the artifacts.")] if left_out else blocks
