"""Which line a check is most likely of, by its words and its place."""

from core.brains.bookkeeping.references.check_odds import Spoken, forms_of, likeliest

LAMP = Spoken("Every shelf gets a lamp that blinks", "01-06", "priya", 0)
GATE = Spoken("The gate shuts at nine", "01-06", "priya", 1)
LOAN = Spoken("A card holds at most 30 loans", "01-05", "sam", 2)
LINES = {"FR-001": LAMP, "FR-002": GATE, "FR-003": LOAN}


def forms(check: Spoken, name: str) -> dict[str, float]:
    return dict(forms_of(check, LINES)[name])


def test_a_check_is_of_the_line_with_its_words_before_the_one_right_before_it() -> None:
    check = Spoken("I pull the plug of a shelf, its lamp blinks no more", "01-06", "sam", 3)
    assert likeliest(check, LINES) is not None
    assert likeliest(check, LINES)[0] == "FR-001"  # type: ignore[index]


def test_without_a_word_in_common_the_line_right_before_it_is_the_likeliest() -> None:
    text = "The gate shuts at nine. I stand there with my watch."
    gate = Spoken("The gate shuts at nine", "01-06", "priya", 1, before="")
    check = Spoken("I stand there with my watch", "01-06", "priya", 1, text.partition("I stand")[0])
    name, chance = likeliest(check, {"FR-001": LAMP, "FR-002": gate}) or ("", 0.0)
    assert (name, chance > 0.5) == ("FR-002", True)
    _, other_step = likeliest(Spoken("I stand there", "02-01", "sam", 9), LINES) or ("", 1.0)
    assert other_step < 0.1


def test_what_is_said_later_is_not_checked_and_where_nothing_was_said_nothing_is() -> None:
    early = Spoken("I look whether the gate shuts at nine", "01-06", "sam", 0)
    assert likeliest(early, {"FR-002": GATE}) is None
    assert likeliest(early, {}) is None


def test_rare_words_weigh_more_than_those_that_many_lines_have() -> None:
    lines = {str(n): Spoken(f"a card for {word}", "01-06", "sam", n)
             for n, word in enumerate(("loans", "keys", "bikes"))}  # fmt: skip
    check = Spoken("take a card and look at the bikes", "01-06", "sam", 5)
    shares = {name: dict(rows).get("shares", 0.0) for name, rows in forms_of(check, lines).items()}
    assert shares["2"] > 2 * shares["0"] > 0


def test_a_number_in_words_is_the_one_in_figures() -> None:
    check = Spoken("I put thirty on one card", "01-06", "sam", 3)
    assert forms(check, "FR-003")["number"] == 1
    assert "number" not in forms(check, "FR-001")
