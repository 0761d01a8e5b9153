"""Two workspaces in one process: with the same channel, title and times, nothing ever mixes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from slack_bolt import BoltRequest

from core.domain.ids import ChannelId, PersonaKey, SessionId, TeamId, Ts, UserId
from tests.core.test_halting import LEAK
from tests.support.bolt_front import (
    OWNER,
    Body,
    click,
    deleted,
    edited,
    event_body,
    mention,
    message_shortcut,
    posted,
    reaction,
    shortcut,
    slash,
    submission,
    view_click,
)
from tests.support.installed_bot import InstalledBot, installed_bot, token_of

TEAMS = ("T1", "T2")
MAYA = PersonaKey("business-analyst")
_channels = count(1)


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InstalledBot]:
    with installed_bot(tmp_path_factory.mktemp("apart")) as bot:
        for team in TEAMS:
            assert bot.install(team).status == 200
        yield bot


@dataclass
class Room:
    """A channel id that both workspaces have, each with a session of one title in it."""

    bot: InstalledBot
    channel: ChannelId
    sessions: dict[str, SessionId]
    root: Ts
    answers: dict[str, dict[int, str]] = field(default_factory=lambda: {"T1": {}, "T2": {}})
    said: dict[str, int] = field(default_factory=lambda: {"T1": 0, "T2": 0})
    acks: dict[str, list[str]] = field(default_factory=lambda: {"T1": [], "T2": []})
    edits: Iterator[int] = field(default_factory=lambda: count(1))

    def deliver(self, team: str, body: Body) -> None:
        response = self.bot.deliver(team, body)
        assert response.status == 200
        self.acks[team].append(response.body)

    def event(self, team: str, event: Body) -> None:
        self.deliver(team, event_body(event, event_id=f"Ev{next(self.edits)}"))

    def ts(self, number: int) -> Ts:
        """Both workspaces' people write at the same times."""
        return Ts(f"1700001{number:03}.000100")

    def stored(self, team: str) -> list[str]:
        answers = self.bot.roundtable.runtime.reader.answers(self.sessions[team])
        return sorted(answer.text for answer in answers if answer.source in ("said", "edited"))


def room(bot: InstalledBot) -> Room:
    channel = f"C{next(_channels):03}"
    sessions = {team: bot.start_session(team, channel) for team in TEAMS}
    reader = bot.roundtable.runtime.reader
    roots = [reader.thread(session, MAYA) for session in sessions.values()]
    assert None not in roots
    assert len({root.ts for root in roots if root}) == 1, "both threads begin at the same time"
    assert roots[0] is not None
    return Room(bot, ChannelId(channel), sessions, roots[0].ts)


# ── what a workspace's people can do ──


def says(room: Room, team: str, number: int) -> None:
    room.said[team] += 1
    number, text = room.said[team], f"{team} says that payment {room.said[team]} is retried."
    room.answers[team][number] = text
    where = {"channel": room.channel, "thread_ts": room.root, "ts": room.ts(number)}
    room.event(team, posted(text, **where))


def edits(room: Room, team: str, number: int) -> None:
    text = f"{team} says again {next(room.edits)} that it is retried."
    body = edited(text, before="before")
    body["channel"] = room.channel
    stamp = f"1700009{next(room.edits):03}.000100"
    for part in (body["message"], body["previous_message"]):
        part |= {"ts": room.ts(number), "thread_ts": room.root}
    body["message"]["edited"]["ts"] = stamp
    if number in room.answers[team]:
        room.answers[team][number] = text
    room.event(team, body)


def deletes(room: Room, team: str, number: int) -> None:
    body = deleted(ts=room.ts(number), thread_ts=room.root, team=team)
    body |= {"channel": room.channel, "deleted_ts": room.ts(number)}
    if number <= room.said[team]:  # a tombstone otherwise, which is not looked at here
        room.answers[team].pop(number, None)
        room.event(team, body)


def takes_out(room: Room, team: str, number: int) -> None:
    body = message_shortcut("not_an_answer", ts=room.ts(number), thread_ts=room.root, user=OWNER)
    body["channel"]["id"] = room.channel
    room.answers[team].pop(number, None)
    room.deliver(team, body)


def reacts(room: Room, team: str, number: int) -> None:
    body = reaction("+1", user=OWNER, event_ts=f"1700009{next(room.edits):03}.000100")
    body["item"] |= {"channel": room.channel, "ts": room.ts(number)}
    room.event(team, body)


def clicks_on_the_other(room: Room, team: str, number: int) -> None:
    """Of a menu and of a session that are the other workspace's."""
    (other,) = set(TEAMS) - {team}
    session = room.bot.roundtable.runtime.reader.load(room.sessions[other])
    menus = (session.menus.current, session.menus.prompt)
    for menu in filter(None, menus):
        room.deliver(team, click("menu:skip", menu, channel=room.channel))
    for action in ("card:pause", "card:export", "cancel-which", "brain-session:script"):
        room.deliver(team, click(action, session.id, channel=room.channel))


def asks(room: Room, team: str, number: int) -> None:
    for line in ("status", "list", "catchup", "why FR-001", "brain", "status retry-payments"):
        room.deliver(team, slash(line, channel=room.channel))
    room.event(team, {**mention("status"), "channel": room.channel})
    there = {"channel": room.channel, "thread_ts": room.root}
    room.event(team, {**mention("who said that?"), **there, "ts": f"1700008{number:03}.000100"})


def opens(room: Room, team: str, number: int) -> None:
    room.event(team, {"type": "app_home_opened", "user": OWNER, "tab": "home"})
    room.deliver(team, view_click("home-page:on", "1"))
    room.deliver(team, shortcut("start"))
    body = message_shortcut("take_this", ts=room.ts(number), thread_ts=room.root)
    body["channel"]["id"] = room.channel
    room.deliver(team, body)


ACTS: tuple[Callable[[Room, str, int], None], ...] = (
    says, edits, deletes, takes_out, reacts, clicks_on_the_other, asks, opens,
)  # fmt: skip
SEQUENCES = st.lists(
    st.tuples(st.sampled_from(ACTS), st.sampled_from(TEAMS), st.integers(1, 4)),
    min_size=3,
    max_size=12,
)


@pytest.mark.hypothesis
@settings(max_examples=30, phases=(Phase.explicit, Phase.generate))
@given(SEQUENCES)
def test_whatever_the_people_of_two_workspaces_do_nothing_mixes(
    bot: InstalledBot, acts: list[tuple[Callable[[Room, str, int], None], str, int]]
) -> None:
    here = room(bot)
    for act, team, number in acts:
        act(here, team, number)
    bot.settle()
    for team in TEAMS:
        assert here.stored(team) == sorted(here.answers[team].values())
        (other,) = set(TEAMS) - {team}
        said_to = str(bot.slack.called(token_of(team))) + str(here.acks[team])
        assert f"{other} says" not in said_to
        status = bot.roundtable.runtime.reader.load(here.sessions[team]).status
        assert status not in ("paused", "cancelled", "halted")


def test_every_kind_of_event_and_every_listener_is_among_these() -> None:
    """What is added to the tables of listeners has to be added here."""
    from bot.interactions.listeners import ON_COMMAND, ON_EVENT

    assert set(ON_EVENT) == {
        "message", "app_mention", "app_home_opened", "reaction_added", "reaction_removed",
        "app_uninstalled", "tokens_revoked",
    }  # fmt: skip
    assert set(ON_COMMAND) == {"/roundtable", "shortcut", "message_action"}


# ── one by one ──


def test_the_same_reply_in_two_workspaces_is_an_answer_in_each(bot: InstalledBot) -> None:
    here = room(bot)
    for team in TEAMS:
        says(here, team, 1)
    bot.settle()
    assert [here.stored(team) for team in TEAMS] == [
        ["T1 says that payment 1 is retried."],
        ["T2 says that payment 1 is retried."],
    ]


def test_the_same_click_in_two_workspaces_acts_in_each(bot: InstalledBot) -> None:
    """One person's id, one trigger: the second is no repetition of the first."""
    here = room(bot)
    for team in TEAMS:
        menu = bot.roundtable.runtime.reader.load(here.sessions[team]).menus.prompt
        pressed = click("menu:pause", menu, channel=here.channel)
        here.deliver(team, {**pressed, "trigger_id": "the-very-same"})
    bot.settle()
    reader = bot.roundtable.runtime.reader
    assert [reader.load(session).status for session in here.sessions.values()] == ["paused"] * 2


def test_a_form_that_was_sealed_for_one_workspace_starts_in_the_one_it_is_sent_in(
    bot: InstalledBot,
) -> None:
    here = room(bot)
    form = submission("start", here.channel, title="Late fees")
    form["view"]["state"]["values"]["channel"] = {
        "channel": {"selected_conversation": here.channel}
    }
    here.deliver("T2", form)
    bot.settle()
    reader = bot.roundtable.runtime.reader
    slugs = {
        team: [row.slug for row in reader.channel_sessions(TeamId(team), here.channel)]
        for team in TEAMS
    }
    assert "late-fees" not in slugs["T1"]


def test_each_workspace_is_written_to_with_its_own_token(bot: InstalledBot) -> None:
    here = room(bot)
    says(here, "T2", 1)
    bot.settle()
    posts = bot.slack.called(token_of("T2"), "chat.postMessage")
    assert [args for args in posts if args["channel"] == here.channel]
    for team in TEAMS:
        links = str(bot.slack.called(token_of(team)))
        (other,) = set(TEAMS) - {team}
        assert f"https://{other.lower()}.slack.com" not in links


def test_a_workspace_that_never_installed_is_acknowledged_and_nothing_else(
    bot: InstalledBot,
) -> None:
    here = room(bot)
    before = len(bot.slack.calls)
    response = bot.deliver("T3", slash("status", channel=here.channel))
    assert (response.status, response.body) == (200, "")
    bot.deliver("T3", event_body(posted("T3 says", channel=here.channel, thread_ts=here.root)))
    bot.settle()
    assert len(bot.slack.calls) == before
    assert [here.stored(team) for team in TEAMS] == [[], []]


# ── channels that workspaces share ──


def shared(event: Body, team: str, author: str | None) -> Body:
    """As Slack delivers it: once for all, in the name of any of those who share the channel."""
    if author is not None:
        event = {**event, "team": author, "user_team": author}
    else:
        event = {name: value for name, value in event.items() if name != "team"}
    named = [{"team_id": team, "user_id": f"U{team}BOT", "is_bot": True}]
    body = event_body(event, event_id=f"Ev{next(_channels)}", is_ext_shared_channel=True)
    return {**body, "team_id": team, "authorizations": named, "context_team_id": team}


def delivered(bot: InstalledBot, body: Body) -> int:
    return bot.roundtable.bolt.dispatch(BoltRequest(mode="socket_mode", body=body)).status


@pytest.mark.parametrize("named", TEAMS)
@pytest.mark.parametrize("author", TEAMS)
def test_in_a_shared_channel_the_author_s_workspace_counts(
    bot: InstalledBot, named: str, author: str
) -> None:
    here = room(bot)
    where = {"channel": here.channel, "thread_ts": here.root, "ts": here.ts(1)}
    assert delivered(bot, shared(posted(f"{author} says so.", **where), named, author)) == 200
    bot.settle()
    (other,) = set(TEAMS) - {author}
    assert here.stored(author) == [f"{author} says so."]
    assert here.stored(other) == []


def test_an_author_outside_of_all_installed_workspaces_has_no_effect(bot: InstalledBot) -> None:
    here = room(bot)
    where = {"channel": here.channel, "thread_ts": here.root, "ts": here.ts(1)}
    delivered(bot, shared(posted("T9 says so.", **where), "T1", "T9"))
    bot.settle()
    assert [here.stored(team) for team in TEAMS] == [[], []]


@pytest.mark.parametrize("named", TEAMS)
def test_a_deletion_without_a_team_finds_its_session(bot: InstalledBot, named: str) -> None:
    here = room(bot)
    says(here, "T2", 1)
    bot.settle()
    gone = deleted(ts=here.ts(1), thread_ts=here.root)
    gone |= {"channel": here.channel, "deleted_ts": here.ts(1)}
    delivered(bot, shared(gone, named, None))
    bot.settle()
    assert here.stored("T2") == []


def test_a_reaction_without_a_team_finds_its_session(bot: InstalledBot) -> None:
    here = room(bot)
    says(here, "T2", 1)
    bot.settle()
    body = reaction("-1", user=UserId("U7"))
    body["item"] |= {"channel": here.channel, "ts": here.ts(1)}
    delivered(bot, shared(body, "T1", None))
    bot.settle()
    (stance,) = bot.roundtable.runtime.reader.stances(here.sessions["T2"])
    assert stance.by == "U7"
    assert bot.roundtable.runtime.reader.stances(here.sessions["T1"]) == ()


def test_outside_of_a_shared_channel_no_event_leads_to_another_workspace(
    bot: InstalledBot,
) -> None:
    """The same ids, and no word of sharing: an author's team in it changes nothing."""
    here = room(bot)
    says(here, "T2", 1)
    bot.settle()
    gone = deleted(ts=here.ts(1), thread_ts=here.root, team="T2", user_team="T2")
    gone |= {"channel": here.channel, "deleted_ts": here.ts(1)}
    body = event_body(gone, event_id="EvNotShared")  # in the name of T1
    assert delivered(bot, body) == 200
    bot.settle()
    assert len(here.stored("T2")) == 1


# ── the operators of all workspaces, in one of them ──


def test_operators_in_one_workspace_hear_codes_and_ids_of_another_and_none_of_its_words(
    tmp_path: Path,
) -> None:
    with installed_bot(tmp_path, more={"ROUNDTABLE_OPERATORS_CHANNEL": "T11/C0OPS"}) as bot:
        for team in ("T11", "T22"):
            bot.install(team)
        session = bot.start_session("T22", "C001", "Buy Acme quietly")
        root = bot.roundtable.runtime.reader.thread(session, MAYA)
        assert root is not None
        said = posted(
            LEAK, channel=ChannelId("C001"), thread_ts=root.ts, ts=Ts("1700000900.000100")
        )
        bot.deliver("T22", event_body(said))
        bot.settle()
        posts = bot.slack.called(token_of("T11"), "chat.postMessage")
        assert [post["channel"] for post in posts] == ["C0OPS"]
        for code_or_id in ("ERR-SEC-001", "T22", session):
            assert code_or_id in str(posts)
        for words in (
            "Acme",
            "acme",
            "please use it",
            "of-T22",
            "general",
            "C001",
            "t22.slack.com",
        ):
            assert words not in str(bot.slack.called(token_of("T11")))
        assert "C0OPS" not in str(bot.slack.called(token_of("T22")))
