"""A crash at every point of a session, one after another: nothing is lost, nothing is doubled.

A checkpoint stands after every commit and on both sides of every send. Here each of them kills the
process once; the next one starts over the same database, folder and Slack.
"""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain import events as on
from core.runtime.commit import no_checkpoint
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import CHANNEL, OWNER, TEAM
from tests.support.harness import Harness, small_table
from tests.support.step_trees import AGENT, Tree

pytestmark = EACH_DATABASE


class Killed(BaseException):
    """The process is gone."""


class Reaper:
    """Kills at the n-th checkpoint, once."""

    def __init__(self, at: int) -> None:
        self.at, self.passed = at, 0

    def __call__(self, _: str) -> None:
        self.passed += 1
        if self.passed == self.at:
            raise Killed


class People:
    """Two answers and two decisions, each delivered until it was acknowledged."""

    def __init__(self, table: Harness, checkpoint: Callable[[str], None]) -> None:
        self.table = table
        self.checkpoint = checkpoint
        self.said: dict[str, on.MessagePosted] = {}

    def play(self) -> Harness:
        self.insist(lambda: self.table.start("Export dashboard"), lambda: self.started)
        for step in ("01-01", "01-02"):
            self.until(lambda step=step: self.is_asked(step))  # type: ignore[misc]
            self.insist(lambda step=step: self.reply(step), lambda step=step: self.has(step))  # type: ignore[misc]
            self.until(lambda: self.table.session.status == "choosing")
            self.insist(self.table.forward, lambda step=step: self.left(step))  # type: ignore[misc]
        self.until(lambda: self.table.session.status == "completed")
        self.table.settle()
        return self.table

    def insist(self, act: Callable[[], object], done: Callable[[], bool]) -> None:
        """Slack delivers again what was not acknowledged; a person clicks again."""
        while not done():
            self.survive(act)

    def until(self, there: Callable[[], bool]) -> None:
        while not there():
            self.survive(lambda: self.table.pass_time(5))

    def survive(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Killed:
            self.table = self.table.again(self.checkpoint)
            try:
                self.table.runtime.outbox.unpark(TEAM, self.table.clock.now())
                self.table.pass_time(5)
            except Killed:  # pragma: no cover - it kills once
                raise AssertionError("killed twice") from None

    def reply(self, step: str) -> None:
        event = self.said.setdefault(step, self.table.message(f"Said to {step}."))
        self.table.take(event, keys=[f"msg:{TEAM}:{CHANNEL}:{event.ts}"])

    @property
    def started(self) -> bool:
        return bool(self.table.runtime.reader.all_sessions())

    def is_asked(self, step: str) -> bool:
        session = self.table.session
        posted = self.table.runtime.reader.post(session.id, f"prompt:{step}:1")
        return session.course.step == step and session.status == "asking" and posted is not None

    def has(self, step: str) -> bool:
        return f"Said to {step}." in self.table.said

    def left(self, step: str) -> bool:
        return self.table.session.course.step != step or self.table.session.status == "completed"


def two_steps(folder: Path) -> Tree:
    tree = Tree(folder / "steps")
    tree.agent(
        AGENT.replace("  02-impact: {persona: solutions-architect, label: Impact Analysis}\n", "")
    )
    tree.step("01-requirements/01-a.md", title="First")
    tree.step("01-requirements/02-b.md", title="Second")
    return tree


def played(folder: Path, at: int) -> tuple[Harness, Reaper]:
    reaper = Reaper(at)
    table = small_table(folder, tree=two_steps(folder), checkpoint=reaper)
    return People(table, reaper).play(), reaper


def written(table: Harness) -> dict[str, str]:
    return {
        path.name: re.sub(r"https?://p/\S+|\d{4}-\d\d-\d\dT[\d:+]+", "…", path.read_text())
        for path in sorted(table.folder("export-dashboard").iterdir())
    }


def assert_whole(table: Harness, undisturbed: dict[str, str]) -> None:
    answers = Counter(answer.text for answer in table.runtime.reader.answers(table.id))
    assert answers == {"Said to 01-01.": 1, "Said to 01-02.": 1}
    posts = Counter(post.target for post in table.stage.posts)
    assert {target: number for target, number in posts.items() if number > 1} == {}
    assert {target for target in posts if target.startswith("prompt:")} == {
        "prompt:01-01:1",
        "prompt:01-02:1",
    }
    assert table.session.status == "completed"
    assert table.session.course.done == ("01-01", "01-02")
    assert written(table) == undisturbed
    assert table.runtime.outbox.pending(table.clock.now()) == 0


def test_a_kill_at_every_commit_and_send_loses_and_doubles_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "undisturbed"
    folder.mkdir()
    table, reaper = played(folder, at=0)
    undisturbed, points = written(table), reaper.passed
    assert_whole(table, undisturbed)
    assert points > 40
    for point in range(1, points + 1):
        folder = tmp_path / f"killed-{point}"
        folder.mkdir()
        table, reaper = played(folder, at=point)
        assert reaper.passed >= point, f"point {point} was never reached"
        assert_whole(table, undisturbed)
        table.close()


@pytest.mark.parametrize("kind", ["attempted", "sent"])
def test_what_was_being_sent_when_it_died_is_looked_for_first(tmp_path: Path, kind: str) -> None:
    points: list[str] = []

    def kill_first(point: str) -> None:
        points.append(point)
        if points.count(kind) == 1 and point == kind:
            raise Killed

    table = small_table(tmp_path, checkpoint=kill_first)
    with pytest.raises(Killed):
        table.start()
    posted = len(table.stage.posts)
    assert posted == (1 if kind == "sent" else 0)
    table = table.again(no_checkpoint)
    table.settle()
    assert [post.target for post in table.stage.posts].count("card") == 1
    assert table.session.status == "asking"
    assert table.session.owner == OWNER
