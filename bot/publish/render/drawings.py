"""Which function draws an effect's message, and which one says where it goes.

Each drawing is registered where it is written: `@draws(ShowResult, in_thread("result"))`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bot.publish.message_targets import Locate
from bot.publish.render.last_commit import LastCommit, Scene
from core.domain.effects import Effect
from core.domain.session.session import Session

E = TypeVar("E", bound=Effect)
Draw = Callable[[LastCommit, Session, E], Scene]


@dataclass(frozen=True, slots=True)
class Drawing:
    """How an effect becomes a message."""

    locate: Locate
    draw: Draw[Any]


DRAWINGS: Final[dict[type[Effect], Drawing]] = {}


def draws(kind: type[E], locate: Locate) -> Callable[[Draw[E]], Draw[E]]:
    """Register the function that draws the message of an effect."""

    def register(draw: Draw[E]) -> Draw[E]:
        DRAWINGS[kind] = Drawing(locate, draw)
        return draw

    return register
