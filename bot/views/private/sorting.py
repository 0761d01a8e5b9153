"""How lines of a step were sorted, and the form in which somebody sorts them anew.

A line is a select, with who said it below; where another line is meant, a second form asks which.
docs: reference/views (100 blocks), block-elements/select-menu-element (100 options)
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.views.kit.blocks import context
from bot.views.kit.controls import Option
from bot.views.kit.modals import OPTIONS_MAX, View, choice_field, modal
from bot.views.kit.text import short
from bot.views.kit.widget import Part
from bot.views.kit.wording import WORDING
from core.domain.answers import Claim, LineRef
from core.domain.lines import line_of

SORT: Final = "sort:"  # the button; the step follows
SORTING: Final = "Sorting"
SORTING_FORM: Final = "sorting"
WHICH_FORM: Final = "sorting-which"
LINES_A_PAGE: Final = 40
WHICH_MAX: Final = 90  # lines in the second form
LABEL_CHARS: Final = 130
KEY_CHARS: Final = 16
KEPT: Final = "="  # a select's value: the line stays as it is
NO_LINE: Final = "-"  # none of the lines that are offered
THEN: Final = "then"
SAVE: Final = "save"
SERVES: Final = "serves"  # of a requirement alone
AS_READ: Final = "as-read"  # of a line that somebody sorted
NEEDS_OTHER: Final = frozenset({"check", "replaces", SERVES})
CHANGED: Final = "The lines changed while you looked. Here they are as they are now."
_LABELS: Final[Mapping[str, str]] = {
    "requirement": "Requirement",
    "check": "Acceptance check of …",
    "exclusion": "Out of scope",
    "decision": "Decision",
    "risk": "Risk",
    "question": "Open question",
    "note": "Only a note",
    "replaces": "Replaces another line …",
    SERVES: "Belongs to a story or goal …",
    AS_READ: "Take back what was sorted here",
}


@dataclass(frozen=True, slots=True)
class SortingPage:
    """A page of the form. `chosen`: what was chosen on any page so far, by the line's number."""

    lines: Sequence[Claim]  # of the whole step
    said_by: Sequence[str]  # by line, who said it
    mark: str  # `lines_mark` of what is shown
    page: int = 0
    chosen: Mapping[int, str] = field(default_factory=dict)
    note: str = ""
    sorted: Collection[int] = ()  # lines that people sorted: that can be taken back

    @property
    def numbers(self) -> range:
        first = self.page * LINES_A_PAGE
        return range(first, min(first + LINES_A_PAGE, len(self.lines)))


def field_of(mark: str, number: int) -> str:
    """A line's field. Slack keeps what is chosen in a field of the same name: of these lines."""
    return f"{mark}:{number}"


def key_of(line: LineRef) -> str:
    """What stands for a line as an option."""
    return hashlib.sha256(f"{line.answer}\n{line.quote}".encode()).hexdigest()[:KEY_CHARS]


def sorting_form(page: SortingPage, *, metadata: str) -> View:
    return modal(
        SORTING_FORM,
        SORTING,
        "Go on" if len(page.lines) > LINES_A_PAGE else "Save",
        [
            context(page.note) if page.note else None,
            context("Change what is wrong. The rest stays as it is."),
            *(_line_field(page, number) for number in page.numbers),
            _then(page),
        ],
        metadata=metadata,
    )


def which_form(
    lines: Sequence[tuple[int, Claim, str]],
    candidates: Mapping[int, Sequence[Claim]],
    mark: str,
    *,
    metadata: str,
) -> View:
    """`lines`: number, line and sort of those that say something of another line."""
    fields: list[Part | None] = [
        choice_field(
            field_of(mark, number),
            f"{_OF_WHICH[sort]} {_named(claim)}",
            _others(candidates[number], sort),
        )
        for number, claim, sort in lines
    ]
    return modal(WHICH_FORM, "Which line?", "Save", fields, metadata=metadata)


_OF_WHICH: Final = {
    "check": "Checks which line?",
    "replaces": "Replaces which line?",
    SERVES: "Belongs to which story or goal?",
}


def _others(claims: Sequence[Claim], sort: str) -> list[Option]:
    none = Option("Nobody said which" if sort == "check" else "None of these", NO_LINE)
    room = OPTIONS_MAX - 1
    options = {key_of(line): _named(claim) for claim in claims if (line := line_of(claim))}
    return [*(Option(text, key) for key, text in list(options.items())[:room]), none]


def _line_field(page: SortingPage, number: int) -> Part:
    claim = page.lines[number]
    return choice_field(
        field_of(page.mark, number),
        short(_named(claim), LABEL_CHARS),
        _sorts(claim, can_be_taken_back=number in page.sorted),
        initial=page.chosen.get(number, KEPT),
        hint=page.said_by[number],
    )


def _sorts(claim: Claim, *, can_be_taken_back: bool) -> list[Option]:
    """What a line can be; first of all what it is now, where that says more than its kind."""
    left_out = set() if can_be_taken_back else {AS_READ}
    left_out |= set() if claim.kind == "requirement" else {SERVES}
    label = _as_it_is(claim)
    plain = claim.kind in _LABELS and not claim.supersedes and claim.kind not in NEEDS_OTHER
    own = [] if plain else [Option(label, KEPT)]
    others = (
        Option(text, KEPT if plain and sort == claim.kind else sort)
        for sort, text in _LABELS.items()
        if sort not in left_out
    )
    return [*own, *others]


def _as_it_is(claim: Claim) -> str:
    if claim.supersedes:
        return f"As it is: replaces “{short(claim.supersedes[0].quote, 40)}”"
    if claim.kind == "check" and claim.data.get("of"):
        return f"As it is: check of {claim.data['of']}"
    return f"As it is: {WORDING.sorted_as[claim.kind][0]}"


def _then(page: SortingPage) -> Part | None:
    """Where there are more lines than a page holds: the way to the others."""
    count = len(page.lines)
    if count <= LINES_A_PAGE:
        return None
    pages = range(0, count, LINES_A_PAGE)
    options = [Option("Save what I changed", SAVE)]
    options += [
        Option(f"Show {_span(first + 1, min(first + LINES_A_PAGE, count))}", str(number))
        for number, first in enumerate(pages)
        if number != page.page
    ]
    ahead = str(page.page + 1) if page.page + 1 < len(pages) else SAVE
    hint = f"You see {_span(page.numbers.start + 1, page.numbers.stop)} of {count}."
    return choice_field(
        f"{page.mark}:{THEN}:{page.page}", "Then", options, initial=ahead, hint=hint
    )


def _span(first: int, last: int) -> str:
    return f"lines {first} to {last}" if first < last else f"line {last}"


def _named(claim: Claim) -> str:
    return f"{claim.ref} {claim.text}" if claim.ref else claim.text
