"""Which entry of a play's `when_asked` answers a follow-up that nobody could foresee."""

from bot.devtools.play.script.when_asked import RepliesWhenAsked, TapsWhenAsked, WhenAsked, fitting
from core.domain.answers import LineRef
from core.domain.follow_ups import FollowUp, FollowUpKind
from core.domain.ids import AnswerId

HOLD = RepliesWhenAsked("held ten minutes", "check", "dev", "Two phones.")
MOVE = RepliesWhenAsked("moves without a password", "check", "pm", "My own link.")
UNIT = RepliesWhenAsked("button adds five", "unit", "pm", "minutes")
SIDE = TapsWhenAsked("TheraBook or the SMS wins", "difference", "dev", "first")
LATER = TapsWhenAsked("anything", "number", "dev", "unknown")


def about(kind: FollowUpKind, *quotes: str, question: str = "How?") -> FollowUp:
    lines = [LineRef(AnswerId("a"), quote) for quote in quotes]
    line, other = (*lines, None, None)[:2]
    return FollowUp(kind, question, line, other)


def chosen(asked: FollowUp, *entries: WhenAsked) -> WhenAsked | None:
    return fitting(asked, entries)


def test_the_entry_of_its_kind_whose_words_fit_best_answers() -> None:
    moving = about("check", "A patient can move an appointment without a password.")
    assert chosen(moving, HOLD, MOVE, UNIT) == MOVE
    assert chosen(about("check", question="FR-2 is held: how?"), MOVE, HOLD) == HOLD


def test_the_second_line_of_a_difference_counts_too() -> None:
    other = TapsWhenAsked("medium or large", "difference", "pm", "second")
    assert chosen(about("difference", "it is busy", "the SMS wins"), other, SIDE) == SIDE


def test_without_fitting_words_the_first_one_of_its_kind_answers() -> None:
    assert chosen(about("check", "Nobody sees WHY somebody is here."), UNIT, MOVE, HOLD) == MOVE


def test_an_entry_of_another_kind_is_no_answer() -> None:
    assert chosen(about("check", "a button that adds five, once"), UNIT, LATER) is None
    assert chosen(about("unit", "the slot is held"), HOLD) is None


def test_a_unit_and_a_number_answer_each_other_where_their_words_fit() -> None:
    assert chosen(about("number", "a button that adds five, once"), UNIT) == UNIT
    assert chosen(about("number", "it should be fast"), UNIT) is None


def test_a_follow_up_of_a_kind_that_plays_do_not_know_needs_a_reply_that_fits() -> None:
    ranked = about("priority", question="Where does the button that adds five stand?")
    assert chosen(ranked, HOLD, UNIT) == UNIT
    assert chosen(about("missing", question="Who would notice?"), HOLD, UNIT) is None


def test_a_side_can_be_tapped_of_a_difference_only() -> None:
    wrong = TapsWhenAsked("held ten minutes", "check", "dev", "both")
    assert chosen(about("check", "held ten minutes"), wrong) is None
    assert chosen(about("number", "it should be fast"), LATER) == LATER
