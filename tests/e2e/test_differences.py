"""Agreeing and differing as people do: reactions, buttons and forms, through the real bot."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.devtools.workspace import Modal, WorkspaceMessage
from tests.e2e.forms import told
from tests.support.rows import run_query, snapshot
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot

SAY, SETTLE = "differ:say", "differ:settle"
BECAUSE = "Because the auditors want it."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        found.start("Export dashboard as PDF")
        yield found


def react(table: ServedBot, by: str, ts: str, name: str, *, remove: bool = False) -> None:
    table.slack.react(by, CHANNEL, ts, name, remove=remove)
    table.settle()


def step_message(table: ServedBot, step: str | None = None) -> WorkspaceMessage:
    """The one message of a step, as it stands now."""
    session = table.session()
    reader = table.table.runtime.reader
    post = reader.last_post(session.id, f"step:{step or session.course.step}:")
    assert post is not None
    return table.message(post.ts)


def buttons(message: WorkspaceMessage) -> list[str]:
    return [each["action_id"] for each in controls(message)]


def press(
    table: ServedBot, by: str, action: str, message: WorkspaceMessage | None = None
) -> Modal | None:
    """Press it; the form that opens, if one does."""
    before = {each.id for each in table.slack.modals}
    heard = len(told(table, by))
    shown = message or step_message(table)
    table.slack.click(by, CHANNEL, shown.ts, action)

    def opened() -> list[Modal]:
        return [one for one in table.slack.modals if one.to == by and one.id not in before]

    table.settle_until(lambda: opened() or len(told(table, by)) > heard)
    return next(iter(opened()), None)


def submit(table: ServedBot, by: str, form: Modal, **fields: str) -> Modal | None:
    """Submit it; what is left of it."""
    table.slack.submit(by, form.id, fields)
    table.settle()
    return next((each for each in table.slack.modals if each.id == form.id), None)


def options(form: Modal, name: str) -> list[tuple[str, str]]:
    field: Any = next(each for each in form.view["blocks"] if each.get("block_id") == name)
    return [(each["text"]["text"], each["value"]) for each in field["element"]["options"]]


def differ(table: ServedBot, by: str, reason: str) -> Modal | None:
    form = press(table, by, SAY)
    assert form is not None
    return submit(table, by, form, reason=reason)


def written(table: ServedBot) -> str:
    return (table.folder / "quick-scan.md").read_text()


# ── reactions ──


def test_a_thumb_up_and_a_thumb_down_stand_in_the_message_and_in_the_artifact(
    table: ServedBot,
) -> None:
    ts = table.say(BECAUSE)
    assert "Answered: pm" in step_message(table).plain
    react(table, "dev", ts, "+1::skin-tone-3")
    assert "dev · agrees" in step_message(table).plain
    assert "**dev** agrees with pm ([message](" in written(table)
    react(table, "dev", ts, "+1::skin-tone-3", remove=True)
    assert "agree" not in step_message(table).plain
    react(table, "dev", ts, "-1")
    assert "dev · sees it differently (no reason given yet)" in step_message(table).plain
    assert "*no reason given* *(still open)*" in written(table)


def test_a_reaction_moves_nothing_posts_nothing_and_tells_nobody(table: ServedBot) -> None:
    ts = table.say(BECAUSE)
    before = table.session()
    posts, ephemerals = len(table.slack.messages(CHANNEL)), len(table.slack.ephemerals)
    for name in ("+1", "-1", "heart"):
        react(table, "dev", ts, name)
    react(table, "pm", ts, "-1")  # their own
    root = table.table.runtime.reader.thread(before.id, before.course.thread)
    assert root is not None
    react(table, "dev", root.ts, "-1")  # on what is no answer
    after = table.session()
    assert (after.status, after.course.step, after.menus.current, after.course.done) == (
        before.status, before.course.step, before.menus.current, before.course.done
    )  # fmt: skip
    assert len(table.slack.messages(CHANNEL)) == posts
    assert len(table.slack.ephemerals) == ephemerals
    (stance,) = table.table.runtime.reader.stances(before.id)
    assert stance.by == table.slack.user_id("dev")


def test_what_was_given_outlives_a_restart_and_a_redelivery(table: ServedBot) -> None:
    ts = table.say(BECAUSE)
    react(table, "dev", ts, "-1")
    table.restart()
    assert "dev · sees it differently" in step_message(table).plain
    react(table, "dev", ts, "-1", remove=True)
    assert "differently" not in step_message(table).plain.replace("I see it differently", "")


def test_a_late_stance_on_a_passed_step_is_written_and_shown_silently(table: ServedBot) -> None:
    ts = table.say(BECAUSE)
    step = table.session().course.step
    table.forward()
    posts = len(table.slack.messages(CHANNEL))
    react(table, "dev", ts, "-1")
    assert "dev · sees it differently" in step_message(table, step).plain
    assert buttons(step_message(table, step)) == [f"sort:{step}", SETTLE]
    assert "*(still open)*" in written(table)
    assert len(table.slack.messages(CHANNEL)) == posts


# ── saying so ──


def test_anybody_says_how_they_see_it_and_the_menu_is_not_used_up(table: ServedBot) -> None:
    table.say(BECAUSE)
    form = press(table, "dev", SAY)
    assert form is not None
    assert [label for label, _ in options(form, "answer")] == [f"pm: {BECAUSE}"]
    assert submit(table, "dev", form, reason="The bank wants it.") is None
    assert "dev · sees it differently: The bank wants it." in step_message(table).plain
    assert "Noted: you see it differently from pm." in told(table, "dev")[-1]
    again = press(table, "dev", SAY)
    assert again is not None
    submit(table, "dev", again, reason="The bank demands it.")
    plain = step_message(table).plain
    assert ("The bank demands it." in plain, "The bank wants it." in plain) == (True, False)
    table.forward()
    assert step_message_of_passed(table).plain.count("The bank demands it.") == 1


def step_message_of_passed(table: ServedBot) -> WorkspaceMessage:
    first = table.table.runtime.reader.all_steps(table.session().id)[0]
    return step_message(table, first.id)


def test_who_alone_has_answered_has_nobody_to_differ_with(table: ServedBot) -> None:
    table.say(BECAUSE)
    assert press(table, "pm", SAY) is None
    assert "Only you have answered here so far." in told(table)[-1]


@pytest.mark.parametrize(
    "reason", ["<!channel> <@U0PM00001> *now*", "[x](https://evil.example) <script>", "| # - `x`"]
)
def test_markup_and_mentions_in_a_sentence_stay_words(table: ServedBot, reason: str) -> None:
    table.say(BECAUSE)
    pings = len(table.slack.pings)
    assert differ(table, "dev", reason) is None
    assert reason in step_message(table).plain
    assert len(table.slack.pings) == pings
    text = written(table)
    assert "<script>" not in text
    assert "](https://evil.example)" not in text.replace("\\]", "")


def test_a_sentence_of_nothing_and_one_with_a_credential_are_refused_at_their_field(
    table: ServedBot,
) -> None:
    table.say(BECAUSE)
    form = press(table, "dev", SAY)
    assert form is not None
    left = submit(table, "dev", form, reason="   ")
    assert left is not None
    assert left.errors == {"reason": "Please say it in one sentence."}
    token = "xoxb-" + "1234567890-1234567890-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    left = submit(table, "dev", form, reason=f"See {token}")
    assert left is not None
    assert "password, key or token" in left.errors["reason"]
    assert token not in "\n".join(snapshot(table.table.runtime.database))
    assert table.session().status == "choosing"
    assert submit(table, "dev", form, reason="The bank wants it.") is None
    assert "The bank wants it." in written(table)


def test_an_answer_that_is_deleted_while_the_form_is_open_is_said_at_its_field(
    table: ServedBot,
) -> None:
    ts = table.say(BECAUSE)
    table.say("And the bank does.", by="dev")
    form = press(table, "dev", SAY)
    assert form is not None
    table.slack.delete("pm", CHANNEL, ts)
    table.settle()
    left = submit(table, "dev", form, reason="The bank wants it.")
    assert left is not None
    assert "not there any more" in left.errors["answer"]
    assert table.table.runtime.reader.stances(table.session().id) == ()


def test_a_form_that_is_submitted_twice_is_noted_once(table: ServedBot) -> None:
    table.say(BECAUSE)
    form = press(table, "dev", SAY)
    assert form is not None
    with table.slack.world.lock:  # both leave before the first is answered
        for _ in range(2):
            table.slack.submit("dev", form.id, {"reason": "The bank wants it."})
    table.settle()
    journal = "SELECT count(*) FROM journal WHERE kind = 'DifferenceGiven'"
    (count,) = run_query(table.table.runtime.database, journal).fetchone()
    assert count == 1


def test_a_form_opened_before_continue_is_still_taken_and_a_late_click_is_told_kindly(
    table: ServedBot,
) -> None:
    table.say(BECAUSE)
    stale = step_message(table)
    form = press(table, "dev", SAY)
    assert form is not None
    menu = table.session().menus.current
    table.forward()
    assert submit(table, "dev", form, reason="The bank wants it.") is None
    assert "The bank wants it." in written(table)
    assert SAY not in buttons(step_message_of_passed(table))
    with pytest.raises(LookupError):
        press(table, "dev", SAY, stale)
    click_again(table, stale, SAY, str(menu))
    table.settle_until(lambda: any("React with 👎" in each for each in told(table, "dev")))


def click_again(table: ServedBot, message: WorkspaceMessage, action: str, value: str) -> None:
    """A button that is not there any more, as a client that was asleep still shows it."""
    world = table.slack.world
    with world.lock:
        post = world.find(world.channel(CHANNEL), message.ts)
        assert post is not None
        now = post.blocks
        post.blocks = list(message.blocks)
        try:
            table.slack.click("dev", CHANNEL, message.ts, action, value=value)
        finally:
            post.blocks = now


# ── settling ──


def test_the_owner_settles_it_with_a_reason_and_it_stands_with_their_name(table: ServedBot) -> None:
    table.say(BECAUSE)
    differ(table, "dev", "The bank wants it.")
    form = press(table, "pm", SETTLE)
    assert form is not None
    assert "dev · sees it differently: The bank wants it." in form.plain
    left = submit(table, "pm", form, reason="We asked them.")
    assert left is not None
    assert set(left.errors) == {"stands"}
    assert submit(table, "pm", form, stands="both", reason="We asked them.") is None
    plain = step_message(table).plain
    assert (
        "dev · saw it differently; pm settled it: both stand, as noted: "
        f"“{BECAUSE.rstrip('.')}”; “The bank wants it”. We asked them." in plain
    )
    assert SETTLE not in buttons(step_message(table))
    assert "Settled by **pm**, on the answer of pm ([message](" in written(table)
    assert "still open" not in written(table)


def test_a_size_follows_the_view_that_stands_and_so_do_the_depth_and_the_file(
    table: ServedBot,
) -> None:
    table.say("small, i think. one file?? low complexity")
    assert table.session().scan.scope == "small"
    differ(table, "dev", "It is large: 40 countries, 300 files.")
    form = press(table, "pm", SETTLE)
    assert form is not None
    assert submit(table, "pm", form, stands="other", reason="dev counted\nthem, twice") is None
    assert table.session().scan.scope == "large"
    assert table.session().scan.file_count == 300
    block = written(table).partition("---\n")[2].partition("---\n")[0]
    assert "scope: large" in block
    assert "It is large: 40 countries, 300 files. — said by dev" in written(table)
    assert "small, i think. — said by" not in written(table)
    stands = (
        "the other view stands: “It is large: 40 countries, 300 files”. dev counted them, twice"
    )
    assert stands in written(table)
    assert stands in step_message(table).plain
    while table.session().course.phase == "00-quick-scan":
        table.forward()
        table.say("Nothing to add.")
    said = [each.plain for each in table.slack.messages(CHANNEL)]
    assert any("this looks large, so I ask at deep depth" in each for each in said)


def test_a_size_settled_late_is_said_again_and_holds_from_then_on(table: ServedBot) -> None:
    first = table.session().course.step
    table.say("Small. Low complexity.")
    while table.session().course.phase == "00-quick-scan":
        table.forward()
        table.say("Nothing to add.")
    ts = next(each.ts for each in table.slack.messages(CHANNEL) if each.plain.startswith("Small."))
    react(table, "dev", ts, "-1")
    form = press(table, "pm", SETTLE, step_message(table, first))
    assert form is not None
    submit(table, "pm", form, stands="other", reason="It is large, says everybody at the bank.")
    assert table.session().scan.scope == "large"
    table.forward()
    said = [each.plain for each in table.slack.messages(CHANNEL)]
    assert "this looks large, so I ask at deep depth" in said[-2] + said[-1]
    assert table.session().course.steps[1].prompt.depth == "deep"


def test_an_answer_that_stands_takes_back_what_the_other_one_said_of_the_same(
    table: ServedBot,
) -> None:
    table.say("Large. High complexity.")
    table.say("It is small. The export has a button already.", by="dev")
    differ(table, "dev", "It is small.")
    form = press(table, "pm", SETTLE)
    assert form is not None
    submit(table, "pm", form, stands="answer", reason="I counted.")
    assert table.session().scan.scope == "large"
    assert "It is small. — said by" not in written(table)
    assert "The export has a button already." in written(table)


@pytest.mark.parametrize("small", ["small lol", "nah its tiny small lol"])
def test_two_sizes_decide_nothing_until_they_are_settled(table: ServedBot, small: str) -> None:
    table.say(small, by="dev")
    table.say("LARGE!! 40 countries, ~300 files")
    assert "differ on the size: dev says “small” and pm says “large”." in step_message(table).plain
    assert table.session().scan.scope is None
    assert "scope: unknown" in written(table)
    form = press(table, "pm", SETTLE)
    assert form is not None
    assert "pm · sees it differently: LARGE!!" in form.plain
    assert submit(table, "pm", form, stands="other", reason="I counted.") is None
    assert table.session().scan.scope == "large"
    assert "the other view stands: “LARGE!" in step_message(table).plain
    assert SETTLE not in buttons(step_message(table))
    assert f"{small} — said by" not in written(table)
    assert "the other view stands: “LARGE!" in written(table)


def test_two_sizes_that_both_stand_stay_unknown_and_are_not_asked_about_again(
    table: ServedBot,
) -> None:
    table.say("small lol", by="dev")
    table.say("LARGE!!")
    form = press(table, "pm", SETTLE)
    assert form is not None
    submit(table, "pm", form, stands="both", reason="Two releases.")
    assert table.session().scan.scope is None
    assert SETTLE not in buttons(step_message(table))


def test_who_may_not_settle_is_told_kindly_and_nothing_is_settled(table: ServedBot) -> None:
    table.say(BECAUSE)
    differ(table, "dev", "The bank wants it.")
    assert press(table, "dev", SETTLE) is None
    assert "pm, who started this, can settle it." in told(table, "dev")[-1]
    assert table.table.runtime.reader.settlements(table.session().id) == ()


def test_the_owner_lets_somebody_else_decide_and_the_card_says_so(table: ServedBot) -> None:
    table.say(BECAUSE)
    differ(table, "dev", "The bank wants it.")
    form = press(table, "pm", SETTLE)
    assert form is not None
    typed = {"decider": table.slack.user_id("dev"), "reason": "You know the bank."}
    both = submit(table, "pm", form, stands="other", **typed)
    assert both is not None
    assert set(both.errors) == {"decider"}
    assert submit(table, "pm", form, **typed) is None
    table.settle_until(lambda: any("You know the bank." in each for each in told(table, "dev")))
    assert any("dev may settle" in each for each in told(table))
    table.settle_until(lambda: any("asks you to decide" in each for each in told(table, "dev")))
    card = table.table.runtime.reader.post(table.session().id, "card")
    assert card is not None
    assert "Where people differ, pm and dev may settle it." in table.message(card.ts).plain
    theirs = press(table, "dev", SETTLE)
    assert theirs is not None
    assert [each["block_id"] for each in theirs.view["blocks"] if each["type"] == "input"] == [
        "answer", "stands", "reason"
    ]  # fmt: skip
    assert submit(table, "dev", theirs, stands="other", reason="They pay.") is None
    assert (
        "dev settled it: the other view stands: “The bank wants it”. They pay."
        in step_message(table).plain
    )


def test_a_form_to_settle_is_worth_nothing_once_it_is_settled(table: ServedBot) -> None:
    table.say(BECAUSE)
    differ(table, "dev", "The bank wants it.")
    form, second = press(table, "pm", SETTLE), press(table, "pm", SETTLE)
    assert form is not None
    assert second is not None
    submit(table, "pm", form, stands="answer", reason="We asked them.")
    submit(table, "pm", second, stands="other", reason="Or not.")
    assert "nothing left to settle" in told(table)[-1]
    (closed,) = table.table.runtime.reader.settlements(table.session().id)
    assert closed.stands == "answer"


def test_going_on_with_an_open_difference_keeps_it_and_it_can_still_be_settled(
    table: ServedBot,
) -> None:
    table.say(BECAUSE)
    step = table.session().course.step
    differ(table, "dev", "The bank wants it.")
    table.forward()
    assert table.session().course.step != step
    assert "*(still open)*" in written(table)
    form = press(table, "pm", SETTLE, step_message(table, step))
    assert form is not None
    submit(table, "pm", form, stands="answer", reason="We asked them.")
    assert "still open" not in written(table)


def test_whoever_accepts_a_phase_sees_what_people_still_differ_on(table: ServedBot) -> None:
    ts = table.say(BECAUSE)
    react(table, "dev", ts, "-1")
    first = table.table.runtime.reader.all_steps(table.session().id)[0]
    while "accept" not in open_menu(table):
        table.forward()
        table.say("Nothing to add.")
    assert f"People still differ on {first.title}." in step_message(table).plain
    react(table, "dev", ts, "-1", remove=True)
    assert "still differ" not in step_message(table).plain


def open_menu(table: ServedBot) -> tuple[str, ...]:
    menu = table.table.runtime.reader.menu(table.session().menus.current)  # type: ignore[arg-type]
    return menu.choices if menu else ()


def test_many_react_at_once_and_nothing_is_lost(table: ServedBot) -> None:
    ts = table.say(BECAUSE)
    names = ["+1", *(f"+1::skin-tone-{tone}" for tone in range(2, 7))]
    threads = [
        threading.Thread(target=table.slack.react, args=("dev", CHANNEL, ts, name))
        for name in names
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    table.settle()
    (stance,) = table.table.runtime.reader.stances(table.session().id)
    assert {each.name for each in stance.reactions} == set(names)
    assert "dev · agrees" in step_message(table).plain
