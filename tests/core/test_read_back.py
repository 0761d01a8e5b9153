"""Threads that are read back: what comes of them, what may come in meanwhile, and what may not."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from core.clock import SystemClock
from core.domain import events as on
from core.domain.deliveries import delivery_key
from core.domain.ids import ChannelId, SessionId, TeamId, Ts, UserId
from core.domain.thread_range import ReactedBy, ThreadMessage, ThreadPage
from core.ports import Later, Limit, Refused, Sent, Unclear, Workspace
from core.runtime.commit import DELIVERY_KEPT_S
from core.runtime.pacing import Pacing
from core.runtime.read_back import PAGES_MAX, ReadBack
from tests.core.test_halting import LEAK
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import CHANNEL, DEV, OWNER, TEAM, DrivenClock
from tests.support.harness import Cast, Harness, small_table

pytestmark = EACH_DATABASE

Answer = ThreadPage | Refused | Later | Unclear
SETTLE_S = 3.0


@dataclass
class WaitingClock:
    """The table's clock; it moves when the reader waits, and for nobody else."""

    clock: DrivenClock

    def now(self) -> float:
        return self.clock.now()

    def wait(self, condition: threading.Condition, until: float | None) -> None:
        assert until is not None
        self.clock.time = max(self.clock.time, until)


@dataclass
class FakePages:
    """Slack's threads: messages by ts, given in pages; what is planned is answered first."""

    messages: dict[Ts, ThreadMessage] = field(default_factory=dict)
    planned: list[Answer] = field(default_factory=list)
    size: int = 100
    keeps_prompt: bool = True  # False: it is older than what the workspace keeps
    asked: list[tuple[Ts, Ts, str]] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None  # what happens once a page was made up
    now: Callable[[], float] = lambda: 0.0
    asked_at: list[tuple[TeamId, float]] = field(default_factory=list)

    def page(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts, since: Ts, cursor: str
    ) -> Answer:
        self.asked.append((thread_ts, since, cursor))
        self.asked_at.append((team, self.now()))
        if self.planned:
            return self.planned.pop(0)
        rows = sorted(
            (
                message
                for message in self.messages.values()
                if float(message.ts) > float(since)
                and (message.posted is None or message.posted.thread_ts == thread_ts)
            ),
            key=lambda message: float(message.ts),
        )
        begin = int(cursor or 0)
        start = ThreadMessage(since if self.keeps_prompt else thread_ts)
        page = (start, *rows[begin : begin + self.size])
        more = str(begin + self.size) if begin + self.size < len(rows) else ""
        self.meanwhile()
        return ThreadPage(page, more)

    def hold(self, event: on.MessagePosted, *reactions: ReactedBy) -> on.MessagePosted:
        """That message stands in its thread."""
        self.messages[event.ts] = ThreadMessage(event.ts, event, reactions)
        return event


@dataclass
class Away:
    table: Harness
    pages: FakePages

    def read(self, **more: Any) -> None:
        self.reader(**more).read_all()
        self.table.settle()

    def reader(self, **more: Any) -> ReadBack:
        return ReadBack(
            self.table.runtime, self.pages,
            **{
                "clock": WaitingClock(self.table.clock), "pace_s": 0.0, "settle_s": SETTLE_S, **more
            },
        )  # fmt: skip

    def say(self, text: str, by: UserId = OWNER) -> on.MessagePosted:
        """Said while the bot listens."""
        event = self.table.message(text, by)
        self.table.take(event, keys=[delivery_key(TEAM, event)])
        return self.pages.hold(event)

    def write(self, text: str, by: UserId = DEV) -> on.MessagePosted:
        """Written while it does not."""
        return self.pages.hold(self.table.message(text, by))

    def forget_keys(self) -> None:
        """Three days later, after a start."""
        self.table.clock.forward(DELIVERY_KEPT_S + 60)
        self.table.runtime.prune()


@pytest.fixture
def away(tmp_path: Path) -> Away:
    table = small_table(tmp_path)
    table.start()
    table.clock.forward(10)
    return Away(table, FakePages())


# ── what people did ──


def test_what_was_written_is_an_answer_once_however_often_it_is_read(away: Away) -> None:
    away.write("Read back.")
    for _ in range(2):
        away.read()
    assert away.table.said == ["Read back."]
    away.forget_keys()
    away.read()
    assert away.table.said == ["Read back."]


@pytest.mark.parametrize("live_first", [True, False])
def test_a_message_that_comes_both_ways_counts_once(away: Away, live_first: bool) -> None:
    event = away.write("Both ways.")

    def deliver() -> None:
        away.table.take(event, keys=[delivery_key(TEAM, event)])

    for act in (deliver, away.read) if live_first else (away.read, deliver):
        act()
    assert away.table.said == ["Both ways."]


def test_an_edit_is_a_revision_and_an_older_one_that_comes_late_loses(away: Away) -> None:
    event = away.say("First words.")
    away.pages.hold(replace(event, text="Last words.", edited_ts=away.table.stage.next_ts()))
    away.read()
    older = on.MessageEdited(OWNER, 0.0, CHANNEL, event.ts, event.ts, "Words in between.")
    away.table.take(older)
    away.read()
    assert away.table.said == ["Last words."]
    (answer,) = away.table.runtime.reader.answers(away.table.id)
    assert answer.revision == 2


def test_an_answer_that_became_a_remark_or_empty_is_withdrawn(away: Away) -> None:
    for text in ("// a remark", ""):
        event = away.say("It counts.")
        edited = away.table.stage.next_ts()
        away.pages.hold(replace(event, text=text, edited_ts=edited))
    away.read()
    assert away.table.said == []


def test_an_edit_before_the_message_was_read_back_does_not_bring_old_words(away: Away) -> None:
    event = away.write("Last words.")
    between, last = away.table.stage.next_ts(), away.table.stage.next_ts()
    away.pages.hold(replace(event, edited_ts=last))
    away.read()
    away.table.take(on.MessageEdited(DEV, 0.0, CHANNEL, event.ts, between, "In between."))
    assert away.table.said == ["Last words."]


def test_what_is_gone_is_withdrawn(away: Away) -> None:
    kept, gone = away.say("This stays."), away.say("This goes.", DEV)
    del away.pages.messages[gone.ts]
    away.table.clock.forward(SETTLE_S + 1)
    away.read()
    assert away.table.said == [kept.text]


def test_what_a_workspace_keeps_no_longer_is_not_taken_for_deleted(away: Away) -> None:
    event = away.say("Said long ago.")
    del away.pages.messages[event.ts]
    away.pages.keeps_prompt = False
    away.table.clock.forward(SETTLE_S + 1)
    away.write("Said lately.")
    away.read()
    assert away.table.said == ["Said long ago.", "Said lately."]


def test_reactions_are_compared(away: Away) -> None:
    event = away.say("Liked by one, and no more by another.")
    away.table.take(on.ReactionChanged(DEV, 0.0, CHANNEL, event.ts, "-1", event.ts, on=True))
    away.pages.hold(event, ReactedBy("+1", (UserId("UOPS"), event.by), is_complete=True))
    away.table.clock.forward(1)
    for _ in range(2):
        away.read()
    stances = away.table.runtime.reader.stances(away.table.id)
    assert {stance.by: stance.view for stance in stances} == {DEV: None, UserId("UOPS"): "agrees"}


def test_who_is_not_named_in_a_long_list_of_reactions_may_still_be_in_it(away: Away) -> None:
    event = away.say("Liked by many.")
    away.table.take(on.ReactionChanged(DEV, 0.0, CHANNEL, event.ts, "+1", event.ts, on=True))
    away.pages.hold(event, ReactedBy("+1", (UserId("UOPS"),), is_complete=False))
    away.read()
    stances = away.table.runtime.reader.stances(away.table.id)
    assert {stance.view for stance in stances} == {"agrees"}


def test_nobodys_messages_and_remarks_are_no_answers(away: Away) -> None:
    bot = away.table.message("I am a bot.")
    away.pages.messages[bot.ts] = ThreadMessage(bot.ts)
    away.write("// between us")
    away.write("   ")
    away.read()
    assert away.table.said == []


def test_a_word_is_a_click_while_its_key_would_be_known_and_nothing_later(away: Away) -> None:
    away.say("An answer.")
    away.write("continue")
    away.read()
    assert away.table.session.course.step == "01-02"
    away.write("deep")
    away.forget_keys()
    away.read()
    steps = away.table.session.course.steps
    assert [step.prompt.depth for step in steps if step.id == "01-02"] == ["standard"]
    assert "deep" not in away.table.said


# ── what happens meanwhile ──


def test_an_answer_that_arrives_while_a_thread_is_read_is_not_taken_for_deleted(
    away: Away,
) -> None:
    away.table.clock.forward(SETTLE_S + 1)
    away.pages.meanwhile = lambda: away.say("Just now.")
    away.read(settle_s=-60.0)  # as if it were old enough to be missed
    away.pages.meanwhile = lambda: None
    assert away.table.said == ["Just now."]


def test_an_answer_so_young_that_slack_may_not_show_it_yet_is_not_missed(away: Away) -> None:
    event = away.say("A moment ago.")
    del away.pages.messages[event.ts]
    away.read()
    assert away.table.said == ["A moment ago."]


def test_a_reaction_that_is_delivered_meanwhile_wins(away: Away) -> None:
    event = away.say("Weighed.")
    later = Ts(f"{away.table.clock.now() + 5:.6f}")

    def taken_off() -> None:
        gone = on.ReactionChanged(DEV, 0.0, CHANNEL, event.ts, "+1", later, on=False)
        away.table.take(gone)

    away.pages.hold(event, ReactedBy("+1", (DEV,), is_complete=True))
    away.pages.meanwhile = taken_off
    away.read()
    stances = away.table.runtime.reader.stances(away.table.id)
    assert [stance.view for stance in stances] == [None]


# ── pages ──


def test_pages_are_read_to_the_end_from_the_current_prompt_on(away: Away) -> None:
    away.say("Of the first step.")
    away.table.forward()
    away.pages.size = 2
    for number in range(5):
        away.write(f"Answer {number}.")
    away.read()
    assert away.table.said == ["Of the first step.", *(f"Answer {n}." for n in range(5))]
    prompt = away.table.runtime.reader.post(away.table.id, "prompt:01-02:1")
    assert prompt is not None
    assert away.pages.asked == [(away.table.thread(), prompt.ts, at) for at in ("", "2", "4")]


def test_nothing_is_withdrawn_where_the_end_was_not_reached(away: Away) -> None:
    gone = away.say("Not on the first pages.")
    del away.pages.messages[gone.ts]
    away.table.clock.forward(SETTLE_S + 1)
    away.pages.planned = [ThreadPage((), "more")] * PAGES_MAX
    away.read()
    assert away.table.said == ["Not on the first pages."]
    assert len(away.pages.asked) == PAGES_MAX


def test_the_wait_that_slack_asks_for_is_kept(away: Away) -> None:
    away.write("After a wait.")
    began = away.table.clock.now()
    away.pages.planned = [Later("ratelimited", 7.0), Unclear("TimeoutError")]
    away.read()
    assert away.table.clock.now() == began + 7.0 + 5.0
    assert away.table.said == ["After a wait."]


def test_calls_keep_their_distance(away: Away) -> None:
    began = away.table.clock.now()
    away.pages.planned = [ThreadPage((), "1"), ThreadPage((), "2"), ThreadPage(())]
    away.read(pace_s=1.5)
    assert away.table.clock.now() == began + 4.5


# ── which sessions ──


def test_the_most_recently_active_is_read_first_and_one_failure_stops_no_other(
    away: Away,
) -> None:
    first = away.table
    second_id = SessionId("s2")
    first.clock.forward(60)
    first.start("Another item", session=second_id, run="r-s2", seed="s2")
    away.pages.planned = [Refused("thread_not_found")]
    away.write("In the older one.")
    away.read()
    roots = [
        first.runtime.reader.thread(each, first.session.course.thread)
        for each in (second_id, first.id)
    ]
    assert [root.ts for root in roots if root] == [asked[0] for asked in away.pages.asked]
    assert first.said == ["In the older one."]


@pytest.mark.parametrize("end", ["cancel", "pause"])
def test_a_session_that_is_over_is_not_read_and_a_paused_one_is(away: Away, end: str) -> None:
    away.table.cancel() if end == "cancel" else away.table.click("pause")
    away.write("Written afterwards.")
    away.read()
    assert away.table.said == (["Written afterwards."] if end == "pause" else [])
    assert bool(away.pages.asked) == (end == "pause")


@pytest.mark.parametrize("answers", [1, 2])
def test_an_open_menu_notes_that_a_click_may_be_missing(away: Away, answers: int) -> None:
    """On a step's message, and on the summary of a phase."""
    away.say("An answer.")
    if answers == 2:
        away.table.forward()
        away.say("An answer to the last step.")
    away.write("Another one.")
    away.read()
    course = away.table.session.course
    here = next(state for state in course.steps if state.id == course.step)
    assert (away.table.session.status, here.prompt.missed_clicks) == ("choosing", True)
    away.table.forward()
    steps = away.table.session.course.steps
    assert not any(step.prompt.missed_clicks for step in steps if not step.choice.name)


def test_posts_that_are_due_go_first(away: Away) -> None:
    away.table.runtime.handle(
        on.SessionCancelled(OWNER, away.table.clock.now(), sure=True),
        team=TEAM,
        session=away.table.id,
    )
    other = SessionId("s3")
    away.table.start("Beside it", session=other, run="r-s3", seed="s3")
    event = on.ExportRequested(OWNER, away.table.clock.now())
    away.table.runtime.handle(event, team=TEAM, session=other)
    assert away.table.runtime.outbox.head(other, "visible") is not None
    began = away.table.clock.now()
    away.reader().read_all()
    assert away.table.clock.now() >= began + 10.0  # nobody sends anything here: it gave up waiting
    assert away.pages.asked


# ── credentials ──


def test_a_credential_comes_last_so_that_no_answer_is_refused(away: Away) -> None:
    away.write(f"Use {LEAK} for it.")
    away.write("A harmless one.")
    away.read()
    assert away.table.session.status == "halted"
    assert away.table.said == ["A harmless one."]
    assert LEAK not in "".join(away.table.snapshot())


def test_a_message_that_held_a_credential_is_never_taken_in_again(away: Away) -> None:
    away.write(f"Use {LEAK} for it.")
    away.read()
    away.table.click("redact")
    assert away.table.session.status != "halted"
    said = away.table.said
    away.forget_keys()
    away.read()
    assert away.table.session.status != "halted"
    assert away.table.said == said


def test_an_edit_that_brought_a_credential_halts_once(away: Away) -> None:
    event = away.say("Harmless.")
    edited = replace(event, text=f"Use {LEAK}.", edited_ts=away.table.stage.next_ts())
    away.pages.hold(edited)
    away.read()
    assert away.table.session.status == "halted"
    away.table.click("redact")
    away.forget_keys()
    away.read()
    assert away.table.session.status != "halted"
    assert LEAK not in "".join(away.table.snapshot())


# ── where nothing can be read ──


def test_a_missing_scope_is_said_on_the_card_until_it_is_there(away: Away) -> None:
    away.pages.planned = [Refused("missing_scope", "permission_missing")]
    away.read()
    assert away.table.session.read_back_off == "scope"
    away.read()
    assert away.table.session.read_back_off == ""


@pytest.mark.parametrize(
    "answer", [Later("ratelimited", 60.0), ThreadPage((), "more", is_cut=True)]
)
def test_an_app_that_may_read_next_to_nothing_stops_and_says_so(away: Away, answer: Answer) -> None:
    away.pages.planned = [answer]
    began = away.table.clock.now()
    away.read()
    assert away.table.session.read_back_off == "limits"
    assert len(away.pages.asked) == 1
    assert away.table.clock.now() == began


# ── an app that may read one page a minute ──


def page_a_minute(team: TeamId) -> tuple[Limit, ...]:
    return (Limit(f"{team} conversations.replies", 1, 60.0),)


def test_where_a_page_a_minute_is_all_nothing_is_given_up(away: Away) -> None:
    away.pages.now = away.table.clock.now
    away.pages.size = 2
    for number in range(5):
        away.write(f"Answer {number}.")
    away.pages.planned = [Later("ratelimited", 60.0)]
    began = away.table.clock.now()
    away.read(limits=page_a_minute)
    assert away.table.said == [f"Answer {number}." for number in range(5)]
    assert away.table.session.read_back_off == ""
    assert [at - began for _, at in away.pages.asked_at] == [0.0, 60.0, 120.0, 180.0]


@dataclass
class OutboxClock(WaitingClock):
    """While the reader waits, what is due is sent and looked for."""

    table: Harness

    def wait(self, condition: threading.Condition, until: float | None) -> None:
        super().wait(condition, until)
        self.table.settle()


def test_no_page_is_read_before_a_post_in_doubt_was_looked_for(away: Away) -> None:
    table = away.table
    away.say("An answer.")
    table.stage.outcomes = [Sent(), Unclear("timeout")]  # the step's message, then the next prompt
    table.stage.looks = [Unclear("could not look", 60.0)]
    table.forward()
    began = table.clock.now()
    away.pages.now = table.clock.now
    away.read(limits=page_a_minute, clock=OutboxClock(table.clock, table))
    assert table.stage.looks == []
    ((_, read_at),) = away.pages.asked_at
    assert began + 60.0 < read_at < began + 65.0


OTHER = TeamId("T0OTHER")


def test_a_workspace_that_has_to_wait_holds_no_other_up(away: Away) -> None:
    table, pacing = away.table, Pacing()
    table.runtime.save_workspace(Workspace(OTHER, "https://other/", UserId("UBOT2"), "B2"))
    own, table.cast = table.cast, Cast(OTHER)
    table.start("In another one", session=SessionId("s-other"), run="r-o", seed="so")
    table.cast = own
    until = time.time() + 1.0
    pacing.hold(f"{TEAM} conversations.replies", until)
    away.pages.now = time.time
    away.read(limits=page_a_minute, pacing=pacing, clock=SystemClock())
    read_at = dict(away.pages.asked_at)
    assert read_at[OTHER] < until <= read_at[TEAM]
