"""The scripted brain's rules: numbers, labels, what belongs to what, differences, questions."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, ReadRequest, draft_id
from tests.core.test_scripted import PRIYA, SAM, features, refs, request

THREE = "1. What happens today?\n2. Who gains by it?\n3. What sets the timing for this?"


def asking(made: ReadRequest, questions: str = THREE, depth: str = "standard") -> ReadRequest:
    sections = {"Standard Mode": questions, "Brief Mode": "It is a small change.\n\nHow big is it?"}
    return replace(made, step=replace(made.step, sections=sections), depth=depth)  # type: ignore[arg-type]


def numbers(draft: Draft) -> list[tuple[str, str | None]]:
    return [(claim.text, claim.data.get("question")) for claim in draft.claims]


def one(draft: Draft, kind: str) -> Claim:
    return next(claim for claim in draft.claims if claim.kind == kind)


# ── which question an answer takes up ──────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "said",
    [
        "1. slow\n2. sales\n3. June",
        "1) slow\n2) sales\n3) June",
        "(1) slow\n(2) sales\n(3) June",
        "1: slow\n2: sales\n3: June",
        "Q1: slow\nQ2: sales\nQ3: June",
        "ad 1 slow\nad 2 sales\nad 3 June",
        "1 - slow\n2 - sales\n3 - June",
        "1 slow\n2 sales\n3 June",
        "1.\nslow\n2.\nsales\n3.\nJune",
        "1) slow 2) sales 3) June",
        "**1.** slow\n**2.** sales\n**3.** June",
    ],
)
def test_a_numbered_answer_is_split_onto_the_questions(said: str) -> None:
    draft = read(asking(request("01-01", said)))
    assert numbers(draft) == [("slow", "1"), ("sales", "2"), ("June", "3")]


def test_answers_come_in_any_order_and_what_stands_below_a_number_belongs_to_it() -> None:
    draft = read(
        asking(request("01-01", "3) June\n1) slow\n- by hand\n\nThanks to all who asked."))
    )
    assert numbers(draft) == [
        ("June", "3"),
        ("slow", "1"),
        ("by hand", "1"),
        ("Thanks to all who asked.", None),
    ]


@pytest.mark.parametrize(
    "said", ["slow", "1. a\n2. b\n3. c\n4. d", "1. a\n1. b", "3 files\n2 tests", "2 - 3 files"]
)
def test_numbers_that_cannot_be_the_questions_are_a_list_of_ones_own(said: str) -> None:
    draft = read(asking(request("01-01", said)))
    assert {number for _, number in numbers(draft)} == {None}


def test_a_numbered_list_of_requirements_answers_no_question() -> None:
    said = "1. The system must export.\n2. It must print.\n3. A user must see it."
    draft = read(asking(request("01-06", said)))
    assert [claim.data.get("question") for claim in draft.claims] == [None] * 3
    assert refs(draft) == ["FR-001", "FR-002", "FR-003"]


def test_the_numbers_are_those_of_the_depth_that_was_asked() -> None:
    brief = asking(request("01-01", "1. slow\n2. sales"), depth="brief")
    assert numbers(read(brief)) == [("slow", None), ("sales", None)]


# ── kinds ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("step", "said", "kind", "data"),
    [
        ("01-02", "The system must export.", "requirement", {}),
        ("01-02", "Users should be able to print.", "requirement", {}),
        ("01-02", "It must be live by June.", "constraint", {"topic": "constraint"}),
        ("01-01", "We must ship.", "fact", {"topic": "problem"}),
        ("01-04", "The exports have to stay as they are.", "constraint", {"topic": "constraint"}),
        ("01-02", "Analysts use it.", "fact", {"topic": "user", "role": "Analysts"}),
        ("01-02", "Paying customers and support need it.", "fact",
         {"topic": "user", "role": "Paying customers and support"}),
        ("01-03", "She opens the board.", "fact", {"topic": "journey"}),
        ("01-06", "Out of scope: Excel.", "constraint",
         {"topic": "out-of-scope", "what": "Excel."}),
        ("01-06", "What about fonts?", "question", {"topic": "open-question"}),
        ("01-06", "I don't know yet.", "question", {"topic": "open-question"}),
        ("02-02", "Nobody knows who calls it.", "question", {"topic": "open-question"}),
        ("01-03", "Assumption: one screen.", "assumption", {"what": "one screen."}),
        ("02-02", "It begins in `src/app.py`.", "entry-point", {"file": "src/app.py"}),
        ("02-02", "I am afraid of the parser.", "risk", {}),
        ("02-03", "It leaks: likelihood low, impact high, guarded by tests.", "risk",
         {"likelihood": "low", "impact": "high", "mitigation": "tests"}),
        ("03-01", "Option B: print it.", "option", {"option": "Option B"}),
        ("03-01", "We rejected Mongo because of cost.", "option",
         {"option": "Mongo", "choice": "rejected", "reason": "cost"}),
        ("03-02", "We chose Postgres because we run it.", "decision",
         {"option": "Postgres", "choice": "chosen", "reason": "we run it"}),
        ("04-02", "GET /pdf/:id reads it.", "interface", {"method": "GET", "path": "/pdf/:id"}),
        ("04-02", "/pdf returns a list.", "interface", {"path": "/pdf"}),
        ("04-03", "Browser -> Export API: filters", "data",
         {"from": "Browser", "to": "Export API", "what": "filters"}),
        ("04-03", "The job sends the mail to the reader.", "data",
         {"from": "The job", "to": "the reader", "what": "the mail"}),
        ("04-03", "The payment goes from the listener to the queue.", "data",
         {"from": "the listener", "to": "the queue", "what": "The payment"}),
        ("01-05", "GDPR applies.", "constraint", {"topic": "constraint"}),
        ("04-01", "If the mailer is down, we wait.", "error",
         {"condition": "the mailer is down", "response": "we wait"}),
        ("04-04", "File missing → a clear message", "error",
         {"condition": "File missing", "response": "a clear message"}),
        ("04-04", "An unknown filter is refused at once.", "error",
         {"condition": "An unknown filter", "response": "is refused at once"}),
    ],
)  # fmt: skip
def test_each_kind_is_recognised_by_its_words(
    step: str, said: str, kind: str, data: dict[str, str]
) -> None:
    (claim,) = read(request(step, said)).claims
    assert (claim.kind, claim.text, dict(claim.data)) == (kind, said, data)


def test_either_or_makes_two_options() -> None:
    draft = read(request("03-01", "Either a service or a library."))
    assert [claim.data["option"] for claim in draft.claims] == ["a service", "a library"]


def test_a_wish_is_a_choice_that_is_inferred() -> None:
    (claim,) = read(request("03-01", "I would go with Option A.")).claims
    assert (claim.data["choice"], claim.confidence) == ("chosen", "inferred")


def test_what_stands_under_a_heading_is_of_its_kind() -> None:
    said = "Must:\n- export it\nCould:\n- print it\n\nOut of scope:\n- Excel\n\nOpen:\n- fonts"
    draft = read(request("01-06", said))
    sorted_as = [
        (claim.kind, claim.text, claim.data.get("priority") or claim.data.get("topic"))
        for claim in draft.claims
    ]
    assert sorted_as == [
        ("requirement", "export it", "must"),
        ("requirement", "print it", "could"),
        ("constraint", "Excel", "out-of-scope"),
        ("question", "fonts", "open-question"),
    ]  # fmt: skip


def test_a_row_of_a_table_is_one_line_and_its_head_is_none_of_them() -> None:
    draft = read(request("01-06", "| What | Rank |\n|---|---|\n| Export. PDF | must |"))
    assert [(c.kind, c.text, c.data.get("priority")) for c in draft.claims] == [
        ("fact", "What | Rank", None),
        ("requirement", "Export. PDF | must", "must"),
    ]


# ── what belongs to the line before it ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("check", "kept"),
    [
        ("Given a board\nWhen I press\nThen a PDF", "Given a board When I press Then a PDF"),
        ("Done when it opens.", "Done when it opens."),
        ("Acceptance: it opens.", "it opens."),
        ("Acceptance criteria:\n- it opens\n- it prints", "it opens\nit prints"),
    ],
)
def test_a_check_belongs_to_the_line_it_follows(check: str, kept: str) -> None:
    draft = read(request("01-06", f"A button exports it.\n{check}"))
    assert [(claim.ref, claim.data["acceptance"]) for claim in draft.claims] == [("FR-001", kept)]


def test_a_check_that_follows_nothing_is_kept_as_a_line() -> None:
    (claim,) = read(request("01-06", "Done when it opens.")).claims
    assert (claim.kind, claim.data["acceptance"]) == ("fact", "Done when it opens.")


def test_an_answer_to_how_will_you_know_names_its_line_or_stands_alone() -> None:
    asked = "1. What must it do?\n2. How will you know that each of those lines is done?"
    two = "1. A button exports it.\n- Mail it.\n2. FR-002: a mail arrives\n- a file opens"
    draft = read(asking(request("01-06", two), asked))
    assert [(claim.ref, claim.data.get("acceptance")) for claim in draft.claims] == [
        ("FR-001", None),
        ("FR-002", "FR-002: a mail arrives"),
        (None, "a file opens"),
    ]


def test_a_mitigation_and_a_reason_belong_to_the_line_they_follow() -> None:
    risk = read(request("02-03", "It leaks.\nLikelihood: low\nMitigation: check permissions."))
    assert [dict(claim.data) for claim in risk.claims] == [
        {"likelihood": "low", "mitigation": "check permissions"}
    ]
    chosen = one(read(request("03-02", "We use Redis.\nReason: it is fast")), "decision")
    assert chosen.data["reason"] == "it is fast"


# ── disagreement ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (request("00-01", (PRIYA, "large"), (SAM, "small")), "the size: large or small"),
        (request("00-03", (PRIYA, "30 files"), (SAM, "3 files")), "the number of files: 30 or 3"),
        (request("01-08", (PRIYA, "FR-001 must"), (SAM, "FR-001 could"), claims=features()),
         "FR-001: must or could"),
        (request("03-01", (PRIYA, "We go with A."), (SAM, "We go with B.")), "the choice: A or B"),
        (request("03-02", (PRIYA, "We use Redis."), (SAM, "Redis was rejected.")),
         "Redis: chosen or rejected"),
        (request("01-05", (PRIYA, "Rendering a board takes at most 5 s."),
                 (SAM, "Rendering a board takes at most 2 seconds.")),
         "a number: 5 s or 2 seconds"),
    ],
)  # fmt: skip
def test_people_who_differ_stand_side_by_side(made: ReadRequest, line: str) -> None:
    draft = read(made)
    first, second = (claim for claim in draft.claims if "conflicts" in claim.data)
    assert (first.data["conflicts"], second.data["conflicts"]) == (second.id, first.id)
    assert f"Priya and Sam differ on {line}." in draft.recorded


def test_who_changes_their_mind_does_not_differ() -> None:
    draft = read(request("00-01", "large", "small"))
    assert "differ" not in draft.recorded
    assert not any("conflicts" in claim.data for claim in draft.claims)


# ── what is missing ────────────────────────────────────────────────────────────────────────────


def test_a_question_that_the_numbers_leave_out_is_asked_in_plain_words() -> None:
    draft = read(asking(request("01-01", "1. Users lose hours.\n2. Sales, who need it.")))
    assert draft.question == "What sets the date for it?"
    assert draft.recorded == "Recorded 2 points from Priya; nobody has said what sets the timing."


def test_what_people_say_in_other_words_is_not_asked() -> None:
    draft = read(asking(request("01-01", "Users lose hours. No date is set.")))
    assert draft.question is None


def test_a_question_of_a_teams_own_wording_is_read_out_when_its_number_is_skipped() -> None:
    asked = "1. Who gains?\n2. What would the neighbours say?"
    draft = read(asking(request("01-01", "1. Customers who asked."), asked))
    assert draft.question == "What would the neighbours say?"


@pytest.mark.parametrize(
    "said", ["1. slow\n2. nobody knows yet\n3. no", "A PDF. That's all.", "TBD"]
)
def test_who_does_not_know_or_is_done_is_not_asked(said: str) -> None:
    assert read(asking(request("01-01", said))).question is None


def test_what_a_question_was_that_nobody_can_answer_stands_with_the_words() -> None:
    draft = read(asking(request("01-01", "1. slow\n3. I cannot say")))
    assert dict(one(draft, "question").data) == {
        "topic": "open-question",
        "what": "What sets the timing for this?",
        "question": "3",
    }


def test_a_confirmed_draft_is_asked_nothing_more() -> None:
    made = asking(request("01-01", "It is a small change."), depth="brief")
    assert read(made).question is not None
    confirmed = tuple(
        replace(answer, id=draft_id(answer.step, answer.by), source="draft")
        for answer in made.answers
    )
    draft = read(replace(made, answers=confirmed))
    assert draft.question is None
    assert [(claim.kind, claim.confidence) for claim in draft.claims] == [("assumption", "assumed")]
    assert draft.recorded == "Assumed, confirmed by Priya: “It is a small change”."


def test_what_somebody_said_at_another_step_is_not_asked_again() -> None:
    quality = Claim("01-02/1", features()[0].step, "quality", "Under 5 s.", ())
    assert read(request("01-05", "It might break.", claims=(quality,))).question is None
    story = read(request("01-02", "As a reader, I want a button.")).claims
    assert read(request("01-07", "The rest later.", claims=story)).question is None


def test_a_question_left_open_elsewhere_is_not_asked_here() -> None:
    left = Claim(
        "01-02/9", features()[0].step, "assumption", "Not answered: Who benefits from this?", ()
    )
    made = request("01-01", "A PDF, because it is slow.")
    assert read(made).question == "Who benefits from this?"
    assert read(replace(made, claims=(left,))).question is None


def test_all_requirements_without_a_rank_are_asked_for_at_once() -> None:
    draft = read(request("01-08", "Nice to see them all here.", claims=features()))
    assert draft.question == (
        "Where do FR-001 and FR-002 each stand: must, should, could or won't?"
    )


def test_a_requirement_that_was_told_under_must_is_ranked() -> None:
    told = read(request("01-06", "Must:\n- export it\n- print it")).claims
    assert read(request("01-08", "FR-002 could wait, it could.", claims=told)).question is None
