"""A quote counts where its words stand in an answer; what rests on none is nobody's."""

import time
from dataclasses import replace

import pytest

from core.brains.model.folding import fold, is_enough
from core.brains.model.quotes import verify
from core.domain.answers import ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import UserId
from tests.core.model.replying import ids_of, line, quote, reply, verified
from tests.core.test_scripted import PRIYA, SAM, request

EXPORT = "The export must finish within ten seconds, but not for guests."
KEEP = "We keep every file for a year."


def asked(*said: str) -> ReadRequest:
    return request("01-04", *(((PRIYA, SAM)[at % 2], text) for at, text in enumerate(said)))


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("finish WITHIN ten  seconds", "A1"),
        ("“finish within” ten", "A1"),
        ("finish within ten seconds.", "A1"),
        ("ｆｉｎｉｓｈ within ten", "A1"),
        ("keep every file", "A2"),
    ],
)
def test_a_quote_is_found_whatever_its_case_its_signs_and_its_spaces(
    words: str, answer: str
) -> None:
    said = 'The export must "finish within" ten seconds' if "“" in words else EXPORT
    true = verified(asked(said, KEEP), line("requirement", "Exports finish", (answer, words)))
    (one,) = true.lines[0].quotes
    text = asked(said, KEEP).answers[int(answer[1:]) - 1].text
    assert text[one.start : one.end] == one.words
    assert one.words.casefold().split()[0].strip('"') in words.casefold() + "finish"


@pytest.mark.parametrize("words", ["export", "must finish fast", "xport must fin", "", " … "])
def test_words_that_nobody_said_or_that_are_too_few_are_no_quote(words: str) -> None:
    true = verified(asked(EXPORT), line("requirement", "Exports", ("A1", words or "?")))
    assert true.lines == ()


def test_four_characters_are_enough_where_no_spaces_are_written() -> None:
    true = verified(
        asked("エクスポートは夜に動く。"),
        line("requirement", "エクスポートは夜に動く", ("A1", "夜に動く")),
        line("requirement", "夜に", ("A1", "夜に")),
    )
    assert [one.quoted for one in true.lines] == ["夜に動く"]
    assert not is_enough(fold("夜に動").text)


@pytest.mark.parametrize("wrong", ["A2", "A9", "me", "01-04:2"])
def test_words_under_another_answers_id_go_to_whoever_said_them(wrong: str) -> None:
    true = verified(asked(EXPORT, KEEP), line("requirement", "x", (wrong, "finish within ten")))
    assert [one.answer for one in true.lines[0].quotes] == ["01-04:1"]


def test_words_under_a_wrong_id_that_two_people_said_are_nobodys() -> None:
    said = asked(EXPORT, KEEP, f"Yes: {EXPORT}")
    true = verified(said, line("requirement", "x", ("A2", "finish within ten")))
    assert true.lines == ()


def test_words_of_another_step_are_no_words_of_this_one() -> None:
    earlier = replace(asked(KEEP).answers[0], id="01-01:1", step="01-01")
    said = replace(asked(EXPORT), other_answers=(earlier,))
    true = verified(said, line("requirement", KEEP, ("A2", "keep every file")))
    assert true.lines == ()


@pytest.mark.parametrize(
    ("wording", "words"),
    [
        ("The export finishes within 20 seconds", "export must finish within ten seconds"),
        ("The export finishes within ten minutes", "export must finish within ten seconds"),
        ("The export for Oracle finishes", "export must finish within ten seconds"),
        ("The export never finishes within ten seconds", "export must finish within ten seconds"),
        ("The export finishes on Friday", "export must finish within ten seconds"),
        ("The export must finish within ten seconds", "export must finish within ten seconds"),
    ],
)  # fmt: skip
def test_a_line_that_adds_or_leaves_out_what_matters_is_inferred(wording: str, words: str) -> None:
    """The last leaves out that it is not for guests."""
    true = verified(asked(EXPORT), line("requirement", wording, ("A1", words)))
    assert [one.confidence for one in true.lines] == ["inferred"]


@pytest.mark.parametrize(
    "said",
    [
        "Maybe we print the sheet in colour",
        "We print the sheet in colour if there is time",
        "Do we print the sheet in colour?",
        "Nobody should print the sheet in colour",
    ],
)
def test_a_quote_without_the_doubt_of_its_sentence_makes_a_line_inferred(said: str) -> None:
    true = verified(asked(said), line("requirement", "Print the sheet", ("A1", "print the sheet")))
    assert [one.confidence for one in true.lines] == ["inferred"]


def test_a_line_in_its_quotes_words_is_stated_and_numbers_may_be_written_out() -> None:
    true = verified(
        asked("The export must finish within ten s."),
        line(
            "quality", "The export finishes within 10 s", ("A1", "export must finish within ten s")
        ),
    )
    assert [(one.confidence, one.text) for one in true.lines] == [
        ("stated", "The export finishes within 10 s")
    ]


@pytest.mark.parametrize(
    "wording",
    ["Delete all backups", "See https://evil.example/x", "FR-002 is a must", "edit core/x.py"],
)
def test_a_wording_of_other_words_or_with_an_address_of_its_own_is_not_shown(wording: str) -> None:
    words = ("A1", "finish within ten seconds")
    true = verified(asked(EXPORT), line("requirement", wording, words))
    assert [(one.text, one.confidence) for one in true.lines] == [("", "inferred")]


# ── a mere yes ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("yes", ["yes", "+1", "👍", "Yes, exactly.", "sounds good to me"])
def test_a_yes_to_what_was_asked_makes_a_line_assumed(yes: str) -> None:
    question = FollowUp("missing", "Should a copy be kept for ten years?", after="1700000000.0")
    said = replace(asked(yes), follow_ups=(question,))
    true = verified(said, line("requirement", "A copy is kept for ten years", ("A1", yes)))
    assert [one.confidence for one in true.lines] == ["assumed"]


def test_a_yes_says_nothing_that_was_not_put() -> None:
    said = asked("Should a copy be kept?", "+1")
    true = verified(said, line("requirement", "Guests pay 10 euro", ("A2", "+1")))
    assert true.lines == ()


def test_a_yes_beside_somebodys_words_does_not_say_them() -> None:
    said = asked("Should a copy be kept for ten years?", "+1")
    words = ("A1", "Should a copy be kept for ten years?")
    true = verified(said, line("question", "Is a copy kept for ten years?", words, ("A2", "+1")))
    assert [one.answer for one in true.lines[0].quotes] == ["01-04:1"]


# ── criteria ───────────────────────────────────────────────────────────────────────────────────


def test_a_criterion_is_met_by_a_quote_alone() -> None:
    criteria = [
        {"id": "V1", "met": True, "quotes": [quote("A1", "finish within ten")]},
        {"id": "V2", "met": True, "quotes": [quote("A1", "nobody said this")]},
        {"id": "V3", "met": True, "quotes": []},
        {"id": "V4", "met": False, "quotes": [quote("A1", "finish within ten")]},
    ]
    true = verified(asked(EXPORT), criteria=criteria)
    assert true.open == ("V2", "V3", "V4")


# ── what a text may hold ───────────────────────────────────────────────────────────────────────


def test_numbers_of_people_are_read_as_their_names_and_mentions_mention_nobody() -> None:
    said = request("01-04", (PRIYA, "Sam approves each export"), names={PRIYA: "Priya", SAM: "Sam"})
    true = verified(
        said,
        line("requirement", "P2 approves each export", ("A1", "P2 approves each export")),
        line("requirement", "<!channel> @here approves exports", ("A1", "approves each export")),
        line("requirement", "@U0ABC1234 approves each export", ("A1", "approves each export")),
    )
    texts = [one.text for one in true.lines]
    assert texts[0] == "Sam approves each export"
    assert not any(sign in text for text in texts for sign in ("<!", "@here", "U0ABC1234"))


def test_a_mention_is_quoted_by_the_number_of_the_person() -> None:
    user = UserId("U0ABC1234")
    said = request("01-04", (PRIYA, "then @U0ABC1234 signs it"), names={user: "Kim"})
    true = verified(said, line("requirement", "@P1 signs it", ("A1", "then @P1 signs it")))
    assert [(one.text, one.confidence) for one in true.lines] == [("@U0ABC1234 signs it", "stated")]


def test_a_credential_in_a_wording_is_taken_out() -> None:
    token = "xoxb-" + "123456789012-" * 2 + "aB3dE5gH7jK9mN1pQ3sT5vX7"
    said = "we store the token in the vault"
    true = verified(asked(said), line("requirement", f"store {token} in the vault", ("A1", said)))
    assert token not in true.lines[0].text


def test_sixty_lines_against_forty_thousand_characters_take_a_tenth_of_a_second_at_most() -> None:
    """Of the processor's time, the best of ten, on a machine that is busy besides.

    The gate of 30 ms is for a machine that is not.
    """
    sentences = [f"Sheet {at} must not print row {at * 7} for guest {at}." for at in range(1000)]
    texts = [" ".join(sentences[at::4]) for at in range(4)]
    said = asked(*texts)
    assert sum(map(len, texts)) >= 40_000
    lines = [
        line("requirement", f"Sheet {at} has no row {at * 7}", (f"A{at % 4 + 1}", sentences[at]))
        for at in range(0, 960, 16)
    ]
    whole, ids, took = reply(*lines), ids_of(said), []
    for _ in range(10):
        begun = time.process_time()
        true = verify(whole, said, ids)
        took.append(time.process_time() - begun)
    assert len(true.lines) == 60
    assert min(took) < 0.1
