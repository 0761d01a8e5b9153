"""How the personas of the shipped party begin a turn; any other one begins plainly."""

from typing import Literal

from core.brains import lexicon

Occasion = Literal[
    "asks", "hears", "proposes", "looks", "revises", "agrees", "dissents", "draws", "reads", "ends"
]


def voice(persona: str, occasion: Occasion) -> str:
    """The sentence with which a persona begins."""
    voices = lexicon.table("council")["voices"]
    sentence: str = voices.get(persona, {}).get(occasion, voices["any"][occasion])
    return sentence
