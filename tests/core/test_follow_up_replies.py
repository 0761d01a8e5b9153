"""Which reply answers a follow-up, whose words it shares or not, and where its text stands then."""

import json
from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp, FollowUpKind
from core.domain.ids import UserId
from tests.core.test_compose import made, page
from tests.core.test_scripted import PRIYA, SAM, request

LINES: dict[FollowUpKind, tuple[str, str]] = {
    "check": ("01-06", "The till must refuse torn notes."),
    "unit": ("01-06", "A stall must be held for at most 4."),
    "number": ("01-05", "The market page must be fast."),
    "person": ("01-07", "I want to see which stalls are free tomorrow"),
    "alternative": ("03-02", "We go with a card reader at every gate."),
}


def request_of(kind: FollowUpKind, *replies: str | tuple[UserId, str]) -> ReadRequest:
    """A line that Priya gave, a follow-up of that kind about it, and what was said since."""
    step, line = LINES[kind]
    people = [(SAM, reply) if isinstance(reply, str) else reply for reply in replies]
    made_of = request(step, line, *people)
    first = made_of.answers[0]
    asked = FollowUp(kind, f"“{line}”: well?", LineRef(first.id, line), after=first.ts)
    return replace(made_of, follow_ups=(asked,))


def outcomes(draft: Draft) -> list[str]:
    return [asked.outcome for asked in draft.closed]


ANSWERS: list[tuple[FollowUpKind, str]] = [
    ("check", "feed it a ripped fiver, it spits it out, the display stays red"),
    ("check", "two of us push one in at the same time"),
    ("check", "I tear one in half and it does not take it"),
    ("check", "Leave it empty. Refused. Done."),
    ("check", "fresh roll, three old tens, one taped: the taped one comes back"),
    ("check", "press one in upside down, the slot stays shut"),
    ("check", "weigh a wet one, then a dry one"),
    ("check", "put one in the wrong way round, day shift opens the box, is there"),
    ("check", "if you feed two, one comes back, the other too"),
    ("check", "close 10:30-12 while one is halfway in, nothing comes out"),
    ("check", "clean tens ok, torn ones no"),
    ("check", "Marta pushes a torn one in, straight back into her hand"),
    ("check", "I roll one up and within a second the slot has to spit it out"),
    ("check", "I'd feed it a torn one and look into the tray"),
    ("check", "one roll, two torn, both returned"),
    ("check", "a torn one and a wet one as a guest, 413, same as at the office"),
    ("check", "one torn note, one coin, two lines in the log with name and hour"),
    ("check", "three keepers, three tills, third says wait"),
    ("check", "mail it a note with half a corner, nothing is booked"),
    ("check", "change the roll, tear one, the slot stays shut. done"),
    ("unit", "hours"),
    ("unit", "four weeks not days"),
    ("unit", "working days. weeks would be a joke"),
    ("unit", "4 h"),
    ("unit", "make that 6 hours"),
    ("number", "under 2 seconds I'd say"),
    ("number", "At most two a day per stall."),
    ("person", "Whoever has the key that week, never the same one"),
    ("person", "me. any stall keeper"),
    ("person", "whoever opens the gate"),
    ("alternative", "stamps, but people copy those"),
    ("alternative", "a QR code. nobody can hold a phone in the rain"),
]
NO_ANSWERS: list[tuple[FollowUpKind, str]] = [
    ("check", "B sounds nice, my boat stays with me"),
    ("check", "i for me then"),
    ("check", "Lunch is at noon."),
    ("check", "the bags say 'torn notes are money'"),
    ("check", "torn or not, the bank wants no notes before May"),
    ("check", "the office opens at 7:15"),
    ("check", "the till opens at nine, Marta has the key"),
    ("check", "it looks nice, the blue one"),
    ("check", "no. the blue one, happy to rename"),
    ("check", "Out: foreign coins"),
    ("check", "which notes do you mean?"),
    ("check", "see above regarding the bank"),
    ("check", "5 works for me, everybody else has ten anyway"),
    ("check", "a keeper can lift that, of course. two clicks and a reason, back after 2 h"),
    ("check", "The bank's on the corner and there it stays, not in here."),
    ("check", "we have one spare machine. in the shed. belt broken"),
    ("check", "I can ask the bank, they close at four, on fridays at two"),
    ("check", "Coffee is by the gate, tea too, cakes on Sunday"),
    ("check", "Sign-off: Henrike, Tomasz, and the auditors in writing"),
    ("check", "last year we had a machine, it broke, we sold it"),
    ("check", "I still say 6."),
    ("check", "A threshold of 25 is fine by law. Below that, nothing happens."),
    ("check", "12 is the size that the hall has. A bigger one is 4 more a month, I did the sum"),
    (
        "check",
        "Coins are out of the question. A torn note has to be back in the slot after 5 seconds.",
    ),
    ("check", "Bartek said yes on Monday, by phone. Inga is back Feb 3"),
    ("check", "Till mail goes to the keepers btw, the office never reads it"),
    ("check", "we looked at a coin scanner in May, 900 euros, and it had their logo on it"),
    ("check", "mail from the bank at nine, the lorry at ten, lunch at noon"),
    ("check", "the roll is too short, if I change one at noon the queue gets long"),
    ("check", "anything over 20 gets a 413"),
    ("check", "Every note is counted twice, and the sum shows on the slip"),
    ("check", "support mails are late, the printer is slow, I open that daily"),
    (
        "check",
        "cheap first, then fast, then nice. I've got one helper and she goes to Spain in May",
    ),
    ("check", "Please ring me, the phone is on from five, I pick up"),
    ("check", "Then I stand there with two angry keepers. No."),
    ("check", "Then Ola counts them while I'm off. I'm back the 3rd, it's only Tenby."),
    ("check", "For the record, the bank wanted 900 a month for this, and I hung up nicely"),
    ("check", "You'd ring them anyway, love"),
    ("check", "no counting by hand isn't happening, I've met that counter, it's no fun"),
    ("check", "You can't leave the till open. 'Nothing in' is fine, empty isn't."),
    ("check", "I'd go with the blue one, it looks nice, Marta has it"),
    ("check", "I'd rate Marta's as the biggest, honestly"),
    ("check", "get the rolls that they have next door, two cents more"),
    ("unit", "the keepers on the market side want their own places back"),
    ("unit", "ok then"),
    ("unit", "belt jammed -> need tape."),
    ("unit", "Marta is away."),
    ("unit", "Mail then."),
    ("unit", "print the list at 6 morning 6 evening"),
    ("unit", "nor do I want the stall of my aunt on it, she is not my department at 3am"),
    ("number", "it was slow in the rain"),
    ("person", "the map is wrong near the river and has been for two years now, sorry for that"),
    ("alternative", "yes, fine by me"),
    ("alternative", "In the first year, if the list and the till differ, the list wins."),
    ("alternative", "4 days for me, and 14 is optimistic"),
    ("alternative", "buttons big as a beermat. gloves!!"),
]


@pytest.mark.parametrize(("kind", "reply"), ANSWERS)
def test_a_reply_with_the_form_of_an_answer_closes_it(kind: FollowUpKind, reply: str) -> None:
    assert outcomes(read(request_of(kind, reply))) == ["answered"]


@pytest.mark.parametrize(("kind", "reply"), ANSWERS)
def test_it_does_so_also_behind_what_others_had_still_to_say(
    kind: FollowUpKind, reply: str
) -> None:
    made_of = request_of(kind, "By the way, the river side was under water in March.", reply)
    assert outcomes(read(made_of)) == ["answered"]


@pytest.mark.parametrize(
    ("kind", "reply"),
    [
        ("alternative", "a QR code. nobody can hold a phone in the rain"),
        ("number", "We have 4 more."),
    ],
)
def test_what_comes_long_after_the_question_answers_it_only_in_words_of_its_line(
    kind: FollowUpKind, reply: str
) -> None:
    others = ("The river side was under water in March.", "Ola has the keys of the shed.")
    assert outcomes(read(request_of(kind, *others, reply))) != ["answered"]


@pytest.mark.parametrize(("kind", "reply"), NO_ANSWERS)
def test_a_reply_about_something_else_leaves_it_open(kind: FollowUpKind, reply: str) -> None:
    assert outcomes(read(request_of(kind, reply))) != ["answered"]


HARMS = [
    "drawer still opens by key so not a disaster",
    "if the till is down we lose the evening",
    "if torn notes get through we overpay all day, happened twice",
    "worst case somebody pays with half a fiver and we refund it",
    "queue gets long, people walk off, worst case they complain on the net",
    "the till at the river still works, so no drama",
    "hm. if the slot jams with torn notes it costs us the saturday",
    "could cost us the pitch if the inspector sees it",
    "the slot breaks and we lose every third buyer",
]


@pytest.mark.parametrize("harm", HARMS)
def test_a_harm_behind_the_question_for_a_check_is_a_risk_and_leaves_it_open(harm: str) -> None:
    draft = read(request_of("check", harm))
    assert outcomes(draft) == []
    told = [claim.kind for claim in draft.claims if claim.text in harm and claim.text != "hm."]
    assert told == ["risk"]


@pytest.mark.parametrize("step", ["01-05", "01-08", "02-01", "02-03", "03-01", "04-04"])
def test_a_harm_is_no_check_and_no_requirement_at_any_step(step: str) -> None:
    for harm in HARMS:
        draft = read(asked_later(step, "- the till", (SAM, harm)))
        assert outcomes(draft) == []
        assert not {claim.kind for claim in draft.claims} & {"check", "requirement"}


@pytest.mark.parametrize(
    "check",
    [
        "I try the worst case, two torn ones at once, both come back",
        "pull the plug with a note halfway in: we lose nothing",
        "if I tear one and it takes it, it's broken",
    ],
)
def test_what_is_seen_is_a_check_whatever_harm_it_speaks_of(check: str) -> None:
    draft = read(request_of("check", check))
    assert outcomes(draft) == ["answered"]
    checks = [claim for claim in draft.claims if claim.kind == "check"]
    assert [claim.data["of"] for claim in checks] == ["FR-001"]


def test_what_answers_somebody_elses_question_answers_none_of_ours() -> None:
    question = (PRIYA, "and where do the keepers park?")
    reply = "two of them park behind the hall, the third one is refused"
    assert outcomes(read(request_of("check", question, reply))) == []
    assert outcomes(read(request_of("check", reply))) == ["answered"]


def asked_later(step: str, *said: str | tuple[UserId, str]) -> ReadRequest:
    """What people say at a later step, where how the till is checked is asked behind the first."""
    before = request("01-06", "The till must refuse torn notes.")
    claims = read(before).claims
    here = request(step, *said, claims=claims, other_answers=before.answers)
    line = LineRef(before.answers[0].id, "The till must refuse torn notes.")
    asked = FollowUp("check", "how?", line, after=here.answers[0].ts)
    return replace(here, follow_ups=(asked,))


def test_what_shares_more_with_our_line_than_with_somebody_elses_question_answers_ours() -> None:
    question = (PRIYA, "do the signs at the gate have to show that?")
    reply = (SAM, "put ten torn notes into the till: the tray holds ten and 1 beep is heard")
    draft = read(asked_later("02-02", "- the till's slot", question, reply))
    assert outcomes(draft) == ["answered"]
    (asked,) = [claim for claim in draft.claims if claim.kind == "question"]
    assert "answered_by" not in asked.data


def test_a_check_is_one_also_where_options_are_asked_for() -> None:
    reply = (SAM, "tear one in half → push it in → the lamp is red")
    draft = read(asked_later("03-01", "A) a slot in the wall\nB) a drawer", reply))
    assert outcomes(draft) == ["answered"]
    assert [claim.kind for claim in draft.claims if reply[1] in claim.text] == ["check"]


def test_a_check_of_another_line_leaves_it_open_and_belongs_to_that_line() -> None:
    lines = "The till must refuse torn notes.\nThe scales print a label with the price."
    made_of = request("01-06", lines, (SAM, "weigh an apple, the scales print a label, done"))
    first = made_of.answers[0]
    line = LineRef(first.id, "The till must refuse torn notes.")
    asked = FollowUp("check", "how?", line, after=first.ts)
    draft = read(replace(made_of, follow_ups=(asked,)))
    assert outcomes(draft) == []
    (check,) = [claim for claim in draft.claims if claim.kind == "check"]
    assert check.data["of"] == "FR-002"


BEHIND = "By the way, the river side was under water in March."


@pytest.mark.parametrize(
    ("reply", "sure"),
    [
        ("Leave it empty. Refused. Done.", "inferred"),
        ("I tear one in half: the till is red", "stated"),
        ("Pull the plug at 6, thirty stalls, plug it in at noon, all are there", "inferred"),
    ],
)
def test_a_reply_behind_what_others_said_is_a_check_of_the_line_if_only_inferred(
    reply: str, sure: str
) -> None:
    before = request("01-01", "Stalls must open on 9 March.")
    made_of = request_of("check", BEHIND, reply)
    made_of = replace(made_of, claims=read(before).claims, other_answers=before.answers)
    draft = read(made_of)
    assert outcomes(draft) == ["answered"]
    found = {
        (claim.data.get("of"), claim.confidence) for claim in draft.claims if claim.kind == "check"
    }
    assert found == {("FR-002", sure)}


@pytest.mark.parametrize(
    ("kind", "reply", "answer"),
    [
        ("unit", "hours. And the map shows the river", ["hours."]),
        ("number", f"{BEHIND} {BEHIND} the market page in 2 s", ["the market page in 2 s"]),
        ("alternative", f"{BEHIND} {BEHIND} stamps, but people copy those", []),
    ],
)
def test_of_a_reply_with_other_lines_only_those_that_answer_belong_to_the_line(
    kind: FollowUpKind, reply: str, answer: list[str]
) -> None:
    draft = read(request_of(kind, reply))
    assert [claim.text for claim in draft.claims if "answers" in claim.data] == answer


@pytest.mark.parametrize("kind", ["unit", "number", "person", "alternative"])
def test_an_answer_belongs_to_the_line_that_was_asked_about(kind: FollowUpKind) -> None:
    reply = next(text for of_kind, text in ANSWERS if of_kind == kind)
    draft = read(request_of(kind, reply))
    line = next(claim for claim in draft.claims if claim.text == LINES[kind][1])
    replies = [claim for claim in draft.claims if "answers" in claim.data]
    assert {claim.data["of"] for claim in replies} == {line.ref or line.text}
    assert {claim.data["answers"] for claim in replies} == {kind}
    assert all(claim.text in reply for claim in replies)


OTHERS: tuple[str, ...] = ("the bank wants no notes before May", "the roof leaks", "ask Ewa")


@pytest.mark.parametrize(
    ("kind", "reply"),
    [
        ("unit", "hours!"),
        ("unit", "square metres obviously"),
        ("number", "under 2 seconds I'd say"),
        ("person", "me and the two others, monday morning"),
        ("person", "Sam said it's for the treasurer, month-end report"),
        ("person", "Priya, and Tom if he is in"),
    ],
)
def test_what_can_only_be_the_answer_belongs_to_the_line_behind_what_others_said(
    kind: FollowUpKind, reply: str
) -> None:
    draft = read(request_of(kind, *OTHERS, reply))
    assert outcomes(draft) == ["answered"]
    assert [claim.text for claim in draft.claims if "answers" in claim.data] == [reply]


@pytest.mark.parametrize("reply", ["boxes", "one more", "Sam, please"])
def test_a_unit_that_only_its_place_tells_comes_first(reply: str) -> None:
    assert outcomes(read(request_of("unit", *OTHERS, reply))) == []


@pytest.mark.parametrize(
    ("kind", "said", "measure"),
    [
        ("number", "under 2 seconds", "under 2 seconds (Sam)"),
        ("unit", "hours", "4; hours (Sam)"),
    ],
)
def test_what_people_say_of_the_number_of_a_quality_is_its_measure(
    kind: FollowUpKind, said: str, measure: str
) -> None:
    quality = {"number": "The page must be fast.", "unit": "A page may never be older than 4."}
    made_of = request("01-05", quality[kind], (SAM, said))
    first = made_of.answers[0]
    line = LineRef(first.id, quality[kind])
    asked = FollowUp(kind, f"“{line.quote}”: 4 of what?", line, after=first.ts)
    text = page(made("01-05", "nfr-matrix.md", quality[kind], (SAM, said), follow_ups=(asked,)))
    assert f"| {measure} |" in text


@pytest.mark.parametrize(
    ("kind", "reply", "is_rule"),
    [
        ("unit", "working days, both", False),
        ("number", "At most two a day per stall.", False),
        ("number", "under 2 s for everybody", False),
        ("number", "the stall list under 1 s with 500 stalls", True),
        ("unit", "working days, and on the fifth the stall is given to somebody else", True),
    ],
)
def test_an_answer_that_is_no_sentence_is_no_rule_of_its_own(
    kind: FollowUpKind, reply: str, is_rule: bool
) -> None:
    draft = read(request_of(kind, reply))
    lines = [claim for claim in draft.claims if claim.text == reply]
    assert all(claim.data["answers"] == kind for claim in lines)
    assert [bool(claim.ref) for claim in lines] == [is_rule]
    assert (
        is_rule
        or not (asked := draft.follow_up)
        or asked.line != LineRef(lines[0].sources[0], reply)
    )


def pages(kind: FollowUpKind, file: str, reply: str) -> str:
    made_of = request_of(kind, reply)
    step, line = LINES[kind]
    return page(made(step, file, line, (SAM, reply), follow_ups=made_of.follow_ups))


def test_the_artifact_shows_it_below_its_line() -> None:
    text = pages("unit", "requirements-spec.md", "working days")
    below = text[text.index("held for at most 4") :]
    asked, answer = below.splitlines()[1:3]
    assert asked.startswith("  - Asked: ")
    assert asked.endswith("?")
    assert answer.startswith("    - Answer: working days — said by Sam")
    assert text.count("working days") == 1


def test_a_story_has_the_person_that_somebody_named() -> None:
    (story,) = json.loads(pages("person", "user-stories.json", "whoever opens the gate"))["stories"]
    assert story["role"] == "whoever opens the gate"


def test_a_reply_about_something_else_is_sorted_as_ever() -> None:
    said = "print the list of stalls at 6 morning 6 evening"
    (claim,) = read(request("01-06", said)).claims
    (line,) = [it for it in read(request_of("unit", said)).claims if it.text == said]
    assert (line.kind, line.data) == (claim.kind, claim.data)


@pytest.mark.parametrize("behind", [(), (BEHIND, "Marta is away.")])
def test_a_reply_may_have_a_word_of_what_its_line_goes_on_with(behind: tuple[str, ...]) -> None:
    said = "each lamp has a box to tick. not ticked = goes to next week by itself"
    before = request("01-06", said)
    claims = read(before).claims
    reply = (SAM, "leave one not ticked, mender opens next week, is there")
    made_of = request("03-02", "a", *behind, reply, claims=claims, other_answers=before.answers)
    line = LineRef(before.answers[0].id, claims[0].text)
    asked = FollowUp("check", "how?", line, after=made_of.answers[0].ts)
    draft = read(replace(made_of, follow_ups=(asked,)))
    assert outcomes(draft) == ["answered"]
    assert [claim.data["of"] for claim in draft.claims if claim.kind == "check"] == [claims[0].ref]


@pytest.mark.parametrize("kind", ["number", "difference"])
def test_a_check_still_answers_a_question_that_gave_its_place_to_another(
    kind: FollowUpKind,
) -> None:
    check = "pull the plug at noon, feed it ten, plug it in again, all ten are there"
    made_of = request_of("check", BEHIND, check)
    (asked,) = made_of.follow_ups
    behind = made_of.answers[1]
    other = FollowUp(kind, "well?", LineRef(behind.id, BEHIND), after=behind.ts)

    def lines_closed(*follow_ups: FollowUp) -> list[LineRef | None]:
        closed = read(replace(made_of, follow_ups=follow_ups)).closed
        return [follow_up.line for follow_up in closed if follow_up.outcome == "answered"]

    assert asked.line in lines_closed(asked.ended("passed"), other)
    assert lines_closed(asked.ended("passed"), replace(other, kind="check")) == [other.line]


def test_a_command_in_reply_to_the_question_for_a_check_is_no_story() -> None:
    said = "Open any keeper after the market, there's one slip and it's got a sum"
    assert "story" not in [claim.kind for claim in read(request("01-07", said)).claims]
    draft = read(asked_later("01-07", "That is all I have.", (SAM, said)))
    assert outcomes(draft) == ["answered"]
    (check,) = [claim for claim in draft.claims if claim.text == said]
    assert (check.kind, check.data["of"]) == ("check", "FR-001")


def test_a_line_that_nobody_was_asked_about_has_no_answer() -> None:
    claims: tuple[Claim, ...] = read(request("01-06", "A stall is held.", (SAM, "hours"))).claims
    assert not any("answers" in claim.data for claim in claims)


def test_a_reply_that_asks_for_more_is_no_check() -> None:
    said = "then updates never touch torn notes. writing that down here so it's said"
    claims = read(request_of("check", said)).claims
    assert "check" not in [claim.kind for claim in claims]
    assert said.partition(" writing")[0] in [claim.text for claim in claims]


def test_what_we_do_not_do_is_no_check_beside_a_trial() -> None:
    said = "we don't refuse in the rain. test with a torn note at noon, it still works"
    draft = read(request_of("check", said))
    kinds = {claim.text: claim.kind for claim in draft.claims}
    assert kinds["test with a torn note at noon, it still works"] == "check"
    assert kinds["we don't refuse in the rain."] != "check"


@pytest.mark.parametrize(
    "said",
    [
        "the till gets a torn note, both of us see it come back. no receipt then",
        "there is no torn note in mine so.. show the till a copy, nothing of it torn",
        "the torn note comes out of the till after 3 s, same side up",
    ],
)
def test_a_reply_right_behind_with_words_of_the_line_is_its_check_as_a_whole(said: str) -> None:
    draft = read(request_of("check", said))
    replies = [claim for claim in draft.claims if claim.text in said]
    assert {(claim.kind, claim.data["of"]) for claim in replies} == {("check", "FR-001")}
    assert outcomes(draft) == ["answered"]


def test_what_always_holds_is_no_trial() -> None:
    said = "Wet things (gloves, socks, and hats) always D. A is impossible there, even if it is dry"
    draft = read(request("01-06", said))
    assert "check" not in {claim.kind for claim in draft.claims}


def test_what_a_reply_demands_does_not_check_itself() -> None:
    said = "Refuse a torn note in the till. Refuse sums over 30 euros."
    claims = read(asked_later("04-04", "no comment", said)).claims
    demanded = {claim.text for claim in claims if claim.kind == "requirement"}
    assert demanded == {"Refuse a torn note in the till.", "Refuse sums over 30 euros."}
    assert not [claim.text for claim in claims if claim.kind == "check" and claim.text in demanded]


EARLIER = "Which earlier request or ticket was about the same?"


@pytest.mark.parametrize(
    "said",
    [
        "The market board wrote to the council for software back in 2019, and nothing came of it.",
        "MKT-418 and MKT-733, both by the fish stalls, and I had closed the first one myself",
        "there was that hackathon thing of Olu's, which nobody ever finished after he moved away",
        "we had an attempt, three winters ago, with slips of paper in a shoe box by the gate",
    ],
)
def test_what_a_step_lacks_is_answered_by_any_later_line_that_says_it(said: str) -> None:
    made_of = request("00-02", "grep for `stall` and `market_day`", (SAM, "not `Booth`, no"), said)
    first = made_of.answers[0]
    line = LineRef(first.id, first.text)
    asked = FollowUp("missing", f"{EARLIER} So far there is “{line.quote}”.", line, after=first.ts)
    for outcome in ("open", "passed"):
        draft = read(replace(made_of, follow_ups=(replace(asked, outcome=outcome),)))
        assert outcomes(draft) == ["answered"], outcome


def test_what_a_step_lacks_stays_open_where_people_speak_of_other_things() -> None:
    other = "the stalls by the river get wet, so their cards are in plastic, and so are the maps"
    made_of = request("00-02", "grep for `stall` and `market_day`", (SAM, "not `Booth`, no"), other)
    first = made_of.answers[0]
    line = LineRef(first.id, first.text)
    asked = FollowUp("missing", EARLIER, line, after=made_of.answers[1].ts)
    assert "answered" not in outcomes(read(replace(made_of, follow_ups=(asked,))))


def test_the_number_with_what_it_counts_is_the_unit_also_behind_others() -> None:
    said = ("the harbour agrees", "fine with me", (PRIYA, "4 hours of course"))
    made_of = request_of("unit", *said)
    line = LINES["unit"][1]
    asked = replace(made_of.follow_ups[0], question=f"“{line}”: 4 of what?")
    draft = read(replace(made_of, follow_ups=(asked,)))
    (reply,) = (claim for claim in draft.claims if claim.text == "4 hours of course")
    assert (reply.data["of"], reply.data["answers"]) == ("FR-001", "unit")
    boats = request_of("unit", *said[:2], (PRIYA, "4 boats obviously"))
    draft = read(replace(boats, follow_ups=(asked,)))
    (reply,) = (claim for claim in draft.claims if claim.text == "4 boats obviously")
    assert (reply.data["of"], reply.data["answers"]) == ("FR-001", "unit")


def test_an_amount_that_somebody_else_asked_for_is_no_unit_of_ours() -> None:
    asked = (PRIYA, "Sam, two days for the paint? Then we start on Monday.")
    assert outcomes(read(request_of("unit", asked, "1 day."))) == []
    assert outcomes(read(request_of("unit", (PRIYA, "Then we start on Monday."), "days"))) != []
