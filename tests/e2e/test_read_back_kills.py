"""The real bot's process is killed, people go on, and it comes back: in Socket Mode and over HTTP.

It is killed once more while it reads back; what comes of that is what comes of an undisturbed read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from bot.devtools.play.controls import Transport
from bot.devtools.play.script.file import parse
from bot.devtools.play.world import CHANNEL, PlayWorkspace, World
from core.domain.ids import TeamId
from core.domain.session.session import Session
from tests.chaos.skeleton import grow
from tests.support.crash_points import CrashPlan
from tests.support.forked_bot import ForkedBot
from tests.support.plays import HEAD, LINK, TIME
from tests.support.waiting import WAIT_S_MAX

TRANSPORTS: tuple[Transport, ...] = ("socket", "http")
SCALED_S = (0.0, 0.05, 0.1)  # Slack's three retries in little
FEW = 2  # kills tried in every run of the suite


@dataclass(frozen=True)
class Found:
    """What is there in the end, in the database, in the artifacts and in the thread."""

    answers: Mapping[str, int]
    stances: tuple[tuple[str, str | None], ...]
    written: str  # without links and times
    posts: tuple[tuple[str, str], ...]  # author and first line
    away: int  # messages that say that the bot was away
    points: int  # where the bot could have been killed, up to the end
    before: int  # … and up to the moment people were left alone


def session_of(world: World) -> Session:
    (summary,) = world.reader.all_sessions()
    return world.reader.load(summary.id)


def go(folder: Path, transport: Transport, crash_at: int | None = None) -> Found:
    """People speak to the bot, it is killed, they go on without it, and it starts again."""
    folder.mkdir()
    plan = CrashPlan(folder / "points", crash_at)
    setting = PlayWorkspace(
        f"sqlite:///{folder}/roundtable.db", folder / "artifacts", grow(folder / "steps"),
        transport, retry_delays=SCALED_S, bot=partial(ForkedBot, plan=plan),
    )  # fmt: skip
    with World(parse(HEAD + "steps: {}\n"), setting) as world:
        slack = world.workspace
        world.begin()
        slack.command("pm", CHANNEL, "/roundtable analyze Export dashboard as PDF")
        world.settle()
        session = session_of(world)
        root = world.reader.thread(session.id, session.course.thread)
        assert root is not None
        first = slack.say("pm", CHANNEL, "We edit this later.", thread_ts=root.ts)
        second = slack.say("dev", CHANNEL, "We delete this later.", thread_ts=root.ts)
        world.settle()
        world.bot.kill()
        before = len(plan.passed())
        slack.edit("pm", CHANNEL, first, "It was edited without the bot.")
        slack.delete("dev", CHANNEL, second)
        slack.say("dev", CHANNEL, "It was said without the bot.", thread_ts=root.ts)
        slack.react("dev", CHANNEL, first, "-1")
        assert slack.wait_idle(WAIT_S_MAX)
        world.bot.start()
        world.settle()
        return found(world, before, len(plan.passed()))


def found(world: World, before: int, points: int) -> Found:
    session = session_of(world)
    folder = world.setting.artifacts / TeamId(session.team) / session.slug
    folder = folder if folder.exists() else world.setting.artifacts / session.slug
    written = (folder / "requirements-spec.md").read_text()
    answers, messages = world.reader.answers(session.id), world.workspace.messages(CHANNEL)
    for answer in answers:
        assert written.count(answer.text) >= 1, answer.text
    assert "We delete this later." not in written
    return Found(
        answers={answer.text: answer.revision for answer in answers},
        stances=tuple((each.by, each.view) for each in world.reader.stances(session.id)),
        written=TIME.sub("TIME", LINK.sub("LINK", written)),
        posts=tuple((each.author, each.plain.partition("\n")[0]) for each in messages),
        away=sum("please click" in each.plain for each in messages),
        points=points,
        before=before,
    )


def kill_while_reading(folder: Path, transport: Transport, *, few: bool) -> None:
    calm = go(folder / "calm", transport)
    assert calm.answers == {"It was edited without the bot.": 2, "It was said without the bot.": 1}
    assert [view for _, view in calm.stances] == ["differs"]
    points = range(calm.before + 1, calm.points + 1)
    assert len(points) > FEW
    for point in points[:: len(points) // FEW][:FEW] if few else points:
        stormy = go(folder / str(point), transport, crash_at=point)
        assert stormy.answers == calm.answers, point
        assert stormy.stances == calm.stances, point
        assert (stormy.written, stormy.posts) == (calm.written, calm.posts), point
        assert stormy.away == calm.away == 1, point


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_what_people_did_past_the_last_retry_is_there_once(
    tmp_path: Path, transport: Transport
) -> None:
    kill_while_reading(tmp_path, transport, few=True)


@pytest.mark.slow
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_what_people_did_past_the_last_retry_is_there_once_whenever_it_is_killed(
    tmp_path: Path, transport: Transport
) -> None:
    kill_while_reading(tmp_path, transport, few=False)
