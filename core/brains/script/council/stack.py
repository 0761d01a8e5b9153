"""The technologies that people have or want, line by line: the material of a proposal.

A line of an earlier phase counts only if it names a technology, or an area with its choice. What
people want changed comes last and wins.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.council.quoting import quote, quote_of
from core.brains.script.council.technologies import AREAS, slot_of, technologies_in
from core.brains.script.council.transcript import CouncilLine, heard, is_of_phase
from core.brains.script.evidence import is_excluded
from core.brains.script.line_signs import shown_in
from core.brains.script.parts.choices import chooses, gist, reason_in, stack_in
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX, Parts
from core.brains.script.parts.signs import RULES_APPLY
from core.brains.script.parts.things import is_kept, named_in, retention_in
from core.brains.script.topics import LABELS
from core.brains.text.wording import words_of
from core.domain.ids import AnswerId
from core.domain.party.contributions import ConsultRequest

OPTION_WORDS_MAX: Final = (
    5  # of a longer one the technology that it names is taken, if it names one
)
ITEM_WORDS_MAX: Final = 4  # of each item of a list
STACK_FILE: Final = "tech-stack.md"
TECHNOLOGY: Final = "technology"  # the domain of the question which ones people have or want
_LIST_SIGN: Final = patterns.compile(r"\s*[,;+&]\s*|\s+and\s+", patterns.IGNORECASE)


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


def is_about_stack(request: ConsultRequest, line: CouncilLine) -> bool:
    text = line.text[:PHRASE_CHARS_MAX]
    if (
        line.is_open
        or line.fragment.table == "head"
        or _COSTS.search(line.fragment.head)
        or is_excluded(text)
        or line.domain == "alternatives"
    ):
        return False
    names = bool(technologies_in(text))
    if not names and (_NO_TECHNOLOGY.match(text) or _is_of_data(text)):
        return False
    if is_of_phase(request, line.answer):
        label = LABELS["stack"].label_of(text)[0] or line.fragment.label
        is_about = names or label in _CHOOSING or shown_in(text, "stack") == "stack"
        is_change = any(line.answer.id == change.id for change in request.changes)
        return bool(
            is_about
            or _names_area(text)
            or (line.domain == TECHNOLOGY and _name_alone(gist(text)))
            or (is_change and _INSTEAD.fullmatch(text))
        )
    return names or (bool(slot_of(text)) and chooses(text))


_ROWS: Final = lexicon.table("council")
_INSTEAD: Final = lexicon.compiled(_ROWS["wants-instead"])
_COSTS: Final = lexicon.compiled(_ROWS["head-of-costs"])
_NO_TECHNOLOGY: Final = lexicon.compiled(_ROWS["is-no-technology"])
_DATA: Final = lexicon.compiled(_ROWS["is-data"])
_TURNED_DOWN: Final = tuple(
    lexicon.compiled(lexicon.table("differences")[row]) for row in ("gives-up", "is-given-up")
)


def _turned_down(text: str) -> patterns.Match | None:
    """What a text gives up, as `thing`: "no AWS please", "sentry I don't want"."""
    return next(filter(None, (form.match(text) for form in _TURNED_DOWN)), None)


def _names_area(text: str) -> bool:
    """True for what stands behind its area: "monitoring: uptimerobot"."""
    name_and_text = named_in(text.replace(" = ", ": "))
    return bool(name_and_text and slot_of(name_and_text[0]))


def _is_of_data(text: str) -> bool:
    """True for what must be kept and for how long, a law, or data: "GDPR: names are deleted"."""
    name, said = named_in(text) or ("", text)
    if slot_of(name):
        return False
    is_law = RULES_APPLY.search(name) or RULES_APPLY.match(gist(said))
    is_retention = is_kept(text) and "period" in retention_in(text)
    return bool(is_law or is_retention or _DATA.search(said))


def _name_alone(text: str) -> str:
    """The technologies that an answer names and says nothing else of; "" for any other answer."""
    match = lexicon.pattern("technology-alone", flags=0).fullmatch(text)
    is_name = match and not lexicon.pattern("no-name").match(match["option"])
    return str(match["option"]) if match and is_name else ""


_CHOOSING: Final[Mapping[str, str]] = {
    "stack": "chosen",
    "rejected": "rejected",
    "weighed": "weighed",
}


def choices(request: ConsultRequest) -> tuple[TechnologyMention, ...]:
    """All of them: those that stand first, and of these what people changed; one for each area."""
    changes = {change.id for change in request.changes}
    mentions: list[TechnologyMention] = []
    for line in heard(request, "stack"):
        wins = line.answer.id in changes
        before, mentions = mentions, _without(mentions, line, wins=wins)
        if not is_about_stack(request, line):
            continue
        for mention in _mentions_in(line, is_of_phase(request, line.answer)):
            if mention.standing == "rejected" and mentions != before:
                continue  # it is turned down by the name that it was taken by
            mentions = _changed(mentions, mention) if wins else _add_mention(mentions, mention)
    return tuple(_settled(mentions))


def _mentions_in(line: CouncilLine, of_phase: bool) -> list[TechnologyMention]:
    """`of_phase`: it was said where choices were spoken of."""
    label, body = LABELS["stack"].label_of(line.text)
    standing = _CHOOSING.get(label or line.fragment.label, "chosen")
    text = body if label else line.text
    plainly = bool(of_phase or label or chooses(text))
    mentions: list[TechnologyMention] = []
    for parts in _parts_in(text, standing):
        area = parts.get("area", "")
        options = _names_in(parts.get("option", ""), line.text, plainly)
        mentions += [
            TechnologyMention(
                option,
                area,
                slot_of(area)
                or slot_of(option)
                or ("" if area else _slot_beside(option, options, text)),
                parts.get("reason", "") or _reason(parts, text),
                parts.get("choice", standing),
                (line,),
                plainly,
            )
            for option in options
        ]
    return mentions


def _slot_beside(option: str, options: Sequence[str], text: str) -> str:
    """The area of an option by the words around it: of a list, "go" is a language, htmx nothing."""
    if len(options) == 1:
        return slot_of(text)
    named = ((key, one[0]) for key, area in AREAS.items() for one in area.known.finditer(text))
    return next((key for key, name in named if name == option), "")


def _parts_in(text: str, standing: str) -> Iterator[Parts]:
    """The parts of a line, "frontend = htmx" as with a colon.

    What opens with words of giving up takes nothing: "no AWS please", "sign-in: no passwords".
    """
    for parts in stack_in(text.replace(" = ", ": "), standing):
        option = parts.get("option", "")
        named = text if option and text.startswith(option) else option
        match = _turned_down(named[:PHRASE_CHARS_MAX]) if parts["choice"] == "chosen" else None
        area = {"area": parts["area"]} if "area" in parts else {}
        yield {"choice": "rejected", "option": match["thing"], **area} if match else parts


def _reason(parts: Mapping[str, str], text: str) -> str:
    """The reason of a line is that of what it takes."""
    return reason_in(text) if parts.get("choice") == "chosen" else ""


def _names_in(option: str, text: str, plainly: bool) -> list[str]:
    """The option as it can be quoted; each of a list that cannot be quoted as a whole."""
    technologies = technologies_in(option)
    name = quote_of(_name_alone(option) or option, text)
    if name and len(technologies) > 1:
        items = [quote_of(item, text) for item in _LIST_SIGN.split(option)]
        is_list = all(items) and all(len(item.split()) <= ITEM_WORDS_MAX for item in items)
        if is_list and technologies != technologies_in(name):
            return items
        if plainly:
            return [name]
    if plainly and name and len(option.split()) <= OPTION_WORDS_MAX:
        return [name]
    return list(technologies.values()) or [name or quote(text)]


# ── one beside the other ───────────────────────────────────────────────────────────────────────


def _add_mention(
    mentions: Sequence[TechnologyMention], new: TechnologyMention
) -> list[TechnologyMention]:
    """Said by two, a choice is one choice; turned down by somebody, it is weighed by then."""
    for place, mention in enumerate(mentions):
        if _is_same_choice(mention, new):
            merged = replace(
                mention,
                area=mention.area or new.area,
                reason=mention.reason or new.reason,
                lines=(*mention.lines, *new.lines),
                standing=mention.standing if mention.standing == new.standing else "weighed",
                plainly=mention.plainly or new.plainly,
            )
            return [*mentions[:place], merged, *mentions[place + 1 :]]
    return [*mentions, new]


def _without(
    mentions: list[TechnologyMention], line: CouncilLine, *, wins: bool
) -> list[TechnologyMention]:
    """Without what a line says is no technology; what it gives up stands as turned down."""
    text = line.text[:PHRASE_CHARS_MAX]
    if match := _NO_TECHNOLOGY.match(text):
        thing = words_of(match["thing"])
        return [mention for mention in mentions if not thing & words_of(mention.option)]
    match = None if line.is_open else _turned_down(text)
    if match is None or not words_of(match["thing"]):
        return mentions
    return [
        replace(
            mention,
            standing="rejected" if wins or line.by == mention.lines[-1].by else "weighed",
            reason="",
            lines=(*mention.lines, line),
            changed=wins,
        )
        if mention.standing == "chosen" and _is_named(match["thing"], mention.option)
        else mention
        for mention in mentions
    ]


def _is_named(thing: str, option: str) -> bool:
    """True if a thing is an option by its name, and the option names no technology beside it."""
    others = technologies_in(option).keys() - technologies_in(thing).keys()
    return words_of(thing) <= words_of(option) and not others


def _changed(
    mentions: Sequence[TechnologyMention], new: TechnologyMention
) -> list[TechnologyMention]:
    """What people want changed: theirs stands, and what stood there before does not."""
    slot = new.slot if new.standing == "chosen" else ""
    return [
        *(
            replace(
                mention,
                standing="rejected",
                reason="",
                lines=(*mention.lines, *new.lines),
                changed=True,
            )
            if slot and mention.slot == slot and _is_rival(mention, new)
            else mention
            for mention in mentions
            if not _is_same_choice(mention, new)
        ),
        replace(new, changed=True),
    ]


def _is_rival(mention: TechnologyMention, new: TechnologyMention) -> bool:
    """True if one of two takes the place of the other; not where one line or both name it, nor
    where people name two areas: "db: Postgres" and "queue: Redis"."""
    of_one_line = mention.lines[-1] is new.lines[-1]
    shared = technologies_in(mention.option).keys() & technologies_in(new.option).keys()
    areas = {slot_of(area) or area.casefold() for area in (mention.area, new.area) if area}
    return mention.standing == "chosen" and not (of_one_line or shared or len(areas) > 1)


def _is_same_choice(one: TechnologyMention, other: TechnologyMention) -> bool:
    return one.option.casefold() == other.option.casefold()


def _settled(mentions: Sequence[TechnologyMention]) -> list[TechnologyMention]:
    """One for each area: what has a reason, else what most people say."""
    best: dict[str, TechnologyMention] = {}
    for mention in mentions:
        if mention.standing == "chosen" and mention.slot:
            best.setdefault(mention.slot, mention)
            best[mention.slot] = max(best[mention.slot], mention, key=_weight)
    settled = [
        replace(mention, standing="weighed")
        if mention.slot and _is_rival(mention, best.get(mention.slot, mention))
        else mention
        for mention in mentions
    ]
    chosen = [mention for mention in settled if mention.standing == "chosen" and mention.area]
    areas = {mention.slot: mention.area for mention in chosen}
    placed = [
        replace(mention, area=mention.area or areas.get(mention.slot, ""))
        if mention.standing == "rejected" and mention.slot  # in the words of what was chosen there
        else mention
        for mention in settled
    ]
    return sorted(placed, key=lambda mention: (mention.standing != "chosen", not mention.changed))


def _weight(choice: TechnologyMention) -> tuple[bool, int]:
    return (bool(choice.reason), len({line.by for line in choice.lines}))
