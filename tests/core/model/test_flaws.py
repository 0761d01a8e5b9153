"""The review of a model's replies: what is wrong with them, in words that a repair can follow."""

from dataclasses import replace
from typing import Any

import pytest

from core.brains.model.flaws import ask_flaws, flaws
from core.brains.model.quotes import verify
from core.brains.model.replies import AskReply, parse
from core.brains.script.reading import read
from core.domain.answers import LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.session.model_reading import ModelReading
from tests.core.model.replying import Quoted, ids_of, line, quote, reply
from tests.core.test_scripted import PRIYA, SAM, request

FINISH = "The export must finish within ten seconds."
TOKEN = "xoxb-" + "123456789012-" * 2 + "aB3dE5gH7jK9mN1pQ3sT5vX7"


def asked(*said: str, **more: Any) -> ReadRequest:
    return request("01-04", *(((PRIYA, SAM)[at % 2], text) for at, text in enumerate(said)), **more)


def of_lines(said: ReadRequest, *lines: dict[str, Any], **more: Any) -> tuple[str, ...]:
    whole = reply(*lines, **more)
    return flaws(whole, verify(whole, said, ids_of(said)), said, ids_of(said))


def asking(text: str | None, line: Quoted | None = None, *proposals: dict[str, Any]) -> AskReply:
    question = {"text": text, "kind": "check", "line": line and quote(*line)} if text else None
    parsed = parse("ask_and_propose", {"question": question, "proposals": list(proposals)})
    assert isinstance(parsed, AskReply)
    return parsed


def of_question(said: ReadRequest, asks: AskReply) -> tuple[str, ...]:
    return ask_flaws(asks, said, read(said), ids_of(said))


def test_a_good_reply_has_no_flaw() -> None:
    good = line("quality", "The export finishes within ten seconds", ("A1", FINISH))
    assert of_lines(asked(FINISH), good) == ()
    assert of_question(asked(FINISH), asking("Which page is meant?", ("A1", FINISH))) == ()


def test_a_made_up_source_is_a_flaw() -> None:
    made_up = line("requirement", "Guests must pay", ("A1", "guests must pay"))
    good = line("quality", "The export finishes within ten seconds", ("A1", FINISH))
    (flaw,) = of_lines(asked(FINISH), good, made_up)
    assert "“Guests must pay” has no quote" in flaw


def test_a_line_that_says_what_its_quotes_do_not_is_a_flaw() -> None:
    (flaw,) = of_lines(asked(FINISH), line("requirement", "Delete all backups", ("A1", FINISH)))
    assert "says what its quotes do not" in flaw


def test_a_few_lines_that_go_beyond_their_quotes_are_no_flaw() -> None:
    said = asked(f"{FINISH} Guests must sign in. It is slow.")
    good = line("requirement", "Guests must sign in", ("A1", "Guests must sign in"))
    timed = line("quality", "The export finishes within ten seconds", ("A1", FINISH))
    beyond = line("fact", "The nightly run on Sundays takes long", ("A1", "It is slow."))
    assert of_lines(said, good, timed, beyond) == ()
    assert len(of_lines(said, timed, beyond, {**beyond, "kind": "note"})) == 1


def test_a_quote_of_one_word_is_no_made_up_source() -> None:
    good = line("quality", "The export finishes within ten seconds", ("A1", FINISH))
    assert of_lines(asked(FINISH), good, line("note", "Ten.", ("A1", "ten"))) == ()


def test_another_steps_line_is_a_flaw() -> None:
    other = replace(asked("Guests must pay.").answers[0], id="01-01:1", step="01-01")
    good = line("quality", "The export finishes within ten seconds", ("A1", FINISH))
    stolen = line("requirement", "Guests pay", ("A2", "Guests must pay."))
    (flaw,) = of_lines(replace(asked(FINISH), other_answers=(other,)), good, stolen)
    assert "another step" in flaw


def test_a_line_in_another_language_is_a_flaw() -> None:
    german = "Der Export muss in zehn Sekunden fertig sein und läuft nachts"
    (flaw,) = of_lines(asked(FINISH), line("requirement", german, ("A1", FINISH)))
    assert "another language" in flaw
    said = asked("Der Export muss nachts laufen und jeden Morgen fertig sein.")
    (flaw,) = of_question(said, asking("Who will be the one to see that it is done by then?"))
    assert "another language" in flaw


def test_skipping_most_of_what_people_said_is_a_flaw() -> None:
    said = asked(f"{FINISH} Guests must sign in. Files land in /srv. Nobody may print.", "+1")
    (flaw,) = of_lines(said, line("requirement", "Guests sign in", ("A1", "Guests must sign in")))
    assert flaw.startswith("You skipped what people said: “The export must finish")
    assert len(of_lines(said)) == 1


def test_one_word_that_cannot_be_quoted_is_not_skipped() -> None:
    assert of_lines(asked("Postgres")) == ()
    assert len(of_lines(asked("Postgres it is"))) == 1


def test_who_cannot_tell_and_gives_lines_escalates_too_much() -> None:
    good = line("quality", "The export finishes within ten seconds", ("A1", FINISH))
    (flaw,) = of_lines(asked(FINISH), good, cannot_tell="What is an export?")
    assert "cannot tell" in flaw
    assert of_lines(asked(FINISH), cannot_tell="What is an export?") == ()


def test_a_credential_is_the_first_flaw_and_stands_in_none() -> None:
    leak = line("requirement", f"Use {TOKEN}", ("A1", FINISH))
    found = of_lines(asked(FINISH), line("requirement", "Guests pay", ("A1", "never said")), leak)
    assert found[0].startswith("You wrote a Slack bot token")
    assert TOKEN not in "".join(found)
    (flaw, *_) = of_question(asked(FINISH), asking(f"Is {TOKEN} still good?"))
    assert flaw.startswith("You wrote")


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("Which page is meant? And who checks it?", "two questions"),
        ("Which page is meant, and who checks it?", "two questions"),
        ("Tell me about the page.", "no question"),
        ("Would ten seconds be enough for the export?", "asked before"),
    ],
)
def test_a_question_that_people_cannot_answer_in_one_go_is_a_flaw(text: str, flaw: str) -> None:
    before = FollowUp("number", "Are ten seconds enough for the export?", outcome="answered")
    found = of_question(asked(FINISH, follow_ups=(before,)), asking(text))
    assert any(flaw in one for one in found)


def test_asking_about_a_line_that_people_were_asked_about_is_a_flaw() -> None:
    before = FollowUp("check", "How is that seen?", LineRef("01-04:1", FINISH), outcome="answered")
    said = asked(FINISH, follow_ups=(before,))
    (flaw,) = of_question(said, asking("Which clock do you trust?", ("A1", FINISH)))
    assert "already" in flaw


def test_a_question_about_a_line_that_nobody_gave_is_a_flaw() -> None:
    (flaw,) = of_question(asked(FINISH), asking("Which page is meant?", ("A9", "Guests pay")))
    assert "nobody gave" in flaw


def test_ending_while_a_criterion_is_open_is_a_flaw_unless_something_is_asked() -> None:
    reading = ModelReading(open_criteria=("V1",))
    (flaw,) = of_question(asked(FINISH, model=reading), asking(None))
    assert "V1" in flaw
    assert of_question(asked(FINISH, model=reading), asking("Which page?")) == ()
    two = tuple(FollowUp("missing", f"What of {at}?", outcome="passed") for at in (1, 2))
    assert of_question(asked(FINISH, model=reading, follow_ups=two), asking(None)) == ()


def test_nobody_who_is_done_is_asked_on_for_an_open_criterion() -> None:
    said = asked(FINISH, "That's all.", model=ModelReading(open_criteria=("V1",)))
    assert of_question(said, asking(None)) == ()


def test_what_a_question_quotes_is_not_asked_by_it() -> None:
    quoted = "“when does the export finish, and who may stop it?”"
    asks = asking(f"{quoted}: how would you see that it works?", ("A1", FINISH))
    assert not of_question(asked(FINISH), asks)
