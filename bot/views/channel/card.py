"""The card in the channel: how far it is, who leads, who is awaited, and where the threads are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, header, message
from bot.views.kit.leaves import Leaf, link, separated, words
from bot.views.kit.names import Names, counted, listed, people
from bot.views.kit.rich_text import Block, Row, paragraph
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING, phrase_leaves
from bot.views.private.away import read_back_off
from bot.views.private.brain import used, waiting_for_admin
from bot.views.widgets.progress import TASKS_MAX, Progress, ProgressTask, TaskStatus
from core.domain.session.council import Council
from core.domain.session.course import ENDED, PhaseState, PhaseStatus
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.steps.playbook import Persona
from core.english import joined

LINES_MAX: Final = 9  # as people read them, with the buttons
LINES_BESIDE_PHASES: Final = 4  # title, who is awaited, how much is done, buttons
PHASES_NAMED_MAX: Final = 4  # in one line
TROUBLES_NAMED_MAX: Final = 2
TROUBLE_TITLE_CHARS_MAX: Final = 50
THREADS_SHOWN_MAX: Final = 12

ASKED_NOTHING: Final = "Ended: no step could be asked. Resume tries again."
CHOICE: Final = "Waiting for a choice in the thread."
REPLY: Final = "Waiting for a reply in the thread."
TROUBLES: Final = {"blocked": "[!] {} is blocked", "failed": "[✗] {} has failed"}
TASK_STATUS: Final[Mapping[PhaseStatus, TaskStatus]] = {
    "pending": "pending",
    "open": "in_progress",
    "completed": "complete",
    "failed": "error",
}


@dataclass(frozen=True, slots=True)
class ThreadLink:
    name: str
    url: str


def card(
    session: Session,
    names: Names,
    *,
    leader: Persona | None = None,
    table: Sequence[str] = (),
    threads: Sequence[ThreadLink] = (),
    steps: Sequence[StepState] = (),
) -> Message:
    """`steps`: all that are pinned so far. `table`: who sits at a council's table, by name."""
    ended = session.status in ENDED
    asides = (
        _deciders(session, names),
        None if ended else read_back_off(session),
        None if ended else waiting_for_admin(session),
    )
    others = [row for row in asides if row]
    leads = "" if ended else _leading(session, leader, table)
    lines = LINES_MAX - LINES_BESIDE_PHASES - len(others)
    tasks = phase_tasks(session, steps, leads=leads, most=lines)
    standing = "".join(leaf["text"] for leaf in _standing(session, names, leader))
    return message(
        header(session.title),
        Progress("phases", standing, tasks) if tasks else paragraph(standing),
        _foot(session, threads),
        *others,
        menus.card_controls(
            session.id,
            pause=not ended and session.status not in ("paused", "starting"),
            resume=session.status == "paused" or session.asked_nothing,
            take_back=session.status == "cancelled" and session.cancelled is not None,
            export=session.status not in ("starting", "refused") and not session.holds_back,
            catchup=session.status not in ("starting", "refused"),
        ),
    )


def top(session: Session, names: Names, leader: Persona | None, table: Sequence[str]) -> list[Row]:
    """How it stands: who leads, who is awaited, who decides, how much is done."""
    leads = "" if _phrase(session) else _leading(session, leader, table)
    label = short(session.course.current_phase.label) if leads else ""
    led = f"For {label}, {leads}." if session.party.council else f"{leads} {label}."
    total = [steps_done(session.course.phases)] if session.course.phases else []
    return [
        *([led] if leads else []),
        _standing(session, names, leader),
        *_decided_by(session, names),
        *total,
    ]


def _standing(session: Session, names: Names, leader: Persona | None) -> list[Leaf]:
    """One sentence: who is awaited, or what else it has come to."""
    return _phrase(session) or [words(_awaited(session, names, leader))]


def _phrase(session: Session) -> list[Leaf]:
    """What is said of a session in which nobody is asked; nothing of any other."""
    if session.status == "starting" and (session.menus.current or session.menus.recovery):
        return [words(CHOICE)]
    if session.asked_nothing:
        return [words(ASKED_NOTHING)]
    status = "cancelled-lately" if session.cancelled else session.status
    phrase = WORDING.card.get(status)
    return phrase_leaves(phrase, {"slug": session.slug}) if phrase else []


def _leading(session: Session, leader: Persona | None, table: Sequence[str]) -> str:
    """Who leads the phase, or who sits at its council's table and who could not take part."""
    if not session.course.phase:
        return ""
    if not session.party.council:
        return f"{short(leader.name)}, {short(leader.role)}, leads" if leader else ""
    key = session.course.current_phase.key
    record = next((record for record in session.party.records if record.phase == key), None)
    away = [short(name) for name in record.unavailable] if record else []
    seated = joined([short(name) for name in table]) or "nobody is left"
    without = f", without {joined(away)}" if away and table else ""
    return f"at the table: {seated}{without}"


def _decided_by(session: Session, names: Names) -> list[str]:
    if session.people.decider is None or _phrase(session):
        return []
    deciders = people(names, (session.owner, session.people.decider))
    return [f"Where people differ, {deciders} may settle it."]


def _deciders(session: Session, names: Names) -> Block | None:
    rows = _decided_by(session, names)
    return paragraph(*rows) if rows else None


def _awaited(session: Session, names: Names, leader: Persona | None) -> str:
    if session.status == "opening":
        return "The next step is being prepared."
    if session.party.council is not None:
        return _stage(session, session.party.council, names, leader)
    if session.menus.recovery is not None:
        return CHOICE
    if any(
        state.id == session.course.step and state.status == "blocked"
        for state in session.course.steps
    ):
        return REPLY
    if session.awaited:
        return f"Waiting for {people(names, session.awaited)}."
    if session.unclaimed and session.status == "asking":
        return "Waiting for the first answer."
    return CHOICE if session.menus.current else "Reading the answers."


def _stage(session: Session, council: Council, names: Names, leader: Persona | None) -> str:
    """What a council is about, and what it waits for."""
    if session.menus.recovery is not None:
        return CHOICE
    if session.status == "debating":
        activity = "talking it over" if council.contributions else "getting ready"
        return f"They are {activity}; nobody is awaited."
    if session.menus.on_summary:
        return "Their recommendation is in this thread: accept it, or say what to change."
    where = f" in {short(leader.name)}'s thread" if leader else ""
    if session.status == "choosing":
        return f"They have your answers: add to them, or continue{where}."
    if not session.awaited:
        return "Reading the answers."
    activity = f"what to change,{where}" if council.changes else "answers, in any of their threads"
    return f"Waiting for {people(names, session.awaited)}: {activity}."


def steps_done(phases: Sequence[PhaseState]) -> str:
    done, count = sum(phase.done for phase in phases), sum(phase.count for phase in phases)
    return f"{done} of {counted(count, 'step')} done"


def _foot(session: Session, threads: Sequence[ThreadLink]) -> Block | None:
    """How much is done, what language models have cost, and the way to the threads.

    A card that has phases has rich text here in every rendering: Slack takes no edit without it.
    """
    first_threads = threads[:THREADS_SHOWN_MAX]
    links = separated(link(thread.url, short(thread.name)) for thread in first_threads)
    phases, usage = session.course.phases, session.model.usage
    cost = used(usage) if usage.tokens else []
    total = words(" · ".join([steps_done(phases), *cost]) if phases else "")
    lead = words(" · Threads: " if phases else "Threads: ")
    return paragraph([total, *([lead, *links] if links else [])]) if phases or links else None


# ── phases ─────────────────────────────────────────────────────────────────────────────────────


def phase_tasks(
    session: Session,
    steps: Sequence[StepState] = (),
    *,
    leads: str = "",
    most: int = TASKS_MAX,
) -> list[ProgressTask]:
    """A line for each phase; of too many, those before and after stand together in one.

    `leads`: who leads the phase that is open.
    """
    ended = session.status in ENDED
    troubles = {phase.key: _troubles(phase, steps) for phase in session.course.phases}
    return [
        _task(group, [text for phase in group for text in troubles[phase.key]], leads, ended)
        for group in _groups(session.course.phases, most)
    ]


def _groups(phases: Sequence[PhaseState], most: int) -> list[Sequence[PhaseState]]:
    """Every phase by itself where there is room; else those near the first that is not over."""
    count = len(phases)
    if count <= most:
        return [(phase,) for phase in phases]
    is_open = [phase.status != "completed" for phase in phases]
    current = is_open.index(True) if True in is_open else count - 1
    start = 0 if current < most - 1 else min(current - 1, count - most + 1)
    singles = most - (start > 0) - 1
    end = start + singles if start + singles + 1 < count else count
    groups = [phases[:start], *((phase,) for phase in phases[start:end]), phases[end:]]
    return [group for group in groups if group]


def _task(
    group: Sequence[PhaseState], troubles: Sequence[str], leads: str, ended: bool
) -> ProgressTask:
    labels = [short(phase.label) for phase in group]
    done, count = sum(phase.done for phase in group), sum(phase.count for phase in group)
    status = _status(group, bool(troubles), ended)
    is_open = any(phase.status == "open" for phase in group) and not ended
    hidden = len(troubles) - TROUBLES_NAMED_MAX
    details = [
        f"{done} of {count}" if count else "",
        *_states(group, ended),
        leads if is_open else "",
        *troubles[:TROUBLES_NAMED_MAX],
        f"{hidden} more like that" if hidden > 0 else "",
    ]
    return ProgressTask(
        group[0].key, listed(labels, PHASES_NAMED_MAX), status, " · ".join(filter(None, details))
    )


def _states(group: Sequence[PhaseState], ended: bool) -> list[str]:
    """How the phases of a line stand, in words; where they differ, nothing is said."""
    state, *others = {phase.status for phase in group}
    state_words = "" if others or (ended and state == "open") else WORDING.phase_states[state]
    return [state_words, "with gaps" if any(phase.faulty for phase in group) else ""]


def _status(group: Sequence[PhaseState], troubled: bool, ended: bool) -> TaskStatus:
    if troubled or any(phase.status == "failed" or phase.faulty for phase in group):
        return "error"
    state, *others = {phase.status for phase in group}
    return "pending" if others or (ended and state == "open") else TASK_STATUS[state]


def _troubles(phase: PhaseState, steps: Sequence[StepState]) -> list[str]:
    return [
        TROUBLES[step.status].format(short(step.title, TROUBLE_TITLE_CHARS_MAX))
        for step in steps
        if step.phase == phase.key and step.status in TROUBLES
    ]
