"""Options that people put as such, in a list, and which of them a line names."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.text.wording import closest, words_of
from core.domain.answers import Answer, Claim, ClaimKind
from core.domain.ids import AnswerId

_SIGN: Final = patterns.compile(
    r"(?:^|\n)[\s>]*(?:[-*+•‣]|[*_]{0,2}\(?(?P<label>[A-Za-z]|[0-9]{1,2})[).:][*_]{0,2})\s+[*_]{0,2}$"
)
_LABELLED: Final = patterns.compile(
    r"[*_]{0,2}(?:(?:option|opt\.?|variant|alternative|way|plan) )?"
    r"\(?(?P<label>[A-Z]|[IVX]{2,4}|[0-9]{1,2})[).:]\s",
    patterns.IGNORECASE,
)
_TITLE: Final = patterns.compile(
    r"(?:[*_]{1,2}|[\"“])?(?P<title>[^\W_][^*_\"“”:]{1,30}?)(?:[*_]{1,2}:?|[\"”]:?|:)\s"
)
_JOINED: Final = patterns.compile(r"\s*(?:[+&,/]|\b(?:and|plus|und|y)\b)\s*", patterns.IGNORECASE)
_CALLED: Final = patterns.compile(
    r"^(?:the |an? |my )?(?:(?:option|opt\.?|number|variant|way|plan) )?(?P<name>.+?)"
    r"(?: one| option| way)?$",
    patterns.IGNORECASE,
)
_ORDINALS: Final = tuple(row.split() for row in lexicon.table("evidence")["taking-up"]["ordinals"])
SHARED_WORDS_MIN: Final = 2  # of a line and the option that it names
# Where options are not asked for, "A) …" and "B) …" are read as what their step is about.
_MAY_BE_ONE: Final[frozenset[ClaimKind]] = frozenset(
    {"option", "fact", "module", "data", "interface", "entry-point"}
)


@dataclass(frozen=True, slots=True)
class PutOption:
    """An option of a list. `label`: its letter or number, small; empty behind a bare sign.

    `title`: the words before its colon, small; `answer`: in which it was put.
    """

    text: str
    label: str = ""
    title: str = ""
    answer: str = ""

    @property
    def is_lettered(self) -> bool:
        return self.label in ("a", "b", "c", "d", "e")

    @property
    def name(self) -> str:
        """As others call it: "Option B"; its words where it has no letter."""
        return f"Option {self.label.upper()}" if self.label else self.title or self.text


def put_options(
    claims: Iterable[Claim], answers: Mapping[AnswerId, Answer]
) -> tuple[PutOption, ...]:
    """The options that open an item of somebody's list, or that their author gave a letter.

    Where somebody put several, an option of another answer ("C. I like C") is none beside them.
    """
    labelled = ((_put(claim, answers), claim) for claim in claims if claim.kind in _MAY_BE_ONE)
    options = [
        option
        for option, claim in labelled
        if option and (claim.kind == "option" or option.is_lettered)
    ]
    counts = Counter(option.answer for option in options)
    lists = [option for option in options if counts[option.answer] > 1]
    return tuple(lists or options)


def _put(claim: Claim, answers: Mapping[AnswerId, Answer]) -> PutOption | None:
    answer = next((answers[source] for source in claim.sources if source in answers), None)
    text = answer.text if answer else ""
    at = text.find(claim.text)
    match = _LABELLED.match(claim.text) or (_SIGN.search(text[:at]) if at > 0 else None)
    if not match:
        return None
    words = claim.text[match.end() :] if claim.text.startswith(match[0]) else claim.text
    title = _TITLE.match(words)
    return PutOption(
        claim.text,
        (match["label"] or "").casefold(),
        title["title"].casefold() if title else "",
        answer.id if answer else "",
    )


def called(names: str, options: Sequence[PutOption]) -> tuple[PutOption, ...]:
    """The options that words name and nothing else: "A + C", "the second", "own box"."""
    parts = [part.strip(" \"“”'") for part in _JOINED.split(names)]
    named = [_called(part, options) for part in parts]
    return tuple(option for option in named if option) if all(named) else ()


def _called(name: str, options: Sequence[PutOption]) -> PutOption | None:
    match = _CALLED.match(name.casefold())
    plain = match["name"] if match else ""
    place = next((at for at, words in enumerate(_ORDINALS) if plain in words), None)
    if place is not None:
        is_one_list = len({option.answer for option in options}) == 1
        return options[place] if is_one_list and place < len(options) else None
    same = [option for option in options if plain and plain in (option.label, option.title)]
    return same[0] if len(same) == 1 else None


def named_in(words: str, options: Iterable[PutOption]) -> PutOption | None:
    """The one of several options with which some words share more than with any other."""
    texts = {str(place): option.text for place, option in enumerate(options)}
    nearest = closest(words, texts) if len(texts) > 1 else None
    if nearest is None or len(words_of(words) & words_of(texts[nearest])) < SHARED_WORDS_MIN:
        return None
    return tuple(options)[int(nearest)]


def described(lines: Sequence[Claim], answers: Mapping[AnswerId, Answer]) -> list[Claim]:
    """The lines, those that stand behind an option in its answer under the name of that one.

    On its line; on lines of their own between two options, and then behind the last one, too.
    """
    every, heads = list(lines), [at for at, line in enumerate(lines) if _is_put(line)]
    is_told_below = False
    for at, end in pairwise((*heads, len(every))):
        head, is_last = every[at], end == len(every) or every[end].sources != every[at].sources
        text = next((answers[source].text for source in head.sources if source in answers), "")
        gaps = ((n, _between(head, every[n], text)) for n in range(at + 1, end))
        behind = {n: gap for n, gap in gaps if gap is not None}
        is_told_below = is_told_below or (
            not is_last and any("\n" in gap for gap in behind.values())
        )
        for n, gap in behind.items():
            if is_told_below or "\n" not in gap:
                every[n] = replace(every[n], data={**every[n].data, "option": head.data["option"]})
        is_told_below = is_told_below and not is_last
    return every


def _is_put(line: Claim) -> bool:
    return line.kind == "option" and "option" in line.data and "choice" not in line.data


def _between(head: Claim, line: Claim, text: str) -> str | None:
    """What parts a line from the option above it; None for what opens an item, or is no remark."""
    is_remark = line.kind == "option" and {"option", "choice"}.isdisjoint(line.data)
    at = text.find(line.text)
    if not is_remark or line.sources != head.sources or at < 0 or _SIGN.search(text[:at]):
        return None
    return text[text.find(head.text) + len(head.text) : at]
