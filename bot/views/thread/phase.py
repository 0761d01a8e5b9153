"""The end of a phase: what it came to, what it assumes, and Accept or Amend."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, context, message
from bot.views.kit.controls import actions
from bot.views.kit.kinds import GROUPS, by_kind
from bot.views.kit.leaves import Leaf, words
from bot.views.kit.names import Names, counted, listed
from bot.views.kit.rich_text import Block, paragraph, size
from bot.views.kit.text import short
from bot.views.kit.widget import Part
from bot.views.private.away import missed_clicks
from bot.views.private.why import PICKED_MAX, picker
from bot.views.thread.assumptions import ASKED_MAX, assumption_parts
from bot.views.thread.claim_tables import claim_tables
from bot.views.thread.step import outcome
from bot.views.widgets.fold import Fold, fitting_lines, lines_weight, list_with_rest
from core.artifacts.compose.lines.claim_links import ClaimIndex, is_must
from core.artifacts.document.plain import without_fence
from core.domain.answers import Claim, Confidence
from core.domain.assumptions import assumptions
from core.domain.session.menu import Menu
from core.domain.session.step import StepState

LINE_CHARS_MAX: Final = 160
LINES_ROOM: Final = 2_000
LINES_ROOM_MIN: Final = 500  # of a message, for all lines and tables together
FOLD_ROOM_MIN: Final = 350  # some two lines: nobody unfolds what only says that there are more
CHANGES_ROOM: Final = 1_000
LINES_IN_SIGHT_MAX: Final = 12  # before anything is unfolded, without what has buttons
ROWS_IN_SIGHT_MIN: Final = 2
SHORT_PHASE_LINES_MAX: Final = 20  # beyond them buttons crowd out what people accept
FOLDS_MAX: Final = 4
BESIDE: Final[Mapping[Confidence, str]] = {
    "inferred": "concluded from them",
    "assumed": "that nobody has said",
    "proposed": "proposed and not taken yet",
}


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
    verdict: Sequence[Part] = (),
    sorting: Block | None = None,
) -> Message:
    """The summary as a message of its own. What has changed is told while it can be chosen on.

    `sorting`: of a council, whose one step has no other message by then.
    """
    waiting = menu is not None and menu.state == "open"
    if not waiting:
        summary = replace(summary, before=None, assumed=None)
    return message(
        *summary_parts(summary),
        *verdict,
        missed_clicks(summary.steps) if waiting else None,
        None if waiting or decided is None else outcome(decided, names),
        menus.summary_menu(menu, following=following, steps=amendable(summary.steps)),
        actions([sorting] if sorting else [], block_id="sorting"),
    )


def amendable(steps: Sequence[StepState]) -> list[StepState]:
    """Steps that were asked: each of them can be amended."""
    return [step for step in steps if step.prompt.revision and step.status == "completed"]


def summary_parts(summary: PhaseSummary) -> list[Part]:
    """What people accept in sight, the rest in folds that say what and how much they hold."""
    title: list[Leaf] = [words(f"{short(summary.label)} in short", bold=True)]
    assumed = assumptions(summary.steps, summary.claims)
    asides: list[Part] = [
        *_dissent(summary.dissent),
        *_changes(summary),
        *_not_asked(summary.steps),
    ]
    waits = any(step.questions.open for step in summary.steps)  # one question at a time
    choices = None if waits else summary.assumed
    is_long = len(summary.claims) > SHORT_PHASE_LINES_MAX
    most = 1 if is_long else ASKED_MAX  # the next one follows when it is said
    all_asked = not _unasked(summary.steps)
    settling = assumption_parts(assumed, choices, all_asked=all_asked, most=most)
    picked = PICKED_MAX // 2 if is_long else PICKED_MAX
    why_picker = picker(choices.session, summary.claims, picked) if choices else None
    used_lines = len((title, _counts(summary.claims))) + len(asides) + 1  # a line for assumptions
    return [
        paragraph(title, [words(_counts(summary.claims))]),
        *_lines(summary.claims, LINES_IN_SIGHT_MAX - used_lines),
        *asides,
        *settling,
        *([why_picker] if why_picker else []),
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


def _changes(summary: PhaseSummary) -> list[Part]:
    """What is new and what is gone since people last accepted or amended this phase."""
    if summary.before is None:
        return []
    rows = list(dict.fromkeys(_changed(summary.before, summary.claims)))
    if not rows:
        return [context("Nothing has changed since you last looked at this together.")]
    title = f"Changed since you last looked ({len(rows)})"
    return [Fold("changes", title, fitting_lines(rows, CHANGES_ROOM))]


def _changed(before: Sequence[Claim], now: Sequence[Claim]) -> Iterator[str]:
    """Compared in full, told in short. A line that has a name may say something else now."""
    stood, stands = {_whole(claim): claim for claim in before}, {_whole(claim) for claim in now}
    earlier_by_ref = {claim.ref: claim for claim in before if claim.ref}
    refs = {claim.ref for claim in now}
    for claim in now:
        earlier = stood.get(_whole(claim))
        if earlier is not None:
            if earlier.confidence == "assumed" != claim.confidence:
                yield f"Confirmed: {_short(claim)}"
        elif claim.ref and claim.ref in earlier_by_ref:
            was = short(earlier_by_ref[claim.ref].text, LINE_CHARS_MAX)
            yield f"Changed: {_short(claim)} (was: {was})"
        else:
            yield f"New: {_short(claim)}"
    for claim in before:
        if _whole(claim) not in stands and claim.ref not in (refs - {None}):
            yield f"Gone: {_short(claim)}"


def _whole(claim: Claim) -> tuple[str | None, str]:
    return claim.ref, " ".join(claim.text.split())


def _counts(claims: Sequence[Claim]) -> str:
    if not claims:
        return "Nobody has said anything yet."
    counts = Counter(claim.confidence for claim in claims)
    beside = [
        f"{counts[confidence]} {says}" for confidence, says in BESIDE.items() if counts[confidence]
    ]
    stated = counted(counts["stated"], "line")
    return f"{'; '.join([f'{stated} in your words', *beside])}."


def _lines(claims: Sequence[Claim], most: int) -> list[Part]:
    """Lines by what they are. `most`: lines in sight, a fold counts as one."""
    index = ClaimIndex(claims)
    musts_first = sorted(
        claims, key=lambda claim: claim.kind == "requirement" and not is_must(claim, index)
    )
    tables = claim_tables(claims, "lines")
    in_tables = {claim.id for table in tables for claim in table.claims}
    groups = {
        kind: list(dict.fromkeys(map(_short, group)))  # one line says it once
        for kind, group in by_kind(claim for claim in musts_first if claim.id not in in_tables)
    }
    if not groups:
        return [table.table for table in tables]
    lead = "requirement" if "requirement" in groups else next(iter(groups))
    accepted = groups.pop(lead)
    room = max(LINES_ROOM_MIN, LINES_ROOM - sum(size(table.table.plain()) for table in tables))
    folds: list[Part] = [table.table for table in tables]
    beside = 2 + ROWS_IN_SIGHT_MIN  # the title of those in sight, and what holds their rest
    alone = max(1, min(FOLDS_MAX, most - beside) - len(folds))
    folds += _folds(groups, alone, room - lines_weight(accepted))
    in_sight = max(ROWS_IN_SIGHT_MIN, most - len(folds) - 1)
    if len(accepted) > in_sight:
        in_sight = max(ROWS_IN_SIGHT_MIN, in_sight - 1)  # a line for the fold
    rows = fitting_lines(accepted, room)
    title, more = GROUPS[lead], f"more under {GROUPS[lead]}"
    return [*list_with_rest(f"lines:{lead}", title, rows, in_sight, more), *folds]


def _folds(groups: Mapping[str, Sequence[str]], most: int, room: int) -> list[Fold]:
    """A fold for each kind; where they are too many, the last ones share one."""
    titled = [(kind, f"{GROUPS[kind]} ({len(texts)})", texts) for kind, texts in groups.items()]
    alone = titled if len(titled) <= most else titled[: most - 1]
    shared = titled[len(alone) :]
    folds = []
    for kind, title, texts in alone:
        folds.append(Fold(f"lines:{kind}", title, fitting_lines(texts, max(room, FOLD_ROOM_MIN))))
        room = max(room - lines_weight(texts), 0)
    if shared:
        texts = [f"{GROUPS[kind]}: {text}" for kind, _, group in shared for text in group]
        title = " · ".join(title for _, title, _ in shared)
        lines = fitting_lines(texts, max(room, FOLD_ROOM_MIN))
        folds.append(Fold("lines:others", title, lines))
    return folds


def _short(claim: Claim) -> str:
    ref = f"{claim.ref} " if claim.ref else ""
    return short(ref + without_fence(claim.text), LINE_CHARS_MAX)
