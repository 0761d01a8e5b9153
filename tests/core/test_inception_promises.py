"""Whatever people write in an inception: nothing is lost or invented, and every file is valid."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.artifacts.compose.inception.context import DiscoveryContext
from core.artifacts.compose.layouts import sections
from core.brains.script.reading import read
from core.brains.script.topics import LABELS, topic_of
from core.domain.answers import ClaimKind, Draft, ReadRequest
from core.domain.ids import UserId
from tests.core.test_artifacts_bad_input import KINDS
from tests.core.test_compose import HOSTILE, assert_valid
from tests.core.test_scripted import PRIYA, SAM, refs
from tests.core.test_scripted_promises import everything_in, tokens
from tests.support.artifact_checker_formats import against, outside_code
from tests.support.artifact_checker_inception import check
from tests.support.artifact_checker_words import plain, visible, words_of
from tests.support.composing import compose
from tests.support.follow_ups import asked_before, passed, question_of
from tests.support.inception import FILES, ROOT, SLUG, STEPS, TITLE, asked, whole

SCHEMA = json.loads((ROOT / "docs" / "schemas" / "discovery-context.schema.json").read_text())
# What each key may hold; those of the first row hold words of ours or names of lines.
OURS = {"differs", "topic", "choice", "status", "question", "conflicts"}
THEIRS = {
    *("role", "what", "area", "option", "reason", "entity", "fields", "from", "to", "period"),
    *("level", "covers", "skill", "length", "file", "likelihood", "impact", "mitigation"),
}
TOPICS = {"law", "out-of-scope", "constraint", "open-question", "constitution", "architecture"}
VALUES = {
    "topic": TOPICS,
    "choice": {"chosen", "rejected", "weighed"},
    "status": {"has", "gap", "said"},
    "question": {"1", "2", "3"},
}
SAID = (
    *(
        "Users: ",
        "Users:\n- ",
        "Purpose: ",
        "Success:\n",
        "Out of scope: ",
        "Risk: ",
        "Reason: x. ",
    ),
    *("Database: Postgres, because we run it. ", "We use Go instead of Java. ", "Alternative: x. "),
    *("The queue is Redis. ", "Price: more to run. ", "We decided against it. "),
    *("Front: takes orders. ", "A -> B: mail", "Option A: one. ", "We keep one clock. "),
    *("Order: id, total", "Order (id, total)", "A buyer has many orders. ", "Kept for 10 years. "),
    *("Unit: the prices. ", "Load is not tested. ", "Gap: the printer. "),
    *("Never guess. ", "Because guesses stay. ", "Every change is read by two. "),
    *("Two of us know Postgres. ", "Nobody knows Rust. ", "Missing:\n- Rust\n", "Fields: a, b\n"),
    *("All articles hold. ", "Only ops may release. ", "Two weeks. ", "Next steps:\n- Sam looks\n"),
    *(
        "1. ",
        "2) ",
        "Q3: ",
        "- ",
        "\n",
        "\n\n",
        ". ",
        "?",
        "none",
        "I don't know",
        "```\nx: 1\n```",
    ),
    *("| Area | Choice |\n|---|---|\n| Cache | none |\n", "https://example.com/a", "5 s", "not"),
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.one_of(st.sampled_from(SAID), st.text(max_size=9)), max_size=8).map("".join),
    st.lists(st.sampled_from(SAID), max_size=12).map(" ".join),
)
STEP = st.sampled_from(list(STEPS))
ASKED = st.builds(
    lambda step, texts: asked(step, *((SAM if n % 2 else PRIYA, text) for n, text in texts)),
    STEP,
    st.lists(TEXTS, max_size=4).map(lambda texts: list(enumerate(texts))),
)


def without_signs(made: ReadRequest, text: str) -> str:
    """An answer without what the claims keep by their kind: labels, and numbers of lists."""
    labels, kept = LABELS[topic_of(made)], []
    for line in re.split(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", text):
        bare = re.sub(r"^[\s*+•‣◦▪●–—-]*(?:\(?[0-9]{1,3}[.)]\s+)*", "", line)
        bare = re.sub(r"(?i)^q[0-9]{1,2}[.):\s]+", "", bare)
        if not labels.heading_of(bare.strip()):
            kept.append(labels.label_of(bare)[1])
    return "\n".join(kept)


@given(ASKED)
def test_every_word_and_number_of_an_answer_stands_in_a_claim(made: ReadRequest) -> None:
    flat = "".join(tokens(everything_in(read(made).claims)))
    labels = LABELS[topic_of(made)]
    for answer in made.answers:
        for sentence in re.split(r"(?<=[.!?])\s+", without_signs(made, answer.text)):
            for token in tokens(labels.label_of(sentence)[1]):
                numbers = token.isdigit() or re.fullmatch("q[0-9]{1,2}", token)  # of questions
                if len(token) > (3 if numbers else 1):
                    assert token in flat


@given(ASKED)
def test_no_word_of_a_claim_is_the_brains_own(made: ReadRequest) -> None:
    said = {answer.id: answer.text for answer in made.answers}
    for claim in read(made).claims:
        assert claim.sources
        words = set(tokens("\n".join(said[source] for source in claim.sources)))
        assert set(tokens(claim.text)) <= words, claim
        for key, value in claim.data.items():
            asked_by_the_step = claim.kind == "question" and key == "what"
            if key in THEIRS and not asked_by_the_step:
                assert set(tokens(value)) <= words, claim


@given(ASKED)
def test_a_draft_is_valid_and_the_same_each_time(made: ReadRequest) -> None:
    draft = read(made)
    assert draft == read(made)
    assert read(replace(made, previous=draft.claims)).claims == draft.claims
    assert len(draft.recorded.splitlines()) == 1
    assert len({claim.id for claim in draft.claims}) == len(draft.claims)
    assert len(refs(draft)) == len(set(refs(draft)))
    known = {claim.id for claim in draft.claims}
    for claim in draft.claims:
        assert claim.kind in get_args(ClaimKind)
        assert set(claim.data) <= OURS | THEIRS
        assert all(claim.data.get(key, min(one)) in one for key, one in VALUES.items()), claim
        assert set(claim.data.get("conflicts", claim.id).split(", ")) <= known


@given(ASKED)
def test_at_most_one_question_of_one_line_is_asked_and_never_again(made: ReadRequest) -> None:
    first = question_of(read(made))
    if first is not None:
        assert len(first.splitlines()) == 1
        assert question_of(read(replace(made, follow_ups=asked_before(first)))) != first
        assert question_of(read(replace(made, follow_ups=passed(first)))) != first


def test_nothing_of_a_long_answer_takes_long() -> None:
    long = (
        "the order has many items and we use go instead of java if it is kept for ten years " * 600
    )
    for step in STEPS:
        draft: Draft = read(asked(step, long, "every " * 900, "a -> " * 900))
        assert 3 <= len(draft.claims) <= 4


# ── files ──────────────────────────────────────────────────────────────────────────────────────


def everywhere(texts: list[str]) -> dict[str, list[str]]:
    return dict.fromkeys(STEPS, texts)


@pytest.mark.parametrize("kind", KINDS)
def test_the_artifacts_stay_valid_and_invent_nothing(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / SLUG
    folder.mkdir()
    files, _ = whole(everywhere(KINDS[kind]))
    for file, text in files.items():
        (folder / file).write_text(text)
    assert check(folder, KINDS[kind], TITLE) == []


def shown_in(file: str, text: str) -> str:
    """What a reader of a file sees, be it a page or data."""
    if file.endswith(".md"):
        return re.sub(r"\\(.)", r"\1", visible(text))
    return " ".join(strings(json.loads(text)))


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_was_said_is_lost(kind: str) -> None:
    files, claims = whole(everywhere(KINDS[kind]))
    for step, found in STEPS.items():
        shown = words_of(plain(" ".join(shown_in(file, files[file]) for file in found.outputs)))
        for claim in claims:
            if claim.step == step:
                assert not words_of(claim.text) - shown, (claim.step, claim.text)


@settings(max_examples=25)
@given(st.lists(st.one_of(TEXTS, HOSTILE), min_size=1, max_size=2), HOSTILE)
def test_no_text_breaks_a_mark_a_table_or_the_schema(texts: list[str], title: str) -> None:
    files, _ = whole(everywhere(texts))
    for file, text in files.items():
        if file.endswith(".md"):
            marks = re.findall(r"<!-- (/?)roundtable:section [\w-]+ -->", text)
            assert marks == ["", "/"] * (len(marks) // 2)
            bare = re.sub(r"<!-- /?roundtable:section [\w-]+ -->", "", outside_code(text))
            assert "<!--" not in bare
        else:
            assert against(SCHEMA, json.loads(text)) == []
            DiscoveryContext.model_validate_json(text, strict=True)
    assert whole(everywhere(texts))[0] == files


@given(STEP, st.lists(st.one_of(TEXTS, HOSTILE), max_size=3), HOSTILE, HOSTILE, HOSTILE)
def test_any_text_leaves_every_file_valid_and_composing_again_changes_nothing(
    step: str, texts: list[str], name: str, title: str, old: str
) -> None:
    made = replace(asked(step, *texts), names={UserId("U1"): name})
    parts = sections(made, read(made))
    for file in STEPS[step].outputs:
        for existing in (None, old):
            text = compose(file, title, SLUG, parts, existing)
            assert compose(file, title, SLUG, parts, text) == text
        assert_valid(file, compose(file, title, SLUG, parts, None))


def test_every_file_is_written_by_a_step() -> None:
    assert set(whole({})[0]) == set(FILES)
