"""Lines that no rule knows, and whose words stand in requirements far more often than elsewhere."""

from itertools import chain

import pytest

from core.brains import lexicon
from core.brains.script.reading import read
from core.brains.script.topics import TOPICS
from core.brains.script.weights import (
    NUMBER,
    SCORE_MIN,
    WORDS_MAX,
    features_of,
    score_of,
    speaks_for_requirement,
)
from tests.core.test_scripted import request
from tests.core.test_scripted_forms import told

LIKELY = "and at red I want to say why with 3 words or a photo."
TABLES = ("words", "pairs", "first", "topics", "lengths")


def features(text: str, topic: str = "journey") -> dict[str, list[str]]:
    every = list(features_of(text, topic))
    return {table: [name for of, name in every if of == table] for table in TABLES}


def test_a_line_is_counted_by_its_words_pairs_first_word_topic_and_length() -> None:
    assert features("Crew don’t SEE it, crew see 2 or 14") == {
        "words": ["crew", "don't", "see", "it", NUMBER, "or"],
        "pairs": ["crew don't", "don't see", "see it", "it crew", "crew see", "see #", "# or",
                  "or #"],
        "first": ["crew"],
        "topics": ["journey"],
        "lengths": ["3"],
    }  # fmt: skip


def test_of_an_overlong_line_only_the_first_words_count() -> None:
    long = features(" ".join(f"{chr(97 + n % 26)}{'x' * n}" for n in range(WORDS_MAX * 2)))
    assert len(long["words"]) == WORDS_MAX
    assert score_of("", "journey") == score_of("…", "journey")


def test_a_line_in_words_of_requirements_has_the_higher_score() -> None:
    wanted = score_of("the page shows who signed it and when", "journey")
    history = score_of("we looked at it last spring btw", "journey")
    assert wanted > SCORE_MIN > 0 > history
    assert speaks_for_requirement("the page shows who signed it and when", "journey")
    assert not speaks_for_requirement("we looked at it last spring btw", "journey")


def test_the_file_has_two_counts_for_each_feature_none_above_the_number_of_lines() -> None:
    rows = lexicon.table("weights")
    wanted, others = rows["lines"]
    assert set(rows) == {"lines", *TABLES}
    assert set(rows["topics"]) <= set(TOPICS)
    for yes, no in chain.from_iterable(rows[table].values() for table in TABLES):
        assert 0 <= yes <= wanted
        assert 0 <= no <= others


@pytest.mark.parametrize("table", TABLES)
def test_every_name_of_the_file_is_one_that_a_line_can_have(table: str) -> None:
    for name in lexicon.table("weights")[table]:
        topic = name if table == "topics" else "journey"
        text = " ".join(["x"] * 3 * int(name)) if table == "lengths" else name
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


def test_a_line_of_a_few_words_is_none_whatever_they_are() -> None:
    assert speaks_for_requirement("page stays open", "journey")
    assert kinds("01-03", "page stays open") == ["fact"]


def test_what_answers_a_numbered_question_is_what_was_asked_for() -> None:
    claims = told("01-03", f"1. {LIKELY}\n2. When it is red.")
    assert [(claim.kind, claim.data["question"]) for claim in claims] == [
        ("fact", "1"),
        ("fact", "2"),
    ]
