"""A whole session by hand whose Slack is the local workspace over real HTTP.

The table drives time and people, so that every wait is exact; the bot's own client and stage speak
to the workspace, which refuses on demand.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Final

from bot.devtools.workspace import LocalWorkspace, WorkspaceMessage
from bot.devtools.workspace.state import Channel, StoredPerson
from bot.devtools.workspace.values import Call
from bot.publish.stage import SlackStage
from bot.web_api.client import SlackClient
from core.artifacts.files.exported import Exported
from core.domain.effects import Effect
from core.domain.ids import Export, SessionId, Ts
from core.domain.session.session import Session
from core.ports import Order, Outcome, Prepared
from core.runtime.commit import Runtime
from tests.support.fakes import CHANNEL, NAMES, DrivenClock, Names
from tests.support.harness import Harness, small_table
from tests.support.step_trees import Tree

TIMEOUT_S: Final = 2
_NUMBERS: Final = count(1)


@dataclass(slots=True)
class HttpStage:
    """The bot's own stage over HTTP."""

    clock: DrivenClock
    slack: LocalWorkspace
    client: SlackClient
    shown: list[Effect] = field(default_factory=list)
    real: SlackStage | None = None
    export_of: Callable[[SessionId, Export], Exported] | None = None  # the worker's

    @property
    def runtime(self) -> Runtime | None:
        return None

    @runtime.setter
    def runtime(self, runtime: Runtime) -> None:
        self.real = SlackStage(
            runtime.reader, lambda _: self.client, Names(), export_of=self._exported
        )

    def _exported(self, session: SessionId, wanted: Export) -> Exported:
        assert self.export_of is not None
        return self.export_of(session, wanted)

    @property
    def stage(self) -> SlackStage:
        assert self.real is not None
        return self.real

    def next_ts(self) -> Ts:
        return Ts(self.slack.world.next_ts())

    def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
        prepared = self.stage.prepare(order, session, pace_s)

        def send() -> Outcome:
            self.shown.append(order.effect)
            return prepared.send()

        # Time stands still here: what Slack refuses is asked for.
        return replace(prepared, limits=(), send=send)

    def find(self, order: Order, session: Session) -> Outcome:
        return self.stage.find(order, session)


@dataclass(slots=True)
class SlackTable:
    """A table whose channel others use too; `first` is its place in the list of calls."""

    table: Harness
    slack: LocalWorkspace
    first: int
    answer: Ts | None = None  # the first one

    @property
    def calls(self) -> Sequence[Call]:
        """What was asked of Slack since the table was laid, or since `forget`."""
        return self.slack.calls[self.first :]

    def forget(self) -> None:
        self.first = len(self.slack.calls)

    def asked(self, method: str) -> int:
        return sum(call.method == method for call in self.calls)

    @property
    def messages(self) -> list[WorkspaceMessage]:
        """What stands in the session's threads and its card, oldest first."""
        roots = {post.ts for post in self._roots()}
        every = self.slack.messages("general")
        return [each for each in every if {each.ts, each.thread_ts} & roots]

    @property
    def texts(self) -> list[str]:
        return [each.plain for each in self.messages]

    def _roots(self) -> Iterator[WorkspaceMessage]:
        for each in self.slack.messages("general"):
            payload = (each.metadata or {}).get("event_payload") or {}
            if payload.get("session") == self.table.id and each.thread_ts is None:
                yield each


@contextmanager
def slack_workspace() -> Iterator[LocalWorkspace]:
    """A workspace in which the table's people and channel have the ids the table knows."""
    with LocalWorkspace(people=["nobody"]) as slack:
        world = slack.world
        world.people = [StoredPerson(user, name, is_admin=False) for user, name in NAMES.items()]
        world.channels = [Channel(CHANNEL, "general", has_bot=True)]
        yield slack


def slack_table(
    slack: LocalWorkspace,
    folder: Path,
    *,
    tree: Tree | None = None,
    clock: DrivenClock | None = None,
    **options: object,
) -> SlackTable:
    clock = clock or DrivenClock(time.time())
    client = SlackClient(slack.bot_token, base_url=slack.api_url, timeout_s=TIMEOUT_S)
    stage = HttpStage(clock, slack, client)
    first = len(slack.calls)
    table = small_table(folder, tree=tree, stage=stage, **options)
    table.id = SessionId(f"s{next(_NUMBERS)}")
    stage.export_of = table.job_runner.export_of
    return SlackTable(table, slack, first)
