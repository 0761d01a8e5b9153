"""`interface-spec.yaml`: what people write of a call in one line, as an operation of OpenAPI."""

import json
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.artifacts.render.markdown import markdown
from core.artifacts.report.data_tables import data_blocks
from core.domain.answers import Claim
from tests.core.test_artifacts_files import claim, made
from tests.support.artifact_checker import SCHEMAS
from tests.support.artifact_checker_formats import against

SCHEMA = json.loads((SCHEMAS / "interface-spec.schema.json").read_text())


def spec_of(*texts: str, of: tuple[Claim, ...] = ()) -> dict[str, Any]:
    lines = [claim("interface", text, "04-02", number) for number, text in enumerate(texts, 1)]
    spec: dict[str, Any] = yaml.safe_load(made("04-02", "interface-spec.yaml", *lines, *of))
    assert against(SCHEMA, spec) == []
    return spec


def block(*lines: str) -> str:
    return "\n".join(("```", *lines, "```"))


def operation(line: str) -> Any:
    ((calls,),) = ((calls,) for calls in spec_of(block(line))["paths"].values())
    (call,) = calls.values()
    return call


@pytest.mark.parametrize(
    ("line", "responses"),
    [
        ("POST /a -> 200 | 403 | 409 already decided",
         {"200": "OK", "403": "Forbidden", "409": "already decided"}),
        ("POST /a → 200 sent | 202 {status: waiting, 404: []}",
         {"200": "sent", "202": "{status: waiting, 404: []}"}),
        ("GET /a returns 200, 404 or 5xx", {"200": "OK", "404": "Not Found", "5XX": "not said"}),
        ("GET /a => list, 100 per page", {"default": "list, 100 per page"}),
        ("GET /a -> list | 404", {"default": "list", "404": "Not Found"}),
        ("GET /a reads it", {"default": "not said"}),
        ("GET /a, 200 per page", {"default": "not said"}),
        ("GET /a for keepers only, 403 for the rest", {"403": "for the rest"}),
        ("POST /a -> 201. 409 if it is there", {"201": "Created", "409": "if it is there"}),
    ],
)  # fmt: skip
def test_the_codes_behind_an_arrow_are_responses(line: str, responses: dict[str, str]) -> None:
    written = operation(line)["responses"]
    assert {code: response["description"] for code, response in written.items()} == responses


def test_a_query_is_no_part_of_the_path() -> None:
    said = claim("interface", "GET /a/:id/preview?count=3 -> {dates: []}.", "04-02", 1)
    said = replace(said, data={"method": "GET", "path": "/a/:id/preview?count=3"})
    paths = yaml.safe_load(made("04-02", "interface-spec.yaml", said))["paths"]
    (call,) = paths["/a/{id}/preview"].values()
    assert [(it["name"], it["in"]) for it in call["parameters"]] == [
        ("id", "path"),
        ("count", "query"),
    ]
    assert call["responses"]["default"]["description"] == "{dates: []}"


def test_names_in_braces_are_the_body_and_those_behind_a_question_mark_the_query() -> None:
    call = operation("PUT /a/{id}?dry=&until= {decision, reason?, lines: [{sku, qty}]} -> 200")
    assert call["requestBody"]["content"]["application/json"]["schema"] == {
        "type": "object",
        "properties": {"decision": {}, "reason": {}, "lines": {}},
        "required": ["decision", "lines"],
    }
    assert [(row["name"], row["in"], row["required"]) for row in call["parameters"]] == [
        ("id", "path", True),
        ("dry", "query", False),
        ("until", "query", False),
    ]


def test_the_same_path_is_the_one_above_it() -> None:
    spec = spec_of(block("PUT /mutes/{player} {minutes} -> 200", "DELETE same -> 204"))
    calls = spec["paths"]["/mutes/{player}"]
    assert list(calls) == ["put", "delete"]
    assert calls["delete"]["responses"] == {"204": {"description": "No Content"}}
    assert [row["name"] for row in calls["delete"]["parameters"]] == ["player"]
    assert spec["interfaces"] == []


def test_a_later_line_that_names_a_code_or_a_parameter_stands_at_its_call_as_well() -> None:
    refusal = "reason is needed when decision = refuse, else 422."
    lines = (refusal, "429 after 5 reports per player and hour.", "up to 200 rows", "Texts move.")
    calls = block(
        "POST /decisions {decision, reason?} -> 200",
        "POST /reports {message} -> 202 | 429",
        "PUT /mutes/{player} -> 200",
    )
    spec = spec_of(calls, *lines)
    (decide,), (report,), (mute,) = (calls.values() for calls in spec["paths"].values())
    assert decide["description"] == refusal.rstrip(".")
    assert decide["responses"] == {"200": {"description": "OK"}, "422": {"description": refusal}}
    assert report["description"] == lines[1].rstrip(".")
    assert report["responses"]["429"] == {"description": lines[1]}
    assert "description" not in mute
    assert [row["summary"] for row in spec["interfaces"]] == list(lines)


def test_two_lines_on_one_call_are_one_operation() -> None:
    said = {"method": "POST", "path": "/a"}
    spec = spec_of(
        of=(
            claim("interface", "POST /a {x} -> 200 done", "04-02", 1, **said),
            claim("interface", "POST /a {y?} -> 200 | 409 taken", "04-02", 2, **said),
        )
    )
    call = spec["paths"]["/a"]["post"]
    assert call["responses"] == {"200": {"description": "done"}, "409": {"description": "taken"}}
    assert set(call["requestBody"]["content"]["application/json"]["schema"]["properties"]) == {
        *"xy"
    }
    assert [speech["said_by"] for speech in call["x-said"]] == ["Priya", "Sam"]


def test_a_reply_to_a_follow_up_is_a_note_with_its_question() -> None:
    asked = "“Wait 10”: 10 of what?"
    reply = claim("interface", "minutes", "04-02", 2, of="FR-001", answers="unit", asked=asked)
    spec = spec_of("Amounts are text.", of=(reply,))
    assert [row["summary"] for row in spec["interfaces"]] == ["Amounts are text."]
    assert [(row["text"], row["asked"]) for row in spec["notes"]] == [("minutes", asked)]


def test_a_report_lists_the_calls_with_the_other_lines() -> None:
    spec = spec_of(block("POST /a -> 200"), "Texts move.")
    text = markdown(data_blocks("interface-spec.yaml", spec))
    assert text.count("POST /a") == text.count("Texts move.") == 1


@given(st.text(alphabet=st.sampled_from("{}[]()|?&=<>:/,;.-\"'` \n\t#!*aé200409"), max_size=60))
def test_any_line_on_a_call_leaves_a_file_of_the_schema(text: str) -> None:
    spec_of(block(f"POST /a{text}"), f"POST {text}", text or "x")
