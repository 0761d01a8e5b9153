"""The scripted brain's rules: numbers, labels, what belongs to what, differences, questions."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, LineRef, ReadRequest, draft_id
from core.domain.follow_ups import FollowUp
from tests.core.test_scripted import PRIYA, SAM, features, kinds, refs, request, shipped
from tests.support.follow_ups import question_of

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
        ("01-02", "It must be live by June.", "constraint",
         {"topic": "constraint", "date": "June"}),
        ("01-01", "We must ship.", "fact", {"topic": "problem"}),
        ("01-02", "Analysts use it.", "fact", {"topic": "user", "role": "Analysts"}),
        ("01-02", "Paying customers and support need it.", "fact",
         {"topic": "user", "role": "Paying customers and support"}),
        ("01-03", "She opens the board.", "fact", {"topic": "journey"}),
        ("01-06", "Out of scope: Excel.", "exclusion", {"what": "Excel."}),
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
        ("03-01", "Mongo is dead bc of cost", "option",
         {"option": "Mongo", "choice": "rejected", "reason": "cost"}),
        ("03-02", "rejected bc its one more gem to keep alive.", "fact", {}),
        ("03-02", "We chose Postgres because we run it.", "decision",
         {"option": "Postgres", "choice": "chosen", "reason": "we run it"}),
        ("04-02", "GET /pdf/:id reads it.", "interface", {"method": "GET", "path": "/pdf/:id"}),
        ("04-02", "/pdf returns a list.", "interface", {"path": "/pdf"}),
        ("04-03", "Browser -> Export API: filters", "data",
         {"from": "Browser", "to": "Export API", "what": "filters"}),
        ("04-03", "The job sends the mail to the reader.", "data",
         {"from": "The job", "to": "the reader", "what": "the mail"}),
        ("04-03", "The job asks the printer for the paper.", "data",
         {"from": "the printer", "to": "The job", "what": "the paper"}),
        ("04-03", "The payment goes from the listener to the queue.", "data",
         {"from": "the listener", "to": "the queue", "what": "The payment"}),
        ("01-05", "GDPR applies.", "constraint", {"topic": "constraint"}),
        ("04-03", "invoice_schedules: id, company_id, mode, start_on.", "data", {}),
        ("04-05", "Revisit: weekly usage and draft default after 3 months", "fact",
         {"what": "weekly usage and draft default after 3 months"}),
        ("01-05", "law: GDPR art. 7 and our manual", "constraint", {"topic": "constraint"}),
        ("04-01", "If the mailer is down, we wait.", "error",
         {"condition": "the mailer is down", "response": "we wait"}),
        ("04-04", "File missing → call Tom", "error",
         {"condition": "File missing", "response": "call Tom"}),
    ],
)  # fmt: skip
def test_each_kind_is_recognised_by_its_words(
    step: str, said: str, kind: str, data: dict[str, str]
) -> None:
    every = read(request(step, said)).claims
    (claim,) = [claim for claim in every if claim.kind != "requirement" or len(every) == 1]
    assert (claim.kind, claim.text, dict(claim.data)) == (kind, said, data)


def test_either_or_makes_two_options() -> None:
    draft = read(request("03-01", "Either a service or a library."))
    assert [claim.data["option"] for claim in draft.claims] == ["a service", "a library"]


def test_a_wish_chooses_nothing() -> None:
    (claim,) = read(request("03-01", "I would go with Option A.")).claims
    assert "choice" not in claim.data


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
        ("exclusion", "Excel", None),
        ("question", "fonts", "open-question"),
    ]  # fmt: skip


def test_a_row_of_a_table_is_one_line_and_its_head_is_none_of_them() -> None:
    draft = read(request("01-06", "| What | Rank |\n|---|---|\n| Export. PDF | must |"))
    assert [(c.kind, c.text, c.data.get("priority")) for c in draft.claims] == [
        ("fact", "What | Rank", None),
        ("requirement", "Export. PDF | must", "must"),
    ]


# ── what belongs to the line before it ─────────────────────────────────────────────────────────


def checks(draft: Draft) -> list[tuple[str | None, str, str]]:
    return [
        (claim.ref, claim.data.get("of", ""), claim.data.get("what", claim.text))
        for claim in draft.claims
        if claim.kind == "check"
    ]


@pytest.mark.parametrize(
    ("check", "kept"),
    [
        (
            "Given a board\nWhen I press\nThen a PDF",
            [("AC-001", "FR-001", "Given a board When I press Then a PDF")],
        ),
        ("Done when it opens.", [("AC-001", "FR-001", "Done when it opens.")]),
        ("Acceptance: it opens.", [("AC-001", "FR-001", "it opens.")]),
        ("How I'd test: press it twice", [("AC-001", "FR-001", "press it twice")]),
        (
            "Acceptance criteria:\n- it opens\n- it prints",
            [("AC-001", "FR-001", "it opens"), ("AC-002", "FR-001", "it prints")],
        ),
    ],
)
def test_a_check_belongs_to_the_line_it_follows(
    check: str, kept: list[tuple[str, str, str]]
) -> None:
    assert checks(read(request("01-06", f"A button exports it.\n{check}"))) == kept


def test_a_check_that_follows_nothing_is_kept_without_a_line() -> None:
    draft = read(request("01-06", "Done when it opens."))
    assert checks(draft) == [("AC-001", "", "Done when it opens.")]


LINES = "R4 - the clerk can reopen a file\nR5 - a late fee is waived by the supervisor"


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("FR-002: done when the fee is gone", "FR-002"),
        ("check for R4: reopen one that is final, it says no", "FR-001"),
        ("check #5: the supervisor sees the button, the clerk does not", "FR-002"),
        ("check: a clerk clicks on reopen, the file opens", "FR-001"),
        ("done when the fee is zero and the supervisor is named", "FR-002"),
        ("done when everybody is happy", ""),
    ],
)
def test_a_check_in_somebody_elses_answer_finds_its_line(said: str, of: str) -> None:
    draft = read(request("01-06", LINES, (SAM, said)))
    assert [line for _, line, _ in checks(draft)] == [of]


def test_a_check_behind_a_list_belongs_to_the_line_that_it_speaks_of() -> None:
    said = "- the cook marks a dish as sold out\n- the waiter splits a bill\n"
    draft = read(request("01-06", f"{said}check: mark a dish sold out, it is grey"))
    assert [line for _, line, _ in checks(draft)] == ["FR-001"]


def asked_of_reopening(reply: str) -> Draft:
    """What is read of a reply to "how would you see that a clerk can reopen a file?"."""
    made = request("01-06", LINES, (SAM, reply))
    first = LineRef(made.answers[0].id, "R4 - the clerk can reopen a file")
    asked = FollowUp("check", "how?", first, after=made.answers[0].ts)
    return read(replace(made, follow_ups=(asked,)))


@pytest.mark.parametrize(
    "reply", ["two of us press it at once", "the supervisor sees the button, the clerk does not"]
)
def test_a_reply_to_how_would_you_see_it_is_a_check_of_that_line(reply: str) -> None:
    assert checks(asked_of_reopening(reply)) == [("AC-001", "FR-001", reply)]


@pytest.mark.parametrize(
    "reply",
    [
        "The dashboard must be exported as one PDF file, filters applied.",
        "a file that is reopened has to carry the name of the clerk",
        "Das Formular muss vorher gesperrt werden.",
    ],
)
def test_a_reply_that_says_what_must_be_is_a_requirement_whatever_was_asked(reply: str) -> None:
    draft = asked_of_reopening(reply)
    assert checks(draft) == []
    assert ("requirement", reply) in kinds(draft)


def test_ranks_go_by_the_names_that_people_gave() -> None:
    lines = read(request("01-06", LINES)).claims
    draft = read(request("01-08", "must: R4-R5", claims=lines))
    ranks = [(one.data["requirement"], one.data["priority"]) for one in draft.claims]
    assert ranks == [("FR-001", "must"), ("FR-002", "must")]


def test_a_line_that_only_opens_a_list_is_no_requirement() -> None:
    said = "ok, the usual case\n- guests book a stall\n- guests cancel a stall"
    assert [(claim.kind, claim.text) for claim in read(request("01-06", said)).claims] == [
        ("note", "ok, the usual case"),
        ("requirement", "guests book a stall"),
        ("requirement", "guests cancel a stall"),
    ]


def test_the_codes_of_a_call_stay_in_its_line() -> None:
    said = "POST /stalls {day} → 201 with its number. 409 if it is taken"
    claims = read(request("04-02", f"{said}. We print it twice.")).claims
    assert [c.text for c in claims if c.kind == "interface"][:1] == [f"{said}."]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("@sam does the bell also ring at noon?", "yes, one ring per hour, same tone"),
        ("We count closed stalls: 140 a month.", "also the closed stalls, 140/month."),
    ],
)
def test_who_tells_how_it_is_or_adds_something_decides_nothing(before: str, said: str) -> None:
    claims = read(request("01-04", (PRIYA, before), (SAM, said))).claims
    assert "decision" not in {claim.kind for claim in claims}


def test_a_list_of_what_is_left_out_stays_one_line_in_its_own_words() -> None:
    said = "we leave out paying, new bookings and the waiting list"
    assert kinds(read(request("01-06", said))) == [("exclusion", said)]


def test_a_choice_in_passing_is_a_decision_at_every_step() -> None:
    (claim,) = read(request("01-06", "we go with SMS only")).claims
    assert (claim.kind, claim.ref, claim.data["option"]) == ("decision", "ADR-001", "SMS only")


@pytest.mark.parametrize(
    "rating",
    [
        "high / high",
        "likelihood high, impact high",
        "Likely: high, bad: high.",
        "p(trouble) high, blast high",
    ],
)
def test_a_rating_belongs_to_the_risk_that_it_follows(rating: str) -> None:
    (claim,) = read(request("01-05", f"biggest worry: wrong patient\n{rating}")).claims
    assert (claim.kind, claim.data["likelihood"], claim.data["impact"]) == ("risk", "high", "high")


@pytest.mark.parametrize("step", ["01-05", "02-03"])
def test_what_stands_right_before_a_rating_is_a_risk(step: str) -> None:
    said = "A stolen key ring. Likely: medium, damage: huge."
    (claim,) = read(request(step, said)).claims
    assert (claim.kind, claim.text) == ("risk", "A stolen key ring.")
    assert (claim.data["likelihood"], claim.data["impact"]) == ("medium", "huge")


def test_a_rating_alone_belongs_to_the_line_before_it_which_is_a_risk() -> None:
    said = (
        "What hurts most: somebody splits one key order. Probability high, I saw it. Harm middle."
    )
    (claim,) = read(request("01-05", said)).claims
    assert (claim.kind, claim.text) == ("risk", "What hurts most: somebody splits one key order.")
    assert (claim.data["likelihood"], claim.data["impact"]) == ("high, I saw it", "middle")


def test_what_is_done_against_harm_stays_a_quality_before_a_rating() -> None:
    said = "so: key codes get wiped from the phone when a job is closed. Likely: medium, bad: very."
    claim, *_ = read(request("01-05", said)).claims
    assert claim.kind == "quality"


def test_an_answer_to_how_will_you_know_names_its_line_or_is_of_the_one_before_it() -> None:
    asked = "1. What must it do?\n2. How will you know that each of those lines is done?"
    two = "1. A button exports it.\n- Mail it.\n2. FR-002: a mail arrives\n- a file opens"
    draft = read(asking(request("01-06", two), asked))
    assert checks(draft) == [
        ("AC-001", "FR-002", "FR-002: a mail arrives"),
        ("AC-002", "FR-002", "a file opens"),
    ]


def test_a_mitigation_and_a_reason_belong_to_the_line_they_follow() -> None:
    risk = read(request("02-03", "It leaks.\nLikelihood: low\nMitigation: check permissions."))
    assert [dict(claim.data) for claim in risk.claims] == [
        {"likelihood": "low", "mitigation": "check permissions"}
    ]
    chosen = one(read(request("03-02", "We go with Redis.\nReason: it is fast")), "decision")
    assert chosen.data["reason"] == "it is fast"


# ── disagreement ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (request("00-01", (PRIYA, "large"), (SAM, "small")),
         "the size: Priya says “large” and Sam says “small”"),
        (request("00-03", (PRIYA, "30 files"), (SAM, "3 files")),
         "the number of files: Priya says “30” and Sam says “3”"),
        (request("01-08", (PRIYA, "FR-001 must"), (SAM, "FR-001 could"), claims=features()),
         "FR-001: Priya says “must” and Sam says “could”"),
        (request("03-01", (PRIYA, "We go with A."), (SAM, "We go with B.")),
         "the choice: Priya says “A” and Sam says “B”"),
        (request("03-02", (PRIYA, "We go with Redis."), (SAM, "Redis was rejected.")),
         "Redis: Priya says “chosen” and Sam says “rejected”"),
        (request("01-05", (PRIYA, "Rendering a board takes at most 5 s."),
                 (SAM, "Rendering a board takes at most 2 seconds.")),
         "a number: Priya says “5 s” and Sam says “2 seconds”"),
    ],
)  # fmt: skip
def test_people_who_differ_stand_side_by_side(made: ReadRequest, line: str) -> None:
    draft = read(made)
    first, second = (claim for claim in draft.claims if "conflicts" in claim.data)
    assert (first.data["conflicts"], second.data["conflicts"]) == (second.id, first.id)
    assert f"They differ on {line}." in draft.recorded


def test_who_changes_their_mind_does_not_differ() -> None:
    draft = read(request("00-01", "large", "small"))
    assert "differ" not in draft.recorded
    assert not any("conflicts" in claim.data for claim in draft.claims)


# ── what is missing ────────────────────────────────────────────────────────────────────────────


def test_a_question_that_the_numbers_leave_out_is_asked_in_plain_words() -> None:
    draft = read(asking(request("01-01", "1. Users lose hours.\n2. Sales, who need it.")))
    assert question_of(draft) == "What sets the date for it?"
    assert draft.recorded == (
        "From Priya: “Users lose hours”, “Sales, who need it”."
        " Nobody has said what sets the timing."
    )


def test_what_people_say_in_other_words_is_not_asked() -> None:
    draft = read(asking(request("01-01", "Users lose hours. No date is set.")))
    assert question_of(draft) is None


def test_a_question_of_a_teams_own_wording_is_read_out_when_its_number_is_skipped() -> None:
    asked = "1. Who gains?\n2. What would the neighbours say?"
    draft = read(asking(request("01-01", "1. Customers who asked."), asked))
    assert question_of(draft) == "What would the neighbours say?"


@pytest.mark.parametrize(
    "said", ["1. slow\n2. nobody knows yet\n3. no", "A PDF. That's all.", "TBD"]
)
def test_who_does_not_know_or_is_done_is_not_asked(said: str) -> None:
    assert question_of(read(asking(request("01-01", said)))) is None


def test_what_a_question_was_that_nobody_can_answer_stands_with_the_words() -> None:
    draft = read(asking(request("01-01", "1. slow\n3. I cannot say")))
    assert dict(one(draft, "question").data) == {
        "topic": "open-question",
        "what": "What sets the timing for this?",
        "question": "3",
    }


def test_a_confirmed_draft_is_asked_nothing_more() -> None:
    made = asking(request("01-01", "It is a small change."), depth="brief")
    assert question_of(read(made)) is not None
    confirmed = tuple(
        replace(answer, id=draft_id(answer.step, answer.by), source="draft")
        for answer in made.answers
    )
    draft = read(replace(made, answers=confirmed))
    assert question_of(draft) is None
    assert [(claim.kind, claim.confidence) for claim in draft.claims] == [("assumption", "assumed")]
    assert draft.recorded == "Assumed, confirmed by Priya: “It is a small change”."


def test_what_somebody_said_at_another_step_is_not_asked_again() -> None:
    quality = Claim("01-02/1", features()[0].step, "quality", "Under 5 s.", ())
    assert question_of(read(request("01-05", "It might break.", claims=(quality,)))) is None
    story = read(request("01-02", "As a reader, I want a button.")).claims
    assert question_of(read(request("01-07", "The rest later.", claims=story))) is None


def test_a_question_left_open_elsewhere_is_not_asked_here() -> None:
    left = Claim(
        "01-02/9",
        features()[0].step,
        "assumption",
        "Asked, not answered: Who benefits from this?",
        (),
    )
    made = request("01-01", "A PDF, because it is slow.")
    assert question_of(read(made)) == "Who benefits from this?"
    assert question_of(read(replace(made, claims=(left,)))) is None


def test_all_requirements_without_a_rank_are_asked_for_at_once() -> None:
    draft = read(request("01-08", "Nice to see them all here.", claims=features()))
    assert question_of(draft) == (
        "Where do FR-001 and FR-002 each stand: must, should, could or won't?"
    )


def test_a_requirement_that_was_told_under_must_is_ranked_and_lacks_only_its_check() -> None:
    told = read(request("01-06", "Must:\n- export it\n- print it")).claims
    asked = question_of(read(request("01-08", "FR-002 could wait, it could.", claims=told)))
    assert asked == "FR-001 “export it”: how would you see that it works?"


def test_what_will_change_and_by_when_is_a_goal_and_a_date_that_binds() -> None:
    said = "Empty stalls drop from 60% to 30% by end of June."
    claims = read(
        replace(
            request("01-01", f"2. {said}"), step=next(one for one in shipped() if one.id == "01-01")
        )
    ).claims
    assert [(claim.kind, claim.text) for claim in claims] == [
        ("purpose", said),
        ("constraint", said),
    ]
    assert claims[1].data["date"] == "end of June"


def test_good_and_bad_under_an_option_speak_for_and_against_it() -> None:
    said = "way 1: own table. good: boring. bad: rules sit in code\nway 2: a queue. bad: slow"
    claims = read(request("03-01", said)).claims
    sides = [(claim.data.get("for"), claim.data.get("against")) for claim in claims]
    assert sides == [("boring", "rules sit in code"), (None, "slow")]


def test_a_word_that_begins_like_a_reaction_is_none() -> None:
    (claim,) = read(request("01-06", "- Wooden boxes carry a bar code")).claims
    assert claim.kind == "requirement"
