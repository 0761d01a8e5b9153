"""The lines that a text names: by ref, by a name of people's own, by number. For any brain.

People number their lines themselves ("R5 - prescription of day 1", "#2"). Where they did, a number
means theirs; else the requirement whose name has it.
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final

from core import patterns
from core.brains.text.wording import refs_in, words_of

RANGE_MAX: Final = 50
PREFIXES: Final = ("FR", "NFR", "US")

_OWN: Final = patterns.compile(
    r"(?:\[[ x]?\]\s*)?[*_(\[#]{0,2}(?P<sign>(?:r|req|f|ac|a|s|q|nfr)[- ]?|[a-z]{1,4}-?)?"
    r"0*(?P<number>[0-9]{1,3})[*_)\]]{0,2}\s*(?:[:.)–—|-]|\s)\s*\S.*",
    patterns.IGNORECASE | patterns.DOTALL,
)
_SIGN: Final = patterns.compile(
    r"\b(?P<sign>(?:r|req|f|ac|a|s|q|nfr)[- ]?|[a-z]{1,4}-?)0*(?P<number>[0-9]{1,3})\b",
    patterns.IGNORECASE,
)
_EXPECTED: Final = frozenset({"r", "req", "f", "ac", "a", "s", "q", "nfr"})
_NAMED: Final = patterns.compile(
    r"(?:#|\b(?:r|req|requirement|story|line|point|item|no\.?|number) ?-?)0*([0-9]{1,3})\b"
    r"(?:\s*(?:-|–|to|bis|until|through|\.\.)\s*(?:#|r|req)?-?0*([0-9]{1,3})\b)?",
    patterns.IGNORECASE,
)
_OF_ANYTHING: Final = patterns.compile(r"(?:line|point|item|no|number)\b", patterns.IGNORECASE)
_BARE: Final = patterns.compile(
    r"(?<![\w-])([0-9]{1,3})(?:\s*(?:-|–|to|bis|until|through)\s*([0-9]{1,3}))?(?![\w.])",
    patterns.IGNORECASE,
)
_RANKING: Final = patterns.compile(
    r"\b(?:musts?|should|could|won['’]?t|haves?|final|rest|others|maybe|later|please)\b",
    patterns.IGNORECASE,
)


def named_in(text: str, lines: Mapping[str, str]) -> tuple[str, ...]:
    """The refs of the lines that a text names; nothing where it names none. `lines`: ref → text.

    Where people numbered no line, "number 13" behind other words counts anything: rooms, guests.
    """
    refs = [ref for prefix in PREFIXES for ref in refs_in(prefix, text) if ref in lines]
    are_numbered = bool(own_numbers(lines))
    for match in _NAMED.finditer(text):
        if are_numbered or not _counts_anything(match):
            refs += refs_of(numbers_between(match[1], match[2]), lines)
    return tuple(dict.fromkeys(refs))


def _counts_anything(match: patterns.Match) -> bool:
    is_headed = not match.start() or match.after[:1] in (":", ")", "=")
    return bool(_OF_ANYTHING.match(match[0])) and not is_headed


def called_in(text: str, lines: Mapping[str, str]) -> list[str]:
    """The lines whose name of people's own a text has: "Gate: decides R2", "for S1"."""
    own = _own_signs(lines)
    signs = (_sign(match) for match in _SIGN.finditer(text))
    return list(dict.fromkeys(own[sign] for sign in signs if sign in own))


def _own_signs(lines: Mapping[str, str]) -> dict[tuple[str, int], str]:
    """What people call lines → ref; letters that we do not expect name lines where two have them.

    "AC1 …" and "AC2 …" are names; "PG14 stays" is none. Of two lines with one the first has it.
    """
    matches = ((ref, _OWN.fullmatch(line)) for ref, line in reversed(list(lines.items())))
    own = {_sign(match): ref for ref, match in matches if match and match["sign"]}
    letters = [sign for sign, _ in own]
    return {
        sign: ref for sign, ref in own.items() if sign[0] in _EXPECTED or letters.count(sign[0]) > 1
    }


def _sign(match: patterns.Match) -> tuple[str, int]:
    return match["sign"].casefold().rstrip("- "), int(match["number"])


def refs_of(numbers: Iterable[int], lines: Mapping[str, str]) -> list[str]:
    """The lines that numbers of one text name, as `numbering` has them."""
    numbers = tuple(numbers)
    by_number = numbering(numbers, lines)
    return [by_number[number] for number in numbers if number in by_number]


def numbering(numbers: Iterable[int], lines: Mapping[str, str]) -> Mapping[int, str]:
    """Number → ref, for the numbers of one text: those that people gave their lines, if they gave
    each of these; else FR-002 for 2.

    What was taken back or replaced leaves a gap: the place of a line in the list says nothing.
    """
    own = own_numbers(lines)
    if own and own.keys() >= {*numbers}:
        return own
    return {int(ref.removeprefix("FR-")): ref for ref in lines if ref.startswith("FR-")}


def own_numbers(lines: Mapping[str, str]) -> dict[int, str]:
    """Number → ref of the lines that begin with a name of people's own: "R5 - …"."""
    own: dict[int, str] = {}
    for ref, line in lines.items():
        match = _OWN.fullmatch(line)
        is_named = match and (_sign(match)[0] in _EXPECTED if match["sign"] else line[0] in "#([*")
        if match and is_named:
            own.setdefault(int(match["number"]), ref)
    return own


def numbers_between(first: str, last: str | None) -> range:
    start, end = int(first), int(last or first)
    return range(start, end + 1) if 0 <= end - start <= RANGE_MAX else range(start, start + 1)


def with_refs(text: str, lines: Mapping[str, str]) -> str:
    """A text that ranks lines by numbers ("R1-R5 must", "1 2 3 must"), with their refs instead."""
    own = _own_signs(lines)
    called = _SIGN.sub(lambda match: own.get(_sign(match), match[0]), text)
    signed = _with_refs_of(_NAMED, called, lines)
    if signed != text or words_of(_RANKING.sub(" ", text)):
        return signed
    return _with_refs_of(_BARE, text, lines)


def _with_refs_of(pattern: patterns.Pattern, text: str, lines: Mapping[str, str]) -> str:
    ranges = [numbers_between(match[1], match[2]) for match in pattern.finditer(text)]
    by_number = numbering(chain.from_iterable(ranges), lines)

    def refs_or_same(match: patterns.Match) -> str:
        numbers = numbers_between(match[1], match[2])
        return " ".join(by_number[number] for number in numbers if number in by_number) or match[0]

    return pattern.sub(refs_or_same, text)
