"""The catalogue says the taxonomies' words, and routes as the product's table says."""

from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from core.taxonomy.catalogue import (
    CATALOGUE,
    KIND_OF_CATEGORY,
    META_CORRUPT_KNOWN,
    CatalogueEntry,
    Category,
    Code,
    Handling,
    Impact,
    Kind,
    Routing,
    Severity,
    fill,
    logged,
    placeholders_of,
    shown,
    told_to_agents,
)

NO_STEPS = "No step files found for phase {phase_key}. Completing phase without interactive steps."

# The words of both taxonomies, to the letter.
MESSAGES: dict[str, str | None] = {
    "ERR-RT-001": None,
    "ERR-RT-002": (
        "Warning: Roundtable agent file has invalid format. "
        "Falling back to standard analysis agents."
    ),
    "ERR-STEP-001": NO_STEPS,
    "ERR-STEP-002": NO_STEPS,
    "ERR-STEP-003": "Warning: Step file {filename} could not be read. Skipping.",
    "ERR-STEP-004": "Warning: Step file {filename} has invalid frontmatter. Skipping.",
    "ERR-STEP-005": (
        "Warning: Step file {filename} is missing required field '{field_name}'. Skipping."
    ),
    "ERR-STEP-006": (
        "Warning: Step file {filename} has invalid value for '{field_name}': '{value}'. Skipping."
    ),
    "ERR-STEP-007": None,
    "ERR-STEP-008": (
        "Warning: Step {step_id} depends on {dep_id} which is not complete. Skipping for now."
    ),
    "ERR-STEP-009": (
        "Warning: Step {step_id} has an invalid skip_if condition: '{expression}'. "
        "Executing step normally."
    ),
    "ERR-META-001": None,
    "ERR-META-002": "Warning: meta.json is corrupt. Starting analysis from the beginning.",
    "ERR-META-003": (
        "Warning: Failed to save progress to meta.json. Your artifacts were updated, "
        "but the session may not resume correctly from this point."
    ),
    "ERR-META-004": None,
    "ERR-META-005": None,
    "ERR-ART-001": None,
    "ERR-ART-002": (
        "Warning: Failed to write {artifact_name}. The analysis will continue, "
        "but this artifact may be incomplete."
    ),
    "ERR-ART-003": "Warning: Could not read existing {artifact_name}. Creating a fresh version.",
    "ERR-PERSONA-001": (
        "Note: Unknown phase key '{phase_key}'. "
        "I'll lead this phase as Maya Chen (Business Analyst)."
    ),
    "ERR-PERSONA-002": None,
    "ERR-DEPTH-001": None,
    "ERR-DEPTH-002": None,
    "ERR-INT-001": (
        "Analysis could not proceed: the roundtable agent encountered an error. "
        "Falling back to standard analysis."
    ),
    "ERR-INT-002": None,
    "E-001": "Team creation failed. Party mode requires a running agent team.",
    "E-002": "Proceeding with {remaining_count} agents in {phase_name}.",
    "E-003": None,
    "E-004": "{PersonaName} encountered an issue. Proceeding with remaining agents.",
    "E-005": "All agents in {phase_name} encountered errors.",
    "E-006": "Message limit reached. Please submit your final position now.",
    "E-007": None,
    "E-008": "Warning: Could not update state.json progress tracking.",
    "E-009": "Error: --party and --classic are mutually exclusive. Use one or the other.",
    "E-010": None,
}

TITLES = {
    "ERR-RT-001": "Roundtable agent file not found",
    "ERR-RT-002": "Roundtable agent file corrupt",
    "ERR-STEP-001": "Step directory not found",
    "ERR-STEP-002": "Step directory empty",
    "ERR-STEP-003": "Step file unreadable",
    "ERR-STEP-004": "Invalid YAML frontmatter",
    "ERR-STEP-005": "Missing required frontmatter field",
    "ERR-STEP-006": "Invalid frontmatter field value",
    "ERR-STEP-007": "Missing body section for active depth",
    "ERR-STEP-008": "Unresolved step dependency",
    "ERR-STEP-009": "skip_if evaluation error",
    "ERR-META-001": "Meta.json not found",
    "ERR-META-002": "Meta.json corrupt",
    "ERR-META-003": "Meta.json write failure",
    "ERR-META-004": "Invalid steps_completed type",
    "ERR-META-005": "Invalid depth_overrides type",
    "ERR-ART-001": "Artifact folder missing",
    "ERR-ART-002": "Artifact write failure",
    "ERR-ART-003": "Artifact read failure during update",
    "ERR-PERSONA-001": "Unknown phase key",
    "ERR-PERSONA-002": "Step file persona mismatch",
    "ERR-DEPTH-001": "Quick-scan data unavailable",
    "ERR-DEPTH-002": "Invalid depth override value",
    "ERR-INT-001": "Task tool delegation failure",
    "ERR-INT-002": "Phase boundary inconsistency",
    "E-001": "TeamCreate Failure",
    "E-002": "Single Agent Spawn Failure",
    "E-003": "Agent Communication Failure (No Response)",
    "E-004": "Agent Task Failure (Error During Execution)",
    "E-005": "All Agents in Phase Failure",
    "E-006": "Message Limit Exceeded",
    "E-007": "Artifact Write Failure",
    "E-008": "State Write Failure",
    "E-009": "Flag Conflict (--party + --classic)",
    "E-010": "TeamDelete Failure",
}

# severity · shown · handling · category · routing, then
ROWS = {
    "ERR-RT-001": "INFO no permanent prerequisite_failure DETOUR",
    "ERR-RT-002": "ERROR yes permanent prerequisite_failure DETOUR",
    "ERR-STEP-001": "INFO yes permanent prerequisite_failure CONTINUE",
    "ERR-STEP-002": "INFO yes permanent prerequisite_failure CONTINUE",
    "ERR-STEP-003": "WARNING yes permanent prerequisite_failure CONTINUE",
    "ERR-STEP-004": "WARNING yes permanent prerequisite_failure CONTINUE",
    "ERR-STEP-005": "WARNING yes permanent prerequisite_failure CONTINUE",
    "ERR-STEP-006": "WARNING yes permanent prerequisite_failure CONTINUE",
    "ERR-STEP-007": "INFO no permanent ambiguity_error CONTINUE",
    "ERR-STEP-008": "WARNING yes permanent prerequisite_failure CONTINUE",
    "ERR-STEP-009": "WARNING yes permanent ambiguity_error CONTINUE",
    "ERR-META-001": "INFO no permanent prerequisite_failure CONTINUE",
    "ERR-META-002": "ERROR yes permanent unexpected_result CONTINUE",
    "ERR-META-003": "ERROR yes permanent execution_error CONTINUE",
    "ERR-META-004": "INFO no permanent unexpected_result CONTINUE",
    "ERR-META-005": "INFO no permanent unexpected_result CONTINUE",
    "ERR-ART-001": "WARNING no permanent prerequisite_failure CONTINUE",
    "ERR-ART-002": "ERROR yes permanent execution_error CONTINUE",
    "ERR-ART-003": "WARNING yes permanent prerequisite_failure CONTINUE",
    "ERR-PERSONA-001": "WARNING yes permanent prerequisite_failure CONTINUE",
    "ERR-PERSONA-002": "INFO no permanent ambiguity_error CONTINUE",
    "ERR-DEPTH-001": "INFO no permanent prerequisite_failure CONTINUE",
    "ERR-DEPTH-002": "INFO no permanent unexpected_result CONTINUE",
    "ERR-INT-001": "FATAL yes permanent execution_error DETOUR",
    "ERR-INT-002": "WARNING no permanent inter_agent_misalignment CONTINUE",
    "E-001": "ERROR yes permanent prerequisite_failure ESCALATE",
    "E-002": "WARNING yes permanent execution_error CONTINUE",
    "E-003": "WARNING no retriable inter_agent_misalignment RETRY",
    "E-004": "WARNING yes retriable execution_error RETRY CONTINUE",
    "E-005": "ERROR yes permanent execution_error ESCALATE",
    "E-006": "WARNING yes permanent inter_agent_misalignment CONTINUE",
    "E-007": "WARNING yes retriable execution_error RETRY CONTINUE",
    "E-008": "ERROR yes retriable execution_error RETRY CONTINUE",
    "E-009": "WARNING yes permanent ambiguity_error BLOCKED",
    "E-010": "INFO no permanent execution_error CONTINUE",
    "ERR-SEC-001": "FATAL yes fatal unexpected_result TERMINATE",
    "ERR-SEC-002": "FATAL yes fatal inter_agent_misalignment TERMINATE",
    "ERR-DATA-001": "FATAL yes fatal unexpected_result TERMINATE",
    "ERR-DATA-002": "FATAL yes fatal execution_error TERMINATE",
    "ERR-SLACK-001": "ERROR yes permanent prerequisite_failure ESCALATE",
    "ERR-SLACK-002": "ERROR yes permanent prerequisite_failure ESCALATE",
    "ERR-SLACK-003": "ERROR yes permanent prerequisite_failure ESCALATE",
    "ERR-STORE-001": "ERROR yes permanent prerequisite_failure ESCALATE",
}

GROUPS = {
    "ERR-RT": "Agent Discovery",
    "ERR-STEP": "Step Files",
    "ERR-META": "Meta.json",
    "ERR-ART": "Artifacts",
    "ERR-PERSONA": "Persona",
    "ERR-DEPTH": "Adaptive Depth",
    "ERR-INT": "Integration",
    "ERR-SEC": "Security",
    "ERR-DATA": "Data",
    "ERR-SLACK": "Slack",
    "ERR-STORE": "Storage",
}
PARTY_GROUPS = {
    "E-001": "Team Creation Failure",
    "E-002": "Single Agent Failure",
    "E-003": "Message Delivery Failure",
    "E-004": "Single Agent Failure",
    "E-005": "All Agents in Phase Failure",
    "E-006": "Message Delivery Failure",
    "E-007": "Artifact Production Failure",
    "E-008": "State Write Failure",
    "E-009": "Flag Conflict",
    "E-010": "Team Creation Failure",
}

# blocks user, phase, workflow; mends itself
IMPACTS = {
    "E-001": (False, True, True, False),
    "E-002": (False, False, False, True),
    "E-003": (False, True, False, True),
    "E-004": (False, False, False, True),
    "E-005": (True, True, True, False),
    "E-006": (False, False, False, True),
    "E-007": (False, False, False, True),
    "E-008": (False, False, False, True),
    "E-009": (True, True, True, False),
    "E-010": (False, False, False, True),
}


def columns(entry: CatalogueEntry) -> str:
    yes = "yes" if entry.user_visible else "no"
    words = [entry.severity, yes, entry.handling, entry.category, entry.routing]
    return " ".join([*words, entry.then] if entry.then else words)


def impact(entry: CatalogueEntry) -> tuple[bool, bool, bool, bool]:
    what = entry.impact
    return what.blocks_user, what.blocks_phase, what.blocks_workflow, what.auto_recoverable


def test_there_is_one_row_for_each_code_and_no_other() -> None:
    assert list(get_args(Code)) == list(CATALOGUE)
    assert all(code == entry.code for code, entry in CATALOGUE.items())
    assert list(MESSAGES) == list(CATALOGUE)[:35]


@pytest.mark.parametrize("code", MESSAGES)
def test_the_words_are_those_of_the_taxonomies(code: str) -> None:
    assert CATALOGUE[code].message == MESSAGES[code]


@pytest.mark.parametrize("code", TITLES)
def test_the_titles_are_those_of_the_taxonomies(code: str) -> None:
    assert CATALOGUE[code].title == TITLES[code]


@pytest.mark.parametrize("code", ROWS)
def test_a_row_weighs_and_routes_as_the_table_says(code: str) -> None:
    assert columns(CATALOGUE[code]) == ROWS[code]


def test_every_value_is_one_of_its_kind() -> None:
    for entry in CATALOGUE.values():
        assert entry.severity in get_args(Severity)
        assert entry.handling in get_args(Handling)
        assert entry.category in get_args(Category)
        assert entry.kind in get_args(Kind)
        assert entry.routing in get_args(Routing)
        assert entry.title
        assert entry.recovery.endswith(".")
        assert entry.source


def test_causes_are_faults_and_observations_are_failures() -> None:
    assert set(KIND_OF_CATEGORY) == set(get_args(Category))
    faults = {"prerequisite_failure", "ambiguity_error"}
    for entry in CATALOGUE.values():
        assert entry.kind == ("fault" if entry.category in faults else "failure")


def test_only_what_is_transient_or_retriable_is_retried() -> None:
    again = {code for code, entry in CATALOGUE.items() if entry.retryable}
    assert again == {"E-003", "E-004", "E-007", "E-008"}


def test_the_groups_are_those_of_the_taxonomies() -> None:
    for code, entry in CATALOGUE.items():
        assert entry.group == (PARTY_GROUPS.get(code) or GROUPS[code.rpartition("-")[0]])


@pytest.mark.parametrize("code", IMPACTS)
def test_the_impact_is_the_one_of_the_severity_matrix(code: str) -> None:
    assert impact(CATALOGUE[code]) == IMPACTS[code]


def test_of_the_first_taxonomy_only_the_fatal_one_blocks_and_all_mend_themselves() -> None:
    for code, entry in CATALOGUE.items():
        if code in MESSAGES and code not in IMPACTS:
            assert impact(entry) == (False, code == "ERR-INT-001", False, True)


def test_a_fatal_handling_halts_its_run() -> None:
    for entry in CATALOGUE.values():
        if entry.handling == "fatal":
            assert impact(entry) == (True, True, True, False)
            assert entry.routing == "TERMINATE"


def test_what_is_said_to_people_to_the_log_and_to_personas_is_kept_apart() -> None:
    assert {code: one.log for code, one in CATALOGUE.items() if one.log} == {
        "E-002": "{PersonaName} could not be launched."
    }
    assert {code: one.to_agents for code, one in CATALOGUE.items() if one.to_agents} == {
        "E-003": "Please submit your {expected_output_type}.",
        "E-006": "Message limit reached. Please submit your final position now.",
    }


def test_everything_visible_has_words_or_a_place_of_its_own() -> None:
    wordless = {
        code for code, entry in CATALOGUE.items() if entry.user_visible and entry.message is None
    }
    assert wordless == {"E-007"}  # it is told in the phase's summary


def test_only_a_failed_save_is_told_once_a_session() -> None:
    once = {code for code, entry in CATALOGUE.items() if entry.shown_once_per == "session"}
    assert once == {"ERR-META-003"}


def test_the_corrupt_file_of_a_known_session_has_words_of_its_own() -> None:
    assert fill(META_CORRUPT_KNOWN, name="meta.json.corrupt-1") == (
        "Warning: meta.json is corrupt. Your progress is safe; "
        "the old file was kept as meta.json.corrupt-1."
    )


def test_placeholders_are_filled_in() -> None:
    assert shown("ERR-STEP-006", filename="01-a.md", field_name="depth", value="deeper") == (
        "Warning: Step file 01-a.md has invalid value for 'depth': 'deeper'. Skipping."
    )
    assert shown("E-002", remaining_count=2, phase_name="Stack Debate") == (
        "Proceeding with 2 agents in Stack Debate."
    )
    assert logged("E-002", PersonaName="Zara") == "Zara could not be launched."
    assert told_to_agents("E-003", expected_output_type="position") == (
        "Please submit your position."
    )


def test_braces_in_a_value_are_data() -> None:
    assert "{field_name}" in shown(
        "ERR-STEP-006", filename="{value}", field_name="title", value="{field_name} {} {0!r}"
    )
    assert shown("ERR-STEP-003", filename=r"\1 \g<0>") == (
        r"Warning: Step file \1 \g<0> could not be read. Skipping."
    )


@pytest.mark.parametrize("placeholders", [{}, {"file": "x"}, {"filename": "x", "more": "y"}])
def test_a_placeholder_missing_or_too_many_is_a_broken_promise(
    placeholders: dict[str, str],
) -> None:
    with pytest.raises(AssertionError):
        shown("ERR-STEP-003", **placeholders)


def test_a_code_without_words_has_nothing_to_show() -> None:
    with pytest.raises(AssertionError):
        shown("ERR-STEP-007")
    with pytest.raises(AssertionError):
        logged("ERR-STEP-007")
    with pytest.raises(AssertionError):
        told_to_agents("ERR-STEP-007")


def test_no_text_has_a_brace_that_is_no_placeholder() -> None:
    for entry in CATALOGUE.values():
        for text in (entry.message, entry.log, entry.to_agents):
            if text is not None:
                filled = fill(text, **dict.fromkeys(placeholders_of(text), "x"))
                assert not set(filled) & set("{}")


def test_nobody_can_write_to_a_row() -> None:
    with pytest.raises(FrozenInstanceError):
        CATALOGUE["E-001"].severity = "INFO"  # type: ignore[misc]
    with pytest.raises(TypeError):
        CATALOGUE["E-011"] = CATALOGUE["E-010"]  # type: ignore[index]
    assert Impact() == Impact(False, False, False, True, "")
