"""What shows that a line names a way in, a part, a neighbour, data or a failure, where those are
asked for. A line that shows nothing is a remark: "It's a sort of reading", "fine by me".

The words are those of `told-parts` in `steps/brains/evidence.yaml`.
"""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import phrases, signs, things, verbs
from core.brains.script.readers import FACT, Line, Readings
from core.brains.text import weights
from core.brains.text.questions import Fragment
from core.brains.text.split import OWN_NAME
from core.domain.answers import ClaimKind

_KINDS: Final[frozenset[ClaimKind]] = frozenset(
    {"entry-point", "module", "interface", "data", "error"}
)
_ROWS: Final = lexicon.table("evidence")["told-parts"]
_NAMES: Final = lexicon.compiled(_ROWS["names"])
_SURE: Final = lexicon.compiled(_ROWS["sure"])
_MEASURED: Final = lexicon.compiled(_ROWS["measured"])
_REMARKS: Final = lexicon.compiled(_ROWS["remarks"])
_WORDS_OF: Final = {kind: lexicon.compiled(row) for kind, row in _ROWS["words-of"].items()}
_OTHER_LETTER: Final = patterns.compile(r"[^\W\d_a-zA-Z]")
HEAD_WORDS_MAX: Final = 3  # of a part that stands over a list


def shown(line: Line, readings: Readings) -> Readings:
    """The readings of a line; as a fact what shows no part of the kind that its step asks for."""
    if {reading.kind for reading in readings} - _KINDS or line.question:
        return readings
    if any(reading.data.keys() - {"topic"} or reading.onto for reading in readings):
        return readings
    kinds = {reading.kind for reading in readings}
    return readings if any(_shows(line, kind) for kind in kinds) else FACT


def _shows(line: Line, kind: ClaimKind) -> bool:
    text = line.text
    if _is_marked(line.fragment) or _OTHER_LETTER.search(text) or not phrases.is_short(text):
        return True
    meant = evidence.meant(text)
    if text.endswith(":"):
        return "," not in text and len(text.split()) <= HEAD_WORDS_MAX
    if _NAMES.search(text) or any(arrow in text for arrow in "←↔") or things.named_in(text):
        return True
    if _SURE.search(meant) or _MEASURED.search(text) or phrases.failure_in(text, is_asked=True):
        return True
    if _REMARKS.match(meant):
        return False
    is_told = _is_thing(line, meant) or _tells(line, meant)
    return is_told or bool(_WORDS_OF[kind].search(meant))


def _is_thing(line: Line, meant: str) -> bool:
    """True for a thing alone: "the renderer of the page"."""
    is_named = verbs.opens_with_article(meant) and len(meant.split()) > 1
    return line.fragment.opens and is_named and not verbs.told_by(meant)


def _is_marked(fragment: Fragment) -> bool:
    """True for what its writing marks: code, a list item, a row, what a label or a name opens."""
    is_marked = fragment.code or fragment.table or fragment.item or fragment.label
    return bool(is_marked or OWN_NAME.match(fragment.text))


def _tells(line: Line, meant: str) -> bool:
    """True for what something does, is to do or is not to, and for a condition with its outcome."""
    if verbs.told_by(meant) == "does" or verbs.opens_with_a_deed(meant) or verbs.is_command(meant):
        return True
    is_of_a_kind = weights.kind_of(line.text, line.topic) is not None
    return is_of_a_kind or bool(signs.DEMAND.search(line.text))
