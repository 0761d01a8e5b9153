"""The second council: a proposal from what people said, critiques, a revision, votes, a verdict."""

from dataclasses import replace
from typing import Any

import pytest

from core.brains.bookkeeping.agreement import consensus, trade_offs, with_agreement
from core.brains.script.council.brief import summed_up
from core.brains.script.performing import consult
from core.domain.ids import PersonaKey
from core.domain.party.contributions import Contribution
from tests.support.council_requests import (
    ANSWERED,
    FELIX,
    LIAM,
    PARTY,
    PRIYA,
    SAM,
    STACK,
    VISION,
    ZARA,
    Held,
    hold,
    request,
    said,
)

LOGIN = "We write our own login."


def debate(*texts: Any, changes: tuple[Any, ...] = ()) -> Held:
    """On what was said in the first phase, and what people want changed in this one."""
    first, wanted = said(VISION, *texts), said(STACK, *changes)
    return hold(STACK, first, hold(VISION, first).claims, changes=wanted)


def rows(held: Held) -> list[tuple[str, str, str, str]]:
    return [
        (one.data["choice"], one.data["option"], one.data.get("area", ""), one.confidence)
        for one in held.claims
        if one.kind == "stack"
    ]


# ── the proposal ───────────────────────────────────────────────────────────────────────────────


def test_a_proposal_is_what_people_have_or_want_with_the_reason_in_their_words() -> None:
    held = debate("8. Our Postgres, because we run it already.", "We would build it with Python. ")
    (proposal,) = held.of("proposal")
    assert proposal.text == (
        "I put together what you named. "
        "I propose “Postgres” for the database, because “we run it already” (Priya). "
        "Then “Python” for the language (Sam). "
        "Nobody has said what to take for the framework."
    )
    assert rows(held) == [
        ("chosen", "Postgres", "", "inferred"),
        ("chosen", "Python", "", "stated"),
    ]
    assert [one.text for one in held.claims if not one.sources] == [
        "Asked, not answered: What do we take for the framework?"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "5. They use Excel and an Oracle database today.",
        "500 users and 3 GB of database at first",
        "The servers of the office are slow.",
        "Which database would you take?",
        "Nobody knows which language it will be.",
        "A database of our own is out of scope.",
        "Accountants: they type receipts.",
    ],
)
def test_what_was_not_said_of_a_choice_is_not_proposed(text: str) -> None:
    held = debate(text)
    assert rows(held) == []
    assert "Nobody has named a technology yet." in held.of("proposal")[0].text


def test_of_two_for_one_area_the_one_with_a_reason_is_proposed_and_the_other_weighed() -> None:
    held = debate(
        (PRIYA, "Database: MySQL"), (SAM, "Database: Postgres, because we run it already")
    )
    assert rows(held) == [
        ("chosen", "Postgres", "Database", "stated"),
        ("weighed", "MySQL", "Database", "stated"),
    ]
    assert "MySQL" not in held.of("proposal")[0].text


def test_what_two_people_say_is_one_choice_of_both() -> None:
    held = debate((PRIYA, "Database: Postgres"), (SAM, "Let us use Postgres."))
    (claim,) = (one for one in held.claims if one.kind == "stack")
    assert claim.sources == ("01:0", "01:1")


def test_more_choices_than_fit_are_left_out_of_the_turn_and_kept_in_the_claims() -> None:
    reason = "because it is what the whole team has been running here for years and years"
    names = ("Postgres", "Python", "Django", "Hetzner", "Keycloak", "Grafana")
    held = debate("\n".join(f"We use {name}, {reason}." for name in names))
    assert [row[1] for row in rows(held)] == list(names)
    assert len(held.of("proposal")[0].text) <= 600
    assert "“Postgres”" in held.of("proposal")[0].text


def test_a_proposal_on_something_else_rests_on_what_was_said_of_its_subjects() -> None:
    phase = replace(PARTY.phase(STACK), outputs=("launch-plan.md",))
    member = replace(PARTY.member(LIAM), expertise=("Launch days and letters to the press",))
    answers = said(STACK, "The launch is in May.", "It rains.")
    made = request(LIAM, "proposal", *answers, phase=phase, member=member)
    given = consult(made)
    assert "Priya says “The launch is in May”." in given.text
    assert [one.text for one in given.claims] == ["The launch is in May."]
    nothing = consult(replace(made, answers=()))
    assert nothing.text.endswith("Nobody has said anything that I could propose yet.")


# ── critiques ──────────────────────────────────────────────────────────────────────────────────


def test_a_critique_quotes_what_speaks_against_its_list_and_the_line_that_lacks_something() -> None:
    held = debate("We use Postgres.", LOGIN)
    by = {one.persona: one for one in held.of("critique")}
    assert by[ZARA].to == by[FELIX].to == LIAM
    assert (
        "Sam says “We write our own login”, and my list asks for the opposite: sign-in and "
        "permissions come from something proven, and are not our own make." in by[ZARA].text
    )
    assert (
        "Nobody has spoken of this yet: a new colleague has it running on their own machine "
        "within an hour." in by[FELIX].text
    )


def test_each_clause_is_quoted_with_the_check_that_it_is_about() -> None:
    held = debate("We write our own login, and the keys are in the code.")
    zara = held.of("critique")[0].text
    assert "“We write our own login”, and my list asks for the opposite: sign-in" in zara
    assert "“the keys are in the code”, and my list asks for the opposite: keys" in zara


def test_the_line_that_is_quoted_is_the_one_that_lacks_it() -> None:
    felix = debate("We use Postgres. We use AWS.").of("critique")[1]
    assert "Of “AWS” nobody has spoken of this yet: it is clear how a" in felix.text


def test_a_list_of_which_each_point_was_spoken_is_content() -> None:
    texts = (
        "We use Postgres. It runs on a laptop with one command. Releases go out by a pipeline.",
        "We watch the alarms. It costs 20 euros a month.",
    )
    felix = debate(*texts).of("critique")[1]
    assert felix.text.endswith("Each point of my list has been spoken of.")


def test_a_check_of_ones_own_is_known_by_its_words() -> None:
    member = replace(PARTY.member(ZARA), checks=("The pudding has a second spoon.",))
    proposal = hold(STACK).of("proposal")[0]

    def critique(text: str) -> str:
        answers = said(STACK, text)
        return consult(request(ZARA, "critique", *answers, member=member, said=(proposal,))).text

    assert "has spoken of this yet: the pudding has a second spoon." in critique("We like it.")
    assert "spoken of" in critique("Each pudding comes with a spoon.")
    assert "asks for the opposite" in critique("There is no spoon for the pudding.")


def test_without_a_proposal_there_is_nothing_to_criticise() -> None:
    given = consult(request(ZARA, "critique"))
    assert (given.text, given.to) == ("There is no proposal that I could read.", None)


# ── the revision ───────────────────────────────────────────────────────────────────────────────


def test_words_of_people_win_and_the_choice_says_that_they_changed_it() -> None:
    held = debate(
        "We use Postgres, because we run it already.",
        changes=("SQLite for the database instead, because it is one file.",),
    )
    text = held.of("revision")[0].text
    assert "Priya wants “SQLite” in place of “Postgres”: changed." in text
    assert "I propose “SQLite” for the database, because “it is one file” (Priya)." in text
    assert [row[:2] for row in rows(held)] == [("chosen", "SQLite"), ("rejected", "Postgres")]
    assert [one.sources for one in held.claims if one.kind == "stack"] == [
        ("02:0",),
        ("01:0", "02:0"),
    ]


def test_the_last_change_of_an_area_holds() -> None:
    held = debate("We use Postgres.", changes=("Take SQLite.", "No, take MySQL."))
    assert rows(held)[0][:2] == ("chosen", "MySQL")
    assert {row[1] for row in rows(held) if row[0] == "rejected"} == {"Postgres", "SQLite"}


def test_a_choice_can_be_turned_down_without_another_one() -> None:
    held = debate("We use Postgres and nothing else.", changes=("We will not use Redis.",))
    assert ("rejected", "Redis") in [row[:2] for row in rows(held)]


def test_a_wish_that_is_no_choice_is_taken_in_as_it_was_said() -> None:
    held = debate("We use Postgres.", changes=("Please think of people who cannot see.",))
    text = held.of("revision")[0].text
    assert "Priya says “Please think of people who cannot see”: taken in as it was said." in text
    assert ("fact", "Please think of people who cannot see.") in [
        (one.kind, one.text) for one in held.claims
    ]


def test_what_a_choice_costs_is_a_trade_off() -> None:
    held = debate("We use Postgres.", changes=("Price: one more thing to run.",))
    assert [one.text for one in held.claims if one.kind == "trade-off"] == [
        "Price: one more thing to run."
    ]


def test_a_critique_is_settled_by_what_was_said_or_stays_open() -> None:
    held = debate("We use Postgres.", LOGIN, changes=("Take Keycloak for the login.",))
    text = held.of("revision")[0].text
    assert "To the security advisor: Priya says “Take Keycloak for the login”." in text
    assert "Open, and waiting for people: the points of the devops pragmatist." in text
    assert text.startswith("This is it with your changes.")
    before = debate("We use Postgres.", LOGIN, "We build the login here.").of("revision")[0].text
    assert before.startswith("It stays with “Postgres”.")
    assert "Open, and waiting for people: the points of the security advisor and the dev" in before
    assert before.count("“Postgres”") == 1


# ── votes and the verdict ──────────────────────────────────────────────────────────────────────


def test_a_member_dissents_as_long_as_answers_speak_against_a_check_of_its_list() -> None:
    held = debate("We use Postgres.", LOGIN)
    votes = {one.persona: one for one in held.of("vote")}
    assert {key: one.agrees for key, one in votes.items()} == {LIAM: True, ZARA: False, FELIX: True}
    assert votes[ZARA].text.startswith(
        "Something that was said goes against my list on data and keys. "
        "Sam says “We write our own login"
    )
    changed = debate("We use Postgres.", LOGIN, changes=("Take Keycloak for the login.",))
    assert [one.agrees for one in changed.of("vote")] == [True, True, True]


def test_a_vote_names_what_it_stands_behind_and_what_stays_on_its_list() -> None:
    vote = debate("We use Postgres.").of("vote")[2]
    assert vote.text == (
        "Nothing that was said goes against my list on running it. That goes for “Postgres”. "
        "Nobody has spoken of this yet: a new colleague has it running on their own "
        "machine within an hour."
    )


def vote(who: str, agrees: bool | None) -> Contribution:
    return Contribution(PersonaKey(who), "vote", f"{who} says so.", agrees=agrees)


@pytest.mark.parametrize(
    ("cast", "agreement"),
    [
        ((True, True, True), "unanimous"),
        ((True, True), "unanimous"),
        ((True,), "unanimous"),
        ((True, True, None), "unanimous"),
        ((True, True, False), "majority"),
        ((True, True, True, False), "majority"),
        ((True, False), "split"),
        ((True, True, False, False), "split"),
        ((True, False, False), "split"),
        ((True, False, None), "split"),
        ((False, False, False), "split"),
        ((None, None), "split"),
        ((), "split"),
    ],
)
def test_how_far_they_agree(cast: tuple[bool | None, ...], agreement: str) -> None:
    votes = [vote(f"p{place}", agrees) for place, agrees in enumerate(cast)]
    assert consensus(votes) == agreement


def test_only_votes_are_counted() -> None:
    votes = [vote("b", False), vote("a", True), Contribution(PersonaKey("c"), "critique", "No.")]
    assert consensus(votes) == "split"


def test_each_trade_off_quotes_a_critique_and_each_critic_is_heard_first() -> None:
    held = debate("We use Postgres.", LOGIN)
    found = trade_offs(held.said)
    assert [who for who, _ in found] == [ZARA, ZARA]
    critiques = {one.persona: one.text for one in held.of("critique")}
    for who, text in found:
        assert text in critiques[who]
        assert "“" in text
    assert trade_offs(hold(STACK).said) == ()


def test_the_choices_carry_how_far_they_were_agreed_on() -> None:
    held = debate("We use Postgres.", changes=("SQLite instead of Postgres. Price: x.",))
    found = with_agreement(held.claims, "majority")
    assert [one.data.get("consensus") for one in found if one.kind == "stack"] == ["majority", None]
    assert [one.text for one in found] == [one.text for one in held.claims]


def test_what_was_said_in_the_first_phase_reaches_the_second() -> None:
    held = debate(*ANSWERED)
    assert ("chosen", "Postgres", "", "inferred") in rows(held)


# ── what people answer when they are asked ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        ("1. WordPress I think, because Ben did the site", ["WordPress"]),
        ("1. we have FileMaker", ["FileMaker"]),
        ("1. Node and MQTT", ["Node and MQTT"]),
        ("1. whatever is cheap", []),
        ("1. no idea, ask Ben", []),
        ("2. He looks after it when he has time", []),
        ("WordPress is what my sister has", []),  # to no question: it is only talked about
    ],
)
def test_an_answer_to_the_question_for_technologies_names_them_by_its_form(
    answer: str, options: list[str]
) -> None:
    asked = hold(STACK).asked
    made = request(LIAM, "position", *said(STACK, answer), questions=asked)
    assert [one.data["option"] for one in summed_up(made) if one.kind == "stack"] == options


def test_what_people_answer_a_debate_is_never_a_purpose_and_never_asked_of_nobody() -> None:
    asked = hold(STACK).asked
    answers = said(STACK, "no idea, something cheap? we have a website at strato")
    claims = summed_up(request(LIAM, "position", *answers, questions=asked))
    assert {claim.kind for claim in claims} == {"question", "fact"}
    assert all(claim.sources for claim in claims)
    proposal = consult(request(LIAM, "proposal", *answers, questions=asked)).text
    assert "Priya says “we have a website at strato”; put the area before it" in proposal


def test_a_vote_in_the_same_words_is_not_said_again() -> None:
    answers = said(STACK, "db: Postgres, because we run it")
    proposal = consult(request(LIAM, "proposal", *answers))
    first = consult(request(ZARA, "vote", *answers, said=(proposal,)))
    again = consult(request(ZARA, "vote", *answers, said=(proposal, first)))
    assert (first.agrees, again.agrees) == (True, True)
    assert first.text
    assert not again.text
    more = said(STACK, "db: Postgres, because we run it", "hosting: Strato, it is cheap")
    other = consult(request(LIAM, "revision", *more, said=(proposal, first)))
    assert consult(request(ZARA, "vote", *more, said=(proposal, first, other))).text


def test_a_vote_that_goes_back_to_an_earlier_one_is_said_again() -> None:
    answers = said(STACK, "db: Postgres, because we run it")
    proposal = consult(request(LIAM, "proposal", *answers))
    agrees = consult(request(ZARA, "vote", *answers, said=(proposal,)))
    dissents = Contribution(ZARA, "vote", "Something speaks against it.", agrees=False)
    back = consult(request(ZARA, "vote", *answers, said=(proposal, agrees, dissents)))
    assert (back.text, back.agrees) == (agrees.text, True)
