"""A failing brain: classified, tried again, looked into by a higher tier, then a human."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.artifacts.files.session_documents import FolderDocuments
from core.brains.facilitator import Facilitator
from core.brains.script.diagnosis import diagnose
from core.brains.tasks import Diagnosis, DiagnosisRequest
from core.domain import effects as fx
from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.ids import AnswerId, UserId
from tests.support.fakes import FACILITATOR, OWNER, TEAM, Thinking
from tests.support.harness import Harness, small_table, small_tree
from tests.support.rows import run_query

TROUBLE = (
    "Analysis could not proceed: the roundtable agent encountered an error. "
    "Falling back to standard analysis."
)
OTHER = UserId("UOTHER")
Diagnostician = Callable[[DiagnosisRequest], Diagnosis]


class ServerSaidNo(Exception):  # noqa: N818 - as a provider's library would name it
    def __init__(self, status: int, retry_after: float | None = None) -> None:
        super().__init__(f"the provider answered {status}")
        self.status_code = status
        self.retry_after = retry_after


def seated(folder: Path, *turns: object, tiers: dict[str, Diagnostician] | None = None) -> Harness:
    brain = Thinking(list(turns))
    table = small_table(folder, brains={None: brain, FACILITATOR: Facilitator()}, tiers=tiers)
    table.start()
    return table


def routings(table: Harness) -> list[str]:
    return [fault.routing for fault in table.runtime.reader.faults(table.id) if fault.routing]


# ── transient and retriable ────────────────────────────────────────────────────────────────────


def test_a_rate_limit_is_tried_again_when_its_wait_is_over(tmp_path: Path) -> None:
    table = seated(tmp_path, ServerSaidNo(429))
    table.say("Because of the bank.")
    (row,) = table.runtime.outbox.brains(table.id)
    assert 1.0 <= row.due - table.clock.now() <= 1.5
    assert table.session.status == "asking"
    table.pass_time(1.6)
    assert table.session.status == "choosing"
    assert table.messages == []
    assert routings(table) == ["RETRY"]


def test_retry_after_wins_over_the_back_off(tmp_path: Path) -> None:
    table = seated(tmp_path, ServerSaidNo(429, retry_after=7))
    table.say("Because of the bank.")
    (row,) = table.runtime.outbox.brains(table.id)
    assert row.due - table.clock.now() == 7


def test_the_waits_double_and_survive_a_restart(tmp_path: Path) -> None:
    table = seated(tmp_path, *(ServerSaidNo(503) for _ in range(2)))
    table.say("Because of the bank.")
    table = table.again()
    table.pass_time(1.6)
    (row,) = table.runtime.outbox.brains(table.id)
    assert 2.0 <= row.due - table.clock.now() <= 2.5


def test_five_attempts_in_all_then_another_way_is_taken(tmp_path: Path) -> None:
    brain = Thinking([ServerSaidNo(503) for _ in range(9)])
    table = small_table(tmp_path, brains={None: brain, FACILITATOR: Facilitator()})
    table.start()
    table.say("Because of the bank.")
    for _ in range(8):
        table.pass_time(61)
    assert len(brain.asked) == 5
    assert table.messages == [TROUBLE]
    assert table.session.status == "choosing"
    assert routings(table) == ["RETRY"] * 4 + ["DETOUR"]
    faults = table.runtime.reader.faults(table.id)
    waits = [fault.facts["delay_ms"] / 1000 for fault in faults if fault.routing == "RETRY"]
    assert [round(wait - 0.25) for wait in waits] == [1, 2, 4, 8]  # with up to 0.5 s of chance


def test_a_flaky_failure_is_tried_again_at_once_and_the_same_twice_ends_it(tmp_path: Path) -> None:
    brain = Thinking([RuntimeError("an intermittent test failed"), RuntimeError("intermittent 2")])
    table = small_table(tmp_path, brains={None: brain, FACILITATOR: Facilitator()})
    table.start()
    table.say("Because of the bank.")
    assert len(brain.asked) == 3
    assert table.session.status == "choosing"
    same = Thinking([RuntimeError("an intermittent test failed") for _ in range(3)])
    (tmp_path / "second").mkdir()
    other = small_table(tmp_path / "second", brains={None: same, FACILITATOR: Facilitator()})
    other.start()
    other.say("Because of the bank.")
    assert len(same.asked) == 2  # the same error twice is not flaky
    assert other.messages == [TROUBLE]


# ── the walkthrough of seed 002 ────────────────────────────────────────────────────────────────


def naming(folder: Path, source: str) -> Harness:
    """A step that names a document, with the scripted tiers."""
    tree = small_tree(folder / "steps")
    tree.step("01-requirements/01-a.md", title="First", sources=f"[{source}]")
    table = small_table(folder, tree=tree, tiers={"sonnet": diagnose})
    table.start()
    return table


def test_a_source_with_another_name_is_found_corrected_and_read(tmp_path: Path) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    (table.folder() / "AGENTS.md").write_text("How agents work here.\n")
    table.say("Because of the bank.")
    assert table.session.status == "choosing"
    assert table.session.course.steps[0].sources.corrections == (("CLAUDE.md", "AGENTS.md"),)
    (line,) = table.lines("mended")
    assert "AGENTS.md" in line.args["what"]
    report = (table.folder() / "reports" / "step-01-01-sonnet.md").read_text()
    assert "prerequisite_failure" in report
    assert "AGENTS.md" in report
    assert "Available: AGENTS.md." in (table.folder() / "requirements-spec.md").read_text()
    assert table.messages == []
    rows = run_query(
        table.runtime.database,
        "SELECT kind FROM journal WHERE kind IN ('BrainFailed', 'Diagnosed', 'BrainReplied')"
        " ORDER BY place",
    )
    kinds = [kind for (kind,) in rows]
    assert kinds == ["BrainFailed", "Diagnosed", "BrainReplied"]


def test_haiku_reports_what_it_saw_and_the_orchestrator_classifies(tmp_path: Path) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    table.say("Because of the bank.")
    (doc,) = run_query(
        table.runtime.database, "SELECT doc FROM journal WHERE kind = 'BrainFailed'"
    ).fetchone()
    seen = json.loads(doc)["seen"]
    assert (seen["tier"], seen["error_type"]) == ("haiku", "FileNotFoundError")


def test_what_nobody_can_find_is_asked_for_and_the_answer_goes_on_by_itself(
    tmp_path: Path,
) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    table.say("Because of the bank.")
    assert table.statuses["01-01"] == "blocked"
    (line,) = table.lines("blocked")
    assert line.args["what"] == "CLAUDE.md"
    assert routings(table) == ["DETOUR", "BLOCKED"]  # looked into, then asked for
    assert table.messages == []
    table.say("There is no such file any more.", by=OTHER)
    assert table.session.status == "choosing"
    assert table.statuses["01-01"] == "completed"


@pytest.mark.parametrize(
    ("reply", "is_content"),
    [
        ("We do without it.", False),
        ("There is no such file any more.", False),
        ("OK, I've added `CLAUDE.md` now.", False),
        ("It’s there now — go on, please!", False),
        ("It says that two people review every change.", True),
        ("We do without it, but exports need a review.", True),
        ("Never mind, carry on.", False),
        ("Tests", True),
    ],
)
def test_a_reply_that_only_lets_a_step_go_on_is_not_recorded_as_content(
    tmp_path: Path, reply: str, is_content: bool
) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    table.say("Because of the bank.")
    marks = len(table.shown(fx.Mark))
    ts = table.say(reply, by=OTHER)
    assert table.session.status == "choosing"
    assert table.said == ["Because of the bank.", *([reply] if is_content else [])]
    assert len(table.shown(fx.Mark)) - marks == is_content
    words = reply.rstrip(".!")
    text = (table.folder() / "requirements-spec.md").read_text().replace("\\", "")
    assert (words in text) == is_content
    table.edit(ts, "It says that four eyes see every change.")
    assert "It says that four eyes see every change." in table.said  # an edit makes it content


def test_what_lets_a_step_go_on_is_an_answer_where_nothing_is_blocked(tmp_path: Path) -> None:
    table = seated(tmp_path)
    table.say("We do without it.")
    assert table.said == ["We do without it."]


def test_what_comes_into_the_folder_is_read_with_the_next_answer(tmp_path: Path) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    table.say("Because of the bank.")
    (table.folder() / "CLAUDE.md").write_text("How we work.\n")
    table.say("It is there now.")
    assert "Available: CLAUDE.md." in (table.folder() / "requirements-spec.md").read_text()


def test_a_blocked_step_is_tried_again_at_resume(tmp_path: Path) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    table.say("Because of the bank.")
    (table.folder() / "CLAUDE.md").write_text("How we work.\n")
    table.resume()
    assert table.session.status == "choosing"


# ── up the tiers, to a human ───────────────────────────────────────────────────────────────────


def unable(_: DiagnosisRequest) -> Diagnosis:
    return Diagnosis(False, "I cannot tell.")


@pytest.mark.parametrize(
    ("error", "asked"),
    [
        (ValueError("ambiguous: multiple valid interpretations"), ["sonnet", "opus"]),
        (RuntimeError("the script ended in a compilation error"), ["opus"]),
        (PermissionError(13, "Permission denied", "notes.md"), ["sonnet"]),
    ],
)
def test_each_category_takes_its_own_way_up_and_ends_with_a_human(
    tmp_path: Path, error: Exception, asked: list[str]
) -> None:
    tiers: list[str] = []

    def looking(tier: str) -> Diagnostician:
        def look(request: DiagnosisRequest) -> Diagnosis:
            tiers.append(tier)
            return unable(request)

        return look

    both = {tier: looking(tier) for tier in ("sonnet", "opus")}
    table = seated(tmp_path, error, tiers=both)
    table.say("Because of the bank.")
    assert tiers == asked
    (shown,) = table.shown(fx.ShowRecovery)
    menu = table.runtime.reader.menu(shown.menu)
    assert menu is not None
    assert menu.choices == ("retry", "facilitator", "skip-step", "cancel")
    assert routings(table) == ["DETOUR", "ESCALATE"]
    assert table.statuses["01-01"] == "failed"


def escalated(folder: Path, *turns: object) -> Harness:
    table = seated(
        folder,
        ValueError("ambiguous: multiple valid interpretations"),
        *turns,
        tiers={"sonnet": unable},
    )
    table.say("Because of the bank.")
    return table


def test_try_again_reads_once_more(tmp_path: Path) -> None:
    table = escalated(tmp_path)
    menu = table.session.menus.recovery
    table.click("retry", by=OTHER, menu=menu)
    assert table.session.status == "choosing"
    ended = table.runtime.reader.menu(menu)  # type: ignore[arg-type]
    assert ended is not None
    assert (ended.state, ended.chosen) == ("used", "retry")


def test_try_again_may_fail_again_and_asks_again(tmp_path: Path) -> None:
    table = escalated(tmp_path, ValueError("ambiguous: multiple valid interpretations"))
    first = table.session.menus.recovery
    table.click("retry", menu=first)
    assert table.session.menus.recovery not in (None, first)
    assert table.session.status == "asking"


def test_going_on_without_the_persona_is_said_in_the_catalogues_words(tmp_path: Path) -> None:
    table = escalated(tmp_path)
    table.click("facilitator", menu=table.session.menus.recovery)
    assert table.messages == [TROUBLE]
    assert table.session.course.phases[0].facilitated
    assert table.session.status == "choosing"


def test_skipping_the_step_goes_on_and_keeps_its_answers(tmp_path: Path) -> None:
    table = escalated(tmp_path)
    table.click("skip-step", menu=table.session.menus.recovery)
    assert table.session.course.step == "01-02"
    assert table.statuses["01-01"] == "skipped"
    assert table.said == ["Because of the bank."]


def test_cancel_is_for_the_owner_alone(tmp_path: Path) -> None:
    table = escalated(tmp_path)
    menu = table.session.menus.recovery
    table.click("cancel", by=OTHER, menu=menu)
    assert table.reply == "not-yours"
    table.click("cancel", by=OWNER, menu=menu)
    assert table.session.status == "cancelled"
    ended = table.runtime.reader.menu(menu)  # type: ignore[arg-type]
    assert ended is not None
    assert ended.chosen == "cancel"


def test_an_answer_that_is_read_well_settles_the_menu(tmp_path: Path) -> None:
    table = escalated(tmp_path)
    menu = table.session.menus.recovery
    table.say("I mean the second one.")
    assert table.session.status == "choosing"
    ended = table.runtime.reader.menu(menu)  # type: ignore[arg-type]
    assert ended is not None
    assert ended.state == "closed"


def test_a_diagnosis_that_comes_after_a_pause_changes_nothing(tmp_path: Path) -> None:
    table = escalated(tmp_path)
    table.click("pause")
    table.resume()
    assert table.session.status == "choosing"


# ── noted, and gone on with ────────────────────────────────────────────────────────────────────


def test_what_cannot_be_verified_goes_on_and_stands_in_the_artifact(tmp_path: Path) -> None:
    table = seated(tmp_path, ValueError("validation check failed: missing expected section"))
    table.say("Because of the bank.")
    assert routings(table) == ["UNVERIFIED"]
    assert table.session.status == "choosing"
    text = (table.folder() / "requirements-spec.md").read_text()
    assert "Unverified: What came of these answers did not look as it should." in text


def test_a_fatal_failure_of_a_brain_halts(tmp_path: Path) -> None:
    table = seated(tmp_path, RuntimeError("data integrity check failed"))
    table.say("Because of the bank.")
    assert table.session.status == "halted"
    assert table.codes[-1] == "ERR-DATA-001"


# ── the review ─────────────────────────────────────────────────────────────────────────────────


def inventing(request: ReadRequest) -> Draft:
    """A claim that rests on an answer nobody gave."""
    claim = Claim(f"{request.step.id}/1", request.step.id, "fact", "It pays.", (AnswerId("no"),))
    return Draft("Recorded.", (claim,))


def test_a_reading_that_invents_is_refused_and_asked_for_again(tmp_path: Path) -> None:
    table = seated(tmp_path, inventing)
    table.say("Because of the bank.")
    assert table.session.status == "choosing"
    assert "It pays." not in (table.folder() / "requirements-spec.md").read_text()


def test_one_that_invents_twice_is_not_asked_again(tmp_path: Path) -> None:
    table = seated(tmp_path, inventing, inventing)
    table.say("Because of the bank.")
    assert table.messages == [TROUBLE]
    assert "It pays." not in (table.folder() / "requirements-spec.md").read_text()


def test_the_shelf_shows_what_lies_in_the_folder_and_nothing_of_ours(tmp_path: Path) -> None:
    table = naming(tmp_path, "CLAUDE.md")
    (table.folder() / "AGENTS.md").write_text("x\n")
    shelf = FolderDocuments(table.artifacts)
    assert "AGENTS.md" in shelf.names(TEAM, table.session.slug)
    assert "meta.json" not in shelf.names(TEAM, table.session.slug)
