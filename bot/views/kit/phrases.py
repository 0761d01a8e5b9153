"""Our own sentences with places for plain values. What is put in is never read as markup.

A phrase is a list of wordings, the fullest first. The first one whose places can all be filled is
said, so a value that is missing makes a sentence plainer, never broken. Backticks in a wording
stand for code style, asterisks for bold; `{link|words}` becomes a link to the place given as `url`.
"""

from collections.abc import Mapping
from typing import Final

from bot.views.kit.rich_text import Leaf, link, words
from bot.views.kit.text import short
from bot.views.kit.wording import Phrase
from core import patterns

ARG_CHARS_MAX: Final = 300

_TOKEN: Final = patterns.compile(
    r"`(?P<code>[^`]+)`|\*(?P<bold>[^*]+)\*|\{link\|(?P<link>[^}]+)\}|(?P<plain>[^`*{]+|\{\w+\}|.)"
)
_VALUE: Final = patterns.compile(r"\{(\w+)\}")
_PLACE: Final = patterns.compile(r"\{(\w+)(?:\||\})")


def phrase_leaves(phrase: Phrase, args: Mapping[str, str]) -> list[Leaf]:
    """The fullest wording that `args` can fill, as leaves of rich text."""
    values = {name: value for name, value in args.items() if value and value.strip()}
    wording = next((text for text in phrase if _places(text) <= values.keys()), phrase[-1])
    return [_leaf(token, values) for token in _TOKEN.finditer(wording)]


def sentence(wording: str, **values: str) -> list[Leaf]:
    """A sentence that has one wording, with its places filled."""
    return phrase_leaves((wording,), values)


def _places(wording: str) -> set[str]:
    return {"url" if name == "link" else name for name in _PLACE.findall(wording)}


def _leaf(token: patterns.Match, args: Mapping[str, str]) -> Leaf:
    if code := token["code"]:
        return words(_filled(code, args), code=True)
    if bold := token["bold"]:
        return words(_filled(bold, args), bold=True)
    if label := token["link"]:
        return link(args.get("url", ""), label)
    return words(_filled(token["plain"], args))


def _filled(text: str, args: Mapping[str, str]) -> str:
    return _VALUE.sub(lambda place: _value(args, place[1]), text)


def _value(args: Mapping[str, str], name: str) -> str:
    return short(args.get(name, ""), ARG_CHARS_MAX)
