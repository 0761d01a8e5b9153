"""Words that carry on a conversation and say nothing of the item, and words that say "not known".

Also which answers are in a language whose words no rule here knows.
"""

from collections import Counter
from functools import lru_cache
from typing import Final

from core import patterns

FILLER_WORDS_MAX: Final = 12
FOREIGN_WORDS_MIN: Final = 8
BARE_TEXTS_MAX: Final = 64  # the lines of one step are asked for several things each
FOREIGN_LETTERS_MIN: Final = 8  # of a script other than Latin, which may put no space between words

_LEAD: Final = r"(?:(?:well|so|and|but|oh|hm+|ah|sorry|honestly|i think|i guess|i fear)\s+)*"
_ADDS_NOTHING: Final = (
    r"(?:(?:i|we) have |i['’]ve |we['’]ve |there is |there['’]s )?(?:got )?"
    r"(?:nothing|not much|no more)(?: (?:else|more|new|further))*(?: to (?:add|say|report).*)?"
)
_CLOSES: Final = "|".join(
    (
        _ADDS_NOTHING,
        r"that['’]?s (?:all|it|everything)|that is (?:all|it|everything)|no additions?|done",
        r"skip(?: this| it)?|pass|next|continue|let['’]s (?:go|continue|move) ?(?:on|ahead)?",
        r"no (?:comments?|more|changes?|questions?|objections?)",
    )
)
_UNKNOWN: Final = "|".join(
    (
        r"(?:i |we )?(?:really |just |still )?(?:don['’]?t|do not) know(?: (?:yet|that|it|this))?",
        r"(?:i(?:['’]m| am) |we(?:['’]re| are) )?(?:still )?(?:not sure|unsure)(?: yet)?",
        r"(?:i |we )?(?:have )?no (?:idea|clue|answer)(?: yet)?|idk|dunno|tbd|tba",
        r"(?:i |we )?(?:can['’]?t|cannot|can not) (?:say|tell|answer)(?: (?:yet|that|it|this))?",
        r"(?:it['’]?s |that['’]?s |(?:it|that|this) is )?(?:still |yet )?"
        r"(?:unknown|unclear|undecided|(?:not|un)(?: yet)? ?(?:known|clear|decided))(?: yet)?",
        r"(?:nobody|no one) knows(?: (?:yet|that|it|this))?|(?:still )?open"
        r"|to be (?:decided|clarified|defined)",
    )
)
_CORE: Final = "|".join(
    (
        _CLOSES,
        _UNKNOWN,
        r"no|nope|nah|none|nothing|n a|na|not really|not yet|yes|yep|yeah|yup|ok|okay|k|sure",
        r"right|true|exactly|correct|great|good|nice|cool|perfect|fine|same|ditto|indeed",
        r"(?:i |we )?(?:fully |totally )?agreed?(?: with (?:the above|\w+))?",
        r"(?:sounds|looks|all|seems) (?:good|fine|right|great)|lgtm|seconded|me too|same here",
        r"(?:as|see|same as) (?:above|before)|as (?:we|i) (?:have )?(?:already )?said",
        r"that['’]?s (?:right|fine|correct|good)|that is (?:right|correct)",
        r"(?:thanks?(?: you)?|thx|cheers|hi|hello|hey)(?: so much| a lot| \w+)?",
        r"good (?:morning|afternoon|evening)(?: \w+)?|(?:good|great) (?:question|point|idea)",
        r"no opinion",
    )
)
_TAIL: Final = "|".join(
    (
        r"here|from (?:me|us|my side|our side)|for (?:now|me|us)|at this point",
        r"on (?:this|that)|so far|right now|at the moment|to (?:this|that|me)|that i know of",
        r"i think|really|today|either|everyone|everybody|all|team|please|then|too|again|as well",
        r"sorry|yet",
    )
)
_FILLER: Final = patterns.compile(rf"{_LEAD}(?:{_CORE})(?: (?:{_CORE}|{_TAIL}))*")
_IS_UNKNOWN: Final = patterns.compile(rf"{_LEAD}(?:{_UNKNOWN})(?: (?:{_UNKNOWN}|{_TAIL}))*")
_IS_CLOSING: Final = patterns.compile(
    rf"{_LEAD}(?:no |ok |okay )?(?:{_CLOSES})(?: (?:{_CORE}|{_TAIL}))*"
)
_ADDS_AFTER_ALL: Final = patterns.compile(
    r" to (?:add|say|report).*\b(?:but|except|apart|besides|only|other)\b", patterns.IGNORECASE
)
_LETTER: Final = patterns.compile(r"[^\W_]")
_EMOJI_CODE: Final = patterns.compile(r":[a-z0-9_+'-]+:")
_SIGNS: Final = patterns.compile(r"[^\w'’]+")

_WORD: Final = patterns.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LATIN_MAX: Final = "\u024f"
_LATIN_MORE: Final = ("\u1e00", "\u1eff")
_ENGLISH: Final = frozenset(
    """the and are it this that these those with from they you have had not but would
    must should could which what who how when where there their our your my because if then
    than only them its by were been being does do don't can't cannot isn't it's i'm
    we're about one two three every each some any more other""".split()  # noqa: SIM905 (so many quoted words read worse)
)
_ALSO_ENGLISH: Final = frozenset(
    """a all also an as at be can for has i in is no of on or out so to up us was we
    will""".split()  # noqa: SIM905 (as above)
)
ALSO_ENGLISH_MIN: Final = 2  # words that other languages have as well count only in company


def is_filler(text: str) -> bool:
    """Whether a fragment only carries on the conversation: "Nothing to add.", "+1", "👍"."""
    plain = _bare(text)
    if plain in ("", "1") and not text.strip().isdigit():
        return True
    return bool(_LETTER.search(plain)) and _matches(_FILLER, plain)


def is_unknown(text: str) -> bool:
    """Whether a fragment says no more than that nobody knows: "I don't know yet.", "TBD"."""
    return _matches(_IS_UNKNOWN, _bare(text))


def is_closing(text: str) -> bool:
    """Whether somebody says that they are done here: "Nothing to add.", "That's all.", "skip"."""
    return _matches(_IS_CLOSING, _bare(text))


def is_foreign(text: str) -> bool:
    """Eight words or more and none that is plainly English, or another script: ask nothing."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    letters = sum(map(len, words))
    if letters >= FOREIGN_LETTERS_MIN and _count_not_latin(text) * 2 > letters:
        return True
    if len(words) < FOREIGN_WORDS_MIN or not _ENGLISH.isdisjoint(words):
        return False
    return len(_ALSO_ENGLISH.intersection(words)) < ALSO_ENGLISH_MIN


@lru_cache(maxsize=BARE_TEXTS_MAX)
def _bare(text: str) -> str:
    return _SIGNS.sub(" ", _EMOJI_CODE.sub(" ", text.casefold())).strip()


def _count_not_latin(text: str) -> int:
    """How many letters of other scripts there are. Looks once at each character that occurs."""
    if text.isascii():
        return 0
    return sum(times for sign, times in Counter(text).items() if _is_not_latin(sign))


def _is_not_latin(sign: str) -> bool:
    """Whether it is a letter of another script."""
    if sign <= _LATIN_MAX or _LATIN_MORE[0] <= sign <= _LATIN_MORE[1]:
        return False
    return sign.isalnum() and not sign.isdecimal()


def _matches(pattern: patterns.Pattern, plain: str) -> bool:
    if len(plain.split(None, FILLER_WORDS_MAX)) > FILLER_WORDS_MAX or _ADDS_AFTER_ALL.search(plain):
        return False
    return bool(pattern.fullmatch(plain))
