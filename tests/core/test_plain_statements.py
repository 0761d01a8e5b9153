"""What is asked for in plain words: in the present tense, as a fragment, in another language."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import ReadRequest
from tests.core.listed_lines import listed_lines
from tests.core.test_scripted import request

LINES = "plain_statements"
ASKED_FOR = {"requirement", "quality"}
MISSED_MAX = 0.07  # of the lines that say what shall be
MISTAKEN_MAX = 0.12  # of the others
FRAGMENTS = ("big clock", "horn", "ticket in both languages")


APART = "short_statements_apart"  # no weight was fitted to its lines
MISSED_APART_MAX = 0.13
MISTAKEN_APART_MAX = 0.2


def kinds(asked: ReadRequest) -> list[str]:
    return [claim.kind for claim in read(asked).claims]


def is_asked_for(step: str, line: str) -> bool:
    return bool(ASKED_FOR & set(kinds(request(step, line))))


def test_most_of_what_shall_be_is_asked_for_in_plain_words_too() -> None:
    shall_be = listed_lines(LINES, "asked_for")
    missed = [line for step, line in shall_be if not is_asked_for(step, line)]
    assert len(missed) <= MISSED_MAX * len(shall_be), missed


def test_how_it_is_and_what_people_think_of_it_mostly_asks_for_nothing() -> None:
    remarks = listed_lines(LINES, "none")
    mistaken = [line for step, line in remarks if is_asked_for(step, line)]
    assert len(mistaken) <= MISTAKEN_MAX * len(remarks), mistaken


def test_most_short_lines_that_no_weight_knows_are_read_as_what_they_say() -> None:
    asked_for, others = listed_lines(APART, "asked_for"), listed_lines(APART, "none")
    missed = [line for step, line in asked_for if not is_asked_for(step, line)]
    mistaken = [line for step, line in others if is_asked_for(step, line)]
    assert len(missed) <= MISSED_APART_MAX * len(asked_for), missed
    assert len(mistaken) <= MISTAKEN_APART_MAX * len(others), mistaken


def test_lines_of_a_list_need_no_signs_before_them() -> None:
    assert kinds(request("01-06", "\n".join(FRAGMENTS)))[0] == "requirement"
    assert kinds(request("01-06", FRAGMENTS[0])) == ["note"]


def test_a_row_of_a_table_of_failures_is_one() -> None:
    table = "| fails | one sees | who mends it |\n|---|---|---|\n| clock wrong | nothing | desk |"
    assert kinds(request("04-04", table)) == ["fact", "error"]


@pytest.mark.parametrize(
    "said",
    [
        "and what do we tell the skipper then",
        "if it is one euro, do we really send a bill",
        "Wie oft fällt das aus, das wüsste ich gern.",
    ],
)
def test_a_question_is_one_without_its_mark(said: str) -> None:
    assert kinds(request("03-03", said)) == ["question"]


def test_what_is_shown_when_nobody_knows_is_no_open_question() -> None:
    assert "question" not in kinds(request("04-04", "never show green if we don't know"))


def test_a_unit_ends_a_sentence() -> None:
    draft = read(request("01-05", "Label printed in < 300 ms. Hmm, and the big one?"))
    assert [claim.text for claim in draft.claims] == [
        "Label printed in < 300 ms.",
        "Hmm, and the big one?",
    ]


@pytest.mark.parametrize("step", ["01-04", "01-06", "02-02", "04-01"])
@pytest.mark.parametrize("head", ["exists:", "new:", "what we have:", "unchanged:"])
def test_a_mere_head_over_a_list_is_an_aside_and_nobody_is_quoted_with_it(
    head: str, step: str
) -> None:
    draft = read(request(step, f"{head}\n- the till prints a receipt"))
    assert [claim.kind for claim in draft.claims if claim.text == head] == ["note"]
    assert head not in draft.recorded


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("02-02", "in the shed."),
        ("03-03", "that's the ferry sorted."),
        ("03-03", "I would never (I would)"),
        ("04-01", "Four pieces, I think:"),
        ("04-01", "It's a kind of weighing."),
        ("04-01", "fine by me."),
        ("04-02", "some write a whole book"),
        ("04-03", "36, right."),
        ("04-03", "mine"),
        ("04-04", "so, me"),
    ],
)
def test_a_remark_where_parts_are_asked_for_names_none(step: str, said: str) -> None:
    assert {claim.kind for claim in read(request(step, said)).claims} <= {"fact", "note"}


@pytest.mark.parametrize(
    ("step", "said", "kind"),
    [
        ("02-02", "the button on the weighing page", "entry-point"),
        ("03-03", "The bank sends us a file at noon", "interface"),
        ("04-01", "`scale` weighs and tells nobody", "module"),
        ("04-01", "Ledger: what is owed", "module"),
        ("04-02", "rely on: the order of the lines", "interface"),
        ("04-03", "if the two disagree it's the scale's", "data"),
        ("04-03", "weighings go after 40 days", "data"),
        ("04-03", "It is open, weighed, paid or void.", "data"),
        ("04-03", "a crate is empty, then full, then sealed", "data"),
        ("04-04", "an empty crate is refused", "error"),
        ("04-04", "it can weigh once more by itself, 10 or so", "error"),
        ("04-04", "- the scale, when it rains", "error"),
    ],
)
def test_what_does_something_has_a_name_or_a_condition_is_a_part(
    step: str, said: str, kind: str
) -> None:
    assert kind in {claim.kind for claim in read(request(step, said)).claims}


def test_each_of_several_that_send_something_has_an_edge_of_its_own() -> None:
    said = (
        "The scale sends us a slip, the gate says who came, and the till sends the sum to the bank"
    )
    edges = (claim for claim in read(request("03-03", said)).claims if claim.kind == "interface")
    senders = [claim.data.get("from") for claim in edges]
    assert senders == ["the till"]
    both = "The scale sends the weight to the till, and the till sends the sum to the bank"
    edges = (claim for claim in read(request("04-03", both)).claims if claim.kind != "requirement")
    ends = [(claim.data["from"], claim.data["to"]) for claim in edges]
    assert ends == [("The scale", "the till"), ("the till", "the bank")]
    one, *_ = (
        claim
        for claim in read(
            request("04-03", "The scale sends the weight, the day and a photo to the till")
        ).claims
        if claim.kind != "requirement"
    )
    assert one.data["what"] == "the weight, the day and a photo"
    daily = read(request("03-03", "we send the sums to Kassa at 9 every morning")).claims
    assert [claim.data["to"] for claim in daily if claim.kind == "interface"] == ["Kassa"]


def test_failures_between_semicolons_are_one_each() -> None:
    said = (
        "The scale is wet, it shows dashes; the bank is away, slips wait in the drawer; "
        "the till and the gate mend themselves"
    )
    errors = [claim for claim in read(request("04-04", said)).claims if claim.kind == "error"]
    assert [claim.data["condition"] for claim in errors] == [
        "The scale is wet",
        "the bank is away",
        "the till and the gate",
    ]
    (plain,) = [c for c in read(request("04-04", "The scale is wet; nobody cares")).claims
                if c.kind != "requirement"]  # fmt: skip
    assert "condition" not in plain.data


def test_a_head_that_names_a_part_is_a_part() -> None:
    draft = read(request("04-01", "Till:\n- prints a receipt"))
    assert ("module", "Till:") in [(claim.kind, claim.text) for claim in draft.claims]


@pytest.mark.parametrize("word", ["corr.", "dept.", "qty.", "avg."])
def test_a_shortened_word_ends_no_sentence(word: str) -> None:
    said = f"{word} March is booked in April"
    assert [claim.text for claim in read(request("01-06", said)).claims] == [said]
