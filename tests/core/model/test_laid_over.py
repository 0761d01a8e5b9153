"""A model's lines over the script's: nothing that people said is lost, and nothing is made up."""

from dataclasses import replace
from typing import Any

import pytest

from bot.views.thread.sorted_lines import SortedLines, sorted_lines
from core.brains.model.taking_in import laid_over as lay
from core.brains.model.taking_in import lines_in
from core.brains.script.reading import read
from core.domain.answers import LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId
from core.domain.lines import Correction, find_line, line_of, quoted_in, standing
from core.domain.session.model_reading import ModelReading
from tests.core.model.replying import ids_of, laid_over, line, only
from tests.core.test_scripted import PRIYA, SAM, kinds, request

SAID = "The export must finish within ten seconds. It should not block the page."
FINISH, BLOCK = "The export must finish within ten seconds.", "It should not block the page."
A1 = "01-04:1"


def asked(*said: str, **more: Any) -> ReadRequest:
    return request("01-04", *(((PRIYA, SAM)[at % 2], text) for at, text in enumerate(said)), **more)


# ── what a model may do ────────────────────────────────────────────────────────────────────────


def test_a_line_is_worded_and_sorted_anew_in_its_place() -> None:
    draft = laid_over(asked(SAID), line("quality", "The export finishes in ten s", ("A1", FINISH)))
    assert kinds(draft) == [
        ("quality", "The export finishes in ten s"),
        *kinds(read(asked(SAID)))[1:],
    ]
    assert quoted_in(draft.claims[0]) == (FINISH,)
    assert draft.claims[0].data["spans"] == f"0-{len(FINISH)} {A1}"


def test_what_changed_is_told_in_peoples_words() -> None:
    draft = laid_over(asked(SAID), line("quality", "The export finishes in ten s", ("A1", FINISH)))
    assert "must finish within ten seconds" in draft.recorded
    assert "in ten s" not in draft.recorded.replace("ten seconds", "")


def test_two_lines_are_joined_and_both_are_found_again() -> None:
    said = "Exports run every night at 2 am. Files land in /srv/out."
    wording = "Exports run nightly at 2 am and land in /srv/out"
    quotes = ("A1", "Exports run every night at 2 am"), ("A1", "Files land in /srv/out")
    draft = laid_over(asked(said), line("requirement", wording, *quotes))
    assert kinds(draft) == [("requirement", wording)]
    for words in ("Exports run every night at 2 am.", "Files land in /srv/out."):
        assert find_line(LineRef(A1, words), draft.claims) == draft.claims[0]


def test_a_line_is_split_into_two_of_different_kinds() -> None:
    said = "The fonts may go missing, the export embeds them."
    draft = laid_over(
        asked(said),
        line("risk", "The fonts may go missing", ("A1", "The fonts may go missing")),
        line("requirement", "The export embeds them", ("A1", "the export embeds them")),
    )
    assert [kind for kind, _ in kinds(draft)] == ["risk", "requirement"]


def test_a_check_is_of_the_line_that_the_model_names() -> None:
    said = asked(SAID, "I would watch the clock on the wall while it runs")
    words = ("A2", "I would watch the clock on the wall while it runs")
    check = line("check", "Watch the clock on the wall while it runs", words, of=("A1", FINISH))
    draft = laid_over(said, check)
    assert only(draft, "check").data["of"] == read(said).claims[0].ref


def test_a_label_that_no_line_has_does_not_outdo_the_line_that_the_model_names() -> None:
    kept, tried = "keep every version of a slip, unchanged", "I overwrite one as admin and fail."
    listed = f"The system shall:\n(a) {kept}\n(b) ask a second person to approve it"
    said = request("01-06", (PRIYA, listed), (SAM, f"(c) {tried}"))
    assert not any(claim.data.get("of") for claim in read(said).claims)
    whole = line("check", tried, ("A2", f"(c) {tried}"), of=("A1", kept))
    draft = laid_over(said, whole)
    (ref,) = [claim.ref for claim in draft.claims if kept in claim.text]
    assert only(draft, "check").data["of"] == ref


def test_sources_stay_those_of_whoever_said_the_words() -> None:
    said = asked(FINISH, FINISH, "It must be safe for guests.")
    draft = laid_over(said, line("quality", "The export finishes in ten s", ("A1", FINISH)))
    assert only(draft, "quality").sources == (A1, "01-04:2")


def test_a_name_stays_with_the_words_that_had_it() -> None:
    before = read(asked(SAID))
    assert before.claims[0].ref == "FR-001"
    said = replace(asked(SAID), previous=before.claims)
    worded = laid_over(said, line("requirement", "The export finishes in ten s", ("A1", FINISH)))
    assert worded.claims[0].ref == "FR-001"
    again = read(replace(said, previous=worded.claims))
    assert again.claims[0].ref == "FR-001"
    moved = laid_over(
        said,
        line("quality", "The export finishes in ten s", ("A1", FINISH)),
        line("requirement", "It does not block the page", ("A1", BLOCK)),
    )
    assert [claim.ref for claim in moved.claims] == ["NFR-001", "FR-002"]


def test_a_reading_of_the_script_alone_says_what_it_said() -> None:
    """The seam is nothing where nobody refines."""
    said = asked(SAID, "+1", "Can guests export too?")
    assert laid_over(said) == read(said)


# ── what it may not ────────────────────────────────────────────────────────────────────────────


def test_what_no_line_quotes_comes_from_the_script() -> None:
    said = asked(SAID, "As an admin I want a list so that I see what ran.")
    draft = laid_over(said, line("note", "page", ("A1", "block the page")))
    assert kinds(draft)[:1] == kinds(read(said))[:1]
    assert kinds(draft)[-1] == kinds(read(said))[-1]


def test_words_that_the_script_reads_in_two_ways_stay_in_both() -> None:
    said = "The old slot has to stay theirs until they have confirmed the new one."
    plain = read(asked(said))
    assert kinds(plain) == [("requirement", said), ("constraint", said)]
    for kind in ("requirement", "constraint"):
        draft = laid_over(asked(said), line(kind, said, ("A1", said)))
        assert kinds(draft) == kinds(plain)


@pytest.mark.parametrize("kind", ["constraint", "module", "interface", "data", "error"])
def test_what_must_be_built_stays_so_where_a_model_sees_a_part_in_it(kind: str) -> None:
    said = asked(SAID)
    draft = laid_over(said, line(kind, "The export finishes in ten s", ("A1", FINISH)))
    assert ("requirement", FINISH) in kinds(draft)
    assert (kind, "The export finishes in ten s") in kinds(draft)
    both = laid_over(
        said, line(kind, FINISH, ("A1", FINISH)), line("quality", FINISH, ("A1", FINISH))
    )
    assert "requirement" not in [one for one, text in kinds(both) if text == FINISH]


def test_a_decision_of_the_rules_may_be_a_requirement_as_well() -> None:
    words = "We decided to use Postgres because we know it"
    said = asked(words)
    assert [kind for kind, _ in kinds(read(said))] == ["decision"]
    decided, required = (line(kind, words, ("A1", words)) for kind in ("decision", "requirement"))
    assert kinds(laid_over(said, decided, required)) == [
        ("decision", words),
        ("requirement", words),
    ]


def test_a_line_that_quotes_a_part_does_not_take_the_place_of_the_whole() -> None:
    said = "The export embeds fonts and it supports Arabic text."
    draft = laid_over(asked(said), line("quality", "Fonts are embedded", ("A1", "embeds fonts")))
    assert kinds(read(asked(said)))[0] in kinds(draft)


@pytest.mark.parametrize("wording", ["The export finishes", "The export blocks the page", "ok"])
def test_a_wording_that_leaves_out_what_was_said_is_not_taken(wording: str) -> None:
    words = BLOCK if "page" in wording else FINISH
    draft = laid_over(asked(SAID), line("quality", wording, ("A1", words)))
    assert ("quality", words) in kinds(draft)


def test_nobody_decides_by_a_model() -> None:
    words = "Postgres would be good for the reports"
    said = asked(words, "It replaces the old database")
    decided = line("decision", "Postgres is used for the reports", ("A1", words))
    draft = laid_over(said, decided)
    assert "decision" not in {kind for kind, _ in kinds(draft)}
    assert {claim.data.get("seen_as") for claim in draft.claims} >= {"decision"}
    assert not any(claim.supersedes for claim in draft.claims)


@pytest.mark.parametrize("wording", ["Postgres is used for the reports", ""])
def test_where_a_model_sees_a_decision_the_folded_lines_ask_for_a_tap(wording: str) -> None:
    words = "Postgres would be good for the reports"
    decided = line("decision", wording or words, ("A1", words))
    draft = laid_over(asked(words), decided)
    fold = sorted_lines(SortedLines(draft.claims), 3_000, {})
    assert "(perhaps a decision)" in str(fold)
    tap = Correction(StepId("01-04"), line_of(draft.claims[0]), "decision", SAM, 1.0)
    tapped = laid_over(asked(words, corrections=(tap,)), decided)
    assert [claim.kind for claim in tapped.claims] == ["decision"]
    assert "perhaps" not in str(sorted_lines(SortedLines(tapped.claims), 3_000, {SAM: "Sam"}))


def test_a_decision_of_the_rules_stays_one() -> None:
    words = "We decided to use Postgres because we know it"
    said = asked(words)
    before = [claim for claim in read(said).claims if claim.kind == "decision"]
    assert before
    draft = laid_over(said, line("note", "Postgres is known", ("A1", words)))
    assert [claim for claim in draft.claims if claim.kind == "decision"] == before


def test_no_rank_and_no_size_is_invented() -> None:
    draft = laid_over(asked(SAID), line("priority", "must", ("A1", FINISH)))
    assert "priority" not in {kind for kind, _ in kinds(draft)}


def test_a_turn_counts_that_a_model_cut_off_from_what_it_turns_to() -> None:
    before, anew = (
        "The links are valid 48 hours.",
        "the link is valid until 2 hours before the visit",
    )
    said = request("03-02", (PRIYA, before), (PRIYA, f"Right, actually scratch that: {anew}."))
    turn = line("note", "Scratch that", ("A2", "Right, actually scratch that"))
    draft = laid_over(said, turn, line("requirement", anew, ("A2", f"{anew}.")))
    newer = [claim.supersedes for claim in draft.claims if anew in claim.text]
    assert (LineRef("03-02:1", before),) in newer


def test_what_is_taken_back_is_not_joined_with_what_takes_it_back() -> None:
    old = "e) ordering an unsafe dish is blocked"
    said = request("01-06", (PRIYA, old), (PRIYA, "Scratch e). e) new: an unsafe dish is shown"))
    joined = line("requirement", f"Scratch {old}", ("A2", "Scratch e)."), ("A1", old))
    anew = line("requirement", "An unsafe dish is shown", ("A2", "an unsafe dish is shown"))
    draft = laid_over(said, joined, anew)
    assert not [claim for claim in standing(draft.claims) if "blocked" in claim.text]
    assert [claim for claim in standing(draft.claims) if "is shown" in claim.text]


def test_two_lines_of_the_same_words_do_not_differ() -> None:
    when = "before 1 February, the second shop in Lindenthal opens then"
    said = request("01-01", (PRIYA, f"Must be live {when}"))
    draft = laid_over(
        said,
        line("requirement", f"Must be live {when}", ("A1", f"Must be live {when}")),
        line("fact", "The second shop in Lindenthal opens before 1 February", ("A1", when)),
    )
    assert len(draft.claims) == 2
    assert not any(claim.supersedes or "differs" in claim.data for claim in draft.claims)


def test_a_wording_supersedes_nothing() -> None:
    """The rules read what people said, never how a model words it."""
    said = asked("The limit is 20 pages.", "Guests see 5 pages.")
    wording = "Guests see 5 pages instead of 20 pages, the limit of 20 pages is replaced by 5 pages"
    draft = laid_over(said, line("requirement", wording, ("A2", "Guests see 5 pages.")))
    assert [claim.supersedes for claim in draft.claims] == [
        claim.supersedes for claim in read(said).claims
    ]


def test_a_question_of_people_is_not_turned_into_a_demand() -> None:
    said = asked("Should we keep a copy for ten years?")
    words = ("A1", "keep a copy for ten years?")
    draft = laid_over(said, line("requirement", "Keep a copy for ten years", words))
    assert only(draft, "question") == only(read(said), "question")
    assert only(draft, "requirement").confidence == "inferred"


def test_one_persons_words_never_stand_under_anothers_name() -> None:
    said = asked(FINISH, "Guests must sign in first.")
    wrong = line("requirement", "Guests sign in first", ("A1", "Guests must sign in first"))
    draft = laid_over(said, wrong)
    assert [claim.sources for claim in draft.claims] == [(A1,), ("01-04:2",)]


# ── people stand above both ────────────────────────────────────────────────────────────────────


def test_a_line_that_a_person_sorted_stays_as_they_sorted_it() -> None:
    tap = Correction(StepId("01-04"), LineRef(A1, FINISH), "note", SAM, 1.0)
    said = asked(SAID, corrections=(tap,))
    draft = laid_over(said, line("quality", "The export finishes in ten s", ("A1", FINISH)))
    assert kinds(draft) == kinds(read(said))
    assert kinds(draft)[0] == ("note", FINISH)


def test_a_tap_on_a_worded_line_holds_for_the_words_that_it_quotes() -> None:
    worded = line("quality", "The export finishes in ten s", ("A1", FINISH))
    first = laid_over(asked(SAID), worded)
    shown = line_of(first.claims[0])
    assert shown == LineRef(A1, FINISH)
    tap = Correction(StepId("01-04"), shown, "risk", SAM, 1.0)
    after = laid_over(replace(asked(SAID, corrections=(tap,)), previous=first.claims), worded)
    assert kinds(after)[0] == ("risk", FINISH)
    assert after.claims[0].data["sorted_by"] == SAM


def test_a_line_in_the_words_of_its_quote_is_stored_once_and_laid_over_the_same() -> None:
    said = asked(SAID)
    own, worded = line("risk", FINISH, ("A1", FINISH)), line("note", "It blocks", ("A1", BLOCK))
    arguments = {"lines": [own, worded], "criteria": [], "cannot_tell": None}
    lines = lines_in(arguments, said, ids_of(said)).lines
    assert [one.text == "" for one in lines] == [True, False]
    stored = replace(said, model=ModelReading(lines=lines))
    assert read(stored, lay(stored)).claims == laid_over(said, own, worded).claims


# ── what is asked ──────────────────────────────────────────────────────────────────────────────

BETTER = FollowUp("check", "Which page did you have in mind?", LineRef(A1, BLOCK))


def test_a_models_question_is_asked_instead_of_the_scripts() -> None:
    said = request("02-01", (PRIYA, SAID))
    better = replace(BETTER, line=LineRef("02-01:1", BLOCK))
    own, draft = read(said), laid_over(said, question=better)
    assert own.follow_up is not None
    asks = f"FR-002 “{BLOCK.rstrip('.')}”: {BETTER.question}"
    assert draft.follow_up == replace(better, question=asks, after=own.follow_up.after)


def test_a_models_question_that_quotes_its_line_names_it_once() -> None:
    said = asked(SAID)
    for text, before in (
        (f"“{FINISH.rstrip('.')}”: how?", " "),
        ("When is it “within ten seconds”?", ": "),
    ):
        better = FollowUp("number", text, LineRef(A1, FINISH))
        follow_up = laid_over(said, question=better).follow_up
        assert follow_up is not None
        ref, _, rest = follow_up.question.partition(before)
        assert (ref, rest) == ("FR-001", text)
        own = replace(better, question=f"{ref} {text}")  # it names it whole
        again = laid_over(said, question=own).follow_up
        assert again is not None
        assert again.question == own.question


def test_no_question_of_a_model_means_the_scripts() -> None:
    assert laid_over(asked(SAID), question=None).follow_up == read(asked(SAID)).follow_up


def test_a_model_asks_no_third_question() -> None:
    two = (BETTER.ended("answered"), replace(BETTER, question="And the other?").ended("passed"))
    assert laid_over(asked(SAID, follow_ups=two), question=BETTER).follow_up is None


def test_a_model_asks_nothing_twice() -> None:
    before = replace(BETTER, outcome="answered")
    assert laid_over(asked(SAID, follow_ups=(before,)), question=BETTER).follow_up != BETTER
    elsewhere = asked(SAID, asked_elsewhere=(before,))
    draft = laid_over(elsewhere, question=BETTER)
    assert draft.follow_up is None or draft.follow_up.question != BETTER.question


def test_one_question_is_open_at_a_time() -> None:
    waiting = FollowUp("unit", "Ten what?", LineRef(A1, FINISH), after="1700000001.000100")
    draft = laid_over(asked(SAID, follow_ups=(waiting,)), question=BETTER)
    assert draft.follow_up == waiting


def test_a_difference_is_asked_before_a_models_question() -> None:
    said = asked("the export takes 5 minutes", "the export takes 9 minutes")
    own = read(said).follow_up
    assert own is not None
    assert own.kind == "difference"
    assert laid_over(said, question=replace(BETTER, line=None)).follow_up == own


def test_a_model_asks_about_no_line_that_nobody_said() -> None:
    lost = replace(BETTER, line=LineRef(A1, "Guests must pay"))
    assert laid_over(asked(SAID), question=lost).follow_up == read(asked(SAID)).follow_up


def test_a_model_asks_nothing_of_people_who_are_done() -> None:
    assert laid_over(asked(SAID, "that's all"), question=BETTER).follow_up is None
