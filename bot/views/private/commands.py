"""What commands answer: status, list, help, what is wrong with a command, what deleting means."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bot.views.channel.card import ASKED_NOTHING, phase_tasks, steps_done
from bot.views.kit.blocks import Message, context, header, message
from bot.views.kit.controls import button
from bot.views.kit.leaves import Leaf, words
from bot.views.kit.names import Names, counted, name_of, people
from bot.views.kit.rich_text import Block, bullets, heading, lines, paragraph, rich_text
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING, sentence
from bot.views.thread.recovery import fault_block
from bot.views.widgets.cards import Card, Cards
from bot.views.widgets.progress import Progress
from bot.views.widgets.table import Cells, OpenTable, Rows
from core.domain.faults import alike
from core.domain.ids import FaultId
from core.domain.session.course import AWAITS_PEOPLE, ENDED
from core.domain.session.halt import Fault
from core.domain.session.session import Session
from core.domain.session.start import Checked
from core.domain.session.step import StepState
from core.ports import Summary
from core.taxonomy.catalogue import CATALOGUE, Code, shown

CANCEL_WHICH: Final = "cancel-which:"  # and a number: ids differ
CANCEL_OFFERED_MAX: Final = 6
CANCEL_TITLE_CHARS_MAX: Final = 40
SESSIONS_ROOM: Final = 9_000
FAULTS_ROOM: Final = 6_000
FAULT_CHARS_MAX: Final = 300
BAD_COMMAND_CHARS_MAX: Final = 500


def help_message() -> Message:
    head = heading("What I understand")
    return message(rich_text(head, _described(WORDING.commands)), context("\n".join(WORDING.tips)))


def hello() -> Message:
    """A greeting, with three things to try."""
    greeting = "Hello! I help a team think something through in a thread. Three things to try:"
    return message(rich_text(lines([[words(greeting)]]), _described(WORDING.to_try)))


def not_taken_in() -> Message:
    """In a session's thread: what mentions us is no answer, and this was no command either."""
    kind = "You mentioned me, so I did not take that in as an answer, and I know no such command. "
    how = "If it should count, please say it again without my name."
    head = lines([[words(kind + how)], [words("Or try:")]])
    return message(rich_text(head, _described(WORDING.to_try_in_thread)))


def _described(commands: Mapping[str, str]) -> Block:
    """A list of commands, each with what it does."""
    return bullets(
        [[words(command, code=True), words(f" {does}")] for command, does in commands.items()]
    )


def bad_command(fault: str) -> Message:
    """One line that names the fault, and where help is. Nothing was started."""
    fault_shown = short(fault, BAD_COMMAND_CHARS_MAX)
    more: list[Leaf] = [words(" Nothing was started. "), words("/roundtable help", code=True)]
    return message(paragraph([words(fault_shown), *more, words(" shows what I understand.")]))


def refused(code: Code) -> Message:
    """What the catalogue says of a command that contradicts itself. Nothing was started."""
    fault = Fault(FaultId(""), code, shown(code), True, 0.0)
    return message(fault_block(fault, CATALOGUE[code].severity))


def status_message(session: Session, names: Names, steps: Sequence[StepState]) -> Message:
    """How far one session is. `steps`: all that are pinned so far."""
    ended = ASKED_NOTHING.rstrip(".") if session.asked_nothing else ""
    state = ended or WORDING.statuses.get(session.status, session.status)
    current = next((step for step in steps if step.id == session.course.step), None)
    rows: list[list[Leaf]] = [[words(f"{state}, started by {name_of(names, session.owner)}")]]
    if current is not None and session.status not in ENDED:
        where = f"{short(session.course.current_phase.label)} · " if session.course.phase else ""
        rows.append([words(f"{where}{short(current.title)}")])
    if session.awaited and session.status in AWAITS_PEOPLE:
        rows.append([words(f"Waiting for {people(names, session.awaited)}.")])
    tasks = phase_tasks(session, steps)
    return message(
        header(session.title),
        paragraph(*rows),
        Progress("phases", steps_done(session.course.phases), tasks) if tasks else None,
    )


def sessions_list(summaries: Sequence[Summary], names: Names) -> Message:
    if not summaries:
        return message(paragraph(sentence(WORDING.no_session)))
    header = ("What", "State", "Steps", "Started by", "Name")
    rows = [_summary(summary, names) for summary in summaries]
    return message(OpenTable(Rows(header, rows, "older.", SESSIONS_ROOM), "All sessions here"))


def _summary(summary: Summary, names: Names) -> Cells:
    return (
        short(summary.title),
        _state(summary),
        f"{summary.done} of {summary.total}",
        name_of(names, summary.owner),
        summary.slug,
    )


def _state(summary: Summary) -> str:
    return WORDING.statuses.get(summary.status, summary.status)


def fault_list(faults: Sequence[Fault], missed: Sequence[Checked] = ()) -> Message:
    """`status --errors`: what went wrong, the latest first; then what was wanting at the start."""
    if not faults:
        return message(paragraph("Nothing has gone wrong here."), *_preflight(missed))
    counts = Counter(map(alike, faults))
    latest = {alike(fault): fault for fault in sorted(faults, key=lambda fault: fault.at)}
    rows = [
        (fault.code, short(fault.message, FAULT_CHARS_MAX), fault.step or "", str(counts[key]))
        for key, fault in sorted(latest.items(), key=lambda item: item[1].at, reverse=True)
    ]
    header = ("Code", "What went wrong", "Step", "Times")
    table = OpenTable(Rows(header, rows, "earlier.", FAULTS_ROOM), "What went wrong here")
    return message(table, *_preflight(missed))


def _preflight(missed: Sequence[Checked]) -> list[Block]:
    """What was looked at before the start, and what of it was wanting."""
    if not missed:
        return [context(f"{WORDING.checked} All was well.")]
    rows: list[list[Leaf]] = [
        [words(short(check.what), bold=True), words(f": {short(check.found, 300)}")]
        for check in missed
    ]
    return [context(f"{WORDING.checked} This was wanting:"), rich_text(bullets(rows))]


def which_to_cancel(sessions: Sequence[Summary]) -> Message:
    """Several are under way: the one that is chosen is asked about."""
    first_sessions = sessions[:CANCEL_OFFERED_MAX]
    cards = [_card_to_cancel(session, number) for number, session in enumerate(first_sessions)]
    more = len(sessions) - len(first_sessions)
    hint = f"There are {more} more: `/roundtable cancel <slug>` names one of them."
    return message(
        paragraph("Several are under way here. Which one shall be cancelled?"),
        Cards(cards),
        paragraph(sentence(hint)) if more else None,
    )


def _card_to_cancel(session: Summary, number: int) -> Card:
    label = short(session.title, CANCEL_TITLE_CHARS_MAX)
    return Card(
        session.title,
        subtitle=f"{_state(session)}, {session.done} of {counted(session.total, 'step')} done",
        buttons=[button(label, f"{CANCEL_WHICH}{number}", session.id)],
    )


def nothing_there(slug: str | None = None) -> Message:
    """No session is meant: none under way, or none of that name."""
    if slug is None:
        return message(paragraph("There is nothing under way in this channel."))
    return message(paragraph(sentence(WORDING.no_such_session, slug=slug)))
