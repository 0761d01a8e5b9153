"""The Home tab: what waits for somebody, how far their sessions are, and how to start one.

docs: surfaces/app-home, reference/views/home-tab-views
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.views.channel.card import ASKED_NOTHING
from bot.views.kit.blocks import context, header
from bot.views.kit.controls import actions, button, link_button
from bot.views.kit.leaves import words
from bot.views.kit.modals import View
from bot.views.kit.names import Names, counted, people
from bot.views.kit.rich_text import Block, bullets, lines, rich_text
from bot.views.kit.text import short
from bot.views.kit.widget import Part
from bot.views.kit.wording import WORDING
from bot.views.thread.reminder import lasted
from bot.views.widgets.cards import Card, Cards
from core.domain.session.course import ENDED
from core.domain.session.session import Session

HOME_START: Final = "home:start"
HOME_PAGE: Final = "home:page"  # and `:back` or `:on`: ids in a row of controls must differ
PAGE_SESSIONS: Final = 12

CHOICE: Final = "It waits for a choice in its thread."
DAMAGED: Final = "What I stored of it is damaged. Please tell whoever runs me."
WAITING: Final = "Waiting for you"
GOING_ON: Final = "Under way"
OVER: Final = "Finished, cancelled or halted"


@dataclass(frozen=True, slots=True)
class HomeLine:
    """One session as this person sees it."""

    session: Session
    waiting_since: float | None  # seconds since the epoch; None: it does not wait for them
    confirms: bool = False  # they have said something before that waits for their word
    channel: str = ""  # its name; empty: nobody knows it
    step: str = ""
    card_url: str = ""
    thread_url: str = ""


@dataclass(frozen=True, slots=True)
class HomePage:
    lines: Sequence[HomeLine]
    at: float  # seconds since the epoch: when it is shown
    number: int = 0
    pages: int = 1
    sessions: int = 0  # on all pages
    waiting: int = 0


def home(page: HomePage, names: Names, note: str = "") -> View:
    parts: list[Part | None] = [
        header("Roundtable"),
        context(note) if note.strip() else None,
        context(WORDING.home_introduction) if page.sessions else None,
        actions([button("Start something new", HOME_START, "start", style="primary")]),
        *(_sessions(page, names) if page.sessions else _first_time()),
        _turning(page),
    ]
    present = [part for part in parts if part is not None]
    return {"type": "home", "callback_id": "home", "blocks": present}


def _first_time() -> list[Block | None]:
    ways = [
        [words(before), words(way, bold=True), words(after)]
        for before, way, after in WORDING.home_ways_in
    ]
    return [
        rich_text(lines([[words(WORDING.home_first_time)]]), bullets(ways)),
        context("Your sessions stand here once there are any: started, or answered in, by you."),
    ]


def _sessions(page: HomePage, names: Names) -> list[Part | None]:
    verb = "waits" if page.waiting == 1 else "wait"
    waiting = f"{page.waiting} of {counted(page.sessions, 'session')} {verb} for you."
    parts: list[Part | None] = [context(waiting if page.waiting else "Nothing waits for you.")]
    for group, group_lines in groupby(page.lines, _group):
        cards = [_card(line, names, page.at) for line in group_lines]
        parts += [header(group), Cards(cards)]
    return parts


def _group(line: HomeLine) -> str:
    if line.waiting_since is not None:
        return WAITING
    return OVER if line.session.status in ENDED else GOING_ON


def _card(line: HomeLine, names: Names, at: float) -> Card:
    links = ((line.card_url, "Card"), (line.thread_url, "Where it is now"))
    channel = f"#{short(line.channel)}" if line.channel else ""
    return Card(
        line.session.title,
        _awaited(line, names, at),
        subtitle=" · ".join(filter(None, [channel, *_progress(line)])),
        buttons=[link_button(label, url) for url, label in links if url],
        block_id=f"session:{line.session.id}",
    )


def _awaited(line: HomeLine, names: Names, at: float) -> str:
    """Who is awaited, for how long: this person before all others."""
    session = line.session
    if session.damage:
        return DAMAGED
    if line.waiting_since is not None:
        purpose = " to confirm what you said before," if line.confirms else ""
        return f"Waiting for you{purpose} for {lasted(at - line.waiting_since)}."
    if session.asked_nothing:
        return ASKED_NOTHING
    if status := WORDING.home.get(session.status):
        return status
    if session.awaited:
        since = session.waiting.since
        lasts = f" for {lasted(at - since)}" if since else ""
        return f"Waiting for {people(names, session.awaited)}{lasts}."
    return CHOICE if session.menus.current else "The answers are being read."


def _progress(line: HomeLine) -> list[str]:
    """In words: how many steps are done, and where it stands."""
    phases = line.session.course.phases
    done, count = sum(phase.done for phase in phases), sum(phase.count for phase in phases)
    if not count:
        return []
    label = next((p.label for p in phases if p.key == line.session.course.phase), "")
    where = [] if line.session.status in ENDED else [short(label), short(line.step)]
    return [f"{done} of {counted(count, 'step')}", *where]


def _turning(page: HomePage) -> Block | None:
    if page.pages <= 1:
        return None
    back = button("Back", f"{HOME_PAGE}:back", str(page.number - 1))
    on = button("More", f"{HOME_PAGE}:on", str(page.number + 1))
    current = button(
        f"Page {page.number + 1} of {page.pages}", f"{HOME_PAGE}:here", str(page.number)
    )
    controls = [
        back if page.number else None,
        current,
        on if page.number + 1 < page.pages else None,
    ]
    return actions([control for control in controls if control is not None])
