"""What people say to follow-ups that nobody can foresee: which entry of `when_asked` answers one.

Nothing here reads or does anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import Field

from bot.devtools.play.script.entries import PlayEntry
from bot.devtools.play.terms import Person, Sent, Text, word
from core import patterns
from core.domain.follow_ups import SIDES, FollowUp

AskedKind = Literal["check", "unit", "number", "difference", "person", "alternative"]
Tap = Literal["skip", "unknown", "first", "second", "both"]
KINDS: Final = get_args(AskedKind)
TAPS: Final = get_args(Tap)
OF_A_DIFFERENCE: Final = frozenset(SIDES)
CHOICE_OF_TAP: Final[Mapping[Tap, str]] = {"skip": "skip-question"}  # others are called alike
KIN: Final[Mapping[str, AskedKind]] = {"unit": "number", "number": "unit"}
WORD_CHARS_MIN: Final = 3
STEM_CHARS: Final = (
    5  # "moves", "moved" and "moving" are one word; so are "therapist" and its plural
)
WORDS_MIN: Final = 2  # shared words without which an entry of another kind is no answer
SHARE_MIN: Final = 0.5  # of an entry's words, likewise
_WORD: Final = patterns.compile(r"\w+")

_Kind = Annotated[AskedKind, word(KINDS, f"is none of {', '.join(KINDS)}")]
_Tap = Annotated[Tap, word(TAPS, f"is none of {', '.join(TAPS)}"), Field(alias="tap")]


@dataclass(frozen=True, slots=True)
class RepliesWhenAsked(PlayEntry):
    words: ClassVar = "{0.by} answers a follow-up"
    about: Text
    kind: _Kind
    by: Person
    text: Annotated[Sent, Field(alias="reply")]


@dataclass(frozen=True, slots=True)
class TapsWhenAsked(PlayEntry):
    words: ClassVar = "{0.by} taps {0.tap} under a follow-up"
    about: Text
    kind: _Kind
    by: Person
    tap: _Tap


WhenAsked = RepliesWhenAsked | TapsWhenAsked
WHEN_ASKED: Final[Mapping[str, type]] = {"reply": RepliesWhenAsked, "tap": TapsWhenAsked}


def fitting(follow_up: FollowUp, entries: Sequence[WhenAsked]) -> WhenAsked | None:
    """Which of the entries, none used yet, answers a follow-up. None: people leave it open.

    Of those of its kind the one whose words fit it best, else the first. A number's unit and a
    quality's number answer each other where their words fit; a follow-up of a kind that plays do
    not know is answered by any reply whose words fit.
    """
    usable = [entry for entry in entries if _can_be_tapped(entry, follow_up)]
    same = [entry for entry in usable if entry.kind == follow_up.kind]
    if same:
        return max(same, key=lambda entry: share(entry, follow_up))  # the first of equals
    others = [entry for entry in usable if _is_of_a_kin(entry, follow_up)]
    best = max(others, key=lambda entry: share(entry, follow_up), default=None)
    return best if best is not None and _fits(best, follow_up) else None


def share(entry: WhenAsked, follow_up: FollowUp) -> float:
    """The share of an entry's words that stand in the follow-up or the lines it names, 0 to 1."""
    wanted = _stems(entry.about)
    return len(wanted & _asked_about(follow_up)) / len(wanted) if wanted else 0.0


def _can_be_tapped(entry: WhenAsked, follow_up: FollowUp) -> bool:
    is_side = isinstance(entry, TapsWhenAsked) and entry.tap in OF_A_DIFFERENCE
    return not is_side or follow_up.kind == "difference"


def _is_of_a_kin(entry: WhenAsked, follow_up: FollowUp) -> bool:
    if follow_up.kind in KINDS:
        return KIN.get(follow_up.kind) == entry.kind
    return isinstance(entry, RepliesWhenAsked)


def _fits(entry: WhenAsked, follow_up: FollowUp) -> bool:
    shared = len(_stems(entry.about) & _asked_about(follow_up))
    return shared >= WORDS_MIN and share(entry, follow_up) >= SHARE_MIN


def _asked_about(follow_up: FollowUp) -> frozenset[str]:
    quotes = (line.quote for line in (follow_up.line, follow_up.other) if line is not None)
    return frozenset(stem for text in (follow_up.question, *quotes) for stem in _stems(text))


def _stems(text: str) -> frozenset[str]:
    return frozenset(_each_stem(text))


def _each_stem(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text.casefold()):
        word = match[0]
        if len(word) >= WORD_CHARS_MIN or word.isdigit():
            yield word[:STEM_CHARS]
