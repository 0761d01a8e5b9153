"""From goal to requirement, story, check, part and decision: by people's words, else loose."""

import csv
import io
import json
from dataclasses import replace

import pytest

from core.artifacts.compose.analysis.tracing import MATRIX_COLUMNS, matrix_rows
from core.artifacts.compose.layouts import sections
from core.artifacts.document import words
from core.artifacts.render.markdown import markdown
from core.artifacts.report.data_tables import data_blocks
from core.brains.bookkeeping.references.links import BY_WORDS, linked
from core.brains.script.reading import read
from core.domain.answers import Claim
from tests.core.test_artifacts_lines import HOLD, MUST, SPEC, STORIES, file_of, line
from tests.core.test_scripted import request, shipped
from tests.support.composing import compose

MATRIX = "traceability-matrix.csv"
LOOSE = words.text("loose_requirements").split(":")[0]
GOAL = line(2, "purpose", "nobody stands at a closed door", step="01-01", ref="GOAL-001")
STORY = line(
    1,
    "story",
    "a guest sees the last table go",
    step="01-07",
    ref="US-001",
    requirements="FR-001",
    role="a guest",
    moment="on Friday at eight",
    want="the last table held",
)


def rows(*earlier: Claim) -> list[dict[str, str]]:
    text = file_of(MATRIX, step="01-08", earlier=earlier)
    return list(csv.DictReader(io.StringIO(text), strict=True))


def test_a_row_that_was_stored_before_there_was_a_column_lacks_it() -> None:
    older, newer = ["", "FR-001", "", "no check"], [""] * len(MATRIX_COLUMNS)
    _, first, second = matrix_rows({}, [("01-08", "Ranks", {"rows": [older, newer]})])
    assert first == (*older, *[""] * (len(MATRIX_COLUMNS) - len(older)))
    assert second == tuple(newer)


def test_the_matrix_joins_goal_requirement_story_check_part_and_decision() -> None:
    goal = line(2, "purpose", GOAL.text, step="01-01", ref="GOAL-001")
    asked = line(1, "requirement", HOLD.text, ref="FR-001", goals="GOAL-001")
    check = line(3, "check", "it shows as taken", ref="AC-001", of="FR-001")
    part = line(
        1, "module", "Slots: keeps FR-001", step="04-01", module="Slots", requirements="FR-001"
    )
    choice = line(1, "decision", "a lock", step="03-02", ref="ADR-001", by_words="FR-001")
    (row,) = rows(goal, asked, check, STORY, MUST, part, choice)
    assert {name: cell for name, cell in row.items() if name != "source"} == {
        "goal": "GOAL-001",
        "requirement": "FR-001",
        "story": "US-001",
        "check": "AC-001",
        "component": "Slots",
        "decision": "ADR-001 (inferred)",
        "priority": "must",
        "status": "linked",
        "goal_text": goal.text,
        "requirement_text": asked.text,
        "story_text": STORY.text,
        "check_text": check.text,
    }
    assert row["source"]


@pytest.mark.parametrize(
    ("check", "shown"),
    [
        (line(3, "check", "it shows as taken", ref="AC-001", of="FR-001"),
         "**AC-001** it shows as taken"),
        (line(3, "check", "it shows as taken", of="FR-001"), "| it shows as taken |"),
    ],
)  # fmt: skip
def test_the_report_shows_a_check_with_its_words(check: Claim, shown: str) -> None:
    asked = line(1, "requirement", HOLD.text, ref="FR-001")
    text = markdown(data_blocks(MATRIX, rows(asked, check)))
    assert shown in text


def test_the_report_shows_no_words_of_a_check_in_a_row_that_names_none() -> None:
    asked = line(1, "requirement", HOLD.text, ref="FR-001")
    (row,) = rows(asked, line(3, "check", "it shows as taken", ref="AC-001", of="FR-001"))
    text = markdown(data_blocks(MATRIX, [row | {"check": ""}]))
    assert "it shows as taken" not in text


def test_the_report_says_of_a_must_that_it_has_no_check() -> None:
    asked = line(1, "requirement", HOLD.text, ref="FR-001")
    text = markdown(data_blocks(MATRIX, rows(asked, MUST)))
    assert "| no check |" in text


MILL = {
    "01-01": ["What gets better: the miller no longer loses wet sacks in the queue."],
    "01-06": [
        "R1: The scale weighs every sack on arrival\n"
        "R2: a wet sack is refused with the reason on a slip\n"
        "R3: lorries get a slot by text\n"
        "check R2: a sack of 20 %, slip says moisture"
    ],
    "01-07": [
        "As a miller I want wet sacks refused at the gate so that my queue moves."
        " I'd drop a soaked one on it.",
        "as driver I want the text with my slot the evening before",
    ],
    "01-08": ["R1 R2 must, R3 should"],
    "03-02": ["We go with a moisture probe for the wet sack refusal slip instead of a lab."],
    "04-01": ["Gate: decides R2, prints the slip", "Texts: sends lorries their slot"],
}


def test_the_words_of_an_item_lead_from_its_goal_to_its_parts_and_decisions() -> None:
    claims: tuple[Claim, ...] = ()
    for step, said in MILL.items():
        claims += read(request(step, *said, claims=claims)).claims
    columns = ("goal", "requirement", "story", "check", "component", "decision", "status")
    assert [tuple(row[column] for column in columns) for row in rows(*claims)] == [
        ("", "FR-001", "", words.text("unchecked"), "", "", "loose"),
        (
            *("GOAL-001 (inferred)", "FR-002", "US-001", "AC-001; AC-002"),
            *("Gate", "ADR-001 (inferred)", "linked (inferred)"),
        ),
        ("", "FR-003", "US-002", "", "Texts (inferred)", "", "linked (inferred)"),
    ]


@pytest.mark.parametrize(
    ("told", "kinds"),
    [
        ("*What gets better* → nobody waits at a closed door", ["purpose"]),
        ("**Win:** nobody waits at a closed door", ["purpose"]),
        ("How we notice: calls at the door, from 9 to 2", ["success"]),
        ("I'd call it a success when fewer than five people a day ring", ["success"]),
        ("We would measure success as the share of calls before nine", ["success"]),
        ("success = nobody rings, and the queue is gone by 31 January", ["success"]),
        ("*What gets better* → the door opens on time", ["purpose"]),
        ("open → closed", ["fact"]),
    ],
)
def test_a_goal_has_its_label_before_a_colon_or_marked_before_an_arrow_or_tells_success(
    told: str, kinds: list[str]
) -> None:
    step = next(step for step in shipped() if step.id == "01-01")
    claims = read(replace(request("01-01", told), step=step)).claims
    assert [claim.kind for claim in claims] == kinds


@pytest.mark.parametrize(
    ("asked", "step", "parts"),
    [
        ("`log` is only the door", "01-06", "log"),
        ("log never learns who reported", "01-06", "log"),
        ("then the store gets what log has", "04-01", "log; store"),
        ("each mute lands in the guild log", "01-06", ""),
        ("hang on the mail has to show it", "04-01", ""),
    ],
)
def test_a_part_of_a_requirement_is_a_module_that_it_names(
    asked: str, step: str, parts: str
) -> None:
    modules = [
        line(1, "module", "`log` - guild log", step="04-01"),
        line(1, "module", "store: keeps all of it", step="04-01"),
        line(1, "module", "hang on the mail has to show it", step="04-01"),
    ]
    modules = [replace(one, id=f"04-01/{n}") for n, one in enumerate(modules, 5)]
    (row,) = rows(line(1, "requirement", asked, step=step, ref="FR-001"), *modules)
    assert row["component"] == parts


def test_a_requirement_that_serves_neither_story_nor_goal_is_loose() -> None:
    lone = line(2, "requirement", "a report each Monday", ref="FR-002")
    statuses = {row["requirement"]: row["status"] for row in rows(HOLD, lone, STORY)}
    assert statuses == {"FR-001": "linked", "FR-002": "loose"}
    text = file_of(SPEC, HOLD, lone, earlier=(STORY,))
    assert text.count(LOOSE) == 1
    assert text.index("a report each Monday") < text.index(LOOSE)


def test_nothing_is_called_loose_before_there_is_a_story_or_a_goal() -> None:
    assert LOOSE not in file_of(SPEC, HOLD)


def test_a_requirement_serves_a_goal_without_a_story() -> None:
    asked = line(1, "requirement", HOLD.text, ref="FR-001", goals="GOAL-001")
    (row,) = rows(GOAL, asked)
    assert (row["goal"], row["story"], row["status"]) == ("GOAL-001", "", "linked")
    assert "  - Goal: GOAL-001\n" in file_of(SPEC, asked, earlier=(GOAL,))


def test_a_must_without_a_check_says_so_in_the_matrix() -> None:
    (row,) = rows(HOLD, MUST)
    assert row["check"] == words.text("unchecked")


def test_a_story_is_a_person_a_moment_and_what_happens() -> None:
    (story,) = json.loads(file_of(STORIES, STORY, step="01-07"))["stories"]
    assert [story[key] for key in ("role", "moment", "want")] == [
        "a guest",
        "on Friday at eight",
        "the last table held",
    ]
    assert "benefit" not in story


@pytest.mark.parametrize(
    ("ranks", "priority"),
    [
        ("Should: B, contest", "should"),
        ("*could* the guest list, CSV", "could"),
        ("must: US-002", "must"),
        ("Should: a guest", None),
        ("Could we contest it?", None),
        ("CSV stays where it is, must", None),
    ],
)
def test_a_line_that_lists_what_is_how_important_ranks_the_story_it_names(
    ranks: str, priority: str | None
) -> None:
    told = "a guest may contest the guest list as CSV"
    story = line(2, "story", told, step="01-07", ref="US-002", want="contest")
    word = priority or "must"
    rank = line(3, "priority", ranks, step="01-08", requirement="", priority=word)
    text = file_of("user-stories.json", step="01-07", earlier=(HOLD, STORY, story, rank))
    priorities = {row["id"]: row["priority"] for row in json.loads(text)["stories"]}
    assert priorities == {"US-001": None, "US-002": priority}
    by_story = {row["story"]: row["priority"] for row in rows(HOLD, STORY, story, rank)}
    assert by_story["US-002"] == (priority or "")


@pytest.mark.parametrize(
    "told", ["admins of a firm I guess", "admins of a firm, maybe.", "admins of a firm"]
)
def test_the_person_of_a_story_has_no_hedge_behind_it(told: str) -> None:
    text = file_of(
        "user-stories.json", step="01-07", earlier=(replace(STORY, data={"role": told}),)
    )
    (story,) = json.loads(text)["stories"]
    assert story["role"] == "admins of a firm"


def test_the_checks_of_a_story_stand_with_their_names() -> None:
    check = line(3, "check", "the guest sees it go", ref="AC-004", of="US-001")
    text = file_of("user-stories.json", step="01-07", earlier=(STORY, check))
    (story,) = json.loads(text)["stories"]
    assert story["checks"] == [{"id": "AC-004", "text": check.text}]
    assert story["acceptance_criteria"] == [check.text]


# ── what belongs together by its words ─────────────────────────────────────────────────────────

DOSE = line(1, "requirement", "a nurse scans the wristband before a dose", ref="FR-001")
STOCK = line(2, "requirement", "the pharmacy sees which dose runs low", ref="FR-002")


def links_of(claim: Claim, *others: Claim) -> str:
    (made,) = linked((claim,), request(claim.step, claims=others))
    return made.data.get(BY_WORDS, "")


@pytest.mark.parametrize(
    ("told", "belongs"),
    [
        ("night shift: the wristband is scanned, the nurse scans twice", "FR-001"),
        ("Pharmacy lead gets a mail when something runs low", "FR-002"),
        ("the dose is wrong and nobody sees it", ""),
        ("a nurse", ""),
        ("die Schwester gibt die Tablette", ""),
        ("the nurse scans the wristband, and the pharmacy hears what runs out", "FR-001, FR-002"),
    ],
)
def test_only_words_that_no_other_line_has_join_two_lines(told: str, belongs: str) -> None:
    assert links_of(line(1, "story", told, step="01-07", ref="US-001"), DOSE, STOCK) == belongs


def test_the_words_of_the_title_join_nothing() -> None:
    story = line(1, "story", "export the dashboard", step="01-07", ref="US-001")
    other = line(1, "requirement", "export each dashboard at night", ref="FR-001")
    assert links_of(story, other) == ""


@pytest.mark.parametrize(
    ("told", "requirements"),
    [("Gate: decides R2", "FR-002"), ("Gate: decides R1 and r2", "FR-001, FR-002"), ("R7", "")],
)
def test_a_part_calls_a_requirement_by_the_name_that_people_wrote_before_it(
    told: str, requirements: str
) -> None:
    named = [
        replace(claim, text=f"R{n}: {claim.text}") for n, claim in enumerate((DOSE, STOCK), start=1)
    ]
    (made,) = linked(
        (line(1, "module", told, step="04-01"),), request("04-01", claims=tuple(named))
    )
    assert made.data.get("requirements", "") == requirements


def test_who_names_a_line_is_not_guessed_at() -> None:
    story = line(1, "story", "nurse scans the wristband, FR-002", step="01-07", ref="US-001")
    (made,) = linked((story,), request("01-07", claims=(DOSE, STOCK)))
    assert (made.data["requirements"], made.data.get(BY_WORDS)) == ("FR-002", None)


def test_a_story_whose_wish_a_requirement_says_again_belongs_to_it_by_one_word_of_its_own() -> None:
    screen = line(1, "requirement", "the clinic shows one list of doses on a screen", ref="FR-001")
    mail = line(2, "requirement", "the clinic sends one list of doses by mail", ref="FR-002")
    wish = "one list of doses on my screen"
    story = line(1, "story", f"As a nurse, I want {wish}", step="01-07", ref="US-001", want=wish)
    assert links_of(story, screen, mail) == "FR-001"
    other = line(1, "story", "one mail too many", step="01-07", ref="US-002")
    assert links_of(other, screen, mail) == ""


def test_a_replaced_requirement_has_no_links() -> None:
    newer = line(3, "note", "no scanning", replaces=[DOSE])
    story = line(1, "story", "the nurse scans the wristband", step="01-07", ref="US-001")
    assert links_of(story, DOSE, STOCK, newer) == ""


@pytest.mark.parametrize(
    "said", ["Goal: half the no-shows by June", "2. half the no-shows, seen in the weekly list"]
)
def test_a_goal_is_what_people_call_one_or_answer_to_what_gets_better(said: str) -> None:
    step = next(step for step in shipped() if step.id == "01-01")
    (claim,) = read(replace(request("01-01", said), step=step)).claims
    assert (claim.kind, claim.ref) == ("purpose", "GOAL-001")


def test_the_matrix_lists_a_requirement_that_was_replaced_with_what_stands_in_its_place() -> None:
    newer = line(2, "requirement", "hold it for five minutes", ref="FR-002", replaces=(HOLD,))
    old, *_ = [row for row in rows(HOLD, newer) if row["requirement"] == "FR-001"]
    assert old["status"] == "replaced by FR-002"
    assert old["requirement_text"] == HOLD.text
    assert old["source"]
    assert [row["requirement"] for row in rows(HOLD, newer)] == ["FR-002", "FR-001"]


def test_the_quick_scan_lists_a_size_that_its_author_replaced() -> None:
    asked = request("00-01", "large", "medium then", outputs=("quick-scan.md",))
    parts = sections(asked, read(asked))
    text = compose("quick-scan.md", "A title", "a-title", parts, None)
    assert "~~large~~" in text
    assert "Replaced by: medium then" in text
