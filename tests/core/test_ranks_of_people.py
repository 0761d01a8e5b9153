"""Ranks as people write them: by number, by letter, in shorthand, and of things nobody listed."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from core.domain.lines import standing
from tests.core.test_scripted import PRIYA, SAM, answer, request

NUMBERED = """\
1: The member sees which boats are free.
2: The member must name the crew before the boat is given out.
3: The office must see who has the key.
4: A broken oar must be reported with a photo."""


def ranks(*said: str, listed: str = NUMBERED) -> list[tuple[str, str]]:
    """Requirement and rank of each line that ranks, after the requirements were listed."""
    earlier = (answer("01-06", 1, listed),)
    known = read(request("01-06", listed)).claims
    draft = read(request("01-08", *said, claims=known, other_answers=earlier))
    return [_rank(claim) for claim in draft.claims if claim.kind == "priority"]


def _rank(claim: Claim) -> tuple[str, str]:
    return claim.data["requirement"], claim.data["priority"]


MUSTS = [("FR-001", "must"), ("FR-002", "must"), ("FR-003", "must")]


@pytest.mark.parametrize(
    "said",
    [
        "1 2 3 must",
        "must: 1 2 3",
        "M: 1, 2, 3",
        "**M** 1-3",
        "MoSCoW, first try: *M* 1-3.",
        "1, 2 and 3 to M",
        "Must: 1-3",
    ],
)
def test_requirements_are_ranked_by_the_numbers_that_people_gave_them(said: str) -> None:
    assert ranks(said) == MUSTS


@pytest.mark.parametrize(
    ("said", "rank"),
    [
        ("Can't do without: 1, 2, 3", "must"),
        ("Non-negotiable for me: 1, 2, 3", "must"),
        ("Absolutely necessary:\n- 1\n- 2\n- 3", "must"),
        ("Important, but I survive a month without: 1, 2, 3", "should"),
        ("Should be there: 1, 2, 3", "should"),
        ("Nice if there's time: 1, 2, 3", "could"),
        ("| what | how badly |\n|---|---|\n| 1, 2, 3 | can't live without |", "must"),
        ("| what | how badly |\n|---|---|\n| 1, 2, 3 | if there's time |", "could"),
        ("1, 2 and 3 move up to can't live without", "must"),
        ("can't ship without: 1, 2, 3", "must"),
        ("really want: 1, 2, 3", "should"),
        ("nice if: 1, 2, 3", "could"),
    ],
)
def test_a_rank_may_have_a_name_of_peoples_own(said: str, rank: str) -> None:
    assert ranks(said) == [(ref, rank) for ref, _ in MUSTS]


@pytest.mark.parametrize(
    ("said", "ranked"),
    [
        ("The oar is missing from the list. It is a must.", [("FR-004", "must")]),
        ("My crew is not on there. 14 boats have none. That's a must as well, please.",
         [("FR-002", "must")]),
        ("Without the key there is no trip. It is a must or I row home.", [("FR-003", "must")]),
        ("I like lists. It is a must.", [("", "must")]),
    ],
)  # fmt: skip
def test_it_is_what_the_sentence_before_speaks_of(said: str, ranked: list[tuple[str, str]]) -> None:
    assert ranks(said) == ranked


@pytest.mark.parametrize(
    "said",
    ["the boat is important: it carries the key", "I can't live without coffee", "bonus for Sam"],
)
def test_words_of_rank_in_a_sentence_rank_nothing(said: str) -> None:
    assert ranks(said) == []


@pytest.mark.parametrize(
    ("said", "rank"),
    [
        ("ok, the regatta list goes up to must", "must"),
        ("Could: an app for the coach", "could"),
        ("S: late return message", "should"),
        ("weather warnings to C then", "could"),
        ("winter storage → should", "should"),
        ("winter storage stays should, sorry Sam, it's the first thing after the musts", "should"),
        ("| winter storage | could |", "could"),
        ("All right Sam, winter storage goes to the musts.", "must"),
        ("winter storage is a must or you row alone", "must"),
        ("winter storage is a must to me tbh", "must"),
    ],
)
def test_a_rank_of_what_nobody_listed_is_kept_as_a_rank(said: str, rank: str) -> None:
    assert ranks(said) == [("", rank)]


@pytest.mark.parametrize(
    "said", ["winter storage: won't, not this year", "| winter storage | won't |"]
)
def test_what_nobody_listed_and_wont_be_is_out_of_scope(said: str) -> None:
    assert [claim.kind for claim in read(request("01-08", said)).claims] == ["exclusion"]


@pytest.mark.parametrize(
    "said",
    [
        "you must be kidding",
        "we could row to the island",
        "is winter storage a must?",
        "There is no “should” before the harbour master.",
        "Vitamin C is good for rowers",
        "c: is what I call the ferry",
        "the ferry is late, so we must wait",
    ],
)
def test_a_word_of_rank_in_passing_ranks_nothing(said: str) -> None:
    assert ranks(said) == []


def test_everything_but_one_leaves_that_one_out() -> None:
    assert ranks("everything must except 4") == MUSTS
    assert ranks("everything must except the thing with Bob") == []


def stands(*said: tuple[UserId, str]) -> list[tuple[str, str]]:
    """Requirement and rank of each line that ranks and that no later one replaced."""
    earlier = (answer("01-06", 1, NUMBERED),)
    known = read(request("01-06", NUMBERED)).claims
    claims = read(request("01-08", *said, claims=known, other_answers=earlier)).claims
    return sorted(_rank(claim) for claim in standing(claims) if claim.kind == "priority")


@pytest.mark.parametrize(
    "said", ["fine, 4's a must.", "oh go on then, 4's a must", "ok ok. 4 is a must love"]
)
def test_a_number_with_its_verb_shortened_is_ranked(said: str) -> None:
    assert ranks(said) == [("FR-004", "must")]


def test_a_later_rank_of_whoever_ranked_the_list_replaces_that_of_somebody_else() -> None:
    by_list = [(PRIYA, "Must: 1, 2, 3. Should: 4."), (SAM, "1 is a could"), (PRIYA, "1 is a must")]
    assert set(stands(*by_list)) == {*MUSTS, ("FR-004", "should")}
    by_another = [(PRIYA, "4 is a should"), (SAM, "4 is a must"), (PRIYA, "4 is a could")]
    assert stands(*by_another) == [("FR-004", "could"), ("FR-004", "must")]


@pytest.mark.parametrize("said", ["the key stays where it is", "the boat shed stays as it was"])
def test_what_stays_where_it_is_and_was_never_ranked_is_no_rank(said: str) -> None:
    assert ranks("Must: 1, 2", said) == MUSTS[:2]


@pytest.mark.parametrize(
    "listed",
    [
        "F1 The member sees which boats are free.\nF2 A broken oar must be reported.",
        "- [ ] AC1 The member sees which boats are free.\n- [ ] AC2 A broken oar must be reported.",
    ],
)
def test_ranks_name_lines_by_whatever_letters_people_gave_them(listed: str) -> None:
    sign = "F" if listed.startswith("F") else "AC"
    assert ranks(f"MUST {sign}2, {sign}1", listed=listed) == [
        ("FR-002", "must"),
        ("FR-001", "must"),
    ]
    assert ranks(f"{sign}2 → should", listed=listed) == [("FR-002", "should")]


UNNUMBERED = """\
The member sees which boats are free.
The member must name the crew before the boat is given out.
The office must see who has the key.
The boat is gone from the list for 2 days."""


@pytest.mark.parametrize("listed", [NUMBERED, UNNUMBERED])
@pytest.mark.parametrize(
    ("said", "ranked"),
    [
        ("2 must, last time they rang me at home", ["FR-002 must"]),
        ("fine, 2 should then", ["FR-002 should"]),
        ("2 must bc the board wants it", ["FR-002 must"]),
        ("must 1 2 because of the board", ["FR-001 must", "FR-002 must"]),
        ("and 3 is the same as 2 so must too", ["FR-003 must"]),
        ("2 isn't optional, otherwise the oars rot", ["FR-002 must"]),
        ("1 and 2 are not negotiable", ["FR-001 must", "FR-002 must"]),
        ("2 days must be enough", []),
    ],
)
def test_a_number_and_a_rank_may_have_a_reason_behind_them(
    said: str, ranked: list[str], listed: str
) -> None:
    assert [" ".join(rank) for rank in ranks(said, listed=listed)] == ranked


def test_what_was_taken_out_is_none_of_the_rest() -> None:
    earlier = (answer("01-06", 1, UNNUMBERED), answer("01-06", 2, "FR-002 isn't a requirement"))
    known = read(request("01-06", UNNUMBERED, "FR-002 isn't a requirement")).claims
    first = read(request("01-08", "FR-001 must", claims=known, other_answers=earlier)).follow_up
    assert first is not None
    assert first.question.startswith("Where do FR-003 and FR-004 each stand")
    said = request("01-08", "FR-001 must, the rest should", claims=known, other_answers=earlier)
    assert [_rank(claim) for claim in read(said).claims] == [
        ("FR-001", "must"),
        ("FR-003", "should"),
        ("FR-004", "should"),
    ]


def test_the_ways_of_ranking_that_the_how_to_page_shows() -> None:
    others = [("FR-002", "should"), ("FR-004", "should")]
    said = "FR-001 and FR-003 must, the others should"
    assert ranks(said) == [("FR-001", "must"), ("FR-003", "must"), *others]
    assert ranks("everything must except FR-004") == MUSTS
    assert ranks("1 3 must, 2 could") == [MUSTS[0], MUSTS[2], ("FR-002", "could")]
    assert ranks("must: the crew, the oar") == [MUSTS[1], ("FR-004", "must")]
    assert ranks("FR-001 must", "FR-001 actually should, final")[-1] == ("FR-001", "should")


BARE = (
    "1 The member sees which boats are free.\n2 A broken oar must be reported.\n"
    "3 2 days without a key close the boat.\n4 The key must hang at the door."
)


def test_the_bare_numbers_of_a_list_rank_its_lines_and_are_no_part_of_them() -> None:
    texts = [claim.text for claim in read(request("01-06", BARE)).claims]
    assert texts[:2] == ["The member sees which boats are free.", "A broken oar must be reported."]
    assert texts[2].startswith("2 days without a key")
    assert ranks("1, 4 must", listed=BARE) == [("FR-001", "must"), ("FR-004", "must")]


@pytest.mark.parametrize("count", [9, 10, 11])
def test_a_line_of_a_long_list_stands_in_its_authors_words(count: int) -> None:
    texts = [f"The member sees boat {letter}." for letter in "abcdefghijk"[:count]]
    said = "\n".join(f"{number} {text}" for number, text in enumerate(texts, 1))
    assert [claim.text for claim in read(request("01-06", said)).claims] == texts


def test_two_lines_that_begin_with_numbers_are_no_list() -> None:
    said = "1 member sees the boats that are free.\n2 members must report a broken oar."
    assert [claim.text for claim in read(request("01-06", said)).claims] == said.split("\n")


def test_a_letter_and_a_number_in_one_line_alone_name_nothing() -> None:
    listed = "V2 of the boat list shows the keys.\nThe member must name the crew."
    assert ranks("V2 must be fast, crew should", listed=listed) == [("FR-002", "should")]


TOURS = """\
A courier can join a tour by scanning the code on the crate.
The office can offer a free tour to one courier.
An offer is open for 15 minutes, then the next courier gets it.
The courier sees the crates of a tour in the order of the stops.
A refused tour must come back to the office."""
LAB = """\
The lab can export all samples of a month as CSV.
Every change of a result is kept in the audit log.
A technician can scan a sample at the bench.
The doctor sees the result as soon as it is released."""


@pytest.mark.parametrize(
    ("listed", "said", "ranked"),
    [
        (TOURS, "musts: join, offer, 15 min then next", ["FR-001 must", "FR-003 must"]),
        (TOURS, "must: join, coffee, refused ones", ["FR-001 must", "FR-005 must"]),
        (TOURS, "should: the scanning thing and stops / could: refused ones",
         ["FR-001 should", "FR-004 should", "FR-005 could"]),
        (TOURS, "must: join\nshould: order, next one", ["FR-001 must", "FR-004 should",
         "FR-003 should"]),
        (LAB, "must: export, the audit bit", ["FR-001 must", "FR-002 must"]),
        (LAB, "must: the audit bit", ["FR-002 must"]),
        (LAB, "ok, the CSV export down to could", ["FR-001 could"]),
        (LAB, "bench scan is a must then", ["FR-003 must"]),
        (LAB, "Should: CSV, bench, doctor", ["FR-001 should", "FR-003 should", "FR-004 should"]),
    ],
)  # fmt: skip
def test_a_list_under_a_rank_ranks_what_its_pieces_call_by_a_word_of_their_own(
    listed: str, said: str, ranked: list[str]
) -> None:
    assert [" ".join(rank) for rank in ranks(said, listed=listed) if rank[0]] == ranked


@pytest.mark.parametrize(
    "said",
    [
        "must: tour, crates",
        "must: coffee",
        "should: courier and office",
        "could: dark mode",
        "must: stops screen",
    ],
)
def test_a_piece_that_fits_none_or_several_ranks_nothing(said: str) -> None:
    assert set(ranks(said, listed=TOURS)) == {("", said.partition(":")[0])}


def test_a_piece_calls_the_one_requirement_that_opens_with_it() -> None:
    listed = (
        "Receipt on the day of the tour, as a text\nA receipt must never change\nMap of the tour"
    )
    assert ranks("Must: receipt", listed=listed) == [("FR-001", "must")]
    assert ranks("Must: receipt, tip", listed=listed)[0] == ("FR-001", "must")


def test_a_word_of_a_line_that_says_many_things_does_not_rank_all_of_it() -> None:
    run_on = (
        "The courier must see the crates of a tour in the order of the stops, and the office must "
        "see where he is, and whoever gets a crate must sign with a finger, and a photo of the "
        "crate must be kept for a month, and then there must be a mail with a link to that photo"
    )
    assert set(ranks("Should: finger, a receipt", listed=f"{run_on}\n{TOURS}")) == {("", "should")}


def test_the_rest_is_what_the_list_before_it_does_not_call() -> None:
    assert ranks("must: export, the audit bit. rest is should", listed=LAB) == [
        ("FR-001", "must"),
        ("FR-002", "must"),
        ("FR-003", "should"),
        ("FR-004", "should"),
    ]


def test_nothing_is_the_rest_where_a_piece_of_the_list_cannot_be_placed() -> None:
    assert ranks("must: join, offer. the rest is should", listed=TOURS) == [
        ("FR-001", "must"),
        ("", "must"),
        ("", "should"),
    ]


MARKET = """\
A trader books a pitch for a whole day.
A trader can put a second stand in for a helper.
The warden fines a stand that stays after six.
Fines are mailed to the trader on Mondays.
The town gets a list of the stands of a month."""
KITCHEN = "As a cook I want a bell that rings when a pitch is free so that I do not run."


def called(*said: str, listed: str = MARKET, stories: str = KITCHEN) -> list[str]:
    """`FR-001 must`, `FR-001, FR-003? must` of each rank of what people call by nicknames."""
    quality = read(request("01-05", "The map of the market is up in 2 s.")).claims
    features = read(request("01-06", listed)).claims
    known = (*quality, *features, *read(request("01-07", stories)).claims)
    claims = read(request("01-08", *said, claims=known)).claims
    return [
        f"{rank.data['requirement'] or _maybe(rank)} {rank.data['priority']}"
        for rank in standing(claims)
        if rank.kind == "priority"
    ]


def _maybe(rank: Claim) -> str:
    return f"{rank.data['maybe']}?" if "maybe" in rank.data else "-"


@pytest.mark.parametrize(
    ("said", "ranked"),
    [
        ("must: pitches, helpers", ["FR-001 must", "FR-002 must"]),
        ("must: putting helpers in", ["FR-002 must"]),
        ("should: the fine mailing, the monthly stuff", ["FR-004 should", "FR-005 should"]),
        ("must: fine", ["FR-003, FR-004? must"]),
        ("bell = must", ["US-001 must"]),
        ("the free bell thing → must, town list → could", ["FR-005 could", "US-001 must"]),
        ("could: the map", ["NFR-001? could"]),
        ("could: the market map", ["NFR-001 could"]),
        ("must: Monday town", ["FR-004, FR-005? must"]),
        ("must: lottery", ["- must"]),
        ("MUST pitch booking, helpers", ["FR-001 must", "FR-002 must"]),
        ("noooo 😱 by bell is a must too!!", ["US-001 must"]),
        ("the helpers aren't a must", ["- must"]),
        ("agreed, moved to must", ["- must"]),
    ],
)
def test_a_nickname_ranks_the_one_line_that_has_its_words_in_any_form(
    said: str, ranked: list[str]
) -> None:
    assert called(said) == ranked


def test_a_nickname_of_a_line_that_another_came_instead_of_ranks_what_stands() -> None:
    listed = f"{MARKET}\nStands are never heated."
    assert called("must: heating", listed=listed) == ["FR-006 must"]


def test_a_line_that_only_speaks_of_another_has_no_nickname_by_it() -> None:
    listed = f"{MARKET}\nfor the pitches, a trader must see two phones with one booking."
    assert called("must: pitches", listed=listed) == ["FR-001 must"]


def test_a_later_rank_of_a_nickname_replaces_that_of_it_alone() -> None:
    said = ("Should: the lottery, the raffle", "ok ok, lottery is a must.")
    assert called(*said) == ["- should", "- must"]


def test_a_name_stays_with_the_line_that_had_it_first() -> None:
    listed = "F1 A trader books a pitch.\nF2 The warden fines a stand.\nF2: two phones must beep."
    assert ranks("must: F1, F2", listed=listed) == [("FR-001", "must"), ("FR-002", "must")]
    numbered = "1. A trader books a pitch.\n2. The warden fines a stand.\n2: two phones must beep."
    assert ranks("must: 1, 2", listed=numbered) == [("FR-001", "must"), ("FR-002", "must")]


def test_a_list_at_the_step_of_the_requirements_ranks_those_before_it() -> None:
    said = "musts: join, offer, 15 min then next. rest is should"
    claims = read(request("01-06", TOURS, said)).claims
    later = [claim for claim in claims if claim.text in said]
    assert [claim.kind for claim in later] == ["priority", "priority", "decision"]
    assert [_rank(claim) for claim in later[:2]] == [("FR-001", "must"), ("FR-003", "must")]
    assert len({claim.id for claim in claims}) == len(claims)


def test_a_list_there_that_calls_one_of_them_or_none_is_a_requirement() -> None:
    for said in ("Must: dark mode, the scanning", "Must: dark mode"):
        *_, last = read(request("01-06", TOURS, said)).claims
        assert (last.kind, last.data["priority"]) == ("requirement", "must")


@pytest.mark.parametrize(
    ("said", "placed"),
    [
        ("free boats, crew names: must, no discussion", [("FR-001", "must"), ("FR-002", "must")]),
        ("naming the crew: must", [("FR-002", "must")]),
        ("keys: must, oars: could", [("FR-003", "must"), ("FR-004", "could")]),
    ],
)
def test_a_list_before_its_rank_is_ranked_piece_by_piece(
    said: str, placed: list[tuple[str, str]]
) -> None:
    assert ranks(said) == placed


PLAIN = (
    "The member sees which boats are free.\nA broken oar must be reported.\n"
    "The key must hang at the door.\nThe office must see who has the key."
)


def test_a_number_is_that_of_the_name_where_a_line_was_taken_back() -> None:
    claims = read(request("01-06", PLAIN)).claims
    assert [claim.ref for claim in claims] == ["FR-001", "FR-002", "FR-003", "FR-004"]
    known = tuple(claim for claim in claims if claim.ref != "FR-002")
    draft = read(request("01-08", "3 must, 4 could", claims=known))
    rank_of = dict(_rank(claim) for claim in draft.claims if claim.kind == "priority")
    assert rank_of == {"FR-003": "must", "FR-004": "could"}


MANY = "\n".join(f"The member can book boat {letter}." for letter in "abcdefghijkl")


def ranked_of_many(said: str, step: str = "01-08") -> dict[str, str]:
    """Twelve requirements, of which one message numbered three others for itself."""
    first = read(request("01-06", MANY)).claims
    listed = "1. The oar must be dry.\n2. The key must hang.\n3. The gate must lock."
    known = read(request("01-06", MANY, listed)).claims
    assert first[-1].ref == "FR-012"
    answers = (answer("01-06", 1, MANY), answer("01-06", 2, listed))
    claims = read(request(step, said, claims=known, other_answers=answers)).claims
    assert not [claim for claim in claims if claim.kind == "decision"]
    return dict(_rank(claim) for claim in claims if claim.kind == "priority")


@pytest.mark.parametrize("said", ["2, 12 must", "2 12 must", "2 + 12 must", "must: 2, 12"])
def test_numbers_are_those_of_the_names_where_nobody_gave_one_of_them(said: str) -> None:
    assert ranked_of_many(said) == {"FR-002": "must", "FR-012": "must"}


def test_numbers_that_people_gave_are_meant_where_each_is_one_of_them() -> None:
    assert ranked_of_many("1, 3 must") == {"FR-013": "must", "FR-015": "must"}


def test_ranks_by_name_count_at_any_step() -> None:
    assert ranked_of_many("FR-002, FR-004 must", "04-05") == {"FR-002": "must", "FR-004": "must"}
    assert ranked_of_many("ranks: FR-002 should", "02-04") == {"FR-002": "should"}
    assert ranked_of_many("FR-002 actually won't, final", "04-05") == {"FR-002": "won't"}
    reason = "FR-002 must, because the night crew has one tablet."
    assert ranked_of_many(reason, "04-05") == {"FR-002": "must"}


@pytest.mark.parametrize("said", ["fine, should", "25 + 26 should", "SMS 35 should, not must."])
def test_a_line_with_a_rank_decides_nothing_where_ranks_are_asked_for(said: str) -> None:
    ranked_of_many(said)


def test_the_rest_is_no_word_of_a_line() -> None:
    listed = "A rower has 11 hours of rest.\nThe boat is dry."
    known = read(request("01-06", listed)).claims
    claims = read(request("01-08", "rest could", claims=known)).claims
    assert [_rank(claim) for claim in claims if claim.kind == "priority"] == []


def test_one_number_of_a_name_makes_the_others_of_the_step_numbers_of_names() -> None:
    first = read(request("01-06", MANY)).claims
    listed = "1. The oar must be dry.\n2. The key must hang.\n3. The gate must lock."
    known = read(request("01-06", MANY, listed)).claims
    assert len(known) == len(first) + 3
    answers = (answer("01-06", 1, MANY), answer("01-06", 2, listed))
    said = ("5, 10 must", (SAM, "1. 11 12 must\n2. 7 should"), (PRIYA, "3 could. oars are great"))
    draft = read(request("01-08", *said, claims=known, other_answers=answers))
    rank_of = dict(_rank(claim) for claim in draft.claims if claim.kind == "priority")
    assert rank_of["FR-003"] == "could"
    assert {rank_of[f"FR-{number:03d}"] for number in (5, 10, 11, 12)} == {"must"}


@pytest.mark.parametrize("said", ["FR-002 must now reject old keys", "FR-002 must then be dry"])
def test_what_says_more_than_a_rank_is_none_at_another_step(said: str) -> None:
    assert ranked_of_many(said, "04-04") == {}


@pytest.mark.parametrize(
    ("said", "rank"),
    [
        ("oar must.", ("FR-004", "must")),
        ("Hmm, crew name should, not must.", ("FR-002", "should")),
        ("the key wont this time", ("FR-003", "won't")),
    ],
)
def test_a_thing_and_a_rank_alone_rank_the_requirement_that_is_called_so(
    said: str, rank: tuple[str, str]
) -> None:
    assert ranks(said) == [rank]


@pytest.mark.parametrize("said", ["Yes we could.", "I must.", "nobody must", "the driver must"])
def test_who_must_and_a_thing_that_nobody_listed_rank_nothing(said: str) -> None:
    assert ranks(said) == []
