"""Lines that no rule knows, told by their words: requirements, checks, what is left out."""

from itertools import chain

import pytest

from core.brains import lexicon
from core.brains.script.decisions.turn_signs import SIGNS
from core.brains.script.reading import read
from core.brains.script.topics import TOPICS
from core.brains.text.weights import (
    CHANCE_MIN,
    DECISION,
    NUMBER,
    TURNS,
    WORDS_MAX,
    chances_of,
    features_of,
    kind_of,
)
from tests.core.test_scripted import request
from tests.core.test_scripted_forms import told

LIKELY = "and at red I want to say why with 3 words or a photo."
PLACES = ("first", "second", "third", "last")
TABLES = ("words", "at_topic", "pairs", *PLACES, "topics", "lengths")
KINDS = (*CHANCE_MIN, DECISION)


def features(text: str, topic: str = "journey") -> dict[str, list[str]]:
    every = list(features_of(text, topic))
    return {table: [name for of, name in every if of == table] for table in TABLES}


def test_a_line_counts_by_its_words_pairs_first_and_last_words_topic_and_length() -> None:
    assert features("Crew don’t SEE it, crew see 2 or 14") == {
        "words": ["crew", "don't", "see", "it", NUMBER, "or"],
        "at_topic": ["journey crew", "journey don't", "journey see", "journey it",
                     f"journey {NUMBER}", "journey or"],
        "pairs": ["crew don't", "don't see", "see it", "it crew", "crew see", "see #", "# or",
                  "or #"],
        "first": ["crew"],
        "second": ["don't"],
        "third": ["see"],
        "last": [NUMBER],
        "topics": ["journey"],
        "lengths": ["3"],
    }  # fmt: skip


def test_of_an_overlong_line_only_the_first_words_count() -> None:
    long = features(" ".join(f"{chr(97 + n % 26)}{'x' * n}" for n in range(WORDS_MAX * 2)))
    assert len(long["words"]) == WORDS_MAX
    assert chances_of("", "journey") == chances_of("…", "journey")


@pytest.mark.parametrize(
    ("kind", "topic", "line"),
    [
        ("requirement", "journey", "the page shows who signed it and when"),
        ("check", "features", "I'd scan one twice and see whether the second says no"),
        ("exclusion", "features", "we won't do the app for guests, that's next year"),
    ],
)
def test_a_line_in_words_of_a_kind_is_likely_to_be_one_and_history_is_not(
    kind: str, topic: str, line: str
) -> None:
    history = "we looked at it last spring btw"
    assert chances_of(line, topic)[kind] >= CHANCE_MIN[kind] > chances_of(history, topic)[kind]
    assert (kind_of(line, topic), kind_of(history, topic)) == (kind, None)


def test_the_file_has_the_same_tables_for_each_kind() -> None:
    rows = lexicon.table("weights")
    assert set(rows) == {*KINDS, "difference", "check-of", "open-question"}
    for kind in KINDS:
        row = rows[kind]
        assert set(row) == {"bias", *TABLES, TURNS}
        assert set(row[TURNS]) == (set(SIGNS) if kind == DECISION else set())
        assert row["bias"] < 0  # most lines are of no one kind
        assert set(row["topics"]) <= set(TOPICS)
        assert all(chain.from_iterable(row[table].values() for table in TABLES))  # none is 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", TABLES)
def test_every_name_of_the_file_is_one_that_a_line_can_have(kind: str, table: str) -> None:
    for name in lexicon.table("weights")[kind][table]:
        topic, _, word = name.partition(" ") if table == "at_topic" else ("journey", "", name)
        topic = name if table == "topics" else topic
        before = {"second": "x ", "third": "x x ", "last": "x "}.get(table, "")
        text = " ".join(["x"] * 3 * int(name)) if table == "lengths" else before + word
        assert name in features(text.replace(NUMBER, "7"), topic)[table]


# ── what becomes of it ──


def kinds(step: str, text: str) -> list[str]:
    return [claim.kind for claim in read(request(step, text)).claims]


def test_a_line_that_no_rule_knows_is_a_requirement_by_its_words() -> None:
    assert kinds("01-03", LIKELY) == ["requirement", "fact"]
    assert kinds("04-02", "Every override is logged with who, why and until when.") == [
        "requirement",
        "interface",
    ]


def test_a_check_and_what_is_left_out_are_told_by_their_words() -> None:
    assert kinds("01-06", "I'd scan one twice and see whether the second says no") == ["check"]
    assert kinds("01-06", "we won't do the app for guests, that's next year") == ["exclusion"]


def test_a_line_of_two_words_is_no_requirement_whatever_they_are() -> None:
    assert kinds("01-03", "may pay") == ["fact"]


def test_how_it_is_today_is_no_requirement_whatever_its_words_are() -> None:
    said = "the page shows who signed it and when"
    assert (kinds("01-03", said), kinds("01-03", f"currently {said}")) == (
        ["requirement", "fact"],
        ["fact"],
    )


def test_what_answers_a_numbered_question_is_what_was_asked_for() -> None:
    claims = told("01-03", f"1. {LIKELY}\n2. When it is red.")
    assert [(claim.kind, claim.data["question"]) for claim in claims] == [
        ("fact", "1"),
        ("fact", "2"),
    ]
