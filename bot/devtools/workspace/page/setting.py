"""What the rendering of one message or view has to know beside its blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from bot.devtools.workspace.values import Names
from core import patterns

Given = str | Sequence[str]

_PLAIN: Final = patterns.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class RenderContext:
    """For whom and where blocks are shown. One per rendering: it counts the ids it gives."""

    names: Names
    scope: str
    viewer: str = ""
    """The user id of the person acting; what mentions them is marked."""
    form: bool = False
    """A modal: its controls carry names, and what is filled in is sent with the form."""
    channel: str = ""
    """The channel from which a modal was opened, if any."""
    values: Mapping[str, Given] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    _numbers: "count[int]" = field(default_factory=count)

    def new_id(self) -> str:
        """An id that is in the page once, as long as the scope is."""
        return f"bk-{_PLAIN.sub('-', self.scope)}-{next(self._numbers)}"
