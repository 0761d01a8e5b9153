"""LangGraph: a node that interrupts for an answer, again and again, checkpointed by SqliteSaver.

`durability="exit"` writes what a step changed once, before `invoke` returns. That is all that an
acknowledgement needs, and the fastest of the three: "sync" and "async" commit twice as often.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypedDict

from bot.cli.bench.answer import ANSWER
from bot.cli.bench.peers.turns import SESSIONS, Turn, facts, serve, timed
from core.store.database import PRAGMAS

DURABILITY: Final = "exit"


class Asking(TypedDict):
    """The last answer alone: the others stay in earlier checkpoints, written once."""

    step: int
    answer: str


class LangGraph:
    def __init__(self, db: sqlite3.Connection) -> None:
        libraries = ("langgraph", "langgraph-checkpoint-sqlite")
        named = ", ".join(f"{name} {version(name)}" for name in libraries)
        self.facts = facts(named, db)
        self._graph = _graph(db)
        self._threads = [{"configurable": {"thread_id": f"s{n}"}} for n in range(SESSIONS)]
        for thread in self._threads:
            if not self._graph.get_state(thread).values:
                self._graph.invoke({"step": 1, "answer": ""}, thread, durability=DURABILITY)

    def turn(self) -> Turn:
        from langgraph.types import Command

        return timed(
            lambda thread: self._graph.invoke(
                Command(resume=ANSWER), thread, durability=DURABILITY
            ),
            self._threads,
        )

    def kept(self) -> int:
        states = (
            each for thread in self._threads for each in self._graph.get_state_history(thread)
        )
        return sum(state.values["answer"] == ANSWER for state in states)


def _graph(db: sqlite3.Connection) -> Any:
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def ask(state: Asking) -> Asking:
        answer = interrupt(f"Question {state['step']}")
        return {"step": state["step"] + 1, "answer": answer}

    graph = StateGraph(Asking)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "ask")
    return graph.compile(checkpointer=SqliteSaver(db))


@contextmanager
def opened(folder: Path) -> Iterator[LangGraph]:
    os.environ |= {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}
    with closing(sqlite3.connect(folder / "langgraph.db", check_same_thread=False)) as db:
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        yield LangGraph(db)


if __name__ == "__main__":
    serve(opened)
