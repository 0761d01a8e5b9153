"""Whatever people do, in whatever order: the promises of a session hold after every commit."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from core.brains.facilitator import Facilitator
from core.brains.tasks import BrainError
from core.domain import effects as fx
from core.domain import events as on
from core.domain.assumptions import assumptions
from core.domain.events import Event
from core.domain.ids import StepId, Ts
from core.domain.session.course import ENDED, Status
from core.domain.session.session import Session
from core.engine.flow.reminders import CHOICES, DAY_S, TIMER
from core.engine.moves import NEXT
from core.store.journal.replay import replayed
from tests.support.fakes import CHANNEL, DEV, FACILITATOR, OWNER, Thinking
from tests.support.harness import Harness, small_table
from tests.support.rows import run_query

KINDS: dict[str, type[Event]] = {event.__name__: event for row in NEXT.values() for event in row}
NO_MESSAGES = frozenset({"proposed", "confirmed"})
TEXTS = (
    "Because.",
    "Assumption: it is small.",
    "c",
    "s",
    "amend",
    "deep",
    "// no",
    "",
    "📎",
    "As a user I want it",
)


class Watch:
    """Looks at every commit: which event it was, and what became of the session."""

    def __init__(self) -> None:
        self.table: Harness | None = None
        self.place = 0
        self.before: tuple[Status | None, StepId | None] = (None, None)
        self.seen: list[str] = []

    def __call__(self, _: str) -> None:
        if self.table is None:
            return
        row = run_query(
            self.table.runtime.database,
            "SELECT place, kind, by FROM journal WHERE session = ? ORDER BY place DESC LIMIT 1",
            (self.table.id,),
        ).fetchone()
        if row is None or row[0] == self.place:
            return
        place, kind, by = row
        assert place == self.place + 1, "one event, one commit"
        self.place = place
        session = self.table.session
        self._check(session, kind, by)
        self.before = (session.status, session.course.step)
        self.seen.append(kind)

    def _check(self, session: Session, kind: str, by: str | None) -> None:
        status, step = self.before
        assert session.status in NEXT[status][KINDS[kind]], (self.before, kind, session.status)
        moved = step != session.course.step and status in ("asking", "choosing", "paused")
        if moved and not (kind == "BrainFailed" and is_given_up(session, step)):
            assert by is not None, f"{kind} moved {step} to {session.course.step}"


def is_given_up(session: Session, step: StepId | None) -> bool:
    """True if the phase of a step could not be run (ERR-INT-001): then the flow goes on."""
    phases = session.course.phases
    return any(phase.key[:2] == str(step)[:2] and phase.status == "failed" for phase in phases)


def assert_promises(table: Harness) -> None:
    session, database = table.session, table.runtime.database
    posts = Counter(post.target for post in table.stage.posts)
    assert max(posts.values()) == 1, "a post appears once"
    known = {
        session.menus.current,
        session.menus.prompt,
        session.menus.stale,
        session.menus.assumptions,
        session.menus.follow_up,
    }
    known.add(session.waiting.menu)
    open_menus = {
        row[0]
        for row in run_query(
            database,
            """SELECT id FROM menus WHERE state = 'open'
               AND json_extract(doc, '$.kind') <> 'put-back'""",  # stands in an ephemeral
        )
    }
    assert session.status in ENDED or open_menus <= known, "no button is dead"
    assert session.status in ENDED or {menu for menu in known if menu} <= open_menus
    current = run_query(database, "SELECT id, sum(current) FROM answers GROUP BY id").fetchall()
    assert all(number == 1 for _, number in current), "one revision counts"
    meta = json.loads((table.folder() / "meta.json").read_text())
    if session.status in ("choosing", "completed"):
        assert set(meta["steps_completed"]) == set(session.course.done)
    if session.status == "choosing":
        assert session.menus.current is not None
        assert session.course.step in session.course.done
    if session.status in ("asking", "choosing") and session.reading.task is not None:
        raise AssertionError("settled, and still reading")
    assert table.runtime.outbox.pending(table.clock.now()) == 0
    reminded = [each.at for each in table.shown(fx.PostReminder)]
    assert all(later - sooner >= DAY_S for sooner, later in pairwise(reminded)), "one a day"
    due = [each for each in table.runtime.outbox.timers_due(float("inf")) if each.kind == TIMER]
    assert [each.due for each in due] == (
        [] if session.waiting.due is None else [session.waiting.due]
    )
    assert not due or (session.awaited and session.status in ("asking", "choosing"))


Act = tuple[str, int]
ACTS: dict[str, Callable[[Harness, int], object]] = {
    "say": lambda table, n: table.say(TEXTS[n % len(TEXTS)], (OWNER, DEV)[n % 2]),
    "answer": lambda table, n: table.say("Because.", (OWNER, DEV)[n % 2]),
    "forward": lambda table, n: forward(table),
    "click": lambda table, n: click(table, n),
    "old click": lambda table, n: old_click(table, n),
    "edit": lambda table, n: on_answer(table, n, lambda ts: table.edit(ts, TEXTS[-n % len(TEXTS)])),
    "delete": lambda table, n: on_answer(table, n, table.delete),
    "take out": lambda table, n: on_answer(table, n, lambda ts: take_out(table, ts, n)),
    "put back": lambda table, n: put_back(table, n),
    "resume": lambda table, n: table.resume(DEV),
    "depth": lambda table, n: table.take(on.DepthChosen(DEV, table.clock.now(), "brief")),
    "wait": lambda table, n: table.pass_time(10),
    "sleep on it": lambda table, n: table.pass_time(20_000 * (n + 1)),
    "sum up": lambda table, n: sum_up(table),
    "assumption": lambda table, n: assumption(table, n),
    "put off": lambda table, n: put_off(table, n),
}


def sum_up(table: Harness) -> None:
    """To the end of the phase, with an assumption at each step."""
    for _ in range(4):
        if table.session.status in ("asking", "choosing") and not table.session.menus.assumptions:
            table.say(f"Assumption: it is small.\nIt takes {len(table.said)} days.")
            if not table.session.menus.assumptions:
                forward(table)


def assumption(table: Harness, number: int) -> None:
    """Somebody settles one of those that the phase has, whether it can be just now or not."""
    every = assumptions(table.session.course.steps, table.runtime.reader.claims(table.id))
    if every and (menu := table.session.menus.assumptions):
        verb, by = ("right", "wrong")[number % 2], (OWNER, DEV)[number % 3 % 2]
        table.click(f"{verb}:{every[number % len(every)].key}", by, menu=menu)


def put_off(table: Harness, number: int) -> None:
    if menu := table.session.waiting.menu:
        table.click(CHOICES[number % len(CHOICES)], (OWNER, DEV)[number % 2], menu=menu)


def forward(table: Harness) -> None:
    if table.session.status == "choosing":
        table.forward()


def click(table: Harness, number: int) -> None:
    choices = [
        (menu.id, choice) for menu in table.menus for choice in menu.choices if choice != "cancel"
    ]
    if choices:
        menu, choice = choices[number % len(choices)]
        table.click(choice, (OWNER, DEV)[number % 2], menu=menu)


def old_click(table: Harness, number: int) -> None:
    rows = run_query(table.runtime.database, "SELECT id FROM menus ORDER BY id").fetchall()
    before = table.session
    menu = rows[number % len(rows)][0]
    if menu not in before.menus.ids:
        table.click("continue", menu=menu)
        assert table.session == before, "a menu acts once"


def take_out(table: Harness, ts: Ts, number: int) -> None:
    by = (OWNER, DEV)[number % 2]
    table.take(on.AnswerTakenOut(by, table.clock.now(), CHANNEL, ts))


def put_back(table: Harness, number: int) -> None:
    rows = run_query(
        table.runtime.database,
        """SELECT id, json_extract(doc, '$.choices[0]') FROM menus
           WHERE json_extract(doc, '$.kind') = 'put-back' ORDER BY id""",
    ).fetchall()
    if rows:
        menu, choice = rows[number % len(rows)]
        table.click(choice, (OWNER, DEV)[number % 2], menu=menu)


def on_answer(table: Harness, number: int, act: Callable[..., object]) -> None:
    answers = [
        each for each in table.runtime.reader.answers(table.id) if each.source not in NO_MESSAGES
    ]
    if answers:
        act(answers[number % len(answers)].ts)


# Half of them begin where a phase ends: few would come that far by themselves.
PLAYS = st.builds(
    lambda at_the_end, acts: [("sum up", 0), *acts] if at_the_end else acts,
    st.booleans(),
    st.lists(
        st.tuples(st.sampled_from(["forward", "answer", *ACTS]), st.integers(0, 59)), max_size=14
    ),
)


@given(
    PLAYS,
    st.sampled_from([0.0, 5.0]),
    st.sampled_from([0.0, 3_600.0, 86_400.0]),
    st.lists(st.booleans(), max_size=4),
)
def test_the_promises_hold_whatever_people_do(
    play: list[Act], quiet_s: float, remind_s: float, failures: list[bool]
) -> None:
    watch = Watch()
    brain = Thinking([BrainError("invalid") if failed else None for failed in failures])
    with TemporaryDirectory() as name:
        table = small_table(
            Path(name),
            quiet_s=quiet_s,
            remind_s=remind_s,
            checkpoint=watch,
            brains={None: brain, FACILITATOR: Facilitator()},
        )
        watch.table = table
        table.start()
        for act, number in play:
            ACTS[act](table, number)
            assert_promises(table)
        assert replayed(table.runtime.database, table.id).differences == ()
        table.close()
    assert watch.seen
