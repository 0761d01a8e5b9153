"""Text on its way to Slack: cleaned, escaped, neutralised, and cut to the room there is.

Lengths are weights: what a character may cost at worst on the way (two for what JSON escapes and
for what lies beyond the basic plane), so that no way of counting finds a text too long.
"""

from typing import Final

from core import patterns
from core.characters import one_line_each, readable

CUT: Final = "… (cut; the whole answer is in the artifact)"
CUT_SHORT: Final = "…"
HEAVY: Final = frozenset('"\\\n\t')
WORD_JOINER: Final = "\u2060"  # invisible, and no mention or link survives it
BACK_TO_A_SPACE_CHARS_MAX: Final = 40
ATOM_CHARS_MAX: Final = 8  # a little more than an entity is long
BLANKS_PER_CHAR_MAX: Final = 8  # how much of a text is looked at for a short form of it

_LIVE_IN_MARKDOWN: Final = patterns.compile(
    r"<(?=[!@#/\w])"  # <!channel>, <@U1>, <#C1>, <https://…>, <a href>
    r"|&(?=#|lt;|gt;|amp;)"  # the same in disguise
    r"|\](?=\s*[(\[:])"  # [words](address), [words][n], [n]: address
)
_ENTITIES: Final = ("&amp;", "&lt;", "&gt;")


def clean(text: str) -> str:
    """Without what no person sees but what could change how others see it."""
    return readable(one_line_each(text))


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def short(text: str, room: int = 80) -> str:
    """A name, a title or a label: one line, and not too much of it."""
    return cut(one_line(text[: room * BLANKS_PER_CHAR_MAX]), room)


def escape(text: str) -> str:
    """For mrkdwn and fallback text: nothing in it is live any more."""
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def neutral(text: str) -> str:
    """For a markdown block: the text keeps its form, but neither pings nor links."""
    return _LIVE_IN_MARKDOWN.sub(lambda match: match.group() + WORD_JOINER, clean(text))


def weight(text: str) -> int:
    return utf16_units(text) + sum(map(text.count, HEAVY))


def utf16_units(text: str) -> int:
    """Length of `text` where a character beyond the basic plane counts twice."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, room: int, tail: str = CUT_SHORT) -> str:
    """`text`, or as much of it as fits in `room` together with `tail`. Never half an entity."""
    if len(text) <= room and weight(text) <= room:
        return text
    head = text[: _fitting(text[: room + ATOM_CHARS_MAX], room - weight(tail))]
    space = head.rfind(" ", len(head) - BACK_TO_A_SPACE_CHARS_MAX)
    return (head[:space] if space > 0 else head).rstrip() + tail


def pieces(text: str, size: int) -> list[str]:
    """`text` in parts of at most `size`, parted at the end of a line or a word if there is one."""
    parts = []
    while len(text) > size or weight(text) > size:
        end = _fitting(text[: size + ATOM_CHARS_MAX], size)
        parting = max(text.rfind("\n", end // 2, end), text.rfind(" ", end // 2, end)) + 1
        parts.append(text[: parting or end])
        text = text[parting or end :]
    return [*parts, text] if text else parts


def _atom(text: str, place: int) -> str:
    """The character at `place`, or the whole entity that begins there."""
    if text[place] == "&":
        for entity in _ENTITIES:
            if text.startswith(entity, place):
                return entity
    return text[place]


def _cost(atom: str) -> int:
    return 2 if atom in HEAVY or atom > "\uffff" else len(atom)


def _fitting(text: str, room: int) -> int:
    """How many characters of `text` fit, counted in whole atoms."""
    end = used = 0
    while end < len(text):
        atom = _atom(text, end)
        used += _cost(atom)
        if used > room:
            break
        end += len(atom)
    return end
