"""How likely and how bad a risk is, as people say it right behind it: "rare, but then we close"."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from tests.core.test_artifacts_files import made
from tests.core.test_scripted import SAM, request

RISK = "I'm afraid the ferry sensor drifts"
STEPS = ("01-05", "01-06", "02-01", "02-03")


def risks(step: str, *said: str | tuple[UserId, str]) -> list[tuple[str, str]]:
    """Likelihood and impact of each risk."""
    claims = [one for one in read(request(step, *said)).claims if one.kind == "risk"]
    return [(one.data.get("likelihood", ""), one.data.get("impact", "")) for one in claims]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("prose", "likelihood", "impact"),
    [
        ("happens twice a year maybe, but then it hurts", "twice a year maybe", "it hurts"),
        ("rare but expensive", "rare", "expensive"),
        ("unlikely, but then payroll is wrong for everybody", "unlikely",
         "payroll is wrong for everybody"),
        ("once in ten years, but when it does the whole harbour waits", "once in ten years",
         "the whole harbour waits"),
        ("well, every other month, but nobody cares", "every other month", "nobody cares"),
        ("quite often I think", "quite often I think", ""),
        ("not likely, but then people can die", "not likely", "people can die"),
        ("not that often", "not that often", ""),
    ],
)  # fmt: skip
def test_how_often_and_what_then_behind_a_risk_are_its_likelihood_and_impact(
    step: str, prose: str, likelihood: str, impact: str
) -> None:
    for said in ([f"{RISK}. {prose}"], [f"{RISK}\n{prose}"], [RISK, prose], [f"{RISK}, {prose}"]):
        assert risks(step, *said) == [(likelihood, impact)]


@pytest.mark.parametrize(
    "said",
    [
        [RISK, (SAM, "rare but expensive")],
        [RISK, "the deck is wet", "rare but expensive"],
        [f"{RISK}. The deck is wet. rare but expensive"],
        [RISK, "seldom, but it must be logged"],
        [f"{RISK}. every week we grease the hinge by hand"],
        [f"{RISK}\n- rare, but then we close"],
    ],
)
def test_what_does_not_directly_follow_or_demands_something_weighs_no_risk(
    said: list[str | tuple[UserId, str]],
) -> None:
    assert risks("02-01", *said) == [("", "")]


def test_a_rating_by_its_name_goes_before_one_in_prose() -> None:
    assert risks("02-03", f"{RISK}, low likelihood, high impact, rare but nasty") == [
        ("low", "high")
    ]


def test_the_table_of_risks_shows_what_people_said_in_its_columns() -> None:
    claims: tuple[Claim, ...] = read(request("02-03", RISK, "rare, but then we close")).claims
    text = made("02-03", "impact-analysis.md", *claims)
    assert any("| rare |" in row and "| we close |" in row for row in text.splitlines())


@pytest.mark.parametrize("step", ["01-05", "02-03"])
def test_how_likely_trouble_is_belongs_to_the_risk_before_it(step: str) -> None:
    assert risks(step, f"{RISK}. trouble likely, impact high.") == [("likely", "high")]


def test_a_sentence_in_pieces_is_no_risk_a_piece() -> None:
    lines = {one.text: one.kind for one in read(request("02-03", "every. single. one.")).claims}
    assert lines["single."] == lines["one."] == "note"
    assert [one.kind for one in read(request("02-03", "Fraud.")).claims] == ["risk"]


@pytest.mark.parametrize("rule", ["so the pier always wins", "then nothing is sent, only logged"])
def test_a_rule_that_follows_from_a_risk_is_what_is_done_about_it(rule: str) -> None:
    claims = read(request("02-03", f"{RISK}. {rule}")).claims
    (risk,) = [one for one in claims if one.kind == "risk"]
    assert risk.data["mitigation"] == rule


def test_who_asks_for_a_rating_and_gives_it_rates_the_risk_before() -> None:
    said = "Worst harm: the ferry leaves early. How likely? Once a summer. Bad? I'd need a new job!"
    assert risks("01-05", said) == [("Once a summer", "I'd need a new job")]


@pytest.mark.parametrize(
    "label", ["Worst harm:", "Second worst:", "worst case –", "The biggest fear:", "Greatest harm:"]
)
def test_the_worst_that_may_happen_is_a_risk(label: str) -> None:
    assert risks("01-05", f"{label} the ferry leaves with nobody on it") == [("", "")]


@pytest.mark.parametrize("step", ["01-05", "02-03"])
@pytest.mark.parametrize(
    ("said", "rating"),
    [
        ("That a misread digit is billed to 300 households; likelihood moderate, impact high.",
         ("moderate", "high")),
        ("least confidence: the CSV of the till. likelihood high, impact high = nobody bakes",
         ("high", "high")),
        ("gone = everybody's in or everybody's out. likely: meh. bad: very", ("meh", "very")),
        ("worst harm: it says green. likelihood low, impact... somebody in smoke",
         ("low", "somebody in smoke")),
        ("worst: undo writes over new work. Likelihood: medium, we had it twice, impact high, all",
         ("medium, we had it twice", "high, all")),
    ],
)  # fmt: skip
def test_how_likely_and_how_bad_are_read_in_peoples_own_manner(
    step: str, said: str, rating: tuple[str, str]
) -> None:
    assert risks(step, said) == [rating]


@pytest.mark.parametrize("said", ["Please make that 14, not 7.", "make it 30", "Accepted.", "argh"])
def test_another_value_and_a_word_of_assent_are_no_risks(said: str) -> None:
    assert risks("02-03", RISK, (SAM, said)) == [("", "")]


def told(step: str, *said: str | tuple[UserId, str]) -> list[str]:
    return [one.text for one in read(request(step, *said)).claims if one.kind == "risk"]


@pytest.mark.parametrize(
    "said",
    [
        "time zone: return date is Berlin, the database is UTC. off by one day, seen it 3 times",
        "all come back on 1 September, 5000 at once. prob. medium / impact medium.",
        "bounced → list for the desk. we have that list already for late mails",
    ],
)
def test_the_sentences_of_a_line_tell_one_risk(said: str) -> None:
    assert told("02-03", said) == [said]


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("the pier floods. the ferry may leak", "the pier floods."),
        ("the pier floods.\nthe deck is wet", "the pier floods."),
        ("the pier floods. the log must stay dry", "the pier floods."),
        ("the pier floods. who closes it?", "the pier floods."),
    ],
)
def test_another_danger_a_demand_and_a_question_are_no_part_of_a_risk(
    said: str, first: str
) -> None:
    assert told("02-03", said)[0] == first


def test_that_a_harm_happened_before_belongs_to_it() -> None:
    said = "worst harm: a bug sends 300 books to the wrong branch. happened in 2021. "
    assert risks("01-05", f"{said}likelihood low, impact high") == [("low", "high")]


def test_a_rated_risk_with_what_is_done_about_it_is_no_check() -> None:
    said = "1. allocator, likelihood medium, impact high → shadow run, compare the assignments"
    assert risks("02-03", said) == [("medium", "high")]


@pytest.mark.parametrize(
    "said",
    [
        "3. isn't medium for me, high. we had 11k in 2022",
        "hm ok, likelihood high then",
        "R2 and R8 are no risks, that's just us talking",
    ],
)
def test_another_rating_and_what_is_none_are_no_risks_and_decide_nothing(said: str) -> None:
    (line,) = read(request("02-03", said)).claims
    assert line.kind == "note"


def test_what_a_thing_is_there_for_is_said_of_the_risk_before_it_by_anybody() -> None:
    claims = read(request("02-03", RISK, (SAM, "that's what the reminder is for"))).claims
    (risk,) = claims
    assert risk.data["mitigation"] == "that's what the reminder is for"
