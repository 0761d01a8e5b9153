"""Artifacts of data: the quick scan's block, decisions, stories, traces and interfaces."""

import csv
import io
import json
from dataclasses import replace

import pytest
import yaml

from core.artifacts.compose.analysis.quick_scan import parse_quick_scan
from core.brains.script.reading import read
from core.domain.answers import Scan
from core.domain.ids import UserId
from tests.core.test_compose import TITLE, WHO_SAID_IT, made, page, told
from tests.core.test_scripted import SAM, answer, features, request
from tests.support.follow_ups import passed

# ── quick-scan.md ──────────────────────────────────────────────────────────────────────────────


def test_the_quick_scan_opens_with_its_block() -> None:
    size = made("00-01", "quick-scan.md", "Low complexity, small.")
    files = made("00-03", "quick-scan.md", "12 files")
    text = page((*size, *files))
    assert text.startswith(
        "---\nscope: small\ncomplexity: low\nfile_count: 12\nconfidence: unknown\n---\n\n# Quick"
    )
    assert parse_quick_scan(text) == Scan("small", "low", 12, None)
    assert page((*size, *files), text) == text


def test_an_empty_quick_scan_is_unknown_throughout() -> None:
    text = page(made("00-01", "quick-scan.md"))
    assert text.count("unknown") == 4
    assert parse_quick_scan(text) == Scan()


def test_the_block_is_renewed_and_keys_of_others_stay() -> None:
    old = page(made("00-01", "quick-scan.md", "Small.")).replace("---\n", "---\nsprint: 12\n", 1)
    text = page(made("00-01", "quick-scan.md", "Large."), old)
    assert text.startswith("---\nscope: large\n")
    assert text.count("sprint: 12\n---") == 1


@pytest.mark.parametrize(
    "text",
    ["", "no block", "---\n- a\n---\n", "---\nscope: huge\nfile_count: many\n---\n",
     "---\n{\n---\n", "---\nfile_count: true\nscope: unknown\ncomplexity: 3\n---"],
)  # fmt: skip
def test_a_block_that_makes_no_sense_is_an_unknown_scan(text: str) -> None:
    assert parse_quick_scan(text) == Scan()


# ── decisions and quality ──────────────────────────────────────────────────────────────────────


def test_a_decision_that_was_weighed_against_nothing_has_no_record() -> None:
    (part,) = made("03-02", "adr-*.md", "We go with Postgres. The team knows it.")
    assert "\n\nNo decision was weighed against another way.\n" in page((part,))


def test_quality_and_risks_are_a_table() -> None:
    text = page(made("01-05", "nfr-matrix.md", "Stay under 5 s | 9 s\nIt might leak."))
    assert "| NFR-001 | Stay under 5 s \\| 9 s | under 5 s; 9 s | Priya ([message](" in text
    assert "### Risks\n\n- It might leak. — said by Priya" in text
    assert "No quality requirement" in page(made("01-05", "nfr-matrix.md"))


# ── data ───────────────────────────────────────────────────────────────────────────────────────


def test_user_stories_follow_their_schema() -> None:
    early = read(request("01-02", "As a reader, I want a button.")).claims
    parts = made(
        "01-07",
        "user-stories.json",
        (SAM, "As an owner, I want mail so that others see it.\nLater more."),
        claims=early,
        other_answers=(answer("01-02", 1, "As a reader, I want a button."),),
        follow_ups=passed("Who else?"),
    )
    found = json.loads(page(parts))
    keys = ["schema", "title", "slug", "stories", "notes", "assumptions", "open_questions"]
    assert list(found) == keys
    assert found["stories"] == [
        {
            "id": "US-001",
            "role": "reader",
            "want": "a button",
            "acceptance_criteria": [],
            "checks": [],
            "priority": None,
            "requirements": [],
            "goals": [],
            "confidence": "stated",
            "sources": [{"by": "Priya", "permalink": "https://acme.slack.com/archives/C1/p01021"}],
        },
        {
            "id": "US-002",
            "role": "owner",
            "want": "mail",
            "benefit": "others see it",
            "acceptance_criteria": [],
            "checks": [],
            "priority": None,
            "requirements": [],
            "goals": [],
            "confidence": "stated",
            "sources": [{"by": "Sam", "permalink": "https://acme.slack.com/archives/C1/p01071"}],
        },
    ]
    assert [note["text"] for note in found["notes"]] == ["Later more."]
    assert found["assumptions"] == []
    assert found["open_questions"] == ["Asked, not answered: Who else?"]


def test_a_story_takes_its_priority_from_its_requirement() -> None:
    ranked = read(request("01-08", "FR-002 must", claims=told())).claims
    parts = made("01-07", "user-stories.json", "As an owner, I want a subscription by mail.",
                 claims=(*features(), *ranked))  # fmt: skip
    assert json.loads(page(parts))["stories"][0]["priority"] == "must"


def test_the_matrix_lists_every_requirement_and_story() -> None:
    lone = read(request("01-02", "As a guest, I want silence.")).claims
    renamed = tuple(replace(claim, ref="US-002") for claim in lone)
    parts = made("01-08", "traceability-matrix.csv", "FR-002 must", (SAM, "FR-002 should"),
                 claims=(*told(), *renamed), **WHO_SAID_IT)  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(page(parts))))
    link = "https://acme.slack.com/archives/C1/p01061"
    assert [tuple(row.values()) for row in rows] == [
        *[
            (
                "",
                "FR-001",
                "",
                "no check",
                "",
                "",
                "",
                "loose",
                f"Priya {link}",
                "",
                features()[0].text,
                "",
                "",
            )
        ],
        (
            "",
            "FR-002",
            "US-001",
            "no check",
            "",
            "",
            "must / should",
            "linked (inferred)",
            f"Priya {link}; Sam {link[:-4]}1071",
            "",
            features()[1].text,
            told()[2].text,
            "",
        ),
        ("", "", "US-002", *[""] * 4, "no requirement", "someone", "", "", lone[0].text, ""),
    ]


def test_a_cell_is_never_a_formula() -> None:
    parts = made("05-01", "z.csv", "=1+1", "@sum", "-x", names={UserId("U1"): "=cmd()"})
    rows = list(csv.reader(io.StringIO(page(parts))))[1:]
    assert [row[3] for row in rows] == ["'=1+1", "'@sum", "'-x"]
    assert {row[5] for row in rows} == {"'=cmd()"}


def test_the_interface_spec_names_endpoints_and_who_said_them() -> None:
    found = yaml.safe_load(page(made("04-02", "interface-spec.yaml", "GET /pdf reads it.\nOk.")))
    link = "https://acme.slack.com/archives/C1/p04021"
    assert found["paths"]["/pdf"]["get"]["x-said"] == [
        {"text": "GET /pdf reads it.", "said_by": "Priya", "source": link}
    ]
    assert found["interfaces"] == []
    assert found["notes"] == [{"text": "Ok.", "said_by": "Priya", "source": link}]
    assert found["title"] == TITLE


@pytest.mark.parametrize(
    ("step", "file"), [("04-02", "interface-spec.yaml"), ("01-07", "user-stories.json")]
)
@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("Done when everybody is happy", []),
        ("FR-002 is done when the mail holds one file", ["FR-002"]),
    ],
)
def test_a_check_in_a_file_of_data_has_its_name_and_what_it_is_of(
    step: str, file: str, said: str, of: list[str]
) -> None:
    earlier = "ok then"
    parts = made(step, file, earlier, said, claims=features(), **WHO_SAID_IT)
    (note,) = [note for note in yaml.safe_load(page(parts))["notes"] if note["text"] == said]
    assert (note["id"], note["of"]) == ("AC-001", of)


def test_keys_that_people_added_to_our_data_stay_and_other_files_are_replaced() -> None:
    stories = made("01-07", "user-stories.json", "As a reader, I want a button.")
    ours = page(stories)
    added = ours.replace('"schema": 2,', '"schema": 2, "owner": "Priya",')
    assert json.loads(page(stories, added))["owner"] == "Priya"
    assert page(stories, page(stories, added)) == page(stories, added)
    for foreign in ("{", "[]", '{"owner": 1}', '{"schema": 1, "stories": {}}', '{"schema": NaN}'):
        assert page(stories, foreign) == ours
    half = ours.replace('"schema": 2,', '"schema": 2, "x":"\\ud800",')
    assert page(stories, half) == ours

    spec = made("04-02", "interface-spec.yaml", "GET /pdf")
    assert yaml.safe_load(page(spec, page(spec) + "version: 2\n"))["version"] == 2
    for foreign in ("a: [", "- 1", "x: 1", "interfaces: {}", "a: 2024-99-99", "!!python/none"):
        assert page(spec, foreign) == page(spec)


@pytest.mark.parametrize(
    "file", ["x.md", "y.json", "z.csv", "w.yaml", "v.yml", "u.txt", "t.html", "s"]
)
def test_a_step_of_ones_own_works_by_the_ending_of_its_file(file: str) -> None:
    parts = made("05-01", file, "Roll out on Monday <b>.", (SAM, "With a flag."))
    text = page(parts)
    assert "With a flag." in text
    assert "Sam" in text
    assert page(parts, text) == text
    assert "<b>" not in text or file not in ("x.md", "t.html")


def test_generic_json_says_all_of_a_claim() -> None:
    found = json.loads(page(made("05-01", "y.json", "Roll out on Monday.")))
    assert found["steps"] == [
        {
            "step": "05-01",
            "title": "Step 05-01",
            "claims": [
                {
                    "id": "05-01/1",
                    "kind": "fact",
                    "ref": None,
                    "text": "Roll out on Monday.",
                    "confidence": "stated",
                    "sources": [
                        {"by": "Priya", "permalink": "https://acme.slack.com/archives/C1/p05011"}
                    ],
                }
            ],
        }
    ]
