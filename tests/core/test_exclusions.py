"""What is left out, at any step, in lines of several trades and languages."""

import pytest

from core.brains.script.reading import read
from tests.core.listed_lines import listed_lines
from tests.core.test_scripted import kinds, request

LINES = "left_out"
MISSED_MAX = 0.2  # of the lines that leave something out
MISTAKEN_MAX = 0.055  # of the lines that only sound so
PLAIN = (
    "phase 2: the mobile app", "the map is not in v1", "photos after launch", "map: next year",
    "refunds can wait", "we don't need the map", "not doing refunds", "the map is not needed",
    "let's skip the map", "park the sauna", "chat stays out", "photos: no", "no app on my phone",
    "that's not our job", "we won't touch the ledger", "quedan fuera las facturas",
    "Rabatte lassen wir weg",
)  # fmt: skip


def leaves_out(step: str, line: str) -> bool:
    return "exclusion" in dict(kinds(read(request(step, line))))


def test_most_of_what_people_leave_out_is_out_of_scope() -> None:
    left_out = listed_lines(LINES, "exclusion")
    missed = [line for step, line in left_out if not leaves_out(step, line)]
    assert len(missed) <= MISSED_MAX * len(left_out), missed


def test_what_only_sounds_like_it_leaves_nothing_out() -> None:
    kept = listed_lines(LINES, "asked_for", "none")
    mistaken = [line for step, line in kept if leaves_out(step, line)]
    assert len(mistaken) <= MISTAKEN_MAX * len(kept), mistaken


@pytest.mark.parametrize("step", ["01-04", "01-06", "02-04", "03-03", "04-05"])
@pytest.mark.parametrize("line", PLAIN)
def test_a_plain_line_is_out_of_scope_wherever_it_is_said(line: str, step: str) -> None:
    found = kinds(read(request(step, line)))
    assert {kind for kind, _ in found} == {"exclusion"}
    assert all(text in line for _, text in found)


def test_a_bound_alone_is_not_left_out_where_that_is_asked() -> None:
    draft = read(request("01-06", "3) no film of the tour, no tips. under 2 minutes"))
    assert ("exclusion", "under 2 minutes") not in kinds(draft)


@pytest.mark.parametrize(
    "line",
    [
        "no booking is ever deleted, only counter-booked",
        "today: never",
        "no. three tries is how we got here",
        "also a chat because then we can leave the group",
        "Outside: the release managers; Kestrel, who has our webhooks",
        "outside: Brightloom, they do our feed and pull at 6",
        "let's not do this again today",
        "i said no reason",
        "I don't want a second one.",
        "no way I'm explaining that.",
    ],
)
def test_a_no_to_somebody_how_it_is_and_talk_about_the_talk_leave_nothing_out(line: str) -> None:
    assert "exclusion" not in {claim.kind for claim in read(request("01-06", line)).claims}


def test_what_never_happens_is_a_demand() -> None:
    (claim,) = read(request("01-06", "No booking is ever deleted, only counter-booked")).claims
    assert claim.kind == "requirement"


@pytest.mark.parametrize("line", ["W: the pilots' view", "**W** juniors", "won't: letters"])
def test_an_initial_among_ranks_stands_for_its_rank(line: str) -> None:
    assert kinds(read(request("01-08", line))) == [("exclusion", line)]


def test_a_letter_is_no_rank_where_lines_are_collected() -> None:
    assert "exclusion" not in dict(kinds(read(request("01-06", "W: the clerk prints a label"))))


def test_what_is_left_out_is_that_also_in_a_list_of_fixed_points() -> None:
    said = "fixed:\n- the barge list stays\n- no app for skippers\n- contract until 2028"
    assert [kind for kind, _ in kinds(read(request("01-04", said)))] == [
        "requirement",
        "constraint",
        "exclusion",
        "constraint",
    ]


def test_each_thing_of_a_list_that_is_left_out_is_a_line_of_its_own() -> None:
    said = "Out: chat, a map and the kiosk"
    assert kinds(read(request("01-06", said))) == [
        ("exclusion", "Out: chat"),
        ("exclusion", "a map"),
        ("exclusion", "the kiosk"),
    ]


@pytest.mark.parametrize(
    "said",
    ["out: everything that prints, mails or calls", "phase 2: refunds, because Kim is ill"],
)
def test_what_is_no_list_of_things_stays_one_line(said: str) -> None:
    assert kinds(read(request("01-06", said))) == [("exclusion", said)]


def test_what_is_left_out_until_a_date_is_no_deadline() -> None:
    assert kinds(read(request("01-04", "the statistics can wait till autumn"))) == [
        ("exclusion", "the statistics can wait till autumn")
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Skip stays, and each skipped boat in the list is a link",
        "Then I read every one of those bills before it goes out.",
        "**Usual way** (from PRD v3)",
    ],
)
@pytest.mark.parametrize("step", ["01-06", "03-04"])
def test_what_stays_in_or_is_sent_is_not_left_out(step: str, said: str) -> None:
    assert "exclusion" not in dict(kinds(read(request(step, said))))


@pytest.mark.parametrize("said", ["leave the app out for now", "skip the newsletters"])
def test_leaving_and_skipping_a_thing_leaves_it_out(said: str) -> None:
    assert kinds(read(request("01-06", said))) == [("exclusion", said)]


@pytest.mark.parametrize(
    "line",
    [
        "No deposit, no key.",
        "Nothing in this ever blocks a call-out",
        "nothing gets lost",
        "no EXIF → nothing happens",
        "number in the picture ≠ number in the letter -> warn, don't block",
    ],
)
def test_a_condition_and_what_never_happens_leave_nothing_out(line: str) -> None:
    assert not leaves_out("01-06", line)


def test_what_comes_later_is_left_out_behind_an_arrow_too() -> None:
    assert leaves_out("01-06", "the map → not in v1")


def test_out_names_whom_we_send_to_where_neighbours_are_named_and_leaves_out_elsewhere() -> None:
    listed = "in: okta, entra\nout: mailer, firebase"
    assert [kind for kind, _ in kinds(read(request("03-03", listed)))] == ["interface"] * 2
    assert leaves_out("01-06", "out: mailer, firebase")
    assert leaves_out("03-03", "out of scope: the mailer")


@pytest.mark.parametrize(
    "line", ["otherwise the pensioners are out", "or else the guests are out in the rain"]
)
def test_what_would_be_so_without_a_line_leaves_nothing_out(line: str) -> None:
    assert not leaves_out("01-08", line)


@pytest.mark.parametrize("line", ["not only Plus, all plans", "all plans, NOT only Plus"])
def test_what_is_not_all_of_it_leaves_nothing_out(line: str) -> None:
    assert not leaves_out("01-06", line)
