"""Everybody answers in turn, A B C A B C …; then all are killed, and what they kept is counted."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Final

from tests.bench.figures import Figure, Subject
from tests.bench.peers.turns import SESSIONS, Seat, Turn

HERE: Final = "tests.bench.peers"
OURS: Final = f"{HERE}.ours"
LIBRARIES: Final = ("langgraph", "langgraph.checkpoint.sqlite", "dbos")

BESIDE_LANGGRAPH: Final = Subject(
    2, "durable transition ÷ LangGraph with SqliteSaver, a resume per step (rate)", "×", "≥", 4, 8
)
BESIDE_LANGGRAPH_EXIT: Final = Subject(
    2, 'durable transition ÷ the same with durability="exit" (rate)', "×", "≥", 3.2, 8
)
BESIDE_DBOS: Final = Subject(
    3, "durable transition ÷ DBOS on SQLite, a workflow per step (rate)", "×", "≥", 5, 10
)


@dataclass(frozen=True, slots=True)
class Peer:
    subject: Subject
    module: str


PEERS: Final = (
    Peer(BESIDE_LANGGRAPH, f"{HERE}.on_langgraph"),
    Peer(BESIDE_LANGGRAPH_EXIT, f"{HERE}.on_langgraph_exit"),
    Peer(BESIDE_DBOS, f"{HERE}.on_dbos"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What one contestant did, turn by turn; and was every step there afterwards?"""

    version: str
    turns: tuple[Turn, ...]
    sound: bool


def missing(libraries: Sequence[str] = LIBRARIES) -> list[str]:
    """Those that are not installed here."""
    return [name for name in libraries if not _is_there(name)]


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is not there
        return False


def compared(
    folder: Path,
    turns: int,
    told: Callable[[str], None],
    peers: Sequence[Peer] = PEERS,
    ours: str = OURS,
) -> list[Figure]:
    """The median of each peer's seconds ÷ ours, over `turns` turns after one that warms up."""
    mine, *theirs = contested(folder, turns, told, [ours, *(peer.module for peer in peers)])
    figures = []
    for peer, its in zip(peers, theirs, strict=True):
        pairs = zip(its.turns, mine.turns, strict=True)
        times = median(a.seconds / b.seconds for a, b in pairs)
        told(f"{its.version}: {times:.3f} times as long as ours")
        figures.append(peer.subject.measured(times, sound=its.sound and mine.sound))
    return figures


def contested(
    folder: Path, turns: int, told: Callable[[str], None], modules: Sequence[str]
) -> list[Result]:
    with ExitStack() as stack:

        def seated() -> list[Seat]:
            seats = [Seat(module, folder / str(n)) for n, module in enumerate(modules)]
            for seat in seats:
                stack.callback(seat.kill)
            return seats

        seats = seated()
        before = [seat.kept() for seat in seats]
        _, *taken = [[seat.turn() for seat in seats] for _ in range(turns + 1)]
        for seat in seats:
            seat.kill()
        given = SESSIONS * (turns + 1)
        results = [
            Result(
                again.facts.version,
                turns_taken,
                again.facts.durable and again.kept() - there == given,
            )
            for turns_taken, again, there in zip(
                zip(*taken, strict=True), seated(), before, strict=True
            )
        ]
        for result in results:
            told(_summary(result))
    return results


def _summary(result: Result) -> str:
    """The rate in words, since the table has only what compares."""
    rate = 1 / median(turn.seconds for turn in result.turns)
    processor_ms = 1000 * median(turn.processor_s for turn in result.turns)
    there = "all there after a kill" if result.sound else "NOT all there after a kill"
    return (
        f"{result.version}: {rate:,.0f} steps/s, {processor_ms:.2f} ms of processor each, {there}"
    )
