"""How a line is sorted by a person stands above every reading of it."""

from dataclasses import replace

from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, LineRef, ReadRequest
from core.domain.ids import StepId, UserId
from core.domain.lines import Correction, Sort, in_force, is_lapsed, line_of, lines_mark
from tests.core.test_scripted import PRIYA, SAM, answer, request

FEATURES = (
    "- the front desk can hold a slot for ten minutes\n"
    "- the caller gets a text when the slot is free\n"
    "- we tried stickers once"
)
STEP = StepId("01-06")


def line(number: int, quote: str, step: str = STEP) -> LineRef:
    return LineRef(answer(step, number, "").id, quote)


HOLD = line(1, "the front desk can hold a slot for ten minutes")
TEXT = line(1, "the caller gets a text when the slot is free")
STICKERS = line(1, "we tried stickers once")


def tap(
    quote: LineRef, sort: Sort, of: LineRef | None = None, at: float = 1.0, by: UserId = SAM
) -> Correction:
    return Correction(STEP, quote, sort, by, at, of)


def asked(*corrections: Correction, said: str = FEATURES) -> ReadRequest:
    return request(STEP, said, corrections=corrections)


def again(before: Draft, *corrections: Correction, said: str = FEATURES) -> Draft:
    return read(replace(asked(*corrections, said=said), previous=before.claims))


def named(draft: Draft) -> dict[str, str]:
    return {claim.text: f"{claim.kind} {claim.ref or ''}".strip() for claim in draft.claims}


def claim(draft: Draft, ref: LineRef) -> Claim:
    return next(one for one in draft.claims if one.text == ref.quote)


def test_a_requirement_made_an_aside_loses_its_name_and_nobody_else_takes_it() -> None:
    before = read(asked(said=FEATURES.replace("- we tried stickers once", "")))
    assert named(before)[HOLD.quote] == "requirement FR-001"
    after = again(before, tap(HOLD, "note"), said=f"{FEATURES}\n- the office can move a slot")
    assert named(after)[HOLD.quote] == "note"
    assert named(after)[TEXT.quote] == "requirement FR-002"
    assert "FR-001" not in {one.ref for one in after.claims}
    assert claim(after, HOLD).data["sorted_by"] == SAM


def test_an_aside_made_a_requirement_gets_the_next_name() -> None:
    before = read(asked(tap(STICKERS, "note")))
    after = again(before, tap(STICKERS, "note"), tap(STICKERS, "requirement"))
    names = {one.ref for one in after.claims if one.kind == "requirement"}
    assert claim(after, STICKERS).kind == "requirement"
    assert claim(after, STICKERS).ref in names
    assert len(names) == 3


def test_choosing_the_former_sort_again_undoes_it_with_the_name_it_had() -> None:
    before = read(asked())
    away = again(before, tap(HOLD, "note"))
    back = again(away, tap(HOLD, "note"), tap(HOLD, "requirement", at=2.0))
    assert claim(back, HOLD) == claim(before, HOLD)


def test_the_later_of_two_corrections_of_a_line_wins() -> None:
    every = (tap(HOLD, "note"), tap(HOLD, "risk", at=2.0))
    assert in_force(every) == every[1:]
    assert claim(read(asked(*every)), HOLD).kind == "risk"


def test_a_check_says_of_which_line() -> None:
    draft = read(asked(tap(TEXT, "check", HOLD)))
    assert claim(draft, TEXT).kind == "check"
    assert claim(draft, TEXT).data["of"] == claim(draft, HOLD).ref


def test_a_line_that_replaces_another_strikes_it_through_and_both_stay() -> None:
    draft = read(asked(tap(TEXT, "replaces", HOLD)))
    assert claim(draft, TEXT).supersedes == (HOLD,)
    assert claim(draft, HOLD) in draft.claims


def test_a_line_that_is_sorted_anew_replaces_nothing_any_more() -> None:
    draft = read(asked(tap(TEXT, "replaces", HOLD), tap(TEXT, "requirement", at=2.0)))
    assert claim(draft, TEXT).supersedes == ()


def test_of_two_lines_the_one_chosen_last_stands() -> None:
    draft = read(asked(tap(TEXT, "replaces", HOLD), tap(HOLD, "replaces", TEXT, at=2.0)))
    assert (claim(draft, TEXT).supersedes, claim(draft, HOLD).supersedes) == ((), (TEXT,))


def test_people_who_said_that_both_hold_differ_no_more() -> None:
    said = ((PRIYA, "the export takes 5 minutes"), (SAM, "the export takes 9 minutes"))
    differing = request("01-05", *said)
    assert any("conflicts" in one.data for one in read(differing).claims)
    first = line(1, "the export takes 5 minutes", "01-05")
    second = line(2, "the export takes 9 minutes", "01-05")
    both = Correction(StepId("01-05"), first, "beside", SAM, 1.0, second, "by day and by night")
    settled = read(replace(differing, corrections=(both,)))
    assert not any("conflicts" in one.data for one in settled.claims)
    assert {first.quote, second.quote} <= {one.text for one in settled.claims}


def test_what_was_taken_back_is_as_if_nobody_had_sorted_it() -> None:
    every = (tap(HOLD, "note"), tap(TEXT, "replaces", HOLD), tap(TEXT, "serves", STICKERS))
    back = (tap(HOLD, "as-read"), tap(TEXT, "as-read"), tap(TEXT, "as-read", HOLD))
    assert in_force((*every, *back)) == ()
    assert read(asked(*every, *back)).claims == read(asked()).claims


def test_what_two_lines_are_to_each_other_is_taken_back_alone() -> None:
    every = (tap(TEXT, "replaces", HOLD), tap(TEXT, "risk"), tap(HOLD, "replaces", TEXT))
    assert in_force((*every, tap(TEXT, "as-read", HOLD))) == every[1:2]


def test_a_line_that_was_taken_back_is_sorted_anew() -> None:
    every = (tap(HOLD, "note"), tap(HOLD, "as-read"), tap(HOLD, "risk"))
    assert claim(read(asked(*every)), HOLD).kind == "risk"


def test_a_line_nobody_wants_is_dropped() -> None:
    assert STICKERS.quote not in named(read(asked(tap(STICKERS, "dropped"))))


def test_a_correction_holds_through_an_edit_that_keeps_its_words() -> None:
    edited = f"One thing first.\n{FEATURES}"
    assert claim(read(asked(tap(HOLD, "exclusion"), said=edited)), HOLD).kind == "exclusion"


def test_a_correction_lapses_with_its_words() -> None:
    edited = "- the caller gets a text when the slot is free"
    correction = tap(HOLD, "exclusion")
    draft = read(asked(correction, said=edited))
    assert not any(one.kind == "exclusion" for one in draft.claims)
    assert is_lapsed(correction, asked(said=edited).answers, draft.claims)
    assert not is_lapsed(correction, asked().answers)


def test_a_line_that_no_rule_kept_is_there_once_somebody_sorted_it() -> None:
    part = line(1, "hold a slot")
    kept = read(asked(tap(part, "risk")))
    assert any(one.kind == "risk" and one.sources == (part.answer,) for one in kept.claims)


def test_what_people_said_beside_a_line_stays_when_it_is_sorted_anew() -> None:
    said = "- the office can move a slot\ncheck: move one, see it twice"
    before = read(asked(said=said))
    moved = line(1, "the office can move a slot")
    after = again(before, tap(moved, "note"), said=said)
    everything = " ".join(one.text for one in after.claims)
    assert "move one, see it twice" in everything


def test_a_reading_that_only_changes_how_lines_stand_still_says_something() -> None:
    every = (
        tap(TEXT, "replaces", HOLD),
        tap(TEXT, "check", HOLD),
        tap(HOLD, "note"),
        tap(STICKERS, "dropped"),
    )
    before = read(asked())
    for correction in every:
        assert again(before, correction).recorded.strip()
    scan = request("00-01", FEATURES)
    first, second = (line(1, each.quote, "00-01") for each in (HOLD, STICKERS))
    newer = Correction(StepId("00-01"), second, "replaces", SAM, 1.0, first)
    told = read(replace(scan, corrections=(newer,), previous=read(scan).claims))
    assert told.recorded.strip()


def test_ids_stay_dense_and_unique() -> None:
    draft = read(asked(tap(HOLD, "note"), tap(STICKERS, "dropped")))
    ids = [one.id for one in draft.claims]
    assert ids == [f"{STEP}/{number}" for number in range(1, len(ids) + 1)]


def test_another_sort_is_another_mark_and_the_same_reading_the_same() -> None:
    before = read(asked())
    assert lines_mark(before.claims) == lines_mark(read(asked()).claims)
    assert lines_mark(before.claims) != lines_mark(again(before, tap(HOLD, "note")).claims)
    assert line_of(claim(before, HOLD)) == HOLD
