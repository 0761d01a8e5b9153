"""Words that carry on a conversation and say nothing of the item, and words that say "not known".

Also which answers are in a language whose words no rule here knows.
"""

from collections import Counter
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.task_cache import cached

FILLER_WORDS_MAX: Final = 12
FOREIGN_WORDS_MIN: Final = 8
FOREIGN_LETTERS_MIN: Final = 8  # of a script other than Latin, which may put no space between words

_FILLER: Final = lexicon.pattern("filler", flags=0)
_IS_UNKNOWN: Final = lexicon.pattern("is-unknown", flags=0)
_IS_CLOSING: Final = lexicon.pattern("is-closing", flags=0)
_TURNS_BACK: Final = lexicon.pattern("turns-back")
_LETTER: Final = patterns.compile(r"[^\W_]")
_EMOJI_CODE: Final = patterns.compile(r":[a-z0-9_+'-]+:")
_SIGNS: Final = patterns.compile(r"[^\w'’]+")
CLAUSE_END: Final = patterns.compile(r"[,.;:!—]+")

_WORD: Final = patterns.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LATIN_MAX: Final = "\u024f"
_LATIN_MORE: Final = ("\u1e00", "\u1eff")
_ENGLISH: Final = lexicon.listed("english-alone")
_ALSO_ENGLISH: Final = lexicon.listed("also-english")
ALSO_ENGLISH_MIN: Final = 2  # words that other languages have as well count only in company


@cached
def is_filler(text: str) -> bool:
    """True if a fragment only carries on the conversation: "Nothing to add.", "+1", "👍"."""
    plain = _bare(text)
    if plain in ("", "1") and not text.strip().isdigit():
        return True
    if any(lexicon.pattern(name).fullmatch(text.strip()) for name in ("seconds", "greets")):
        return True
    return bool(_LETTER.search(plain)) and _matches(_FILLER, plain)


@cached
def is_unknown(text: str) -> bool:
    """True if a fragment says no more than that nobody knows: "I don't know yet.", "TBD"."""
    return _matches(_IS_UNKNOWN, _bare(text))


@cached
def opens_unknown(text: str) -> bool:
    """True if a text opens with not knowing: "I cannot say, that is for the others"."""
    return is_unknown(CLAUSE_END.split(text.strip(), maxsplit=1)[0])


def behind_turn(text: str) -> str:
    """What a text says behind words that take back what was just said: "own code" of "hm no, own
    code"; nothing of any other text."""
    match = _TURNS_BACK.match(text)
    return text[match.end() :].strip(" ,.") if match else ""


@cached
def is_closing(text: str) -> bool:
    """True if somebody says that they are done here: "Nothing to add.", "That's all.", "skip"."""
    return _matches(_IS_CLOSING, _bare(text))


@cached
def is_foreign(text: str) -> bool:
    """Eight words or more and none that is plainly English, or another script: ask nothing."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    letters = sum(map(len, words))
    if letters >= FOREIGN_LETTERS_MIN and _count_not_latin(text) * 2 > letters:
        return True
    if len(words) < FOREIGN_WORDS_MIN or not _ENGLISH.isdisjoint(words):
        return False
    return len(_ALSO_ENGLISH.intersection(words)) < ALSO_ENGLISH_MIN


@cached
def _bare(text: str) -> str:
    return _SIGNS.sub(" ", _EMOJI_CODE.sub(" ", text.casefold())).strip()


def _count_not_latin(text: str) -> int:
    """How many letters of other scripts there are. Looks once at each character that occurs."""
    if text.isascii():
        return 0
    return sum(times for sign, times in Counter(text).items() if _is_not_latin(sign))


def _is_not_latin(sign: str) -> bool:
    """True if it is a letter of another script."""
    if sign <= _LATIN_MAX or _LATIN_MORE[0] <= sign <= _LATIN_MORE[1]:
        return False
    return sign.isalnum() and not sign.isdecimal()


def _matches(pattern: patterns.Pattern, plain: str) -> bool:
    is_long = len(plain.split(None, FILLER_WORDS_MAX)) > FILLER_WORDS_MAX
    if is_long or lexicon.pattern("adds-after-all").search(plain):
        return False
    return bool(pattern.fullmatch(plain))
