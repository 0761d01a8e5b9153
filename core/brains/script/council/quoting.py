"""A few words of a line, and sentences that fit into a turn.

What stands between quote marks is always a piece of a line as it was said, on one line, without
signs that Slack or a Markdown page would act upon.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal

from core import patterns
from core.brains import lexicon
from core.brains.text.filler import is_filler
from core.english import joined

Occasion = Literal[
    "asks", "hears", "proposes", "looks", "revises", "agrees", "dissents", "draws", "reads", "ends"
]

TEXT_CHARS_MAX: Final = 600  # of one turn
QUOTE_WORDS_MAX: Final = 9
QUOTE_CHARS_MAX: Final = 60
NAME_CHARS_MAX: Final = 40
LINE_CHARS_READ_MAX: Final = 4_000
SOMEBODY: Final = "somebody"

_CONTROL_RANGES: Final = (
    *((0x00, 0x1F), (0x7F, 0x9F), (0x61C, 0x61C), (0x200B, 0x200B), (0x200E, 0x200F)),
    *((0x2028, 0x202E), (0x2060, 0x2069), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFC)),
)
_CONTROLS: Final = {
    code: "\0" for first, last in _CONTROL_RANGES for code in range(first, last + 1)
}
_GONE: Final = patterns.compile(
    r"`{3,}.*?`{3,}|https?://\S+|<[^<>]*>|:[a-z0-9_+-]+:", patterns.DOTALL | patterns.IGNORECASE
)
_EDGE: Final = patterns.compile(
    r"[.!?;:,]+(?=\s|$)|\s[-–—]+(?=\s)|[()\[\]{}<>|“”„«»\"*~`…。！？、，；：]"
    r"|(?<![^\W_])[_@#]|_(?![^\W_])|\x00"
)
_MARKS: Final = patterns.compile(r"[*_~`<>@#|:“”„«»\"\[\]()\x00]")
_LETTER: Final = patterns.compile(r"[^\W_]")
_QUOTED: Final = patterns.compile(r"“([^“”]+)”")
_LIST_SIGN: Final = patterns.compile(r"^\s*(?:[-*•>#]+|\(?[0-9]{1,2}[.)]|[0-9]{1,2}:)\s+")
_LOOSE_END: Final = lexicon.listed("loose-end")
_LOOSE_START: Final = lexicon.listed("loose-start")


def quote(text: str, about: Callable[[str], object] | None = None) -> str:
    """A clause of a line: one that is `about` something, else one of two words, else any."""
    every = list(_clauses(text))
    clauses = [clause for clause in every if not is_filler(clause)] or every
    wanted = [clause for clause in clauses if about and about(clause)]
    long_clauses = [clause for clause in clauses if len(clause.split()) > 1]
    return next(iter((*wanted, *long_clauses, *clauses)), "")


def quote_of(part: str, text: str) -> str:
    """A clause of a part that a reader took out of a line, if it stands in it like that."""
    piece = quote(part)
    return piece if piece and occurs(piece, text) else ""


def quotes_in(text: str) -> tuple[str, ...]:
    """What a turn quotes, each piece once, in its order."""
    return tuple(dict.fromkeys(_QUOTED.findall(text)))


def occurs(piece: str, text: str) -> bool:
    """True if a quoted piece stands in what somebody said."""
    return " ".join(piece.split()) in " ".join(text.split())


def _clauses(text: str) -> Iterator[str]:
    for row in _GONE.sub("\n", text[:LINE_CHARS_READ_MAX]).splitlines():
        for part in _EDGE.split(_LIST_SIGN.sub("", row).translate(_CONTROLS)):
            words = part.strip("-–—' ").split()
            while len(words) > 1 and words[0].casefold() in _LOOSE_START:
                words = words[1:]
            clause = " ".join(_cut_loose_end(words))
            if _LETTER.search(clause):
                yield clause


def _cut_loose_end(words: list[str]) -> list[str]:
    """Not too many of them; where they are cut, none at the end that asks for another."""
    fitting = words[:QUOTE_WORDS_MAX]
    while len(fitting) > 1 and len(" ".join(fitting)) > QUOTE_CHARS_MAX:
        fitting.pop()
    cut = len(fitting) < len(words)
    while cut and len(fitting) > 1 and fitting[-1].casefold() in _LOOSE_END:
        fitting.pop()
    return [_shortened(word) for word in fitting]


def _shortened(word: str) -> str:
    """A long run without spaces, cut where no sign is torn from its letter."""
    if len(word) <= QUOTE_CHARS_MAX:
        return word
    end = QUOTE_CHARS_MAX
    while end > 1 and (_clings(word[end]) or word[end - 1] == "\u200d"):
        end -= 1
    return word[:end]


def _clings(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "M" or sign == "\u200d"


# ── names and sentences ────────────────────────────────────────────────────────────────────────


def plain_name(name: str) -> str:
    """A person's name as it can stand in a turn; "somebody" where nothing is left of it."""
    short = " ".join(_MARKS.sub(" ", name.translate(_CONTROLS)).split())[:NAME_CHARS_MAX].strip()
    return short if _LETTER.search(short) else SOMEBODY


def listed(items: Iterable[str]) -> str:
    """`a, b and c`, each once."""
    return joined(dict.fromkeys(items))


def begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def inside(sentence: str) -> str:
    """A sentence of the party's file, to stand inside another one."""
    plain = " ".join(_MARKS.sub(" ", sentence.translate(_CONTROLS)).split()).rstrip(".!")
    return plain if plain[1:2].isupper() else plain[:1].lower() + plain[1:]


def voice(persona: str, occasion: Occasion) -> str:
    """The sentence with which a persona begins a turn; one without a voice begins plainly."""
    voices = lexicon.table("council")["voices"]
    sentence: str = voices.get(persona, {}).get(occasion, voices["any"][occasion])
    return sentence


def fit(sentences: Sequence[str]) -> str:
    """Those that fit into a turn, in their order; what is too long is left out as a whole."""
    text = ""
    for sentence in filter(None, sentences):
        longer = f"{text} {sentence}" if text else sentence
        if len(longer) <= TEXT_CHARS_MAX:
            text = longer
    return text
