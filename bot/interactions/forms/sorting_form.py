"""Sorting lines by form: how it is opened, turned over, and what a filled-in one comes to.

What was chosen on other pages is kept in the form itself, by the number of the line; the numbers
hold as long as the lines are those that were shown.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from bot.interactions.forms.modals import Meaning, Means, Turns, Wrong
from bot.interactions.interaction_context import InteractionContext
from bot.payloads.inbound_clicks import Click
from bot.payloads.inbound_views import Submission
from bot.payloads.people import InteractionPlace
from bot.views.kit.modals import KEPT_CHARS_MAX, View
from bot.views.kit.names import people
from bot.views.private import sorting
from bot.views.private.sorting import AS_READ, KEPT, NEEDS_OTHER, NO_LINE, SAVE, SortingPage, key_of
from bot.views.thread.sorted_lines import sorter_of
from core.domain.answers import Claim, LineRef
from core.domain.effects import Reply
from core.domain.events import LinesSorted
from core.domain.ids import ChannelId, SessionId, StepId, Ts
from core.domain.lines import Correction, Sort, line_of, lines_mark, sortable, taken_back
from core.domain.session.session import Session
from core.engine.answers.corrections import form_refusal

TOO_MANY: Final = "Please save these first, then go on with the others."
_CODES: Final[Mapping[str, str]] = {
    "requirement": "r",
    "check": "c",
    "exclusion": "x",
    "decision": "d",
    "risk": "k",
    "question": "q",
    "note": "n",
    "replaces": "p",
    "serves": "v",
    "as-read": "a",
}
NEEDS_LINE: Final = NEEDS_OTHER - {"check"}  # a check may be of no line that anybody named
_SORTS: Final = {code: sort for sort, code in _CODES.items()}


@dataclass(frozen=True, slots=True)
class _Sorting:
    """What a form keeps, and the lines as they are now."""

    session: SessionId
    step: StepId
    place: InteractionPlace
    mark: str
    page: int
    chosen: Mapping[int, str]  # by the line's number, the sort

    @property
    def metadata(self) -> str:
        chosen = ",".join(f"{number}{_CODES[sort]}" for number, sort in self.chosen.items())
        where = (self.session, self.step, self.place.channel, self.place.thread_ts or "")
        return " ".join((*where, self.mark, str(self.page), chosen))

    @classmethod
    def of(cls, submission: Submission) -> "_Sorting":
        session, step, channel, thread, mark, page, chosen = submission.metadata.split(" ")
        place = InteractionPlace(
            submission.user, ChannelId(channel), Ts(thread) if thread else None
        )
        sorts = {int(picked[:-1]): _SORTS[picked[-1]] for picked in chosen.split(",") if picked}
        return cls(SessionId(session), StepId(step), place, mark, int(page), sorts)


# ── opening and turning over ───────────────────────────────────────────────────────────────────


def sorting_pressed(interaction: InteractionContext, click: Click, session: Session) -> None:
    step = StepId(click.action_id.removeprefix(sorting.SORT))
    refusal = form_refusal(session)
    if refusal is not None or not _lines(interaction, session.id, step):
        interaction.reply(click.place, refusal or Reply("gone"))
        return
    asked = _Sorting(session.id, step, click.place, "", 0, {})
    interaction.modals.open(click.opening, lambda: _form(interaction, asked))


def _form(interaction: InteractionContext, asked: _Sorting, note: str = "") -> View:
    """A page of the lines as they are now; what was chosen for others is dropped with a note."""
    reader = interaction.runtime.reader
    every = [claim for claim in reader.claims(asked.session) if claim.step == asked.step]
    lines, mark = sortable(every, asked.step), lines_mark(every)
    if asked.mark not in ("", mark):
        asked, note = replace(asked, page=0, chosen={}), sorting.CHANGED
    asked = replace(asked, mark=mark)
    corrections = reader.corrections(asked.session)
    by_hand = [n for n, line in enumerate(lines) if _taken_back(asked, line, corrections, 0.0)]
    said_by = _said_by(interaction, asked, lines)
    shown = SortingPage(lines, said_by, mark, asked.page, asked.chosen, note, by_hand)
    return sorting.sorting_form(shown, metadata=asked.metadata)


def _lines(interaction: InteractionContext, session: SessionId, step: StepId) -> tuple[Claim, ...]:
    return sortable(interaction.runtime.reader.claims(session), step)


def _said_by(interaction: InteractionContext, asked: _Sorting, lines: Sequence[Claim]) -> list[str]:
    """Names known already: the form's trigger lives three seconds."""
    authors = {answer.id: answer.by for answer in interaction.runtime.reader.answers(asked.session)}
    tapped = {by for claim in lines if (by := sorter_of(claim))}
    names = interaction.names.remembered(interaction.workspace.team, {*authors.values(), *tapped})
    notes = []
    for claim in lines:
        who = list(dict.fromkeys(authors[source] for source in claim.sources if source in authors))
        by = sorter_of(claim)
        sorted_by = f" · sorted by {people(names, [by])}" if by else ""
        notes.append(f"said by {people(names, who)}{sorted_by}" if who else sorted_by[3:])
    return notes


# ── what was filled in ─────────────────────────────────────────────────────────────────────────


def sorting_meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    asked = _Sorting.of(submission)
    every = [c for c in interaction.runtime.reader.claims(asked.session) if c.step == asked.step]
    if lines_mark(every) != asked.mark:
        return Turns(_form(interaction, asked))
    lines = sortable(every, asked.step)
    asked = replace(asked, chosen=_chosen(asked, submission, len(lines)))
    then_field = f"{asked.mark}:{sorting.THEN}:{asked.page}"
    then = submission.values.get(then_field, SAVE)
    if len(asked.metadata) > KEPT_CHARS_MAX:
        return Wrong({then_field: TOO_MANY})
    if then != SAVE and then.isdecimal():
        return Turns(_form(interaction, replace(asked, page=min(int(then), len(lines)))))
    others = [(n, lines[n], sort) for n, sort in asked.chosen.items() if sort in NEEDS_OTHER]
    if len(others) > sorting.WHICH_MAX:
        return Wrong({then_field: TOO_MANY})
    if others:
        candidates = {n: _candidates(interaction, asked, claim, sort) for n, claim, sort in others}
        return Turns(sorting.which_form(others, candidates, asked.mark, metadata=asked.metadata))
    return _means(interaction, submission, asked, lines, {})


def which_meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    asked = _Sorting.of(submission)
    every = [c for c in interaction.runtime.reader.claims(asked.session) if c.step == asked.step]
    if lines_mark(every) != asked.mark:
        return Turns(_form(interaction, asked))
    lines = sortable(every, asked.step)
    of: dict[int, LineRef] = {}
    for number, sort in asked.chosen.items():
        name = sorting.field_of(asked.mark, number)
        key = submission.values.get(name, NO_LINE)
        if sort not in NEEDS_OTHER or key == NO_LINE:
            continue
        candidates = map(line_of, _candidates(interaction, asked, lines[number], sort))
        requirement = next((line for line in candidates if line and key_of(line) == key), None)
        if requirement is None:
            return Wrong({name: "That line is gone by now. Please choose another."})
        of[number] = requirement
    return _means(interaction, submission, asked, lines, of)


def _chosen(asked: _Sorting, submission: Submission, count: int) -> dict[int, str]:
    """What was chosen before, and on this page: a line put back to what it is falls out."""
    chosen = dict(asked.chosen)
    for number in range(count):
        value = submission.values.get(sorting.field_of(asked.mark, number), "")
        if value == KEPT:
            chosen.pop(number, None)
        elif value in _CODES:
            chosen[number] = value
    return chosen


def _candidates(
    interaction: InteractionContext, asked: _Sorting, line: Claim, sort: str
) -> tuple[Claim, ...]:
    """The lines that one can check or stand in place of: the step's own first, then the newest."""
    claims = interaction.runtime.reader.claims(asked.session)
    mine = sortable(claims, asked.step)
    steps = dict.fromkeys(c.step for c in reversed(claims) if c.step != asked.step)
    every = (*mine, *(c for step in steps for c in sortable(claims, step)))
    others = tuple(c for c in every if line_of(c) != line_of(line))
    if sort == "serves":
        return tuple(c for c in others if c.ref and c.kind in ("story", "purpose", "success"))
    if sort == "check":
        return tuple(c for c in others if c.ref and c.kind in ("requirement", "story", "quality"))
    return others


def _taken_back(
    asked: _Sorting, line: Claim, corrections: Iterable[Correction], at: float
) -> tuple[Correction, ...]:
    return taken_back(line, asked.step, corrections, asked.place.user, at)


def _tapped(
    asked: _Sorting, claim: Claim, sort: Sort, of: LineRef | None, at: float
) -> tuple[Correction, ...]:
    """What somebody chose for a line; nothing where it needs another line and has none."""
    line = line_of(claim)
    if line is None or (sort in NEEDS_LINE and of is None):
        return ()
    return (Correction(asked.step, line, sort, asked.place.user, at, of),)


def _means(
    interaction: InteractionContext,
    submission: Submission,
    asked: _Sorting,
    lines: Sequence[Claim],
    of: Mapping[int, LineRef],
) -> Means:
    at = interaction.now()
    earlier = interaction.runtime.reader.corrections(asked.session)
    corrections = tuple(
        correction
        for number, sort in sorted(asked.chosen.items())
        for correction in (
            _taken_back(asked, lines[number], earlier, at)
            if sort == AS_READ
            else _tapped(asked, lines[number], cast("Sort", sort), of.get(number), at)
        )
    )
    event = LinesSorted(submission.user, at, asked.step, asked.mark, corrections)

    def shows(reply: Reply | None) -> View | None:
        stale = reply is not None and reply.kind == "lines-changed"
        return (
            interaction.modals.sealed(submission.user, _form(interaction, asked)) if stale else None
        )

    return Means(event, asked.place, asked.session, shows=lambda handled: shows(handled.reply))
