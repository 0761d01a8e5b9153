"""The command line: what was meant, and what comes of it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.interactions.command_line import SUBCOMMANDS, BadCommand, Command, parse
from bot.interactions.commands import CommandContext, NeedsAdmin, Outcome, run
from bot.views.kit.blocks import Message
from bot.views.kit.wording import WORDING
from core.domain.effects import Reply
from core.domain.events import (
    DeletionRequested,
    ExportRequested,
    SessionCancelled,
    SessionRequested,
    SessionResumed,
)
from core.domain.ids import FaultId, SessionId
from core.domain.session.course import Course
from core.domain.session.halt import Fault
from tests.support.bolt_front import (
    CHANNEL,
    MEMBER,
    NOW,
    OTHER_CHANNEL,
    OWNER,
    WORKSPACE,
    FakeRuntime,
)

# ── parsing ────────────────────────────────────────────────────────────────────────────────────


def analyzed(title: str, **more: object) -> Command:
    return replace(Command("analyze", title=title, text=title), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", Command("help")),
        ("   ", Command("help")),
        ("help", Command("help")),
        ("help me please", Command("help")),
        ("analyze Retry failed payments", analyzed("Retry failed payments")),
        ("ANALYZE Retry", analyzed("Retry")),
        ("analyze Retry --depth deep", analyzed("Retry", depth="deep")),
        ("analyze --depth brief Retry", analyzed("Retry", depth="brief")),
        ("analyze Retry --depth=deep", analyzed("Retry", depth="deep")),
        ("analyze Retry —depth Deep", analyzed("Retry", depth="deep")),
        ("analyze Retry –depth “standard”", analyzed("Retry", depth="standard")),
        ("analyze “Retry payments” --depth deep", analyzed("Retry payments", depth="deep")),
        ('analyze "Retry"', analyzed("Retry")),
        ("analyze Retry — depth matters", analyzed("Retry — depth matters")),
        ("analyze Drop --verbose from the tool", analyzed("Drop --verbose from the tool")),
        ("analyze 🙂", analyzed("🙂")),
        ("analyze\nRetry", analyzed("Retry")),
        ("analyze Retry --script", analyzed("Retry", script_only=True)),
        ("analyze —script Retry", analyzed("Retry", script_only=True)),
        ("analyze Drop the --script flag now", analyzed("Drop the --script flag now")),
        ("enrich", Command("enrich")),
        ("enrich Retry", Command("enrich", slug="retry")),
        ("brain", Command("brain")),
        ("brain Retry", Command("brain", slug="retry")),
        ("resume", Command("resume")),
        ("resume Retry-Payments", Command("resume", slug="retry-payments")),
        ("status", Command("status")),
        ("status --errors", Command("status", errors=True)),
        ("status retry —errors", Command("status", slug="retry", errors=True)),
        ("list", Command("list")),
        ("cancel retry", Command("cancel", slug="retry")),
        ("delete retry --yes", Command("delete", slug="retry", yes=True)),
        ("depth deep", Command("depth", depth="deep")),
        ("export", Command("export")),
        ("export Retry", Command("export", slug="retry")),
        ("export --format html", Command("export", wanted="html")),
        ("export retry —format=MD", Command("export", slug="retry", wanted="markdown")),
        ("export --format all retry", Command("export", slug="retry", wanted="all")),
        ("catchup", Command("catchup")),
        ("catchup Retry-Payments", Command("catchup", slug="retry-payments")),
        ("why FR-001", Command("why", ref="FR-001")),
        ("why fr 1", Command("why", ref="fr-1")),
        ("why is-this?", Command("why", ref="is-this")),
        ("why US-002 Retry-Payments", Command("why", ref="US-002", slug="retry-payments")),
    ],
)
def test_a_line_is_understood(line: str, command: Command) -> None:
    assert parse(line) == command


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("analize this", "There is no subcommand “analize”."),
        ("x" * 3000, f"There is no subcommand “{'x' * 39}…”."),
        ("analyze", "The title is missing."),
        ("why", "The id is missing: FR-001, US-002, NFR-001 or ADR-001, as in a file."),
        ("why --all", "There is no flag --all here."),
        ("why FR-001 one two", "“two” is one word too many."),
        ("analyze “”", "The title is missing."),
        ("analyze --depth deep", "The title is missing."),
        ("analyze Retry --depth", "The depth is missing: brief, standard or deep."),
        ("analyze Retry --depth huge", "“huge” is no depth: it is brief, standard or deep."),
        ("analyze Retry --fast", "There is no flag --fast here."),
        ("depth", "The depth is missing: brief, standard or deep."),
        ("depth huge", "“huge” is no depth: it is brief, standard or deep."),
        ("depth deep now", "“now” is one word too many."),
        ("resume one two", "“two” is one word too many."),
        ("list all", "“all” is one word too many."),
        ("delete --force", "There is no flag --force here."),
        ("export --format", "The format is missing: zip, markdown, html or all."),
        ("export --format pdf", "“pdf” is no format: it is zip, markdown, html or all."),
        ("export one two", "“two” is one word too many."),
        ("export --force", "There is no flag --force here."),
        ("discover", "The title is missing."),
        ("discover --colour Shop", "There is no flag --colour here."),
    ],
)
def test_a_fault_is_named_in_one_line(line: str, fault: str) -> None:
    assert parse(line) == BadCommand(fault)


def test_a_long_text_is_kept_whole_and_gives_a_title_cut_at_a_word() -> None:
    text = "word " * 600
    command = parse(f"analyze {text}\nsecond line")
    assert isinstance(command, Command)
    assert command.text == f"{text}\nsecond line"
    assert len(command.title) <= 150
    assert command.title.endswith(" word…")
    long = parse(f"analyze {'x' * 3000}")
    assert isinstance(long, Command)
    assert long.title == "x" * 149 + "…"


@given(st.text(max_size=400))
def test_any_line_is_a_command_or_a_short_fault(line: str) -> None:
    for typed in (line, f"analyze {line}", f"analyze x {line}", f"status {line}"):
        parsed = parse(typed)
        if isinstance(parsed, BadCommand):
            assert len(parsed.fault) < 200
        else:
            assert len(parsed.title) <= 150
            assert parsed.name != "analyze" or parsed.title


def test_help_shows_every_command() -> None:
    shown = {line.split()[1] for line in WORDING.commands}
    assert shown == SUBCOMMANDS


# ── running ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def runtime() -> FakeRuntime:
    return FakeRuntime()


def asked(runtime: FakeRuntime, **more: object) -> CommandContext:
    ids = iter(["new-session", "new-run", "new-seed"])
    base = CommandContext(
        runtime=runtime,  # type: ignore[arg-type]
        workspace=WORKSPACE,
        by=OWNER,
        channel=CHANNEL,
        at=NOW,
        new_id=lambda: next(ids),
        keys=("cmd:1",),
    )
    return replace(base, **more)  # type: ignore[arg-type]


def told(outcome: Outcome) -> str:
    assert isinstance(outcome, Message)
    return outcome.text


def test_a_start_hands_over_title_text_and_depth(runtime: FakeRuntime) -> None:
    runtime.replies[SessionRequested] = Reply("starting", {"title": "Retry"})
    line = "analyze Retry\nAll of them --depth deep"
    assert "begins" in told(run(parse(line), asked(runtime)))
    (event,) = runtime.events
    assert isinstance(event, SessionRequested)
    assert (event.title, event.text, event.depth) == ("Retry", "Retry\nAll of them", "deep")
    assert runtime.calls[0].keys == ("cmd:1",)


def test_a_fault_starts_nothing_and_points_to_help(runtime: FakeRuntime) -> None:
    words = told(run(parse("analyze"), asked(runtime)))
    assert words.startswith("The title is missing.")
    assert "/roundtable help" in words
    assert runtime.calls == []


def test_without_a_slug_the_newest_unfinished_session_is_meant(runtime: FakeRuntime) -> None:
    runtime.opened("s-1", slug="old")
    runtime.opened("s-2", slug="going")
    runtime.opened("s-3", slug="done", status="completed")
    run(parse("resume"), asked(runtime))
    run(parse("export done"), asked(runtime))
    assert [(type(call.event), call.session) for call in runtime.calls[:1]] == [
        (SessionResumed, "s-2")
    ]


def test_a_finished_session_is_meant_where_there_is_no_other(runtime: FakeRuntime) -> None:
    runtime.opened("s-3", slug="done", status="completed")
    run(parse("export"), asked(runtime))
    assert runtime.calls[0].session == "s-3"
    assert isinstance(runtime.events[0], ExportRequested)
    for line in ("cancel", "depth deep"):
        assert "nothing under way" in told(run(parse(line), asked(runtime)))


@pytest.mark.parametrize("name", ["resume", "status", "cancel", "delete", "export"])
def test_a_session_of_another_channel_reads_exactly_as_an_unknown_one(
    runtime: FakeRuntime, name: str
) -> None:
    runtime.opened("s-2", slug="secret", channel=OTHER_CHANNEL)
    hidden = told(run(parse(f"{name} secret"), asked(runtime)))
    unknown = told(run(parse(f"{name} sacred"), asked(FakeRuntime())))
    assert hidden.replace("secret", "sacred") == unknown
    assert runtime.calls == []


def test_deleting_is_asked_for_and_with_yes_it_is_sure(runtime: FakeRuntime) -> None:
    runtime.opened()
    run(parse("delete retry-payments"), asked(runtime))
    run(parse("delete --yes"), asked(runtime, by=MEMBER, keys=("cmd:2",)))
    assert runtime.events == [
        DeletionRequested(OWNER, NOW),
        DeletionRequested(MEMBER, NOW, sure=True),
    ]


def test_cancelling_someone_elses_session_needs_an_admin(runtime: FakeRuntime) -> None:
    runtime.opened()
    runtime.for_owner.add(SessionCancelled)
    outcome = run(parse("cancel"), asked(runtime, by=MEMBER))
    event = SessionCancelled(MEMBER, NOW)
    assert outcome == NeedsAdmin(SessionId("s-1"), event, ("cmd:1",))
    assert runtime.calls == []
    run(parse("cancel"), asked(runtime, by=MEMBER, admin=lambda _user: False))
    assert runtime.events == [replace(event, admin=False)]


def test_status_and_list_show_this_channel(runtime: FakeRuntime) -> None:
    assert "There is nothing in this channel yet" in told(run(parse("list"), asked(runtime)))
    runtime.opened("s-0", slug="elsewhere", channel=OTHER_CHANNEL)
    runtime.opened()
    listed = told(run(parse("list"), asked(runtime, names=lambda _users: {OWNER: "Priya"})))
    assert "Retry payments" in listed
    assert "Priya" in listed
    assert "lsewhere" not in listed
    runtime.reader.sessions[SessionId("s-1")] = replace(
        runtime.reader.sessions[SessionId("s-1")], course=Course()
    )
    assert "Retry payments" in told(run(parse("status"), asked(runtime)))


def test_status_lists_what_went_wrong(runtime: FakeRuntime) -> None:
    runtime.opened()
    assert "Nothing has gone wrong" in told(run(parse("status --errors"), asked(runtime)))
    fault = Fault(FaultId("f-1"), "ERR-STEP-004", "Step file is malformed", True, NOW)
    runtime.reader.fault_rows[SessionId("s-1")] = (fault,)
    assert "ERR-STEP-004" in told(run(parse("status --errors"), asked(runtime)))


def test_help_is_help(runtime: FakeRuntime) -> None:
    assert "/roundtable analyze" in told(run(parse(""), asked(runtime)))


def test_a_repeated_command_says_nothing_twice(runtime: FakeRuntime) -> None:
    runtime.opened()
    runtime.replies[SessionResumed] = Reply("resuming", {"title": "Retry"})
    assert run(parse("resume"), asked(runtime)) is not None
    assert run(parse("resume"), asked(runtime)) is None
