"""Visible effects on the local workspace: where messages go, what they say, what is found again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest
from slack_sdk import WebClient

from bot.devtools.workspace import SCOPES_ALL, LocalWorkspace, WorkspaceMessage
from bot.publish.stage import SlackStage
from bot.web_api.client import SlackClient
from bot.web_api.directory import SlackDirectory
from core.artifacts.files.exported import Exported, HeldBack, file_name, kinds_of_export
from core.domain.answers import Answer, Claim, Section
from core.domain.effects import (
    Effect,
    Greet,
    HandOver,
    Mark,
    OpenThread,
    PaintCard,
    PaintPrompt,
    PostCard,
    PostPrompt,
    Reply,
    Respond,
    Say,
    ShowFault,
    ShowPhase,
    ShowStep,
    Tell,
    UploadExport,
)
from core.domain.ids import (
    AnswerId,
    ChannelId,
    Digest,
    Export,
    FaultId,
    MenuId,
    PersonaKey,
    PhaseKey,
    RunId,
    SessionId,
    Slug,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.session.course import Course, PhaseState
from core.domain.session.halt import Fault, Halt
from core.domain.session.menu import Menu, OpenMenus
from core.domain.session.people import People
from core.domain.session.session import Session
from core.domain.session.step import PromptState, StepChoice, StepState
from core.domain.stances import Settlement, Stance
from core.domain.steps.playbook import BUILT_IN, Persona, Step
from core.ports import (
    Gone,
    Later,
    Limit,
    Order,
    Outcome,
    Post,
    Prepared,
    Refused,
    Sent,
    SessionReader,
    Summary,
    Target,
    Unclear,
    Workspace,
)

MAYA: Final = PersonaKey("business-analyst")
ALEX: Final = PersonaKey("solutions-architect")
SCAN: Final = PhaseKey("00-quick-scan")
REQUIREMENTS: Final = PhaseKey("01-requirements")
IMPACT: Final = PhaseKey("02-impact-analysis")
NEEDS: Final = StepId("01-02")
TEAM: Final = TeamId("T0LOCAL01")
FILE: Final = Step(
    NEEDS,
    "User Needs Discovery",
    MAYA,
    "standard",
    ("requirements-spec.md",),
    "02-user-needs.md",
    REQUIREMENTS,
    Digest("d"),
    sections={"Brief Mode": "A draft.", "Standard Mode": "1. Who?", "Deep Mode": "1. Who else?"},
)
CONTENT: Final = Digest("d")


@dataclass
class Shelf:
    """An in-memory `SessionReader`."""

    session: Session
    workspace_url: str
    steps: list[StepState] = field(default_factory=list)
    menus: dict[str, Menu] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list)
    found_faults: list[Fault] = field(default_factory=list)
    said: list[Answer] = field(default_factory=list)
    recorded: list[Claim] = field(default_factory=list)
    written: list[Section] = field(default_factory=list)
    passed: int = 0
    baselines: dict[PhaseKey, tuple[Claim, ...]] = field(default_factory=dict)
    given: list[Stance] = field(default_factory=list)
    closed: list[Settlement] = field(default_factory=list)

    def load(self, session: SessionId) -> Session:
        if session != self.session.id:
            raise Gone(session)
        return self.session

    def personas(self, session: Session) -> tuple[Persona, ...]:
        return BUILT_IN

    def step_state(self, session: SessionId, step: StepId) -> StepState | None:
        return next((state for state in self.steps if state.id == step), None)

    def all_steps(self, session: SessionId) -> tuple[StepState, ...]:
        return tuple(self.steps)

    def content(self, digest: Digest) -> Step:
        return FILE

    def answers(self, session: SessionId, step: StepId | None = None) -> tuple[Answer, ...]:
        return tuple(self.said)

    def stances(self, session: SessionId, step: StepId | None = None) -> tuple[Stance, ...]:
        return tuple(self.given)

    def corrections(self, session: SessionId) -> tuple[()]:
        return ()

    def settlements(self, session: SessionId, step: StepId | None = None) -> tuple[Settlement, ...]:
        return tuple(self.closed)

    def claims(self, session: SessionId) -> tuple[Claim, ...]:
        return tuple(self.recorded)

    def baseline(self, session: SessionId, phase: PhaseKey) -> tuple[Claim, ...] | None:
        return self.baselines.get(phase)

    def sections(self, session: SessionId, file: str | None = None) -> tuple[Section, ...]:
        return tuple(self.written)

    def files(self, session: SessionId, step: StepId | None = None) -> tuple[str, ...]:
        return tuple(dict.fromkeys(section.file for section in self.written))

    def menu(self, menu: MenuId) -> Menu | None:
        return self.menus.get(menu)

    def fault(self, fault: FaultId) -> Fault:
        return next(each for each in self.found_faults if each.id == fault)

    def faults(self, session: SessionId) -> tuple[Fault, ...]:
        return tuple(self.found_faults)

    def post(self, session: SessionId, target: str) -> Post | None:
        return next((post for post in self.posts if post.target == target), None)

    def last_post(self, session: SessionId, prefix: str) -> Post | None:
        found = [post for post in self.posts if post.target.startswith(prefix)]
        return max(found, key=lambda post: post.ts, default=None)

    def passed_by(self, session: SessionId, thread_ts: Ts, ts: Ts) -> int:
        return self.passed

    def workspace(self, team: TeamId) -> Workspace:
        return Workspace(team, self.workspace_url, UserId("U0BOT0001"), "B0BOT0001")

    def channel_sessions(self, team: TeamId, channel: ChannelId) -> tuple[Summary, ...]:
        return ()


@dataclass
class Table:
    """A stage over a local workspace, and the commit it reads from."""

    slack: LocalWorkspace
    shelf: Shelf
    stage: SlackStage
    orders: int = 0

    def order(self, effect: Effect) -> Order:
        self.orders += 1
        return Order(self.orders, self.shelf.session.id, effect)

    def prepare(self, order: Order, pace_s: float = 0.0) -> Prepared:
        return self.stage.prepare(order, self.shelf.session, pace_s)

    def is_post(self, effect: Effect) -> bool:
        return self.prepare(self.order(effect)).is_post

    def limits(self, effect: Effect, pace_s: float) -> tuple[Limit, ...]:
        return self.prepare(self.order(effect), pace_s).limits

    def do(self, effect: Effect) -> Outcome:
        """Perform an effect and remember its post, as the runtime does."""
        return self.remember(self.prepare(self.order(effect)).send())

    def attempt(self, order: Order) -> Order:
        """Send a post that is not answered; the order as it is found after a crash."""
        prepared = self.prepare(order)
        assert isinstance(prepared.send(), Unclear)
        return replace(order, attempt=prepared.target, attempted_at=float(self.last.ts))

    def find(self, order: Order) -> Outcome:
        return self.stage.find(order, self.shelf.session)

    def remember(self, outcome: Outcome) -> Outcome:
        if isinstance(outcome, Sent) and outcome.post is not None:
            self.shelf.posts.append(outcome.post)
        return outcome

    def open(self, *personas: PersonaKey) -> None:
        assert isinstance(self.do(PostCard()), Sent)
        for persona in personas:
            assert isinstance(self.do(OpenThread(persona)), Sent)

    def turn(self, **changes: Any) -> None:
        self.shelf.session = replace(self.shelf.session, **changes)

    def course(self, **changes: Any) -> None:
        self.turn(course=replace(self.shelf.session.course, **changes))

    def step(self, **changes: Any) -> None:
        self.shelf.steps = [
            replace(state, **changes) if state.id == NEEDS else state for state in self.shelf.steps
        ]

    def offer(self, kind: Any, *choices: str, step: StepId | None = NEEDS) -> MenuId:
        menu = Menu(
            MenuId(f"m{len(self.shelf.menus)}"),
            self.shelf.session.id,
            kind,
            choices,
            phase=self.shelf.session.course.phase,
            step=step,
        )
        self.shelf.menus[menu.id] = menu
        return menu.id

    @property
    def shown(self) -> Sequence[WorkspaceMessage]:
        return self.slack.messages("general")

    @property
    def last(self) -> WorkspaceMessage:
        return self.shown[-1]

    def at(self, target: str) -> WorkspaceMessage:
        post = self.shelf.post(self.shelf.session.id, target)
        assert post is not None, target
        return next(message for message in self.shown if message.ts == post.ts)


def setting(slack: LocalWorkspace) -> Table:
    priya, sam = UserId(slack.user_id("Priya")), UserId(slack.user_id("Sam"))
    session = Session(
        id=SessionId("s-unguessable"),
        run=RunId("r1"),
        team=TEAM,
        channel=ChannelId(slack.channel_id("general")),
        owner=priya,
        slug=Slug("retry-failed-card-payments"),
        title="Retry failed card payments",
        text="",
        seed="",
        created_at="",
        status="asking",
        course=Course(
            phases=(
                PhaseState(SCAN, "Quick Scan", MAYA, 3, status="completed", done=3),
                PhaseState(REQUIREMENTS, "Requirements", MAYA, 8, status="open", done=1),
                PhaseState(IMPACT, "Impact Analysis", ALEX, 4),
            ),
            phase=REQUIREMENTS,
            step=NEEDS,
            threads=(MAYA, ALEX),
        ),
        people=People((sam,)),
    )
    steps = [
        StepState(StepId("01-01"), REQUIREMENTS, "01.md", "Business Context", CONTENT, "completed"),
        StepState(
            NEEDS, REQUIREMENTS, "02.md", FILE.title, CONTENT, prompt=PromptState(MAYA, revision=1),
            recorded="Two needs.",
        ),
    ]  # fmt: skip
    shelf = Shelf(session, slack.workspace_url, steps)
    client = SlackClient(slack.bot_token, base_url=slack.api_url, timeout_s=5)
    reader: SessionReader = shelf

    def packed(_: SessionId, wanted: Export) -> Exported:
        if shelf.session.holds_back:
            raise HeldBack
        names = (file_name(shelf.session.slug, kind) for kind in kinds_of_export(wanted))
        return Exported(tuple((name, b"PK") for name in names))

    stage = SlackStage(
        reader,
        lambda _: client,
        SlackDirectory(lambda _: client),
        export_of=packed,
    )
    return Table(slack, shelf, stage)


@pytest.fixture
def table() -> Iterator[Table]:
    with LocalWorkspace(people=["Priya", "Sam"]) as slack:
        yield setting(slack)


# ── the channel ────────────────────────────────────────────────────────────────────────────────


def test_the_card_is_posted_once_and_painted_over_from_then_on(table: Table) -> None:
    outcome = table.do(PostCard())
    assert outcome == Sent(Post("card", table.shelf.session.channel, Ts(table.last.ts), None))
    assert "Waiting for Priya and Sam." in table.last.plain
    table.turn(
        people=replace(
            table.shelf.session.people, answered_step=table.shelf.session.people.answered
        )
    )
    assert table.do(PaintCard()) == Sent()
    assert table.do(PostCard()) == Sent()
    assert len(table.shown) == 1
    assert "Waiting for Priya." in table.last.plain
    assert table.last.edited
    assert table.slack.pings == []


def test_a_card_that_was_never_posted_is_not_painted(table: Table) -> None:
    assert table.do(PaintCard()) == Sent()
    assert list(table.shown) == []


def test_a_persona_s_thread_hangs_under_its_own_message(table: Table) -> None:
    table.open(MAYA)
    root = table.at(f"thread:{MAYA}")
    assert (root.author, root.thread_ts) == ("Maya Chen", None)
    assert root.plain.startswith("Maya Chen, Business Analyst, leads Quick Scan and Requirements")


def test_the_card_links_to_the_threads(table: Table) -> None:
    table.open(MAYA, ALEX)
    table.do(PaintCard())
    card = table.at("card")
    assert "Threads: Maya Chen · Alex Rivera" in card.plain
    ts = table.at(f"thread:{ALEX}").ts.replace(".", "")
    assert f"{table.slack.workspace_url}archives/{table.shelf.session.channel}/p{ts}" in str(
        card.blocks
    )


# ── the thread ─────────────────────────────────────────────────────────────────────────────────


def test_a_handover_says_goodbye_in_the_old_thread_and_hello_in_the_new_one(table: Table) -> None:
    table.open(MAYA, ALEX)
    table.course(phase=IMPACT)
    table.shelf.written = [Section("requirements-spec.md", NEEDS, "Needs", "…")]
    table.do(Greet(ALEX, IMPACT, MAYA))
    hello = table.last
    table.do(HandOver(MAYA, ALEX))
    goodbye = table.last
    assert (hello.author, hello.thread_ts) == ("Alex Rivera", table.at(f"thread:{ALEX}").ts)
    assert hello.plain == (
        "Hi, I'm Alex Rivera, your Solutions Architect.\n"
        "I take over from Maya Chen: Quick Scan is done. Written so far: requirements-spec.md.\n"
        "We begin with Impact Analysis."
    )
    assert (goodbye.author, goodbye.thread_ts) == ("Maya Chen", table.at(f"thread:{MAYA}").ts)
    assert goodbye.plain == (
        "I'm handing over to Alex Rivera, who leads Impact Analysis: continue there."
    )


def test_a_persona_that_led_before_does_not_introduce_itself_again(table: Table) -> None:
    table.open(MAYA)
    table.course(step=StepId("01-03"))
    table.do(Greet(MAYA, REQUIREMENTS))
    assert table.last.plain.startswith("I'm back with you.")


def test_a_prompt_counts_all_steps_and_mentions_those_it_is_told_to(table: Table) -> None:
    table.open(MAYA)
    choices = ("skip-step", "depth:deep", "back", "pause", "cancel")
    table.turn(menus=OpenMenus(prompt=table.offer("prompt", *choices)))
    outcome = table.do(PostPrompt(NEEDS, 1, MAYA, (table.shelf.session.owner,)))
    assert isinstance(outcome, Sent)
    assert outcome.post is not None
    assert (outcome.post.target, outcome.post.step) == ("prompt:01-02:1", NEEDS)
    assert table.last.plain == (
        "Step 01-02 · User Needs Discovery (5 of 15)\n"
        "1. Who?\n"
        "@Priya: what do you think?\n"
        "Requirements · standard depth · Reply in this thread; everybody may answer."
    )
    assert [ping.what for ping in table.slack.pings] == ["@Priya"]
    assert table.last.blocks[-1]["block_id"] == table.shelf.session.menus.prompt


def test_a_step_of_another_persona_is_asked_by_that_persona_in_the_same_thread(
    table: Table,
) -> None:
    table.open(MAYA)
    table.step(prompt=PromptState(ALEX, revision=1))
    table.do(PostPrompt(NEEDS, 1, MAYA))
    assert (table.last.author, table.last.thread_ts) == (
        "Alex Rivera",
        table.at(f"thread:{MAYA}").ts,
    )


def test_the_facilitator_speaks_where_a_persona_failed(table: Table) -> None:
    table.open(MAYA)
    phases = tuple(replace(each, facilitated=True) for each in table.shelf.session.course.phases)
    table.course(phases=phases)
    table.step(prompt=PromptState(PersonaKey("facilitator"), revision=1))
    for effect in (PostPrompt(NEEDS, 1, MAYA), Say("resumed", MAYA)):
        table.do(effect)
        assert table.last.author == "Roundtable"


def test_a_prompt_painted_again_follows_the_depth_and_loses_a_used_menu(table: Table) -> None:
    table.open(MAYA)
    table.turn(menus=OpenMenus(prompt=table.offer("prompt", "back", "cancel")))
    table.do(PostPrompt(NEEDS, 1, MAYA))
    table.step(prompt=PromptState(MAYA, "deep", revision=1))
    table.turn(menus=OpenMenus())
    assert table.do(PaintPrompt(NEEDS)) == Sent()
    painted = table.at("prompt:01-02:1")
    assert "1. Who else?" in painted.plain
    assert "actions" not in [block["type"] for block in painted.blocks]


def test_a_reopened_step_shows_what_was_said(table: Table) -> None:
    table.open(MAYA)
    sam = UserId(table.slack.user_id("Sam"))
    table.shelf.said = [Answer(AnswerId("a"), NEEDS, sam, "Shop owners", Ts("1"), Ts("1"), "")]
    table.step(prompt=PromptState(MAYA, revision=2))
    table.do(PostPrompt(NEEDS, 2, MAYA))
    assert "Your answers so far\n• Sam: Shop owners" in table.last.plain


# ── the step's message ─────────────────────────────────────────────────────────────────────────


def show(table: Table, **changes: Any) -> Outcome:
    return table.do(ShowStep(NEEDS, MAYA, **changes))


def prompted(table: Table, revision: int = 1) -> None:
    table.step(prompt=PromptState(MAYA, revision=revision))
    assert isinstance(table.do(PostPrompt(NEEDS, revision, MAYA)), Sent)


def test_a_step_has_one_message_edited_from_then_on(table: Table) -> None:
    table.open(MAYA)
    prompted(table)
    table.turn(menus=OpenMenus(table.offer("step", "continue", "skip")), status="choosing")
    show(table)
    assert table.last.plain.endswith("[Continue] [Skip rest]")
    count = len(table.shown)
    table.turn(menus=OpenMenus())
    table.step(choice=StepChoice("continue", table.shelf.session.owner))
    assert show(table) == Sent()
    assert len(table.shown) == count
    assert table.at("step:01-02:1").plain.endswith("Continue · chosen by Priya")


def test_a_menu_that_five_messages_have_passed_moves_down(table: Table) -> None:
    table.open(MAYA)
    prompted(table)
    table.turn(menus=OpenMenus(table.offer("step", "continue")))
    show(table)
    table.shelf.passed = 4
    assert not table.is_post(ShowStep(NEEDS, MAYA))
    table.shelf.passed = 5
    assert table.is_post(ShowStep(NEEDS, MAYA))
    show(table)
    assert table.at("step:01-02:2").plain.endswith("[Continue]")
    assert table.at("step:01-02:1").plain == (
        "The buttons for User Needs Discovery have moved down: go there."
    )


def test_where_one_moved_lately_the_next_moves_only_from_far_up(table: Table) -> None:
    table.open(MAYA)
    prompted(table)
    table.turn(menus=OpenMenus(table.offer("step", "continue")))
    show(table)
    table.step()
    table.shelf.passed = 5
    show(table)
    assert not table.is_post(ShowStep(NEEDS, MAYA))
    table.shelf.passed = 14
    assert not table.is_post(ShowStep(NEEDS, MAYA))
    table.shelf.passed = 15
    assert table.is_post(ShowStep(NEEDS, MAYA))


def test_a_message_nobody_waits_for_is_edited_however_far_up_it_is(table: Table) -> None:
    table.open(MAYA)
    prompted(table)
    show(table)
    table.shelf.passed = 50
    assert show(table) == Sent()


def test_a_resumed_step_shows_its_menu_anew(table: Table) -> None:
    table.open(MAYA)
    prompted(table)
    table.turn(menus=OpenMenus(table.offer("step", "continue")))
    show(table)
    show(table, anew=True)
    assert table.shelf.posts[-1].target == "step:01-02:2"


def test_a_step_asked_again_gets_a_message_of_its_own_and_the_old_one_stays(table: Table) -> None:
    table.open(MAYA)
    prompted(table)
    table.step(choice=StepChoice("continue", table.shelf.session.owner))
    show(table)
    before = table.at("step:01-02:1").plain
    prompted(table, revision=2)
    table.step(choice=StepChoice(), recorded="Three needs.")
    show(table)
    assert table.shelf.posts[-1].target == "step:01-02:2"
    assert table.at("step:01-02:1").plain == before
    assert "Three needs." in table.at("step:01-02:2").plain


def test_the_last_step_of_a_phase_shows_its_summary(table: Table) -> None:
    table.open(MAYA)
    prompted(table)
    table.shelf.recorded = [Claim("01-02/1", NEEDS, "fact", "Shop owners", (), ref="FR-001")]
    table.turn(menus=OpenMenus(table.offer("phase", "accept", "amend")))
    show(table)
    assert "Requirements in short\n1 line in your words." in table.last.plain
    assert table.last.plain.endswith("[Accept — continue to Impact Analysis] [Amend]")


def test_stale_steps_are_offered_on_the_step_that_changed(table: Table) -> None:
    table.open(MAYA)
    prompted(table)
    late = StepId("01-01")
    table.course(stale=(late,))
    table.turn(
        menus=replace(
            table.shelf.session.menus,
            stale=table.offer("stale", f"keep:{late}", f"again:{late}", "keep-all"),
        ),
    )
    show(table)
    assert (
        "[Still right: 01-01 Business Context] [Ask again: 01-01]\n[Keep all]" in table.last.plain
    )


def test_a_phase_s_summary_stands_alone_and_is_posted_anew_when_steps_were_asked_since(
    table: Table,
) -> None:
    table.open(MAYA)
    table.turn(menus=OpenMenus(table.offer("phase", "accept", "amend"), on_summary=True))
    table.do(ShowPhase(REQUIREMENTS, MAYA))
    assert table.last.plain.endswith("[Accept — continue to Impact Analysis] [Amend]")
    assert table.do(ShowPhase(REQUIREMENTS, MAYA)) == Sent()
    prompted(table)
    table.do(ShowPhase(REQUIREMENTS, MAYA))
    assert table.shelf.posts[-1].target == "phase:01-requirements:2"
    assert "have moved down" in table.at("phase:01-requirements:1").plain
    table.turn(menus=OpenMenus())
    table.course(
        phases=tuple(
            replace(each, accepted_by=table.shelf.session.owner)
            for each in table.shelf.session.course.phases
        )
    )
    table.step(choice=StepChoice("amend"))
    assert table.do(ShowPhase(REQUIREMENTS, MAYA)) == Sent()
    assert table.at("phase:01-requirements:2").plain.endswith("Accept · chosen by Priya")


# ── faults, lines, and what is no post ─────────────────────────────────────────────────────────


def fault(code: str, persona: PersonaKey | None = None) -> Fault:
    return Fault(FaultId(code), code, f"Warning: {code} it is.", True, 0.0, persona=persona)


def test_a_fault_is_told_where_it_happened(table: Table) -> None:
    table.open(MAYA)
    table.shelf.found_faults = [fault("ERR-STEP-004"), fault("ERR-META-002"), fault("ERR-X", ALEX)]
    table.do(ShowFault(FaultId("ERR-STEP-004"), MAYA))
    assert table.last.plain == "⚠️ Warning: ERR-STEP-004 it is. ERR-STEP-004"
    assert (table.last.author, table.last.thread_ts) == ("Maya Chen", table.at(f"thread:{MAYA}").ts)
    table.do(ShowFault(FaultId("ERR-META-002"), None))
    assert (table.last.author, table.last.thread_ts) == ("Roundtable", table.at("card").ts)
    table.do(ShowFault(FaultId("ERR-X"), MAYA))
    assert table.last.author == "Alex Rivera"
    assert table.slack.pings == []


def test_the_owner_is_called_when_it_is_fatal(table: Table) -> None:
    table.open(MAYA)
    table.shelf.found_faults = [fault("ERR-INT-001")]
    table.do(ShowFault(FaultId("ERR-INT-001"), MAYA))
    assert table.last.plain.startswith("⛔ ")
    assert [ping.what for ping in table.slack.pings] == ["@Priya"]


def test_a_line_names_people_by_their_names(table: Table) -> None:
    table.open(MAYA)
    sam = table.slack.user_id("Sam")
    outcome = table.do(Say("late-answer", MAYA, {"by": sam, "step": "User Needs"}))
    assert isinstance(outcome, Sent)
    assert outcome.post is not None
    assert outcome.post.target == f"say:{table.orders}"
    assert table.last.plain.startswith("Thank you, Sam: that is added to “User Needs”")
    table.do(Say("late-answer", None, {"by": "U0NOBODY", "step": "User Needs"}))
    assert table.last.plain.startswith("That is added to “User Needs”")
    assert table.last.author == "Roundtable"


def test_an_answer_gets_its_mark_and_loses_it(table: Table) -> None:
    table.slack.say("Sam", "general", "Shop owners")
    ts = Ts(table.last.ts)
    for on in (True, False):
        assert table.do(Mark(table.shelf.session.channel, ts, on)) == Sent()
        assert ("white_check_mark" in table.last.reactions) is on


def test_one_person_is_told_kindly(table: Table) -> None:
    table.open(ALEX)
    sam = UserId(table.slack.user_id("Sam"))
    args = {"by": table.shelf.session.owner, "choice": "continue"}
    assert table.do(Tell(sam, Reply("used-menu", args))) == Sent()
    told = table.slack.ephemerals[-1]
    assert told.to == "Sam"
    assert told.text == "Priya was a little quicker and chose “Continue”. Nothing else happened."
    table.do(Tell(sam, Reply("wrong-thread", {"persona": "Alex Rivera", "key": ALEX})))
    assert table.at(f"thread:{ALEX}").ts.replace(".", "") in str(table.slack.ephemerals[-1].blocks)


def test_an_export_goes_to_the_thread(table: Table) -> None:
    table.open(MAYA)
    assert table.do(UploadExport(MAYA)) == Sent()
    assert table.slack.files[-1].name == "retry-failed-card-payments.zip"
    assert table.slack.files[-1].thread_ts == table.at(f"thread:{MAYA}").ts
    table.do(UploadExport(None))
    assert table.slack.files[-1].thread_ts == table.at("card").ts


def test_all_forms_of_an_export_come_in_one_message(table: Table) -> None:
    table.open(MAYA)
    order = table.order(UploadExport(MAYA, "all"))
    table.slack.inject("accept-then-drop", method="files.completeUploadExternal")
    attempt = table.attempt(order)
    assert [each.name.rpartition(".")[2] for each in table.slack.files] == ["zip", "md", "html"]
    assert "retry-failed-card-payments.html" in table.last.text
    assert table.find(attempt) == Sent()
    other = replace(attempt, id=99, effect=UploadExport(MAYA))
    assert table.find(other) == Later("not there")


def test_an_export_of_a_session_that_was_halted_meanwhile_is_told_and_not_sent(
    table: Table,
) -> None:
    table.open(MAYA)
    table.turn(status="halted", halt=Halt(code="ERR-SEC-001"))
    assert isinstance(table.do(UploadExport(MAYA)), Sent)
    assert table.slack.files == []
    assert table.last.plain == (
        "I hold the export back: a password, key or token was found meanwhile. "
        "Once that is settled, export again."
    )


def test_where_no_file_may_be_uploaded_that_is_said() -> None:
    scopes = [scope for scope in SCOPES_ALL if scope != "files:write"]
    with LocalWorkspace(people=["Priya", "Sam"], scopes=scopes) as slack:
        table = setting(slack)
        table.open(MAYA)
        assert isinstance(table.do(UploadExport(MAYA)), Sent)
        assert "I lack a permission in this workspace." in table.last.plain


# ── what cannot be done ────────────────────────────────────────────────────────────────────────

THREADED: Final[Mapping[str, Effect]] = {
    "greet": Greet(MAYA, REQUIREMENTS),
    "hand over": HandOver(MAYA, ALEX),
    "prompt": PostPrompt(NEEDS, 1, MAYA),
    "step": ShowStep(NEEDS, MAYA),
    "phase": ShowPhase(REQUIREMENTS, MAYA),
    "fault": ShowFault(FaultId("f"), None),
    "line": Say("resumed", MAYA),
    "export": UploadExport(MAYA),
}


@pytest.mark.parametrize("name", THREADED)
def test_without_its_thread_a_message_is_refused(table: Table, name: str) -> None:
    assert table.do(THREADED[name]) == Refused("no_thread", "thread_gone")
    assert list(table.shown) == []


def test_a_step_that_is_gone_is_refused(table: Table) -> None:
    table.open(MAYA)
    table.shelf.steps = []
    assert table.do(PostPrompt(NEEDS, 1, MAYA)) == Refused("gone")


def test_a_thread_whose_root_was_deleted_is_refused_in_slack_s_word(table: Table) -> None:
    table.open(MAYA)
    client = WebClient(table.slack.bot_token, base_url=table.slack.api_url)
    client.chat_delete(channel=table.shelf.session.channel, ts=table.last.ts)
    assert isinstance(table.do(PostPrompt(NEEDS, 1, MAYA)), Refused)


# ── pace and doubt ─────────────────────────────────────────────────────────────────────────────


def test_a_post_counts_under_its_channel_and_an_edit_under_its_method(table: Table) -> None:
    table.open(MAYA)
    channel, sam = table.shelf.session.channel, UserId("U1")
    for effect in THREADED.values():
        assert table.is_post(effect), effect
        assert table.limits(effect, 1.5) == (Limit(f"{TEAM} {channel} chat.postMessage", 1, 1.5),)
    for call, method in (
        (PaintCard(), "chat.update"),
        (PaintPrompt(NEEDS), None),  # there is no message to edit
        (Mark(channel, Ts("1.1"), True), "reactions.add"),
        (Mark(channel, Ts("1.1"), False), "reactions.remove"),
        (Tell(sam, Reply("gone")), "chat.postEphemeral"),
        (Respond("http://x.example", Reply("gone")), None),
    ):
        assert not table.is_post(call), call
        keys = [limit.key for limit in table.limits(call, 1.0)][:1]
        assert keys == ([f"{TEAM} {method}"] if method else []), call


def test_a_card_leaves_updates_for_what_people_wait_for(table: Table) -> None:
    table.open(MAYA)
    update, card = table.limits(PaintCard(), 1.0)
    step = table.limits(PaintPrompt(NEEDS), 1.0)
    assert step == ()
    assert (update.calls, card.calls, card.window_s) == (28, 1, 4.0)
    unlimited = table.limits(PaintCard(), 0.0)
    assert [(limit.key, limit.calls) for limit in unlimited] == [(update.key, None)]


@pytest.mark.parametrize("name", THREADED)
def test_a_post_in_doubt_is_found_again(table: Table, name: str) -> None:
    table.open(MAYA)
    table.shelf.found_faults = [replace(fault("ERR-X"), id=FaultId("f"))]
    method = "files.completeUploadExternal" if name == "export" else "chat.postMessage"
    table.slack.inject("accept-then-drop", method=method)
    order = table.attempt(table.order(THREADED[name]))
    found = table.find(order)
    assert isinstance(found, Sent)
    if name != "export":
        assert found.post is not None
        assert found.post.ts == table.last.ts
    assert order.attempted_at is not None
    later = replace(order, attempted_at=order.attempted_at + 60)
    assert table.find(later) == Later("not there")


def test_a_card_in_doubt_is_found_in_the_channel(table: Table) -> None:
    table.slack.inject("accept-then-drop", method="chat.postMessage")
    order = table.attempt(table.order(PostCard()))
    post = Post("card", table.shelf.session.channel, Ts(table.last.ts), None)
    assert table.find(order) == Sent(post)
    assert table.find(replace(order, id=99)) == Later("not there")


def test_what_was_prepared_is_looked_for_whatever_stands_by_now(table: Table) -> None:
    table.slack.inject("accept-then-drop", method="chat.postMessage")
    order = table.attempt(table.order(PostCard()))
    table.shelf.posts.append(Post("card", table.shelf.session.channel, Ts("1.0"), None))
    assert not table.is_post(PostCard())
    assert table.find(order) == Sent(
        Post("card", table.shelf.session.channel, Ts(table.last.ts), None)
    )


def test_looking_may_have_to_wait_as_well(table: Table) -> None:
    target = Target("card", table.shelf.session.channel)
    order = replace(table.order(PostCard()), attempt=target, attempted_at=0.0)
    table.slack.inject("drop", method="conversations.history")
    assert table.find(order) == Unclear("could not look")


def test_metadata_holds_ids_and_nothing_else(table: Table) -> None:
    table.do(PostCard())
    assert table.last.metadata == {
        "event_type": "roundtable",
        "event_payload": {"order": "1", "session": "s-unguessable"},
    }


def test_throttling_is_passed_on(table: Table) -> None:
    table.slack.inject("429", method="chat.postMessage", retry_after=3)
    assert table.do(PostCard()) == Later("ratelimited", 3.0, 429)
