"""Two teams install the bot on the local workspace, work with it side by side, and leave."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from bot.devtools.counted_pools import CountedPools
from bot.devtools.workspace import (
    ORGANISATION_WIDE,
    ROTATING,
    FaultKind,
    LocalTeam,
    LocalWorkspace,
    OtherTeam,
    WorkspaceMessage,
)
from bot.server.composition import build
from bot.server.configuration.settings import Settings
from bot.server.http_server import listen, serve_http
from bot.server.install_flow import INSTALL_PATH
from bot.server.roundtable import Roundtable
from core.domain.ids import ChannelId, TeamId
from core.secrets.token_keys import new_key
from core.taxonomy.post_refusals import paused_words
from tests.support.page import TOKEN, line, say
from tests.support.serving import database_in, folders
from tests.support.waiting import wait_until

LOOPBACK = "127.0.0.1"
TITLE = "Export dashboard as PDF"


@dataclass
class Served:
    """The bot as it serves both teams, and the browser of whoever installs it."""

    slack: LocalWorkspace
    table: Roundtable
    pools: CountedPools
    public: str  # its address

    def installs(self, team: LocalTeam, person: str, *, allow: bool = True) -> httpx.Response:
        """That person goes the whole way; the last page."""
        asked = httpx.get(f"{self.public}{INSTALL_PATH}")
        cookie = asked.headers["set-cookie"].partition(";")[0]
        back = team.consent(person, asked.headers["location"], allow=allow)
        return httpx.get(back, headers={"Cookie": cookie})

    def settle(self) -> None:
        wait_until(self._is_calm, "the bot does not come to rest")

    def settle_until(self, there: Callable[[], object]) -> None:
        wait_until(there)
        self.settle()

    def _is_calm(self) -> bool:
        idle = self.slack.idle() and self.pools.is_idle
        return idle and self.table.runtime.outbox.pending(self.table.clock.now()) == 0

    def begins(self, team: LocalTeam, person: str, channel: str = "general") -> str:
        """An analysis begins there; the ts of its first thread."""
        before = len(team.messages(channel))
        team.command(person, channel, f"/roundtable analyze {TITLE}")
        self.settle_until(lambda: len(team.messages(channel)) >= before + 4)
        root = team.messages(channel)[-1].thread_ts
        assert root is not None
        return root


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    database_in(tmp_path)
    beta = OtherTeam("Beta", ["Eve", "Fay"], admins=["Eve"])
    with listen(LOOPBACK, 0) as listener:
        public = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        with LocalWorkspace(
            people=["Ada", "Bob"],
            admins=["Ada"],
            installed=False,
            teams=[beta],
            shared=["partners"],
            events_url=f"{public}/slack/events",
            page_token=TOKEN,
        ) as slack:
            pools = CountedPools()
            with (
                build(settings_of(slack, public, tmp_path), pool=pools) as table,
                serving_on(listener, table),
            ):
                yield Served(slack, table, pools, public)


def settings_of(slack: LocalWorkspace, public: str, folder: Path) -> Settings:
    return Settings.model_validate(
        {
            "SLACK_CLIENT_ID": slack.app.client_id,
            "SLACK_CLIENT_SECRET": slack.app.client_secret,
            "SLACK_SIGNING_SECRET": slack.signing_secret,
            "SLACK_API_URL": slack.api_url,
            "ROUNDTABLE_TOKEN_KEYS": new_key(),
            "ROUNDTABLE_PUBLIC_URL": public,
            "ROUNDTABLE_INSTALL_TEAMS": "*",
            **folders(folder),
            "ROUNDTABLE_PACE_SECONDS": "0",
            "ROUNDTABLE_QUIET_SECONDS": "0",
        }
    )


@contextmanager
def serving_on(listener: socket.socket, table: Roundtable) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(
        target=serve_http, args=(table.http_app(), listener), kwargs={"stop": stop}
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def beta(served: Served) -> LocalTeam:
    return served.slack.team("Beta")


@pytest.fixture
def both(served: Served, beta: LocalTeam) -> Served:
    for team, person in ((served.slack, "Ada"), (beta, "Eve")):
        assert served.installs(team, person).status_code == 200
    return served


def of_the_bot(team: LocalTeam, channel: str = "general") -> list[WorkspaceMessage]:
    return [one for one in team.messages(channel) if one.author_id.startswith("U0BOT")]


def told(team: LocalTeam, text: str, channel: str = "general") -> bool:
    """True if the bot says it there."""
    return any(text in message.plain for message in of_the_bot(team, channel))


def test_two_teams_work_side_by_side_on_the_same_title(both: Served, beta: LocalTeam) -> None:
    first, second = both.begins(both.slack, "Ada"), both.begins(beta, "Eve")
    both.slack.say("Ada", "general", "Support needs it weekly.", thread_ts=first)
    beta.say("Eve", "general", "Finance needs it daily.", thread_ts=second)
    both.settle_until(lambda: told(both.slack, "weekly") and told(beta, "daily"))
    assert not told(both.slack, "daily")
    assert not told(beta, "weekly")
    assert {m.author_id for m in of_the_bot(both.slack)} == {both.slack.bot_user_id}
    assert {m.author_id for m in of_the_bot(beta)} == {beta.bot_user_id}


def test_a_person_installs_it_in_a_browser_and_begins(
    served: Served, beta: LocalTeam, tab: Page
) -> None:
    tab.goto(f"{served.slack.page_url}team/{beta.team_id}/")
    expect(tab.locator("#sidebar")).to_contain_text("Roundtable is not installed")
    tab.goto(f"{served.public}{INSTALL_PATH}")
    tab.get_by_label("You are").select_option("Eve")
    tab.get_by_role("button", name="Allow").click()
    expect(tab.get_by_role("paragraph")).to_contain_text("Roundtable is installed.")
    tab.goto(f"{served.slack.page_url}team/{beta.team_id}/")
    say(tab, f"/roundtable analyze {TITLE}")
    expect(line(tab, "leads Quick Scan and Requirements here")).to_be_visible()
    assert served.slack.messages("general") == []
    assert served.slack.bot_token == ""


def test_who_cancels_has_nothing_installed(served: Served, beta: LocalTeam) -> None:
    page = served.installs(beta, "Eve", allow=False)
    assert "invite it" not in page.text
    assert beta.bot_token == ""
    assert served.installs(beta, "Eve").status_code == 200
    assert "invite it" in served.installs(beta, "Eve").text  # and again


@pytest.mark.parametrize("otherwise", [ORGANISATION_WIDE, ROTATING], ids=["wide", "rotating"])
def test_an_installation_of_another_kind_is_given_back(
    served: Served, beta: LocalTeam, otherwise: dict[str, object]
) -> None:
    served.slack.app.answers = dict(otherwise)
    page = served.installs(beta, "Eve")
    assert "invite it" not in page.text
    served.settle()
    assert beta.bot_token == ""
    assert [call.method for call in beta.calls if call.method == "auth.revoke"]


@pytest.mark.parametrize("first", ["tokens_revoked", "app_uninstalled"])
def test_a_team_that_left_is_not_spoken_to_and_takes_up_its_work_when_it_comes_again(
    both: Served, beta: LocalTeam, first: str
) -> None:
    root = both.begins(beta, "Eve")
    mine = both.begins(both.slack, "Ada")
    order = sorted(["tokens_revoked", "app_uninstalled"], key=lambda name: name != first)
    beta.uninstall(order)  # type: ignore[arg-type]  # both are words of that list
    both.settle()
    calls = len(beta.calls)
    beta.say("Eve", "general", "Anybody there?", thread_ts=root)
    both.slack.say("Ada", "general", "Support needs it weekly.", thread_ts=mine)
    both.settle_until(lambda: told(both.slack, "weekly"))
    assert len(beta.calls) == calls
    beta.set_bot_in("general", is_in=True)  # before it could find that it is not there
    assert both.installs(beta, "Eve").status_code == 200
    beta.tell_late("tokens_revoked", 1_600_000_000)
    both.settle()
    beta.say("Eve", "general", "Finance needs it daily.", thread_ts=root)
    both.settle_until(lambda: told(beta, "daily"))


@pytest.mark.parametrize("kind", ["revoke", "429"])
def test_trouble_of_one_team_stops_that_team_alone(
    both: Served, beta: LocalTeam, kind: FaultKind
) -> None:
    root, mine = both.begins(beta, "Eve"), both.begins(both.slack, "Ada")
    beta.inject(kind, method="chat.postMessage", retry_after=3600)
    beta.say("Eve", "general", "Finance needs it daily.", thread_ts=root)
    both.slack.say("Ada", "general", "Support needs it weekly.", thread_ts=mine)
    wait_until(lambda: told(both.slack, "weekly"))
    assert not told(beta, "daily")


def test_a_team_that_leaves_in_the_midst_of_a_post_has_it_once_when_it_comes_again(
    both: Served, beta: LocalTeam
) -> None:
    root, mine = both.begins(beta, "Eve"), both.begins(both.slack, "Ada")
    beta.inject("accept-then-drop", method="chat.postMessage")
    beta.say("Eve", "general", "Finance needs it daily.", thread_ts=root)
    wait_until(lambda: told(beta, "daily"))
    beta.uninstall()
    both.slack.say("Ada", "general", "Support needs it weekly.", thread_ts=mine)
    wait_until(lambda: told(both.slack, "weekly"))
    beta.set_bot_in("general", is_in=True)  # before it could find that it is not there
    assert both.installs(beta, "Eve").status_code == 200
    beta.say("Eve", "general", "And in colour.", thread_ts=root)
    both.settle_until(lambda: told(beta, "colour"))
    assert len([one for one in of_the_bot(beta) if "daily" in one.plain]) == 1


def test_what_waited_for_a_team_that_has_not_invited_the_bot_again_is_said_after_a_resume(
    both: Served, beta: LocalTeam
) -> None:
    root = both.begins(beta, "Eve")
    beta.inject("drop", method="chat.postMessage")
    beta.say("Eve", "general", "Finance needs it daily.", thread_ts=root)
    wait_until(lambda: any(call.status == 0 for call in beta.calls))
    beta.uninstall()
    assert both.installs(beta, "Eve").status_code == 200
    where, reader = ChannelId(beta.channel_id("general")), both.table.runtime.reader

    def status() -> str:
        (session,) = reader.channel_sessions(TeamId(beta.team_id), where)
        return session.status

    wait_until(lambda: status() == "paused")
    refused = _refused_of(beta)
    beta.command("Eve", "general", "/roundtable resume")
    wait_until(lambda: _refused_of(beta) > refused and status() == "paused")
    beta.set_bot_in("general", is_in=True)
    beta.command("Eve", "general", "/roundtable resume")
    both.settle_until(lambda: told(beta, "daily"))
    assert status() != "paused"
    assert told(beta, paused_words("not_invited"))


def _refused_of(team: LocalTeam) -> int:
    """How many of its messages were refused, since the bot is not in the channel."""
    return len([call for call in team.calls if call.error == "not_in_channel"])


def test_in_a_shared_channel_each_team_has_its_own_session(both: Served, beta: LocalTeam) -> None:
    mine = both.begins(both.slack, "Ada", "partners")
    theirs = both.begins(beta, "Eve", "partners")
    beta.set_bot_in("partners", is_in=True)  # all events come through Beta from now on
    both.slack.say("Ada", "partners", "Support needs it weekly.", thread_ts=mine)
    beta.say("Eve", "partners", "Finance needs it daily.", thread_ts=theirs)
    beta.say("Eve", "partners", "I am a stranger here.", thread_ts=mine)
    both.slack.say("Ada", "partners", "Me too, there.", thread_ts=theirs)
    both.settle_until(lambda: told(beta, "weekly", "partners") and told(beta, "daily", "partners"))
    for text in ("stranger", "Me too"):
        assert not told(both.slack, text, "partners")
    by = {m.author_id: m.plain for m in of_the_bot(beta, "partners") if "needs it" in m.plain}
    assert "weekly" in by[both.slack.bot_user_id]
    assert "daily" in by[beta.bot_user_id]


@pytest.mark.parametrize("last", ["first team", "second team"])
def test_an_answer_of_a_shared_channel_is_changed_and_withdrawn_whoever_hears_of_it(
    both: Served, beta: LocalTeam, last: str
) -> None:
    root = both.begins(both.slack, "Ada", "partners")
    (both.slack if last == "first team" else beta).set_bot_in("partners", is_in=True)
    ts = both.slack.say("Ada", "partners", "Support needs it weekly.", thread_ts=root)
    both.settle_until(lambda: told(both.slack, "weekly", "partners"))
    both.slack.edit("Ada", "partners", ts, "Support needs it monthly.")
    both.settle_until(lambda: told(both.slack, "monthly", "partners"))
    both.slack.delete("Ada", "partners", ts)
    both.settle_until(lambda: not told(both.slack, "monthly", "partners"))


def test_a_mention_in_a_shared_channel_starts_in_its_authors_team(
    both: Served, beta: LocalTeam
) -> None:
    beta.set_bot_in("partners", is_in=True)
    both.slack.say("Ada", "partners", f"@Roundtable analyze {TITLE}")
    both.settle_until(lambda: len(of_the_bot(both.slack, "partners")) >= 3)
    assert {m.author_id for m in of_the_bot(both.slack, "partners")} == {both.slack.bot_user_id}


def test_a_strangers_click_does_nothing(both: Served, beta: LocalTeam) -> None:
    root = both.begins(both.slack, "Ada", "partners")
    both.slack.say("Ada", "partners", "Support needs it weekly.", thread_ts=root)
    both.settle_until(lambda: told(both.slack, "[Continue]", "partners"))
    shown = next(m for m in of_the_bot(both.slack, "partners") if "[Continue]" in m.plain)
    beta.click("Eve", "partners", shown.ts, "menu:continue")
    both.settle()
    again = next(m for m in both.slack.messages("partners") if m.ts == shown.ts)
    assert "[Continue]" in again.plain
