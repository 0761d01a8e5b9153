"""Slack's mrkdwn and its live tokens as HTML; plain text objects too.

The text is cut into atoms first (code, tokens, emoji, bare URLs, style marks, words); style marks
are then paired within a line. Both steps look at each atom once or twice, whatever the text.
docs: messaging/formatting-message-text
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace.page.draw.dates import date
from bot.devtools.workspace.page.draw.emojis import EMOJI, with_emojis
from bot.devtools.workspace.page.draw.html import RenderContext, clean, joined, link, tag, words
from bot.devtools.workspace.text import tokens_read, unescape
from bot.devtools.workspace.values import Json
from core import patterns

_PRE: Final = patterns.compile(r"```(.+?)```\n?", patterns.DOTALL)
_THREE: Final = patterns.compile(r"(?:&gt;|>){3}")
_QUOTE: Final = patterns.compile(
    r"(?:&gt;|>) ?", unless=lambda match: _THREE.match(match.string[match.start() :][:12])
)
_QUOTE_ALL: Final = patterns.compile(r"^(?:&gt;|>){3} ?", patterns.MULTILINE)
_URL: Final = r"https?://[^\s<>|]*[^\s<>|.,;:!?)\]'\"*_~`]"
_ATOM: Final = patterns.compile(
    rf"(?P<code>`[^`\n]+`)|<(?P<token>[^<>\n]+)>|(?P<emoji>{EMOJI})|(?P<url>{_URL})|(?P<mark>[*_~])"
)
_STYLE: Final = {"*": "strong", "_": "em", "~": "s"}
_BROADCASTS: Final = frozenset(["here", "channel", "everyone"])


@dataclass(frozen=True, slots=True)
class _Atom:
    """A piece of a line. `mark` is one of `*_~` if it may open or close a style."""

    markup: Markup
    mark: str = ""
    opens: bool = False
    closes: bool = False


def text_object(text: Json, setting: RenderContext) -> Markup:
    """A composition object: `plain_text` or `mrkdwn`."""
    if text["type"] == "mrkdwn":
        return mrkdwn(text["text"], setting, verbatim=bool(text.get("verbatim")))
    return plain_text(text)


def plain_text(text: Json) -> Markup:
    read = unescape(str(text["text"]))
    return with_emojis(read) if text.get("emoji", True) else words(read)


def mrkdwn(text: str, setting: RenderContext, *, verbatim: bool = False) -> Markup:
    """`verbatim` leaves bare URLs as they are."""
    text = clean(text)
    parts: list[Markup] = []
    end = 0
    for pre in _PRE.finditer(text):
        parts += _prose(text[end : pre.start()].removesuffix("\n"), setting, verbatim)
        parts.append(preformatted(unescape(_tokens_read(pre.group(1).strip("\n"), setting))))
        end = pre.end()
    return joined(*parts, *_prose(text[end:], setting, verbatim))


def preformatted(text: object) -> Markup:
    return tag("pre", tag("code", text), class_="bk-pre")


def _prose(text: str, setting: RenderContext, verbatim: bool) -> Iterator[Markup]:
    if not text:
        return
    match = _QUOTE_ALL.search(text)
    before, after = (text[: match.start()], text[match.end() :]) if match else (text, "")
    if before or not match:
        lines = before.removesuffix("\n").split("\n") if match else before.split("\n")
        for quoted, run in groupby(lines, lambda line: bool(_QUOTE.match(line))):
            bare = [_QUOTE.sub("", line, count=1) if quoted else line for line in run]
            yield _lines(bare, quoted, setting, verbatim)
    if match:
        yield _lines(after.split("\n"), True, setting, verbatim)


def _lines(lines: Sequence[str], quoted: bool, setting: RenderContext, verbatim: bool) -> Markup:
    body = Markup("\n").join(_line(line, setting, verbatim) for line in lines)
    if quoted:
        return tag("blockquote", body, class_="bk-quote")
    return tag("div", body, class_="bk-text")


def _line(line: str, setting: RenderContext, verbatim: bool) -> Markup:
    atoms = list(_atoms(line, setting, verbatim))
    return _styled(atoms, 0, len(atoms), _next_marks(atoms))


def _atoms(line: str, setting: RenderContext, verbatim: bool) -> Iterator[_Atom]:
    end = 0
    for hit in _ATOM.finditer(line):
        if hit.start() > end:
            yield _Atom(words(unescape(line[end : hit.start()])))
        end = hit.end()
        match hit.lastgroup:
            case "code":
                read = unescape(_tokens_read(hit.group()[1:-1], setting))
                yield _Atom(tag("code", read, class_="bk-code"))
            case "token":
                yield _Atom(token(hit.group("token"), setting))
            case "emoji":
                yield _Atom(with_emojis(hit.group()))
            case "url" if not verbatim:
                url = unescape(hit.group())
                yield _Atom(link(url, url))
            case "mark":
                yield _mark(line, hit)
            case _:
                yield _Atom(words(unescape(hit.group())))
    if end < len(line):
        yield _Atom(words(unescape(line[end:])))


def _mark(line: str, hit: patterns.Match) -> _Atom:
    """A mark opens after and closes before anything but a word or itself; never at a space."""
    mark, before, after = hit.group(), line[: hit.start()][-1:], line[hit.end() :][:1]

    def inside(char: str) -> bool:
        return bool(char) and not char.isspace()

    def outside(char: str) -> bool:
        return not char or (char != mark and (not char.isalnum()))

    return _Atom(
        words(mark), mark, outside(before) and inside(after), inside(before) and outside(after)
    )


def _next_marks(atoms: Sequence[_Atom]) -> list[int]:
    """For each atom that is a mark, where the next of the same kind stands, or -1."""
    following, last = [-1] * len(atoms), {"*": -1, "_": -1, "~": -1}
    for at in range(len(atoms) - 1, -1, -1):
        mark = atoms[at].mark
        if mark:
            following[at], last[mark] = last[mark], at
    return following


def _styled(atoms: Sequence[_Atom], start: int, end: int, following: Sequence[int]) -> Markup:
    parts: list[Markup] = []
    at = start
    while at < end:
        atom, close = atoms[at], following[at]
        if atom.opens and at + 1 < close < end and atoms[close].closes:
            inner = _styled(atoms, at + 1, close, following)
            parts.append(tag(_STYLE[atom.mark], inner))
            at = close + 1
        else:
            parts.append(atom.markup)
            at += 1
    return Markup("").join(parts)


# ── live tokens ────────────────────────────────────────────────────────────────────────────────


def token(inside: str, setting: RenderContext) -> Markup:
    """What stands between angle brackets: a mention, a channel, a date, a link."""
    target, _, label = inside.partition("|")
    target, label = unescape(target), unescape(label)
    if target.startswith("@"):
        return user(target[1:], setting, label)
    if target.startswith("#"):
        return channel(target[1:], setting, label)
    if target.startswith("!subteam^"):
        return mention(label or "@group", class_="bk-mention")
    if target.startswith("!date^"):
        _, timestamp, pattern, *url = target.split("^") + [""] * (3 - len(target.split("^")))
        return date(timestamp, pattern, label, "".join(url[:1]))
    if target.startswith("!"):
        return broadcast(target[1:], label)
    return link(target, label or target.removeprefix("mailto:"))


def user(user_id: str, setting: RenderContext, label: str = "") -> Markup:
    me = " bk-mention-me" if user_id == setting.viewer else ""
    name = setting.names.users.get(user_id) or label.removeprefix("@") or user_id
    return mention(f"@{name}", class_=f"bk-mention{me}", data_user=user_id)


def channel(channel_id: str, setting: RenderContext, label: str = "") -> Markup:
    name = setting.names.channels.get(channel_id) or label.removeprefix("#") or channel_id
    return mention(f"#{name}", class_="bk-mention bk-channel", data_channel=channel_id)


def broadcast(range_: str, label: str = "") -> Markup:
    kind = "bk-mention bk-broadcast" if range_ in _BROADCASTS else "bk-mention"
    return mention(label or f"@{range_}", class_=kind)


def mention(label: str, **attributes: str) -> Markup:
    return tag("span", label, **attributes)


def _tokens_read(text: str, setting: RenderContext) -> str:
    """Tokens inside code: resolved, but not live."""
    return tokens_read(text, setting.names.users, setting.names.channels)
