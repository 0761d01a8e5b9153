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
    form = _Sorting(session.id, step, click.place, "", 0, {})
    interaction.modals.open(click.opening, lambda: _form(interaction, form))


def _form(interaction: InteractionContext, form: _Sorting, note: str = "") -> View:
    """A page of the lines as they are now; what was chosen for others is dropped with a note."""
    reader = interaction.runtime.reader
    every = [claim for claim in reader.claims(form.session) if claim.step == form.step]
    lines, mark = sortable(every, form.step), lines_mark(every)
    if form.mark not in ("", mark):
        form, note = replace(form, page=0, chosen={}), sorting.CHANGED
    form = replace(form, mark=mark)
    corrections = reader.corrections(form.session)
    by_hand = [n for n, line in enumerate(lines) if _taken_back(form, line, corrections, 0.0)]
    said_by = _said_by(interaction, form, lines)
    page = SortingPage(lines, said_by, mark, form.page, form.chosen, note, by_hand)
    return sorting.sorting_form(page, metadata=form.metadata)


def _lines(interaction: InteractionContext, session: SessionId, step: StepId) -> tuple[Claim, ...]:
    return sortable(interaction.runtime.reader.claims(session), step)


def _said_by(interaction: InteractionContext, form: _Sorting, lines: Sequence[Claim]) -> list[str]:
    """Names known already: the form's trigger lives three seconds."""
    authors = {answer.id: answer.by for answer in interaction.runtime.reader.answers(form.session)}
    tapped = {by for claim in lines if (by := sorter_of(claim))}
    names = interaction.names.remembered(interaction.workspace.team, {*authors.values(), *tapped})
    notes = []
    for claim in lines:
        speakers = list(
            dict.fromkeys(authors[source] for source in claim.sources if source in authors)
        )
        by = sorter_of(claim)
        sorted_by = f" · sorted by {people(names, [by])}" if by else ""
        notes.append(f"said by {people(names, speakers)}{sorted_by}" if speakers else sorted_by[3:])
    return notes


# ── what was filled in ─────────────────────────────────────────────────────────────────────────


def sorting_meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    form = _Sorting.of(submission)
    every = [c for c in interaction.runtime.reader.claims(form.session) if c.step == form.step]
    if lines_mark(every) != form.mark:
        return Turns(_form(interaction, form))
    lines = sortable(every, form.step)
    form = replace(form, chosen=_chosen(form, submission, len(lines)))
    then_field = f"{form.mark}:{sorting.THEN}:{form.page}"
    choice = submission.values.get(then_field, SAVE)
    if len(form.metadata) > KEPT_CHARS_MAX:
        return Wrong({then_field: TOO_MANY})
    if choice != SAVE and choice.isdecimal():
        return Turns(_form(interaction, replace(form, page=min(int(choice), len(lines)))))
    others = [(n, lines[n], sort) for n, sort in form.chosen.items() if sort in NEEDS_OTHER]
    if len(others) > sorting.WHICH_MAX:
        return Wrong({then_field: TOO_MANY})
    if others:
        candidates = {n: _candidates(interaction, form, claim, sort) for n, claim, sort in others}
        return Turns(sorting.which_form(others, candidates, form.mark, metadata=form.metadata))
    return _means(interaction, submission, form, lines, {})


def which_meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    form = _Sorting.of(submission)
    every = [c for c in interaction.runtime.reader.claims(form.session) if c.step == form.step]
    if lines_mark(every) != form.mark:
        return Turns(_form(interaction, form))
    lines = sortable(every, form.step)
    of: dict[int, LineRef] = {}
    for number, sort in form.chosen.items():
        name = sorting.field_of(form.mark, number)
        key = submission.values.get(name, NO_LINE)
        if sort not in NEEDS_OTHER or key == NO_LINE:
            continue
        candidates = map(line_of, _candidates(interaction, form, lines[number], sort))
        requirement = next((line for line in candidates if line and key_of(line) == key), None)
        if requirement is None:
            return Wrong({name: "That line is gone by now. Please choose another."})
        of[number] = requirement
    return _means(interaction, submission, form, lines, of)


def _chosen(form: _Sorting, submission: Submission, count: int) -> dict[int, str]:
    """What was chosen before, and on this page: a line put back to what it is falls out."""
    chosen = dict(form.chosen)
    for number in range(count):
        value = submission.values.get(sorting.field_of(form.mark, number), "")
        if value == KEPT:
            chosen.pop(number, None)
        elif value in _CODES:
            chosen[number] = value
    return chosen


def _candidates(
    interaction: InteractionContext, form: _Sorting, line: Claim, sort: str
) -> tuple[Claim, ...]:
    """The lines that one can check or stand in place of: the step's own first, then the newest."""
    claims = interaction.runtime.reader.claims(form.session)
    own_lines = sortable(claims, form.step)
    steps = dict.fromkeys(c.step for c in reversed(claims) if c.step != form.step)
    every = (*own_lines, *(c for step in steps for c in sortable(claims, step)))
    others = tuple(c for c in every if line_of(c) != line_of(line))
    if sort == "serves":
        return tuple(c for c in others if c.ref and c.kind in ("story", "purpose", "success"))
    if sort == "check":
        return tuple(c for c in others if c.ref and c.kind in ("requirement", "story", "quality"))
    return others


def _taken_back(
    form: _Sorting, line: Claim, corrections: Iterable[Correction], at: float
) -> tuple[Correction, ...]:
    return taken_back(line, form.step, corrections, form.place.user, at)


def _tapped(
    form: _Sorting, claim: Claim, sort: Sort, of: LineRef | None, at: float
) -> tuple[Correction, ...]:
    """What somebody chose for a line; nothing where it needs another line and has none."""
    line = line_of(claim)
    if line is None or (sort in NEEDS_LINE and of is None):
        return ()
    return (Correction(form.step, line, sort, form.place.user, at, of),)


def _means(
    interaction: InteractionContext,
    submission: Submission,
    form: _Sorting,
    lines: Sequence[Claim],
    of: Mapping[int, LineRef],
) -> Means:
    at = interaction.now()
    earlier = interaction.runtime.reader.corrections(form.session)
    corrections = tuple(
        correction
        for number, sort in sorted(form.chosen.items())
        for correction in (
            _taken_back(form, lines[number], earlier, at)
            if sort == AS_READ
            else _tapped(form, lines[number], cast("Sort", sort), of.get(number), at)
        )
    )
    event = LinesSorted(submission.user, at, form.step, form.mark, corrections)

    def shows(reply: Reply | None) -> View | None:
        stale = reply is not None and reply.kind == "lines-changed"
        return (
            interaction.modals.sealed(submission.user, _form(interaction, form)) if stale else None
        )

    return Means(event, form.place, form.session, shows=lambda handled: shows(handled.reply))
