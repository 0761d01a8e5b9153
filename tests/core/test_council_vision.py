"""The first council: lenses on people's answers, a debate, positions, and the brief they give."""

from dataclasses import replace
from typing import Any

import pytest

from core.brains.script.performing import consult
from core.domain.answers import Answer
from core.domain.ids import PersonaKey
from core.domain.party import Question
from core.domain.party.contributions import Contribution, Want
from tests.support.council_requests import (
    ANSWERED,
    NADIA,
    OSCAR,
    PARTY,
    PRIYA,
    SAM,
    STACK,
    TESSA,
    VISION,
    Held,
    flat,
    hold,
    quotes_of,
    request,
    said,
)

ASKED = hold(VISION).asked


def turn(persona: PersonaKey, want: Want, *answers: Answer, **more: Any) -> Contribution:
    return consult(request(persona, want, *answers, questions=ASKED, **more))


def rows(*texts: Any) -> list[tuple[str, str, str]]:
    """Each line of the brief with its kind and what it is about, but for what nobody answered."""
    claims = turn(NADIA, "position", *said(VISION, *texts)).claims
    return [(one.kind, one.text, one.data.get("domain", "")) for one in claims if one.sources]


# ── the brief ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "kind", "domain"),
    [
        ("1: clerks of the town", "user", "users"),
        ("2) they go home earlier", "purpose", "goals"),
        ("2) we notice half as many calls", "success", "goals"),
        ("Q3 one receipt from a photo", "scope", "scope"),
        ("4. a bookkeeping suite", "exclusion", "scope"),
        ("question 5: they type", "domain", "alternatives"),
        ("6 - a voucher is a receipt", "domain", "terms"),
        ("#7: ten years for each receipt", "domain", "law"),
        ("(8) the old archive", "constraint", "systems"),
        ("9. text recognition", "risk", "feasibility"),
        ("10. ten at first", "fact", "scale"),
        ("7. Nobody knows yet.", "question", "law"),
        ("7. Is there a law?", "question", "law"),
        ("7. none", "fact", "law"),
    ],
)
def test_a_numbered_answer_is_about_what_its_question_is_about(
    text: str, kind: str, domain: str
) -> None:
    ((found, _, about),) = rows(text)
    assert (found, about) == (kind, domain)


@pytest.mark.parametrize(
    ("text", "kind", "domain"),
    [
        ("It is for clerks of the town.", "user", "users"),
        ("Customers wait for days.", "user", "users"),
        ("It saves them a day.", "purpose", "goals"),
        ("The first version reads one receipt.", "scope", "scope"),
        ("Reports are out of scope.", "exclusion", "scope"),
        ("At the moment they type it by hand.", "domain", "alternatives"),
        ("We call it a voucher.", "domain", "terms"),
        ("The GDPR applies.", "domain", "law"),
        ("It has to work with the old archive.", "constraint", "systems"),
        ("Nobody here has built that.", "risk", "feasibility"),
        ("We expect 500 users.", "fact", "scale"),
        ("Constraint: no new servers", "constraint", "systems"),
        ("The clerks need a quiet morning.", "purpose", ""),
        ("That is the whole idea of it.", "fact", ""),
        ("So we need the freezing date.", "fact", ""),
        ("We know Python well.", "fact", ""),
    ],
)
def test_a_free_answer_is_about_what_its_words_show(text: str, kind: str, domain: str) -> None:
    ((found, _, about),) = rows(text)
    assert (found, about) == (kind, domain)


def test_a_line_that_goes_on_is_about_what_the_one_before_it_is_about() -> None:
    text = "The first version reads one receipt. Oh and a list of what is due. That is nice."
    assert [kind for kind, _, _ in rows(text)] == ["scope", "scope", "fact"]


def test_a_risk_that_was_only_read_into_an_answer_is_marked() -> None:
    claims = turn(NADIA, "position", *said(VISION, "1. clerks\n9. text recognition")).claims
    assert [one.confidence for one in claims if one.sources] == ["stated", "inferred"]


def test_every_line_of_the_answers_stands_in_the_brief_whoever_writes_it() -> None:
    held = hold(VISION, said(VISION, *ANSWERED))
    first, *others = (one.claims for one in held.of("position"))
    assert all(claims == first for claims in others)
    shown = flat(" ".join(one.text for one in held.claims))
    for piece in ("accountants in small firms", "a full bookkeeping suite", "by law", "Postgres"):
        assert piece in shown
    assert {one.step for one in held.claims} == {"01-01"}


def test_what_nobody_answered_is_left_open_in_the_words_of_the_question() -> None:
    claims = turn(OSCAR, "position", *said(VISION, "1: clerks\nThe GDPR applies.")).claims
    left = [one.text for one in claims if not one.sources]
    assert left == [
        f"Asked, not answered: {question.text}"
        for _, _, question in ASKED
        if question.key not in ("first-users", "rules")
    ]


def test_of_two_questions_on_one_thing_each_wants_an_answer_of_its_own() -> None:
    first = Question("sweet", "flavour", "Which flavour should the pudding have?")
    other = Question("sour", "flavour", "Which flavour would spoil it?")
    asked = ((1, NADIA, first), (2, NADIA, other))
    answers = said(VISION, "1: vanilla")
    claims = consult(replace(request(NADIA, "position", *answers), questions=asked)).claims
    assert [one.text for one in claims] == ["vanilla", f"Asked, not answered: {other.text}"]
    scope = turn(NADIA, "position", *said(VISION, "3: one receipt. A suite is out of scope."))
    assert not any("never become" in one.text for one in scope.claims)


def test_an_answer_in_a_language_that_is_not_known_here_leaves_nothing_open() -> None:
    answers = said(VISION, "Buchhalter tippen bis heute jeden Beleg einzeln von Hand ab")
    assert all(one.sources for one in turn(NADIA, "position", *answers).claims)
    text = turn(NADIA, "interpretation", *answers).text
    assert "I read English only" in text
    assert "Nobody has said" not in text
    assert "“Buchhalter tippen bis heute jeden Beleg einzeln von Hand”" in text
    assert "I read English only" in turn(TESSA, "position", *answers).text


def test_numbers_are_understood_in_any_language() -> None:
    answers = said(VISION, "1: 会計士が使います\n7: قانون الضرائب")
    assert (
        "Who it is for: Priya says “会計士が使います”."
        in turn(OSCAR, "interpretation", *answers).text
    )
    assert "Which rules apply: Priya says “قانون الضرائب”." in (
        turn(OSCAR, "interpretation", *answers).text
    )


# ── the lens ───────────────────────────────────────────────────────────────────────────────────


def test_each_lens_reads_its_own_domains_and_names_what_was_not_said() -> None:
    held = hold(VISION, said(VISION, *ANSWERED))
    nadia, oscar, tessa = (one.text for one in held.of("interpretation"))
    assert "Who it is for: Priya says “accountants in small firms”." in nadia
    assert "“a full bookkeeping suite”" in nadia
    assert "Which words the field uses: Sam says “A voucher is a receipt”." in oscar
    assert "Which part is new to everybody here: Priya says" in tessa
    assert "Nobody has said how many people and how much data to expect." in tessa
    assert "“accountants" not in tessa


def test_two_voices_on_one_domain_are_both_heard() -> None:
    answers = said(VISION, (PRIYA, "1: clerks of the town"), (SAM, "1: the mayor's office"))
    text = turn(NADIA, "interpretation", *answers).text
    assert (
        "Who it is for: Priya says “clerks of the town” and Sam says “the mayor's office”." in text
    )


def test_what_people_leave_open_is_told_as_left_open() -> None:
    text = turn(OSCAR, "interpretation", *said(VISION, "7: we don't know yet")).text
    assert "Which rules apply is left open: Priya says “we don't know yet”." in text


def test_what_belongs_to_no_lens_is_read_once_by_the_first_at_the_table() -> None:
    held = hold(VISION, said(VISION, "That is the whole idea of it."))
    texts = [one.text for one in held.of("interpretation")]
    assert ["whole idea" in text for text in texts] == [True, False, False]


def test_a_domain_of_ones_own_is_known_by_its_questions() -> None:
    own = Question("taste", "flavour", "Which flavour and which smell should the pudding have?")
    made = replace(PARTY.member(NADIA), questions=(own,))
    asked = ((1, NADIA, own),)
    for text in ("1: vanilla, of course", "A pudding with the flavour of vanilla"):
        given = consult(
            request(NADIA, "interpretation", *said(VISION, text), member=made, questions=asked)
        )
        assert "What holds for flavour: Priya says “" in given.text
    given = consult(request(NADIA, "interpretation", *said(VISION, "Hm."), member=made))
    assert "what holds for flavour" in given.text


# ── the debate ─────────────────────────────────────────────────────────────────────────────────


def debate(*texts: Any) -> Held:
    return hold(VISION, said(VISION, *texts))


def test_where_people_differ_the_next_is_asked_which_it_goes_by_and_does_not_choose() -> None:
    held = debate((PRIYA, "10: 500 users at first"), (SAM, "10: 50 users at first"))
    asked = next(one for one in held.of("cross-question") if one.to == TESSA)
    assert asked.text == (
        "That is not the same: Priya says “500 users” and Sam says “50 users”. "
        "Which of them do you go by?"
    )
    (reply,) = (one for one in held.of("reply") if one.persona == TESSA)
    assert reply.to == asked.persona
    assert reply.text == (
        "By neither alone: “500 users” from Priya and “50 users” from Sam both stand until one of "
        "them says which holds."
    )


def test_what_another_passed_over_is_held_up_to_it() -> None:
    texts = ("3: reading one receipt", "3: a photo of it", "3: and a list of them")
    held = debate(*texts)
    asked = [one.text for one in held.of("cross-question") if one.to == NADIA]
    assert asked == ["Priya says “a list of them”. You did not quote it; what else was said of it?"]


def test_what_another_leaves_open_is_asked_and_the_reply_names_the_question_that_waits() -> None:
    held = debate("1: clerks of the town")
    by = {one.persona: one for one in held.of("cross-question")}
    assert by[NADIA].to == OSCAR
    assert by[NADIA].text == "Has anybody said what people use today? I find no line on it."
    reply = next(one for one in held.of("reply") if one.persona == OSCAR)
    assert reply.text == (
        "Nobody has said what people use today. It stays open: 5. What do people use for this "
        "today, and what do they put up with there?"
    )


def test_a_reply_comes_from_the_answers_of_people() -> None:
    asks = Contribution(NADIA, "cross-question", "Which laws did you find in it?", to=OSCAR)
    answers = said(VISION, "The laws of the county apply.")
    given = turn(OSCAR, "reply", *answers, said=(asks,))
    assert given.text == (
        "Priya says “The laws of the county apply”. More than that nobody has said."
    )
    given = turn(OSCAR, "reply", *said(VISION, "Hello there, friends of mine."), said=(asks,))
    assert given.text == "Nobody has said that, so it stays an open question."


def test_whoever_was_not_asked_has_nothing_to_reply_and_nobody_is_answered_twice() -> None:
    asks = Contribution(NADIA, "cross-question", "Which laws apply?", to=OSCAR)
    also = Contribution(TESSA, "cross-question", "Which words?", to=OSCAR)
    assert turn(TESSA, "reply", said=(asks,)).text == ""
    first = turn(OSCAR, "reply", said=(asks, also))
    assert first.to == NADIA
    assert turn(OSCAR, "reply", said=(asks, also, first)).to == TESSA
    assert turn(OSCAR, "reply", said=(asks, also), neighbour=TESSA).to == TESSA


def test_nobody_asks_the_same_of_a_third() -> None:
    for texts in (ANSWERED, ("1: clerks",), ("3: a", "3: b", "3: c", "3: d")):
        held = debate(*texts)
        asked = [(one.to, one.text) for one in held.of("cross-question") if one.text]
        assert len(asked) == len(set(asked))


# ── the position ───────────────────────────────────────────────────────────────────────────────


def test_a_position_argues_for_its_focus_with_words_of_people_and_names_what_it_misses() -> None:
    given = turn(NADIA, "position", *said(VISION, "1: clerks of the town"))
    assert given.text == (
        "First on my list: the people who have the problem, before anything that could be built. "
        "From your answers: “clerks of the town” (Priya). "
        "Nobody has said what gets better and what the first version holds and leaves out."
    )
    assert quotes_of(given) == ["clerks of the town"]


def test_what_is_said_later_changes_the_position() -> None:
    before = turn(NADIA, "position", *said(VISION, "1: clerks"))
    after = turn(NADIA, "position", *said(VISION, "1: clerks", "2: they go home earlier"))
    assert "they go home earlier" not in before.text
    assert "“they go home earlier” (Sam)" in after.text


# ── numbers without a sign ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        (
            "5 a shared google sheet. also whatsapp.",
            [("5", "a shared google sheet."), ("5", "also whatsapp.")],
        ),
        (
            "8\n- old android phones\n- the van\n9) offline sync",
            [("8", "old android phones"), ("8", "the van"), ("9", "offline sync")],
        ),
        (
            "so 1 - the first person is Birgit!! 2. less waste, obviously",
            [("1", "the first person is Birgit!!"), ("2", "less waste, obviously")],
        ),
        ("6k items not 6", [("", "6k items not 6")]),
        ("5 freezers are broken", [("", "5 freezers are broken")]),
        ("5 a day is enough", [("", "5 a day is enough")]),
        ("3 pis", [("", "3 pis")]),
        ("42 the answer is", [("", "42 the answer is")]),
        ("8", [("", "8")]),
    ],
)
def test_the_number_of_a_question_needs_no_sign_where_it_counts_nothing(
    answer: str, lines: list[tuple[str, str]]
) -> None:
    claims = hold(VISION, said(VISION, answer)).claims
    assert [(one.data.get("question", ""), one.text) for one in claims if one.sources] == lines


def test_without_numbered_questions_a_number_is_what_somebody_said() -> None:
    held = hold(STACK, changes=said(STACK, "5 a shared sheet"))
    assert "5 a shared sheet" in [one.text for one in held.claims]
