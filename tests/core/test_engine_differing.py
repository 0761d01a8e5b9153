"""Agreement and difference: given by people, never guessed, and nothing moves for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import ChannelId, MenuId, Ts, UserId
from core.domain.session.session import Session
from core.store.journal.replay import replayed
from tests.core.differing import (
    answers,
    differ,
    name_decider,
    named,
    react,
    settle,
    settling,
    stances,
    unreact,
    views,
)
from tests.support.fakes import CHANNEL, DEV, OPS, OWNER, TEAM
from tests.support.harness import Harness, small_table, spec
from tests.support.rows import run_query
from tests.support.step_trees import AGENT, Tree


@pytest.fixture
def said(table: Harness) -> Ts:
    return table.say("Because of the auditors.")


def standing(session: Session) -> tuple[object, ...]:
    """Where a session stands, and whom it waits for."""
    course, people = session.course, session.people
    return (
        *(session.status, course.phase, course.step, course.steps, session.menus.current),
        *(course.done, course.phases, people.answered, people.answered_step, session.reading.task),
    )


# ── reactions ──


@pytest.mark.parametrize("name", ["+1", "thumbsup", "+1::skin-tone-2", "thumbsup::skin-tone-6"])
def test_a_thumb_up_agrees_in_any_colour(table: Harness, said: Ts, name: str) -> None:
    react(table, said, DEV, name)
    (view,) = views(table)
    assert [(each.by, each.view) for each in view.agree] == [(DEV, "agrees")]
    assert "**Sam** agrees with Priya ([message](" in spec(table)
    assert "### Agreement" in spec(table)


@pytest.mark.parametrize("name", ["-1", "thumbsdown", "-1::skin-tone-4"])
def test_a_thumb_down_sees_it_differently(table: Harness, said: Ts, name: str) -> None:
    react(table, said, DEV, name)
    (view,) = views(table)
    assert [(each.by, each.reason) for each in view.differ] == [(DEV, "")]
    assert "### Differing views" in spec(table)
    assert "**Sam** sees it differently from Priya ([message](" in spec(table)
    assert "*no reason given* *(still open)*" in spec(table)


@pytest.mark.parametrize(
    "name", ["heart", "+1::skin-tone-9", "+1::", "1", "", "white_check_mark", "-1::x"]
)
def test_any_other_reaction_leaves_no_trace(table: Harness, said: Ts, name: str) -> None:
    before = table.snapshot()
    assert react(table, said, DEV, name).reply is None
    assert table.snapshot() == before


def test_taking_it_off_withdraws_it_and_the_section_is_as_before(table: Harness, said: Ts) -> None:
    before = spec(table)
    react(table, said, DEV)
    assert spec(table) != before
    unreact(table, said, DEV)
    assert spec(table) == before
    assert views(table) == ()


def test_ones_own_reaction_counts_for_nothing(table: Harness, said: Ts) -> None:
    before = table.snapshot()
    for name in ("+1", "-1"):
        assert react(table, said, OWNER, name).reply is None
    assert table.snapshot() == before


def test_a_reaction_on_any_other_message_is_ignored_silently(table: Harness, said: Ts) -> None:
    before = table.snapshot()
    for ts in (table.card, table.thread(), Ts("1.000001")):
        assert react(table, ts, DEV).reply is None
    event = on.ReactionChanged(
        DEV, table.clock.now(), ChannelId("C9"), said, "+1", table.stage.next_ts(), on=True
    )
    assert table.take(event).reply is None
    assert table.snapshot() == before


@pytest.mark.parametrize("order", ["as it was", "turned round"])
def test_of_on_and_off_the_later_wins_whichever_comes_first(
    table: Harness, said: Ts, order: str
) -> None:
    acts = [("1900000001.000001", True), ("1900000002.000001", False)]
    for event_ts, on_ in acts if order == "as it was" else reversed(acts):
        react(table, said, DEV, on_=on_, event_ts=event_ts)
    assert views(table) == ()
    react(table, said, DEV, event_ts="1900000003.000001")
    assert len(views(table)) == 1


def test_a_reaction_that_is_delivered_again_changes_nothing(table: Harness, said: Ts) -> None:
    react(table, said, DEV, event_ts="1900000001.000001", keys=("event:E1",))
    before = table.snapshot()
    again = react(table, said, DEV, event_ts="1900000001.000001", keys=("event:E1",))
    assert again.repeated
    react(table, said, DEV, event_ts="1900000001.000001", keys=("event:E2",))
    assert table.snapshot() == before


def test_of_up_and_down_of_one_person_the_later_counts(table: Harness, said: Ts) -> None:
    react(table, said, DEV, "+1")
    react(table, said, DEV, "-1")
    assert [len(views(table)[0].agree), len(views(table)[0].differ)] == [0, 1]
    unreact(table, said, DEV, "-1")
    assert [len(views(table)[0].agree), len(views(table)[0].differ)] == [1, 0]


def test_a_reaction_shows_in_the_steps_message_and_its_section_and_nowhere_else(
    table: Harness, said: Ts
) -> None:
    shown, posts = len(table.stage.shown), len(table.stage.posts)
    react(table, said, DEV)
    assert table.stage.shown[shown:] == [fx.PaintStep("01-01")]  # type: ignore[arg-type]
    assert len(table.stage.posts) == posts


def test_many_reactions_at_once_are_one_repaint_and_one_write(table: Harness, said: Ts) -> None:
    for number in range(30):
        event = on.ReactionChanged(
            UserId(f"U{number}"), table.clock.now(), CHANNEL, said, "+1",
            table.stage.next_ts(), on=True,
        )  # fmt: skip
        table.runtime.handle(event, team=TEAM)
    kinds = [row[0] for row in run_query(table.runtime.database, "SELECT kind FROM outbox")]
    assert sorted(kinds) == ["PaintStep", "WriteFolder"]
    table.settle()
    assert len(views(table)[0].agree) == 30


def test_a_bots_reaction_is_in_no_artifact(table: Harness, said: Ts) -> None:
    before = spec(table)
    react(table, said, UserId("UBOT2"), "-1")
    assert spec(table) == before


# ── saying so ──


def test_a_sentence_is_recorded_with_its_author_and_the_menu_stays(
    table: Harness, said: Ts
) -> None:
    menu = table.menu
    assert differ(table, said, DEV).reply == fx.Reply("differs-noted", {"by": OWNER})
    assert differ(table, said, OPS, "Nobody does.").reply is not None
    assert table.menu == menu
    assert [each.reason for each in views(table)[0].differ] == ["The bank decides.", "Nobody does."]
    assert "**Sam** sees it differently from Priya ([message](" in spec(table)
    assert "The bank decides. *(still open)*" in spec(table)


def test_a_sentence_after_a_thumb_down_is_its_reason(table: Harness, said: Ts) -> None:
    react(table, said, DEV, "-1")
    differ(table, said, DEV)
    (stance,) = views(table)[0].differ
    assert stance.reason == "The bank decides."
    table.clock.forward(1)
    unreact(table, said, DEV, "-1")
    assert views(table) == ()


def test_who_agrees_later_takes_the_sentence_back(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    table.clock.forward(1)
    react(table, said, DEV)
    (view,) = views(table)
    assert (len(view.agree), view.differ) == (1, ())
    table.clock.forward(1)
    unreact(table, said, DEV)
    assert views(table) == ()


def test_a_sentence_after_a_thumb_up_is_what_counts(table: Harness, said: Ts) -> None:
    react(table, said, DEV)
    differ(table, said, DEV)
    assert [len(views(table)[0].agree), len(views(table)[0].differ)] == [0, 1]


def test_a_form_that_is_submitted_after_continue_is_a_late_stance(table: Harness, said: Ts) -> None:
    menu = table.menu.id
    table.forward()
    assert table.session.course.step == "01-02"
    before, posts = standing(table.session), len(table.stage.posts)
    assert differ(table, said, DEV, menu=menu).reply is not None
    assert "The bank decides." in spec(table)
    assert len(table.stage.posts) == posts
    after = standing(table.session)
    assert [state.id for state in table.session.course.steps if state.settling] == ["01-01"]
    assert (after[0], after[1], after[2], *after[4:]) == (
        before[0], before[1], before[2], *before[4:]
    )  # fmt: skip


def test_nobody_differs_with_themselves_nor_with_what_is_not_there(
    table: Harness, said: Ts
) -> None:
    menu = table.menu.id
    assert differ(table, said, OWNER).reply == fx.Reply("own-answer")
    assert differ(table, "1.000001", DEV).reply == fx.Reply("answer-gone")
    assert differ(table, said, DEV, menu="none").reply is None
    assert differ(table, said, DEV, menu=str(table.session.menus.prompt)).reply == fx.Reply("gone")
    table.delete(said)
    assert differ(table, said, DEV, menu=menu).reply == fx.Reply("answer-gone")
    assert stances(table) == ()


def test_an_answer_of_another_step_cannot_be_meant(table: Harness, said: Ts) -> None:
    table.forward()
    table.say("Within a minute.")
    assert differ(table, said, DEV).reply == fx.Reply("answer-gone")


def test_a_draft_that_was_confirmed_can_be_differed_with(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "own")
    tree.agent(AGENT)
    body = "\n## Brief Mode\n\nIt is as the title says. (rests on: title)\n\nWhy?\n"
    tree.step("01-requirements/01-a.md", body)
    table = small_table(tmp_path, tree=tree)
    table.start(depth="brief")
    table.click("confirm")
    (answer,) = answers(table)
    differ(table, answer.id, DEV)
    assert "Priya (draft confirmed): The bank decides." in spec(table)


def test_a_credential_in_a_sentence_is_taken_in_nowhere(table: Harness, said: Ts) -> None:
    token = "xoxb-" + "1234567890-1234567890-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    assert differ(table, said, DEV, f"It is {token}").reply == fx.Reply("secret-sentence")
    react(table, said, OPS, "-1")
    event = on.DifferenceSettled(
        OWNER, table.clock.now(), settling(table), named(said), "answer", f"See {token}"
    )
    assert table.take(event).reply == fx.Reply("secret-sentence")
    naming = on.DeciderNamed(OWNER, table.clock.now(), settling(table), OPS, f"See {token}")
    assert table.take(naming).reply == fx.Reply("secret-sentence")
    assert table.session.people.decider is None
    assert table.codes[-3:] == ["ERR-SEC-001"] * 3
    assert table.session.status == "choosing"
    assert not any(token in row for row in table.snapshot())


# ── settling ──


def test_the_owner_settles_what_people_differ_on(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    react(table, said, OPS, "-1")
    assert settle(table, said).reply == fx.Reply("settled")
    (view,) = views(table)
    assert view.differ == ()
    assert view.settled[0].views == ((DEV, "The bank decides."), (OPS, ""))
    assert "**Sam** saw it differently from Priya ([message](" in spec(table)
    assert "Settled by **Priya**, on the answer of Priya ([message](" in spec(table)
    assert "the answer stands as said: “Because of the auditors”. The auditors were first." in spec(
        table
    )
    assert "still open" not in spec(table)


def test_nobody_else_settles_it_and_is_told_who_can(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    before = table.snapshot()
    assert settle(table, said, DEV).reply == fx.Reply("not-decider", {"owner": OWNER})
    assert name_decider(table, DEV, by=DEV).reply == fx.Reply("not-decider", {"owner": OWNER})
    assert table.snapshot() == before


def test_whom_the_owner_names_settles_it_and_is_asked_to(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    assert name_decider(table, OPS).reply == fx.Reply("decider-named", {"by": OPS})
    (told,) = table.shown(fx.Tell)
    assert (told.user, told.reply.kind) == (OPS, "asked-to-decide")
    assert settle(table, said, DEV).reply == fx.Reply(
        "not-decider", {"owner": OWNER, "decider": OPS}
    )
    assert settle(table, said, OPS, "other").reply == fx.Reply("settled")
    assert "Settled by **Olu**" in spec(table)
    assert "the other view stands" in spec(table)


def test_a_decider_names_nobody_and_the_owner_takes_the_naming_back(
    table: Harness, said: Ts
) -> None:
    differ(table, said, DEV)
    name_decider(table, OPS)
    assert name_decider(table, DEV, by=OPS).reply == fx.Reply("not-yours", {"owner": OWNER})
    assert name_decider(table, OWNER).reply == fx.Reply("decider-taken-back")
    assert table.session.people.decider is None
    assert settle(table, said, OPS).reply == fx.Reply("not-decider", {"owner": OWNER})


def test_settling_twice_settles_once(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    settle(table, said)
    before = table.snapshot()
    assert settle(table, said, stands="other").reply == fx.Reply("nothing-open")
    assert table.snapshot() == before


def test_settling_an_answer_that_was_deleted_meanwhile_settles_nothing(
    table: Harness, said: Ts
) -> None:
    table.say("And the bank.", DEV)
    differ(table, said, DEV)
    table.delete(said)
    assert settle(table, said).reply == fx.Reply("answer-gone")
    assert table.runtime.reader.settlements(table.id) == ()
    assert "Differing views" not in spec(table)


def test_no_other_menu_settles_anything(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    event = on.DifferenceSettled(
        OWNER, table.clock.now(), table.menu.id, named(said), "answer", "So it is."
    )
    assert table.take(event).reply == fx.Reply("gone")
    assert table.click("settle", menu=settling(table)).reply is not None
    assert table.runtime.reader.settlements(table.id) == ()


def test_what_is_said_anew_after_it_was_settled_is_open_again(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    settle(table, said)
    react(table, said, DEV, "-1")
    assert views(table)[0].differ == ()  # the same view once more
    differ(table, said, DEV, "The bank still decides.")
    (view,) = views(table)
    assert [len(view.differ), len(view.settled)] == [1, 1]
    settle(table, said, stands="both", reason="They share it.")
    assert [each.stands for each in views(table)[0].settled] == ["answer", "both"]


def test_going_on_with_an_open_difference_keeps_it_as_dissent(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    table.forward()
    table.finish()
    assert table.session.status == "completed"
    assert "*(still open)*" in spec(table)
    settle(table, said, reason="We talked.")
    assert table.session.status == "completed"
    assert "*(still open)*" not in spec(table)


def test_a_summary_that_can_be_accepted_follows_what_is_differed_on(table: Harness) -> None:
    first = table.say("Because of the auditors.")
    table.click("skip")
    assert table.session.menus.on_summary
    before = len(table.shown(fx.ShowPhase))
    differ(table, first, DEV)
    assert len(table.shown(fx.ShowPhase)) == before + 1
    assert [post.target for post in table.stage.posts if post.target.startswith("phase:")] == [
        "phase:01-requirements:1"
    ]


# ── answers that change ──


def test_what_was_given_to_an_earlier_wording_says_so(table: Harness, said: Ts) -> None:
    react(table, said, OPS)
    differ(table, said, DEV)
    table.edit(said, "Because of the bank.")
    assert spec(table).count("*(given to an earlier wording)*") == 2
    assert views(table)[0].is_earlier(views(table)[0].agree[0])
    table.clock.forward(1)
    unreact(table, said, OPS)
    react(table, said, OPS)
    assert spec(table).count("*(given to an earlier wording)*") == 1


def test_what_was_given_on_a_deleted_answer_falls_with_it(table: Harness, said: Ts) -> None:
    table.say("And the bank.", DEV)
    react(table, said, OPS)
    differ(table, said, DEV)
    table.delete(said)
    assert views(table) == ()
    assert "Differing views" not in spec(table)
    before = table.snapshot()
    react(table, said, OPS, "-1")
    assert table.snapshot() == before


# ── nothing moves ──

WAYS: dict[str, Callable[[Harness], object]] = {
    "asking": lambda table: None,
    "choosing": lambda table: table.say("And the bank.", DEV),
    "paused": lambda table: table.click("pause"),
    "completed": lambda table: table.finish(),
}


@pytest.mark.parametrize("where", WAYS)
def test_whatever_people_think_moves_nothing(table: Harness, where: str) -> None:
    said = table.say("Because of the auditors.")
    menu = table.menu.id
    table.forward()
    WAYS[where](table)
    before, codes = standing(table.session), table.codes
    react(table, said, DEV)
    react(table, said, OPS, "-1")
    differ(table, said, OPS, menu=menu)
    name_decider(table, DEV)
    settle(table, said)
    after = standing(table.session)
    steps = [[(s.id, s.status, s.choice, s.prompt.revision, s.basis) for s in all_] for all_ in  # type: ignore[attr-defined]
             (before[3], after[3])]  # fmt: skip
    assert steps[0] == steps[1]
    assert (*before[:3], *before[4:]) == (*after[:3], *after[4:])
    assert table.codes == codes
    assert "Settled by" in spec(table)


@pytest.mark.parametrize("ended", ["cancelled", "halted"])
def test_where_nothing_is_taken_in_any_more_a_reaction_is_silent_and_a_form_is_told(
    table: Harness, said: Ts, ended: str
) -> None:
    menu = table.menu.id
    if ended == "cancelled":
        table.cancel()
    else:
        table.take(on.DamageFound(table.clock.now(), "ERR-DATA-002", "a rule"))
    before = table.snapshot()
    assert react(table, said, DEV).reply is None
    assert differ(table, said, DEV, menu=menu).reply is not None
    assert table.snapshot() == before


@pytest.mark.parametrize("mode", ["party", "classic"])
def test_in_an_inception_people_agree_and_differ_as_well(tmp_path: Path, mode: str) -> None:
    table = Harness(tmp_path)
    table.start(flow="inception", mode=mode)
    said = table.say("We sell to shop owners, who want fewer failed payments.")
    react(table, said, DEV)
    differ(table, said, OPS)
    brief = table.folder() / "project-brief.md"
    assert "**Sam** agrees with Priya" in brief.read_text()
    settle(table, said)
    before = table.session.course.step
    while table.session.course.step == before:
        table.answer() if table.session.status == "asking" else table.forward()
    assert "Settled by **Priya**" in brief.read_text()


def test_the_brains_are_not_asked_for_what_people_think_but_for_what_stands(
    table: Harness, said: Ts
) -> None:
    readings = "SELECT count(*) FROM journal WHERE kind = 'BrainReplied'"
    (before,) = run_query(table.runtime.database, readings).fetchone()
    react(table, said, DEV)
    differ(table, said, OPS)
    assert run_query(table.runtime.database, readings).fetchone() == (before,)
    settle(table, said)
    assert run_query(table.runtime.database, readings).fetchone() == (before + 1,)


def test_it_is_all_there_after_a_restart(table: Harness, said: Ts) -> None:
    menu = table.menu.id
    react(table, said, OPS)
    event = on.DifferenceGiven(DEV, table.clock.now(), menu, named(said), "The bank decides.")
    table.runtime.handle(event, team=TEAM, keys=("view:V1",))
    later = table.again()
    later.settle()
    assert "The bank decides." in spec(later)
    assert later.runtime.handle(event, team=TEAM, keys=("view:V1",)).repeated
    assert [len(views(later)[0].agree), len(views(later)[0].differ)] == [1, 1]


def test_deleting_a_session_takes_along_what_people_thought(table: Harness, said: Ts) -> None:
    differ(table, said, DEV)
    settle(table, said)
    table.erase()
    left = "\n".join(table.snapshot())
    assert "The bank decides." not in left
    assert "The auditors were first." not in left


def test_the_journal_decided_again_comes_to_the_same(table: Harness, said: Ts) -> None:
    react(table, said, OPS)
    differ(table, said, DEV)
    differ(table, said, DEV, "The bank still decides.")
    name_decider(table, OPS)
    settle(table, said, OPS, "both")
    token = "xoxb-" + "1234567890-1234567890-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    differ(table, said, DEV, f"It is {token}")
    react(table, said, DEV, "-1", on_=False)
    table.forward()
    found = replayed(table.runtime.database, table.id)
    assert found.differences == ()
    assert found.compared == found.events


def test_a_forged_menu_id_is_nobodys(table: Harness, said: Ts) -> None:
    event = on.DeciderNamed(OWNER, table.clock.now(), MenuId("mforged"), DEV)
    before = table.snapshot()
    table.take(event)
    assert table.snapshot() == before
