"""How the personas of the shipped party begin a turn; any other one begins plainly."""

from collections.abc import Mapping
from typing import Final, Literal

Occasion = Literal[
    "asks", "hears", "proposes", "looks", "revises", "agrees", "dissents", "draws", "reads", "ends"
]

_PLAIN: Final[Mapping[Occasion, str]] = {
    "asks": "This is what I would like to hear from you.",
    "hears": "This is how I read it.",
    "proposes": "This is my proposal.",
    "looks": "I have read it with my own list beside me.",
    "revises": "I have heard you.",
    "agrees": "I agree.",
    "dissents": "I do not agree.",
    "draws": "This is my draft.",
    "reads": "I have laid it beside mine.",
    "ends": "This is my last version.",
}
_OWN: Final[Mapping[str, Mapping[Occasion, str]]] = {
    "product-analyst": {
        "asks": "Before we speak of features, I would like to meet the people.",
        "hears": "I listened for the people first.",
    },
    "domain-researcher": {
        "asks": "I would like to learn your field from you, word by word.",
        "hears": "I have read your words twice.",
    },
    "technical-scout": {
        "asks": "A few quick ones, to see where the ground is soft.",
        "hears": "This is my map so far.",
    },
    "solution-architect": {
        "proposes": "Here is one thing for you to push against.",
        "revises": "I think aloud, so you hear me change my mind.",
        "agrees": "I agree, and I would take it over from somebody else.",
    },
    "security-advisor": {
        "looks": "I asked what could happen, and who would be hurt.",
        "agrees": "I agree, with both eyes open.",
        "dissents": "I cannot agree to this.",
    },
    "devops-pragmatist": {
        "looks": "I thought of three in the morning.",
        "agrees": "I agree. This one would let me sleep.",
        "dissents": "Not with me on call.",
    },
    "architecture-designer": {
        "draws": "This is my map, with one name for each part.",
        "reads": "I looked for each of your things on my map.",
    },
    "data-model-designer": {
        "draws": "I looked for everything that has a name and a row.",
        "reads": "I looked for a test of each thing in my model.",
    },
    "test-strategist": {
        "draws": "I began with what would hurt most.",
        "reads": "I asked of each part how we would know that it works.",
    },
}


def voice(persona: str, occasion: Occasion) -> str:
    """The sentence with which a persona begins."""
    return _OWN.get(persona, {}).get(occasion, _PLAIN[occasion])
