"""LangGraph: a node that interrupts for an answer, again and again, checkpointed by SqliteSaver.

As it comes: `durability` is left alone, which is "async": all is written when `invoke` returns.
`on_langgraph_exit` is the same with its fastest.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, TypedDict

from core.store.connection.sqlite import PRAGMAS
from tests.bench.answer import ANSWER
from tests.bench.peers.turns import SESSIONS, Turn, facts, serve, timed

Durability = Literal["sync", "async", "exit"]


class Asking(TypedDict):
    """The last answer alone: the others stay in earlier checkpoints, written once."""

    step: int
    answer: str


class LangGraph:
    def __init__(self, db: sqlite3.Connection, durability: Durability | None) -> None:
        libraries = ("langgraph", "langgraph-checkpoint-sqlite")
        named = ", ".join(f"{name} {version(name)}" for name in libraries)
        named += f', durability="{durability}"' if durability else ""
        self._durability = durability
        self.facts = facts(named, db)
        self._graph = _graph(db)
        self._threads = [{"configurable": {"thread_id": f"s{n}"}} for n in range(SESSIONS)]
        for thread in self._threads:
            if not self._graph.get_state(thread).values:
                self._graph.invoke({"step": 1, "answer": ""}, thread, durability=durability)

    def turn(self) -> Turn:
        from langgraph.types import Command

        return timed(
            lambda thread: self._graph.invoke(
                Command(resume=ANSWER), thread, durability=self._durability
            ),
            self._threads,
        )

    def kept(self) -> int:
        return sum(len(self._answered(thread)) for thread in self._threads)

    def _answered(self, thread: dict[str, dict[str, str]]) -> set[int]:
        """Steps; there are more checkpoints than steps, before the first answer as well."""
        states = (each.values for each in self._graph.get_state_history(thread))
        return {each["step"] for each in states if each.get("answer") == ANSWER}


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
def opened(folder: Path, durability: Durability | None = None) -> Iterator[LangGraph]:
    os.environ |= {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}
    with closing(sqlite3.connect(folder / "langgraph.db", check_same_thread=False)) as db:
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        yield LangGraph(db, durability)


if __name__ == "__main__":
    serve(opened)
