"""Row 16: the parallel phases of a party, beside the same phases with one brain call at a time.

The real runtime, store, lanes and dispatcher; nobody sees what is said. Every call of a brain takes
the same time, that of a quick model, and does what the scripted one does; people answer and decide
at once.
"""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from threading import Lock
from typing import Final

from core.brains.script.brain import Scripted
from core.brains.tasks import Cancelled, Contribute, ReadStep, Result, Task
from core.clock import SystemClock
from core.domain import events as on
from core.domain.ids import PhaseKey, RunId, SessionId, StepId, TeamId
from core.domain.session.session import Session
from core.runtime.dispatcher.local import LocalDispatcher
from tests.bench.arena import Arena
from tests.bench.figures import Figure, Subject
from tests.bench.sessions import CHANNEL, OWNER, SilentStage, answer, delivery_keys, harness_of
from tests.bench.size import Size

DEBATE: Final = Subject(
    16, "parallel phases of a party ÷ the same with one brain call at a time (time)", "×", "≤",
    0.6, 0.5,
)  # fmt: skip
PARALLEL: Final = tuple(map(PhaseKey, ("01-vision-council", "02-stack-debate", "03-blueprint")))
TITLE: Final = "A plugin that retries failed payments"
ANSWER: Final = (
    "1: Developers who drive payments through the API.\n2: Half of the payments that fail are paid "
    "within 7 days.\n5: They look at a list every morning.\n8: The gateway and our Postgres.\n"
    "Database: PostgreSQL, because the team runs it already. It must never store card numbers."
)
SCRIPTED: Final = Scripted()
POLL_S: Final = 0.002
PARTY_S_MAX: Final = 120.0


class StuckError(Exception):
    """The party did not come to the end of its parallel phases. Its text says where it stands."""


@dataclass(slots=True)
class Thinking:
    """Brains that take their time: side by side, or one after the other under one lock."""

    call_s: float
    turn: AbstractContextManager[object] = field(default_factory=nullcontext)

    def _think(self) -> None:
        with self.turn:
            time.sleep(self.call_s)

    def perform(self, task: Task[Result], cancelled: Cancelled) -> Result:
        if isinstance(task, ReadStep | Contribute):
            self._think()
        return SCRIPTED.perform(task, cancelled)


Outcome = tuple[tuple[str, str, str], ...]  # who said what as what, in order


def debating(arena: Arena, size: Size) -> Figure:
    """It holds only if every party said the same, however its members were called."""
    with _parties(arena, size.call_s) as (at_once, in_turn):
        # No pair to warm up: nearly all of a party is waiting for its brains.
        ratio = median(at_once.held() / in_turn.held() for _ in range(size.parties))
        outcomes = {*at_once.outcomes, *in_turn.outcomes}
    return DEBATE.measured(ratio, sound=len(outcomes) == 1 and all(outcomes))


@contextmanager
def _parties(arena: Arena, call_s: float) -> Iterator[tuple["Party", "Party"]]:
    at_once = Party(arena.folder / "at-once", Thinking(call_s), arena.harness.cast.team)
    in_turn = Party(arena.folder / "in-turn", Thinking(call_s, Lock()), arena.harness.cast.team)
    try:
        yield at_once, in_turn
    finally:
        at_once.close()
        in_turn.close()


class Party:
    """Parties on a database of their own, one after the other."""

    def __init__(self, folder: Path, thinking: Thinking, team: TeamId) -> None:
        folder.mkdir()
        clock = SystemClock()
        self.outcomes: list[Outcome] = []
        self._harness = harness_of(folder, team, stage=SilentStage(clock), brains={None: thinking})
        self._runtime = self._harness.runtime
        self._dispatcher = LocalDispatcher(self._harness.outbox_worker)
        self._runtime.set_dispatcher(self._dispatcher)
        self._dispatcher.start()

    def close(self) -> None:
        self._dispatcher.stop()
        self._harness.close()

    def held(self) -> float:
        """Seconds of one party, from its start to the end of its last parallel phase."""
        number = len(self.outcomes)
        session = SessionId(f"party-{number}")
        began = time.perf_counter()
        self._runtime.handle(self._request(session, number), team=self._harness.cast.team)
        self._attend(session, began + PARTY_S_MAX)
        took = time.perf_counter() - began
        self.outcomes.append(self._said(session))
        self._runtime.handle(
            on.SessionCancelled(OWNER, time.time(), sure=True),
            team=self._harness.cast.team,
            session=session,
        )
        return took

    def _said(self, session: SessionId) -> Outcome:
        of = self._runtime.reader.contributions
        given = [each for phase in PARALLEL for each in of(session, phase)]
        return tuple((each.persona, each.want, each.text) for each in given)

    def _request(self, session: SessionId, number: int) -> on.SessionRequested:
        return on.SessionRequested(
            OWNER, time.time(), session, RunId(f"run-{number}"), f"seed-{number}",
            self._harness.cast.team, CHANNEL, TITLE, TITLE, "standard",
            flow="inception", mode="party",
        )  # fmt: skip

    def _attend(self, session: SessionId, latest: float) -> None:
        """Answer each prompt once, and click what each menu leads on with."""
        answered: set[tuple[StepId, int]] = set()
        while (seen := self._runtime.reader.load(session)).course.phase in (None, *PARALLEL):
            if time.perf_counter() > latest:
                raise StuckError(f"the party is {seen.status} in {seen.course.phase}")
            if not self._acted(seen, answered):
                time.sleep(POLL_S)

    def _acted(self, seen: Session, answered: set[tuple[StepId, int]]) -> bool:
        asked = next((each for each in seen.course.steps if each.id == seen.course.step), None)
        menu = self._runtime.reader.menu(seen.menus.current) if seen.menus.current else None
        if seen.status == "choosing" and menu is not None and menu.state == "open":
            click = on.ChoiceMade(OWNER, time.time(), menu.id, menu.choices[0], CHANNEL)
            self._runtime.handle(click, team=self._harness.cast.team)
            return True
        prompted = seen.status == "asking" and seen.menus.prompt is not None
        if prompted and asked is not None and (asked.id, asked.prompt.revision) not in answered:
            if self._runtime.reader.last_post(seen.id, f"prompt:{asked.id}:") is None:
                return False  # it is on its way
            answered.add((asked.id, asked.prompt.revision))
            message = answer(self._harness, seen.id, ANSWER)
            keys = delivery_keys(self._harness, message)
            self._runtime.handle(message, team=self._harness.cast.team, keys=keys)
            return True
        return False
