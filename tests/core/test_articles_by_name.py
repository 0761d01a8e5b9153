"""Articles of the constitution that are amended later, by their names."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claims
from core.domain.ids import UserId
from core.domain.lines import standing
from tests.core.test_inception_pages import shown
from tests.core.test_scripted import PRIYA, SAM
from tests.support.inception import asked, whole

ARTICLES = "- Never sell the data.\n- Every change is read by two.\n- Data goes after 30 days."


def after(said: str, step: str = "08-01", by: UserId = PRIYA) -> tuple[Claims, Claims]:
    """All lines, and those that still hold, of a constitution by Sam and something said later."""
    constitution = asked("07-01", (SAM, ARTICLES))
    known = read(constitution).claims
    assert [one.ref for one in known if one.ref] == ["ART-001", "ART-002", "ART-003"]
    later = asked(step, "ok.", (by, said), claims=known, other_answers=constitution.answers)
    every = (*known, *read(later).claims)
    return every, standing(every)


def refs(lines: Claims) -> list[str]:
    return [line.ref or "" for line in lines if line.kind == "article"]


@pytest.mark.parametrize("step", ["07-02", "08-01", "08-02"])
@pytest.mark.parametrize(
    "said",
    [
        "ART-002 isnt a rule, thats just why",
        "ART-002 is not an article, it's a sentence",
        "ART-002 remove.",
        "remove ART-002 please",
        "article 2 is nonsense, drop it",
        "so ART-2 is obsolete",
    ],
)
def test_an_article_that_somebody_takes_out_holds_no_more(said: str, step: str) -> None:
    every, holding = after(said, step)
    assert refs(holding) == ["ART-001", "ART-003"]
    assert [line.kind for line in every if line.text in said] == ["note"]


@pytest.mark.parametrize("step", ["07-02", "08-01", "08-02"])
@pytest.mark.parametrize(
    "said",
    [
        "ART-003 should say 30 days after they stop, not when they stop",
        "ART-003: data goes 30 days after they stop",
        "and article 3 should read: gone 30 days after they stop",
    ],
)
def test_other_words_for_an_article_take_its_place_if_its_author_says_them(
    said: str, step: str
) -> None:
    every, holding = after(said, step, SAM)
    assert refs(holding) == ["ART-001", "ART-002", "ART-004"]
    (line,) = [line for line in every if line.ref == "ART-004"]
    assert line.data["what"].startswith(("30 days", "data goes", "gone"))


@pytest.mark.parametrize("step", ["07-02", "08-01", "08-02"])
@pytest.mark.parametrize(
    "said", ["ART-002 stays.", "ART-001 belongs to ART-002", "ART-003 I can live with"]
)
def test_what_only_speaks_of_an_article_changes_none(said: str, step: str) -> None:
    every, holding = after(said, step)
    assert refs(holding) == ["ART-001", "ART-002", "ART-003"]
    assert {line.kind for line in every if line.text in said} <= {"note", "fact", "remark"}


def test_other_words_for_an_article_by_somebody_else_are_asked_about() -> None:
    constitution = asked("07-01", (SAM, ARTICLES))
    known = read(constitution).claims
    said = "ART-003 should say 90 days after they stop"
    later = asked("08-01", "ok.", (PRIYA, said), claims=known, other_answers=constitution.answers)
    follow_up = read(replace(later, follow_ups=())).follow_up
    assert follow_up is not None
    assert follow_up.kind == "difference"


def test_a_no_that_names_an_article_denies_no_other() -> None:
    constitution = asked("07-01", (SAM, ARTICLES))
    known = read(constitution).claims
    said = ((SAM, "ART-002 should say read by two or by the lead"), (PRIYA, "no. ART-001 stays"))
    later = asked("08-01", *said, claims=known, other_answers=constitution.answers)
    every = (*known, *read(later).claims)
    assert not any("differs" in line.data for line in every)


@pytest.mark.parametrize(
    "said",
    [
        "I think boring tech only is a bit sad but ok",
        "Yes one time, 3 x 600 = 1.800 kr from the fund.",
        "that one is good",
        "and the 3 pis are one time cost right",
    ],
)
def test_what_answers_a_rule_is_no_article(said: str) -> None:
    claims = read(asked("07-01", ARTICLES, (SAM, said))).claims
    assert [claim.kind for claim in claims if claim.text in said] == ["fact"]


@pytest.mark.parametrize(
    "said", ["I think we must test on real phones", "Yes, every change is read by two"]
)
def test_a_rule_that_opens_softly_is_one(said: str) -> None:
    assert "article" in {claim.kind for claim in read(asked("07-01", said)).claims}


@pytest.mark.parametrize("opens", ["cause", "because", "coz"])
def test_a_sentence_that_gives_the_reason_of_a_rule_stands_below_it(opens: str) -> None:
    claims = read(asked("07-01", f"Boring tech only. {opens} I am the only developer")).claims
    (article,) = [claim for claim in claims if claim.kind == "article"]
    assert article.data["reason"] == f"{opens} I am the only developer"


def test_a_constitution_shows_what_became_of_its_articles() -> None:
    files, _ = whole(
        {
            "07-01": ["- Never sell the data.\n- Boring tools only.\n- Gone after 30 days.", "hm."],
            "08-01": ["ART-002 stays.", "ART-001 remove.", "ART-003: gone 30 days after they stop"],
        }
    )
    lines = [line for line in shown(files["constitution.md"]).splitlines() if "ART-" in line]
    texts = [line.partition(" — ")[0].strip() for line in lines]
    assert texts == [
        "- **ART-002** Boring tools only.",
        "- Said of it: ART-002 stays.",
        "- **ART-004** ART-003: gone 30 days after they stop",
        "- **ART-003** ~~Gone after 30 days.~~",
        "- **ART-001** ~~Never sell the data.~~",
        "- Taken out: ART-001 remove. (2023-11-14T22:13:22+00:00)",
    ]
    assert "rests on" not in "".join(lines)


@pytest.mark.parametrize("step", ["07-02", "08-01", "08-02"])
@pytest.mark.parametrize("said", ["ART-002 out, Sam took it back!", "ART-002 is still there!!"])
def test_an_article_that_is_called_out_holds_no_more(said: str, step: str) -> None:
    _, holding = after(said, step)
    assert refs(holding) == ["ART-001", "ART-003"]


def test_other_words_by_somebody_else_stand_among_the_articles_and_differ() -> None:
    said = "ART-002: every change is read by two, or by the lead at night"
    files, _ = whole({"07-01": [ARTICLES, "hm."], "07-02": ["ok then", said]})
    text = files["constitution.md"].partition("## Assumptions")[0]
    assert "- **ART-004** ART-002: every change is read by two, or by the lead at night" in text
    assert "Differs from: **ART-004**" in text
