"""Questions of several members become one list, and their claims one list, each thing once."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.brains.script.council.vision import ALIKE_FROM, alike, merged
from core.brains.script.performing import consult
from core.content import questions as checked
from core.domain.ids import PersonaKey
from core.domain.party import Question
from core.domain.party.contributions import Contribution
from tests.support.council_requests import NADIA, OSCAR, PARTY, TESSA, VISION, hold, request

KEYS = ("users", "law", "load", "terms")
LINES = (
    "Who is it for?",
    "Which laws apply here?",
    "Which laws or contracts apply here?",
    "What do people use for this today, and what is bad about it?",
    "What do people use for this today, and what would they miss?",
    "How much data is there?",
    "Für wen ist das?",
    "誰が使いますか？",
    "",
)
ORDER = tuple(PersonaKey(name) for name in ("ann", "bob", "cat", "dan"))
QUESTIONS = st.builds(
    Question, st.sampled_from(KEYS) | st.text(max_size=3), st.just("users"), st.sampled_from(LINES)
)
ASKED = st.lists(st.lists(QUESTIONS, max_size=6), min_size=4, max_size=4).map(
    lambda lists: [
        Contribution(who, "questions", "", questions=tuple(questions))
        for who, questions in zip(ORDER, lists, strict=True)
    ]
)


def question(key: str, text: str) -> Question:
    return Question(key, "users", text)


def asks(who: str, *questions: Question) -> Contribution:
    return Contribution(PersonaKey(who), "questions", "", questions=questions)


@given(ASKED, st.permutations(range(4)))
def test_only_the_declared_order_matters(given_: list[Contribution], places: list[int]) -> None:
    assert merged([given_[place] for place in places], ORDER) == merged(given_, ORDER)


@given(ASKED)
def test_nothing_is_lost_and_nothing_is_asked_twice(given_: list[Contribution]) -> None:
    found = merged(given_, ORDER)
    kept = [one for _, _, one in found]
    for one in given_:
        for asked in one.questions:
            same = [each for other in given_ for each in other.questions if each.key == asked.key]
            assert any(alike(each, other) for each in same for other in kept)
    assert not any(alike(one, other) for one, other in combinations(kept, 2))
    assert {(who, one) for _, who, one in found} <= {
        (one.persona, asked) for one in given_ for asked in one.questions
    }


@given(ASKED)
def test_they_are_numbered_through_and_grouped_by_persona_in_order(
    given_: list[Contribution],
) -> None:
    found = merged(given_, ORDER)
    assert [number for number, _, _ in found] == list(range(1, len(found) + 1))
    places = [ORDER.index(who) for _, who, _ in found]
    assert places == sorted(places)


@given(ASKED)
def test_what_is_alike_stays_with_the_first_who_asks_it(given_: list[Contribution]) -> None:
    for _, who, one in merged(given_, ORDER):
        earlier = given_[: ORDER.index(who)]
        assert not any(asked.key == one.key for other in earlier for asked in other.questions)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (question("a", "Who is it for?"), question("a", "Whom does it serve?"), True),
        (question("a", "Who is it for?"), question("b", "who is it  for?"), True),
        (question("a", "Which laws apply?"), question("b", "Which law applies here?"), True),
        (question("a", "Which laws apply?"), question("b", "Which laws apply here?"), True),
        (question("a", "Which laws apply?"), question("b", "Which words apply?"), False),
        (question("a", "Für wen ist das?"), question("b", "Für wen ist das"), True),
        (question("a", "誰が使いますか？"), question("b", "誰が使いますか？"), True),
        (question("a", "Why?"), question("b", "How?"), False),
    ],
)  # fmt: skip
def test_questions_are_the_same_by_their_key_or_by_their_words(
    one: Question, other: Question, same: bool
) -> None:
    assert alike(one, other) is alike(other, one) is same


def test_the_shipped_council_asks_what_two_share_once() -> None:
    found = hold(VISION).asked
    assert [(who, one.key) for _, who, one in found] == [
        *((NADIA, key) for key in ("first-users", "gain", "first-version", "left-out")),
        *((OSCAR, key) for key in ("todays-way", "terms", "rules")),
        *((TESSA, key) for key in ("must-work-with", "unproven", "load")),
    ]


def test_it_finds_alike_what_the_check_of_party_files_finds_alike() -> None:
    assert ALIKE_FROM == checked.ALIKE_FROM
    every = [one for member in PARTY.members_of(VISION) for one in member.questions]
    for one, other in combinations(every, 2):
        measured = checked.likeness(checked.meant(one.text), checked.meant(other.text))
        assert alike(one, other) == (one.key == other.key or measured >= ALIKE_FROM)


def test_a_persona_that_nobody_declared_comes_last() -> None:
    given_ = [asks("zoe", question("z", "Why?")), asks("ann", question("a", "How?"))]
    assert [who for _, who, _ in merged(given_, ORDER)] == ["ann", "zoe"]


# ── what the description covers ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("", set()),
        ("A tool for accountants", set()),
        ("It is for accountants in small firms.", {"first-users"}),
        ("Users: accountants of small firms", {"first-users"}),
        ("It saves them a day each month.", {"gain"}),
        ("The first version reads a single receipt.", {"first-version"}),
        ("It should never become a full bookkeeping suite.", {"left-out"}),
        ("We don't know yet what it saves them.", set()),
    ],
)
def test_what_the_description_says_is_not_asked(text: str, gone: set[str]) -> None:
    left = {one.key for one in consult(request(NADIA, "questions", text=text)).questions}
    assert {one.key for one in PARTY.member(NADIA).questions} - left == gone


def test_whom_the_description_has_told_all_says_so() -> None:
    member = PARTY.member(OSCAR)
    asked = replace(member, questions=tuple(q for q in member.questions if q.domain == "law"))
    given_ = consult(request(OSCAR, "questions", text="The GDPR applies to it.", member=asked))
    assert given_.questions == ()
    assert given_.text == "Your description answers what I would ask."
