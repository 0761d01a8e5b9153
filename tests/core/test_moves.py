"""The table of legal moves, and every status met with every event."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from core.brains.tasks import LaunchError
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Draft
from core.domain.ids import (
    AnswerId,
    ChannelId,
    FaultId,
    MenuId,
    PersonaKey,
    RunId,
    SessionId,
    Slug,
    StepId,
    TaskId,
    Ts,
    UserId,
)
from core.domain.lines import Correction, line_of, lines_mark
from core.domain.party.contributions import Contribution
from core.domain.session.course import ENDED, Status
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.session import Session
from core.domain.steps.playbook import Playbook
from core.engine.decide import HANDLERS, decide
from core.engine.kernel.situation import Situation
from core.engine.moves import CHOICES, NEXT, legal_targets
from tests.support.fakes import CHANNEL, DEV, OWNER, TEAM
from tests.support.harness import Harness, small_table
from tests.support.state_diagrams import MAIN_ROAD, choices_table, diagram, overview

DOCS = Path(__file__).parents[2] / "docs"
STATES = DOCS / "reference" / "states.md"
FIRST = StepId("01-01")
REFUSED = frozenset({on.SessionRequested})  # has no session yet


def test_the_diagram_of_the_docs_is_the_table() -> None:
    assert f"```mermaid\n{diagram()}\n```" in STATES.read_text()


def test_the_choices_of_the_docs_are_the_table() -> None:
    assert f"\n{choices_table()}\n" in STATES.read_text()


def test_the_main_road_of_the_architecture_page_is_drawn_from_the_table() -> None:
    page = (DOCS / "explanation" / "architecture.md").read_text()
    assert f"```mermaid\n{overview()}\n```" in page
    assert overview().count("-->") == len(MAIN_ROAD) + 1, "every arrow of it is a move"


def test_every_status_and_every_event_is_in_the_table() -> None:
    assert set(NEXT) == {None, *get_args(Status)}
    listed = {event for row in NEXT.values() for event in row}
    assert listed == set(get_args(on.Event))


def test_every_event_of_a_session_has_one_place_that_carries_it_out() -> None:
    decided_before = {on.SessionRequested, on.DeletionRequested}
    assert set(HANDLERS) == set(get_args(on.Event)) - decided_before


def test_every_status_is_reached_from_another() -> None:
    reached = {
        to for status, row in NEXT.items() for targets in row.values() for to in targets - {status}
    }
    assert reached == set(get_args(Status))


LEFT_BY = {  # what has ended, and who may lead out of it
    ("completed", on.SessionResumed),
    ("cancelled", on.SessionResumed),
    ("halted", on.ChoiceMade),
    ("halted", on.SessionCancelled),
}


def test_what_has_ended_is_left_by_resuming_it_or_by_the_menu_of_a_halt() -> None:
    for status in ENDED:
        for event, targets in NEXT[status].items():
            assert (status, event) in LEFT_BY or targets == {status}, (status, event)


# ── choices ──


def clicked(status: Status, menu: Menu) -> tuple[Session, on.ChoiceMade, Situation]:
    session = Session(
        SessionId("s"), RunId("r"), TEAM, CHANNEL, OWNER, Slug("slug"), "Title", "", "", "",
        status=status,
    )  # fmt: skip
    click = on.ChoiceMade(OWNER, 0.0, menu.id, menu.choices[0], CHANNEL)
    return session, click, Situation(session, menu=menu)


@pytest.mark.parametrize("status", get_args(Status))
@pytest.mark.parametrize("kind", get_args(MenuKind))
def test_a_choice_that_is_not_in_the_table_changes_nothing_and_says_why(
    status: Status, kind: MenuKind
) -> None:
    menu = Menu(MenuId("m"), SessionId("s"), kind, ("a-choice",))
    if kind in CHOICES[status]:
        assert legal_targets(status, clicked(status, menu)[1], menu)
        return
    session, click, situation = clicked(status, menu)
    transition = decide(situation, click, Playbook((), {}))
    assert (transition.session, transition.records, transition.effects) == (session, (), ())
    assert transition.reply is not None
    assert transition.reply.kind == NOT_NOW.get(status, "unknown-choice")


NOT_NOW = {
    "starting": "busy",
    "opening": "busy",
    "debating": "busy",
    "paused": "is-paused",
    "completed": "ended-thread",
    "halted": "is-halted",
}


def test_in_an_interrupted_session_a_menu_of_the_step_can_only_be_cancelled_on() -> None:
    menu = Menu(MenuId("m"), SessionId("s"), "escalation", ("retry", "cancel"))
    for status in ("opening", "paused"):
        _, retry, _ = clicked(status, menu)
        assert legal_targets(status, retry, menu) is None
        assert legal_targets(status, replace(retry, choice="cancel"), menu) == {status, "cancelled"}


def test_a_menu_that_is_used_or_another_sessions_is_never_legal() -> None:
    menu = Menu(MenuId("m"), SessionId("s"), "step", ("continue",))
    session, click, _ = clicked("choosing", menu)
    used = replace(menu, state="used", used_by=DEV, chosen="skip")
    assert decide(Situation(session, menu=used), click, Playbook((), {})).reply == fx.Reply(
        "used-menu", {"by": DEV, "choice": "skip"}
    )
    for situation, event in (
        (Situation(session, menu=replace(menu, session=SessionId("other"))), click),
        (Situation(session, menu=menu), replace(click, channel=ChannelId("C9"))),
        (Situation(session), click),
    ):
        assert decide(situation, event, Playbook((), {})).reply == fx.Reply("gone")


# ── sessions in every status ──


def starting(table: Harness) -> None:
    table.stage.outcomes = [later()]
    table.start()


def later():  # type: ignore[no-untyped-def]
    from core.ports import Later

    return Later("ratelimited", 1e6)


def opening(table: Harness) -> None:
    table.start()
    table.say("Because.")
    table.runtime.handle(table.choice("continue"), team=TEAM)


def asking(table: Harness) -> None:
    table.start()


def choosing(table: Harness) -> None:
    table.start()
    table.say("Because.")


def debating(table: Harness) -> None:
    """A party whose members cannot be launched: its menu is open."""
    table.start(flow="inception", mode="party")


def refusing(_: object) -> Contribution:
    raise LaunchError("nobody can be launched")


def paused(table: Harness) -> None:
    choosing(table)
    table.click("pause")


def completed(table: Harness) -> None:
    table.start()
    table.finish()


def cancelled(table: Harness) -> None:
    choosing(table)
    table.cancel()


def halted(table: Harness) -> None:
    choosing(table)
    table.take(on.DamageFound(table.clock.now(), "ERR-DATA-002", "a rule"))


def refused(table: Harness) -> None:
    table.stage.refuse["PostCard"] = "not_invited"
    table.start()
    table.stage.refuse.clear()


ARRANGED: dict[Status, Callable[[Harness], None]] = {
    "starting": starting,
    "opening": opening,
    "asking": asking,
    "choosing": choosing,
    "debating": debating,
    "paused": paused,
    "completed": completed,
    "cancelled": cancelled,
    "halted": halted,
    "refused": refused,
}


def events_of(table: Harness, menu: MenuId, said: on.MessagePosted | None) -> list[on.Event]:
    """One of each kind that fits, and some that do not."""
    at = table.clock.now()
    session = table.session
    step = session.course.step or FIRST
    ts = said.ts if said else table.stage.next_ts()
    root = table.stage.next_ts()
    if table.runtime.reader.thread(table.id, session.course.thread):
        root = table.thread()
    lines = [claim for claim in table.runtime.reader.claims(table.id) if claim.step == step]
    mark, said_there = lines_mark(lines), next(filter(None, map(line_of, lines)), None)
    corrections = (Correction(step, said_there, "note", DEV, at),) if said_there else ()
    clicks = ("continue", "accept", "skip-step", "back", "pause", "cancel", "depth:deep", "confirm")
    return [
        table.message("One thing more.", thread=root),
        table.message("c", thread=root),
        table.message("deep", thread=root),
        on.MessageEdited(OWNER, at, CHANNEL, ts, table.stage.next_ts(), "Because of it."),
        on.MessageDeleted(OWNER, at, CHANNEL, ts),
        on.AnswerTakenOut(OWNER, at, CHANNEL, ts),
        on.AnswerTakenOut(OWNER, at, CHANNEL, Ts("1.1")),
        on.AnswerTakenOut(UserId("U9"), at, CHANNEL, ts),
        *(on.ChoiceMade(DEV, at, menu, choice, CHANNEL) for choice in clicks),
        on.ChoiceMade(OWNER, at, menu, "cancel", ChannelId("C9")),
        *(
            on.ReactionChanged(DEV, at, CHANNEL, ts, "-1", table.stage.next_ts(), on=one)
            for one in (True, False)
        ),
        on.DifferenceGiven(DEV, at, menu, AnswerId(f"{CHANNEL}:{ts}"), "The bank decides."),
        on.DifferenceSettled(OWNER, at, menu, AnswerId(f"{CHANNEL}:{ts}"), "both", "Both do."),
        on.DeciderNamed(OWNER, at, menu, DEV),
        on.LinesSorted(DEV, at, step, "", ()),
        on.LinesSorted(DEV, at, step, mark, corrections),
        on.DepthChosen(DEV, at, "deep"),
        on.PauseRequested(DEV, at),
        on.SessionResumed(DEV, at),
        on.SessionResumed(DEV, at, if_stopped=True),
        on.SessionCancelled(DEV, at),
        on.SessionCancelled(DEV, at, admin=False),
        on.SessionCancelled(OWNER, at),
        on.SessionCancelled(OWNER, at, sure=True),
        on.ExportRequested(DEV, at),
        on.DeletionRequested(DEV, at, sure=True),
        on.DeletionRequested(OWNER, at),
        *([] if session.course.phase else [on.FlowOpened(at, None, (), on.FolderFound("new"))]),
        on.PostDelayed(at, "PostPrompt", "timeout", 5, 15.0),
        on.StatePreserved(at, "", FaultId("f")),
        on.Diagnosed(at, TaskId("t"), step, "sonnet", False, "Nothing."),
        on.ReportWritten(at, step, ""),
        on.DamageFound(at, "ERR-DATA-001", "a row"),
        *(
            [on.SecretFound(OWNER, at, "answer", ("a token",), table.message("x", thread=root))]
            if session.course.thread
            else []
        ),
        on.CardPosted(at),
        on.PostRefused(at, "PostPrompt", "is_archived", reason="archived"),
        on.PostRefused(at, "PostCard", "not_in_channel", reason="not_invited"),
        on.PhaseOpened(at, session.course.phase or table.library.phases("analysis")[0].key, ()),
        on.StepOpened(at, opened(table), step),
        on.QuietPassed(at, step),
        on.ReminderDue(at, step),
        on.TakeBackPassed(at),
        on.BrainReplied(at, session.reading.task or TaskId("t"), step, Draft("Nothing.", ()), ()),
        on.BrainFailed(at, session.reading.task or TaskId("t"), step, "crash"),
        on.FolderWritten(at, step, (on.FileFault("ERR-ART-002", "a.md"),)),
        on.FolderWritten(at, None),
        on.TeamDeleted(at, ok=False),
        on.StateWritten(at, ok=False),
        on.TeamRefused(at, "a reason"),
        on.Consulted(at, TaskId("t"), Contribution(PersonaKey("p"), "questions", "Why?")),
        on.ConsultFailed(at, TaskId("t"), "error"),
        on.DeadlinePassed(at, TaskId("t")),
        on.QuestionsMerged(at, TaskId("t"), ()),
        on.ThreadRead(at, TaskId("t"), step, ()),
    ]


def opened(table: Harness):  # type: ignore[no-untyped-def]
    phase = table.library.phases("analysis")[0].key
    personas = frozenset(each.key for each in table.library.personas("analysis"))
    return table.library.open_step("analysis", phase, "01-a.md", personas)


@pytest.mark.parametrize("status", get_args(Status))
def test_an_event_stays_within_the_table_and_one_that_is_not_in_it_changes_nothing(
    tmp_path: Path, status: Status
) -> None:
    party = status == "debating"
    table = Harness(tmp_path, table=refusing) if party else small_table(tmp_path)
    ARRANGED[status](table)
    table.close()
    table.runtime.database.__init__(f"sqlite:///{tmp_path}/table.db")  # type: ignore[misc]
    saved = (tmp_path / "table.db").read_bytes()
    reply_kinds: set[str] = set()
    for number in range(len(list_of(table))):
        before = table.session
        assert before.status == status
        event = list_of(table)[number]
        rows = table.snapshot()
        handled = table.runtime.handle(event, team=TEAM, session=table.id)
        after = table.session
        legal = NEXT[status].get(type(event))
        if legal is None:
            assert table.snapshot() == rows or isinstance(event, on.MessageDeleted), event
        else:
            assert after.status in legal, event
        if handled.reply is not None:
            reply_kinds.add(handled.reply.kind)
        restore(table, tmp_path, saved)
    assert reply_kinds <= set(get_args(fx.ReplyKind))


def list_of(table: Harness) -> list[on.Event]:
    session = table.session
    menu = session.menus.current or session.menus.prompt or MenuId("m-none")
    answers = table.runtime.reader.answers(table.id)
    said = table.message("", ts=answers[0].ts, thread=answers[0].ts) if answers else None
    return events_of(table, menu, said)


def restore(table: Harness, folder: Path, saved: bytes) -> None:
    """The database as it was, for the next event."""
    table.close()
    for extra in folder.glob("table.db-*"):
        extra.unlink()
    (folder / "table.db").write_bytes(saved)
    table.runtime.database.__init__(f"sqlite:///{folder}/table.db")  # type: ignore[misc]


def test_a_start_is_the_only_thing_that_needs_no_session(tmp_path: Path) -> None:
    assert set(NEXT[None]) == REFUSED
    table = small_table(tmp_path)
    before = table.snapshot()
    for event in (
        on.SessionResumed(OWNER, 0.0),
        on.SessionCancelled(OWNER, 0.0),
        on.ExportRequested(OWNER, 0.0),
        on.DepthChosen(OWNER, 0.0, "deep"),
    ):
        table.runtime.handle(event, team=TEAM, session=SessionId("s-none"))
        table.runtime.handle(event, team=TEAM)
    assert table.snapshot() == before
    table.start(run=RunId("r9"))
    assert table.session.status == "asking"
