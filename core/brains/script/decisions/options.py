"""Options that people put as such, in a list, and which of them a line names."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import choices, choosing, verbs
from core.brains.task_cache import cached
from core.brains.text.wording import closest, words_of
from core.domain.answers import Answer, Claim, ClaimKind
from core.domain.ids import AnswerId
from core.domain.lines import OPTION_PREFIX

_SIGN: Final = patterns.compile(
    r"(?:^|\n)[\s>]*(?:[-*+•‣]|[*_]{0,2}\(?(?P<label>[A-Za-z]|[0-9]{1,2})[).:/][*_]{0,2})\s+[*_]{0,2}$"
)
_IN_LINE: Final = patterns.compile(r"\s\(?(?P<label>[A-Za-z]|[0-9]{1,2})\)\s+$")  # "… 2) a van"
_LABELLED: Final = patterns.compile(
    r"(?:(?:[a-z]{2,6} )?(?:options?|ways|choices|alternatives)[:–-] ?)?"  # "our options: A) …"
    r"[*_]{0,2}(?:[a-z]{3,12}\.? )?"  # "Road 1:", "way B)"
    r"\(?(?:(?P<label>[A-Z]|[IVX]{2,4}|[0-9]{1,2})[).:/]|(?P<cell>[A-Z])\s\|)\s",
    patterns.IGNORECASE,
)
# "A keep the barn", over "B …"; "1 keep the barn", over "2 …" and "3 …"
_BARE: Final = patterns.compile(r"(?:^|\n)[\s>]*(?P<label>[A-E1-9]) (?=\S)")
_TITLE: Final = patterns.compile(
    r"(?:[*_]{1,2}|[\"“])?(?P<title>[^\W_][^*_\"“”:]{1,30}?)(?:[*_]{1,2}:?|[\"”]:?|:)\s"
)
_JOINED: Final = patterns.compile(r"\s*(?:[+&,/]|\b(?:and|plus|und|y)\b)\s*", patterns.IGNORECASE)
_CALLED: Final = patterns.compile(
    r"^(?:the |an? |my |your |our )?(?:(?:option|opt\.?|number|variant|way|plan) )?(?P<name>.+?)"
    r"(?: one| option| way)?(?: (?:then|now|dann|entonces))?$",
    patterns.IGNORECASE,
)
_POINTS_AT: Final = patterns.compile(
    r"the (?P<name>[a-z0-9]+) (?:one|option|way)\b", patterns.IGNORECASE
)
# "I'd go for A", "i lean to B": somebody's view of one
_PREFERS: Final = patterns.compile(
    r"(?:^| )(?:go|take|prefer|vote|want|rather|against|lean)(?: (?:for|with|to|towards))?"
    r" (?P<name>[A-E])(?:$|[ ,.;!])"
)
_OPENS_WITH_LETTER: Final = patterns.compile(r"(?P<name>[A-E1-9]|[b-e])(?:: ?| )(?P<verb>[a-z’']+)")
_ROWS: Final = lexicon.table("evidence")["options"]
_SIDES: Final = frozenset(_ROWS["sides"])  # "A pro: we have it", "C no, ops hates it"
_ORDINALS: Final = tuple(row.split() for row in _ROWS["ordinals"])
_VIEW: Final = lexicon.compiled(_ROWS["view"])  # of its author on the options, and none itself
_TAKES_LETTER: Final = lexicon.compiled(_ROWS["letter"])
_OPENS_WITH_CHOICE: Final = lexicon.compiled(_ROWS["letter-opens"])
_OPENS_WITH_NAME: Final = lexicon.compiled(_ROWS["name-opens"])
_ANOTHER_LETTER: Final = lexicon.compiled(_ROWS["another-letter"])
_USES: Final = lexicon.compiled(_ROWS["uses"])
_WORD: Final = patterns.compile(r"[^\W_]+")
LETTERS_MIN: Final = 2  # of a list; of two, no other line stands between
THUMB: Final = "👍"
LETTERS: Final = ("a", "b", "c", "d", "e")
SHARED_WORDS_MIN: Final = 2  # of a line and the option that it names
LONG: Final = 6  # words with a meaning, of an option
# Where options are not asked for, "A) …" and "B) …" are read as what their step is about.
_MAY_BE_ONE: Final[frozenset[ClaimKind]] = frozenset(
    {"option", "fact", "module", "data", "interface", "entry-point"}
)


@dataclass(frozen=True, slots=True)
class PutOption:
    """An option of a list. `label`: its letter or number, small; empty behind a bare sign.

    `title`: the words before its colon, small; `answer`: in which it was put; `read_as`: the name
    that it has already: "way 1"; `is_small`: its author wrote a small letter.
    """

    text: str
    label: str = ""
    title: str = ""
    answer: str = ""
    read_as: str = ""
    is_small: bool = False

    @property
    def is_lettered(self) -> bool:
        return self.label in LETTERS

    @property
    def name(self) -> str:
        """As others call it: "Option B"; its words where it has no letter."""
        lettered = f"{OPTION_PREFIX}{self.label.upper()}" if self.label else ""
        return self.read_as or lettered or self.title or self.text


def put_options(
    claims: Iterable[Claim], answers: Mapping[AnswerId, Answer]
) -> tuple[PutOption, ...]:
    """The options that open an item of somebody's list, or that their author gave a letter.

    Where somebody put several, an option of another answer ("C. I like C") is none beside them,
    but for one that goes on with their letters.
    """
    labelled = ((_put(claim, answers), claim) for claim in claims if claim.kind in _MAY_BE_ONE)
    options = [
        option
        for option, claim in labelled
        if option and (claim.kind == "option" or option.is_lettered)
    ]
    counts = Counter(option.answer for option in options)
    letters = {option.label for option in options if counts[option.answer] > 1}
    lists = [
        option
        for option in options
        if counts[option.answer] > 1 or _is_next_letter(option, letters)
    ]
    return tuple(lists or options)


def _is_next_letter(option: PutOption, letters: Collection[str]) -> bool:
    before = chr(ord(option.label) - 1) if option.is_lettered else ""
    return before in letters and option.label not in letters


def _put(claim: Claim, answers: Mapping[AnswerId, Answer]) -> PutOption | None:
    answer = next((answers[source] for source in claim.sources if source in answers), None)
    text = answer.text if answer else ""
    at = text.find(claim.text)
    match = _LABELLED.match(claim.text)
    if not match and at > 0:
        match = _SIGN.search(text[:at]) or _IN_LINE.search(text[:at])
    match = match or _bare_heads(text).get(at)
    if not match:
        return None
    label = match["label"] or match.groupdict().get("cell") or ""
    head = match[0].lstrip()
    words = claim.text[len(head) :] if claim.text.startswith(head) else claim.text
    title = _TITLE.match(words)
    if not (label or title) and _VIEW.search(words):
        return None
    return PutOption(
        claim.text,
        label.casefold(),
        title["title"].casefold() if title else "",
        answer.id if answer else "",
        claim.data.get("option", "") if _is_put(claim) else "",
        label.islower(),
    )


@cached
def _bare_heads(text: str) -> Mapping[int, patterns.Match]:
    """Where the items of a list that opens with A, B and so on, or 1, 2 and 3 begin, with a number
    and without; no "a" of a sentence, and no "2 weeks"."""
    every = list(_BARE.finditer(text))
    return {
        place: head
        for labels in ("ABCDE", "123456789")
        if _is_bare_list(text, heads := [head for head in every if head["label"] in labels], labels)
        for head in heads
        for place in (head.end() - len("A "), head.end())
    }


def _is_bare_list(text: str, heads: Sequence[patterns.Match], labels: str) -> bool:
    letters = "".join(head["label"] for head in heads)
    if len(letters) < LETTERS_MIN or not labels.startswith(letters):
        return False
    is_in_turn = text.count("\n", heads[0].end(), heads[-1].end()) < len(letters)
    return len(letters) > LETTERS_MIN or (is_in_turn and not letters.isdecimal())


def is_of_list(
    claim: Claim, options: Sequence[PutOption], answers: Mapping[AnswerId, Answer]
) -> bool:
    """True for what stands in a list of options A, B and so on: from the first one to the end of
    the line of the last one."""
    beside = [
        option
        for option in options
        if option.answer in claim.sources and option.is_lettered and not option.is_small
    ]
    if len(beside) < LETTERS_MIN:
        return False
    text = answers[AnswerId(beside[0].answer)].text
    first, last = (text.find(option.text) for option in (beside[0], beside[-1]))
    end = text.find("\n", last)
    return 0 <= first <= text.find(claim.text) < (end if end >= 0 else len(text))


def name_of(text: str, options: Sequence[PutOption]) -> str:
    """What others call an option of a list: its letter or title, else its words.

    Nothing for an item that has neither in a list in which others have.
    """
    own = next((option for option in options if option.text == text), None)
    beside = [option for option in options if own and option.answer == own.answer]
    has_names = any(option.label or option.title for option in beside)
    return own.name if own and (own.label or own.title or not has_names) else ""


def pointed_at(line: str, options: Sequence[PutOption]) -> str:
    """The name of the option that a line opens with: "the third one I cannot sign", "B breaks the
    day they change their prices"; else of the one that its author prefers."""
    letter = _OPENS_WITH_LETTER.match(line)
    # not in "A class of 30"
    is_named = letter and (verbs.is_finite(letter["verb"]) or letter["verb"] in _SIDES)
    match = letter if is_named else _POINTS_AT.match(line) or _PREFERS.search(line)
    return next((option.name for option in called(match["name"], options)), "") if match else ""


def called(
    names: str, options: Sequence[PutOption], live: Sequence[PutOption] | None = None
) -> tuple[PutOption, ...]:
    """The options that words name and nothing else: "A + C", "the second", "own box".

    `live`: of which "the second" is one; None: of all.
    """
    parts = [part.strip(" \"“”'()") for part in _JOINED.split(names)]
    matches = [_find_option(part, options, options if live is None else live) for part in parts]
    return tuple(option for option in matches if option) if all(matches) else ()


def _find_option(
    name: str, options: Sequence[PutOption], live: Sequence[PutOption]
) -> PutOption | None:
    match = _CALLED.match(name.casefold())
    plain = match["name"] if match else ""
    place = next((at for at, words in enumerate(_ORDINALS) if plain in words), None)
    if place is not None:
        is_one_list = len({option.answer for option in live}) == 1
        return live[place] if is_one_list and place < len(live) else None
    same = [option for option in options if plain and plain in (option.label, option.title)]
    same = same or [option for option in options if _is_part(plain, option.text)]
    return same[0] if len(same) == 1 else None


def _is_part(name: str, text: str) -> bool:
    """True if all words of a name stand in a text, one that carries meaning among them."""
    words, others = (frozenset(_WORD.findall(part.casefold())) for part in (name, text))
    return bool(words_of(name)) and words <= others


def taken(line: str, options: Sequence[PutOption]) -> tuple[PutOption, ...]:
    """The option that a line takes: by its letter and little else ("ok, B then"), by its letter or
    name at its head ("ok B. slower"), or by use of it ("we use the plugin with a queue")."""
    by_letter = _TAKES_LETTER.fullmatch(line.rstrip(f"{THUMB} "))
    is_alone = line.strip(" .!") in LETTERS  # all that somebody says
    if by_letter and (is_alone or _is_letter(by_letter["name"], options)):
        return called(by_letter["name"], options)
    opens = _OPENS_WITH_CHOICE.match(line)
    if opens and not _ANOTHER_LETTER.match(opens["more"]):
        letter = str(opens["after"] or opens["then"] or opens["first"])
        return called(letter, options) if _is_letter(letter, options) else ()
    by_name = _OPENS_WITH_NAME.fullmatch(line)
    lettered = [option for option in options if option.is_lettered]
    if by_name and (named := called(by_name["name"], lettered)):
        return named
    uses = _USES.match(line)
    words = choices.gist(uses["a"]) if uses else ""
    used = named_in(words, options) if uses and choosing.is_plain(line, words) else None
    return (used,) if used else ()


def _is_letter(name: str, options: Sequence[PutOption]) -> bool:
    """False for a small letter, which may be a word, unless the options have small ones."""
    are_small = any(option.is_small and option.label == name for option in options)
    return not name.islower() or are_small


def named_in(words: str, options: Iterable[PutOption]) -> PutOption | None:
    """The one of several options with which some words share more than with any other."""
    texts = {str(place): option.text for place, option in enumerate(options)}
    nearest = closest(words, texts) if len(texts) > 1 else None
    if nearest is None or len(words_of(words) & words_of(texts[nearest])) < SHARED_WORDS_MIN:
        return None
    return tuple(options)[int(nearest)]


def described(lines: Sequence[Claim], answers: Mapping[AnswerId, Answer]) -> list[Claim]:
    """The lines, those that stand behind an option in its answer under the name of that one.

    On its line; on lines of their own between two options, and then behind the last one, too. So
    are those that speak of one option alone.
    """
    every = list(lines)
    heads = [at for at, line in enumerate(lines) if _is_put(line) or _is_taken(line)]
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
    first_by_name = {every[at].data["option"]: every[at] for at in reversed(heads)}
    options = list(first_by_name.values())
    return [_spoken_of(line, options) if _is_remark(line) else line for line in every]


def _spoken_of(line: Claim, options: Sequence[Claim]) -> Claim:
    """The line under the name of the one option that it names ("option B is plain"), else whose
    words it has: two of a long one's."""
    words, text = words_of(line.text), line.text.casefold()
    counts = ((option, words_of(option.text)) for option in options)
    near = [option for option, own in counts if len(words & own) >= (1 if len(own) < LONG else 2)]
    names = ((option, option.data["option"].casefold()) for option in options)
    near = [option for option, name in names if patterns.find_word(name, text) >= 0] or near
    is_clear = len(near) == 1 and len(options) > 1
    return replace(line, data={**line.data, "option": near[0].data["option"]}) if is_clear else line


def _is_put(line: Claim) -> bool:
    return line.kind == "option" and "option" in line.data and "choice" not in line.data


def _is_taken(line: Claim) -> bool:
    """True for a line that takes an option, so that what stands behind it is about that one."""
    return line.kind == "option" and line.data.get("choice") == "chosen" and "option" in line.data


def _is_remark(line: Claim) -> bool:
    return line.kind == "option" and {"option", "choice"}.isdisjoint(line.data)


def _between(head: Claim, line: Claim, text: str) -> str | None:
    """What parts a line from the option above it; None for what opens an item, or is no remark."""
    at = text.find(line.text)
    if not _is_remark(line) or line.sources != head.sources or at < 0 or _SIGN.search(text[:at]):
        return None
    between = text[text.find(head.text) + len(head.text) : at]
    return None if "?" in between else between  # a question turns to something else
