"""Lines that settle something by how they are put, and lines that only sound like it."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import PRIYA, SAM, request

LETTERED = "A) bake at night\nB) bake at noon, deliver by bike\nC) buy frozen rolls"
TAGS = "tags, colour bands"
MIXED = "Marken oder Bänder"
CINTAS = "etiquetas, cintas"


def chosen(step: str, asked: str, said: str) -> list[str]:
    """What the second of two people chooses, by name."""
    claims = read(request(step, (PRIYA, asked), (SAM, said))).claims
    return [
        claim.data.get("option", "")
        for claim in claims
        if claim.data.get("choice") == "chosen" and claim.text in said
    ]


@pytest.mark.parametrize(
    "said",
    [
        "let's do B",
        "B then",
        "fine, B",
        "ok going with B",
        "B wins",
        "B. final.",
        "we said B",
        "agreed: B",
        "B it is",
        "→ B",
        "then B, not C",
        "gut, B",
        "vale, B entonces",
        "nos quedamos con B",
        "dann B",
        "B ist es",
        "I decide: B",
        "ok B",
        "B, done.",
        "B for me",
        "B is what we do",
        "we're doing B",
        "B, settled",
    ],
)
@pytest.mark.parametrize("step", ["03-01", "03-02", "04-05"])
def test_an_option_of_a_list_is_taken_by_its_letter_in_many_forms(step: str, said: str) -> None:
    assert chosen(step, LETTERED, said) == ["Option B"]


@pytest.mark.parametrize(
    ("asked", "said", "option"),
    [
        ("kayaks or canoes for the trip", "let's do canoes", "canoes"),
        ("we could rent the hall or the barn", "the barn then", "the barn"),
        ("hall is loud, barn is cold", "fine, the barn", "the barn"),
        (TAGS, "we said colour bands. final.", "colour bands"),
        (TAGS, "Colour bands. Final.", "Colour bands"),
        (TAGS, "→ colour bands", "colour bands"),
        (TAGS, "then colour bands, not tags", "colour bands"),
        (TAGS, "rather colour bands than tags", "colour bands"),
        (TAGS, "we'll do colour bands", "colour bands"),
        (TAGS, "colour bands, final answer", "colour bands"),
        (TAGS, "my call: colour bands", "colour bands"),
        (MIXED, "wir nehmen Bänder", "Bänder"),
        (MIXED, "also Bänder", "Bänder"),
        (MIXED, "entschieden: Bänder", "Bänder"),
        (CINTAS, "decidido: cintas", "cintas"),
        (CINTAS, "vamos con cintas", "cintas"),
        ("étiquettes, rubans", "on prend les rubans", "les rubans"),
        ("-", "owner decided: no cloud", "no cloud"),
        ("-", "we agreed on wooden boxes", "wooden boxes"),
    ],
)
def test_a_head_or_an_end_takes_what_was_spoken_of(asked: str, said: str, option: str) -> None:
    assert [one.removeprefix("the ") for one in chosen("03-02", asked, said)] == [
        option.removeprefix("the ")
    ]


@pytest.mark.parametrize(
    ("step", "asked", "said"),
    [
        ("03-04", "email or sms?", "sms"),
        ("03-02", "Should the gate open by card or by phone?", "card"),
        ("03-02", "do we store it on the tablet or in the depot?", "in the depot"),
        ("04-03", "one queue per dock or one for all?", "one for all"),
        ("04-05", "steel or wood?", "wood, it is cheaper"),
        ("01-04", "mail oder sms?", "sms, wie immer"),
        ("03-02", "¿tren o autobús?", "tren"),
        ("03-02", "étiquettes ou rubans ?", "rubans"),
        ("03-04", "40 or 60?", "60"),
        ("03-03", "REST or files?", "files over sftp, nightly"),
    ],
)
def test_a_side_of_a_question_is_chosen_by_its_name(step: str, asked: str, said: str) -> None:
    assert len(chosen(step, asked, said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "B?",
        "B then?",
        "maybe B",
        "I could live with B",
        "not B",
        "if B then we need bikes",
        "B would win if bikes were free",
        "we said B last year and it failed",
        "B is what my brother does",
        "who agreed: B?",
        "let's do lunch",
        "ok going home now",
        "fine, whatever",
        "B has no oven",
        "let's do a test first?",
    ],
)
def test_an_option_that_is_only_spoken_of_is_not_taken(said: str) -> None:
    assert chosen("03-02", LETTERED, said) == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("email or sms?", "both work"),
        ("email or sms?", "sms is expensive"),
        ("email or sms?", "sms costs 9 cents"),
        ("email or sms?", "depends"),
        ("email or sms?", "email or sms, ask Kim"),
        ("zip yes/no?", "No zip, people click twice"),
        ("is the barn dry or wet?", "wet"),
        ("do you mean the old or the new barn?", "the old barn"),
        ("was it Kim or Jo who called?", "Jo"),
        (TAGS, "bands fall off"),
        (TAGS, "bands usually win"),
        (TAGS, "the other farm said bands"),
        (TAGS, "we never said bands"),
        (TAGS, "not decided: bands"),
        (TAGS, "bands, not sure"),
        (TAGS, "bands, not for me"),
        (TAGS, "1 band ok not 3"),
        (TAGS, "bands for children, not yet"),
        (TAGS, "if we go with bands, not tags, it is dear"),
        (TAGS, "cow → bands → gate"),
        (TAGS, "→ see the wiki"),
        (TAGS, "then the cow walks through, not the calf"),
        (TAGS, "please bands, not tags"),
        (TAGS, "below that, no tags"),
        (TAGS, "old bands = fewer than ten tags"),
        (TAGS, "found 23 bands older than the tags"),
        (TAGS, "wir nehmen immer Bänder"),
        (TAGS, "wir könnten Bänder nehmen"),
        (TAGS, "dann Feierabend"),
        (TAGS, "vamos a ver"),
        (TAGS, "agreed, but who pays"),
        ("-", "decision: open"),
        ("-", "final: tbd"),
        ("-", "we keep the keys in a box, not in the office"),
        ("-", "the goat, not the sheep, ate the list"),
        ("-", "my call was at nine"),
    ],
)
def test_what_only_sounds_like_it_settles_nothing(asked: str, said: str) -> None:
    assert chosen("03-02", asked, said) == []


def test_a_label_without_a_decision_behind_it_is_an_open_question() -> None:
    (claim,) = read(request("03-02", "Decision: open")).claims
    assert claim.kind == "question"


def test_what_comes_one_after_the_other_is_the_order_of_a_rollout() -> None:
    said = "rollout: own depot, then Kim + 2 shops, then everybody"
    assert chosen("02-04", "how?", said) == [said]


def test_a_word_that_begins_like_a_reaction_is_none() -> None:
    (claim,) = read(request("01-06", "- Wooden boxes carry a bar code")).claims
    assert claim.kind == "requirement"
