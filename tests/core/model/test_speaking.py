"""What of a model's turn stands: its words, its questions, its lines, and what it makes of a
failure."""

from typing import Any

import pytest

from core.brains.model.replies import parse, schema_of
from core.brains.model.sent_text import RequestIds
from core.brains.model.speaking import cause_of, contribution_of, turn_of
from core.brains.model.taking_in import FlawedReplyError
from core.brains.script.performing import consult
from core.brains.tasks import DiagnosisRequest
from core.domain.answers import TurnRequest
from core.domain.party.contributions import ConsultRequest, Contribution, Want
from core.domain.steps.playbook import BUILT_IN
from tests.support.council_requests import (
    BLUEPRINT,
    LIAM,
    MODELS,
    NADIA,
    PRIYA,
    STACK,
    ZARA,
    request,
    said,
)

WE_RUN_IT = "Database: PostgreSQL, because the team runs it already."
FEWER = "We want fewer failed payments by Easter."


def at_stack(want: Want = "proposal", persona: Any = LIAM, *answers: str) -> ConsultRequest:
    return request(persona, want, *said(STACK, *(answers or (WE_RUN_IT, FEWER))))


def at_blueprint() -> ConsultRequest:
    """The writer of the data model, whose script takes up the first answer alone."""
    kept = "A receipt has a date and an amount."
    return request(MODELS, "draft", *said(BLUEPRINT, kept, FEWER))


def spoken(asked: ConsultRequest, **reply: Any) -> Contribution:
    usual = {"text": "Fine.", "to": None, "questions": [], "lines": [], "agrees": None,
             "more": False}  # fmt: skip
    parsed: Any = parse("contribute", usual | reply)
    ids = RequestIds(
        {f"A{number}": answer.id for number, answer in enumerate(asked.answers, start=1)},
        {"P1": PRIYA},
        names={"P1": "Priya"},
    )
    return contribution_of(parsed, asked, consult(asked), ids)


def line(text: str, quote: str, kind: str = "requirement", answer: str = "A2") -> dict[str, Any]:
    return {"kind": kind, "text": text, "quotes": [{"answer": answer, "text": quote}]}


def test_a_turn_is_in_the_members_name_and_people_have_theirs() -> None:
    turn = spoken(at_stack("critique", ZARA), text="P1 says “fewer failed payments”. And when?")
    assert turn.text == "Priya says “fewer failed payments”. And when?"
    assert (turn.persona, turn.want) == (ZARA, "critique")


def test_the_scripts_lines_stand_and_a_true_line_is_added() -> None:
    asked = at_blueprint()
    turn = spoken(asked, lines=[line("The team wants fewer failed payments.", FEWER)])
    usual = consult(asked).claims
    assert turn.claims[: len(usual)] == usual
    (new,) = turn.claims[len(usual) :]
    assert (new.text, new.kind) == ("The team wants fewer failed payments.", "requirement")
    assert new.sources == (asked.answers[1].id,)


def test_a_line_without_a_true_quote_is_dropped() -> None:
    asked = at_blueprint()
    lines = [line("It must fly.", "it must fly to the moon"), line("Yes.", "yes yes", answer="A9")]
    lines.append({"kind": "risk", "text": "It may be late.", "quotes": []})
    assert spoken(asked, lines=lines).claims == consult(asked).claims


def test_a_line_that_says_more_than_its_quote_has_the_words_of_people() -> None:
    asked = at_blueprint()
    lines = [line("Redis 7 gives fewer failed payments by 2031.", "fewer failed payments")]
    assert spoken(asked, lines=lines).claims[-1].text == "fewer failed payments"


def test_what_the_script_has_is_not_said_twice() -> None:
    asked = at_stack()
    lines = [line("PostgreSQL it is.", WE_RUN_IT, "stack", "A1")]
    assert spoken(asked, lines=lines).claims == consult(asked).claims


def test_a_model_decides_nothing() -> None:
    asked = at_blueprint()
    lines = [line("Fewer failed payments by Easter.", FEWER, "decision")]
    kinds = [claim.kind for claim in spoken(asked, lines=lines).claims]
    assert "decision" not in kinds
    assert kinds.count("option") == 1


def test_a_technology_that_nobody_named_is_told_to_be_the_members_own() -> None:
    turn = spoken(at_stack(), text="I would take Redis beside PostgreSQL, on Kubernetes.")
    assert turn.text.endswith(
        "That takes Redis and Kubernetes, which nobody here has named: it is my own proposal."
    )
    plain = spoken(at_stack(), text="I would stay with PostgreSQL.")
    assert plain.text == "I would stay with PostgreSQL."


def test_words_that_nobody_said_are_a_flaw() -> None:
    with pytest.raises(FlawedReplyError) as flawed:
        spoken(at_stack(), text="You want “a second database for reports”.")
    assert flawed.value.kind == "misaligned"
    assert flawed.value.flaws == (
        "“a second database for reports” stands in nothing that was said",
    )


def test_a_credential_is_a_flaw_and_is_not_repeated() -> None:
    token = "-".join(("xoxb", "2345678901", "2345678901234", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5"))
    with pytest.raises(FlawedReplyError) as flawed:
        spoken(at_stack(), text="Fine.", lines=[line(f"The key is {token}.", FEWER)])
    assert flawed.value.flaws == ("it repeats a Slack bot token",)


@pytest.mark.parametrize(("to", "stands"), [(ZARA, ZARA), (LIAM, None), ("nobody", None)])
def test_a_turn_goes_to_another_member_or_to_all(to: str, stands: str | None) -> None:
    assert spoken(at_stack("cross-question"), to=to).to == stands


def test_a_vote_is_only_given_where_one_is_asked_for() -> None:
    assert spoken(at_stack("vote"), agrees=False).agrees is False
    assert spoken(at_stack("vote")).agrees is None  # it did not vote
    assert spoken(at_stack("position"), agrees=True).agrees is None


def test_people_are_asked_the_models_questions_under_the_keys_of_the_member() -> None:
    asked = request(NADIA, "questions")
    own = asked.member.questions
    questions = [
        {"domain": own[1].domain, "text": "Who pays for a failed payment?"},
        {"domain": "moods", "text": "How do people feel when it fails?"},
    ]
    first, second = spoken(asked, questions=questions).questions
    assert (first.key, first.text) == (own[1].key, "Who pays for a failed payment?")
    assert (second.domain, second.text) == ("moods", "How do people feel when it fails?")
    for none in ([], [{"domain": "law", "text": "We decided to skip it."}]):
        assert spoken(asked, questions=none).questions == consult(asked).questions  # its own


def test_people_are_not_asked_where_nobody_wants_questions() -> None:
    questions = [{"domain": "law", "text": "Is that legal?"}]
    assert spoken(at_stack("position"), questions=questions).questions == ()


def test_pings_and_marks_are_no_part_of_a_turn() -> None:
    turn = spoken(at_stack(), text="<!channel> <@U00000001> see\n\n@here this")
    assert turn.text == "see this"


# ── elaborations ───────────────────────────────────────────────────────────────────────────────


def talk(*, addressed: bool = False) -> TurnRequest:
    return TurnRequest(BUILT_IN[1], "Scope", (("Priya", FEWER),), (), addressed)


def test_a_turn_takes_up_what_was_said() -> None:
    reply: Any = parse("take_turn", {"text": "“fewer failed payments” by how much?"})
    assert turn_of(reply, talk(), RequestIds()) == "“fewer failed payments” by how much?"


@pytest.mark.parametrize("text", [None, "", "  "])
def test_nothing_to_add_is_no_turn_but_who_is_asked_by_name_must_speak(text: str | None) -> None:
    reply: Any = parse("take_turn", {"text": text})
    assert turn_of(reply, talk(), RequestIds()) is None
    with pytest.raises(FlawedReplyError, match="asked by name"):
        turn_of(reply, talk(addressed=True), RequestIds())


def test_a_turn_puts_nothing_into_anybodys_mouth() -> None:
    reply: Any = parse("take_turn", {"text": "You said “all of it is done”."})
    with pytest.raises(FlawedReplyError, match="stands in nothing"):
        turn_of(reply, talk(), RequestIds())


# ── diagnoses ──────────────────────────────────────────────────────────────────────────────────

MISSING = DiagnosisRequest("01-01", "prerequisite_failure", "not found", "CLAUDE.md", ("A.md",))


@pytest.mark.parametrize(
    ("named", "there", "mends"),
    [
        ("CLAUDE.md", "A.md", True),
        ("CLAUDE.md", "B.md", False),
        ("CLAUDE.md", "a.md", False),
        ("CLAUDE.md", "/etc/passwd", False),
        ("C.md", "A.md", False),
        ("A.md", "A.md", False),
    ],
)
def test_only_the_name_that_leads_nowhere_is_corrected_to_one_that_exists(
    named: str, there: str, *, mends: bool
) -> None:
    corrections = [{"named": named, "there": there}]
    reply: Any = parse(
        "find_cause",
        {"category": None, "findings": "<!here> Wrong name.", "corrections": corrections,
         "fixed": True},
    )  # fmt: skip
    cause = cause_of(reply, MISSING, RequestIds())
    assert cause.fixed == mends
    assert cause.corrections == (((named, there),) if mends else ())
    assert cause.findings == "Wrong name."


def test_the_shape_of_a_turn_has_no_place_for_a_step_or_a_file() -> None:
    fields = set(schema_of("contribute")["properties"])
    assert fields == {"text", "to", "questions", "lines", "agrees", "more"}
