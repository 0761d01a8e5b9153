"""The files of an export: uploaded into a thread, or why they are not."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from bot.publish.attempt_lookup import bears, look_for, metadata
from bot.publish.message_targets import NO_THREAD, thread_of
from bot.publish.rate_limits import post_limits
from bot.publish.render.last_commit import LastCommit
from bot.views.kit.blocks import Message
from bot.views.kit.names import listed
from bot.views.kit.text import escape
from bot.views.thread.lines import held_back, no_upload
from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.artifacts.files import exported
from core.domain.effects import UploadExport
from core.domain.ids import Export, SessionId
from core.domain.session.session import Session
from core.ports import Order, Outcome, Prepared, Refused, Sent, Target
from core.taxonomy.post_refusals import REFUSALS

log = structlog.get_logger(__name__)

ExportOf = Callable[[SessionId, Export], exported.Exported]
"""Makes the files that were asked for. Raises `Gone` and `HeldBack`."""


@dataclass(frozen=True, slots=True)
class Exports:
    """The uploads of a stage."""

    commit: LastCommit
    export_of: ExportOf

    def prepare(
        self,
        client: SlackClient,
        order: Order,
        session: Session,
        effect: UploadExport,
        pace_s: float,
    ) -> Prepared:
        """A post: files that were uploaded twice would be seen twice."""
        thread_ts = thread_of(self.commit, session, effect.thread)
        if thread_ts is None:
            return Prepared(None, False, (), lambda: NO_THREAD)
        target = Target(f"say:{order.id}", session.channel, thread_ts)
        limits = post_limits(session.team, session.channel, pace_s)
        return Prepared(
            target, True, limits, lambda: self._upload(client, order, session, effect, target)
        )

    def find(
        self, client: SlackClient, order: Order, session: Session, effect: UploadExport
    ) -> Outcome:
        """A file's message takes no metadata: it is known by the files' names."""
        names = {
            exported.file_name(session.slug, kind)
            for kind in exported.kinds_of_export(effect.wanted)
        }
        answer = look_for(
            client, order, lambda message: bears(message, order) or _holds(message, names)
        )
        return Sent() if isinstance(answer, str) else answer

    def _upload(
        self,
        client: SlackClient,
        order: Order,
        session: Session,
        effect: UploadExport,
        target: Target,
    ) -> Outcome:
        try:
            export = self.export_of(session.id, effect.wanted)
        except exported.HeldBack:  # it was halted after the export was asked for
            return _say_instead(client, order, target, held_back())
        names = ", ".join(name for name, _ in export.files)
        comment = escape(_comment(names, export.left_out))
        failure = client.upload(
            target.channel, export.files, thread_ts=target.thread_ts, comment=comment
        )
        if isinstance(failure, Refused) and failure.reason != "token_revoked":
            log.warning("export.refused", session=session.id, error=failure.error)
            why = REFUSALS.get(failure.reason, REFUSALS["unknown"])
            return _say_instead(client, order, target, no_upload(names, why))
        return failure or Sent()


def _say_instead(client: SlackClient, order: Order, target: Target, message: Message) -> Outcome:
    ts = client.post(target.channel, message, thread_ts=target.thread_ts, metadata=metadata(order))
    return ts if isinstance(ts, Failure) else Sent(target.posted(ts))


def _comment(names: str, left_out: Sequence[exported.LeftOut]) -> str:
    comment = f"Everything that is written so far: {names}"
    if not left_out:
        return comment
    files = listed([file.name for file in left_out])
    return f"{comment}\nLeft out of the zip, {exported.LEFT_OUT_FILE} says why: {files}"


def _holds(message: Mapping[str, Any], names: Collection[str]) -> bool:
    return {file.get("name") for file in message.get("files") or ()} == set(names)
