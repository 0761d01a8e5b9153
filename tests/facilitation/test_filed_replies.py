"""Replies from files: which request one answers, and which is kept for somebody to answer."""

import json
from pathlib import Path
from typing import Any

from bot.devtools.provider.exchange import Asked, RecordedRequest
from core.brains.model.replies import schema_of
from tests.facilitation.filed_replies import FiledReplies

FIRST = {"id": "A1", "text": "The page must print."}
SECOND = {"id": "A2", "text": "No colours please."}


def request(*answers: dict[str, str], task: str = "read_answers", **more: Any) -> Asked:
    data = {"task": task, "step": {"id": "01-06"}, "answers": list(answers), **more}
    return Asked("chat", "stand-in", "", "", task, schema_of("read_answers"), None, data)


def line(kind: str, answer: dict[str, str]) -> dict[str, Any]:
    quote = {"answer": answer["id"], "text": answer["text"]}
    return {"kind": kind, "text": answer["text"], "quotes": [quote], "of": None}


def test_a_reply_counts_as_far_as_the_answers_that_it_quotes_are_there(tmp_path: Path) -> None:
    lines = [line("requirement", FIRST), line("exclusion", SECOND)]
    criteria = [{"id": "V1", "met": True, "quotes": lines[1]["quotes"]}]
    file = tmp_path / "shop" / "01-06.reply.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"lines": lines, "criteria": criteria, "cannot_tell": None}))
    replies = FiledReplies(tmp_path, "shop")

    early, whole = replies(request(FIRST), 1), replies(request(FIRST, SECOND), 2)

    assert early.arguments == {
        "lines": lines[:1],
        "criteria": [{"id": "V1", "met": False, "quotes": []}],
        "cannot_tell": None,
    }
    assert whole.arguments == {"lines": lines, "criteria": criteria, "cannot_tell": None}


def test_the_last_request_of_a_step_without_a_reply_is_kept(tmp_path: Path) -> None:
    every = (
        request(FIRST),
        request(FIRST, SECOND),
        request(FIRST, flaws=["You skipped what people said."]),
        request(FIRST, task="ask_and_propose"),
    )
    replies = FiledReplies(tmp_path, "shop")
    replies.keep(
        RecordedRequest(number, "", {}, {"number": number}, asked)
        for number, asked in enumerate(every)
    )

    (file,) = tmp_path.rglob("*.json")
    assert (file.parent.name, file.name) == ("shop", "01-06.request.json")
    assert json.loads(file.read_text()) == {"number": 1}


def test_a_request_without_a_reply_is_read_as_nothing(tmp_path: Path) -> None:
    answer = FiledReplies(tmp_path, "shop")(request(FIRST), 1)

    assert answer.arguments == {"lines": [], "criteria": [], "cannot_tell": None}
