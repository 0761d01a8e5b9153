"""Ways into a session: what begins, what is offered instead, what stays unseen."""

import json
from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import RunId, SessionId
from tests.support.fakes import ALEX, CHANNEL, DEV, ELSEWHERE, MAYA, OWNER, TEAM
from tests.support.harness import Harness, small_table

TITLE = "Retry failed card payments"


def another(table: Harness, **more: object) -> Harness:
    table.id = SessionId("s2")
    table.start(TITLE, run=RunId("r2"), **more)
    return table


def test_a_start_posts_the_card_then_the_persona_then_the_first_prompt(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    assert table.reply == "starting"
    assert [post.target for post in table.stage.posts if not post.target.startswith("say:")] == [
        "card",
        f"thread:{MAYA}",
        "prompt:01-01:1",
    ]
    assert table.shown(fx.Greet) == [fx.Greet(MAYA, table.session.course.phases[0].key)]
    assert table.session.status == "asking"
    assert table.session.slug == "retry-failed-card-payments"
    assert [prompt.mention for prompt in table.shown(fx.PostPrompt)] == [(OWNER,)]


def test_a_start_that_creates_folder_and_file_is_no_fault(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    meta = json.loads((table.folder() / "meta.json").read_text())
    assert (meta["analysis_status"], meta["steps_completed"]) == ("raw", [])
    assert "ERR-META-001" not in table.codes
    assert "ERR-ART-001" not in table.codes


def test_a_second_start_on_an_unfinished_slug_offers_the_first_one(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    before = table.snapshot()
    another(table)
    assert table.handled.session is None
    assert table.handled.reply == fx.Reply(
        "already-open", {"slug": "retry-failed-card-payments", "title": TITLE}
    )
    assert table.snapshot() == before


@pytest.mark.parametrize("title", ["retry: failed CARD payments!", "Retry – failed card payments"])
def test_the_same_title_written_otherwise_is_the_same_slug(tmp_path: Path, title: str) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    table.id = SessionId("s2")
    table.start(title, run=RunId("r2"))
    assert table.reply == "already-open"


def test_a_paused_session_is_offered_as_well(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    table.click("pause")
    assert another(table).reply == "already-open"


def test_the_same_title_in_another_channel_is_invisible_and_gets_a_number(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    another(table, channel=ELSEWHERE, by=DEV)
    assert table.handled.reply == fx.Reply("starting", {"title": TITLE})
    assert table.session.slug == "retry-failed-card-payments-2"


def test_a_finished_session_is_left_alone_and_the_next_gets_a_number(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    table.finish()
    assert table.session.status == "completed"
    first = {path.name: path.read_text() for path in table.folder().iterdir()}
    another(table)
    assert table.session.slug == "retry-failed-card-payments-2"
    assert {
        path.name: path.read_text() for path in table.folder("retry-failed-card-payments").iterdir()
    } == first


def test_the_numbered_one_is_what_a_third_start_offers(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    table.cancel()
    another(table)
    table.id = SessionId("s3")
    table.start(TITLE, run=RunId("r3"))
    assert table.handled.reply == fx.Reply(
        "already-open", {"slug": "retry-failed-card-payments-2", "title": TITLE}
    )


@pytest.mark.parametrize("error", ["not_invited", "channel_unknown"])
def test_where_the_bot_is_not_in_the_channel_nothing_begins(tmp_path: Path, error: str) -> None:
    table = small_table(tmp_path)
    table.stage.refuse["PostCard"] = error
    table.start(TITLE, respond_to="https://respond")
    assert table.session.status == "refused"
    reply = fx.Reply("not-in-channel", {"again": table.id})
    assert table.shown(fx.Respond) == [fx.Respond("https://respond", reply)]
    assert table.runtime.reader.channel_sessions(table.session.team, CHANNEL) == ()
    assert not (tmp_path / "artifacts").exists()


def test_a_channel_that_cannot_be_written_to_is_said_in_other_words(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.stage.refuse["PostCard"] = "archived"
    table.start(TITLE, respond_to="https://respond")
    (effect,) = table.shown(fx.Respond)
    assert effect.reply.kind == "cannot-post"
    assert effect.reply.args["what"].startswith("This channel is archived")


def test_a_refused_start_leaves_its_slug_to_the_next_one(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.stage.refuse["PostCard"] = "not_invited"
    table.start(TITLE)
    table.stage.refuse.clear()
    another(table)
    assert table.session.slug == "retry-failed-card-payments"
    assert table.session.status == "asking"


def test_a_revoked_token_refuses_the_start_and_no_card_comes_later(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.stage.refuse["PostCard"] = "token_revoked"
    table.start(TITLE, respond_to="https://respond")
    assert table.session.status == "refused"
    table.stage.refuse.clear()
    table.runtime.outbox.unpark(TEAM, table.clock.now())
    table.settle()
    assert table.stage.posts == []


def test_without_any_phase_the_session_is_over_at_once(tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    table = Harness(tmp_path, steps=tmp_path / "steps")
    table.start(TITLE)
    assert table.session.status == "completed"
    assert table.codes == ["ERR-RT-001"]


def test_a_cancelled_start_never_posts_a_prompt(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.runtime.handle(
        on.SessionRequested(
            OWNER, table.clock.now(), table.id, RunId("r1"), "seed", TEAM, CHANNEL,
            TITLE, TITLE,
        ),
        team=TEAM,
    )  # fmt: skip
    table.cancel()
    assert table.reply == "cancelled"
    assert table.session.status == "cancelled"
    assert table.stage.posts == []


def test_every_persona_greets_once_and_the_next_takes_over(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    table.finish()
    first, second = table.session.course.phases
    assert table.shown(fx.Greet) == [fx.Greet(MAYA, first.key), fx.Greet(ALEX, second.key, MAYA)]
    assert table.shown(fx.HandOver) == [fx.HandOver(MAYA, ALEX)]
    assert [post.target for post in table.stage.posts if post.thread_ts is None] == [
        "card",
        f"thread:{MAYA}",
        f"thread:{ALEX}",
    ]
