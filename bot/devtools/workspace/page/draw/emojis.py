"""Slack's names of emoji as characters. A name that is nobody's stays as it was written.

The `emoji` library knows most of them; what Slack calls otherwise follows a few rules
(`flag-nz`, `female-pilot`, `man-girl`, `large_red_square`) or stands in `emoji_names.yaml`.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import emoji as library
import yaml
from markupsafe import Markup

from bot.devtools.workspace.page.draw.html import joined, tag, words
from core import patterns

NAMES: Final[Mapping[str, str]] = yaml.safe_load(
    Path(__file__).with_name("emoji_names.yaml").read_text(encoding="utf-8")
)
EMOJI: Final = r":[a-z0-9_+'-]+:(?::skin-tone-[2-6]:)?"

_EMOJI: Final = patterns.compile(EMOJI)
_NAME: Final = patterns.compile(r":?([a-z0-9_+'-]+?):?(?::skin-tone-([2-6]):?)?")
_FLAG: Final = patterns.compile(r"flag-([a-z]{2})")
_NATION: Final = {"flag-england": "gbeng", "flag-scotland": "gbsct", "flag-wales": "gbwls"}
_GENDERED: Final = patterns.compile(r"(fe)?male[_-](.+)")
_FAMILY: Final = {"man": "👨", "woman": "👩", "girl": "👧", "boy": "👦"}
_JOINER, _PICTURE, _FEMALE, _MALE = "\u200d", "\ufe0f", "\u2640\ufe0f", "\u2642\ufe0f"
_TONE_BASE: Final = 0x1F3FB - 2  # Slack counts the five tones from 2


def emoji_of(name: str) -> str:
    """`thumbsup`, `:wave:` or `:wave::skin-tone-3:` as characters; else `:name:` as it was."""
    match = _NAME.fullmatch(name)
    characters = _character(match.group(1)) if match else ""
    if not match or not characters:
        return name if name.startswith(":") else f":{name}:"
    return toned(characters, int(match.group(2))) if match.group(2) else characters


def toned(characters: str, tone: int) -> str:
    """The emoji in one of Slack's skin tones, 2 to 6."""
    return characters[0] + chr(_TONE_BASE + tone) + characters[1:].removeprefix(_PICTURE)


def emoji(name: str, tone: object = None) -> Markup:
    """One emoji, with its name to read; `:name:` where there is no such emoji here."""
    full = f":{name}::skin-tone-{tone}:" if tone in (2, 3, 4, 5, 6) else f":{name}:"
    sign = emoji_of(full)
    return words(sign) if sign == full else tag("span", sign, class_="bk-emoji", title=full)


def with_emojis(text: str) -> Markup:
    """A text in which emoji names have become emoji."""
    parts: list[object] = []
    end = 0
    for hit in _EMOJI.finditer(text):
        sign = emoji_of(hit.group())
        is_emoji = sign != hit.group()
        mark = tag("span", sign, class_="bk-emoji", title=hit.group()) if is_emoji else sign
        parts += [text[end : hit.start()], mark]
        end = hit.end()
    return joined(*parts, text[end:])


@lru_cache(maxsize=4_096)
def _character(name: str) -> str:
    if name in NAMES:
        return NAMES[name]
    if flag := _FLAG.fullmatch(name):
        return "".join(chr(0x1F1E6 + ord(letter) - ord("a")) for letter in flag.group(1))
    if name in _NATION:
        return "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in _NATION[name]) + "\U000e007f"
    members = name.split("-")
    if len(members) > 1 and all(member in _FAMILY for member in members):
        return _JOINER.join(_FAMILY[member] for member in members)
    spellings = (name, name.replace("-", "_"), name.removeprefix("large_"))
    character = next(filter(None, map(_known, spellings)), "")
    gendered = None if character else _GENDERED.fullmatch(name)
    if gendered is not None:
        return _gendered(female=bool(gendered.group(1)), role=gendered.group(2))
    return character


def _gendered(*, female: bool, role: str) -> str:
    role = role.replace("-", "_")
    base = _known(role)
    sign = _FEMALE if female else _MALE
    composed = base.removesuffix(_PICTURE) + _JOINER + sign if base else ""
    return _known(f"{'woman' if female else 'man'}_{role}") or composed


def _known(name: str) -> str:
    character: str = library.emojize(f":{name}:", language="alias")
    return "" if character == f":{name}:" else character
