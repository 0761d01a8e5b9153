"""Plays of the Inception Party: its modes and menus, what can go wrong, and how it ends."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from bot.devtools.play.script.entries import PlayReplies
from bot.devtools.play.script.file import read
from bot.devtools.play.world import BRAIN_S
from bot.devtools.workspace.state import TEAM_ID
from tests.support import artifact_checker_inception
from tests.support.plays import PlayRecord, codes, notes, played, played_script, thread

EXAMPLES = Path("docs/examples")
PARTY_PHASES = [
    "01-vision-council",
    "02-stack-debate",
    "03-blueprint",
    "04-constitution",
    "05-walkthrough",
]
HEAD = """
people: [pm, dev]
start: {by: pm, command: "/roundtable discover Retry plugin"}
"""
PARTY = HEAD.replace("plugin", "plugin --party")
TO_THE_END = """
otherwise:
  - {by: dev, reply: "Developers who drive payments need it, because they retry by hand."}
  - {by: pm, click: continue}
"""
TO_THE_STACK = f"""{TO_THE_END}
steps:
  "02-stack-debate":
    - {{by: dev, reply: "Why not MySQL?"}}
    - {{by: pm, command: "/roundtable cancel --yes"}}
"""
FIRST_PHASE_ONLY = """
steps:
  "01-vision-council":
    - {by: dev, reply: "1. Developers who drive payments by hand."}
    - {by: pm, click: continue}
    - {by: pm, command: "/roundtable cancel --yes"}
"""


def example(name: str, place: Path) -> PlayRecord:
    return played_script(place, read(EXAMPLES / f"{name}.yaml"))


def before(phase: str, *mishaps: str) -> str:
    return f'\nbefore: {{"{phase}": [{", ".join(mishaps)}]}}\n'


def status(result: PlayRecord) -> str:
    assert result.summary["session"] is not None
    return result.summary["session"]["status"]


def phases(result: PlayRecord) -> list[str]:
    return [phase["id"] for phase in result.summary["steps"]]


def state(result: PlayRecord) -> dict[str, dict[str, str]]:
    """What `state.json` says of each phase."""
    (file,) = (each for each in result.summary["artifacts"] if each["name"] == "state.json")
    known: dict[str, dict[str, str]] = json.loads(Path(file["path"]).read_text())["party_phases"]
    return known


def told(result: PlayRecord) -> list[str]:
    return [line.words for line in result.progress]


# The examples


@pytest.mark.whole
def test_the_whole_party_of_the_example_leaves_every_file(tmp_path: Path) -> None:
    result = example("party", tmp_path)
    assert (result.exit_code, notes(result), codes(result.summary)) == (0, [], [])
    assert [(step["id"], step["status"]) for step in result.summary["steps"]] == [
        (key, "completed") for key in PARTY_PHASES
    ]
    assert [(one["phase"], one["status"]) for one in result.summary["council"]] == [
        (key, "completed") for key in PARTY_PHASES
    ]
    assert [len(one["agents"]) for one in result.summary["council"]] == [3, 3, 3, 2, 1]
    assert all(0 < one["messages"] <= 10 for one in result.summary["council"][:3])
    folder = tmp_path / "artifacts" / TEAM_ID / "dashboards-as-pdf"
    acts = [act for told in read(EXAMPLES / "party.yaml").steps.values() for act in told]
    said = [act.text for act in acts if isinstance(act, PlayReplies)]
    faults = artifact_checker_inception.check(folder, said, "Dashboards as PDF")
    assert [fault for fault in faults if not fault.startswith("state.json: ")] == []


@pytest.mark.whole
def test_everything_that_goes_wrong_in_the_example_is_met_and_survived(tmp_path: Path) -> None:
    result = example("party-trouble", tmp_path)
    assert (result.exit_code, notes(result)) == (0, [])
    assert codes(result.summary) == [
        *("E-001", "E-002", "E-003"),
        *("E-004", "E-004", "E-006"),
        *("E-008", "E-003", "E-004", "E-007"),
        *("ERR-INT-001", "E-010"),
    ]
    known = result.summary["council"]
    assert [one["agents"] for one in known[:3]] == [
        ["Nadia", "Oscar"],
        ["Liam", "Zara"],
        ["Architecture Designer", "Data Model Designer"],
    ]
    assert known[1]["messages"] == 10


# The mode


def test_without_a_word_the_recommended_mode_is_taken(tmp_path: Path) -> None:
    result = played(tmp_path, HEAD + FIRST_PHASE_ONLY)
    assert told(result)[:2] == ["pm types /roundtable discover", "pm clicks party"]
    assert phases(result) == PARTY_PHASES
    assert [one["status"] for one in result.summary["council"]] == ["cancelled"] * 5


def test_the_mode_menu_is_answered_by_a_click_under_the_first_phase(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        HEAD
        + """
steps:
  "01-vision":
    - {by: dev, click: classic}
    - {by: dev, reply: "Developers who drive payments by hand."}
    - {by: pm, click: cancel}
"""
        + before("01-vision", "{clock: +1m}"),
    )
    assert notes(result) == []
    assert told(result)[:3] == [
        "before it: the clock moves on by 60 s",
        "pm types /roundtable discover",
        "dev clicks classic",
    ]
    assert (phases(result)[0], result.summary["council"]) == ("01-vision", [])


def test_an_analysis_has_no_council(tmp_path: Path) -> None:
    result = played(tmp_path, HEAD.replace("discover", "analyze"))
    assert result.summary["council"] == []


# Recovery menus


def test_a_team_that_cannot_be_made_is_tried_again(tmp_path: Path) -> None:
    result = played(
        tmp_path, PARTY + FIRST_PHASE_ONLY + before("01-vision-council", "{team: refuse, times: 2}")
    )
    assert codes(result.summary) == ["E-001", "E-001"]
    assert told(result).count("pm clicks retry") == 2
    assert (status(result), notes(result)) == ("cancelled", [])


def test_a_team_that_cannot_be_made_leads_to_the_classic_mode(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        PARTY
        + """
steps:
  "01-vision":
    - {by: dev, reply: "Developers who drive payments by hand."}
    - {by: pm, click: cancel}
menus: {E-001: classic}
before:
  "01-vision-council": [{team: refuse}]
  "01-vision": [{clock: +1m}]
""",
    )
    assert (codes(result.summary), notes(result)) == (["E-001"], [])
    lines = told(result)
    assert lines.index("before it: the clock moves on by 60 s") == (
        lines.index("pm clicks classic") - 1
    )
    assert (phases(result)[0], len(phases(result))) == ("01-vision", 8)


def test_whoever_is_named_answers_a_recovery_menu_before_the_first_step(tmp_path: Path) -> None:
    acts = 'steps: {"01-vision-council": [{by: pm, click: cancel}]}'
    result = played(tmp_path, PARTY + acts + before("01-vision-council", "{team: refuse}"))
    assert (status(result), notes(result)) == ("cancelled", [])
    assert (codes(result.summary), phases(result)) == (["E-001"], PARTY_PHASES)


def test_a_table_that_nobody_is_left_at_can_be_called_again(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        PARTY + FIRST_PHASE_ONLY + before("01-vision-council", "{brain: refuse, times: 3}"),
    )
    assert codes(result.summary) == ["E-002", "E-002", "E-002", "E-005"]
    assert "pm clicks retry" in told(result)
    assert (status(result), notes(result)) == ("cancelled", [])
    assert result.summary["council"][0]["agents"] == ["Nadia", "Oscar", "Tessa"]


def test_what_was_said_at_the_table_is_offered_again_in_the_classic_mode(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        PARTY
        + """
steps:
  "01-vision-council":
    - {by: dev, reply: "1. Developers who drive payments by hand."}
    - {by: pm, click: continue}
    - {by: pm, click: accept}
  "02-stack-debate":
    - {by: pm, click: classic}
  "01-vision":
    - {by: dev, click: take-over}
    - {by: pm, click: cancel}
"""
        + before("02-stack-debate", "{brain: crash, times: 6}"),
    )
    assert (codes(result.summary)[-1], notes(result)) == ("E-005", [])
    assert (result.summary["council"], phases(result)[0]) == ([], "01-vision")
    assert result.summary["steps"][0]["answers"] == 1
    assert thread(result.summary, "Lead")[0][0] == "Lead"


@pytest.mark.parametrize(
    ("click", "answer"), [("", "menus: {E-008: leave}"), ("    - {by: pm, click: leave}\n", "")]
)
def test_a_last_write_that_fails_is_put_to_the_owner(
    tmp_path: Path, click: str, answer: str
) -> None:
    result = played(
        tmp_path,
        PARTY
        + TO_THE_END
        + answer
        + f"""
steps:
  "05-02":
    - {{by: dev, reply: "Next: Sam writes the plugin."}}
    - {{by: pm, click: accept}}
{click}
"""
        + before("05-02", "{write-fails: state.json, times: 4}"),
    )
    assert result.exit_code == 0
    assert codes(result.summary)[-1] == "E-008"
    assert "pm clicks leave" in told(result)
    assert state(result)["05-walkthrough"]["status"] == "in_progress"  # as it was before


# At the table


def test_a_silent_persona_is_waited_for_by_the_bots_clock(tmp_path: Path) -> None:
    trouble = "{brain: silent, persona: technical-scout, times: 2}"
    result = played(tmp_path, PARTY + TO_THE_STACK + before("01-vision-council", trouble))
    assert (codes(result.summary), notes(result)) == (["E-003", "E-004"], [])
    first = state(result)["01-vision-council"]
    times = [datetime.fromisoformat(first[key]) for key in ("started_at", "completed_at")]
    assert (times[1] - times[0]).total_seconds() >= 2 * BRAIN_S
    assert first["contributions"] == {"Tessa": "unavailable"}


def test_three_that_are_silent_at_once_are_waited_for_together(tmp_path: Path) -> None:
    trouble = "{brain: silent, times: 6}"
    result = played(tmp_path, PARTY + FIRST_PHASE_ONLY + before("01-vision-council", trouble))
    assert codes(result.summary) == [*["E-003"] * 3, *["E-004"] * 3, "E-005"]
    assert (status(result), notes(result)) == ("cancelled", [])


def test_an_answer_that_comes_in_the_next_life_of_the_bot_changes_nothing(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        PARTY
        + TO_THE_STACK
        + """
before:
  "01-vision-council": [{brain: silent, persona: technical-scout}]
  "02-stack-debate": [{restart: kill}]
""",
    )
    assert (codes(result.summary), notes(result)) == (["E-003"], [])
    assert [len(one["agents"]) for one in result.summary["council"][:2]] == [3, 3]
    asked = [text for _, text in thread(result.summary, "Tessa") if "I have " in text]
    assert len(asked) == 1


@pytest.mark.parametrize("kind", ["crash", "invalid"])
def test_who_errs_once_is_asked_once_more(tmp_path: Path, kind: str) -> None:
    trouble = f"{{brain: {kind}, persona: domain-researcher}}"
    result = played(tmp_path, PARTY + FIRST_PHASE_ONLY + before("01-vision-council", trouble))
    assert (codes(result.summary), notes(result)) == (["E-004"], [])
    assert result.summary["council"][0]["agents"] == ["Nadia", "Oscar", "Tessa"]


def test_a_fault_of_a_later_phase_is_not_met_before(tmp_path: Path) -> None:
    trouble = "{brain: refuse, persona: product-analyst}"
    result = played(tmp_path, PARTY + FIRST_PHASE_ONLY + before("02-01", trouble))
    assert codes(result.summary) == []
    assert notes(result) == ["02-01 what was to happen before it did not: it was never come to"]


def test_a_reader_takes_no_fault_that_only_a_council_can_have(tmp_path: Path) -> None:
    trouble = "{brain: chatty, persona: constitution-writer}, {team: refuse}"
    result = played(tmp_path, PARTY + TO_THE_END + before("04-constitution", trouble))
    assert (result.exit_code, codes(result.summary)) == (0, [])
    assert notes(result) == [
        "1 brain faults were never met",
        "1 faults of the team and the folder were never met",
    ]


def test_a_reply_at_a_table_that_asked_nothing_goes_to_whoever_leads(tmp_path: Path) -> None:
    result = played(tmp_path, PARTY + TO_THE_STACK)
    asked = ("dev", "Why not MySQL?")
    assert asked in thread(result.summary, "Liam")
    assert asked not in thread(result.summary, "Tessa")  # who asked last, a phase before


def test_the_world_misbehaves_before_a_phase_and_before_its_first_step(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        PARTY
        + FIRST_PHASE_ONLY
        + 'before: {"01-01": [{clock: +2s}], "01-vision-council": [{clock: +1s}]}',
    )
    assert told(result)[:2] == [
        "before it: the clock moves on by 1 s",
        "before it: the clock moves on by 2 s",
    ]
