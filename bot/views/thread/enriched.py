"""What language models would change in a phase: the lines that go struck through, then the new."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from bot.views.kit.blocks import Message, context, message
from bot.views.kit.leaves import Leaf, words
from bot.views.kit.menus import menu_row
from bot.views.kit.names import Names, name_of
from bot.views.kit.rich_text import Block, bullets, fitting, heading, paragraph, rich_text, size
from bot.views.kit.text import short
from bot.views.thread.sorted_lines import kind_noun
from core.artifacts.document.plain import without_fence
from core.domain.answers import Claim
from core.domain.ids import UserId
from core.domain.session.enriching import Outcome
from core.domain.session.menu import Menu
from core.english import joined

ROOM: Final = 6_000
LINE_CHARS_MAX: Final = 240
TITLE_CHARS_MAX: Final = 80
INTRO: Final = "{persona} read this once more with a language model. These lines would change:"
NOTHING: Final = "{persona} read this once more with a language model. No line would change."
DONE: Final = "{persona} read this once more with a language model."
SAME: Final = "No line would change."
UNKNOWN: Final = "What would change cannot be shown now."
OUTCOMES: Final[dict[Outcome, str]] = {"accepted": "Accepted", "kept": "Kept as it is"}


@dataclass(frozen=True, slots=True)
class EnrichedChanges:
    """The lines of a step before and after; None: what they would be is not known."""

    title: str
    files: tuple[str, ...]
    before: tuple[Claim, ...]
    after: tuple[Claim, ...] | None


@dataclass(frozen=True, slots=True)
class EnrichedView:
    persona: str
    changes: tuple[EnrichedChanges, ...] = ()  # of the steps that the menu is about
    unread: tuple[str, ...] = ()  # titles
    decided: tuple[tuple[str, Outcome, UserId], ...] = ()  # by title
    menu: Menu | None = None


def enriched(view: EnrichedView, names: Names) -> Message:
    """One message per phase: a diff per artifact, then who chose what."""
    changes = _fitting(view.changes)
    more = len(view.changes) - len(changes)
    return message(
        paragraph(_intro(view).format(persona=short(view.persona))),
        *changes,
        context(f"… and {more} more, in Step by step.") if more else None,
        *_decided(view, names),
        _unread(view.unread),
        menu_row(view.menu),
    )


def _intro(view: EnrichedView) -> str:
    if view.changes:
        return INTRO
    return DONE if view.decided or view.unread else NOTHING


def _fitting(changes: Sequence[EnrichedChanges]) -> list[Block]:
    blocks: list[Block] = []
    for change in changes:
        block = _changed(change, ROOM - sum(map(size, blocks)))
        if block is None:
            break
        blocks.append(block)
    return blocks


def _changed(changes: EnrichedChanges, room: int) -> Block | None:
    """The rows of a step under its title and files, as many as fit; None: none does."""
    title = heading(short(" · ".join([*changes.files, changes.title])))
    rows = list(rows_of(changes)) or [[words(SAME)]]
    fitting_rows = list(fitting(rows, room - size(title)))
    if not fitting_rows:
        return None
    hidden = len(rows) - len(fitting_rows)
    return rich_text(title, bullets([*fitting_rows, *([f"… and {hidden} more"] if hidden else [])]))


def rows_of(changes: EnrichedChanges) -> Iterator[list[Leaf]]:
    """What goes, struck through, and what comes in its place."""
    if changes.after is None:
        yield [words(UNKNOWN)]
        return
    before, after = ([*map(_line, claims)] for claims in (changes.before, changes.after))
    moves = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for move, start, end, new_start, new_end in moves:
        if move != "equal":
            yield from ([words(line, strike=True)] for line in before[start:end])
            yield from ([words(line)] for line in after[new_start:new_end])


def _line(claim: Claim) -> str:
    of = f" of {short(claim.data['of'], TITLE_CHARS_MAX)}" if claim.data.get("of") else ""
    name = f"{claim.ref} " if claim.ref else ""
    return short(f"{kind_noun(claim.kind)}{of}: {name}{without_fence(claim.text)}", LINE_CHARS_MAX)


def _decided(view: EnrichedView, names: Names) -> Iterator[Block]:
    once = dict.fromkeys((outcome, by) for _, outcome, by in view.decided)
    for outcome, by in once:
        titles = [title for title, *choice in view.decided if choice == [outcome, by]]
        about = joined([short(title, TITLE_CHARS_MAX) for title in titles])
        yield context(f"{OUTCOMES[outcome]}: {about} · chosen by {name_of(names, by)}")


def _unread(titles: Sequence[str]) -> Block | None:
    if not titles:
        return None
    about = joined([short(title, TITLE_CHARS_MAX) for title in titles])
    return context(f"No language model could read: {about}. The script's reading stands.")
