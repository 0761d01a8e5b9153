"""The scripted council, whatever people write: it quotes, it asks, and it invents nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.brains.script.council.quoting import TEXT_CHARS_MAX
from core.brains.script.performing import consult
from core.domain.answers import Claim, ClaimKind
from core.domain.ids import PersonaKey, PhaseKey, UserId
from core.domain.party.contributions import Want
from tests.support.council_requests import (
    ANSWERED,
    BLUEPRINT,
    FELIX,
    LIAM,
    NADIA,
    OSCAR,
    PARTY,
    PRIYA,
    SAM,
    STACK,
    TESSA,
    VISION,
    ZARA,
    Held,
    flat,
    hold,
    quotes_of,
    request,
    said,
)

OURS = {"topic", "choice", "consensus", "question", "domain", "conflicts"}  # not people's words
WANTS: tuple[Want, ...] = get_args(Want)
ACTING = re.compile(r"[*~`<>]|(?<!\w)[@#_]|_(?!\w)|\n|https?:")
SAID = (
    *("1: accountants", "2) ", "Q3 ", "6: voucher and slip", "8. ", "\n", "\n\n"),
    *(". ", ", ", "?", "none", "no idea yet"),
    *("Database: Postgres, because we run it already", "We use Go instead of Rust", "MySQL"),
    *("SQLite for the database", "We write our own login", "The keys are in the code", "Price: x"),
    *("Reader: turns photos into text", "Reader -> Store: receipts", "Receipt: date, amount"),
    *("A supplier has many receipts", "Receipts are kept for ten years", "Unit: the reader"),
    *("Printing is not tested", "GDPR applies", "500 users", "a day less", "It is for clerks"),
    *("会計士が使います。", "يستخدمه المحاسبون", "Die Buchhalter tippen Belege ab"),
    *("<@U1> <!here>", "@channel", "*bold* _it_ `x`", "“quoted”", "```\ncode\n```", "👩‍💻 \u202e"),
    *("https://example.com/a?b", "x" * 700, "é" * 90, "कि" * 80, "| a | b |\n|---|---|\n| c | d |"),
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=50),
    st.lists(st.one_of(st.sampled_from(SAID), st.text(max_size=6)), max_size=7).map(" ".join),
    st.lists(st.sampled_from(SAID), max_size=9).map("\n".join),
)
SPOKEN = st.lists(TEXTS, max_size=4)


def whole(vision: Sequence[str], stack: Sequence[str], blueprint: Sequence[str]) -> list[Held]:
    """All three phases, one after the other, and all that was said in them."""
    first, second, third = said(VISION, *vision), said(STACK, *stack), said(BLUEPRINT, *blueprint)
    held = [hold(VISION, first)]
    held += [hold(STACK, first, held[0].claims, changes=second)]
    known = (*held[0].claims, *held[1].claims)
    return [*held, hold(BLUEPRINT, (*first, *second), known, changes=third)]


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.casefold()))


def values(claims: Iterable[Claim]) -> Iterator[tuple[Claim, str]]:
    for claim in claims:
        yield claim, claim.text
        yield from ((claim, text) for key, text in claim.data.items() if key not in OURS)


@settings(max_examples=20)
@given(SPOKEN, SPOKEN, SPOKEN)
def test_nothing_is_invented_whatever_people_write(
    vision: list[str], stack: list[str], blueprint: list[str]
) -> None:
    spoken = (*said(VISION, *vision), *said(STACK, *stack), *said(BLUEPRINT, *blueprint))
    by_id = {one.id: one for one in spoken}
    everything = [flat(one.text) for one in spoken]
    for held in whole(vision, stack, blueprint):
        for one in held.said:
            for quote in quotes_of(one):
                assert any(quote in text for text in everything), (one.want, quote)
        for claim, text in values(held.claims):
            if not claim.sources:
                assert (claim.kind, claim.confidence) == ("assumption", "assumed")
                assert claim.text.startswith("Asked, not answered: ")
                continue
            rests_on = " ".join(by_id[source].text for source in claim.sources)
            asked = " ".join(question.text for _, _, question in held.asked)
            known = words(f"{rests_on} {asked if claim.kind == 'question' else ''}")
            assert words(text) <= known, (claim.kind, text)


@settings(max_examples=20)
@given(SPOKEN, SPOKEN, SPOKEN)
def test_every_turn_is_short_plain_and_the_same_again(
    vision: list[str], stack: list[str], blueprint: list[str]
) -> None:
    held = whole(vision, stack, blueprint)
    assert held == whole(vision, stack, blueprint)
    for one in (turn for phase in held for turn in phase.said):
        assert len(one.text) <= TEXT_CHARS_MAX
        assert not ACTING.search(one.text), one.text
        assert one.text.count("“") == one.text.count("”")
        assert one.to != one.persona
        assert not one.more
        assert one.agrees is None or one.want == "vote"
        assert one.text or one.want in ("cross-question", "reply")
    for claims in (phase.claims for phase in held):
        assert len({claim.id for claim in claims}) == len(claims)
        assert {claim.kind for claim in claims} <= set(get_args(ClaimKind))
        assert {claim.confidence for claim in claims} <= {"stated", "inferred", "assumed"}
        assert all(claim.id.startswith(f"{claim.step}/") for claim in claims)


@pytest.mark.parametrize("want", WANTS)
@pytest.mark.parametrize("persona", [NADIA, LIAM, FELIX, *PARTY.phase(BLUEPRINT).members])
def test_every_member_can_be_asked_for_anything_before_anybody_has_spoken(
    want: Want, persona: PersonaKey
) -> None:
    given = consult(request(persona, want))
    assert (given.persona, given.want) == (persona, want)
    assert quotes_of(given) == []
    assert all(claim.confidence == "assumed" for claim in given.claims)


def test_without_answers_each_lens_says_that_it_has_nothing_to_go_on() -> None:
    held = whole((), (), ())
    for phase in held:
        assert not any(quotes_of(one) for one in phase.said)
    assert all(
        one.text.startswith("Nobody has answered yet") for one in held[0].of("interpretation")
    )
    assert all("Nobody has said anything" in one.text for one in held[0].of("position"))
    assert [one.text for one in held[0].of("cross-question")] == ["", "", ""]
    assert held[0].of("reply") == []
    assert "Nobody has named a technology yet." in held[1].of("proposal")[0].text
    assert all("Nobody has said anything for it yet." in one.text for one in held[2].of("draft"))


def test_each_persona_has_a_manner_of_its_own() -> None:
    held = whole(ANSWERED, (), ())
    wants: tuple[Want, ...] = ("interpretation", "vote", "draft")
    for phase, want in zip(held, wants, strict=True):
        opened = [one.text.split(".")[0] for one in phase.of(want)]
        assert len(set(opened)) == 3


@pytest.mark.parametrize(
    ("phase", "away"),
    [(VISION, NADIA), (VISION, OSCAR), (VISION, TESSA), (STACK, ZARA), (STACK, FELIX)],
)
def test_a_council_of_two_does_its_work(phase: PhaseKey, away: PersonaKey) -> None:
    first = said(VISION, *ANSWERED)
    held = hold(phase, first, away=[away])
    assert away not in {one.persona for one in held.said} | {one.to for one in held.said}
    assert any(claim.sources for claim in held.claims)


def test_without_the_one_who_proposes_the_next_proposes() -> None:
    held = hold(STACK, said(VISION, *ANSWERED), away=[LIAM])
    (proposal,) = held.of("proposal")
    assert proposal.persona == ZARA
    assert "“Postgres” for the database, because “we run it already” (Priya)" in proposal.text
    assert [(one.persona, one.to) for one in held.of("critique")] == [(FELIX, ZARA)]
    assert [one.persona for one in held.of("vote")] == [ZARA, FELIX]


@pytest.mark.parametrize("away", PARTY.phase(BLUEPRINT).members)
def test_a_ring_of_two_reviews_each_other(away: PersonaKey) -> None:
    answers = said(BLUEPRINT, "Reader: turns photos into text\nReceipt: date, amount")
    held = hold(BLUEPRINT, answers, away=[away])
    one, other = held.of("review")
    assert (one.to, other.to) == (other.persona, one.persona)


def test_somebody_without_a_name_is_somebody() -> None:
    answers = said(VISION, (UserId("U9"), "1: clerks of the town"), (SAM, "2: a day less"))
    asked = hold(VISION).asked
    made = request(
        NADIA, "interpretation", *answers, questions=asked, names={SAM: "*<@U2>* \n Sam"}
    )
    text = consult(made).text
    assert "Who it is for: somebody says “clerks of the town”." in text
    assert "U2 Sam says “a day less”" in text


def test_what_was_withdrawn_was_never_said() -> None:
    (kept, gone) = said(VISION, (PRIYA, "1: clerks of the town"), (PRIYA, "2: a day less"))
    asked = hold(VISION).asked
    answers = (kept, replace(gone, withdrawn=True))
    given = consult(request(NADIA, "position", *answers, questions=asked))
    assert "a day less" not in given.text
    assert {source for claim in given.claims for source in claim.sources} == {kept.id}
