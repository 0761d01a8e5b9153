"""What the form of a line shows at any topic: an assumption, an argument, a date, something past.

It goes by how a line is put and by what stands beside it. Where a form shows nothing the rules of
the topic hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import checks, dates, phrases, signs, verbs, weighing
from core.brains.script.readers import (
    CHECK,
    CONSTRAINT,
    NOTE,
    NOTHING,
    OPEN,
    READERS,
    FragmentReading,
    Line,
    Readings,
    added,
)
from core.brains.script.rules import anywhere, by_topic
from core.brains.script.topics import RISKS_NAMED
from core.brains.text.filler import is_filler
from core.brains.text.labels import label_of
from core.brains.text.questions import Fragment
from core.brains.text.split import OWN_NAME, TITLE
from core.brains.text.tables import CELL_END
from core.domain.answers import ClaimKind

INDEX_CHARS_MAX: Final = 5
FOR: Final = "for"
AGAINST: Final = "against"
_ARGUES: Final = {
    FOR: lexicon.pattern("speaks-for"),
    AGAINST: lexicon.pattern("speaks-against"),
}
# Topics that ask for what is to be built; a date there may be a part of it.
_ASK_WHAT_TO_BUILD: Final = frozenset({"features", "stories", "priorities", "quality"})
# Kinds that say what shall be: what was once is none of them.
_SHALL_BE: Final[frozenset[ClaimKind]] = frozenset(
    {
        "requirement",
        "quality",
        "story",
        "decision",
        "option",
        "module",
        "interface",
        "data",
        "check",
    }
)
_MAY_CHECK: Final = frozenset({"note", "fact", "requirement", "check"})
_REQUIREMENT: Final[Readings] = (FragmentReading("requirement"),)
LIST_ITEMS_MIN: Final = 4
LIST_SHARE_MIN: Final = 0.75  # of the items of a list by which the others are read
_RATINGS: Final = ("likelihood", "impact")
_OF_RISKS: Final = frozenset({"likelihood", "impact", "mitigation"})


def shown(line: Line) -> Readings:
    """What a line is by its form, before any label is asked for."""
    in_tables = _of_risk_table(line) or _of_failure_table(line)
    return _argument(line) or in_tables or _assumption(line) or _success(line)


def _success(line: Line) -> Readings:
    """ "I'd call it a success when …": a measure of the goal, and no check of a line."""
    tells = line.group == "requirements" and signs.SUCCESS.search(line.text)
    return (FragmentReading("success"),) if tells and not signs.is_question(line.text) else NOTHING


def _argument(line: Line) -> Readings:
    """`pro: …` and `contra: …` belong to the option above them."""
    if line.group != "architecture":
        return NOTHING
    if (side := line.fragment.label) in (FOR, AGAINST):
        if line.fragment.item and not weighing.options_in(line.text):
            return (_onto_option(side, line.text),)
        return anywhere.of_group(line) or by_topic.own(line)  # the list under "Pros:" is over
    for side, argues in _ARGUES.items():
        if match := argues.match(line.text):
            return (_onto_option(side, line.text[match.end() :]),)
    return NOTHING


def _onto_option(side: str, text: str) -> FragmentReading:
    return FragmentReading("fact", {side: text.strip()}, onto=side)


def _assumption(line: Line) -> Readings:
    """ "I assume …": somebody's assumption, and no fact."""
    if signs.is_question(line.text) or not lexicon.pattern("assumes").match(line.text):
        return NOTHING
    assumed = FragmentReading("assumption", confidence="assumed")
    return (assumed, OPEN) if lexicon.pattern("to-be-settled").search(line.text) else (assumed,)


def in_cell(line: Line) -> Line:
    """The line of a row's only cell beside its number: "2 | As a vet I want …"."""
    number, bar, text = line.text.partition(CELL_END)
    if line.fragment.table != "row" or not bar or CELL_END in text:
        return line
    if len(number) > INDEX_CHARS_MAX or not any(sign.isdigit() for sign in number):
        return line
    return replace(line, fragment=replace(line.fragment, text=text.strip()))


def _of_risk_table(line: Line) -> Readings:
    """A row below a head that names likelihood or impact is a risk with both."""
    if line.group not in RISKS_NAMED or not line.fragment.head:
        return NOTHING
    names = [_column(cell) for cell in line.fragment.head.split("|")]
    cells = [cell.strip() for cell in line.text.split(CELL_END.strip())]
    parts = {name: cell for name, cell in zip(names, cells, strict=False) if name and cell}
    if not (_OF_RISKS & parts.keys()):
        return NOTHING
    return (FragmentReading("risk", {key: parts[key] for key in parts if key in _OF_RISKS}),)


def _of_failure_table(line: Line) -> Readings:
    """A row where failures are asked for: what fails, what follows, and the other columns."""
    condition, *cells = (cell.strip() for cell in line.text.split(CELL_END.strip()))
    if line.topic != "failures" or line.fragment.table != "row" or not condition or not cells:
        return NOTHING
    names = [cell.strip(" *") for cell in line.fragment.head.split("|")][2:]
    named = [f"{name} {cell}" for name, cell in zip(names, cells[1:], strict=False) if cell]
    parts = cells if len(named) < len(cells) - 1 else [cells[0], *named]
    response = ", ".join(part for part in parts if part)
    return (FragmentReading("error", {"condition": condition, "response": response}),)


def _column(cell: str) -> str:
    """The key of a risk that a column holds."""
    name = cell.strip().strip("*")
    if lexicon.pattern("column-likelihood").fullmatch(name):
        return "likelihood"
    if lexicon.pattern("column-impact").fullmatch(name):
        return "impact"
    label, _ = label_of(f"{name}: x")
    return label


# ── dates ──────────────────────────────────────────────────────────────────────────────────────


def dated(line: Line) -> Readings:
    """A deadline is a constraint with its date, and a goal too where that says what will change.

    What one can do until then is something else.
    """
    text = line.text
    if line.group not in RISKS_NAMED or line.fragment.code or not phrases.is_short(text):
        return NOTHING
    date = dates.deadline_in(text)
    is_due = bool(lexicon.pattern("is-due").search(text))
    is_away = not is_due and lexicon.pattern("is-away").search(text)
    if not date or is_away or phrases.story_in(text) or evidence.is_excluded(text):
        return NOTHING
    if line.topic in _ASK_WHAT_TO_BUILD and not is_due:
        return NOTHING
    is_goal = "purpose" in line.asks and lexicon.pattern("changes-by").search(text)
    goal = (FragmentReading("purpose"),) if is_goal else NOTHING
    return (*goal, added(CONSTRAINT, {"date": date}))


# ── what is past ───────────────────────────────────────────────────────────────────────────────


def without_past(line: Line, readings: Readings) -> Readings:
    """The readings of a line; one that tells what was once is a risk or a note on the past."""
    if not any(reading.kind in _SHALL_BE for reading in readings) or not is_past(line.text):
        return readings
    if line.group in RISKS_NAMED and signs.RISK.search(line.text):
        return (FragmentReading("risk", weighing.risk_in(line.text)),)
    return (FragmentReading("note"),)


def is_past(text: str) -> bool:
    """True for "the lockfile was forgotten last time"; not for what must be from now on."""
    if not phrases.is_short(text) or signs.DEMAND.search(text):
        return False
    line = evidence.before_reason(phrases.on_one_line(text))
    return bool(lexicon.pattern("tells-past").match(line) or _ENDS_PAST.search(line))


_ENDS_PAST: Final = lexicon.pattern(
    "ends-past", unless=lambda match: lexicon.pattern("tells-present").search(match.before)
)


# ── lines beside each other ────────────────────────────────────────────────────────────────────


def tested(fragments: Sequence[Fragment], read: Sequence[Readings]) -> list[Readings]:
    """The readings of an answer, with what is a check only behind what stands before it.

    "How we know: (a) …. (c) …" are checks, each of them; so is what somebody would do behind a
    story ("As a clerk I want …. I'd type one in twice"), and what answers its author's own "how do
    we know?".
    """
    checked: list[Readings] = []
    goes_on = follows_story = answers_own = False
    for fragment, own in zip(fragments, read, strict=True):
        kinds = {reading.kind for reading in own}
        if fragment.opens or "check" in kinds:
            goes_on = "check" in kinds
        is_named = checks.opens_with_name(fragment.text)
        goes_on = goes_on or (answers_own and not fragment.opens and is_named)
        follows_story = follows_story or "story" in kinds
        is_check = not fragment.opens and ((goes_on and is_named) or answers_own)
        is_check = is_check or (follows_story and checks.would_try(fragment.text))
        checked.append(CHECK if is_check and kinds <= _MAY_CHECK else own)
        answers_own = checks.asks_how_seen(fragment.text)
    return checked


def listed_together(fragments: Sequence[Fragment], read: Sequence[Readings]) -> Sequence[Readings]:
    """The readings of an answer; an item of a list whose others are requirements is one as well.

    Of four items or more no more than a quarter are only notes.
    """
    items = [at for at, fragment in enumerate(fragments) if fragment.opens and _is_item(fragment)]
    asked_for = [at for at in items if any(one.kind == "requirement" for one in read[at])]
    if len(items) < LIST_ITEMS_MIN or len(asked_for) < len(items) * LIST_SHARE_MIN:
        return read
    notes = {at for at in items if read[at] == NOTE and not is_filler(fragments[at].text)}
    notes = {at for at in notes if not fragments[at].text.endswith((":", "?"))}
    return [_REQUIREMENT if at in notes else own for at, own in enumerate(read)]


def _is_item(fragment: Fragment) -> bool:
    """True for a line with the sign or the name of an item: "- …", "F2 …"; not for "**Scope**"."""
    is_named = OWN_NAME.match(fragment.text) or by_topic.OPENING_NAME.match(fragment.text)
    return fragment.item or (bool(is_named) and not TITLE.fullmatch(fragment.text))


def rated(fragments: Sequence[Fragment], read: Sequence[Readings]) -> list[Readings]:
    """The readings of an answer: what stands right before "likely: low, damage: huge" is a risk."""
    result = list(read)
    for at, (previous, own) in enumerate(pairwise(read)):
        is_rating = any(reading.onto in _RATINGS for reading in own)
        text = fragments[at].text
        is_harm = lexicon.pattern("names-harm").search(text) or not verbs.told_by(text)
        may_be_one = ("fact", "quality") if is_harm else ("fact",)
        is_open = len(previous) == 1 and previous[0].kind in may_be_one
        if is_rating and is_open and not previous[0].onto:
            result[at] = READERS["risk"](fragments[at].text)
    return result


def weighed(fragments: Sequence[Fragment], read: Sequence[Readings]) -> list[Readings]:
    """The readings of an answer: how likely and how bad, right behind a risk, belong to it."""
    result = list(read)
    for at in range(1, len(result)):
        if any(reading.kind == "risk" or reading.onto in _RATINGS for reading in result[at - 1]):
            result[at] = weighed_behind_risk(fragments[at], result[at])
    return result


def weighed_behind_risk(fragment: Fragment, own: Readings) -> Readings:
    """What a fragment right behind a risk is: how likely and how bad that is, if no more."""
    parts = {} if fragment.item and fragment.opens else weighing.weighed_in(fragment.text)
    return (FragmentReading("note", parts, onto=next(iter(parts))),) if parts else own


def argued(fragments: Sequence[Fragment], read: Sequence[Readings]) -> list[Readings]:
    """The readings of an answer in which `+ fast` and `- costs` under an option argue for it.

    They stand on its line, on lines below it, or further in than the list of the options.
    """
    signs = [_sign_of(fragment) for fragment in fragments]
    with_names = [_named_in_bold(*pair) for pair in zip(fragments, read, strict=True)]
    if "+" not in signs:
        return (
            with_names
            if sum(with_name != own for with_name, own in zip(with_names, read, strict=True)) > 1
            else [*read]
        )
    items = _option_items(fragments)
    result, is_below = [], False
    for at, fragment in enumerate(fragments):
        if is_below and signs[at] and at not in items:
            result.append(_argues(_SIDES[signs[at]], fragment, read[at]))
        else:
            result.append(with_names[at] if fragment.opens else _saying_more(with_names[at]))
            is_below = is_below or not fragment.text.endswith(":")
    return result


def _saying_more(readings: Readings) -> Readings:
    """What follows an option on its line: what argues for it argues for the option."""
    return tuple(
        replace(reading, says_more=True)
        if reading.kind == "option" and not reading.data.get("option")
        else reading
        for reading in readings
    )


def _option_items(fragments: Sequence[Fragment]) -> set[int]:
    """The items of a list with "-" whose arguments stand further in."""
    listed = [
        (fragment.indent, fragment.sign)
        for fragment in fragments
        if fragment.opens and fragment.sign in _SIDES
    ]
    outer = min((indent for indent, _ in listed), default=0)
    is_nested = any(indent > outer for indent, _ in listed) and (outer, "+") not in listed
    return {
        at
        for at, fragment in enumerate(fragments)
        if is_nested and fragment.opens and fragment.sign in _SIDES and fragment.indent == outer
    }


_SIDES: Final = {"+": FOR, "-": AGAINST, "–": AGAINST, "—": AGAINST, "−": AGAINST}
_BOLD: Final = patterns.compile(r"(?:\*\*?|__?)(?P<name>[^*_\n]{1,40})(?:\*\*?|__?)[\s:.,(]")


def _sign_of(fragment: Fragment) -> str:
    """The sign of an argument: of an item of a list, or that opens a sentence behind another."""
    sign = fragment.sign if fragment.opens else fragment.text.partition(" ")[0]
    return sign if sign in _SIDES else ""


def _named_in_bold(fragment: Fragment, readings: Readings) -> Readings:
    """ "*PWA* – in the browser": an option by that name, where options are asked for."""
    match = _BOLD.match(fragment.text) if fragment.opens else None
    if not match or [reading.kind for reading in readings] != ["option"] or readings[0].data:
        return readings
    return (added(readings[0], {"option": match["name"].strip(" :.")}),)


def _argues(side: str, fragment: Fragment, readings: Readings) -> Readings:
    takes_it_up = any(reading.onto or reading.data.get("choice") for reading in readings)
    if takes_it_up:
        return readings
    more: Mapping[str, str] = readings[0].data if readings else {}
    details = {key: value for key, value in more.items() if key in ("question", "file")}
    text = fragment.text if fragment.opens else fragment.text.partition(" ")[2]
    return (added(_onto_option(side, text), details),)
