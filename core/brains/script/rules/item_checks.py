"""Checks of the items of a list by their names: "for number 2 I'd …", "3: I read …", "F4: … -> …".

Where a step asks for checks, such a name is that of a requirement, if somebody listed it so. The
sentence that goes on behind one belongs to it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.reply_forms import plays_scene
from core.brains.script import evidence
from core.brains.script.line_signs import asked_for
from core.brains.script.parts import signs, trials, verbs
from core.brains.script.parts.phrases import is_short, on_one_line
from core.brains.script.topics import Topic
from core.brains.text.filler import is_filler
from core.brains.text.questions import Fragment

ITEMS_MIN: Final = 2  # of a list whose numbers name its items
LEAD_WORDS_MAX: Final = 6  # before the first item that a sentence names
MEASURE_WORDS_MAX: Final = 5
_ROWS: Final = lexicon.table("evidence")["of-item"]
_HEAD: Final = lexicon.compiled(_ROWS["head"])
_WOULD: Final = lexicon.compiled(
    _ROWS["would"], unless=lambda match: match["verb"].casefold() in trials.WOULD_RATHER
)
_SEEN: Final = lexicon.compiled(_ROWS["seen"])
_ACTS: Final = lexicon.compiled(_ROWS["acts"])
_AMENDS: Final = lexicon.compiled(_ROWS["amends"])
_SAYS_HOW_MUCH: Final = lexicon.pattern("says-how-much")
_NUMBER: Final = patterns.compile(r"[0-9]{1,3}")
_LEADS_TO: Final = patterns.compile(r"\S ?(?:->|→|=>) ?\S")
_JOINT: Final = patterns.compile(r"[\s,;:–—-]+(?:(?:and|but|so|then)\s+)?$")
_ACCEPTANCE: Final = "acceptance"


def names_items(
    pieces: Sequence[Fragment], names: Collection[str], questions: Mapping[int, str], topic: Topic
) -> bool:
    """True if each name that opens a line is that of an item, and none the number of a question.

    `pieces`: those of an answer whose numbers are a list of people's own.
    """
    opening = {piece: name for piece in pieces if (name := _opening_name(piece))}
    if not opening or not all(_is_check(piece, names) for piece in opening):
        return False
    (first, name), *others = opening.items()
    asks = asked_for(questions.get(int(name), "") if name.isdecimal() else "", topic)
    return bool(others) or first.text.startswith("#") or _ACCEPTANCE not in asks


def labelled_checks(pieces: Sequence[Fragment], names: Collection[str]) -> list[Fragment]:
    """The pieces of an answer, those that check an item under the label of a check."""
    result: list[Fragment] = []
    is_check = False
    parts = (part for piece in pieces for part in _items_apart(piece, names))
    for piece in parts:
        if is_check and not piece.opens and _goes_on(piece, names):
            result[-1] = replace(result[-1], text=f"{result[-1].text} {piece.text}")
            continue
        is_check = _is_check(piece, names)
        result.append(replace(piece, label=_ACCEPTANCE) if is_check else piece)
    return result


def _opening_name(piece: Fragment) -> str:
    """The number or name that a line opens with: "3: …", "2. …", "no 4 - …", "F4: …"."""
    head = _HEAD.match(on_one_line(piece.text))
    if head:
        return str(head["number"] or head["named"] or head["name"]).casefold().replace("-", "")
    sign = _NUMBER.search(piece.sign) if piece.opens else None
    return sign[0] if sign else ""


def _items_apart(piece: Fragment, names: Collection[str]) -> Iterator[Fragment]:
    """ "Well, for number 2 I'd …, and for 6 I'd …": what is said for each item."""
    text = "" if piece.code or piece.table else piece.text
    starts = [at.start("name") for at in _WOULD.finditer(text) if at["number"] in names]
    if starts and len(text[: starts[0]].split()) <= LEAD_WORDS_MAX:
        starts[0] = 0
    if not starts or starts == [0]:
        yield piece
        return
    starts = starts if not starts[0] else [0, *starts]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = _JOINT.sub("", text[start:end])
        yield replace(piece, text=part, opens=piece.opens and not start)


def _is_check(piece: Fragment, names: Collection[str]) -> bool:
    """True for what somebody would do with an item of the list, and what is seen then."""
    text = on_one_line(piece.text)
    if piece.code or piece.table or not is_short(text) or signs.is_question(text):
        return False
    would = _WOULD.search(text)
    if would and would["number"] in names and len(would.before.split()) <= LEAD_WORDS_MAX:
        return bool(trials.tails(would.after))
    head = _HEAD.match(text)
    line = text[head.end() :] if head else text
    if _opening_name(piece) not in names or evidence.is_excluded(line) or _AMENDS.match(line):
        return False
    if head and (_LEADS_TO.search(line) or plays_scene(line)):
        return True
    return trials.is_trial(line) or trials.is_tried(line) or evidence.is_check(line) or _acts(line)


def _acts(line: str) -> bool:
    """ "Put Ann on the list, not on mine": somebody does something, and then it is seen."""
    acts = verbs.is_command(line) or _ACTS.match(line)
    return bool(acts) and any(map(_SEEN.search, trials.tails(line)))


def _goes_on(piece: Fragment, names: Collection[str]) -> bool:
    """True for a sentence behind a check that acts on, tells what is seen, or measures it."""
    text = on_one_line(piece.text)
    if piece.code or not is_short(text) or is_filler(text) or signs.is_question(text):
        return False
    if _opening_name(piece) in names or _is_check(piece, names) or evidence.is_firm(text):
        return False
    if len(text.split()) <= MEASURE_WORDS_MAX and _SAYS_HOW_MUCH.search(text):
        return True
    acts = (verbs.is_command(text) or _ACTS.match(text)) and trials.tails(text)
    return bool(acts or trials.is_tried(text) or _SEEN.match(text))
