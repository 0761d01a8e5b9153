"""The Home tab: what waits for somebody, how far their sessions are, and how to start one.

docs: surfaces/app-home, reference/views/home-tab-views
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.views.channel.card import ASKED_NOTHING, bar
from bot.views.kit.blocks import context, header
from bot.views.kit.controls import actions, button
from bot.views.kit.leaves import Leaf, link, moment, separated, words
from bot.views.kit.modals import BLOCKS_MAX, View
from bot.views.kit.names import Names, counted, people
from bot.views.kit.rich_text import Block, bullets, lines, paragraph, rich_text
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING
from core.domain.session import ENDED, Session

HOME_START: Final = "home:start"
HOME_PAGE: Final = "home:page"  # and `:back` or `:on`: ids in a row of controls must differ
PAGE_SESSIONS: Final = 12
TITLE_CHARS_MAX: Final = 150

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
    step: str = ""
    card_url: str = ""
    thread_url: str = ""


@dataclass(frozen=True, slots=True)
class HomePage:
    lines: Sequence[HomeLine]
    number: int = 0
    pages: int = 1
    sessions: int = 0  # on all pages
    waiting: int = 0


def home(page: HomePage, names: Names, note: str = "") -> View:
    blocks = [
        header("Roundtable"),
        context(note) if note.strip() else None,
        context(WORDING.home_introduction) if page.sessions else None,
        actions([button("Start something new", HOME_START, "start", style="primary")]),
        *(_sessions(page, names) if page.sessions else _first_time()),
        _turning(page),
    ]
    present = [block for block in blocks if block is not None]
    return {"type": "home", "callback_id": "home", "blocks": present[:BLOCKS_MAX]}


def _first_time() -> list[Block | None]:
    ways = [
        [words(before), words(what, bold=True), words(after)]
        for before, what, after in WORDING.home_ways_in
    ]
    return [
        rich_text(lines([[words(WORDING.home_first_time)]]), bullets(ways)),
        context("Your sessions stand here once there are any: started, or answered in, by you."),
    ]


def _sessions(page: HomePage, names: Names) -> list[Block | None]:
    verb = "waits" if page.waiting == 1 else "wait"
    waiting = f"{page.waiting} of {counted(page.sessions, 'session')} {verb} for you."
    blocks: list[Block | None] = [context(waiting if page.waiting else "Nothing waits for you.")]
    above = ""
    for line in page.lines:
        group = _group(line)
        if group != above:
            blocks.append(header(group))
            above = group
        blocks.append(paragraph(*_session(line, names)))
    return blocks


def _group(line: HomeLine) -> str:
    if line.waiting_since is not None:
        return WAITING
    return OVER if line.session.status in ENDED else GOING_ON


def _session(line: HomeLine, names: Names) -> list[list[Leaf]]:
    session = line.session
    title: list[Leaf] = [words(short(session.title, TITLE_CHARS_MAX), bold=True), words(" in ")]
    title.append({"type": "channel", "channel_id": session.channel})
    return [
        title,
        *_awaited(line, names),
        *_progress(line),
        _links(line),
    ]


def _awaited(line: HomeLine, names: Names) -> list[list[Leaf]]:
    """Who is awaited, since when: this person before all others."""
    session = line.session
    if session.damage:
        return [[words(DAMAGED)]]
    if line.waiting_since is not None:
        what = " to confirm what you said before," if line.confirms else ""
        return [[words(f"Waiting for you{what} since "), moment(line.waiting_since), words(".")]]
    if session.asked_nothing:
        return [[words(ASKED_NOTHING)]]
    if status := WORDING.home.get(session.status):
        return [[words(status)]]
    if session.awaited:
        return [[words(f"Waiting for {people(names, session.awaited)}"), *_since(session)]]
    return [[words(CHOICE if session.menus.current else "The answers are being read.")]]


def _since(session: Session) -> list[Leaf]:
    since = session.waiting.since
    return [words(" since "), moment(since), words(".")] if since else [words(".")]


def _progress(line: HomeLine) -> list[list[Leaf]]:
    """In a bar and in words."""
    phases = line.session.phases
    done, count = sum(phase.done for phase in phases), sum(phase.count for phase in phases)
    if not count:
        return []
    progress = f"{bar(done, count)} {done} of {counted(count, 'step')}"
    here = next((p.label for p in phases if p.key == line.session.phase), "")
    where = [] if line.session.status in ENDED else [short(here), short(line.step)]
    return [[words(" · ".join(filter(None, [progress, *where])))]]


def _links(line: HomeLine) -> list[Leaf]:
    links = ((line.card_url, "Card"), (line.thread_url, "Where it is now"))
    return separated(link(url, label) for url, label in links if url)


def _turning(page: HomePage) -> Block | None:
    if page.pages <= 1:
        return None
    back = button("Back", f"{HOME_PAGE}:back", str(page.number - 1))
    on = button("More", f"{HOME_PAGE}:on", str(page.number + 1))
    here = button(f"Page {page.number + 1} of {page.pages}", f"{HOME_PAGE}:here", str(page.number))
    shown = [back if page.number else None, here, on if page.number + 1 < page.pages else None]
    return actions([control for control in shown if control is not None])
