"""`discovery-context.json`: one shape for both modes, gathered from the claims of all steps."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError
from pydantic.json_schema import GenerateJsonSchema

from core.artifacts.compose.inception.context import (
    DiscoveryContext,
    Mode,
    SkillStatus,
    Vote,
)
from core.artifacts.compose.inception.context_file import KINDS_OF_FILE
from core.artifacts.compose.layouts import rests_on, sections
from core.artifacts.document import words
from core.domain.answers import Claim, ClaimKind, Draft
from core.domain.ids import PhaseKey
from tests.core.test_inception_pages import SAID, claim
from tests.support.artifact_checker_formats import against
from tests.support.artifact_checker_inception import CONTEXT, ORDER, check
from tests.support.composing import compose
from tests.support.inception import FILES, ROOT, SLUG, TITLE, asked, whole

SCHEMA = ROOT / "docs" / "schemas" / "discovery-context.schema.json"
PAGE = (ROOT / "docs" / "reference" / "artifacts.md").read_text()
SOME = {
    "01-01": ["1. It saves a day.\n2. Clerks", "Who pays?"],
    "01-02": ["1. Half come back.\n2. One page.\n3. Mail."],
    "02-01": ["1. A letter means a page.\n2. The GDPR applies.\n3. June"],
    "03-01": ["Language: Go, because we know it.", "Price: it is plain."],
    "04-01": ["Store: keeps letters.", "Front -> Store: letters\nWe keep one clock."],
    "05-01": ["Letter: text, date", "A clerk has many letters. Letters are kept for 2 years."],
    "06-01": ["Unit: the dates", "Gap: the printer"],
    "07-01": ["Never guess, because guesses stay."],
    "07-02": ["Two of us know Go. Nobody knows mail."],
    "08-01": ["1. ART-001 holds.\n2. The store.\n3. Ops may release."],
    "08-02": ["1. none\n2. Two weeks.\n3. Sam begins.", "That was good."],
}


def context(*claims: Claim, phase: str = "08-walkthrough", existing: str | None = None) -> Any:
    """The file as a value, made of claims as the last step of the walkthrough has them."""
    made = asked("08-02")
    step = replace(made.step, phase=PhaseKey(phase))
    own = tuple(one for one in claims if one.step == "08-02")
    others = tuple(one for one in claims if one.step != "08-02")
    mode = "party" if phase == "05-walkthrough" else "classic"
    made = replace(made, step=step, claims=others, other_answers=SAID, mode=mode)
    return json.loads(compose(CONTEXT, TITLE, SLUG, sections(made, Draft("", own)), existing))


class _Schema(GenerateJsonSchema):
    """Without a title for each field, which repeats its name."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def test_the_documented_schema_is_the_one_in_use() -> None:
    schema = DiscoveryContext.model_json_schema(by_alias=True, schema_generator=_Schema)
    schema = {"$schema": _Schema.schema_dialect, **schema, "title": "discovery-context.json"}
    assert SCHEMA.read_text() == json.dumps(schema, indent=2) + "\n"


def test_the_words_of_the_model_are_those_of_the_template() -> None:
    assert set(get_args(Mode)) == set(words.row("modes"))
    assert get_args(Vote) == words.row("votes")
    assert (
        set(get_args(SkillStatus))
        == set(words.mapping("skill_status"))
        == set(words.row("context_values"))
    )
    assert words.row("context_files") == FILES


def test_every_answer_has_its_place() -> None:
    files, _ = whole(SOME)
    found = json.loads(files[CONTEXT])
    assert tuple(found) == ORDER
    sources = found.pop("sources")
    assert sources[0] == {
        "who": "Priya",
        "permalink": "https://acme.slack.com/archives/C1/p01011",
    }
    assert len(sources) == len({tuple(each.values()) for each in sources}) == 17
    assert found == {
        "schema": 1,
        "project": {"title": TITLE, "slug": SLUG},
        "mode": "classic",
        "brief": {
            "purpose": "It saves a day.",
            "users": ["Clerks"],
            "domain": ["A letter means a page.", "The GDPR applies."],
            "constraints": ["June"],
            "success": ["Half come back."],
            "scope": ["One page."],
            "out_of_scope": ["Mail."],
        },
        "stack": [
            {
                "area": "Language",
                "choice": "Go",
                "reason": "we know it",
                "consensus": "no vote",
            }
        ],
        "architecture": {
            "components": [{"name": "Store", "job": "keeps letters.", "leaves": ""}],
            "connections": ["Front -> Store: letters"],
            "decisions": [{"decision": "We keep one clock.", "reason": ""}],
        },
        "data_model": {
            "entities": [{"name": "Letter", "fields": ["text", "date"]}],
            "relations": ["A clerk has many letters."],
            "retention": ["Letters are kept for 2 years."],
        },
        "testing": {
            "levels": [{"level": "Unit", "covers": "the dates"}],
            "gaps": ["the printer"],
        },
        "constitution": [
            {
                "number": 1,
                "article": "Never guess, because guesses stay.",
                "reason": "guesses stay",
            }
        ],
        "skills": [{"skill": "Go", "status": "has"}, {"skill": "mail", "status": "gap"}],
        "walkthrough": {
            "constitution_reviewed": True,
            "permissions": ["Ops may release."],
            "iteration": {"length": "Two weeks", "settings": ["Two weeks."]},
            "next_steps": ["Sam begins."],
            "remarks": ["ART-001 holds.", "The store.", "none", "That was good."],
        },
        "open_questions": ["Who pays?"],
        "assumptions": [],
        "artifacts": list(FILES),
    }


def test_where_nobody_said_anything_every_field_is_there_and_empty() -> None:
    found = context()
    assert tuple(found) == ORDER
    assert against(json.loads(SCHEMA.read_text()), found) == []
    assert found["brief"]["purpose"] == ""
    assert found["architecture"] == {"components": [], "connections": [], "decisions": []}
    assert found["walkthrough"]["iteration"] == {"length": "", "settings": []}
    assert (found["sources"], found["artifacts"]) == ([], [CONTEXT])
    assert compose(CONTEXT, TITLE, SLUG, (), None)


def test_a_party_fills_the_same_shape() -> None:
    claims = (
        claim("purpose", "It saves a day.", "01-01"),
        claim("stack", "Go.", "02-01", option="Go", choice="chosen", consensus="majority"),
        claim("article", "Never guess.", "04-01", ref="ART-007"),
        claim("article", "Nobody waits.", "04-01", 2),
        claim("remark", "All hold.", "04-01", 3, topic="constitution"),
        claim("permission", "Ops may release.", "05-01"),
    )
    found = context(*claims, phase="05-walkthrough")
    assert tuple(found) == ORDER
    assert found["mode"] == "party"
    assert found["stack"][0]["consensus"] == "majority"
    assert [each["number"] for each in found["constitution"]] == [7, 8]
    assert found["walkthrough"]["constitution_reviewed"] is True
    assert found["artifacts"] == ["project-brief.md", "tech-stack.md", "constitution.md", CONTEXT]


def test_a_word_on_the_architecture_alone_is_no_review_of_the_constitution() -> None:
    found = context(claim("remark", "The queue worries me.", "08-01", topic="architecture"))
    assert found["walkthrough"]["constitution_reviewed"] is False
    assert found["walkthrough"]["remarks"] == ["The queue worries me."]


def test_what_the_last_step_gathered_holds() -> None:
    before, after = asked("08-01"), asked("08-02", other_answers=SAID)
    said = claim("permission", "Ops may release.", "08-01")
    early = sections(before, Draft("", ()))
    late = sections(replace(after, claims=(said,)), Draft("", ()))
    for parts in ((*early, *late), (*late, *early)):
        found = json.loads(compose(CONTEXT, TITLE, SLUG, parts, None))
        assert found["walkthrough"]["permissions"] == ["Ops may release."]


def test_what_is_left_open_is_told_apart_from_what_was_assumed() -> None:
    gap = replace(claim("assumption", "Asked, not answered: When?", "01-01", 3), sources=())
    made = claim("assumption", "Assumption: all can read.", "01-01", 5, what="all can read.")
    found = context(claim("question", "Who pays?", "01-01"), gap, made)
    assert found["open_questions"] == ["Who pays?"]
    assert found["assumptions"] == ["Asked, not answered: When?", "all can read."]


def test_a_withdrawn_article_leaves_its_gap() -> None:
    found = context(
        claim("article", "Second.", "07-01", ref="ART-002"),
        claim("article", "First of all.", "07-01", 2, ref="ART-010"),
    )
    assert [each["number"] for each in found["constitution"]] == [2, 10]


def test_keys_that_people_added_stay_and_a_file_that_is_not_ours_is_replaced() -> None:
    ours = json.dumps(context())
    added = ours.replace('"schema": 1,', '"schema": 1, "budget": {"euros": 3},')
    assert context(existing=added)["budget"] == {"euros": 3}
    changed = ours.replace('"classic"', '"ours"')
    assert context(existing=changed)["mode"] == "classic"
    for foreign in ("{", "[]", '{"budget": 3}', '{"schema": "1", "project": {}}', "NaN"):
        assert context(existing=foreign) == context()


def test_the_context_shows_claims_of_every_kind_and_is_made_again_when_one_changes() -> None:
    assert rests_on(CONTEXT) == set(get_args(ClaimKind))


@pytest.mark.parametrize(
    "broken",
    [
        {"mode": "both"},
        {"skills": [{"skill": "Go", "status": "maybe"}]},
        {"stack": [{"area": "", "choice": "Go", "reason": ""}]},
        {"brief": {}},
    ],
)
def test_another_shape_is_refused(broken: dict[str, Any]) -> None:
    good = context()
    DiscoveryContext.model_validate(good)
    with pytest.raises(ValidationError):
        DiscoveryContext.model_validate({**good, **broken})
    assert against(json.loads(SCHEMA.read_text()), {**good, **broken}) != []


def test_the_contract_in_the_reference_names_the_kinds_and_keys_that_are_used() -> None:
    table = PAGE.partition("### Kinds of claims")[2].partition("\n###")[0]
    rows = re.findall(r"(?m)^\| `([a-z-]+)` \|([^|]*)\|([^|]*)\|[^|]*\|$", table)
    documented = {kind: where + keys for kind, where, keys in rows}
    _, claims = whole(SOME)
    assert {one.kind for one in claims} <= set(documented)
    for one in claims:
        for key in set(one.data) - {"question", "conflicts", "differs"}:
            assert f"`{key}`" in documented[one.kind] or key == "what", (one.kind, key)
    new = {"purpose", "user", "success", "domain", "stack", "trade-off", "entity", "relation"}
    new |= {"retention", "test", "test-gap", "article", "skill", "remark", "permission"}
    new |= {"iteration", "next-step"}
    assert new <= set(documented) <= set(get_args(ClaimKind))
    assert all(file in documented[kind] for file, kinds in KINDS_OF_FILE.items() for kind in kinds)


# ── the checker ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        (CONTEXT, '"mode": "classic"', '"mode": "solo"', "mode is none of"),
        (CONTEXT, '"number": 1', '"number": 3', "its articles are not"),
        (CONTEXT, '"number": 1', '"number": true', "number is no integer"),
        (CONTEXT, '"constitution_reviewed": true', '"constitution_reviewed": 1', "no boolean"),
        (CONTEXT, '"Letter"', '"Zeppelin"', "nobody said 'zeppelin'"),
        (CONTEXT, '"Clerks"', '"the Clerks page"', "says what no page says"),
        (CONTEXT, "p01011", "p01019", "a source is missing"),
        (CONTEXT, '"tech-stack.md"', '"adr-001.md"', "artifacts that are not there"),
        (CONTEXT, '"area"', '"place"', "area is missing"),
        ("tech-stack.md", "| Area |", "| Field |", "a table of"),
        ("constitution.md", "## Assumptions", "## Guesses", "closes with"),
        ("skills-report.md", "### Skills\n", "### Skills\n\n- We know Go.\n", "nobody is named"),
        ("project-brief.md", "It saves a day.", "It saves 7 days.", "'7'"),
    ],
)
def test_a_fault_is_told(file: str, old: str, new: str, fault: str, tmp_path: Path) -> None:
    folder = tmp_path / SLUG
    folder.mkdir()
    for name, text in whole(SOME)[0].items():
        (folder / name).write_text(text)
    said = [text for texts in SOME.values() for text in texts]
    assert check(folder, said, TITLE) == []
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    assert [told for told in check(folder, said, TITLE) if fault in told]
