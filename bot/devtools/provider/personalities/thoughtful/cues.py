"""The word lists of `cues.yaml`, and how words are compared."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

STEM_CHARS: Final = 5
_CUES: Final[Mapping[str, Any]] = yaml.safe_load(
    Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
)

KINDS: Final[Mapping[str, Sequence[str]]] = _CUES["kinds"]
STORY_STARTS: Final = tuple(_CUES["story_starts"])
TITLES: Final[Mapping[str, Sequence[str]]] = _CUES["titles"]
ONLY_AT: Final[Mapping[str, Sequence[str]]] = _CUES["only_at"]
STATING: Final = frozenset(_CUES["stating"])
NOT_PLAIN: Final = tuple(_CUES["not_plain"])
OPENERS: Final = tuple(_CUES["openers"])
PRONOUNS: Final = frozenset(_CUES["pronouns"])
SUBJECTS: Final = frozenset(_CUES["subjects"])
COMMON: Final = frozenset(_CUES["common"])
ENGLISH: Final = frozenset(_CUES["english"])
CRITERIA: Final[Sequence[Mapping[str, Any]]] = _CUES["criteria"]
DOUBTS: Final = frozenset(_CUES["doubts"])
VAGUE: Final = tuple(_CUES["vague"])
NOBODY: Final = tuple(_CUES["nobody"])
DEEDS: Final[Mapping[str, str]] = _CUES["deeds"]


def words_of(text: str) -> list[str]:
    plain = text.casefold().replace("’", "'")
    spaced = "".join(sign if sign.isalnum() or sign == "'" else " " for sign in plain)
    return [word.strip("'") for word in spaced.split() if word.strip("'")]


def has_any(text: str, phrases: Collection[str]) -> str:
    """The first of the phrases that stands in the text as whole words; empty if none does."""
    padded = f" {' '.join(words_of(text))} "
    return next((phrase for phrase in phrases if f" {' '.join(words_of(phrase))} " in padded), "")


def stems(text: str) -> frozenset[str]:
    """The beginnings of the words that mean something."""
    return frozenset(word[:STEM_CHARS] for word in words_of(text) if word not in COMMON)


def has_number(text: str) -> bool:
    return any(sign.isdecimal() for sign in text)


def is_english(text: str) -> bool:
    words = words_of(text)
    return bool(words) and sum(word in ENGLISH for word in words) * 12 >= len(words)
