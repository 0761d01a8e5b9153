"""The Inception Party through the real engine, store and folder: every row of seed 001."""

import json
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from core.brains.facilitator import Facilitator
from core.brains.script.performing import consult
from core.brains.tasks import LaunchError
from core.content.library import default_steps_dir
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import SharedFile
from core.domain.ids import PersonaKey, UserId
from core.domain.party.contributions import ConsultRequest, Contribution
from core.domain.session.menu import Menu
from core.runtime.outbox_worker import OutboxWorker
from core.store.repository.outbox import WaitingRow
from tests.support.fakes import FACILITATOR, OWNER, TEAM, Thinking
from tests.support.harness import Harness

OTHER = UserId("UOTHER")
TRIO = ("product-analyst", "domain-researcher", "technical-scout")
ANSWER = (
    "1: Developers who drive payments through the API. 2: Half of the payments that fail are paid. "
    "Database: PostgreSQL, because the team runs it already."
)
PHASE = "Vision Council"
FELL_BACK = ["01-vision", "02-domain", "03-stack"]


@dataclass
class TableOfFakes:
    """A council that says what is expected, and does otherwise where it is told to."""

    trouble: dict[tuple[str, str], list[object]] = field(default_factory=dict)
    asked: list[ConsultRequest] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def on(self, persona: str, want: str, *turns: object) -> None:
        self.trouble[persona, want] = list(turns)

    def __call__(self, request: ConsultRequest) -> Contribution:
        self.asked.append(request)
        waiting = self.trouble.get((request.member.key, request.want), [])
        turn = waiting.pop(0) if waiting else None
        if isinstance(turn, BaseException):
            raise turn
        given = self.usual(request)
        return turn(given) if callable(turn) else given

    def usual(self, request: ConsultRequest) -> Contribution:
        member = request.member
        more: dict[str, object] = {}
        if request.want == "questions":
            more = {"questions": member.questions}
        if request.want == "cross-question":
            more = {"to": next(k for k in request.phase.members if k != member.key)}
        if request.want == "vote":
            more = {"agrees": True}
        text = f"{member.persona.name}: {request.want}"
        return Contribution(member.key, request.want, text, **more)  # type: ignore[arg-type]


@pytest.fixture
def fakes() -> TableOfFakes:
    return TableOfFakes()


@pytest.fixture
def table(tmp_path: Path, fakes: TableOfFakes) -> Harness:
    return Harness(tmp_path, table=fakes)


def begin(table: Harness, mode: str = "party") -> None:
    table.start(title="A plugin that retries failed payments", flow="inception", mode=mode)


def recovery(table: Harness) -> Menu:
    assert table.session.menus.recovery is not None
    menu = table.runtime.reader.menu(table.session.menus.recovery)
    assert menu is not None
    return menu


def press(table: Harness, choice: str, by: UserId = OWNER, admin: bool | None = None) -> None:
    table.click(choice, by=by, menu=recovery(table).id, admin=admin)


def state(table: Harness) -> dict[str, object]:
    found: dict[str, object] = json.loads((table.folder() / "state.json").read_text())
    return found


def phase_of_state(table: Harness, key: str = "01-vision-council") -> dict[str, object]:
    return state(table)["party_phases"][key]  # type: ignore[index,no-any-return]


def debate(table: Harness) -> list[tuple[str, str]]:
    """Who said what in the first phase, in order."""
    given = table.runtime.reader.contributions(table.id, table.session.course.phases[0].key)
    return [(each.persona, each.want) for each in given]


def to_the_end_of_phase_one(table: Harness) -> None:
    table.say(ANSWER)
    table.forward()


# ── modes ──────────────────────────────────────────────────────────────────────────────────────


def test_without_a_flag_the_mode_is_asked_with_two_buttons(table: Harness) -> None:
    begin(table, mode="")
    (shown,) = table.shown(fx.ShowMode)
    menu = table.runtime.reader.menu(shown.menu)
    assert menu is not None
    assert menu.choices == ("party", "classic")
    table.click("classic", by=OTHER, menu=menu.id)
    assert [phase.key for phase in table.session.course.phases][:3] == FELL_BACK
    assert table.session.status == "asking"
    table.click("party", menu=menu.id)
    assert table.session.mode == "classic"


def test_the_mode_menu_leads_to_a_party(table: Harness) -> None:
    begin(table, mode="")
    table.click("party", menu=table.session.menus.current)
    assert table.session.mode == "party"
    assert table.session.status == "asking"
    assert len(table.shown(fx.PostCard)) == 2  # the second is painted over the first
    assert len({post.ts for post in table.stage.posts if post.target == "card"}) == 1


# ── the first phase ────────────────────────────────────────────────────────────────────────────


def test_three_ask_at_once_and_people_answer_once(table: Harness, fakes: TableOfFakes) -> None:
    begin(table)
    assert [each.want for each in fakes.asked] == ["questions"] * 3
    posted = table.shown(fx.PostQuestions)
    assert posted[0].thread == "product-analyst"
    assert len({each.thread for each in posted}) == len(posted) >= 2
    numbers = [number for number, _, _ in table.session.party.council.questions]  # type: ignore[union-attr]
    assert numbers == list(range(1, len(numbers) + 1))
    table.say(ANSWER, thread=table.thread("technical-scout"))  # type: ignore[arg-type]
    assert table.said == [ANSWER]
    (line,) = table.lines("shared")
    assert (line.thread, line.args["names"]) == ("technical-scout", "Nadia and Oscar")
    assert table.menu.choices == ("continue",)


def test_the_debate_is_taken_in_declared_order_and_counted(table: Harness) -> None:
    begin(table)
    to_the_end_of_phase_one(table)
    wants = [want for _, want in debate(table)]
    assert (
        wants
        == ["questions"] * 3
        + ["interpretation"] * 3
        + ["cross-question"] * 3
        + ["reply"] * 2
        + ["position"] * 3
    )
    assert [who for who, want in debate(table) if want == "position"] == [
        "product-analyst", "domain-researcher", "technical-scout",
    ]  # fmt: skip
    assert phase_of_state(table)["messages"] == 8
    assert table.menu.choices == ("accept", "changes")
    own = {each.thread for each in table.shown(fx.SayContribution)}
    assert own == {None, "product-analyst", "domain-researcher", "technical-scout"}


def test_i_have_changes_asks_for_them_and_comes_back_with_a_decision(table: Harness) -> None:
    begin(table)
    to_the_end_of_phase_one(table)
    table.click("changes")
    assert table.session.status == "asking"
    table.say("The users are operators, too.")
    table.forward()
    assert table.menu.choices == ("accept", "changes")
    assert "The users are operators, too." in table.said
    assert [want for _, want in debate(table)].count("position") == 6
    table.click("accept")
    assert table.session.course.phase == "02-stack-debate"


@pytest.mark.parametrize("change", ["edit", "delete"])
def test_words_that_change_while_a_debate_waits_for_changes_set_it_to_work(
    table: Harness, change: str
) -> None:
    begin(table)
    to_the_end_of_phase_one(table)
    table.click("accept")
    table.click("changes")
    ts = table.say("Postgres, please.")
    assert table.menu.choices == ("accept", "changes")
    table.click("changes")
    if change == "edit":
        table.edit(ts, "SQLite, please.")
    else:
        table.delete(ts)
    assert table.session.status == "choosing"
    assert table.menu.choices == ("accept", "changes")


def test_a_whole_party_with_the_scripted_brains_ends_with_every_artifact(tmp_path: Path) -> None:
    table = Harness(tmp_path, table=consult)
    begin(table)
    for _ in range(40):
        if table.session.status == "asking":
            table.say(ANSWER)
        elif table.session.status == "choosing":
            table.forward()
    assert table.session.status == "completed"
    assert table.codes == []
    assert set(table.artifacts.of(TEAM).listing(table.session.slug)) == {
        "project-brief.md", "tech-stack.md", "architecture-overview.md", "data-model.md",
        "test-strategy-outline.md", "constitution.md", "skills-report.md",
        "discovery-context.json", "meta.json", "state.json",
    }  # fmt: skip
    phases = state(table)["party_phases"]
    assert {each["status"] for each in phases.values()} == {"completed"}  # type: ignore[attr-defined]
    assert state(table)["status"] == "completed"
    assert not (table.place / "artifacts" / "_teams" / "s1").exists()


@pytest.fixture
def without_file(tmp_path: Path) -> Harness:
    """`--party`, and a party.yaml that is of no use."""
    steps = tmp_path / "steps"
    shutil.copytree(default_steps_dir(), steps)
    (steps / "inception" / "party.yaml").write_text("personas: nobody")
    table = Harness(tmp_path, steps=steps)
    begin(table)
    return table


def test_a_party_file_of_no_use_is_e001_and_nothing_begins(without_file: Harness) -> None:
    table = without_file
    assert (table.session.status, table.session.mode, table.prompts) == ("starting", "party", [])
    assert recovery(table).choices == ("retry", "classic", "cancel")
    assert table.codes == ["ERR-RT-002", "E-001"]
    assert table.messages == []  # the menu says it
    assert not (table.folder() / "state.json").exists()


def test_a_party_file_that_was_mended_is_read_by_the_retry(without_file: Harness) -> None:
    table = without_file
    table.click("retry", menu=recovery(table).id)
    assert table.codes[-2:] == ["ERR-RT-002", "E-001"]
    shipped = default_steps_dir() / "inception" / "party.yaml"
    shutil.copy(shipped, table.place / "steps" / "inception" / "party.yaml")
    table.click("retry", menu=recovery(table).id)
    assert table.session.party.is_seated
    assert table.session.status in ("debating", "asking")


def test_from_a_party_file_of_no_use_one_leader_takes_classic(without_file: Harness) -> None:
    table = without_file
    table.click("classic", menu=recovery(table).id)
    assert (table.session.status, table.session.mode) == ("asking", "classic")
    assert table.messages == [
        "Warning: Roundtable agent file has invalid format. "
        "Falling back to standard analysis agents."
    ]
    table.say(ANSWER)
    assert table.session.status == "choosing"


# ── E-001 ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def refused(table: Harness) -> Harness:
    """The team's folder cannot be made: a file stands in its place."""
    teams = table.place / "artifacts" / "_teams"
    teams.parent.mkdir(parents=True)
    teams.write_text("not a folder")
    begin(table)
    return table


def test_e001_a_team_that_cannot_be_made_is_a_menu_and_changes_nothing(refused: Harness) -> None:
    menu = recovery(refused)
    assert (menu.kind, menu.choices) == ("no-team", ("retry", "classic", "cancel"))
    fault = refused.runtime.reader.faults(refused.id)[-1]
    assert fault.message == "Team creation failed. Party mode requires a running agent team."
    assert not (refused.folder() / "state.json").exists()
    assert {phase.status for phase in refused.session.course.phases} == {"pending"}
    assert refused.session.party.records == ()


def test_e001_retry_may_fail_again_and_then_work(refused: Harness) -> None:
    first = recovery(refused).id
    press(refused, "retry", by=OTHER)
    assert recovery(refused).id != first
    assert refused.codes.count("E-001") == 2
    (refused.place / "artifacts" / "_teams").unlink()
    press(refused, "retry")
    assert refused.session.course.phase == "01-vision-council"
    assert state(refused)["party_mode"] is True


def test_e001_classic_is_for_the_owner_and_begins_at_its_first_phase(refused: Harness) -> None:
    press(refused, "classic", by=OTHER)
    assert refused.reply == "not-yours"
    press(refused, "classic", by=OTHER, admin=True)
    assert refused.session.mode == "classic"
    assert refused.session.course.phase == "01-vision"
    assert refused.session.status == "asking"


def test_e001_cancel_ends_it_after_a_restart_as_well(refused: Harness) -> None:
    again = refused.again()
    press(again, "cancel")
    assert again.session.status == "cancelled"


# ── E-002, E-003, E-004 ────────────────────────────────────────────────────────────────────────


def test_e002_a_persona_that_cannot_be_launched_is_not_tried_again(
    table: Harness, fakes: TableOfFakes
) -> None:
    fakes.on("domain-researcher", "questions", LaunchError("no such model"))
    begin(table)
    assert [each.member.key for each in fakes.asked].count("domain-researcher") == 1
    assert table.messages == [f"Proceeding with 2 agents in {PHASE}."]
    fault = table.runtime.reader.faults(table.id)[-1]
    assert "Oscar could not be launched." in fault.detail
    assert phase_of_state(table)["agents"] == ["Nadia", "Tessa"]
    to_the_end_of_phase_one(table)
    assert "domain-researcher" not in {who for who, _ in debate(table)}
    assert table.menu.choices == ("accept", "changes")


def test_e003_a_silent_persona_is_prompted_once_and_may_answer(
    table: Harness, fakes: TableOfFakes
) -> None:
    fakes.on("technical-scout", "questions", Hanging(fakes))
    silently(table, begin)
    assert table.session.status == "debating"
    table.pass_time(6)
    assert table.session.status == "asking"
    prompts = [each.prompt for each in fakes.asked if each.member.key == "technical-scout"]
    assert prompts == ["", "Please submit your questions."]
    assert table.codes == ["E-003"]
    assert table.messages == []


def test_e003_a_second_silence_goes_on_without_that_persona(
    table: Harness, fakes: TableOfFakes
) -> None:
    fakes.on("technical-scout", "questions", Hanging(fakes), Hanging(fakes))
    silently(table, begin)
    table = silently(table, lambda each: each.pass_time(6))
    table.pass_time(6)
    assert table.codes == ["E-003", "E-004"]
    assert table.messages == ["Tessa encountered an issue. Proceeding with remaining agents."]
    assert phase_of_state(table)["contributions"] == {"Tessa": "unavailable"}
    assert table.session.status == "asking"


def test_e003_the_deadline_survives_a_restart(table: Harness, fakes: TableOfFakes) -> None:
    fakes.on("technical-scout", "questions", Hanging(fakes))
    silently(table, begin)
    timers = table.runtime.outbox.timers_due(table.clock.now() + 60)
    assert [timer.kind for timer in timers] == ["deadline:technical-scout"]


def test_e004_a_persona_that_errs_is_asked_once_more(table: Harness, fakes: TableOfFakes) -> None:
    fakes.on("product-analyst", "interpretation", RuntimeError("boom"))
    begin(table)
    to_the_end_of_phase_one(table)
    assert table.codes == ["E-004"]
    assert table.messages == []
    assert ("product-analyst", "interpretation") in debate(table)


@pytest.mark.parametrize(
    "twice", [RuntimeError("boom"), lambda given: replace(given, want="draft"), lambda _: "a text"]
)
def test_e004_one_that_errs_twice_or_gives_the_wrong_thing_is_gone_for_the_phase(
    table: Harness, fakes: TableOfFakes, twice: object
) -> None:
    fakes.on("product-analyst", "interpretation", twice, twice)
    begin(table)
    to_the_end_of_phase_one(table)
    assert table.messages == ["Nadia encountered an issue. Proceeding with remaining agents."]
    assert phase_of_state(table)["agents"] == ["Oscar", "Tessa"]
    assert table.menu.choices == ("accept", "changes")


def test_a_missing_proposer_is_replaced_by_the_next_in_declared_order(
    table: Harness, fakes: TableOfFakes
) -> None:
    fakes.on("solution-architect", "proposal", LaunchError("gone"))
    begin(table)
    to_the_end_of_phase_one(table)
    table.click("accept")
    wants = [(each.member.key, each.want) for each in fakes.asked]
    assert ("security-advisor", "proposal") in wants
    assert ("devops-pragmatist", "critique") in wants
    assert ("security-advisor", "critique") not in wants
    assert table.menu.choices == ("accept", "changes")


def test_a_ring_with_a_missing_member_closes_around_it(table: Harness, fakes: TableOfFakes) -> None:
    fakes.on("data-model-designer", "draft", LaunchError("gone"))
    begin(table)
    to_the_end_of_phase_one(table)
    table.click("accept")
    table.click("accept")
    pairs = {each.member.key: each.neighbour for each in fakes.asked if each.want == "review"}
    assert pairs == {
        "architecture-designer": "test-strategist",
        "test-strategist": "architecture-designer",
    }


# ── E-005 ──────────────────────────────────────────────────────────────────────────────────────


def nobody_reads(fakes: TableOfFakes) -> None:
    for persona in TRIO:
        fakes.on(persona, "interpretation", RuntimeError("boom"), RuntimeError("boom"))


@pytest.fixture
def nobody(table: Harness, fakes: TableOfFakes) -> Harness:
    """All three fail where they should read the answers."""
    nobody_reads(fakes)
    begin(table)
    to_the_end_of_phase_one(table)
    return table


def test_e005_when_all_fail_the_owner_chooses(nobody: Harness) -> None:
    menu = recovery(nobody)
    assert (menu.kind, menu.choices) == ("all-failed", ("retry", "classic", "cancel"))
    fault = nobody.runtime.reader.faults(nobody.id)[-1]
    assert (fault.code, fault.message) == ("E-005", f"All agents in {PHASE} encountered errors.")


def test_e005_retry_brings_all_of_them_back(nobody: Harness) -> None:
    press(nobody, "retry", by=OTHER)
    assert nobody.menu.choices == ("continue",)  # what people said is read at once
    assert phase_of_state(nobody)["agents"] == ["Nadia", "Oscar", "Tessa"]
    assert nobody.said == [ANSWER]


def test_e005_retry_resets_the_phase_to_pending_until_a_member_answers(
    nobody: Harness, fakes: TableOfFakes
) -> None:
    """Seed 001, E-005: "On [1], reset phase status to pending"."""
    for persona in TRIO:
        fakes.on(persona, "questions", LaunchError("no"))
    press(nobody, "retry")
    assert phase_of_state(nobody)["status"] == "pending"
    assert phase_of_state(nobody)["started_at"] is None
    press(nobody, "retry")
    assert phase_of_state(nobody)["status"] == "in_progress"
    assert phase_of_state(nobody)["started_at"]


def test_e005_retry_may_fail_again(nobody: Harness, fakes: TableOfFakes) -> None:
    for persona in TRIO:
        fakes.on(persona, "questions", LaunchError("no"))
    first = recovery(nobody).id
    press(nobody, "retry")
    assert recovery(nobody).id != first
    assert nobody.codes.count("E-005") == 2


def test_e005_classic_keeps_what_people_typed_and_one_click_confirms_it(nobody: Harness) -> None:
    press(nobody, "classic", by=OTHER)
    assert nobody.reply == "not-yours"
    press(nobody, "classic")
    assert nobody.session.mode == "classic"
    assert nobody.session.course.phase == "01-vision"
    assert not (nobody.folder() / "state.json").exists()
    assert not (nobody.place / "artifacts" / "_teams" / "s1").exists()
    assert {line.thread for line in nobody.lines("to-classic")} == {
        "product-analyst", "domain-researcher", "technical-scout",
    }  # fmt: skip
    assert nobody.said == []
    nobody.click("take-over", by=OTHER)
    assert nobody.said == [ANSWER]
    (answer,) = nobody.runtime.reader.answers(nobody.id)
    assert (answer.by, answer.source) == (OWNER, "proposed")
    assert nobody.session.status == "choosing"


def test_e005_classic_keeps_the_files_that_people_shared(
    table: Harness, fakes: TableOfFakes
) -> None:
    nobody_reads(fakes)
    begin(table)
    flow = SharedFile("flow.png", "https://acme.slack.com/f/1")
    table.say(ANSWER, files=(flow,))
    table.forward()
    press(table, "classic")
    table.click("take-over")
    (answer,) = table.runtime.reader.answers(table.id)
    assert answer.files == (flow,)


def test_the_old_threads_take_no_more_answers(nobody: Harness) -> None:
    old = nobody.thread("product-analyst")  # type: ignore[arg-type]
    press(nobody, "classic")
    nobody.say("Too late.", thread=old)
    assert nobody.reply == "wrong-thread"
    assert nobody.said == []


def test_e005_cancel_ends_it_and_says_so_in_state_json(nobody: Harness) -> None:
    press(nobody, "cancel")
    assert nobody.session.status == "cancelled"
    assert state(nobody)["status"] == "cancelled"
    assert phase_of_state(nobody)["status"] == "cancelled"


# ── what Slack refuses ─────────────────────────────────────────────────────────────────────────


def test_threads_that_are_refused_are_opened_once_the_channel_is_there_again(
    table: Harness,
) -> None:
    table.stage.refuse = {"OpenThread": "archived"}
    begin(table)
    assert table.session.status == "paused"
    assert table.session.course.threads == ()
    table.stage.refuse.clear()
    table.resume()
    assert table.session.status == "asking"
    assert {each.thread for each in table.shown(fx.PostQuestions)} == set(TRIO)
    assert table.session.course.threads == TRIO


def test_questions_whose_thread_is_gone_stand_in_a_new_one_after_a_resume(table: Harness) -> None:
    begin(table)
    old = table.thread(PersonaKey(TRIO[0]))
    asked = len(table.shown(fx.PostQuestions))
    table.click("pause")
    table.stage.refuse = {"PostQuestions": "thread_gone"}
    table.resume()
    assert table.session.status == "paused"
    assert table.codes == ["ERR-SLACK-002"]
    table.stage.refuse.clear()
    table.resume()
    assert table.session.status == "asking"
    assert len(table.shown(fx.PostQuestions)) == asked + 3
    assert table.thread(PersonaKey(TRIO[0])) != old


# ── E-006 ──────────────────────────────────────────────────────────────────────────────────────


def test_e006_the_tenth_message_is_delivered_and_then_positions_are_asked(
    table: Harness, fakes: TableOfFakes
) -> None:
    talk = [lambda given: replace(given, more=True)] * 20
    fakes.on("product-analyst", "interpretation", *talk)
    begin(table)
    to_the_end_of_phase_one(table)
    assert phase_of_state(table)["messages"] == 10
    assert table.codes == ["E-006"]
    assert table.messages == ["Message limit reached. Please submit your final position now."]
    last = [each for each in fakes.asked if each.want == "position"]
    assert {each.prompt for each in last} == {
        "Message limit reached. Please submit your final position now."
    }
    assert len(last) == 3
    assert table.menu.choices == ("accept", "changes")


# ── E-007, E-008, E-010 ────────────────────────────────────────────────────────────────────────


def test_e007_an_artifact_that_cannot_be_written_is_tried_again_and_noted(table: Harness) -> None:
    begin(table)
    (table.folder() / "project-brief.md").mkdir(parents=True)
    to_the_end_of_phase_one(table)
    assert "E-007" in table.codes
    assert "ERR-ART-002" not in table.codes
    assert table.session.party.records[0].unwritten == ("project-brief.md",)
    assert phase_of_state(table)["artifacts"] == {"project-brief.md": None}
    assert table.menu.choices == ("accept", "changes")
    assert table.runtime.reader.sections(table.id, "project-brief.md") != ()


def test_e008_state_json_is_tried_twice_then_said_and_the_party_goes_on(table: Harness) -> None:
    begin(table)
    (table.folder() / "state.json").unlink()
    (table.folder() / "state.json").mkdir()
    to_the_end_of_phase_one(table)
    assert "Warning: Could not update state.json progress tracking." in table.messages
    assert table.menu.choices == ("accept", "changes")


def test_e008_the_last_write_is_put_to_the_owner(tmp_path: Path) -> None:
    table = Harness(tmp_path, table=consult)
    begin(table)
    (table.folder() / "state.json").unlink()
    (table.folder() / "state.json").mkdir()
    for _ in range(40):
        if table.session.status == "asking":
            table.say(ANSWER)
        elif table.session.status == "choosing":
            table.forward()
    menu = recovery(table)
    assert (menu.kind, menu.choices) == ("state-unwritten", ("retry", "leave"))
    (table.folder() / "state.json").rmdir()
    press(table, "retry")
    assert state(table)["status"] == "completed"
    assert table.session.menus.recovery is None


def test_e010_a_team_that_cannot_be_removed_is_recorded_in_silence_and_swept_later(
    table: Harness, tmp_path: Path
) -> None:
    begin(table)
    team = table.place / "artifacts" / "_teams" / "s1"
    (tmp_path / "elsewhere").mkdir()
    for path in team.iterdir():
        path.unlink()
    team.rmdir()
    team.symlink_to(tmp_path / "elsewhere")  # a link is not removed as if it were the folder
    table.cancel()
    assert table.codes == ["E-010"]
    assert table.messages == []
    assert table.session.status == "cancelled"
    team.unlink()
    team.mkdir()
    assert table.teams.sweep(table.runtime.reader.seated()) == ("s1",)


# ── help with silence ──────────────────────────────────────────────────────────────────────────


@dataclass
class Hanging:
    """Never answers; the test moves the clock on."""

    fakes: TableOfFakes

    def __call__(self, given: Contribution) -> Contribution:
        raise Held


class Held(BaseException):
    """What a brain that hangs is for a test without threads: its row stays where it is."""


def silently(table: Harness, act: Callable[[Harness], object]) -> Harness:
    """Do something while a brain hangs: its row waits in the outbox, all else goes on."""
    real = table.outbox_worker
    table.outbox_worker = Patient(real)  # type: ignore[assignment]
    try:
        act(table)
    finally:
        table.outbox_worker = real
    return table


@dataclass
class Patient:
    """A worker that leaves a request where it is when its brain hangs."""

    outbox_worker: OutboxWorker

    def __getattr__(self, name: str) -> object:
        return getattr(self.outbox_worker, name)

    def read(self, row: WaitingRow) -> None:
        try:
            self.outbox_worker.read(row)
        except Held:
            self.outbox_worker.runtime.outbox.retry_later(row, row.due + 1e6, in_doubt=False)


def test_a_late_contribution_is_ignored(table: Harness, fakes: TableOfFakes) -> None:
    fakes.on("technical-scout", "questions", Hanging(fakes))
    silently(table, begin)
    late = next(
        seat.task
        for seat in table.session.party.council.seats
        if seat.persona == "technical-scout"  # type: ignore[union-attr]
    )
    table.pass_time(6)
    before = table.session
    given = Contribution(before.party.council.seats[2].persona, "questions", "late")  # type: ignore[union-attr]
    table.take(on.Consulted(table.clock.now(), late, given))  # type: ignore[arg-type]
    assert table.session.party.council == before.party.council


def test_the_shipped_party_has_its_steps() -> None:
    tree = default_steps_dir() / "inception" / "party"
    assert sorted(path.name for path in tree.iterdir()) == [
        "01-vision-council", "02-stack-debate", "03-blueprint", "04-constitution",
        "05-walkthrough",
    ]  # fmt: skip


def test_what_a_council_took_from_words_that_were_taken_back_is_left_out(tmp_path: Path) -> None:
    brain = Thinking([])
    table = Harness(tmp_path, brains={None: brain, FACILITATOR: Facilitator()})
    table.start("Dashboards as PDF", flow="inception", mode="party")
    first = table.say(ANSWER)
    while table.session.course.phase != "02-stack-debate":
        table.forward()
    table.forward()
    table.say("Ask somebody else.")  # to the blueprint's questions
    brain.turns = [ConnectionError("429 too many requests, rate limit")]
    table.forward()
    assert table.codes == ["ERR-INT-001"]  # it is read again in a while
    table.delete(first)
    table.pass_time(100)
    assert (table.session.status, table.session.course.step) == ("choosing", "03-01")
    assert table.codes == ["ERR-INT-001"]
    kept = [claim for claim in table.runtime.reader.claims(table.id) if claim.step == "03-01"]
    assert f"C1:{first}" not in {source for claim in kept for source in claim.sources}


def test_the_word_does_what_the_button_does_when_people_have_answered(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start("Dashboards as PDF", flow="inception", mode="party")
    table.say(ANSWER)
    assert table.menu.choices == ("continue",)
    table.say("continue")
    assert table.menu.choices == ("accept", "changes")
    assert table.codes == []


def test_where_nobody_named_a_technology_people_are_asked_before_one_is_proposed(
    tmp_path: Path,
) -> None:
    table = Harness(tmp_path, brains={None: Thinking([]), FACILITATOR: Facilitator()})
    table.start("Dashboards as PDF", flow="inception", mode="party")
    table.say("1: Bakers who sell by the dozen. 2: Fewer loaves are thrown away.")
    while table.session.course.phase != "02-stack-debate":
        table.forward()
    council = table.session.party.council
    assert council is not None
    assert table.session.status == "asking"
    asked = [question.text for _, _, question in council.questions]
    assert asked[0].startswith("Which technologies do you have already")
    assert council.messages == 0
    table.say("1. Database: Postgres")
    table.forward()
    turns = table.runtime.reader.contributions(table.id, table.session.course.phase)
    proposal = next(turn for turn in turns if turn.want == "proposal" and turn.text)
    assert "“Postgres”" in proposal.text
    assert {turn.agrees for turn in turns if turn.want == "vote"} == {True}


def test_where_people_name_no_technology_when_asked_nobody_agrees_to_anything(
    tmp_path: Path,
) -> None:
    table = Harness(tmp_path, brains={None: Thinking([]), FACILITATOR: Facilitator()})
    table.start("Dashboards as PDF", flow="inception", mode="party")
    table.say("1: Bakers who sell by the dozen. 2: Fewer loaves are thrown away.")
    while table.session.course.phase != "02-stack-debate":
        table.forward()
    table.say("No idea yet.")
    table.forward()
    turns = table.runtime.reader.contributions(table.id, table.session.course.phase)
    votes = [turn for turn in turns if turn.want == "vote"]
    assert [vote.agrees for vote in votes] == [None, None, None]
    assert all("Nobody has named an option" in vote.text for vote in votes)


def test_a_blueprint_asks_people_first_for_what_its_files_lack(tmp_path: Path) -> None:
    table = Harness(tmp_path, brains={None: Thinking([]), FACILITATOR: Facilitator()})
    table.start("Sheet music for choirs", flow="inception", mode="party")
    table.say("1: Librarians of choirs. 2: Fewer lost scores. We use WordPress and MySQL.")
    while table.session.course.phase != "03-blueprint":
        table.forward()
    council = table.session.party.council
    assert council is not None
    assert (table.session.status, council.messages) == ("asking", 0)
    asked = {number: question.text for number, _, question in council.questions}
    assert asked[1] == "Which parts does it consist of?"
    assert asked[7] == "What gets tested, and at which level?"
    table.say("1. Shelf: knows where a score is.\n6. Ten years.\n7. two choirs try it by hand")
    table.forward()
    turns = table.runtime.reader.contributions(table.id, table.session.course.phase)
    drafts = [turn for turn in turns if turn.want == "draft" and turn.text]
    assert [(one.kind, one.text) for one in drafts[0].claims if one.sources] == [
        ("module", "Shelf: knows where a score is.")
    ]
    assert [one.kind for one in drafts[1].claims if one.sources] == ["retention"]
    assert [one.kind for one in drafts[2].claims if one.sources] == ["test"]
    assert table.codes == []
