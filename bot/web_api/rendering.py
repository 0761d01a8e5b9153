"""How widgets are drawn where they are sent: with Slack's newer blocks, or plainly.

A workspace in which Slack refuses the newer blocks of a kind of widget gets that kind plainly for a
week. What was refused is sent again at once, all of it plain: a second refusal is no widget's.
"""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import structlog

from bot.views.kit.blocks import Message
from bot.views.kit.modals import View, drawn_view
from bot.views.kit.rich_text import Block
from bot.views.kit.widget import WIDGET_KINDS, Part, Widget, WidgetKind
from bot.web_api.api_errors import BlocksRefused, Failure
from bot.web_api.calls import Answer
from core.store.documents import CorruptError

REMEMBERED_S: Final = 7 * 24 * 3600.0
GOV_SLACK: Final = ".slack-gov.com"

log = structlog.get_logger(__name__)


# ── which kinds ────────────────────────────────────────────────────────────────────────────────


class Renderings(Protocol):
    """Which rendering each kind of widget gets in a workspace."""

    def plain_kinds(self) -> frozenset[WidgetKind]:
        """The kinds of widgets that are drawn plainly now."""
        ...

    def remember_refused(self, kinds: Collection[WidgetKind]) -> None:
        """From now on these kinds are drawn plainly. Stored when this returns."""
        ...


class PlainRenderings:
    """Every widget is drawn plainly."""

    def plain_kinds(self) -> frozenset[WidgetKind]:
        return WIDGET_KINDS

    def remember_refused(self, kinds: Collection[WidgetKind]) -> None:
        raise AssertionError(f"nothing but plain blocks was sent, and {sorted(kinds)} refused")


class RememberedRenderings:
    """Every widget is drawn with the newer blocks, but those kinds that were refused lately."""

    def __init__(
        self,
        load: Callable[[], Mapping[str, float]],
        save: Callable[[Mapping[str, float]], None],
        now: Callable[[], float],
    ) -> None:
        """`load` and `save`: when which kind was refused, in the row of the workspace."""
        self._save = save
        self._now = now
        self._lock = threading.Lock()
        try:
            self._refused_at = dict(load())
        except CorruptError:
            log.warning("blocks.memory-unreadable")
            self._refused_at = {}

    def plain_kinds(self) -> frozenset[WidgetKind]:
        since = self._now() - REMEMBERED_S
        return frozenset(kind for kind in WIDGET_KINDS if self._refused_at.get(kind, 0.0) > since)

    def remember_refused(self, kinds: Collection[WidgetKind]) -> None:
        with self._lock:
            refused_at = self._refused_at | dict.fromkeys(kinds, self._now())
            self._save(refused_at)
            self._refused_at = refused_at


def is_gov_slack(url: str) -> bool:
    """True for the address of a GovSlack workspace, which gets Slack's features late or never."""
    return (urlsplit(url).hostname or "").endswith(GOV_SLACK)


# ── what is drawn ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class BlockDrawing:
    """What a call shows. `arguments` draws it: these kinds of widgets plainly, the others not."""

    parts: Sequence[Part]
    arguments: Callable[[Collection[WidgetKind]], Mapping[str, Any]]


def of_message(message: Message) -> BlockDrawing:
    return BlockDrawing(
        message.parts, lambda plain: {"text": message.text, "blocks": list(message.drawn(plain))}
    )


def of_view(view: View) -> BlockDrawing:
    return BlockDrawing(view["blocks"], lambda plain: {"view": drawn_view(view, plain)})


class Artist:
    """Draws what is sent, and draws it again, plainly, where Slack refuses the newer blocks."""

    def __init__(self, renderings: Renderings) -> None:
        self.renderings = renderings
        self._refusals = 0  # since the start

    def send(
        self, drawing: BlockDrawing, call: Callable[[Mapping[str, Any]], Answer | Failure]
    ) -> Answer | Failure:
        """What came of `call`, made twice at most."""
        plain = self.renderings.plain_kinds()
        arguments = drawing.arguments(plain)
        answer = call(arguments)
        widgets = _newer(drawing, plain)
        if not widgets or not isinstance(answer, BlocksRefused):
            return answer
        blocks = arguments.get("view", arguments)["blocks"]
        self._remember(answer, _drawn_by(widgets, blocks, answer.places))
        return call(drawing.arguments(WIDGET_KINDS))

    def has_newer_blocks(self, drawing: BlockDrawing) -> bool:
        """True if it would be sent with blocks that Slack may refuse."""
        return bool(_newer(drawing, self.renderings.plain_kinds()))

    def _remember(self, refused: BlocksRefused, kinds: Collection[WidgetKind]) -> None:
        self._refusals += 1
        log.warning(
            "blocks.refused", error=refused.error, kinds=sorted(kinds), refusals=self._refusals
        )
        if kinds:
            self.renderings.remember_refused(kinds)


def _newer(drawing: BlockDrawing, plain: Collection[WidgetKind]) -> list[Widget]:
    """The widgets that are drawn with newer blocks."""
    return [part for part in drawing.parts if isinstance(part, Widget) and part.kind not in plain]


def _drawn_by(
    widgets: Sequence[Widget], blocks: Sequence[Block], places: Sequence[int]
) -> frozenset[WidgetKind]:
    """The kinds that drew the refused blocks; where Slack names none, each that drew any."""
    refused = [blocks[place] for place in places if place < len(blocks)]
    return frozenset(
        widget.kind
        for widget in widgets
        if not refused
        or any(block in (*widget.today(), *widget.beside_another()) for block in refused)
    )
