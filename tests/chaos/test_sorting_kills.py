"""SIGKILL while somebody sorts a line by form: what they chose is kept once, and shown."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.devtools.play.controls import Transport
from bot.devtools.play.script.file import parse
from bot.devtools.play.world import CHANNEL, PlayWorkspace, World
from bot.devtools.workspace import Modal, WorkspaceMessage
from bot.devtools.workspace.blocks.table import controls
from core.domain.ids import TeamId
from core.domain.session.session import Session
from tests.chaos.skeleton import grow
from tests.support.crash_points import CrashPlan
from tests.support.databases import EACH_DATABASE, SLOW_ON_POSTGRES
from tests.support.forked_bot import ForkedBot
from tests.support.plays import HEAD, LINK, TIME
from tests.support.serving import address_in
from tests.support.waiting import wait_until

pytestmark = [EACH_DATABASE, SLOW_ON_POSTGRES]

TRANSPORTS: tuple[Transport, ...] = ("socket", "http")
HOLD = "The front desk can hold a slot for ten minutes."
SAID = f"- {HOLD}\n- We tried stickers once."
TRIES_MAX = 3
FEW = 3  # kills tried in every run of the suite


@dataclass(frozen=True)
class Outcome:
    """What is there in the end; texts without links and times."""

    sorts: tuple[str, ...]
    kinds: tuple[tuple[str, str], ...]
    written: str
    posts: tuple[str, ...]
    before: int  # points that were passed when the form was open
    points: int


def session_of(world: World) -> Session:
    (summary,) = world.reader.all_sessions()
    return world.reader.load(summary.id)


def open_form(world: World) -> Modal:
    """Press Sorting; the form that opens. A press is in vain where the bot dies of it, or is slower
    than Slack lets a form be opened: people press again, where the button stands then."""

    def opened() -> list[Modal]:
        message, button = sorting_button(world)
        world.workspace.click("dev", CHANNEL, message.ts, button["action_id"])
        world.settle()  # which starts a bot anew that died
        return world.workspace.modals

    return wait_until(opened)[0]


def sorting_button(world: World) -> tuple[WorkspaceMessage, dict[str, Any]]:
    """The latest one, with its message."""
    return next(
        (message, element)
        for message in reversed(world.workspace.messages(CHANNEL))
        for _, element in controls(message.blocks)
        if str(element.get("action_id", "")).startswith("sort:")
    )


def leave_out(form: Modal) -> dict[str, str]:
    """The form with the line out of scope, and the rest as it is."""
    fields = [block for block in form.view["blocks"] if block["type"] == "input"]
    values = {field["block_id"]: field["element"]["initial_option"]["value"] for field in fields}
    line = next(field for field in fields if HOLD in field["label"]["text"])
    return {**values, line["block_id"]: "exclusion"}


def submit(world: World, form: Modal) -> None:
    """Submit it; once more where a crash swallowed that, as a person would.

    It is over when it closes, or shows the line as it is now: Slack delivers no form again.
    """
    for _ in range(TRIES_MAX):
        world.workspace.submit("dev", form.id, leave_out(form))
        world.settle()
        left = next((one for one in world.workspace.modals if one.id == form.id), None)
        if left is None or left.view["blocks"] != form.view["blocks"]:
            return


def play(folder: Path, transport: Transport, crash_at: int | None = None) -> Outcome:
    folder.mkdir()
    plan = CrashPlan(folder / "points", crash_at)
    setting = PlayWorkspace(
        address_in(folder), folder / "artifacts", grow(folder / "steps"),
        transport, bot=partial(ForkedBot, plan=plan),
    )  # fmt: skip
    with World(parse(HEAD + "steps: {}\n"), setting) as world:
        world.begin()
        world.workspace.command("pm", CHANNEL, "/roundtable analyze Export dashboard as PDF")
        world.settle()
        session = session_of(world)
        root = world.reader.thread(session.id, session.course.thread)
        assert root is not None
        world.workspace.say("pm", CHANNEL, SAID, thread_ts=root.ts)
        world.settle()
        form = open_form(world)
        before = len(plan.passed())
        submit(world, form)
        return outcome(world, before, len(plan.passed()))


def outcome(world: World, before: int, points: int) -> Outcome:
    session, reader = session_of(world), world.reader
    folder = world.setting.artifacts / TeamId(session.team) / session.slug
    written = (folder / "requirements-spec.md").read_text()
    return Outcome(
        sorts=tuple(correction.sort for correction in reader.corrections(session.id)),
        kinds=tuple((claim.kind, claim.text) for claim in reader.claims(session.id)),
        written=TIME.sub("TIME", LINK.sub("LINK", written)),
        posts=tuple(message.plain for message in world.workspace.messages(CHANNEL)),
        before=before,
        points=points,
    )


def kill_while_sorting(folder: Path, transport: Transport, *, few: bool) -> None:
    calm = play(folder / "calm", transport)
    assert calm.sorts == ("exclusion",)
    assert ("exclusion", HOLD) in calm.kinds
    assert "sorted by dev" in calm.written
    points = range(calm.before + 1, calm.points + 1)
    assert len(points) > FEW
    for point in points[:: len(points) // FEW][:FEW] if few else points:
        stormy = play(folder / str(point), transport, crash_at=point)
        assert (stormy.sorts, stormy.kinds) == (calm.sorts, calm.kinds), point
        assert (stormy.written, stormy.posts) == (calm.written, calm.posts), point


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_line_is_sorted_once_although_the_bot_is_killed_at_it(
    tmp_path: Path, transport: Transport
) -> None:
    kill_while_sorting(tmp_path, transport, few=True)


@pytest.mark.slow
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_line_is_sorted_once_whenever_the_bot_is_killed(
    tmp_path: Path, transport: Transport
) -> None:
    kill_while_sorting(tmp_path, transport, few=False)
