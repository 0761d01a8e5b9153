"""Choices that are such only because of what was said before them, in words of many trades."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, ReadRequest
from core.domain.ids import UserId
from tests.core.test_compose import made, page
from tests.core.test_scripted import PRIYA, SAM, answer, kinds, request

OPTIONS = """\
- A headless browser on the server draws the dashboard.
- The browser of the person prints it. That is plain."""
LETTERED = "A) bake at night\nB) bake at noon, deliver by bike\nC) buy frozen rolls"
TITLED = """\
ways:
- **Barn**: dry the hay under our own roof. Good: cheap. Bad: fire
- **Field**: dry it outside, turn it twice
- "Kiln": rent the one in Oudorp"""


def at_decisions(*said: str) -> list[tuple[str, str]]:
    """The lines of the step of decisions, after two options were put at the one before it."""
    put = read(request("03-01", OPTIONS))
    earlier = answer("03-01", 1, OPTIONS)
    return kinds(read(request("03-02", *said, claims=put.claims, other_answers=(earlier,))))


def chosen(step: str, *said: str | tuple[UserId, str]) -> list[str]:
    """The lines of a step that choose something."""
    claims = read(request(step, *said)).claims
    return [claim.text for claim in claims if claim.data.get("choice") == "chosen"]


def last_of(kind: str, step: str, *said: str | tuple[UserId, str]) -> Claim:
    return [claim for claim in read(request(step, *said)).claims if claim.kind == kind][-1]


@pytest.mark.parametrize(
    "said",
    [
        "We use a headless browser for both ways, since people have shown that it works.",
        "let's use the browser of the person, it can print",
    ],
)
def test_using_what_was_put_as_an_option_chooses_it(said: str) -> None:
    assert ("decision", said) in at_decisions(said)


@pytest.mark.parametrize(
    "said",
    [
        "We use a headless browser today.",
        "We use a headless browser for the invoices already.",
        "We use the browser.",
        "We use a headless browser if the memory allows it.",
        "We use a headless browser?",
        "We could use a headless browser.",
        "We use the mail server.",
        "The other team does use a headless browser.",
    ],
)
def test_use_of_it_today_or_perhaps_or_of_neither_option_chooses_nothing(said: str) -> None:
    assert "decision" not in [kind for kind, _ in at_decisions(said)]


def test_what_was_no_option_is_not_chosen_by_its_use() -> None:
    alone = read(request("03-02", "We use a headless browser for both ways."))
    assert kinds(alone)[0][0] == "fact"


@pytest.mark.parametrize(
    ("step", "asked", "said", "line"),
    [
        ("03-02", "which plugs? EU ones fit the ovens", "deal. EU plugs", "EU plugs"),
        ("03-02", "paper tickets or a code on the phone", "ok, paper tickets then.", ""),
        ("01-04", "xlsx pls, not pdf", "Ok, XLSX. One sheet, no macros", ""),
        ("03-04", "signature only above 200 euros?", "yes: signature only above 200 euros", ""),
        ("03-04", "lockers only for members?", "good one, yes: lockers only for members.", ""),
        ("03-02", "the tractors have 4G, the barns don't", "fine, barns by cable then", ""),
        (
            "03-03",
            "if the scale is away I want no weighing",
            "ok no. Manual weighing then",
            "Manual weighing then",
        ),
        ("03-02", "nehmt bitte die EU-Stecker", "einverstanden. EU-Stecker", "EU-Stecker"),
        ("03-02", "mejor el tren de noche", "vale, tren de noche entonces", ""),
        ("03-01", LETTERED, "Then let's go with A. C is far too dear for us", "A."),
        ("03-01", LETTERED, "so B it is, because of the bikes", ""),
        ("03-01", LETTERED, "we take b. the frozen ones taste like the box", "we take b."),
        ("03-01", LETTERED, "Agreed to B, if the bikes are paid by the town.", ""),
        ("03-01", "Option 1: a ramp\nOption 2: a lift", "agreed with 2, as long as it fits", ""),
        ("03-01", LETTERED, "A + C then. A for the rolls, C for the weekend", "A + C then."),
        ("03-01", LETTERED, "My vote is the second, on condition that the bikes are paid", ""),
        ("03-01", LETTERED, "but I want option B", ""),
        ("03-01", TITLED, "I'm for the barn", ""),
        ("03-01", TITLED, "kiln then, it rains all July", ""),
        ("03-01", TITLED, "we vote for the third one", ""),
        ("04-02", "colour, size, price?", "then it's fixed: colour and price", ""),
        ("04-03", "one stamp is too few", "ok 2 stamps: at the gate and at the scale", ""),
        ("02-04", "which ward?", "start: ward 3 in the new wing", ""),
        ("02-04", "how do we bring it?", "we begin with the night shift", ""),
        ("04-05", "close it 3 hours before the show", "Then 3 hours before the show, decided.", ""),
        ("04-05", "fee of 5 or of 8?", "8 per seat, that's settled", ""),
        ("01-06", "loans are for 14 days", "let's make the loan 21 days", ""),
        ("02-04", "how do we bring it?", "first the north depot in May, then the south", ""),
        ("02-04", "the Tuesday choir is small", "Tuesday choir first.", ""),
        ("02-04", "how?", "start with the two vans of Ahmed, then all of them", ""),
        ("04-03", "which wins, the till or the shelf?", "the till, signed by two", ""),
        ("04-03", "Kasse oder Regal?", "Kasse", ""),
        ("04-03", "honey has a date", "if they differ: the stamp on the hive wins. Always.", ""),
        ("04-03", "-", "Bei zwei Preisen: das Schild am Regal gewinnt.", ""),
        ("03-02", "what is new?", "Cobol + the printer as now, no new software", ""),
        ("03-02", "the kiln by gas or by wood", "no: kiln by wood, plain", ""),
    ],
)
def test_a_line_takes_up_what_was_said_before_it(
    step: str, asked: str, said: str, line: str
) -> None:
    (one,) = chosen(step, (PRIYA, asked), (SAM, said))
    assert one.endswith(line or said)


@pytest.mark.parametrize(
    ("step", "asked", "said"),
    [
        ("03-02", "we could use the old kiln", "we could use the gas one"),
        ("03-02", "the franking machine works", "keeping the old one would be a waste"),
        ("03-02", "which plugs? EU ones", "ok then, see you"),
        ("03-02", "which plugs? EU ones", "fine, no idea"),
        ("03-02", "which plugs? EU ones", "ok, who pays for the plugs then?"),
        ("03-02", "which plugs? EU ones", "ok, the plugs are broken then"),
        ("03-02", "which plugs? EU ones", "deal. brb"),
        ("03-02", "which plugs? EU ones", "Ok, maybe EU plugs."),
        ("03-02", "which plugs? EU ones", "no: nobody asked the electrician"),
        ("03-04", "is the fee per seat?", "yes: per seat"),
        ("03-04", "who signs for the keys?", "yes: exactly"),
        ("03-01", LETTERED, "A sounds nice, I could live with A"),
        ("03-01", LETTERED, "B would be my dream"),
        ("03-01", LETTERED, "B?"),
        ("03-01", LETTERED, "agreed with you"),
        ("03-01", LETTERED, "I spoke with A. Smith about the ovens"),
        ("03-01", LETTERED, "plan B was used in 2019"),
        ("03-01", LETTERED, "second"),
        ("03-01", LETTERED, "Then B?"),
        ("03-01", LETTERED, "B and then some"),
        ("03-01", LETTERED, "I want a bakery, not a museum"),
        ("03-01", TITLED, "barn!!!"),
        ("03-01", TITLED, "I want the barn painted"),
        ("03-01", TITLED, "the field is wet"),
        ("03-01", "a roof would be nice", "then we would need a roof"),
        ("03-02", "Choose for us", "Choose one."),
        ("03-02", "which of the two", "Take either of them."),
        ("03-04", "the insurer asks for two keys", "ok. insurer wins."),
        ("03-04", "the nets are 30 m", "then we might cut the nets"),
        ("03-04", "the nets are 30 m", "then your boats cut the nets"),
        ("03-04", "the nets are 30 m", "ok, then who cuts the nets?"),
        ("02-04", "which ward?", "we start at seven, come later"),
        ("02-04", "which ward?", "we'd begin with ward 3"),
        ("01-03", "the cook calls the guest", "Then the cook serves the guest."),
        ("04-05", "close it early", "I thought that was decided"),
        ("04-05", "close it early", "when it is decided, tell me"),
        ("02-04", "the choir is small", "we'd start with the choir, then maybe the rest"),
        ("02-04", "the choir is small", "safety first."),
        ("02-04", "the choir is small", "first the choir, then the others?"),
        ("04-03", "which wins, the till or the shelf?", "the till or the shelf, no idea"),
        ("04-03", "which wins, the till or the shelf?", "The till is broken"),
        ("04-03", "the stock list wins", "the shelf wins"),
        ("04-03", "the shelf is often wrong", "the shelf wins."),
        ("03-02", "what is new?", "no new software, or is there?"),
        ("01-04", "the boat has an engine", "so it is what it is"),
        ("01-01", "the boat leaks", "well, good to know how it is then"),
    ],
)
def test_what_only_looks_like_it_chooses_nothing(step: str, asked: str, said: str) -> None:
    assert chosen(step, (PRIYA, asked), (SAM, said)) == []


def test_who_put_the_options_chooses_by_the_name_alone() -> None:
    own = [(SAM, TITLED), (PRIYA, "barn"), (PRIYA, "the field is wet"), (SAM, "3:1, Barn.")]
    assert chosen("03-01", *own) == ["3:1, Barn."]
    assert chosen("03-01", (SAM, LETTERED), (PRIYA, "C. I like C"), (SAM, "noted, A + B")) == [
        "noted, A + B"
    ]


def test_a_choice_by_place_names_the_option_that_stands_there() -> None:
    choice = last_of("option", "03-01", (PRIYA, TITLED), (SAM, "my choice: the second"))
    assert choice.data["option"] == "Field"


SOWING = "A) sow the field in rows\nB) sow it by hand"


def which(*said: str | tuple[UserId, str]) -> str:
    """What the step of options asks about those of which nobody chose one."""
    asked = read(_of_options(*said)).follow_up
    return asked.question if asked and "which is it to be" in asked.question else ""


def _of_options(*said: str | tuple[UserId, str]) -> ReadRequest:
    made = request("03-01", *said)
    return replace(made, step=next(step for step in made.steps if step.id == "03-01"))


def test_options_are_asked_about_once_somebody_else_has_answered_and_nobody_chose() -> None:
    against = (SAM, "rows need the big tractor")
    assert which(SOWING) == ""
    assert which(SOWING, against) == (
        "“sow the field in rows” or “sow it by hand”: which is it to be, and who decides?"
    )
    assert which(SOWING, against, "B.") == ""
    assert which(SOWING, against, (SAM, "we go with A")) == ""


def test_options_of_a_list_go_by_the_names_that_others_call_them() -> None:
    choice, *others = reversed(read(_of_options(SOWING, (SAM, "so B it is"))).claims)
    assert [claim.data["option"] for claim in reversed(others)] == ["Option A", "Option B"]
    assert choice.data["option"] == "Option B"


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("frozen rolls are off the table", "frozen rolls"),
        ("forget the frozen rolls", "frozen rolls"),
        ("ok, drop the bikes, too slow", "bikes"),
        ("B is dead", "B"),
        ("no to B, the bikes rust", "B"),
        ("the bikes won't work in winter", "the bikes"),
        ("baking at noon, certainly not", "baking at noon"),
        ("frozen rolls please no", "frozen rolls"),
        ("C is out, too dear", "C"),
    ],
)
def test_what_somebody_turns_down_is_a_rejection(said: str, option: str) -> None:
    claims = read(request("03-01", (PRIYA, LETTERED), (SAM, said))).claims
    turned_down = [one.data["option"] for one in claims if one.data.get("choice") == "rejected"]
    assert turned_down == [option]


@pytest.mark.parametrize(
    "said",
    [
        "forget it",
        "forget about that",
        "is B off the table?",
        "if the bikes won't work we walk",
        "when B is off the table we walk",
        "the lift is out of order",
        "maybe drop the bikes",
        "drop me a line about the bikes",
        "my uncle is dead tired of rolls",
    ],
)
def test_what_only_sounds_like_turning_down_rejects_nothing(said: str) -> None:
    claims = read(request("03-01", (PRIYA, LETTERED), (SAM, said))).claims
    assert not any("choice" in one.data for one in claims)


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("A) one oven. fast to heat. hard to clean\nB) two ovens",
         {"fast to heat.": "Option A", "hard to clean": "Option A"}),
        ("Option A: one oven\nwe know it by heart\nOption B: two ovens\nnobody has the room",
         {"we know it by heart": "Option A", "nobody has the room": "Option B"}),
        ("A) one oven\nB) two ovens\nboth need a permit", {"both need a permit": ""}),
        ("A) one oven\nB) two ovens\n- the permit takes a year", {"the permit takes a year": ""}),
    ],
)  # fmt: skip
def test_what_stands_behind_an_option_in_its_answer_is_about_it(
    said: str, about: dict[str, str]
) -> None:
    lines = {
        claim.text: claim.data.get("option", "") for claim in read(request("03-01", said)).claims
    }
    assert {text: lines[text] for text in about} == about


@pytest.mark.parametrize(
    ("remark", "option"),
    [
        ("the sidecar is one more thing to page me", "rotate via sidecar"),
        ("restart = 20 minutes of nothing", "rotate in the app, restart needed"),
        ("rotate when it suits", ""),
        ("no opinion tbh", ""),
    ],
)
def test_a_remark_on_one_option_alone_stands_with_it(remark: str, option: str) -> None:
    asked = _of_options("- rotate via sidecar\n- rotate in the app, restart needed", (SAM, remark))
    assert read(asked).claims[-1].data.get("option", "") == option


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("ok we go with the cron then", "a small cron job"),
        ("my vote is the queue", "or a queue"),
        ("the cron job is a night shift", ""),
    ],
)
def test_an_option_of_a_plain_list_may_be_called_by_some_of_its_words(
    said: str, option: str
) -> None:
    asked = _of_options("- a small cron job\n- or a queue\n- cheap matters most to me", said)
    *_, last = read(asked).claims
    assert (last.data["option"] if last.data.get("choice") == "chosen" else "") == option


def test_what_its_author_thinks_of_the_options_is_none() -> None:
    asked = _of_options(
        "- a small cron job\n- or a queue\n- cheap matters most\n- I'd go with cron"
    )
    names = [claim.data.get("option") for claim in read(asked).claims]
    assert names == ["a small cron job", "or a queue", None, "a small cron job"]


def test_another_persons_line_is_about_no_option_that_it_does_not_name() -> None:
    claims = read(
        request("03-01", "A) one oven. fast\nB) two ovens", (SAM, "hard to clean"))
    ).claims
    assert (
        next(claim for claim in claims if claim.text == "hard to clean").data.get("option") is None
    )


def test_the_table_of_options_points_at_what_was_said_beside_an_option() -> None:
    said = "A) one oven. fast to heat\nB) two ovens"
    text = page(made("03-01", "architecture-overview.md", said))
    one, two = [row for row in text.splitlines() if row.startswith("| Option ")][1:]
    assert "| one oven. / fast to heat | see left | see left |" in one
    assert "| two ovens | not said | not said |" in two


OVENS = "A) one oven\nB) two ovens"


@pytest.mark.parametrize(
    "said", ["hm, so no bread on sundays with A? Then B.", "no bread on sundays? ok then option B."]
)
def test_a_choice_that_follows_from_its_authors_own_question_is_one_line_with_it(said: str) -> None:
    claims = read(request("03-01", OVENS, (SAM, said))).claims
    (choice,) = [claim for claim in claims if claim.data.get("choice") == "chosen"]
    assert (choice.text, choice.data["option"]) == (said, "Option B")
    assert "question" not in {claim.kind for claim in claims}


@pytest.mark.parametrize(
    "more",
    [
        [(SAM, "no bread on sundays with A?"), (PRIYA, "Then B.")],
        [(SAM, "no bread on sundays with A? I asked the baker. Then B.")],
        [(SAM, "no bread on sundays with A? Then B, since bread matters most to people here.")],
    ],
)
def test_a_question_that_somebody_else_may_answer_stays_one(more: list[tuple[UserId, str]]) -> None:
    claims = read(request("03-01", OVENS, *more)).claims
    assert "no bread on sundays with A?" in [
        claim.text for claim in claims if claim.kind == "question"
    ]


@pytest.mark.parametrize(
    ("put", "said", "name"),
    [
        ("a/ one oven. slow\nb/ two ovens. loud\nc/ buy bread", "(b) then", "Option B"),
        ("way 1: one oven\nway 2: two ovens", "So it's way 2", "way 2"),
        ("a/ one oven\nb/ two ovens\nc/ buy bread", "The third one I cannot sign.", "Option C"),
    ],
)
def test_an_option_is_called_as_its_list_calls_it(put: str, said: str, name: str) -> None:
    """True if a line takes it or only speaks of it: no second row for one option."""
    claims = read(request("03-01", (PRIYA, put), (SAM, said))).claims
    *_, last = claims
    assert last.data["option"] == name
    assert name in {claim.data.get("option") for claim in claims if claim is not last}


def test_a_list_at_another_step_takes_none_of_the_options_by_its_letters() -> None:
    put = request("03-01", (PRIYA, "a/ one oven\nb/ two ovens\nc/ buy bread"))
    failures = "a. no gas -> one more try -> then a card\nc. half a file -> stop"
    later = request("04-04", (PRIYA, failures), claims=read(put).claims, other_answers=put.answers)
    assert not [claim for claim in read(later).claims if claim.kind == "decision"]
