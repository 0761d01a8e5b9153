"""Puts the page beside Slack's own addresses, behind the guard."""

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from bot.devtools.workspace.delivery.origin import OwnOrigin
from bot.devtools.workspace.page.guard import Guard
from bot.devtools.workspace.page.manifest import offers
from bot.devtools.workspace.page.routes import PageRoutes
from bot.devtools.workspace.state import WorkspaceState

if TYPE_CHECKING:
    from bot.devtools.workspace.server import LocalWorkspace


TOKEN_CHARS_MIN: Final = 16
TOKEN_CHARS: Final = frozenset(string.ascii_letters + string.digits + "-_")


@dataclass(frozen=True, slots=True)
class Mounted:
    """The page of one workspace; `token` is the secret part of its address."""

    slack: "LocalWorkspace"
    token: str
    page: PageRoutes

    def beside(self, routes: Sequence[BaseRoute]) -> Starlette:
        guard = Middleware(Guard, token=self.token, port=lambda: self.slack.port)
        own = Middleware(OwnOrigin, port=lambda: self.slack.port)
        return Starlette(routes=[*routes, *self.page.routes()], middleware=[guard, own])


def mounted(
    slack: "LocalWorkspace",
    world: WorkspaceState,
    token: str,
    notes: Mapping[str, str] | None = None,
) -> Mounted:
    """`notes`: what each usage of a command does, by its first word.

    `token`: letters, digits, `-` and `_`, at least 16 of them: whoever knows it is let in.

    Raises `ValueError` for a token that is too short or has other signs.
    """
    if len(token) < TOKEN_CHARS_MIN or not set(token) <= TOKEN_CHARS:
        raise ValueError(f"a page token has {TOKEN_CHARS_MIN} or more letters, digits, - and _")
    return Mounted(slack, token, PageRoutes(slack, world, offers(notes=notes), token))
