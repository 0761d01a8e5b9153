"""Where a failure leads: what people are told, what is recorded, what the card shows."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.brains.script.diagnosis import diagnose
from core.brains.tasks import Diagnosis, DiagnosisRequest
from core.domain import effects as fx
from core.domain import events as on
from core.domain.faults import record_of
from core.domain.ids import TaskId
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu
from tests.core.test_engine_escalating import TROUBLE, ServerSaidNo, naming, seated, unable
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import FACILITATOR, Thinking
from tests.support.harness import Harness, small_table

pytestmark = EACH_DATABASE

AMBIGUOUS = ValueError("ambiguous: multiple valid interpretations")


def faults(table: Harness) -> list[Fault]:
    return [each for each in table.runtime.reader.faults(table.id) if each.code == "ERR-INT-001"]


def recovery(table: Harness) -> Menu:
    menu = table.runtime.reader.menu(table.session.menus.recovery)  # type: ignore[arg-type]
    assert menu is not None
    return menu


# ── what is told ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (AMBIGUOUS, "I could not make out how the answers to “First” are to be read."),
        (RuntimeError("the script ended in a compilation error"),
         "Reading the answers to “First” broke off."),
        (PermissionError(13, "Permission denied", "notes.md"),
         "I could not read the answers to “First”: something it takes is missing or stays shut."),
    ],
)  # fmt: skip
def test_a_menu_says_what_failed_and_claims_no_fallback(
    tmp_path: Path, error: Exception, words: str
) -> None:
    table = seated(tmp_path, error, tiers={"sonnet": unable, "opus": unable})
    table.say("Because of the bank.")
    assert table.runtime.reader.fault(recovery(table).fault).message == words  # type: ignore[arg-type]
    assert TROUBLE not in [fault.message for fault in faults(table)]


def test_the_catalogues_words_are_for_the_moment_in_which_the_facilitator_takes_over(
    tmp_path: Path,
) -> None:
    table = seated(tmp_path, AMBIGUOUS, tiers={"sonnet": unable})
    table.say("Because of the bank.")
    assert table.messages == []
    table.click("facilitator", menu=table.session.menus.recovery)
    assert table.messages == [TROUBLE]


def broken_down(folder: Path, *turns: object) -> Harness:
    """The persona has failed already, and the facilitator's brain does what it is told."""
    brains = {
        None: Thinking([RuntimeError("no sign of anything")]),
        FACILITATOR: Thinking([*turns]),
    }
    table = small_table(folder, brains=brains)
    table.start()
    table.say("Because of the bank.")
    return table


def test_where_the_facilitator_reads_already_nobody_offers_it(tmp_path: Path) -> None:
    table = broken_down(tmp_path, *(ServerSaidNo(503) for _ in range(5)))
    for _ in range(6):
        table.pass_time(61)
    assert recovery(table).choices == ("retry", "skip-step", "cancel")
    assert table.messages == [TROUBLE]


def test_where_the_facilitator_fails_as_well_it_is_not_said_to_take_over_again(
    tmp_path: Path,
) -> None:
    table = broken_down(tmp_path, ValueError("validation check failed: missing expected section"))
    skipping = "Skipping Requirements: its analysis could not be run. "
    assert table.messages == [TROUBLE, f"{skipping}Use /roundtable resume to try it again."]
    assert table.phases["01-requirements"] == "failed"


# ── what the card shows ────────────────────────────────────────────────────────────────────────


def test_what_may_pass_by_itself_is_blocked_and_what_does_not_has_failed(tmp_path: Path) -> None:
    """Seed 002, Task lifecycle: retryable is blocked, not retryable has failed."""
    table = broken_down(tmp_path, *(ServerSaidNo(503) for _ in range(5)))
    for _ in range(6):
        table.pass_time(61)
    assert table.statuses["01-01"] == "blocked"
    (tmp_path / "second").mkdir()
    other = seated(tmp_path / "second", AMBIGUOUS, tiers={"sonnet": unable})
    other.say("Because of the bank.")
    assert other.statuses["01-01"] == "failed"


# ── what is recorded ───────────────────────────────────────────────────────────────────────────


def test_a_failure_that_is_mended_has_a_record_all_the_same(tmp_path: Path) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    (table.folder() / "AGENTS.md").write_text("How agents work here.\n")
    table.say("Because of the bank.")
    (fault,) = faults(table)
    assert fault.message == "Reading the answers to “First” failed; it is being looked into."
    assert not fault.visible
    record = record_of(fault, "analysis")
    assert (record["routing_decision"], record["category"]) == ("DETOUR", "prerequisite_failure")
    assert (record["error_type"], record["input_source"]) == ("FileNotFoundError", "CLAUDE.md")
    assert "FileNotFoundError" in record["stack_trace"]


def test_after_five_attempts_the_record_says_that_it_was_transient_and_how_long_it_took(
    tmp_path: Path,
) -> None:
    table = seated(tmp_path, *(ServerSaidNo(503) for _ in range(5)))
    table.say("Because of the bank.")
    for _ in range(6):
        table.pass_time(61)
    *tries, last = [record_of(each, "analysis") for each in faults(table)]
    assert [each["will_retry"] for each in tries] == [True] * 4
    assert (last["error_category"], last["routing_decision"]) == ("transient", "DETOUR")
    assert (last["attempt"], last["retry_count"], last["will_retry"]) == (5, 5, False)
    waited = [each["delay_ms"] for each in tries]
    assert [each["total_delay_ms"] for each in tries] == [sum(waited[: n + 1]) for n in range(4)]
    assert last["total_delay_ms"] == sum(waited)
    assert 15_000 <= sum(waited) <= 17_000
    assert (last["error_type"], last["http_status"]) == ("ServerSaidNo", 503)
    assert "ServerSaidNo" in last["stack_trace"]


def test_a_new_reading_counts_its_waits_from_nothing(tmp_path: Path) -> None:
    table = seated(tmp_path, ServerSaidNo(503), None, ServerSaidNo(503))
    table.say("Because of the bank.")
    table.pass_time(2)
    table.say("And the auditors.")
    first, second = [record_of(each, "analysis") for each in faults(table)]
    assert (first["attempt"], second["attempt"]) == (1, 1)
    assert second["total_delay_ms"] == second["delay_ms"]


# ── documents that go away ─────────────────────────────────────────────────────────────────────


def corrected(folder: Path) -> Harness:
    table = naming(folder, "CLAUDE.md")
    (table.folder() / "AGENTS.md").write_text("How agents work here.\n")
    table.say("Because of the bank.")
    assert table.session.course.steps[0].sources.corrections == (("CLAUDE.md", "AGENTS.md"),)
    return table


def test_a_corrected_document_that_goes_away_is_done_without_once_people_say_so(
    tmp_path: Path,
) -> None:
    table = corrected(tmp_path)
    (table.folder() / "AGENTS.md").unlink()
    table.say("And the auditors.")
    assert table.statuses["01-01"] == "blocked"
    table.say("It is gone for good.")
    assert table.session.status == "choosing"
    assert table.statuses["01-01"] == "completed"


def test_a_corrected_document_that_moves_on_is_followed(tmp_path: Path) -> None:
    table = corrected(tmp_path)
    (table.folder() / "AGENTS.md").rename(table.folder() / "agents.md")
    table.say("And the auditors.")
    assert dict(table.session.course.steps[0].sources.corrections)["CLAUDE.md"] == "agents.md"
    assert table.session.status == "choosing"
    assert "Available: agents.md." in (table.folder() / "requirements-spec.md").read_text()


def test_an_artifact_of_ours_is_not_taken_for_a_document_that_is_not_there(tmp_path: Path) -> None:
    table = small_table(tmp_path, tiers={"sonnet": diagnose})
    tree = table.place / "steps" / "analysis" / "01-requirements" / "02-b.md"
    tree.write_text(tree.read_text().replace("outputs:", "sources: [CLAUDE.md]\noutputs:"))
    table.start()
    table.answer("Because of the bank.")
    assert [path.name for path in table.folder().glob("*.md")] == ["requirements-spec.md"]
    table.say("Because of the auditors.")
    assert table.statuses["01-02"] == "blocked"
    (table.folder() / "AGENTS.md").write_text("How agents work here.\n")
    table.resume()
    assert table.session.status == "choosing"
    assert "Available: AGENTS.md." in (table.folder() / "requirements-spec.md").read_text()


def test_a_diagnosis_that_holds_a_credential_is_written_without_it(tmp_path: Path) -> None:
    secret = "-".join(("xoxb", "2345678901", "2345678901234", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5"))

    def leaking(request: DiagnosisRequest) -> Diagnosis:
        return Diagnosis(True, f"It is {secret}.", ((request.missing, f"{secret}.md"),))

    table = seated(tmp_path, AMBIGUOUS, tiers={"sonnet": leaking})
    table.say("Because of the bank.")
    assert secret not in "\n".join(table.snapshot())
    report = (table.folder() / "reports" / "step-01-01-sonnet.md").read_text()
    assert secret not in report


def test_where_the_report_cannot_be_written_the_step_goes_on(tmp_path: Path) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    (table.folder() / "AGENTS.md").write_text("How agents work here.\n")
    (table.folder() / "reports").write_text("in the way")
    table.say("Because of the bank.")
    assert table.session.status == "choosing"
    assert "ERR-ART-002" in table.codes
    assert table.messages == []


def test_a_tier_that_fails_itself_has_mended_nothing(tmp_path: Path) -> None:
    def failing(_: DiagnosisRequest) -> Diagnosis:
        raise RuntimeError("sonnet is not there")

    table = seated(tmp_path, AMBIGUOUS, tiers={"sonnet": failing})
    table.say("Because of the bank.")
    assert len(table.shown(fx.ShowRecovery)) == 1
    report = (table.folder() / "reports" / "step-01-01-sonnet.md").read_text()
    assert "Looking into it failed as well: RuntimeError." in report


def test_what_may_work_when_tried_again_is_looked_into_by_sonnet_else_by_opus(
    tmp_path: Path,
) -> None:
    """Seed 002: "Haiku → Sonnet (if recoverable) or Opus (if complex)"."""
    asked: list[str] = []

    def looking(tier: str) -> Callable[[DiagnosisRequest], Diagnosis]:
        def look(request: DiagnosisRequest) -> Diagnosis:
            asked.append(tier)
            return unable(request)

        return look

    tiers = {tier: looking(tier) for tier in ("sonnet", "opus")}
    flaky = [RuntimeError(f"a flaky test failed in {each}") for each in ("alpha", "beta", "gamma")]
    table = seated(tmp_path, *flaky, tiers=tiers)
    table.say("Because of the bank.")
    assert asked == ["sonnet"]
    assert table.messages == [TROUBLE]  # on with a warning (seed 004, Retriable)
    assert table.session.status == "choosing"


def test_what_nobody_waits_for_any_more_changes_nothing(tmp_path: Path) -> None:
    table = seated(tmp_path, AMBIGUOUS, tiers={"sonnet": unable})
    table.say("Because of the bank.")
    before = table.session
    at, step = table.clock.now(), before.course.step
    assert step is not None
    for late in (
        on.BrainFailed(at, TaskId("old"), step, "crash"),
        on.Diagnosed(at, TaskId("old"), step, "sonnet", True, "Found.", (("a", "b"),)),
    ):
        table.runtime.apply(table.id, late)
    assert table.session == before
