"""Two lines that differ, and what somebody says right behind them: asked about or settled."""

import pytest

from core.brains.bookkeeping.drafting import compared
from core.brains.script.reading import read
from core.domain.answers import Claim, Draft
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, answer, request

KIM = UserId("U9")
ROWS = ((PRIYA, "The list shows 20 rows"), (SAM, "the list shows 50 rows"))
SLOT = ((PRIYA, "Hold a slot for 10 minutes"), (SAM, "10 minutes is too short, 15 please"))


def differing(draft: Draft) -> bool:
    """True if the two are asked about or named as differing."""
    is_asked = draft.follow_up is not None and draft.follow_up.kind == "difference"
    return is_asked or any({"differs", "conflicts"} & claim.data.keys() for claim in draft.claims)


@pytest.mark.parametrize(
    ("lines", "by", "said"),
    [
        (ROWS, PRIYA, "agreed"),
        (ROWS, PRIYA, "yes, you're right"),
        (ROWS, PRIYA, "ok 50"),
        (ROWS, PRIYA, "fine, 50 rows"),
        (SLOT, PRIYA, "ok"),
        (SLOT, KIM, "let's take 15"),
        (SLOT, KIM, "decided: 15"),
    ],
)
def test_who_gives_in_or_decides_in_the_next_message_settles_it(
    lines: tuple[tuple[UserId, str], ...], by: UserId, said: str
) -> None:
    draft = read(request("01-06", *lines, (by, said)))
    assert not differing(draft)
    old = next(claim for claim in draft.claims if claim.text == lines[0][1])
    assert old.text in {line.quote for claim in draft.claims for line in claim.supersedes}


@pytest.mark.parametrize(
    ("by", "said"),
    [
        (PRIYA, "20, I counted"),
        (PRIYA, "50 is too much for the phone"),
        (SAM, "agreed"),
        (KIM, "+1"),
        (KIM, "50 would be nice"),
        (PRIYA, "the list is blue"),
    ],
)
def test_who_insists_or_only_has_a_view_settles_nothing(by: UserId, said: str) -> None:
    assert differing(read(request("01-06", *ROWS, (by, said))))


def test_what_comes_behind_another_message_settles_nothing() -> None:
    assert differing(read(request("01-06", *ROWS, (KIM, "my bike is blue"), (PRIYA, "agreed"))))


def test_a_question_which_one_holds_is_over_once_it_is_settled_so() -> None:
    before = request("01-06", *ROWS)
    asked = read(before).follow_up
    assert asked is not None
    assert asked.kind == "difference"
    draft = read(request("01-06", *ROWS, (PRIYA, "agreed"), follow_ups=(asked,)))
    assert [one.outcome for one in draft.closed] == ["answered"]
    assert draft.follow_up is None or draft.follow_up.kind != "difference"


def test_a_rank_that_its_author_moves_at_once_is_no_difference() -> None:
    asked_for = read(request("01-06", "a) the desk refuses a third renewal\nb) a hold by the desk"))
    ranks = [
        (PRIYA, "must: a\nshould: b, hold by the desk"),
        (SAM, "no no the hold by the desk is a MUST, or there is war at the counter"),
        (PRIYA, "Agreed, moved to must."),
    ]
    assert differing(read(request("01-08", *ranks[:2], claims=asked_for.claims)))
    assert not differing(read(request("01-08", *ranks, claims=asked_for.claims)))


WAIT = "we wait 10 minutes for the mail"
NO_SHOW = "a no-show slot gets free 5 minutes before departure"


@pytest.mark.parametrize(
    "said",
    [
        [f"{WAIT}. {NO_SHOW}. hm, make that 8"],
        [f"{WAIT}\n{NO_SHOW}\nmake it 8 minutes, please"],
        [WAIT, NO_SHOW, "no, let's call it 8"],
    ],
)
def test_a_number_said_anew_replaces_the_one_right_before_it(said: list[str]) -> None:
    claims = read(request("01-06", *said)).claims
    (replaced,) = (line.quote for claim in claims for line in claim.supersedes)
    assert replaced.removesuffix(".") == NO_SHOW


KEPT = "the history is kept 90 days"


@pytest.mark.parametrize(
    ("lines", "newest"),
    [
        ((KEPT, "90 is short, complaints come in autumn. 180?", "180 ok"), "180 ok"),
        ((KEPT, "90 is short. 180?", "180 days then"), "180 days then"),
        ((KEPT, "more like 180 days, they come late", "180 days"), "more like 180 days"),
        ((KEPT, "make it 180, they come late", "180"), "make it 180"),
    ],
)
def test_whoever_repeats_the_value_that_somebody_else_put_takes_it(
    lines: tuple[str, str, str], newest: str
) -> None:
    by = (PRIYA, SAM, PRIYA)
    draft = read(request("01-06", *zip(by, lines, strict=True)))
    assert not differing(draft)
    (now,) = (one.text for one in draft.claims if KEPT in {old.quote for old in one.supersedes})
    assert now.startswith(newest)


@pytest.mark.parametrize("said", ["180? no way", "90 stays", "180 clerks asked for it"])
def test_whoever_only_speaks_of_the_value_takes_none(said: str) -> None:
    lines = ((PRIYA, KEPT), (SAM, "90 is short, complaints come in autumn. 180?"), (PRIYA, said))
    claims = read(request("01-06", *lines)).claims
    assert KEPT not in {old.quote for one in claims for old in one.supersedes}


def test_what_somebody_labels_as_before_has_a_new_number_with_its_reason() -> None:
    listed = "a) the reader taps Pause\nb) picks a return date, max 90 days"
    claims = read(
        request("01-03", listed, "b) make that 180 days, teachers take a term off")
    ).claims
    (old,) = (old.quote for one in claims for old in one.supersedes)
    assert old == "picks a return date, max 90 days"


def test_plus_one_is_no_number_that_settles_a_difference() -> None:
    before = request("01-06", *ROWS)
    asked = read(before).follow_up
    assert asked is not None
    said = (SAM, "+1, the alert goes to the desk")
    draft = read(request("01-06", *ROWS, said, follow_ups=(asked,)))
    assert not any(claim.supersedes for claim in draft.claims)


@pytest.mark.parametrize("anew", ["make it 8 kilometres", "we make it 8 times a day"])
def test_a_number_of_another_measure_or_in_a_sentence_of_its_own_replaces_none(anew: str) -> None:
    claims = read(request("01-06", f"{WAIT}. {NO_SHOW}. {anew}")).claims
    assert not any(claim.supersedes for claim in claims)


def test_a_number_said_anew_leaves_what_somebody_only_tells_as_it_is() -> None:
    said = "i am in mazury for 2 weeks, i come home and half the shelf is locked. make it 14."
    claims = read(request("01-06", said)).claims
    assert not any(claim.supersedes for claim in claims)


def test_a_number_said_anew_is_no_time_beside_which_something_is_counted() -> None:
    said = "Success = 200 companies three months after launch. Hm, or 150. Let me say 150."
    claims = read(request("01-01", said)).claims
    (replaced,) = (line.quote for claim in claims for line in claim.supersedes)
    assert replaced == "Success = 200 companies three months after launch."


@pytest.mark.parametrize("step", ["01-02", "04-05"])
def test_a_number_that_is_not_so_replaces_that_of_the_line_with_the_name(step: str) -> None:
    listed = "Success = 200 companies with a schedule.\nSuccess = 200 calls less a month."
    known = read(request("01-01", listed)).claims
    assert [claim.ref for claim in known] == ["GOAL-001", "GOAL-002"]
    earlier = (answer("01-01", 1, listed),)
    said = "And GOAL-002 is 150, not 200, I said so."
    claims = read(request(step, "hm.", said, claims=known, other_answers=earlier)).claims
    (replaced,) = (line.quote for claim in claims for line in claim.supersedes)
    assert replaced == "Success = 200 calls less a month."


def test_a_council_that_sorts_its_lines_lets_a_correction_replace_none_behind_it() -> None:
    mends = "scratch that, the logs are kept 1 year."
    behind = "the donor trace is 4 hours, that part holds"
    asked = request("01-06", f"{mends} {behind}")
    step, sources = asked.step.id, (asked.answers[0].id,)
    lines = (
        Claim(f"{step}/1", step, "purpose", behind, sources),
        Claim(f"{step}/2", step, "constraint", mends, sources),
    )
    assert not any(line.supersedes for line in compared(lines, asked))


@pytest.mark.parametrize(
    ("line", "anew"),
    [
        ("c) max 20 pieces per order", "c) make that 30"),
        ("d) his schedules: deleted", "d) paused, not deleted"),
        ("Every list is made anew each 20 min.", "30, not 20"),
        ("the deposit is EUR 250", "Correction to 7 (b): EUR 500, not 250"),
        ("the 5 nearest catchers get an SMS", "5 nearest catchers → make it 3"),
        ("an admin has 7 days to rotate them", "Please make that 14, not 7."),
        ("a chart has 1,200 points at most", "not 1,200, it's 4,800 since january"),
        (
            "Trial workspaces should get the same limits as Team",
            "I take it back, trials get the Starter limits",
        ),
    ],
)
def test_what_its_author_says_anew_some_lines_later_replaces_it(line: str, anew: str) -> None:
    claims = read(request("01-06", line, "the lamp must be green", "hm ok", anew)).claims
    assert [old.quote for one in claims for old in one.supersedes] == [line[3 * (line[1] == ")") :]]


@pytest.mark.parametrize(
    "said",
    [
        ["a) max 20 pieces\nb) one shop\nc) cash", "a) yes\nb) not one\nc) no, card"],
        ["c) max 20 pieces per order", "c) and a bag"],
        ["we have 20 shops and 20 ovens", "the list shows 20 rows", "30, not 20"],
    ],
)
def test_what_may_be_of_another_line_replaces_none(said: list[str]) -> None:
    claims = read(request("01-06", *((PRIYA, text) for text in said))).claims
    assert not any(claim.supersedes for claim in claims)


def test_who_takes_it_as_given_assumes_and_who_takes_it_back_does_not() -> None:
    lines = ("I take it the clerks know that.", "I take it back, we need no map")
    kinds = {claim.text: claim.kind for claim in read(request("01-06", *lines)).claims}
    assert kinds[lines[0]] == "assumption"
    assert kinds[lines[1]] != "assumption"


@pytest.mark.parametrize("said", ["I take it back.", "I take that back", "i took this back, sorry"])
def test_who_takes_it_back_and_says_no_more_gives_up_their_last_demand(said: str) -> None:
    lines = ((PRIYA, "The list must show 20 rows"), (SAM, "Guests must not see it"))
    claims = read(request("01-06", *lines, (PRIYA, said))).claims
    assert [old.quote for one in claims for old in one.supersedes] == ["The list must show 20 rows"]
