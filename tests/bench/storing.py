"""Rows 1 and 12: a transition beside a plain commit, and eight threads beside one."""

import threading
import time
from collections.abc import Sequence
from typing import Final

from core.domain.events import MessagePosted
from core.domain.ids import SessionId
from core.store.connection.database import ConflictError, DatabaseError
from tests.bench.anchors import PlainStore
from tests.bench.answer import ANSWER
from tests.bench.arena import Arena
from tests.bench.figures import Figure, Subject
from tests.bench.pairs import mean_s, medians_ratio
from tests.bench.sessions import answer, delivery_keys, opened
from tests.bench.size import Size
from tests.support.harness import Harness

PHASE: Final = "01-requirements"  # the longest: eight steps are loaded with the session
THREADS: Final = 8

TRANSITION: Final = Subject(
    1, "durable transition ÷ plain SELECT+INSERT+UPDATE commit (rate)", "×", "≥", 0.22, 0.40
)
CONCURRENCY: Final = Subject(
    12, "eight threads ÷ one, on one SQLite file (rate)", "×", "≥", 0.6, 0.9
)


def transition(arena: Arena, size: Size) -> Figure:
    sessions = opened(arena.harness, size.sessions, PHASE)
    plain = PlainStore(arena.folder / "plain-1.db")
    for _ in range(size.worn_in):  # a commit is slower while its log still grows
        plain.commit()

    def ours() -> float:
        answers = _answers(arena.harness, sessions)
        seconds = mean_s(lambda answer: handled(arena.harness, answer), answers)
        arena.harness.settle()
        return seconds

    def anchor() -> float:
        return mean_s(lambda _: plain.commit(), range(len(sessions)))

    ratio = medians_ratio(anchor, ours, size.pairs)
    plain.close()
    return TRANSITION.measured(ratio)


def concurrency(arena: Arena, size: Size) -> Figure:
    """Nothing may be lost and nobody be told that the database is locked, or it does not hold."""
    harness = arena.harness
    sessions = opened(harness, size.sessions, PHASE)
    refused: list[Exception] = []
    given = 0

    def taken_by(threads: int) -> float:
        nonlocal given
        answers = _answers(harness, sessions, size.crowd_answers)
        given += len(answers)
        shares = [answers[number::threads] for number in range(threads)]
        seconds = _side_by_side(harness, shares, refused)
        harness.settle()
        return seconds / len(answers)

    ratio = medians_ratio(lambda: taken_by(1), lambda: taken_by(THREADS), size.crowds)
    kept = [answer for each in sessions for answer in harness.runtime.reader.answers(each)]
    told = sum(answer.text == ANSWER for answer in kept) - _before(sessions)
    return CONCURRENCY.measured(ratio, sound=not refused and told == given)


def _before(sessions: Sequence[SessionId]) -> int:
    """The answers that brought each session to its phase: one to each step of the quick scan."""
    return 3 * len(sessions)


def _side_by_side(
    harness: Harness, shares: Sequence[Sequence[MessagePosted]], refused: list[Exception]
) -> float:
    """Seconds until all are taken. The threads are there before the clock starts."""
    ready = threading.Barrier(len(shares) + 1)

    def take(share: Sequence[MessagePosted]) -> None:
        ready.wait()
        for message in share:
            try:
                handled(harness, message)
            except (DatabaseError, ConflictError) as error:
                refused.append(error)

    threads = [threading.Thread(target=take, args=(share,)) for share in shares]
    for thread in threads:
        thread.start()
    ready.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def _answers(harness: Harness, sessions: Sequence[SessionId], each: int = 1) -> list[MessagePosted]:
    """One to each session in turn, as they come in a busy workspace."""
    return [answer(harness, session) for _ in range(each) for session in sessions]


def handled(harness: Harness, message: MessagePosted) -> None:
    keys = delivery_keys(harness, message)
    harness.runtime.handle(message, team=harness.cast.team, keys=keys)
