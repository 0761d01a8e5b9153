"""Visible effects on Slack: an order is prepared once, then sent as it was prepared.

Everything is drawn from the last commit when it is sent. Each post carries the ids of its order
and session as metadata, by which `find` recognises what an attempt in doubt may have left behind.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from bot.publish.attempt_lookup import bears, look_for, metadata
from bot.publish.exports import ExportOf, Exports
from bot.publish.message_targets import Edit, New
from bot.publish.rate_limits import call_limits, card_limits, post_limits, read_limits
from bot.publish.reading_status import ReadingStatus
from bot.publish.render import messages
from bot.publish.render.last_commit import (
    LastCommit,
    OperatorsChannel,
    Scene,
    WithWaiting,
    nobody_reads,
)
from bot.publish.render.reply_wording import reply_words
from bot.views.kit.blocks import Message
from bot.views.thread import step as step_view
from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core import ports
from core.domain import effects
from core.domain.ids import TeamId, Ts
from core.domain.session.session import Session

MARK: Final = "white_check_mark"
GONE: Final = ports.Refused("gone")
SHOWN_ELSEWHERE: Final = (
    effects.PostCard,
    effects.PaintCard,
    effects.ShowProposals,
)  # in what App Home says as well


class SlackStage:
    """`core.ports.Stage` over Slack's Web API."""

    def __init__(
        self,
        reader: ports.SessionReader,
        clients: Callable[[TeamId], SlackClient],
        directory: ports.Directory,
        *,
        export_of: ExportOf,
        operators: OperatorsChannel | None = None,
        painted: Callable[[Session], None] = lambda _session: None,
        with_waiting: WithWaiting = nobody_reads,
        read_every_s: float | None = None,
    ) -> None:
        """`painted`: told of each session that changed; it shows them elsewhere, and never blocks.

        `operators`: the channel that hears of what is fatal. `with_waiting`: what would change.
        `read_every_s`: seconds between two pages of messages, where Slack gives so few.
        """
        self._read_every_s = read_every_s
        self._painted = painted
        self._clients = clients
        self._commit = LastCommit(reader, directory, operators, with_waiting)
        self._exports = Exports(self._commit, export_of)
        self._reading_status = ReadingStatus(self._commit)

    def stop(self) -> None:
        """Nothing is set beside the lanes after this returns."""
        self._reading_status.stop()

    # ── the port ──

    def prepare(self, order: ports.Order, session: Session, pace_s: float) -> ports.Prepared:
        prepared = self._prepare(order, session, pace_s)
        if order.attempt is None or self._read_every_s is None:
            return prepared
        method = "conversations.replies" if order.attempt.thread_ts else "conversations.history"
        limits = read_limits(self._team(order, session), method, self._read_every_s)
        return replace(prepared, limits=(*limits, *prepared.limits))

    def _prepare(self, order: ports.Order, session: Session, pace_s: float) -> ports.Prepared:
        client, effect = self._client(order, session), order.effect
        match effect:
            case effects.Mark(channel, ts, on):
                method = "reactions.add" if on else "reactions.remove"
                limits = call_limits(session.team, method, pace_s)
                return _call(limits, lambda: client.react(channel, ts, MARK, on=on))
            case effects.Tell(user, reply, thread_ts):
                limits = call_limits(session.team, "chat.postEphemeral", pace_s)
                return _call(
                    limits,
                    lambda: client.ephemeral(
                        session.channel, user, self._reply(session, reply), thread_ts=thread_ts
                    ),
                )
            case effects.Respond(url, reply):
                return _call((), lambda: client.respond(url, self._reply(session, reply)))
            case effects.ShowReading():
                return _call((), lambda: self._reading_status.show(client, session, effect))
            case effects.UploadExport():
                return self._exports.prepare(client, order, session, effect, pace_s)
            case _:
                return self._message(client, order, session, pace_s)

    def find(self, order: ports.Order, session: Session) -> ports.Outcome:
        client, target = self._client(order, session), order.attempt
        assert target is not None
        if isinstance(order.effect, effects.UploadExport):
            return self._exports.find(client, order, session, order.effect)
        answer = look_for(client, order, lambda message: bears(message, order))
        return self._posted(client, session, target, answer) if isinstance(answer, str) else answer

    def _client(self, order: ports.Order, session: Session) -> SlackClient:
        return self._clients(self._team(order, session))

    def _team(self, order: ports.Order, session: Session) -> TeamId:
        operators = self._commit.operators
        if isinstance(order.effect, effects.TellOperators) and operators and operators.team:
            return operators.team
        return session.team

    # ── messages ──

    def _message(
        self, client: SlackClient, order: ports.Order, session: Session, pace_s: float
    ) -> ports.Prepared:
        plan = messages.locate(self._commit, session, order)
        match plan:
            case New(target):
                limits = post_limits(session.team, target.channel, pace_s)
                return ports.Prepared(
                    target, True, limits, lambda: self._post(client, order, session, target)
                )
            case Edit(post):
                return ports.Prepared(
                    ports.Target(post.target, post.channel, post.thread_ts, post.step),
                    False,
                    _edit_limits(order, session, pace_s),
                    lambda: self._edit(client, order, session, post),
                )
            case ports.Refused():
                return ports.Prepared(None, False, (), lambda: plan)
            case _:
                return ports.Prepared(None, False, (), ports.Sent)

    def _post(
        self, client: SlackClient, order: ports.Order, session: Session, target: ports.Target
    ) -> ports.Outcome:
        try:
            scene = self._scene(order, session)
        except ports.Gone:
            return GONE
        ts = client.post(
            target.channel,
            scene.message,
            thread_ts=target.thread_ts,
            author=scene.author,
            metadata=metadata(order),
        )
        if isinstance(ts, Failure):
            return ts
        return self._posted(client, session, target, ts)

    def _edit(
        self, client: SlackClient, order: ports.Order, session: Session, post: ports.Post
    ) -> ports.Outcome:
        try:
            scene = self._scene(order, session)
        except ports.Gone:
            return GONE
        return (
            client.update(post.channel, post.ts, scene.message, author=scene.author) or ports.Sent()
        )

    def _scene(self, order: ports.Order, session: Session) -> Scene:
        if isinstance(order.effect, SHOWN_ELSEWHERE):
            self._painted(session)
        return messages.scene_of(self._commit, session, order.effect)

    def _posted(
        self, client: SlackClient, session: Session, target: ports.Target, ts: Ts
    ) -> ports.Sent:
        post = target.posted(ts)
        old = self._commit.reader.post(session.id, target.replaces) if target.replaces else None
        if old is not None:
            self._retire(client, session, old, post)
        return ports.Sent(post)

    def _retire(
        self, client: SlackClient, session: Session, old: ports.Post, new: ports.Post
    ) -> None:
        """What was passed by says where its menu went. If it cannot, its buttons still act."""
        state = self._commit.reader.step_state(session.id, old.step) if old.step else None
        title = state.title if state else "this phase"
        moved = step_view.moved(title, self._commit.url(session, new))
        client.update(old.channel, old.ts, moved)

    def _reply(self, session: Session, reply: effects.Reply) -> Message:
        reader = self._commit.reader
        workspace = reader.workspace(session.team)
        names = partial(self._commit.names, session)
        return reply_words(reply, session.id, reader, workspace, names)


def _call(limits: tuple[ports.Limit, ...], send: Callable[[], Failure | None]) -> ports.Prepared:
    """A call that leaves no message of ours."""
    return ports.Prepared(None, False, limits, lambda: send() or ports.Sent())


def _edit_limits(order: ports.Order, session: Session, pace_s: float) -> tuple[ports.Limit, ...]:
    if isinstance(order.effect, effects.PaintCard):
        return card_limits(session.team, session.id, pace_s)
    return call_limits(session.team, "chat.update", pace_s)
