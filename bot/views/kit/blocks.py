"""Messages and their blocks, each within Slack's limits by construction."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.views.kit.controls import plain_text
from bot.views.kit.leaves import Leaf
from bot.views.kit.names import Names, listed, name_of
from bot.views.kit.rich_text import Block, Row, bullets, fitting, heading, rich_text, size
from bot.views.kit.text import CUT, clean, cut, escape, neutral, one_line, short, weight
from bot.views.kit.widget import WIDGET_KINDS, Part, Widget, WidgetKind, drawn
from core.domain.ids import UserId

BLOCKS_MAX: Final = 49  # Slack takes 50; one is kept for the persona's name
HEADER_CHARS_MAX: Final = 150
CONTEXT_CHARS_MAX: Final = 2_900
ELEMENTS_PER_CONTEXT_MAX: Final = 10
MARKDOWN_CHARS_MAX: Final = 6_000
FALLBACK_CHARS_MAX: Final = 299  # a notification's length: it is read there, or read aloud
SPEAKER_ROOM: Final = 50  # of these, for a name before the words
BUTTONS_ROOM: Final = 110
PEOPLE_ROOM: Final = 80
FALLBACK_LINE_MAX: Final = 120  # of a line, where not all of them fit
CONTROL_BLOCKS: Final = frozenset({"header", "actions", "card"})
LIGHT_JSON_CHARS_MAX: Final = 7_800  # ours: what is folded beyond it stands in the files
BLOCKS_JSON_CHARS_MAX: Final = 12_800  # ~13,200 in all is refused; surfaces share this out


@dataclass(frozen=True, slots=True)
class Message:
    """What one message says: its parts, and the text where no blocks are shown."""

    text: str
    parts: tuple[Part, ...] = ()

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All of it in its plain rendering."""
        return self.drawn(WIDGET_KINDS)

    def drawn(self, plain: Collection[WidgetKind]) -> tuple[Block, ...]:
        """Its blocks within Slack's limits. `plain`: kinds of widgets that are drawn plainly."""
        return tuple(_within(drawn(self.parts, plain)))


def message(*parts: Part | None) -> Message:
    """A message of these parts. Its fallback text is read off them, and escaped."""
    present = _lightened([part for part in parts if part is not None])
    return Message(_fallback(drawn(present, WIDGET_KINDS), {}), present)


def _lightened(parts: list[Part]) -> tuple[Part, ...]:
    """What is folded gives way, the heaviest first, where all is more than people read."""
    renderings = (WIDGET_KINDS, frozenset[WidgetKind]())
    while max(sum(map(size, drawn(parts, plain))) for plain in renderings) > LIGHT_JSON_CHARS_MAX:
        lighter = [
            (sum(map(size, part.plain())), place, less)
            for place, part in enumerate(parts)
            if isinstance(part, Widget) and (less := part.lighter())
        ]
        if not lighter:
            break
        _, place, less = max(lighter, key=lambda candidate: candidate[0])
        parts[place] = less
    return tuple(parts)


def with_mentions(message: Message, names: Names) -> Message:
    """The message with names for its mentions in the fallback text; blocks name people by id."""
    return Message(_fallback(message.blocks, names), message.parts)


def mentioned(message: Message) -> tuple[UserId, ...]:
    """Everybody the message notifies."""
    return _mentioned(message.blocks)


def _mentioned(blocks: Iterable[Block]) -> tuple[UserId, ...]:
    parts = (part for block in blocks for part in block.get("elements", ()))
    leaves = (leaf for part in parts for leaf in _leaves(part))
    return tuple(UserId(leaf["user_id"]) for leaf in leaves if leaf.get("type") == "user")


def _leaves(part: Mapping[str, Any]) -> Iterator[Leaf]:
    for element in part.get("elements", ()):
        yield element
        yield from _leaves(element)


def _within(blocks: Sequence[Block]) -> list[Block]:
    """The last guard: controls always stand; words go, the last ones first, if all is too much."""
    controls = [block for block in blocks if block["type"] in CONTROL_BLOCKS]
    room = BLOCKS_JSON_CHARS_MAX - sum(size(block) + 1 for block in controls)
    places = BLOCKS_MAX - len(controls)
    fitting_blocks = []
    for block in blocks:
        if block["type"] not in CONTROL_BLOCKS:
            room, places = room - size(block) - 1, places - 1
            if room < 0 or places < 0:
                continue
        fitting_blocks.append(block)
    return fitting_blocks


# ── blocks ─────────────────────────────────────────────────────────────────────────────────────


def header(text: str, suffix: str = "") -> Block:
    """One line in large letters. `suffix` is kept whole when the text has to be cut."""
    room = HEADER_CHARS_MAX - len(suffix)
    return {"type": "header", "text": plain_text(short(text, room) + suffix)}


def context(*texts: str) -> Block:
    """Small grey words, as plain text."""
    elements = [plain_text(cut(clean(text), CONTEXT_CHARS_MAX)) for text in texts if text.strip()]
    return {"type": "context", "elements": elements[:ELEMENTS_PER_CONTEXT_MAX]}


def code_element(text: str) -> dict[str, str]:
    """A word in code style for a context block: the one place where mrkdwn cannot be avoided."""
    return {"type": "mrkdwn", "text": f"`{escape(one_line(text).replace('`', ''))}`"}


def markdown(text: str, room: int = MARKDOWN_CHARS_MAX, tail: str = CUT) -> Block:
    """Text of our own files. All markdown of a message has to fit in 12,000 characters."""
    return {"type": "markdown", "text": cut(neutral(text), room, tail) or "…"}


def listed_rows(title: str, rows: Sequence[Row], room: int, rest: str) -> list[Block]:
    """A list of the rows that fit, and how many more there are: "… and 3 {rest}"."""
    fitting_rows = fitting(rows, room)
    more = len(rows) - len(fitting_rows)
    block = rich_text(*([heading(title)] if title else []), bullets(fitting_rows))
    return [block, context(f"… and {more} {rest}")] if more else [block]


# ── the fallback text ──────────────────────────────────────────────────────────────────────────


def _fallback(blocks: Sequence[Block], names: Names) -> str:
    """The first lines, then what is worth more than the rest: who is called, what can be chosen."""
    lines = [line for block in blocks for line in _block_text(block, names).splitlines()]
    escaped_lines = [escape(line) for line in lines if line.strip()]
    beginnings = [cut(line, FALLBACK_LINE_MAX) for line in escaped_lines]
    buttons = _buttons(blocks)
    room = FALLBACK_CHARS_MAX - SPEAKER_ROOM
    for candidate in (escaped_lines, beginnings):
        if weight(text := "\n".join([*candidate, *buttons])) <= room:
            return text
    end = "\n".join([*_called(blocks, names), *buttons])
    beginning = cut("\n".join(beginnings), room - weight(end) - weight("\n"))
    return f"{beginning}\n{end}" if end else beginning


def _called(blocks: Sequence[Block], names: Names) -> list[str]:
    called = [name_of(names, user) for user in dict.fromkeys(_mentioned(blocks))]
    return [cut(escape(f"For {listed(called)}."), PEOPLE_ROOM)] if called else []


def _buttons(blocks: Sequence[Block]) -> list[str]:
    """The labels of the menu that decides most: one with a primary button, else the last."""
    menus: dict[str, list[Block]] = {}
    for number, block in enumerate(blocks):
        if block["type"] == "actions":
            menu = block.get("block_id", "").partition("|")[0] or str(number)
            buttons = [element for element in block["elements"] if element["type"] == "button"]
            menus.setdefault(menu, []).extend(buttons)
    rows = [row for row in menus.values() if row]
    primary = [row for row in rows if any(button.get("style") == "primary" for button in row)]
    labels = [button["text"]["text"] for row in (primary or rows)[-1:] for button in row]
    return [cut(escape(f"Buttons: {', '.join(labels)}."), BUTTONS_ROOM)] if labels else []


def _block_text(block: Mapping[str, Any], names: Names) -> str:
    match block["type"]:
        case "header":
            return str(block["text"]["text"])
        case "markdown":
            return str(block["text"])
        case "context":
            return " ".join(str(element["text"]) for element in block["elements"])
        case "rich_text":
            return "\n".join(_part_text(part, names) for part in block["elements"])
        case _:
            return ""


def _part_text(part: Mapping[str, Any], names: Names) -> str:
    if part["type"] == "rich_text_list":
        return "\n".join(f"• {_part_text(row, names)}" for row in part["elements"])
    return "".join(_leaf_text(leaf, names) for leaf in part["elements"])


def _leaf_text(leaf: Leaf, names: Names) -> str:
    if leaf["type"] == "user":
        return name_of(names, leaf["user_id"])
    return str(leaf.get("text") or leaf.get("fallback", ""))
