"""Whatever people say and click, in whatever order: no follow-up vanishes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from core.domain.assumptions import with_unanswered
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId
from tests.support.fakes import DEV, OWNER
from tests.support.harness import Harness, small_table
from tests.support.step_trees import Tree

ENDED_WELL = ("answered", "skipped", "unknown", "passed", "withdrawn")
TEXTS = (
    "The gate must stay shut at night.",
    "A boat is held for at most 4.",
    "The list should be fast.",
    "I want to see who is on the water",
    "we go with a chain instead of a bar",
    "hours",
    "me, and whoever has the key",
    "I leave it open and it rings",
    "2 seconds",
    "idk",
    "which gate do you mean?",
    "no. the blue one",
    "actually, a boat is held for at most 6 hours",
    "the second",
    "skip",
    "+1",
)

Asked = tuple[StepId, FollowUp]


def tree(root: Path) -> Tree:
    """Two steps that ask what is demanded, and one behind them that asks of how it is built."""
    made = Tree(root)
    made.agent()
    made.step("01-requirements/06-a.md", title="First", needs="[requirement, check]")
    made.step("01-requirements/07-b.md", title="Second", needs="[story, check]")
    made.step("02-impact-analysis/01-c.md", title="Third", persona="solutions-architect")
    return made


def click_some(table: Harness, number: int) -> None:
    choices = [
        (menu.id, choice)
        for menu in table.menus
        for choice in menu.choices
        if choice not in ("cancel", "pause")
    ]
    if choices:
        menu, choice = choices[number % len(choices)]
        table.click(choice, (OWNER, DEV)[number % 2], menu=menu)


def tap(table: Harness, number: int) -> None:
    """One of the buttons of the open follow-up."""
    menu = next((one for one in table.menus if one.id == table.session.menus.follow_up), None)
    if menu:
        table.click(menu.choices[number % len(menu.choices)], menu=menu.id)


def go_on(table: Harness, _: int) -> None:
    if table.session.status == "choosing":
        table.forward()


def on_answer(act: Callable[[Harness, int], object]) -> Callable[[Harness, int], None]:
    def acted(table: Harness, number: int) -> None:
        if table.runtime.reader.answers(table.id):
            act(table, number)

    return acted


def ts_of(table: Harness, number: int) -> str:
    answers = table.runtime.reader.answers(table.id)
    return answers[number % len(answers)].ts


ACTS: dict[str, Callable[[Harness, int], object]] = {
    "say": lambda table, n: table.say(TEXTS[n % len(TEXTS)], (OWNER, DEV)[n % 3 % 2]),
    "go on": go_on,
    "tap": tap,
    "click": click_some,
    "edit": on_answer(lambda t, n: t.edit(ts_of(t, n), TEXTS[-n % len(TEXTS)])),  # type: ignore[arg-type]
    "delete": on_answer(lambda table, n: table.delete(ts_of(table, n))),  # type: ignore[arg-type]
}
PLAYS = st.lists(
    st.tuples(st.sampled_from(["say", "say", "go on", *ACTS]), st.integers(0, 95)),
    min_size=4,
    max_size=16,
)


def asked_in(table: Harness) -> Iterator[Asked]:
    for state in table.runtime.reader.all_steps(table.id):
        yield from ((state.id, asked) for asked in state.questions.follow_ups)


def assert_none_vanished(table: Harness, before: list[Asked]) -> None:
    now = list(asked_in(table))
    for step, asked in before:
        assert any(step == here and asked.is_same(one) for here, one in now), asked.question
    steps = table.runtime.reader.all_steps(table.id)
    claims = with_unanswered(steps, table.runtime.reader.claims(table.id))
    for step, asked in now:
        if asked.outcome == "open":
            assert table.session.course.step == step or table.session.status in ("completed",)
            continue
        assert asked.outcome in ENDED_WELL
        if asked.is_unanswered:
            listed = [claim for claim in claims if claim.step == step and not claim.sources]
            assert any(asked.question in claim.text for claim in listed), asked


@given(PLAYS)
def test_no_follow_up_vanishes_whatever_people_do(play: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        table = small_table(folder, tree=tree(folder / "steps"))
        table.start()
        for act, number in play:
            before = list(asked_in(table))
            ACTS[act](table, number)
            assert_none_vanished(table, before)
        table.close()


def test_such_a_play_asks_and_ends_follow_ups_in_every_way(tmp_path: Path) -> None:
    """The property is about something: these acts reach every end but that of a deletion."""
    table = small_table(tmp_path, tree=tree(tmp_path / "steps"))
    table.start()
    table.say(TEXTS[0])
    table.say("I leave it open and it rings")
    table.say(TEXTS[1])
    tap(table, 0)
    table.forward()
    table.say(TEXTS[3])
    table.say("idk")
    table.say(TEXTS[2])
    table.forward()
    outcomes = {asked.outcome for _, asked in asked_in(table)}
    assert outcomes >= {"answered", "skipped", "unknown", "passed"}
