"""Messages, views and files through Slack's Web API: each call done, refused, later or unclear.

One attempt per call: trying again is the outbox's business, because only it knows what may be done
twice. What an error means is said in `bot.web_api.api_errors`, one call and its scopes in
`bot.web_api.calls`, questions that show nothing in `bot.web_api.lookups`.
"""

from collections.abc import Collection, Mapping, Sequence
from http.client import HTTPException
from typing import Any, Final

import structlog
from slack_sdk.webhook import WebhookClient
from tenacity import Retrying, retry_if_result, stop_after_attempt, wait_fixed

from bot.views.kit.blocks import Message
from bot.views.kit.identity import Author, named
from bot.views.kit.modals import View, notice_of
from bot.web_api.api_errors import (
    MISSING_SCOPE,
    NAME_ERRORS,
    Failure,
    Twice,
    after_no_answer,
    reply_refused,
    retry_after,
)
from bot.web_api.calls import QUIET, Answer, Calls, Observe
from bot.web_api.lookups import SlackLookups
from bot.web_api.rendering import (
    Artist,
    BlockDrawing,
    PlainRenderings,
    Renderings,
    of_message,
    of_view,
)
from bot.web_api.uploads import FileUpload, deliver, send_files
from core.domain.ids import ChannelId, Ts, UserId
from core.ports import Later, Refused
from core.taxonomy.post_refusals import RefusalReason

TIMEOUT_S: Final = 15
HASTY_S: Final = 1  # a trigger lives for three
VIEW_ADDRESS: Final = "view:"  # a reply address: the modal with that external_id, while it is open
VIEW_TRIES_MAX: Final = 6
VIEW_AGAIN_S: Final = 0.3

CUSTOMIZE: Final = "chat:write.customize"
FOLDED: Final[Mapping[str, bool]] = {"unfurl_links": False, "unfurl_media": False}
"""Links of a new message stay folded. Edits and ephemerals have no such arguments."""
DONE: Final[frozenset[RefusalReason]] = frozenset({"already_so"})
REACTION_SKIPPED: Final[frozenset[RefusalReason]] = frozenset(
    {"already_so", "permission_missing", "not_needed"}
)

log = structlog.get_logger(__name__)


class SlackClient:
    """One workspace's Web API. Methods return what they brought about, or a `Failure`."""

    def __init__(
        self,
        token: str | None,
        *,
        base_url: str = "https://slack.com/api/",
        timeout_s: int = TIMEOUT_S,
        scopes: frozenset[str] | None = None,
        renderings: Renderings | None = None,
        installs: bool = False,
        scarce_s: float | None = None,
    ) -> None:
        """No `token`: the app is not installed there. `installs`: it may be, again.

        `scarce_s`: seconds from one page of messages to the next, where Slack gives so few.
        """
        self._calls = Calls(token, base_url, timeout_s, scopes, installs=installs)
        self._hasty = Calls(token, base_url, HASTY_S, scopes, installs=installs)
        self._timeout_s = timeout_s
        self._asked = False
        self.lookups = SlackLookups(self._calls, self._hasty, scarce_s)
        self._artist = Artist(renderings or PlainRenderings())

    def set_renderings(self, renderings: Renderings) -> None:
        """Say how widgets are drawn from now on."""
        self._artist = Artist(renderings)

    def set_observer(self, observe: Observe) -> None:
        """Have each call told to `observe`, with its method and what came of it."""
        self._calls.observe = self._hasty.observe = observe

    def has_newer_blocks(self, message: Message) -> bool:
        """True if the message would be sent with blocks that Slack may refuse."""
        return self._artist.has_newer_blocks(of_message(message))

    def has_newer_view(self, view: View) -> bool:
        """True if the view would be shown with blocks that Slack may refuse."""
        return self._artist.has_newer_blocks(of_view(view))

    def __repr__(self) -> str:
        return f"SlackClient({self._calls.base_url!r})"

    # ── messages ──

    def post(
        self,
        channel: ChannelId,
        message: Message,
        *,
        thread_ts: Ts | None = None,
        author: Author | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Ts | Failure:
        """A new message. `metadata` is readable by any member's app: ids only."""
        place = {"channel": channel, "thread_ts": thread_ts, "metadata": metadata, **FOLDED}
        name, body = self._as(author, message)
        answer = self._show("post", "chat.postMessage", {**place, **name}, of_message(body))
        if isinstance(answer, Refused) and author and self._is_about_names(answer):
            spoken = of_message(named(author, message))
            answer = self._show("post", "chat.postMessage", place, spoken)
        return answer if isinstance(answer, Failure) else Ts(str(answer["ts"]))

    def update(
        self, channel: ChannelId, ts: Ts, message: Message, *, author: Author | None = None
    ) -> Failure | None:
        """Edit a message of ours. One that is gone counts as done."""
        message = self._signed(author, message) if author else message
        place = {"channel": channel, "ts": ts}
        return _unless(DONE, self._show("repeat", "chat.update", place, of_message(message)))

    def ephemeral(
        self,
        channel: ChannelId,
        user: UserId,
        message: Message,
        *,
        thread_ts: Ts | None = None,
        otherwise: str | None = None,
    ) -> Failure | None:
        """Words for one person, at most once. That they cannot be said is no reason to stop.

        `otherwise`: a reply address, for a channel in which we may not speak.
        """
        place = {"channel": channel, "user": user, "thread_ts": thread_ts}
        answer = self._show("once", "chat.postEphemeral", place, of_message(message))
        if isinstance(answer, Refused) and answer.reason != "token_revoked" and otherwise:
            return self.respond(otherwise, message)
        return _let_go(answer)

    def react(self, channel: ChannelId, ts: Ts, name: str, *, on: bool) -> Failure | None:
        """Put a mark on or take it off. Without the scope it is left out, which is no failure."""
        method = "reactions.add" if on else "reactions.remove"
        if self._calls.lacks("reactions:write"):
            return None
        place = {"channel": channel, "timestamp": ts, "name": name}
        return _unless(REACTION_SKIPPED, self._calls.call("repeat", method, place))

    def set_status(
        self, channel: ChannelId, thread_ts: Ts, status: str, *, author: Author | None = None
    ) -> None:
        """The line under a thread: who is at what; empty takes it away. Best effort, once.

        Slack puts the name before it, and takes it away with the next post, or after two minutes.
        docs: reference/methods/assistant.threads.setStatus
        """
        name = author.as_arguments() if author and not self._may_not_name() else {}
        place = {"channel_id": channel, "thread_ts": thread_ts, "status": status}
        self._hasty.call("once", "assistant.threads.setStatus", {**place, **name})

    def respond(self, url: str, message: Message) -> Failure | None:
        """Through a command's own reply address: five uses in half an hour, then it is let go.

        An address that names an open modal turns the modal into the words. The acknowledgement
        that shows it may still be on its way: what is not there yet is tried again.
        """
        if url.startswith(VIEW_ADDRESS):
            notice = notice_of("It did not begin", message.parts)
            answer = Retrying(
                retry=retry_if_result(_is_not_open),
                stop=stop_after_attempt(VIEW_TRIES_MAX),
                wait=wait_fixed(VIEW_AGAIN_S),
                retry_error_callback=lambda state: state.outcome and state.outcome.result(),
            )(self.update_view, url.removeprefix(VIEW_ADDRESS), notice)
            return _let_go(answer or {})
        words = of_message(message)
        return _let_go(self._artist.send(words, lambda shown: self._reply(url, shown)))

    def _reply(self, url: str, payload: Mapping[str, Any]) -> Answer | Failure:
        """One use of a reply address."""
        hook = WebhookClient(url, timeout=self._timeout_s, retry_handlers=[], logger=QUIET)
        place = {"response_type": "ephemeral", "replace_original": False, **FOLDED}
        try:
            answer = hook.send_dict({**place, **payload})
        except (OSError, HTTPException) as error:
            return after_no_answer("once", error)
        if answer.status_code == 429:
            return Later("ratelimited", retry_after(answer.headers))
        return {} if answer.status_code == 200 else reply_refused(answer.status_code, answer.body)

    # ── views ──

    def open_view(self, trigger: str, view: View) -> Failure | None:
        """Show a modal. Its trigger is good once and for three seconds: never tried again."""
        return self._view("once", "views.open", {"trigger_id": trigger}, view)

    def push_view(self, trigger: str, view: View) -> Failure | None:
        """Show a modal above the one in which the trigger came about."""
        return self._view("once", "views.push", {"trigger_id": trigger}, view)

    def update_view(self, external_id: str, view: View) -> Failure | None:
        """Put another view in the place of an open modal."""
        return self._view("repeat", "views.update", {"external_id": external_id}, view)

    def publish_home(self, user: UserId, view: View) -> Failure | None:
        """Somebody's Home tab, whatever stood there before."""
        return self._view("repeat", "views.publish", {"user_id": user}, view)

    def _view(
        self, twice: Twice, method: str, place: Mapping[str, Any], view: View
    ) -> Failure | None:
        answer = self._show(twice, method, place, of_view(view))
        return answer if isinstance(answer, Failure) else None

    def _show(
        self, twice: Twice, method: str, place: Mapping[str, Any], drawing: BlockDrawing
    ) -> Answer | Failure:
        """A call that shows something, drawn as the workspace takes it."""
        return self._artist.send(
            drawing, lambda shown: self._calls.call(twice, method, {**place, **shown})
        )

    # ── files ──

    def upload(
        self,
        channel: ChannelId,
        files: Sequence[tuple[str, bytes]],
        *,
        thread_ts: Ts | None = None,
        comment: str = "",
    ) -> Failure | None:
        """Files by name in one message. `comment` is escaped mrkdwn."""
        upload = FileUpload(channel, files, thread_ts, comment)
        return send_files(self._calls, upload, self._deliver)

    def _deliver(self, url: str, content: bytes) -> Failure | None:
        return deliver(url, content, self._timeout_s)

    # ── the token ──

    def revoke(self) -> Failure | None:
        """auth.revoke: our token is good no more."""
        answer = self._calls.call("repeat", "auth.revoke", {}, form=True)
        return answer if isinstance(answer, Failure) else None

    # ── scopes ──

    def _as(self, author: Author | None, message: Message) -> tuple[Mapping[str, str], Message]:
        """A post under the speaker's own name where we may; else with the name in it."""
        if author is None:
            return {}, message
        if self._may_not_name():
            return {}, named(author, message)
        return author.as_arguments(), message

    def _signed(self, author: Author, message: Message) -> Message:
        """An edit cannot change a name, but it must keep one that stands in the message."""
        return named(author, message) if self._may_not_name() else message

    def _may_not_name(self) -> bool:
        """Slack ignores a name it does not allow, without a word: look before the first one."""
        if self._calls.scopes is None and not self._asked:
            self._asked = True
            self.lookups.auth_test()
        return self._calls.lacks(CUSTOMIZE)

    def _is_about_names(self, refused: Refused) -> bool:
        without_scope = refused.error == MISSING_SCOPE and CUSTOMIZE in self._calls.missed
        return without_scope or refused.error in NAME_ERRORS


def _is_not_open(answer: Failure | None) -> bool:
    return isinstance(answer, Refused) and answer.error == "not_found"


def _unless(reasons: Collection[RefusalReason], answer: Answer | Failure) -> Failure | None:
    """The failure, unless Slack refused it for one of these reasons."""
    if isinstance(answer, Refused) and answer.reason in reasons:
        return None
    return answer if isinstance(answer, Failure) else None


def _let_go(answer: Answer | Failure) -> Failure | None:
    """Words for one person are said at most once, and nothing waits for them."""
    match answer:
        case Later() | Refused(reason="token_revoked"):
            return answer
    if isinstance(answer, Failure):
        log.warning(
            "slack.words-lost", why=answer.error if isinstance(answer, Refused) else answer.why
        )
    return None
