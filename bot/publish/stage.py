"""Visible effects on Slack: where each message goes, whether it is new or an edit, what came of it.

Everything is rendered from the last commit when it is sent. Each post carries the ids of its order
and session as metadata, by which `find` recognises what an attempt in doubt may have left behind.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import structlog

from bot.publish.message_targets import Edit, New, Nothing, Places
from bot.publish.rate_limits import call_limits, card_limits, post_limits
from bot.publish.render import Scenes
from bot.views.kit.blocks import Message
from bot.views.kit.names import listed
from bot.views.kit.text import escape
from bot.views.thread import step as step_view
from bot.views.thread.lines import held_back, no_upload
from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.artifacts.files.exported import (
    LEFT_OUT_FILE,
    Exported,
    HeldBack,
    LeftOut,
    file_name,
    kinds_of_export,
)
from core.domain.effects import (
    Effect,
    Mark,
    PaintCard,
    PostCard,
    Respond,
    ShowProposals,
    Tell,
    TellOperators,
    UploadExport,
)
from core.domain.ids import ChannelId, Export, SessionId, TeamId, Ts
from core.domain.session import Session
from core.ports import (
    Directory,
    Gone,
    Later,
    Limit,
    Order,
    Outcome,
    Post,
    Refused,
    Sent,
    SessionReader,
    Unclear,
)
from core.taxonomy.post_refusals import REFUSALS

MARK: Final = "white_check_mark"
EVENT_TYPE: Final = "roundtable"
CLOCK_SKEW_S: Final = 5.0  # between Slack's clock and ours


log = structlog.get_logger(__name__)


class SlackStage:
    """`core.ports.Stage` over Slack's Web API."""

    def __init__(
        self,
        reader: SessionReader,
        clients: Callable[[TeamId], SlackClient],
        directory: Directory,
        *,
        export_of: Callable[[SessionId, Export], Exported],
        operators: ChannelId | None = None,
        painted: Callable[[Session], None] = lambda _session: None,
    ) -> None:
        """`painted`: whoever shows sessions elsewhere as well hears of each that changed.

        It must not block.
        """
        self._painted = painted
        self._operators = operators
        self._reader = reader
        self._clients = clients
        self._export_of = export_of
        self._scenes = Scenes(reader, directory)
        self._places = Places(reader, self._scenes)

    # ── the port ──

    def is_post(self, order: Order) -> bool:
        if isinstance(order.effect, UploadExport):
            return True
        if isinstance(order.effect, TellOperators):
            return self._operators is not None
        if isinstance(order.effect, Mark | Tell | Respond):
            return False
        try:
            session = self._reader.load(order.session)
        except Gone:
            return False
        return isinstance(self._places.plan(session, order.id, order.effect), New)

    def limits_of(self, order: Order, pace_s: float) -> tuple[Limit, ...]:
        try:
            return self._limits_of(self._reader.load(order.session), order, pace_s)
        except Gone:
            return ()

    def perform(self, order: Order) -> Outcome:
        try:
            return self._perform(self._reader.load(order.session), order)
        except Gone:
            return Sent() if isinstance(order.effect, Mark | Tell | Respond) else Refused("gone")

    def find(self, order: Order, since: float) -> Outcome:
        try:
            return self._find(self._reader.load(order.session), order, since - CLOCK_SKEW_S)
        except Gone:
            return Refused("gone")

    # ── limits ──

    def _limits_of(self, session: Session, order: Order, pace_s: float) -> tuple[Limit, ...]:
        team, effect = session.team, order.effect
        match effect:
            case Mark(on=on):
                return call_limits(team, "reactions.add" if on else "reactions.remove", pace_s)
            case Tell():
                return call_limits(team, "chat.postEphemeral", pace_s)
            case Respond():
                return ()
            case UploadExport():
                return post_limits(session.channel, pace_s)
            case TellOperators():
                return post_limits(self._operators, pace_s) if self._operators else ()
            case PaintCard():
                return card_limits(team, session.id, pace_s)
            case _:
                plan = self._places.plan(session, order.id, effect)
                if isinstance(plan, New):
                    return post_limits(session.channel, pace_s)
                return call_limits(team, "chat.update", pace_s) if isinstance(plan, Edit) else ()

    # ── one effect ──

    def _perform(self, session: Session, order: Order) -> Outcome:
        client, effect = self._clients(session.team), order.effect
        match effect:
            case Mark():
                return client.react(effect.channel, effect.ts, MARK, on=effect.on) or Sent()
            case Tell():
                words = self._scenes.reply(session, effect.reply)
                told = client.ephemeral(
                    session.channel, effect.user, words, thread_ts=effect.thread_ts
                )
                return told or Sent()
            case Respond():
                words = self._scenes.reply(session, effect.reply)
                return client.respond(effect.url, words) or Sent()
            case UploadExport():
                return self._upload(session, order, effect)
            case TellOperators():
                return self._notify(session, order, effect)
            case PostCard() | PaintCard() | ShowProposals():
                self._painted(session)
                return self._show(session, order, effect)
            case _:
                return self._show(session, order, effect)

    def _find(self, session: Session, order: Order, oldest: float) -> Outcome:
        effect = order.effect
        assert not isinstance(effect, Mark | Tell | Respond), effect
        if isinstance(effect, UploadExport):
            return self._find_upload(session, order, effect, oldest)
        if isinstance(effect, TellOperators):
            return self._find_notice(session, order, effect, oldest)
        plan = self._places.plan(session, order.id, effect)
        if not isinstance(plan, New):
            return plan if isinstance(plan, Refused) else Sent()
        found = self._clients(session.team).look_for(
            lambda message: _bears(message, order),
            session.channel,
            oldest=oldest,
            thread_ts=plan.thread_ts,
        )
        if isinstance(found, str):
            return self._posted(session, plan, found)
        return _not_found(found)

    # ── messages ──

    def _show(self, session: Session, order: Order, effect: Effect) -> Outcome:
        plan = self._places.plan(session, order.id, effect)
        if isinstance(plan, Refused):
            return plan
        if isinstance(plan, Nothing):
            return Sent()
        scene = self._scenes.of(session, effect)
        client = self._clients(session.team)
        if isinstance(plan, Edit):
            at = plan.post
            failure = client.update(at.channel, at.ts, scene.message, author=scene.author)
            return failure or Sent()
        ts = client.post(
            session.channel,
            scene.message,
            thread_ts=plan.thread_ts,
            author=scene.author,
            metadata=_metadata(order),
        )
        return ts if isinstance(ts, Failure) else self._posted(session, plan, ts)

    def _posted(self, session: Session, plan: New, ts: Ts) -> Sent:
        post = Post(plan.target, session.channel, ts, plan.thread_ts, plan.step)
        if plan.old is not None:
            self._retire(session, plan.old, post)
        return Sent(post)

    def _retire(self, session: Session, old: Post, new: Post) -> None:
        """What was passed by says where its menu went. If it cannot, its buttons still act."""
        state = self._reader.step_state(session.id, old.step) if old.step else None
        title = state.title if state else "this phase"
        moved = step_view.moved(title, self._scenes.url(session, new))
        self._clients(session.team).update(old.channel, old.ts, moved)

    # ── the rest ──

    def _notify(self, session: Session, order: Order, effect: TellOperators) -> Outcome:
        if self._operators is None:
            return Sent()
        notice = self._scenes.notice(session, effect)
        client = self._clients(session.team)
        ts = client.post(self._operators, notice, metadata=_metadata(order))
        if isinstance(ts, Failure):
            return ts
        return Sent(_notice_post(effect, self._operators, ts))

    def _find_notice(
        self, session: Session, order: Order, effect: TellOperators, oldest: float
    ) -> Outcome:
        if self._operators is None:
            return Sent()
        found = self._clients(session.team).look_for(
            lambda message: _bears(message, order), self._operators, oldest=oldest
        )
        if not isinstance(found, str):
            return _not_found(found)
        return Sent(_notice_post(effect, self._operators, found))

    def _upload(self, session: Session, order: Order, effect: UploadExport) -> Outcome:
        thread_ts = self._places.thread(session, effect.thread)
        if thread_ts is None:
            return Refused("no_thread", "thread_gone")
        try:
            made = self._export_of(session.id, effect.wanted)
        except HeldBack:  # it was halted after the export was asked for
            return self._say_instead(session, order, thread_ts, held_back())
        names = ", ".join(name for name, _ in made.files)
        comment = escape(_comment(names, made.left_out))
        client = self._clients(session.team)
        failure = client.upload(session.channel, made.files, thread_ts=thread_ts, comment=comment)
        if isinstance(failure, Refused) and failure.reason != "token_revoked":
            log.warning("export.refused", session=session.id, error=failure.error)
            why = REFUSALS.get(failure.reason, REFUSALS["unknown"])
            return self._say_instead(session, order, thread_ts, no_upload(names, why))
        return failure or Sent()

    def _say_instead(
        self, session: Session, order: Order, thread_ts: Ts, message: Message
    ) -> Outcome:
        client = self._clients(session.team)
        ts = client.post(session.channel, message, thread_ts=thread_ts, metadata=_metadata(order))
        if isinstance(ts, Failure):
            return ts
        return Sent(Post(f"say:{order.id}", session.channel, ts, thread_ts))

    def _find_upload(
        self, session: Session, order: Order, effect: UploadExport, oldest: float
    ) -> Outcome:
        """A file's message takes no metadata: it is known by the files' names."""
        thread_ts = self._places.thread(session, effect.thread)
        if thread_ts is None:
            return Refused("no_thread", "thread_gone")
        names = {file_name(session.slug, kind) for kind in kinds_of_export(effect.wanted)}
        found = self._clients(session.team).look_for(
            lambda message: _bears(message, order) or _holds(message, names),
            session.channel,
            oldest=oldest,
            thread_ts=thread_ts,
        )
        return Sent() if isinstance(found, str) else _not_found(found)


def _notice_post(effect: TellOperators, channel: ChannelId, ts: str) -> Post:
    return Post(f"operators:{effect.fault}", channel, Ts(ts), None)


def _comment(names: str, left_out: Sequence[LeftOut]) -> str:
    said = f"Everything that is written so far: {names}"
    if not left_out:
        return said
    files = listed([file.name for file in left_out])
    return f"{said}\nLeft out of the zip, {LEFT_OUT_FILE} says why: {files}"


def _not_found(answer: Failure | None) -> Outcome:
    if isinstance(answer, Refused):
        return answer
    if answer is None:
        return Later("not there")
    # Still in doubt: look again.
    return Unclear("could not look", answer.seconds, answer.http_status)


def _holds(message: Mapping[str, Any], names: Collection[str]) -> bool:
    return {file.get("name") for file in message.get("files") or ()} == set(names)


def _metadata(order: Order) -> Mapping[str, Any]:
    """Ids only: any member's app can read it."""
    payload = {"order": str(order.id), "session": order.session}
    return {"event_type": EVENT_TYPE, "event_payload": payload}


def _bears(message: Mapping[str, Any], order: Order) -> bool:
    metadata = message.get("metadata") or {}
    payload = metadata.get("event_payload") or {}
    return metadata.get("event_type") == EVENT_TYPE and payload == {
        "order": str(order.id),
        "session": order.session,
    }
