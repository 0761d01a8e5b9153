"""A reply has the shape that its task's schema names, and a model is told all that is wrong."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.brains.model.replies import (
    FAULTS_SHOWN_MAX,
    REPLIES,
    TEXT_CHARS_MAX,
    AskReply,
    ReplyError,
    description_of,
    parse,
    schema_of,
)
from core.domain.model_calls import ModelTask

QUOTE = {"answer": "A1", "text": "a PDF"}
LINE = {"kind": "requirement", "text": "It gives a PDF.", "quotes": [QUOTE], "of": None}
READ: dict[str, Any] = {
    "lines": [LINE, {**LINE, "kind": "check", "of": QUOTE}],
    "criteria": [{"id": "V1", "met": True, "quotes": [QUOTE]}],
    "cannot_tell": None,
}
PROPOSAL = {"kind": "risk", "text": "It may fail.", "reason": "Nobody said.", "of": QUOTE}
ASK: dict[str, Any] = {
    "question": {"text": "How fast is “quick”?", "kind": "number", "line": QUOTE},
    "proposals": [PROPOSAL],
}
TURN: dict[str, Any] = {
    "text": "I see a gap.", "to": None, "questions": [], "lines": [], "agrees": None, "more": False,
}  # fmt: skip
CAUSED: dict[str, Any] = {
    "category": "prerequisite_failure",
    "findings": "The name is wrong.",
    "corrections": [{"named": "nfr.md", "there": "nfr-matrix.md"}],
    "fixed": True,
}
GOOD: dict[ModelTask, dict[str, Any]] = {
    "read_answers": READ,
    "ask_and_propose": ASK,
    "take_turn": {"text": None},
    "contribute": TURN,
    "find_cause": CAUSED,
}


def objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        node = list(node.values())
    for item in node if isinstance(node, list) else ():
        yield from objects(item)


def words(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node
        node = list(node.values())
    for item in node if isinstance(node, list) else ():
        yield from words(item)


@pytest.mark.parametrize("task", REPLIES)
def test_a_schema_is_one_that_every_provider_can_enforce(task: ModelTask) -> None:
    schema = dict(schema_of(task))
    for part in objects(schema):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    names = {name for part in objects(schema) for name in part["properties"]}
    assert set(words(schema)) - names <= {
        "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum",
        "description",
    }  # fmt: skip
    assert description_of(task)


@pytest.mark.parametrize("task", REPLIES)
def test_a_good_reply_is_taken(task: ModelTask) -> None:
    assert isinstance(parse(task, GOOD[task]), REPLIES[task])


def test_what_may_be_null_may_be_left_out() -> None:
    short = {"lines": [{"kind": "note", "text": "So.", "quotes": []}], "criteria": []}
    reply = parse("read_answers", short)
    assert reply == parse("read_answers", {**short, "cannot_tell": None})


def test_all_that_is_wrong_is_told_at_once_with_its_place_and_without_its_value() -> None:
    bad = {
        "lines": [
            {**LINE, "kind": "SECRET-KIND"},
            {**LINE, "text": " "},
            {**LINE, "quotes": ["SECRET"]},
            {**LINE, "SECRET_FIELD": 1},
        ],
        "criteria": None,
        "cannot_tell": [],
    }
    with pytest.raises(ReplyError) as raised:
        parse("read_answers", bad)
    told = str(raised.value)
    assert [part.partition(":")[0] for part in told.split("; ")] == [
        "lines.0.kind", "lines.1.text", "lines.2.quotes.0", "lines.3", "criteria",
        "cannot_tell",
    ]  # fmt: skip
    assert "SECRET" not in told
    assert raised.value.__cause__ is None


def test_no_more_faults_are_told_than_anybody_reads() -> None:
    bad = {**READ, "lines": [{**LINE, "text": ""}] * 40}
    with pytest.raises(ReplyError) as raised:
        parse("read_answers", bad)
    assert len(str(raised.value).split("; ")) == FAULTS_SHOWN_MAX + 1
    assert str(raised.value).endswith("and 30 more")


@pytest.mark.parametrize(
    "bad",
    [
        {**READ, "lines": [{**LINE, "text": "a" * (TEXT_CHARS_MAX + 1)}]},
        {**READ, "lines": [LINE] * 201},
        {**READ, "lines": [{**LINE, "kind": "purpose"}]},
        {},
    ],
)
def test_a_reply_out_of_bounds_is_none(bad: dict[str, Any]) -> None:
    with pytest.raises(ReplyError):
        parse("read_answers", bad)


def test_of_too_many_proposals_the_first_three_are_taken() -> None:
    many = [{**PROPOSAL, "text": f"It may fail {n}."} for n in range(5)]
    reply = parse("ask_and_propose", {**ASK, "proposals": many})
    assert isinstance(reply, AskReply)
    assert [one.text for one in reply.proposals] == [one["text"] for one in many[:3]]
