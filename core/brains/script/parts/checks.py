"""A check that stands in the line it checks, and what leads to one: a name, a question, a story."""

from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts.phrases import is_short, on_one_line
from core.brains.text.labels import WORDS_OF_LABEL, label_of
from core.brains.text.questions import Fragment
from core.brains.text.tables import CELL_END

_ROWS: Final = lexicon.table("evidence")
_OPENS_WITH_NAME: Final = lexicon.compiled(_ROWS["opens-with-name"])
_ASKS_HOW_SEEN: Final = lexicon.compiled(_ROWS["asks-how-seen"])
_WISHES: Final = frozenset(_ROWS["would-rather"].split())
_WOULD_TRY: Final = lexicon.compiled(
    _ROWS["would-try"], unless=lambda match: match["verb"].casefold() in _WISHES
)
_INSIDE: Final = patterns.compile(
    rf"(?:\s*(?:[(;,–—→]|->)|\s-)\s*(?P<check>(?:{WORDS_OF_LABEL['acceptance']})\s*:\s+[^\s)].*)",
    patterns.IGNORECASE,
)


def asks_how_seen(text: str) -> bool:
    """True for "how do we know?", which the next sentence answers."""
    return bool(_ASKS_HOW_SEEN.match(on_one_line(text)))


_ONLY_TRIES: Final = lexicon.pattern("only-tries")
_GOES_ON: Final = patterns.compile(r"[,;:—→]|\b(?:and|then|until|und)\b", patterns.IGNORECASE)


def would_try(text: str) -> bool:
    """True for what somebody would do; behind a story that can only be a trial."""
    return is_short(text) and bool(_WOULD_TRY.match(on_one_line(text)))


def only_tries(text: str) -> bool:
    """True for "I'd try the other team first": nothing is done or seen then. Behind a story it is a
    trial all the same."""
    match = _ONLY_TRIES.match(on_one_line(text)) if is_short(text) else None
    return bool(match and not _GOES_ON.search(match.after))


def opens_with_name(text: str) -> bool:
    """True for a line that begins with what people call another one: "(c) …", "R5 - …"."""
    return bool(_OPENS_WITH_NAME.match(text))


def check_apart(fragment: Fragment) -> list[Fragment]:
    """ "No third renewal (check: try it)": what is checked, then how; so in a row of a table."""
    if fragment.table == "row":
        return _cells_apart(fragment)
    if fragment.code or fragment.table:
        return [fragment]
    match = _INSIDE.search(fragment.text)
    if not match or not match.start():
        return [fragment]
    line, check = fragment.text[: match.start()], match["check"]
    closed = check[:-1] if check.endswith(")") and "(" not in check else check
    return [replace(fragment, text=line), replace(fragment, text=closed, opens=False)]


def _cells_apart(fragment: Fragment) -> list[Fragment]:
    """A row below "what | how we test it": what is asked for, and its check."""
    labels = [label_of(f"{name.strip()}: x")[0] for name in fragment.head.split("|")]
    cells = [cell.strip() for cell in fragment.text.split(CELL_END.strip())]
    if (
        labels not in (["", "acceptance"], ["requirement", "acceptance"])
        or len(cells) != len(labels)
        or not all(cells)
    ):
        return [fragment]
    line, check = (replace(fragment, text=cell, table="", head="") for cell in cells)
    return [replace(line, label="requirement"), replace(check, label="acceptance", opens=False)]
