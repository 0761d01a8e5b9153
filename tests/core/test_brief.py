"""A draft is offered only where the item or people's answers support each of its sentences."""

from dataclasses import replace

import pytest

from core.domain.answers import Claim, ClaimKind
from core.domain.brief import Offer, asks, brief_of, offered, shown
from core.domain.ids import AnswerId, Digest, PersonaKey, PhaseKey, StepId
from core.domain.steps.playbook import Step

SMALL = "This is a small change of low complexity.\n\nHow big is it?"
RISKS = "The risks are the ones named so far. (rests on: risk)\n\nWhat may go wrong?"
BILLING = "Replace our whole billing system in 40 countries"


def step(section: str, standard: str = "1. Who needs it?") -> Step:
    return Step(
        id=StepId("02-03"),
        title="Risks",
        persona=PersonaKey("architect"),
        depth="brief",
        outputs=("a.md",),
        file="03-risks.md",
        phase=PhaseKey("02-impact"),
        digest=Digest("d"),
        sections={"Brief Mode": section, "Standard Mode": standard},
    )


def line(
    text: str, kind: ClaimKind = "fact", *, at: str = "01-01", by: str = "a", **data: str
) -> Claim:
    return Claim(f"{at}/1", StepId(at), kind, text, (AnswerId(by),), data=data)


# ── the parts of Brief Mode ──


def test_a_brief_mode_is_a_draft_whose_sentences_say_what_they_rest_on_and_a_question() -> None:
    brief = brief_of(step("One. Two, e.g. this. (rests on: risk, title) Three.\n\nWhy?"))
    assert brief.text == "One. Two, e.g. this. Three."
    assert [(one.text, one.grounds) for one in brief.statements] == [
        ("One.", ()),
        ("Two, e.g. this.", ("risk", "title")),
        ("Three.", ()),
    ]
    assert brief.question == "Why?"
    assert shown(step(RISKS)) == "The risks are the ones named so far.\n\nWhat may go wrong?"


def test_without_a_draft_there_is_nothing_to_offer_and_the_question_is_asked() -> None:
    only = step("What may go wrong?")
    assert brief_of(only).statements == ()
    assert offered(only, BILLING, BILLING, ()) is None
    assert asks(only, "brief") == "What may go wrong?"


def test_a_brief_mode_without_a_question_asks_those_of_standard_mode() -> None:
    old = step("They get by.\n\nIf not, tell me.")
    assert asks(old, "brief") == "1. Who needs it?"
    assert asks(step(RISKS), "brief") == "What may go wrong?"
    assert asks(replace(old, sections={"Standard Mode": "1. Why?"}), "brief") == "1. Why?"
    assert asks(old, "standard") == "1. Who needs it?"


# ── a sentence in people's own words ──


@pytest.mark.parametrize(
    "item",
    [
        "Small change of low complexity: fix the typo in the footer",
        "Fix the footer. It's a SMALL change, of low complexity!",
        "fix footer\n- a small change of low complexity",
    ],
)
def test_an_item_that_says_it_plainly_supports_a_draft(item: str) -> None:
    found = offered(step(SMALL), item, item, ())
    assert found is not None
    assert found.text == "This is a small change of low complexity."


@pytest.mark.parametrize(
    "item",
    [
        BILLING,
        "",
        "Make the small logo larger",
        "Change the small print in low contrast",
        "A small change of low complexity? I doubt it",
        "This is not a small change of low complexity",
        "No small change of low complexity this time",
        "it isn't a small change of low complexity",
        "A small change of low complexity, if the API holds still. It is large otherwise",
        "small change of low complexity they said",
        "Should be a small change of low complexity",
        "This was a small change of low complexity until Berlin called",
        "Small change of low complexity. Hm, actually it is large",
        "small change of low complexity\nnot small at all, says ops",
        "Small change, medium complexity",
        "small change or low complexity",
        "We replace billing in forty countries, small teams change things, complexity is low here",
        "Pequeño cambio de baja complejidad",
        "小さな変更",
        "\u202esmall change of low complexity\u202c but large",
    ],
)
def test_an_untidy_item_supports_nothing_that_it_does_not_say(item: str) -> None:
    assert offered(step(SMALL), item, item, ()) is None


def test_what_somebody_said_at_another_step_supports_a_draft_and_contradicts_one() -> None:
    said = line("A small change of low complexity.")
    assert offered(step(SMALL), BILLING, "", [said]) is not None
    assert offered(step(SMALL), BILLING, "", [replace(said, step=StepId("02-03"))]) is None
    other = line("It is large.", at="00-01", by="b")
    assert offered(step(SMALL), BILLING, "", [said, other]) is None


# ── a sentence about what was said ──


def test_a_ground_is_a_line_that_somebody_stated_at_another_step() -> None:
    risk = line("Two retries may meet.", "risk")
    assert offered(step(RISKS), BILLING, "", [risk]) == Offer(
        "The risks are the ones named so far.", ("Two retries may meet.",)
    )
    for nobody in (
        replace(risk, sources=()),
        replace(risk, confidence="assumed"),
        replace(risk, confidence="inferred"),
        replace(risk, kind="fact"),
        replace(risk, step=StepId("02-03")),
        replace(risk, data={"conflicts": "01-01/2"}),
    ):
        assert offered(step(RISKS), BILLING, "", [nobody]) is None


def test_each_ground_of_each_sentence_has_to_be_there() -> None:
    both = step("All was named. (rests on: risk, quality) The title says it. (rests on: title)")
    risk, quality = line("It may break.", "risk"), line("Under 5 s.", "quality")
    assert offered(both, BILLING, "", [risk]) is None
    found = offered(both, BILLING, "", [risk, quality])
    assert found is not None
    assert found.quotes == ("It may break.", "Under 5 s.", BILLING)
    assert offered(step("It is so. (rests on: everything)"), BILLING, "", [risk]) is None


def test_the_size_is_a_ground_once_people_named_one() -> None:
    size = step("The size is the one that was named. (rests on: size)")
    assert offered(size, BILLING, "", [line("No idea.", "scope", at="00-01")]) is None
    assert offered(size, BILLING, "", [line("Large.", "scope", at="00-01", scope="large")])
    files = line("3 files", "scope", at="00-01", file_count="3", scope_by_files="small")
    assert offered(size, BILLING, "", [files])


def test_what_people_said_is_wrong_is_not_offered_again() -> None:
    risk = line("Two retries may meet.", "risk")
    wrong = ["The risks are the ones named so far."]
    assert offered(step(RISKS), BILLING, "", [risk], wrong) is None
