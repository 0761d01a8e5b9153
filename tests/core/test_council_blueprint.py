"""The third council: three drafts from what was said, a ring of reviews, three files."""

from dataclasses import replace

import pytest

from core.brains.script.performing import consult
from core.brains.text.questions import with_numbers
from core.domain.party.contributions import Contribution
from tests.support.council_requests import (
    ANSWERED,
    BLUEPRINT,
    DRAWS,
    MODELS,
    PARTY,
    STACK,
    TESTS,
    VISION,
    Held,
    hold,
    request,
    said,
)

FILE_OF_STEP = {"03-01": "architecture", "03-02": "data", "03-03": "tests"}
OWN = (
    "Reader: turns a photo into text.\nReader -> Store: receipts\nReceipt: date, amount\n"
    "A supplier has many receipts.\nUnit: the reader\nPrinting is not tested."
)


def blueprint(*here: str, before: tuple[str, ...] = (), changes: tuple[str, ...] = ()) -> Held:
    """On what was said in this phase, in the first one, and after the files were shown."""
    first = said(VISION, *before)
    known = hold(VISION, first).claims
    chosen = hold(STACK, first, known).claims
    every = said(BLUEPRINT, *here, *changes)
    mine, more = every[: len(here)], every[len(here) :]
    return hold(BLUEPRINT, (*first, *mine), (*known, *chosen), changes=more)


def rows(held: Held) -> list[tuple[str, str, str, str]]:
    return [
        (FILE_OF_STEP[one.step], one.kind, one.text, one.confidence)
        for one in held.claims
        if one.sources
    ]


# ── drafts ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "file", "kind", "data"),
    [
        ("Reader: turns a photo into text.", "architecture", "module", {"module": "Reader"}),
        ("The queue keeps what is due.", "architecture", "module", {"module": "queue"}),
        ("Part: a reader", "architecture", "module", {}),
        ("Reader -> Store: receipts", "architecture", "interface",
         {"from": "Reader", "to": "Store", "what": "receipts"}),
        ("The reader sends receipts to the archive.", "architecture", "interface",
         {"from": "The reader", "to": "the archive", "what": "receipts"}),
        ("Option A: one process.", "architecture", "option", {"option": "Option A"}),
        ("Decision: one clock", "architecture", "decision", {}),
        ("Receipt: date, sum", "data", "entity", {"entity": "Receipt", "fields": "date, sum"}),
        ("Receipt (date, sum)", "data", "entity", {"entity": "Receipt", "fields": "date, sum"}),
        ("A supplier has many receipts.", "data", "relation",
         {"from": "supplier", "what": "has many", "to": "receipts"}),
        ("Receipts are deleted after ten years.", "data", "retention",
         {"entity": "Receipts", "period": "after ten years"}),
        ("Unit: the reader", "tests", "test", {"level": "Unit", "covers": "the reader"}),
        ("We test the reader by hand.", "tests", "test", {"level": "by hand"}),
        ("Printing is not tested.", "tests", "test-gap", {}),
        ("Gap: the printer", "tests", "test-gap", {}),
        ("It is a nice day.", "architecture", "fact", {}),
        ("Who keeps the receipts?", "architecture", "question", {"topic": "open-question"}),
    ],
)  # fmt: skip
def test_a_line_of_the_phase_belongs_to_one_file(
    text: str, file: str, kind: str, data: dict[str, str]
) -> None:
    held = blueprint(text)
    (claim,) = (one for draft in held.of("draft") for one in draft.claims if one.sources)
    assert (FILE_OF_STEP[claim.step], claim.kind, dict(claim.data)) == (file, kind, data)
    assert claim.confidence == "stated"


@pytest.mark.parametrize(
    ("text", "file", "kind", "confidence"),
    [
        ("8. the old archive", "architecture", "interface", "inferred"),
        ("6. A voucher is a receipt.", "data", "entity", "inferred"),
        ("6. voucher and receipt", "data", "data", "inferred"),
        ("7. Receipts are kept for ten years.", "data", "retention", "stated"),
        ("9. text recognition", "tests", "test", "inferred"),
        ("Photos -> Office: by mail", "architecture", "interface", "stated"),
    ],
)
def test_of_earlier_phases_only_plain_signs_count_and_conclusions_are_marked(
    text: str, file: str, kind: str, confidence: str
) -> None:
    drafts = blueprint(before=(text,)).of("draft")
    (claim,) = (one for draft in drafts for one in draft.claims if one.sources)
    assert (FILE_OF_STEP[claim.step], claim.kind, claim.confidence) == (file, kind, confidence)
    assert text.endswith(claim.text)


@pytest.mark.parametrize(
    "text",
    [
        "1. clerks",
        "2. they save a day",
        "Accountants: they type receipts.",
        "5. Today: paper, pens",
    ],
)
def test_what_was_said_of_something_else_is_in_no_file(text: str) -> None:
    assert rows(blueprint(before=(text,))) == []


def test_a_draft_says_what_it_holds_and_asks_for_what_is_missing() -> None:
    drafts = [one.text for one in blueprint("Reader: turns a photo into text.").of("draft")]
    assert drafts[0] == (
        "I gathered the parts, and what passes between them. It holds “Reader”. "
        "Still open: Which part speaks to which? Which decision shapes all of it?"
    )
    assert "Nobody has said anything for it yet." in drafts[1]


def test_a_file_of_ones_own_holds_what_was_said_of_its_writers_subjects() -> None:
    member = replace(
        PARTY.member(DRAWS), produces=("letters.md",), expertise=("Letters to the press",), focus=()
    )
    answers = said(BLUEPRINT, "The press gets a letter in May.", "It rains.")
    given = consult(request(DRAWS, "draft", *answers, member=member))
    assert [(one.kind, one.text) for one in given.claims] == [
        ("fact", "The press gets a letter in May.")
    ]


# ── reviews ────────────────────────────────────────────────────────────────────────────────────


def test_things_without_a_part_and_parts_and_things_without_a_test_are_found() -> None:
    held = blueprint(
        "Reader: turns a photo into text.\nReceipt: date, amount\nSupplier: name, town\n"
        "Unit: the receipt"
    )
    by = {one.persona: one for one in held.of("review")}
    assert [(one.persona, one.to) for one in held.of("review")] == [
        (DRAWS, MODELS), (MODELS, TESTS), (TESTS, DRAWS),
    ]  # fmt: skip
    assert "“Supplier” is in your model, and none of my parts keeps it." in by[DRAWS].text
    assert "“Supplier” is in my model, and no test of yours speaks of it." in by[MODELS].text
    assert "“Receipt”" not in by[MODELS].text
    assert "“Reader” is a part of yours, and no test of mine tries it." in by[TESTS].text


def test_what_passes_between_parts_and_is_no_thing_is_found() -> None:
    held = blueprint("Reader -> Store: letters\nReceipt: date, amount")
    assert (
        "“letters” passes between my parts, and your model does not know it."
        in held.of("review")[0].text
    )


def test_what_was_chosen_before_and_is_nowhere_is_found_but_for_what_all_is_written_in() -> None:
    held = blueprint("Reader: turns a photo into text.", before=("We use Postgres and Python.",))
    tests = held.of("review")[2].text
    assert "is in the stack, and no part of yours uses it." not in tests
    held = blueprint("Reader: turns photos.", before=("We use Redis.\nWe use Python.",))
    tests = held.of("review")[2].text
    assert "“Redis” is in the stack, and no part of yours uses it." in tests
    assert "Python" not in tests


def test_at_most_three_findings_are_named() -> None:
    names = "\n".join(f"Thing{number}: one, two" for number in range(9))
    for review in blueprint(names).of("review"):
        assert review.text.count("“") <= 3


def test_files_that_agree_and_files_that_are_empty_are_called_so() -> None:
    same = blueprint("Receipt: date, amount\nPart: receipt\nUnit: the receipt")
    assert all("No name in one of our files is missing" in one.text for one in same.of("review"))
    empty = blueprint()
    assert all("Nobody has said anything for your file" in one.text for one in empty.of("review"))
    alone = consult(request(DRAWS, "review"))
    assert (alone.text, alone.to) == ("There is no draft that I could read.", None)


# ── the last version ───────────────────────────────────────────────────────────────────────────


def test_a_finding_is_settled_by_the_line_that_named_it() -> None:
    held = blueprint("Reader -> Store: letters\nReader: turns photos.", before=("We use Redis.",))
    drawn, modelled, _ = held.of("final")
    assert ("architecture", "module", "We use Redis.", "inferred") in rows(held)
    assert ("data", "data", "Reader -> Store: letters", "inferred") in rows(held)
    assert "From the review I take in “Redis”, as it was said." in drawn.text
    assert "From the review I take in “letters”, as it was said." in modelled.text
    (module,) = (one for one in drawn.claims if one.text == "We use Redis.")
    assert module.data == {"module": "Redis"}


def test_a_finding_that_nothing_settles_stays_open() -> None:
    held = blueprint("Receipt: date, amount\nReader: turns photos.")
    left = [one.text for one in held.claims if not one.sources]
    assert "Asked, not answered: Which part keeps Receipt?" in left
    assert "Asked, not answered: Which test tries Receipt?" in left
    assert "Asked, not answered: Which test tries Reader?" in left
    assert "Which part keeps Receipt?" in held.of("final")[1].text


def test_a_review_by_another_hand_is_taken_up_by_what_it_quotes() -> None:
    review = Contribution(TESTS, "review", "Think of the “night shift”.", to=DRAWS)
    given = consult(request(DRAWS, "final", said=(review,)))
    assert "Asked, not answered: What about night shift?" in [one.text for one in given.claims]


def test_without_a_review_the_draft_stays_as_it_is() -> None:
    answers = said(BLUEPRINT, OWN)
    draft = consult(request(DRAWS, "draft", *answers))
    final = consult(request(DRAWS, "final", *answers, said=(draft,)))
    assert final.claims == draft.claims
    assert "The review changes nothing." in final.text


def test_what_people_say_after_the_files_were_shown_goes_into_the_file_it_belongs_to() -> None:
    held = blueprint("Receipt: date, amount", changes=("Reader: turns photos into text.",))
    assert ("architecture", "module", "Reader: turns photos into text.", "stated") in rows(held)
    assert held.of("final")[0].text.startswith("This is it with your changes.")
    assert not any("Which parts does it consist of?" in one.text for one in held.claims)


def test_what_people_say_after_the_review_settles_it() -> None:
    held = blueprint("Reader: turns photos into text.")
    assert "“Reader” is a part of yours" in held.of("review")[2].text
    assert any("Which test tries Reader?" in one.text for one in held.claims)
    after = blueprint("Reader: turns photos into text.", changes=("Unit: the reader",))
    assert not any("Reader?" in one.text for one in after.claims)


def test_each_file_has_a_step_of_its_own_and_each_line_one_place() -> None:
    held = blueprint(OWN, before=ANSWERED)
    finals = held.of("final")
    assert [{one.step for one in each.claims} for each in finals] == [
        {"03-01"}, {"03-02"}, {"03-03"},
    ]  # fmt: skip
    own = [one.text for each in finals for one in each.claims if "03:0" in one.sources]
    for line in OWN.split("\n"):
        assert line in own


# ── as teams write it ──────────────────────────────────────────────────────────────────────────


def test_the_parts_of_one_line_are_parts_each() -> None:
    held = blueprint("parts = phone app, sync service and db")
    parts = [one.data["module"] for one in held.claims if one.kind == "module"]
    assert parts == ["phone app", "sync service", "db"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("must work before release: the expiry list.", "test"),
        ("offline first shapes everything", "decision"),
        ("lot has crates.", "relation"),
        ("crate sits in 1 freezer.", "relation"),
    ],
)
def test_what_a_line_of_a_blueprint_is_by_its_form(said: str, kind: str) -> None:
    assert kind in {one.kind for one in blueprint(said).claims if one.text == said}


def test_what_happens_without_an_answer_is_not_asked_where_somebody_said_it() -> None:
    asks = "What happens when store does not answer?"
    flow = "reader -> store: letters"
    assert any(asks in one.text for one in blueprint(flow).claims)
    told = blueprint(f"{flow}\nif the store doesn't answer: the reader tries again every minute")
    assert not any(asks in one.text for one in told.claims)


def test_a_technology_whose_area_is_a_part_is_used_there() -> None:
    held = blueprint("Reader: turns photos.\ncache: keeps them", before=("cache: Redis",))
    assert "no part of yours uses it" not in held.of("review")[2].text


def test_the_number_of_a_question_over_a_list_needs_no_full_stop_unless_it_counts_the_items() -> (
    None
):
    assert with_numbers("1 parts\n- app\n- api\n- db", {1, 2, 3}).startswith("1. parts\n")
    assert with_numbers("2 I'd explain the merge", {1, 2, 3}) == "2. I'd explain the merge"
    counted = "3 parts\n- app\n- api\n- db"
    assert with_numbers(counted, {1, 2, 3}) == counted
    assert with_numbers("2 weeks", {1, 2, 3}) == "2 weeks"


@pytest.mark.parametrize(
    ("said", "is_of_question"),
    [
        ("3 koha is the master for members", True),
        ("3 nobody's phone has it", True),
        ("3 gb is enough", False),
        ("3 people is fine", False),
        ("3 lockers is what we have", False),
        ("3 min is the limit", False),
    ],
)
def test_a_bare_number_before_a_sentence_is_of_a_question_unless_it_counts(
    said: str, is_of_question: bool
) -> None:
    assert with_numbers(said, {1, 2, 3}).startswith("3. ") == is_of_question


@pytest.mark.parametrize("rule", ["", "--- | ---\n"])
def test_the_head_of_a_table_is_no_part_and_no_thing(rule: str) -> None:
    held = blueprint(f"Entity | Fields\n{rule}Item | code, name\nLoan | item, member")
    named = [one for one in held.claims if one.kind in ("module", "entity")]
    assert [one.data["entity"] for one in named] == ["Item", "Loan"]


def test_where_all_parts_run_is_no_part() -> None:
    held = blueprint("Reader: turns photos.", before=("Hosting: Hetzner",))
    assert "Hetzner" not in held.of("review")[2].text


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        (
            "1 Gerda first, she writes it down. 2 time from call to site\n3. a form",
            "1. Gerda first, she writes it down.\n2. time from call to site\n3. a form",
        ),
        ("9) geo search, none of us. 10 ask Sue", "9) geo search, none of us.\n10. ask Sue"),
        ("1 parts: a, b and c. 2 cron", "1. parts: a, b and c.\n2. cron"),
        ("Offer: yes or no. 4 a report has offers", "Offer: yes or no.\n4. a report has offers"),
        ("3 and what costs money takes my yes", "3. and what costs money takes my yes"),
        ("6 unit: the matcher", "6. unit: the matcher"),
    ],
)
def test_the_numbers_of_questions_need_no_sign_and_no_line_of_their_own(
    said: str, answered: str
) -> None:
    assert with_numbers(said, range(1, 11)) == answered


@pytest.mark.parametrize(
    "said",
    [
        "2 catchers say yes",
        "2 phone calls a day",
        "It runs on Hetzner. 1 VM is enough",
        "the list has 5 rows. 2 more are hidden",
        "2 factor sign-in",
        "It is 3 nearest. 9 is too many",
    ],
)
def test_a_number_that_counts_something_is_none_of_a_question(said: str) -> None:
    assert with_numbers(said, range(1, 11)) == said


def test_what_a_part_does_may_stand_in_brackets() -> None:
    held = blueprint("parts: intake (form, phone), matcher (who is near and has a course), admin")
    modules = [one.data["module"] for one in held.claims if one.kind == "module"]
    assert modules == ["intake", "matcher", "admin"]


@pytest.mark.parametrize("head", ["who may what:", "Roles and permissions:", "permissions:"])
def test_who_may_do_what_is_no_part_and_no_thing(head: str) -> None:
    held = blueprint(f"{head}\nGerda: create + edit reports\nadmin (me): all, import, csv")
    assert [one.text for one in held.claims if one.kind == "permission"] == [
        "Gerda: create + edit reports",
        "admin (me): all, import, csv",
    ]
    assert not {"module", "entity"} & {one.kind for one in held.claims}


def test_another_period_for_what_is_kept_stands_with_it() -> None:
    kept = "the caller's address is kept 14 days, statistics for ever"
    behind = ("14 days is too short", "ok 6 weeks then. but photos 14 days!", "we meet in 8 min")
    held = blueprint(kept, *behind, "hm", "fine", "ok", "drop the statistics, 10 years is the law")
    periods = [one.text for one in held.claims if one.kind == "retention"]
    assert periods == [
        kept,
        behind[0],
        *behind[1].replace(". ", ".\n").splitlines(),
        "drop the statistics, 10 years is the law",
    ]


def test_a_thing_that_its_author_gives_again_stands_once() -> None:
    said = ("Catcher: name, mobile, ladder", "Offer: sent, answer", "Catcher: name, mobile, active")
    held = blueprint(said[0], "hm", said[1], "hm", said[2])
    (anew,) = [one for one in held.claims if one.text == said[2]]
    assert [line.quote for line in anew.supersedes] == [said[0]]
    by_two = blueprint(said[0], said[2])
    assert not any(one.supersedes for one in by_two.claims)


@pytest.mark.parametrize(
    "said",
    [
        "and Zone: polygon, disease, valid_from",
        "so kind = wasps, and after goes in a new Zone: polygon, disease",
        "the file still has it, again: Zone: polygon, disease, from",
    ],
)
def test_a_thing_in_the_middle_of_a_line_is_one(said: str) -> None:
    things = [one.data["entity"] for one in blueprint(said).claims if one.kind == "entity"]
    assert things == ["Zone"]


def test_how_many_of_one_belong_to_another_is_a_relation() -> None:
    said = "Report -> Offer 1:n, Report -> Catch 0..1"
    assert {one.kind for one in blueprint(said).claims if one.text == said} == {"relation"}
