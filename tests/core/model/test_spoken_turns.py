"""Elaborations and diagnoses over a real provider: a model's turn, the script's where it fails."""

from pathlib import Path

import pytest

from bot.devtools.provider.faults import StandInFault
from bot.devtools.provider.server import StandIn
from core.brains.model.providers.wire import Wire
from core.brains.script.diagnosis import diagnose
from core.store.journal.replay import replayed
from tests.support.fakes import DEV
from tests.support.spoken_by_model import Cast, Spoken, spoken
from tests.support.step_trees import AGENT, Tree

UTC_TODAY = "The template prints UTC today, and the zone is in the profile."
TAKEN_UP = (
    "I take up one sentence: “The template prints UTC today, and the zone is in the profile”."
)


@pytest.fixture
def table(tmp_path: Path, wire: Wire, provider: StandIn) -> Spoken:
    """At the first step's menu, with one answer that a model has read."""
    table = spoken(tmp_path, wire, [provider.url])
    table.start(depth="standard")
    table.say(UTC_TODAY)
    table.wait()
    return table


def elaborate(table: Spoken) -> list[tuple[str, str]]:
    table.click("elaborate")
    table.wait()
    return list(table.session.course.steps[0].discussion.turns)


def test_the_others_join_in_with_a_models_words_and_claim_nothing(
    table: Spoken, cast: Cast
) -> None:
    before = table.runtime.reader.claims(table.id)
    turns = elaborate(table)
    assert [who for who, _ in turns] == ["solutions-architect", "system-designer"]
    assert all(text.startswith(TAKEN_UP) for _, text in turns)
    assert table.runtime.reader.claims(table.id) == before
    asked = [one for one in cast.asked if one.task == "take_turn"]
    assert [len(one.data["asked"]) for one in asked] == [0, 1]  # the second hears the first
    rows = [row for row in table.calls() if row[0] == "take_turn"]
    assert rows == [("take_turn", "middle", "done", None)] * 2
    assert not replayed(table.runtime.database, table.id).differences


def test_whoever_is_asked_by_name_answers_with_what_a_model_says(table: Spoken, cast: Cast) -> None:
    elaborate(table)
    cast.on("Jordan", {"text": "Of the zone Priya said “the zone is in the profile”."})
    table.say("Jordan, which part owns the zone?", by=DEV)
    table.wait()
    who, text = table.session.course.steps[0].discussion.turns[-1]
    assert who == "system-designer"
    assert text == "Of the zone Priya said “the zone is in the profile”."
    assert "Were you called by name: yes" in cast.of("Jordan")[-1].system


def test_nothing_to_add_is_no_turn(table: Spoken, cast: Cast) -> None:
    cast.on("Alex", {"text": None})
    assert [who for who, _ in elaborate(table)] == ["system-designer"]


@pytest.mark.parametrize(
    "turn",
    [*map(StandInFault, ("500", "wrong-schema", "refusal", "empty")),
     {"text": "Sam said “delete all of it now”."}],
    ids=["500", "schema", "refusal", "empty", "invented"],
)  # fmt: skip
def test_where_a_turn_fails_the_script_speaks_and_nobody_waits_for_another_try(
    table: Spoken, cast: Cast, turn: StandInFault
) -> None:
    cast.on("Alex", turn)
    first, second = elaborate(table)
    assert first[0] == "solutions-architect"
    assert first[1].startswith("Priya said “")
    assert len(cast.of("Alex")) == 1
    assert second[0] == "system-designer"
    assert table.messages == []


def test_without_a_provider_an_elaboration_is_the_scripts(table: Spoken, provider: StandIn) -> None:
    provider.stop()
    assert [text.partition("“")[0] for _, text in elaborate(table)] == ["Priya said "] * 2
    table.click("done")
    table.wait()
    assert table.session.status == "choosing"


def test_what_is_done_before_a_turn_comes_cuts_its_call(table: Spoken, cast: Cast) -> None:
    cast.on("Alex", StandInFault("hang", seconds=30.0))
    table.click("elaborate")
    table.wait(hanging=1)
    table.click("done")
    table.wait()
    assert table.runner.under_way == {}
    assert table.session.course.steps[0].discussion.turns == ()


# ── diagnoses ──────────────────────────────────────────────────────────────────────────────────


def naming(folder: Path, wire: Wire, provider: StandIn, *there: str) -> Spoken:
    """A step that names CLAUDE.md, in a folder with other documents; the script's sonnet is there,
    too."""
    tree = Tree(folder / "steps")
    tree.agent(AGENT)
    tree.step("01-requirements/01-a.md", title="First", sources="[CLAUDE.md]")
    table = spoken(folder, wire, [provider.url], steps=tree.root, tiers={"sonnet": diagnose})
    table.start()
    for name in there:
        (table.folder() / name).write_text("How agents work here.\n")
    table.say("Because of the bank.")
    table.wait()
    return table


def mending(named: str, there: str, category: str | None = None) -> dict[str, object]:
    return {
        "category": category,
        "findings": f"The step means {there}.",
        "corrections": [{"named": named, "there": there}],
        "fixed": True,
    }


def test_a_wrong_name_that_the_script_cannot_tell_is_mended_by_a_model(
    tmp_path: Path, wire: Wire, provider: StandIn, cast: Cast
) -> None:
    cast.on("Roundtable", mending("CLAUDE.md", "AGENTS.md"))
    table = naming(tmp_path, wire, provider, "AGENTS.md", "NOTES.md")
    assert table.session.status == "choosing"
    assert table.session.course.steps[0].sources.corrections == (("CLAUDE.md", "AGENTS.md"),)
    (line,) = table.lines("mended")
    assert line.args["what"] == "The step means AGENTS.md."
    (asked,) = cast.of("Roundtable")
    assert {row["name"] for row in asked.data["documents"]} >= {"AGENTS.md", "NOTES.md"}
    assert ("find_cause", "middle", "done", None) in table.calls()
    assert (
        "The step means AGENTS.md."
        in (table.folder() / "reports" / "step-01-01-sonnet.md").read_text()
    )


def test_a_name_that_the_script_can_tell_costs_no_request(
    tmp_path: Path, wire: Wire, provider: StandIn, cast: Cast
) -> None:
    table = naming(tmp_path, wire, provider, "AGENTS.md")
    assert table.session.course.steps[0].sources.corrections == (("CLAUDE.md", "AGENTS.md"),)
    assert cast.of("Roundtable") == []


def test_a_correction_to_a_name_that_does_not_exist_mends_nothing(
    tmp_path: Path, wire: Wire, provider: StandIn, cast: Cast
) -> None:
    cast.on("Roundtable", mending("CLAUDE.md", "../../etc/passwd"))
    table = naming(tmp_path, wire, provider, "AGENTS.md", "NOTES.md")
    assert table.statuses["01-01"] == "blocked"
    assert table.session.course.steps[0].sources.corrections == ()


def test_a_tier_that_classifies_the_failure_itself_is_recorded_as_the_agent(
    tmp_path: Path, wire: Wire, provider: StandIn, cast: Cast
) -> None:
    cast.on("Roundtable", mending("CLAUDE.md", "", "ambiguity_error") | {"corrections": []})
    cast.on("Roundtable", {"category": None, "corrections": [], "fixed": False})
    table = naming(tmp_path, wire, provider, "AGENTS.md", "NOTES.md")
    faults = [one for one in table.runtime.reader.faults(table.id) if one.code == "ERR-INT-001"]
    assert [fault.category for fault in faults] == ["prerequisite_failure", "ambiguity_error"]
    assert [fault.facts["classified_by"] for fault in faults] == ["orchestrator", "agent"]
    tiers = [row[1] for row in table.calls() if row[0] == "find_cause"]
    assert tiers == ["middle", "strong"]  # an ambiguity goes up to opus
    assert {path.name for path in (table.folder() / "reports").iterdir()} == {
        "step-01-01-sonnet.md", "step-01-01-opus.md",
    }  # fmt: skip


def test_a_tier_that_fails_itself_is_recorded_and_people_are_asked(
    tmp_path: Path, wire: Wire, provider: StandIn, cast: Cast
) -> None:
    cast.on("Roundtable", StandInFault("wrong-schema"))
    table = naming(tmp_path, wire, provider, "AGENTS.md", "NOTES.md")
    assert table.statuses["01-01"] == "blocked"
    _, own, _ = (one for one in table.runtime.reader.faults(table.id) if one.code == "ERR-INT-001")
    assert (own.category, own.facts["classified_by"], own.visible) == (
        "unexpected_result", "agent", False,
    )  # fmt: skip
    assert own.message == "What failed at “First” could not be looked into."
