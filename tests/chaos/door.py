"""The bot's own listeners over Slack in this process, and people who act in Slack's client.

What people do becomes the payloads of the local workspace; who delivers them, how often and when,
is the simulation's business.
"""

import json
from collections import deque
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, cast

from slack_bolt import BoltRequest

from bot.devtools.workspace.delivery.announce import Announcer
from bot.devtools.workspace.delivery.queue import DeliveryOutcome, Parcel, PostOffice
from bot.devtools.workspace.people.view_acts import ViewActs
from bot.devtools.workspace.slack_team import FIRST_TEAM
from bot.devtools.workspace.web_api.method import MethodContext
from bot.interactions.forms.modals import Modals, Seal
from bot.interactions.home import Homes
from bot.server.bolt_app import build_bolt, context_maker
from bot.server.configuration.settings import Settings
from bot.server.one_workspace import OneContext
from bot.web_api.channels import Channels
from bot.web_api.directory import SlackDirectory
from core.domain.ids import TeamId, UserId
from core.ports import Workspace
from core.runtime.commit import Runtime
from tests.chaos.slack import SimSlack
from tests.support.fakes import TEAM, Names

WORKSPACE = Workspace(
    TEAM, "https://test.slack.com/", UserId(FIRST_TEAM.bot_user_id), FIRST_TEAM.bot_id
)
SETTINGS = Settings.model_validate(
    {
        "SLACK_BOT_TOKEN": "xoxb-in-process",
        "SLACK_SIGNING_SECRET": "0" * 32,
        "SLACK_API_URL": "http://127.0.0.1:9/api/",  # nobody listens there, and nobody asks
    }
)


class Soon(Executor):
    """What the bot does after an acknowledgement: it is done when somebody lets it."""

    def __init__(self) -> None:
        self.jobs: deque[Callable[[], object]] = deque()
        self.taken = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **more: Any) -> "Future[Any]":
        self.taken += 1
        self.jobs.append(partial(fn, *args, **more))
        return Future()

    def run(self) -> None:
        while self.jobs:
            self.jobs.popleft()()


class Directory(Names):
    """Names that are known without asking."""

    def remembered(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        return self.names(team, users)

    def remembered_strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        return self.strangers(team, users)


class PutOff:
    """What is to be done later: by the simulation's clock, not by a timer."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._jobs: list[tuple[float, Callable[[], None]]] = []

    def __call__(self, seconds: float, job: Callable[[], None]) -> None:
        self._jobs.append((self._now() + seconds, job))

    def tend(self) -> None:
        due = [row for row in self._jobs if row[0] <= self._now()]
        for row in due:
            self._jobs.remove(row)
            row[1]()


class Door:
    """The listeners of one process. What it still had to do after an answer dies with it."""

    def __init__(self, runtime: Runtime, slack: SimSlack, ids: "count[int]") -> None:
        self.soon = Soon()
        known = cast("SlackDirectory", Directory())
        now = runtime.clock.now
        shared = Channels(slack.client)
        self.put_off = PutOff(now)
        self.homes = Homes(
            runtime.reader, slack.client, known, shared, WORKSPACE, self.soon, now, self.put_off
        )
        # A form that Slack does not have yet is updated by the simulation: a thread of its own
        # would draw from the seed's numbers whenever the machine lets it.
        modals = Modals(
            slack.client,
            self.soon,
            Seal("in-process"),
            lambda _seconds, again: self.soon.submit(again),
        )
        context_of = context_maker(
            SETTINGS,
            runtime,
            known,
            pool=lambda threads, name: self.soon,
            now=now,
            new_id=lambda: f"n{next(ids)}",
        )
        interaction = replace(
            context_of(WORKSPACE, slack.client), channels=shared, homes=self.homes, modals=modals
        )
        self._bolt = build_bolt(SETTINGS, OneContext(interaction))

    def deliver(self, parcel: Parcel) -> DeliveryOutcome:
        """Once, as Socket Mode does."""
        body = json.loads(json.dumps(parcel.payload).replace(FIRST_TEAM.id, TEAM))
        response = self._bolt.dispatch(BoltRequest(mode="socket_mode", body=body))
        said = json.loads(response.body) if response.body else {}
        outcome = DeliveryOutcome(response.status == 200, str(response.status), said)
        if parcel.settled is not None:
            parcel.settled(outcome)
        return outcome


class Office(PostOffice):
    """Keeps what Slack has to deliver."""

    def __init__(self) -> None:
        self.parcels: deque[Parcel] = deque()

    def send(self, parcel: Parcel) -> None:
        self.parcels.append(parcel)


class People(ViewActs):
    """The people of the workspace, in Slack's client."""

    def __init__(self, slack: SimSlack) -> None:
        self.world = slack.workspace
        self.office = self._office = Office()
        self._context = MethodContext(
            workspace=slack.workspace,
            announcer=Announcer(slack.workspace, self.office, slack.installation),
            passes=slack.passes,
            installation=slack.installation,
            address=lambda: "in.process",
        )
