"""Replies from files: which request one answers, and which is kept for somebody to answer."""

import json
from pathlib import Path
from typing import Any

from bot.devtools.provider.exchange import ProviderRequest, RecordedRequest
from core.brains.model.replies import schema_of
from tests.facilitation.filed_replies import REQUEST_OF, FiledReplies

FIRST = {"id": "A1", "text": "The page must print."}
SECOND = {"id": "A2", "text": "No colours please."}


def request(*answers: dict[str, str], task: str = "read_answers", **more: Any) -> ProviderRequest:
    data = {"task": task, "step": {"id": "01-06"}, "answers": list(answers), **more}
    return ProviderRequest("chat", "stand-in", "", "", task, schema_of("read_answers"), None, data)


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


def written(root: Path, kind: str, *lines: dict[str, Any], answers: list[dict[str, str]]) -> None:
    """A reply to a request in which these answers were, and that request."""
    folder = root / "shop"
    folder.mkdir(exist_ok=True)
    reply = {"lines": list(lines), "criteria": [], "cannot_tell": None}
    (folder / f"01-06.{kind}.json").write_text(json.dumps(reply))
    user = f"MARK\n{json.dumps({'answers': answers, 'earlier': []})}\nMARK"
    body = {"messages": [{"role": "system", "content": ""}, {"role": "user", "content": user}]}
    (folder / f"01-06.{REQUEST_OF[kind]}.json").write_text(json.dumps(body))


def test_a_reply_finds_its_answers_under_the_ids_that_they_have_now(tmp_path: Path) -> None:
    gone = {"id": "A3", "text": "Nobody says that any more."}
    lines = [line("requirement", FIRST), line("exclusion", SECOND), line("note", gone)]
    written(tmp_path, "reply", *lines, answers=[FIRST, SECOND, gone])
    other = {"id": "A1", "text": "What was asked otherwise this time."}
    now = [other, {**SECOND, "id": "A2"}, {**FIRST, "id": "A3"}]

    answer = FiledReplies(tmp_path, "shop")(request(*now), 1)

    assert answer.arguments is not None
    quotes = [one["quotes"] for one in answer.arguments["lines"]]
    assert quotes == [
        [{"answer": "A3", "text": FIRST["text"]}],
        [{"answer": "A2", "text": SECOND["text"]}],
    ]


def test_a_reply_that_is_sent_back_is_repaired_by_the_file_for_it(tmp_path: Path) -> None:
    written(tmp_path, "reply", line("note", FIRST), answers=[FIRST])
    back = request(FIRST, flaws=["You skipped what people said."])
    replies = FiledReplies(tmp_path, "shop")
    replies.keep([RecordedRequest(1, "", {}, {"number": 1}, back)])
    (kept,) = tmp_path.rglob("*.repair-request.json")
    assert json.loads(kept.read_text()) == {"number": 1}

    again = replies(back, 2)
    written(tmp_path, "repair", line("requirement", FIRST), answers=[FIRST])
    repaired = replies(back, 3)

    for answer, kind in ((again, "note"), (repaired, "requirement")):
        assert answer.arguments is not None
        assert [one["kind"] for one in answer.arguments["lines"]] == [kind]
