"""Elements of HTML from data, and for whom they are drawn. Every text and attribute is escaped.

Nothing else under `page` writes an angle bracket by hand, so that nothing can leave its place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from markupsafe import Markup, escape

from bot.devtools.workspace.values import Names
from core import patterns

Attribute = str | int | bool | None
Attributes = dict[str, Attribute]

_CONTROLS: Final = (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, *range(0xD800, 0xE000))
_UNSHOWN: Final = dict.fromkeys(_CONTROLS, "\ufffd")
_VOID: Final = frozenset(["br", "hr", "img", "input"])
_WEB: Final = patterns.compile(r"https?://[^\s\x00-\x1f\x7f]+", patterns.IGNORECASE)
_MAIL: Final = patterns.compile(r"mailto:[^\s\x00-\x1f\x7f]+", patterns.IGNORECASE)


def clean(text: str) -> str:
    """Text as it can stand in a page: one kind of line end, no control characters."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_UNSHOWN)


def words(text: object) -> Markup:
    """Text, escaped. Markup stays what it is."""
    return text if isinstance(text, Markup) else escape(clean(str(text)))


def tag(name: str, /, *children: object, **attributes: Attribute) -> Markup:
    """`<name …>children</name>`. `data_x` is `data-x`, `class_` is `class`; None and False are
    left out, True stands alone."""
    parts = [name]
    for key, value in attributes.items():
        label = key.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(label)
        elif value is not None and value is not False:
            parts.append(f'{label}="{words(str(value))}"')
    opened = f"<{' '.join(parts)}>"
    if name in _VOID:
        return Markup(opened)  # noqa: S704 - each part was escaped above
    return Markup(opened) + joined(*children) + Markup(f"</{name}>")  # noqa: S704 - the same


def joined(*children: object) -> Markup:
    return Markup("").join(words(child) for child in children)


def web_address(url: object) -> str | None:
    """The URL if it leads into the web and nowhere else."""
    text = str(url).strip()
    return text if _WEB.fullmatch(text) else None


def link_address(url: object) -> str | None:
    """The URL if a link in a text may lead there: the web or a mail address."""
    text = str(url).strip()
    return text if _MAIL.fullmatch(text) else web_address(text)


def link(url: object, label: object) -> Markup:
    """A link that gives the place it leads to nothing; its words only, if it leads nowhere good."""
    address = link_address(url)
    if address is None:
        return tag("span", label, class_="bk-nolink")
    return tag("a", label, class_="bk-link", href=address, **OUTWARD)


OUTWARD: Final[dict[str, Attribute]] = {"target": "_blank", "rel": "noreferrer noopener"}


Given = str | Sequence[str]

_PLAIN: Final = patterns.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class RenderContext:
    """For whom and where blocks are shown. One per rendering: it counts the ids it gives."""

    names: Names
    scope: str
    viewer: str = ""
    """The user id of the person acting; what mentions them is marked."""
    form: bool = False
    """A modal: its controls carry names, and what is filled in is sent with the form."""
    channel: str = ""
    """The channel from which a modal was opened, if any."""
    values: Mapping[str, Given] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    _numbers: "count[int]" = field(default_factory=count)

    def new_id(self) -> str:
        """An id that is in the page once, as long as the scope is."""
        return f"bk-{_PLAIN.sub('-', self.scope)}-{next(self._numbers)}"
