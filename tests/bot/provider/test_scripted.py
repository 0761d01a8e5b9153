"""Replies and faults from a file: which entry answers, and all that a file has wrong."""

from pathlib import Path

import openai
import pytest

from bot.devtools.provider import StandIn
from bot.devtools.provider.personalities.scripted import parse, read
from bot.devtools.yaml_file import FaultyFileError
from tests.bot.provider.requests import Clients, arguments, data

SCRIPT = """
replies:
  - {task: read_answers, number: 2, fault: 429, retry_after: 3}
  - task: read_answers
    words: [refund]
    reply: {lines: [], criteria: [], cannot_tell: "Which refund?"}
otherwise: lazy
"""


def faults_of(text: str) -> tuple[str, ...]:
    with pytest.raises(FaultyFileError) as refused:
        parse(text)
    return refused.value.faults


def test_an_entry_answers_by_task_number_and_words(provider: StandIn, clients: Clients) -> None:
    provider.personality = parse(SCRIPT)

    assert arguments(clients.chat(data("A refund is paid.")))["cannot_tell"] == "Which refund?"
    clients.chat(data(task="ask_and_propose"))
    with pytest.raises(openai.RateLimitError) as refused:
        clients.chat(data("A refund is paid."))
    assert refused.value.response.headers["retry-after"] == "3"
    assert arguments(clients.chat(data("Nothing of the kind.")))["cannot_tell"] is None
    assert arguments(clients.chat(data("The Refund again.")))["cannot_tell"] == "Which refund?"


def test_a_number_without_a_task_counts_every_request(provider: StandIn, clients: Clients) -> None:
    provider.personality = parse("replies: [{number: 2, reply: {text: second}}]")
    clients.chat(data())

    assert arguments(clients.chat(data(task="take_turn"))) == {"text": "second"}
    assert arguments(clients.chat(data(task="take_turn")))["text"] != "second"


def test_a_reply_is_sent_as_it_stands_whatever_the_schema_says(
    provider: StandIn, clients: Clients
) -> None:
    provider.personality = parse("replies: [{reply: {more: 1}}]")

    assert arguments(clients.messages(data())) == {"more": 1}


def test_all_that_is_wrong_is_said_at_once_with_its_place() -> None:
    assert faults_of(
        """
replies:
  - {task: read, fault: 418, number: 0}
  - {reply: {text: x}, fault: 429}
  - {replies: {}, fault: 429, words: refund}
otherwise: nobody
also: 1
also: 2
"""
    ) == (
        'Line 8: "also" stands twice in the same place.',
        'replies[1].task: "read" is no task; tasks are read_answers, ask_and_propose, take_turn, '
        "contribute, find_cause.",
        faults_of("replies: [{fault: 418}]")[0],
        "replies[1].number: 0 is no number from 1 on.",
        "replies[2]: a reply or a fault is needed, and not both: {task: read_answers, fault: 429}.",
        "replies[3].replies: nothing of that name belongs here.",
        "replies[3].words: a list of words is needed, like [refund, invoice].",
        'otherwise: "nobody" is nobody; it is one of thoughtful, lazy, malicious.',
        "also: nothing of that name belongs here.",
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "A script has replies: a list of them."),
        ("[]", "A script has replies: a list of them."),
        ("replies: x", "replies: a list of replies is needed, each on a line with a dash."),
        ("replies: [5]", "replies[1]: a reply or a fault is needed, and not both: "
         "{task: read_answers, fault: 429}."),
        ("replies: [", "It is not valid YAML. line 1: expected the node content, but found "
         "'<stream end>'."),
    ],
)  # fmt: skip
def test_what_is_no_script_is_said(text: str, fault: str) -> None:
    assert [line.rstrip(".") for line in faults_of(text)] == [fault.rstrip(".")]


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FaultyFileError, match="There is no file"):
        read(tmp_path / "replies.yaml")
