"""A session that is taken from a message: what was said in its thread, and who makes it count."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.events import AnswerTakenOut, ThreadRead
from core.domain.ids import ChannelId, RunId, SessionId, TeamId, Ts, UserId
from core.domain.session.start import EarlierStatement, Origin, Proposal
from core.engine.answers.proposals import PROPOSALS_MAX
from core.ports import Later, Refused, ThreadSaid, Unclear
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import CHANNEL, DEV, OPS, OWNER, TEAM
from tests.support.harness import Harness, small_table, spec

pytestmark = EACH_DATABASE

ROOT = Ts("1700000000.000100")
SECRET = "xoxb-" + "1234567890-1234567890-" + "a1B2c3D4e5F6g7H8i9J0k1L2"


def said(number: int, text: str, by: UserId = DEV) -> EarlierStatement:
    ts = Ts(f"1700000000.{number:06d}")
    return EarlierStatement(by, text, ts, f"https://p/{ts}")


@dataclass
class Threads:
    """What is found in the thread, one answer after another."""

    answers: list[ThreadSaid | Refused | Later | Unclear]
    asked: list[tuple[TeamId, ChannelId, Ts]] = field(default_factory=list)

    def replies(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts
    ) -> ThreadSaid | Refused | Later | Unclear:
        self.asked.append((team, channel, thread_ts))
        return self.answers.pop(0)


THREAD = (
    said(100, "Cards fail at night.", OWNER),
    said(200, "Because of the bank's window.", DEV),
    said(300, "And the auditors ask for it.", OPS),
)


def taken(tmp_path: Path, *answers: ThreadSaid | Refused | Later | Unclear) -> Harness:
    table = small_table(tmp_path)
    table.outbox_worker.threads = Threads(list(answers) or [ThreadSaid(THREAD)])
    table.start(origin=Origin(ROOT, ROOT))
    return table


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    return taken(tmp_path)


def proposal_of(table: Harness, by: UserId) -> Proposal:
    return next(each for each in table.session.proposals if each.by == by)


def press(table: Harness, choice: str, of: UserId, by: UserId) -> str | None:
    table.click(choice, by, menu=proposal_of(table, of).menu)
    return table.reply


def test_what_was_said_there_is_proposed_once_and_counts_for_nothing_yet(table: Harness) -> None:
    assert [each.by for each in table.session.proposals] == [OWNER, DEV, OPS]
    assert len(table.shown(fx.ShowProposals)) == 1
    assert table.said == []
    assert (table.session.status, table.session.course.done) == ("asking", ())
    stage = table.outbox_worker.threads
    assert isinstance(stage, Threads)
    assert stage.asked == [(table.session.team, CHANNEL, ROOT)]
    words = [each.text for each in table.runtime.reader.proposed(table.session)]
    assert words == [each.text for each in THREAD]


def test_its_author_confirms_it_and_it_is_read_like_any_answer(table: Harness) -> None:
    assert press(table, "confirm-mine", DEV, DEV) is None
    (answer,) = table.runtime.reader.answers(table.id)
    assert (answer.by, answer.source, answer.permalink) == (
        DEV, "proposed", f"https://p/{THREAD[1].ts}",
    )  # fmt: skip
    assert "bank's window" in spec(table)
    assert THREAD[1].permalink in spec(table)
    assert table.session.status == "choosing"
    assert table.session.people.answered_step == (DEV,)
    assert fx.Mark(CHANNEL, THREAD[1].ts, on=True) in table.shown(fx.Mark)


@pytest.mark.parametrize("by", [OWNER, OPS])
def test_nobody_confirms_what_somebody_else_said_not_even_the_owner(
    table: Harness, by: UserId
) -> None:
    before = table.session
    assert press(table, "confirm-mine", DEV, by) == "not-your-words"
    assert table.session == before
    assert table.said == []


@pytest.mark.parametrize("by", [OWNER, DEV])
def test_its_author_and_the_owner_leave_it_out(table: Harness, by: UserId) -> None:
    press(table, "leave-out", DEV, by)
    proposal = proposal_of(table, DEV)
    assert (proposal.outcome, proposal.chosen_by) == ("left-out", by)
    told = "used-by-you" if by == DEV else "used-menu"
    assert press(table, "confirm-mine", DEV, DEV) == told
    assert table.said == []


def test_others_do_not_leave_it_out(table: Harness) -> None:
    assert press(table, "leave-out", DEV, OPS) == "not-your-answer"
    assert proposal_of(table, DEV).outcome == ""


def test_a_second_click_changes_nothing(table: Harness) -> None:
    press(table, "confirm-mine", DEV, DEV)
    before = table.session
    assert press(table, "confirm-mine", DEV, DEV) == "used-by-you"
    assert press(table, "leave-out", DEV, OWNER) == "used-menu"
    assert table.session == before


def test_each_waits_for_its_own_author(table: Harness) -> None:
    press(table, "confirm-mine", DEV, DEV)
    press(table, "confirm-mine", OPS, OPS)
    assert sorted(table.said) == ["And the auditors ask for it.", "Because of the bank's window."]
    assert proposal_of(table, OWNER).outcome == ""


def test_confirmed_late_it_is_a_late_answer(table: Harness) -> None:
    table.answer()
    here = table.session.course.step
    press(table, "confirm-mine", DEV, DEV)
    assert "bank's window" in spec(table)
    assert (table.session.course.step, table.statuses["01-01"]) == (here, "completed")


def test_an_edit_before_it_is_confirmed_is_what_counts(table: Harness) -> None:
    ts = THREAD[1].ts
    table.edit(ts, "Because of the bank's maintenance.", DEV)
    assert table.said == []
    press(table, "confirm-mine", DEV, DEV)
    assert table.said == ["Because of the bank's maintenance."]
    table.edit(ts, "Because of the bank's deadline.", DEV)
    assert table.said == ["Because of the bank's deadline."]
    table.delete(ts, DEV)
    assert table.said == []


def test_a_message_that_is_deleted_or_made_a_comment_is_proposed_no_more(table: Harness) -> None:
    table.delete(THREAD[1].ts, DEV)
    table.edit(THREAD[2].ts, "// never mind", OPS)
    assert [each.outcome for each in table.session.proposals] == ["", "gone", "gone"]
    for who in (DEV, OPS):
        assert press(table, "confirm-mine", who, who) == "unknown-choice"
    assert table.said == []


def test_not_an_answer_leaves_it_out(table: Harness) -> None:
    table.take(AnswerTakenOut(OPS, 0.0, CHANNEL, THREAD[1].ts))
    assert table.reply == "not-your-answer"
    table.take(AnswerTakenOut(DEV, 0.0, CHANNEL, THREAD[1].ts))
    assert table.reply == "left-out"
    assert proposal_of(table, DEV).outcome == "left-out"


def test_a_credential_that_was_said_there_is_nowhere(tmp_path: Path) -> None:
    hidden = said(250, f"The token is {SECRET}.")
    table = taken(tmp_path, ThreadSaid((*THREAD, hidden)))
    assert len(table.session.proposals) == len(THREAD)
    assert table.session.unproposed
    assert SECRET not in "\n".join(table.snapshot())


def test_of_a_long_thread_the_first_are_taken_and_the_message_it_began_with(
    tmp_path: Path,
) -> None:
    thread = tuple(said(number, f"Point {number}.") for number in range(1, 30))
    table = small_table(tmp_path)
    table.outbox_worker.threads = Threads([ThreadSaid(thread)])
    table.start(origin=Origin(thread[20].ts, thread[0].ts))
    texts = [each.text for each in table.runtime.reader.proposed(table.session)]
    assert len(texts) == PROPOSALS_MAX
    assert texts[:2] == ["Point 21.", "Point 1."]
    assert table.session.unproposed


def test_a_thread_that_cannot_be_read_is_said_and_stops_nobody(tmp_path: Path) -> None:
    for number, answer in enumerate((Refused("missing_scope"), Unclear("timeout"))):
        table = taken(tmp_path / str(number), answer)
        assert [line.kind for line in table.shown(fx.Say)] == ["thread-unread"]
        assert table.session.proposals == ()
        table.answer()
        assert table.session.course.done == ("01-01",)


def test_where_slack_has_no_time_it_is_asked_again(tmp_path: Path) -> None:
    table = taken(tmp_path, Later("ratelimited", 30.0), ThreadSaid(THREAD))
    assert table.session.proposals == ()
    table.pass_time(29)
    assert table.session.proposals == ()
    table.pass_time(2)
    assert len(table.session.proposals) == 3


def test_a_thread_that_is_read_twice_is_proposed_once(tmp_path: Path) -> None:
    """The process ends after the answer came, before it was written down."""
    table = small_table(tmp_path)
    table.outbox_worker.threads = Threads([ThreadSaid(THREAD), ThreadSaid(THREAD)])
    table.start(origin=Origin(ROOT, ROOT))
    before = table.session
    assert before.origin is not None
    assert before.origin.task is not None
    again = ThreadRead(0.0, before.origin.task, before.proposals[0].step, THREAD)
    table.runtime.apply(table.id, again)
    assert table.session == before


def test_a_process_that_ends_before_it_looked_leaves_that_to_the_next(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    event = on.SessionRequested(
        OWNER, 0.0, SessionId("s2"), RunId("r2"), "seed-2", TEAM, CHANNEL, "Another", "Another",
        origin=Origin(ROOT, ROOT),
    )  # fmt: skip
    table.runtime.handle(event, team=TEAM)
    again = table.again()
    again.id = SessionId("s2")
    again.outbox_worker.threads = Threads([ThreadSaid(THREAD)])
    again.settle()
    assert len(again.session.proposals) == 3


def test_a_credential_in_an_edit_of_what_waits_is_dropped_and_halts_nothing(table: Harness) -> None:
    table.edit(THREAD[1].ts, f"Because of {SECRET}.", DEV)
    assert table.reply == "halted-now"
    assert table.session.status == "asking"
    assert proposal_of(table, DEV).outcome == "gone"
    assert "ERR-SEC-001" in table.codes
    assert SECRET not in "\n".join(table.snapshot())


def test_a_credential_in_an_edit_of_what_counts_halts(table: Harness) -> None:
    press(table, "confirm-mine", DEV, DEV)
    table.edit(THREAD[1].ts, f"Because of {SECRET}.", DEV)
    assert table.session.status == "halted"
    assert SECRET not in "\n".join(table.snapshot())


def test_in_a_pause_it_is_kept_and_read_when_it_goes_on(table: Harness) -> None:
    table.click("pause")
    press(table, "confirm-mine", DEV, DEV)
    assert table.said == ["Because of the bank's window."]
    assert table.session.status == "paused"
    table.resume()
    assert "bank's window" in spec(table)


def test_where_nothing_goes_on_any_more_it_is_said(table: Harness) -> None:
    table.take(on.DamageFound(0.0, "ERR-DATA-002", "a rule"))
    assert press(table, "confirm-mine", DEV, DEV) == "is-halted"
    table.cancel()
    assert press(table, "confirm-mine", DEV, DEV) == "unknown-choice"
    assert table.said == []


def test_an_empty_thread_proposes_nothing(tmp_path: Path) -> None:
    table = taken(tmp_path, ThreadSaid(()))
    assert table.session.proposals == ()
    assert table.shown(fx.ShowProposals) == table.shown(fx.Say) == []


def test_what_another_session_has_taken_as_an_answer_stays_its_own(table: Harness) -> None:
    press(table, "confirm-mine", DEV, DEV)
    first = table.id
    table.outbox_worker.threads = Threads([ThreadSaid(THREAD)])
    table.id = SessionId("s2")
    table.start("Another title", origin=Origin(ROOT, ROOT), run=RunId("r2"))
    press(table, "confirm-mine", DEV, DEV)
    assert table.said == ["Because of the bank's window."]
    table.edit(THREAD[1].ts, "Because of the auditors.", DEV)
    assert [each.text for each in table.runtime.reader.answers(first)] == [
        "Because of the auditors."
    ]
    assert table.said == ["Because of the bank's window."]
