"""What commands share: an answer in the format that was asked for, and a refusal."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Final, Literal, Protocol, TypeVar

import typer

from bot.views.kit.terminal import echo

Format = Literal["human", "json"]
FormatOption = Annotated[Format, typer.Option("--format", help="How to print it.")]

EXIT_REFUSED: Final = 2


class HasId(Protocol):
    """A session by its id."""

    @property
    def id(self) -> str: ...


S = TypeVar("S", bound=HasId)


def refuse(words: str) -> typer.Exit:
    """Say in one line why a command cannot be done. Raise what comes back."""
    sys.stderr.write(f"{words}\n")
    return typer.Exit(EXIT_REFUSED)


def only_one(name: str, sessions: Sequence[S], where: str = "") -> S:
    """The one session of that name. Raises `typer.Exit` if there are none or several."""
    if not sessions:
        raise refuse(f"There is no run or session {name!r}{where}. See: roundtable sessions")
    if len(sessions) > 1:
        ids = ", ".join(session.id for session in sessions)
        raise refuse(f"Several sessions are called {name!r}. Name one by its id: {ids}")
    return sessions[0]


def print_answer(form: Format, lines: Iterable[str], data: Callable[[], object]) -> None:
    """Print `lines` for people, or `data` as JSON."""
    if form == "json":
        echo(json.dumps(data(), indent=2, ensure_ascii=False))
        return
    for line in lines:
        echo(line)
