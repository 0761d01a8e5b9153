"""The card in the channel: how far it is, who leads, who is awaited, and where the threads are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, header, message
from bot.views.kit.leaves import Leaf, link, separated, words
from bot.views.kit.names import Names, counted, joined, people
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING, phrase_leaves
from bot.views.private.away import read_back_off
from core.domain.playbook import Persona
from core.domain.session import ENDED, Council, PhaseState, Session, StepState

BAR_CELLS: Final = 8
PHASES_SHOWN_MAX: Final = 24
TROUBLES_SHOWN_MAX: Final = 5
THREADS_SHOWN_MAX: Final = 12

ASKED_NOTHING: Final = "Ended: no step could be asked. Resume tries again."
CHOICE: Final = "Waiting for a choice in the thread."
REPLY: Final = "Waiting for a reply in the thread."
TROUBLE_MARKS: Final = {"blocked": "[!]", "failed": "[✗]"}
TROUBLE_WORDS: Final = {"blocked": "is blocked", "failed": "has failed"}


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
    """`steps`: all that are pinned so far; the blocked and the failed ones are shown.

    `table`: who sits at a council's table, by name.
    """
    ended = session.status in ENDED
    return message(
        header(session.title),
        paragraph(*top(session, names, leader, table)),
        _progress(session.phases),
        _troubles(steps),
        _threads(threads),
        None if ended else read_back_off(session),
        menus.card_controls(
            session.id,
            pause=not ended and session.status not in ("paused", "starting"),
            resume=session.status == "paused" or session.asked_nothing,
            take_back=session.status == "cancelled" and session.cancelled is not None,
            export=session.status not in ("starting", "refused") and not session.holds_back,
            catchup=session.status not in ("starting", "refused"),
        ),
    )


def bar(done: int, count: int) -> str:
    """▓▓▓░░░░░: full only when all is done, empty only when nothing is."""
    filled = BAR_CELLS * min(done, count) // count if count else 0
    filled = max(filled, 1) if done else filled
    return "▓" * filled + "░" * (BAR_CELLS - filled)


def top(
    session: Session, names: Names, leader: Persona | None, table: Sequence[str]
) -> list[list[Leaf]]:
    """How it stands: who leads, who is awaited, how much is done."""
    chooses = session.status == "starting" and (session.menus.current or session.menus.recovery)
    if chooses:
        return [[words(CHOICE)], *_total(session.phases)]
    if session.asked_nothing:
        return [[words(ASKED_NOTHING)], *_total(session.phases)]
    status = "cancelled-lately" if session.cancelled else session.status
    if phrase := WORDING.card.get(status):
        return [phrase_leaves(phrase, {"slug": session.slug}), *_total(session.phases)]
    rows: list[list[Leaf]] = []
    if session.party.council and session.phase:
        rows.append(_seated(session, table))
    elif leader and session.phase:
        where = f", {short(leader.role)}, leads {short(session.current_phase.label)}."
        rows.append([words(short(leader.name), bold=True), words(where)])
    rows.append([words(_awaited(session, names, leader))])
    if session.people.decider is not None:
        deciders = people(names, (session.owner, session.people.decider))
        rows.append([words(f"Where people differ, {deciders} may settle it.")])
    return [*rows, *_total(session.phases)]


def _seated(session: Session, table: Sequence[str]) -> list[Leaf]:
    """Who is at a council's table, for what, and who could not take part."""
    phase = session.current_phase
    record = next((record for record in session.party.records if record.phase == phase.key), None)
    away = [short(record) for record in record.unavailable] if record else []
    seated = joined([short(record) for record in table]) or "nobody is left"
    without = f", without {joined(away)}" if away and table else ""
    where = f" {seated}, for {short(phase.label)}{without}."
    return [words("At the table:", bold=True), words(where)]


def _awaited(session: Session, names: Names, leader: Persona | None) -> str:
    if session.status == "opening":
        return "The next step is being prepared."
    if session.party.council is not None:
        return _stage(session, session.party.council, names, leader)
    if session.menus.recovery is not None:
        return CHOICE
    if any(state.id == session.step and state.status == "blocked" for state in session.steps):
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
        what = "talking it over" if council.contributions else "getting ready"
        return f"They are {what}; nobody is awaited."
    if session.menus.on_summary:
        return "Their recommendation is in this thread: accept it, or say what to change."
    where = f" in {short(leader.name)}'s thread" if leader else ""
    if session.status == "choosing":
        return f"They have your answers: add to them, or continue{where}."
    if not session.awaited:
        return "Reading the answers."
    what = f"what to change,{where}" if council.changes else "answers, in any of their threads"
    return f"Waiting for {people(names, session.awaited)}: {what}."


def _total(phases: Sequence[PhaseState]) -> list[list[Leaf]]:
    if not phases:
        return []
    done, count = sum(phase.done for phase in phases), sum(phase.count for phase in phases)
    return [[words(f"{done} of {counted(count, 'step')} done")]]


def _progress(phases: Sequence[PhaseState]) -> Block | None:
    rows = progress_rows(phases)
    return paragraph(*rows) if rows else None


def progress_rows(phases: Sequence[PhaseState]) -> list[list[Leaf]]:
    """A line for each phase: bar and count in code style, so that they align, then its name."""
    shown = phases[:PHASES_SHOWN_MAX]
    counts = [f"{phase.done}/{phase.count}" for phase in shown]
    width = max(map(len, counts), default=0)
    return [_phase(phase, count.rjust(width)) for phase, count in zip(shown, counts, strict=True)]


def _phase(phase: PhaseState, count: str) -> list[Leaf]:
    state = WORDING.phase_states[phase.status] + (" · with gaps" if phase.faulty else "")
    return [
        words(f"{bar(phase.done, phase.count)} {count}", code=True),
        words(" "),
        words(short(phase.label), bold=phase.status == "open"),
        words(state),
    ]


def _troubles(steps: Sequence[StepState]) -> Block | None:
    troubled = [step for step in steps if step.status in TROUBLE_MARKS]
    rows = [
        [
            words(TROUBLE_MARKS[step.status], code=True),
            words(f" {short(step.title)} {TROUBLE_WORDS[step.status]}"),
        ]
        for step in troubled[:TROUBLES_SHOWN_MAX]
    ]
    return paragraph(*rows) if rows else None


def _threads(threads: Sequence[ThreadLink]) -> Block | None:
    if not threads:
        return None
    links = separated(
        link(thread.url, short(thread.name)) for thread in threads[:THREADS_SHOWN_MAX]
    )
    return paragraph([words("Threads: "), *links])
