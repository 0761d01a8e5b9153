"""From what is seen to HTML: Jinja templates, everything escaped. It reads nothing and acts not.

A message's own body is Block Kit and `blocks` renders it; all round it is here.
"""

import zlib
from dataclasses import asdict
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bot.devtools.workspace.page.draw.blocks import emoji_of, message_body, view_body
from bot.devtools.workspace.page.manifest import Offers
from bot.devtools.workspace.page.reading import PageMessage, Pane
from bot.devtools.workspace.state import BOT_NAME, OpenModal
from bot.devtools.workspace.values import Names

HERE: Final = Path(__file__).parent
COLOURS: Final = 8
QUICK_REACTIONS: Final = ("+1", "-1", "white_check_mark", "eyes", "heart", "tada")
KILO: Final = 1000


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {"initials": initials, "colour": colour, "size": size, "said": said}
    made.globals |= {"emoji_of": emoji_of, "bot_name": BOT_NAME, "version_of": version_of}
    return made


def template(name: str, **values: Any) -> str:
    return environment().get_template(name).render(**values)


@cache
def static(name: str) -> bytes:
    return (HERE / "static" / name).read_bytes()


def version_of(name: str) -> str:
    """Changes with the file, so that a browser may keep it for good."""
    return f"{zlib.crc32(static(name)):08x}"


def stamp(html: str) -> str:
    """What a browser compares to see whether a part is another one."""
    return f"{zlib.crc32(html.encode('utf-8', 'replace')):08x}"


# lists of messages


def items(pane: Pane, place: str, since: int, names: Names, **where: Any) -> dict[str, Any]:
    """`keys` is all that is shown, in order; `html` what is newer than `since`."""
    keys: list[str] = []
    html: dict[str, str] = {}
    day: date | None = None
    for line in pane.lines:
        if line.when.date() != day:
            day = line.when.date()
            keys.append(f"d{day.isoformat()}")
            html[keys[-1]] = template("day.html", key=keys[-1], day=day_said(day), place=place)
        keys.append(line.key)
        if line.revision > since:
            html[line.key] = message(line, place, names, **where)
    return {"keys": keys, "html": html, "latest": pane.latest, "unread": pane.unread}


def message(line: PageMessage, place: str, names: Names, **where: Any) -> str:
    body = Markup("")
    if not line.gone and (line.text or line.blocks):
        scope, viewer = f"{place}-{line.key}", where["who"].id
        body = message_body(line.blocks, line.text, names, scope=scope, viewer=viewer)
    return template("message.html", line=line, place=place, body=body, **where)


# modals and the Home


def modal(modal: OpenModal, names: Names) -> str:
    errors = dict(modal.errors)
    all_of_it = errors.pop("", "")
    body = view_body(
        modal.view,
        names,
        values=modal.filled,
        errors=errors,
        viewer=modal.person.id,
        channel=modal.channel,
    )
    return template("modal.html", view=modal.view, modal=modal, body=body, all_of_it=all_of_it)


def help_of(offers: Offers, people: list[str]) -> dict[str, Any]:
    """What the script suggests while somebody types, and the shortcuts that it lists."""
    return {
        "commands": [asdict(command) for command in offers.commands],
        "message": [asdict(shortcut) for shortcut in offers.of("message")],
        "global": [asdict(shortcut) for shortcut in offers.of("global")],
        "people": people,
        "reactions": [{"name": name, "emoji": emoji_of(name)} for name in QUICK_REACTIONS],
    }


# words


def initials(name: str) -> str:
    parts = [part for part in name.split() if part[:1].isalnum()] or [name or "?"]
    return "".join(part[0] for part in parts[:2]).upper()


def colour(of: str | int) -> int:
    """Of a person by their place, so that few people have no colour twice; of others by name."""
    if isinstance(of, int):
        return of % COLOURS
    return zlib.crc32(of.encode("utf-8", "replace")) % COLOURS


def size(count: int) -> str:
    if count < KILO:
        return f"{count} bytes"
    if count < KILO * KILO:
        return f"{count / KILO:.0f} kB"
    return f"{count / KILO / KILO:.1f} MB"


def day_said(day: date) -> str:
    today = datetime.now().astimezone().date()
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return f"{day:%A}, {day.day} {day:%B}" + (f" {day.year}" if day.year != today.year else "")


def said(when: datetime) -> str:
    """A point in time in few words: "at 14:05", "yesterday at 14:05", "on 3 May"."""
    today = datetime.now().astimezone().date()
    if when.date() == today:
        return f"at {when:%H:%M}"
    if when.date() == today - timedelta(days=1):
        return f"yesterday at {when:%H:%M}"
    return f"on {when.day} {when:%B}"
