"""The technologies that people have or want, line by line: the material of a proposal.

A line of an earlier phase counts only if it names a technology, or an area with its choice. What
people want changed comes last and wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.council.quoting import quote, quote_of
from core.brains.script.council.transcript import CouncilLine, heard, is_of_phase
from core.brains.script.line_signs import shown_in
from core.brains.script.parts.choices import chooses, reason_in, stack_in
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX
from core.brains.script.parts.signs import is_excluded
from core.brains.script.topics import LABELS
from core.domain.ids import AnswerId
from core.domain.party.contributions import ConsultRequest

OPTION_WORDS_MAX: Final = (
    5  # of a longer one the technology that it names is taken, if it names one
)
STACK_FILE: Final = "tech-stack.md"


@dataclass(frozen=True, slots=True)
class Area:
    """`words`: that name it; `known`: technologies of which everybody knows that they belong there.

    The second only tells that the area was spoken of: no name of ours is put on a choice.
    """

    words: patterns.Pattern
    known: patterns.Pattern


_ON: Final = patterns.compile(r" (?:with|for|to|on|live|ahead)", patterns.IGNORECASE)


def _is_the_verb_go(match: patterns.Match) -> bool:
    """Whether it says "go", which is a language only with a capital: "Go", not "Go ahead"."""
    return match[0].lower() == "go" and (match[0] != "Go" or bool(_ON.match(match.after)))


AREAS: Final[Mapping[str, Area]] = {
    key: Area(*(lexicon.apart(row[name], unless=_is_the_verb_go) for name in ("words", "known")))
    for key, row in lexicon.table("council")["areas"].items()
}


@dataclass(frozen=True, slots=True)
class TechnologyMention:
    """What was said for an area. `area` is the word of whoever said it; `slot` one of `AREAS`."""

    option: str
    area: str
    slot: str
    reason: str
    standing: str  # chosen, weighed, rejected: as in a claim
    lines: tuple[CouncilLine, ...]
    plainly: bool = True  # it was said as a choice, not only named
    changed: bool = False  # by people, after a proposal

    @property
    def sources(self) -> tuple[AnswerId, ...]:
        return tuple(dict.fromkeys(line.answer.id for line in self.lines))


def slot_of(text: str) -> str:
    """The area that a line names, or that its technology belongs to."""
    by_word = (key for key, area in AREAS.items() if area.words.search(text))
    by_name = (key for key, area in AREAS.items() if area.known.search(text))
    return next(iter((*by_name, *by_word)), "")


def spoken_of(slot: str, lines: Iterable[CouncilLine]) -> bool:
    area = AREAS[slot]
    return any(area.words.search(line.text) or area.known.search(line.text) for line in lines)


def is_about_stack(request: ConsultRequest, line: CouncilLine) -> bool:
    text = line.text[:PHRASE_CHARS_MAX]
    if line.is_open or is_excluded(text) or line.domain == "alternatives":
        return False
    names = any(area.known.search(text) for area in AREAS.values())
    if is_of_phase(request, line.answer):
        label = LABELS["stack"].label_of(text)[0] or line.fragment.label
        return bool(names or label in _CHOOSING or shown_in(text, "stack") == "stack")
    return names or (bool(slot_of(text)) and chooses(text))


_CHOOSING: Final[Mapping[str, str]] = {
    "stack": "chosen",
    "rejected": "rejected",
    "weighed": "weighed",
}


def choices(request: ConsultRequest) -> tuple[TechnologyMention, ...]:
    """All of them: those that stand first, and of these what people changed; one for each area."""
    changes = {one.id for one in request.changes}
    mentions: list[TechnologyMention] = []
    for line in heard(request, "stack"):
        if is_about_stack(request, line):
            wins = line.answer.id in changes
            for mention in _said(line, is_of_phase(request, line.answer)):
                mentions = _changed(mentions, mention) if wins else _with(mentions, mention)
    return tuple(_settled(mentions))


def _said(line: CouncilLine, here: bool) -> list[TechnologyMention]:
    """`here`: it was said where choices were spoken of."""
    label, rest = LABELS["stack"].label_of(line.text)
    standing = _CHOOSING.get(label or line.fragment.label, "chosen")
    text = rest if label else line.text
    plainly = bool(here or label or chooses(text))
    return [
        TechnologyMention(
            option,
            parts.get("area", ""),
            slot_of(f"{parts.get('area', '')} {option}") or slot_of(text),
            parts.get("reason", "") or _reason(parts, text),
            parts.get("choice", standing),
            (line,),
            plainly,
        )
        for parts in stack_in(text, standing)
        if (option := _short(parts.get("option", ""), line.text, plainly))
    ]


def _reason(parts: Mapping[str, str], text: str) -> str:
    """The reason of a line is that of what it takes."""
    return reason_in(text) if parts.get("choice") == "chosen" else ""


def _short(option: str, text: str, plainly: bool) -> str:
    whole = quote_of(option, text)
    if plainly and whole and len(option.split()) <= OPTION_WORDS_MAX:
        return whole
    named = (match for area in AREAS.values() if (match := area.known.search(option)))
    return next((match[0] for match in named), whole or quote(text))


# ── one beside the other ───────────────────────────────────────────────────────────────────────


def _with(mentions: Sequence[TechnologyMention], new: TechnologyMention) -> list[TechnologyMention]:
    """Said by two, a choice is one choice; turned down by somebody, it is weighed by then."""
    for place, one in enumerate(mentions):
        if _same(one, new):
            both = replace(
                one,
                area=one.area or new.area,
                reason=one.reason or new.reason,
                lines=(*one.lines, *new.lines),
                standing=one.standing if one.standing == new.standing else "weighed",
                plainly=one.plainly or new.plainly,
            )
            return [*mentions[:place], both, *mentions[place + 1 :]]
    return [*mentions, new]


def _changed(
    mentions: Sequence[TechnologyMention], new: TechnologyMention
) -> list[TechnologyMention]:
    """What people want changed: theirs stands, and what stood there before does not."""
    theirs = replace(new, changed=True)
    if new.standing != "chosen":
        return [*(one for one in mentions if not _same(one, new)), theirs]
    others = [one for one in mentions if not _same(one, new)]
    return [
        *(
            replace(
                one,
                standing="rejected",
                reason="",
                lines=(*one.lines, *new.lines),
                changed=True,
            )
            if one.standing == "chosen" and one.slot and one.slot == new.slot
            else one
            for one in others
        ),
        theirs,
    ]


def _same(one: TechnologyMention, other: TechnologyMention) -> bool:
    return one.option.casefold() == other.option.casefold()


def _settled(mentions: Sequence[TechnologyMention]) -> list[TechnologyMention]:
    """One for each area: what has a reason, else what most people say."""
    best: dict[str, TechnologyMention] = {}
    for one in mentions:
        if one.standing == "chosen" and one.slot:
            best.setdefault(one.slot, one)
            best[one.slot] = max(best[one.slot], one, key=_weight)
    settled = [
        replace(one, standing="weighed")
        if one.standing == "chosen" and one.slot and best[one.slot] is not one
        else one
        for one in mentions
    ]
    return sorted(settled, key=lambda one: (one.standing != "chosen", not one.changed))


def _weight(choice: TechnologyMention) -> tuple[bool, int]:
    return (bool(choice.reason), len({line.by for line in choice.lines}))
