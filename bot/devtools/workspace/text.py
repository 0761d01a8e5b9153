"""Slack's message text: what a person types, what the app receives, what a reader sees.

Slack escapes only `&`, `<` and `>`; everything live sits between angle brackets: `<@U…>`,
`<#C…>`, `<!here>`, `<https://…|label>`. Escaped text is never live.
docs: messaging/formatting-message-text
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from core import patterns

BROADCASTS: Final = ("channel", "here", "everyone")

_USER: Final = patterns.compile(r"@[UWB][A-Z0-9]+")
_EVERYBODY: Final = patterns.compile(r"!(channel|here|everyone|subteam\^S[A-Z0-9]+)")
_TOKEN: Final = patterns.compile(r"<([^<>\n]+)>")
_URL: Final = patterns.compile(r"https?://[^\s<>|]*[^\s<>|.,;:!?)\]'\"]")
_CODE: Final = patterns.compile(r"```.*?```|`[^`\n]+`", patterns.DOTALL)
_STYLES: Final = tuple(
    patterns.compile(rf"(?<![\w{mark}])\{mark}([^\s{mark}][^\n{mark}]*\S|\S)\{mark}(?![\w{mark}])")
    for mark in "*_~"
)
_HASHES: Final = patterns.compile(r"^#{1,6}[ \t]+", patterns.MULTILINE)
_MARKDOWN: Final = (  # what each matches is shown as its group
    patterns.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)"),
    patterns.compile(r"\*\*(\S.*?)\*\*"),
    patterns.compile(r"(?<![\w*])\*([^\s*][^*\n]*\S|\S)\*(?![\w*])"),
    patterns.compile(r"(?<!\w)_([^\s_][^_\n]*\S|\S)_(?!\w)"),
    patterns.compile(r"~~(\S.*?)~~"),
    patterns.compile(r"\\([\\`*_{}\[\]()#+\-.!<>~|])"),
)


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def typed(text: str, names: Mapping[str, str]) -> str:
    """What Slack's client sends when a person types `text`. `names`: shown name → user id."""
    parts, end = [], 0
    for url in _URL.finditer(text):
        parts.append(_link_names(escape(text[end : url.start()]), names))
        parts.append(f"<{escape(url.group())}>")
        end = url.end()
    parts.append(_link_names(escape(text[end:]), names))
    return "".join(parts)


def link_names(text: str, names: Mapping[str, str]) -> str:
    """What `link_names` of chat.postMessage does: `@name` becomes live outside of tokens."""
    parts, end = [], 0
    for token in _TOKEN.finditer(text):
        parts += [_link_names(text[end : token.start()], names), token.group()]
        end = token.end()
    return "".join([*parts, _link_names(text[end:], names)])


def _link_names(text: str, names: Mapping[str, str]) -> str:
    tokens = {name.casefold(): f"<!{name}>" for name in BROADCASTS}
    tokens |= {escape(name).casefold(): f"<@{user}>" for name, user in names.items()}
    longest_first = sorted(tokens, key=len, reverse=True)
    parts = text.split("@")
    read = parts[0]
    for place, (before, after) in enumerate(pairwise(parts)):
        name = next((name for name in longest_first if _begins(after, name)), "")
        doubled = place > 0 and not before
        if name and not doubled and not _is_word(before[-1:]):
            read += f"{tokens[name]}{after[len(name) :]}"
        else:
            read += f"@{after}"
    return read


def _begins(text: str, name: str) -> bool:
    """True if `text` begins with a name that is not the beginning of a longer word."""
    return text[: len(name)].casefold() == name and not _is_word(text[len(name) :][:1])


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _inner(match: patterns.Match) -> str:
    return str(match[1])


def mentioned(text: str) -> list[str]:
    """The live tokens of `text` that notify: user ids, `!here`, `!subteam^S1`. In order."""
    targets = []
    for token in _TOKEN.finditer(text):
        target = token.group(1).partition("|")[0]
        if _USER.fullmatch(target):
            targets.append(target[1:])
        elif _EVERYBODY.fullmatch(target):
            targets.append(target)
    return targets


def tokens_read(text: str, users: Mapping[str, str], channels: Mapping[str, str]) -> str:
    """Live tokens as a reader sees them. `users` and `channels`: id → name."""

    def read(token: patterns.Match) -> str:
        target, _, label = token.group(1).partition("|")
        if target.startswith("@"):
            return "@" + (users.get(target[1:]) or label or target[1:])
        if target.startswith("#"):
            return "#" + (channels.get(target[1:]) or label or target[1:])
        if target.startswith("!subteam^"):
            return label or "@group"
        if target.startswith("!date^"):
            return label
        if target.startswith("!"):
            return label or "@" + target[1:]
        return label or target

    return _TOKEN.sub(read, text)


def mrkdwn_read(text: str, users: Mapping[str, str], channels: Mapping[str, str]) -> str:
    """mrkdwn as a reader sees it: tokens resolved, style marks gone, entities decoded."""

    def styled(part: str) -> str:
        part = tokens_read(part, users, channels)
        for style in _STYLES:
            part = style.sub(_inner, part)
        return part

    return unescape(_outside_code(text, styled, lambda code: tokens_read(code, users, channels)))


def markdown_read(text: str, users: Mapping[str, str], channels: Mapping[str, str]) -> str:
    """A markdown block as a reader sees it; enough for headings, emphasis, links, escapes."""

    def styled(part: str) -> str:
        part = tokens_read(part, users, channels)
        part = _HASHES.sub("", part)
        for pattern in _MARKDOWN:
            part = pattern.sub(_inner, part)
        return part

    return unescape(_outside_code(text, styled, lambda code: code))


def _outside_code(text: str, prose: Callable[[str], str], code: Callable[[str], str]) -> str:
    parts, end = [], 0
    for span in _CODE.finditer(text):
        parts += [prose(text[end : span.start()]), code(span.group().strip("`"))]
        end = span.end()
    return "".join([*parts, prose(text[end:])])
