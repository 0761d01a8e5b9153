"""What shows the kind of a line: the question that it takes up, its words, the step's topic."""

from collections.abc import Callable, Mapping
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import choices, things, weighing
from core.brains.script.parts.phrases import flows_in
from core.brains.script.topics import Topic, is_of_inception

# ── what a numbered question asks for ──────────────────────────────────────────────────────────


def _asks(flow: str) -> tuple[tuple[str, patterns.Pattern], ...]:
    rows = lexicon.table("topics")["asks"][flow]
    return tuple((name, lexicon.compiled(words)) for name, words in rows.items())


_ASKS: Final = {False: _asks("analysis"), True: _asks("inception")}


def asked_for(question: str, topic: Topic) -> tuple[str, ...]:
    """What a step's own question asks for; of an inception, readers: the first is the answer's."""
    rows = _ASKS[is_of_inception(topic)]
    return tuple(name for name, words in rows if words.search(question))


# ── what the words of a line show ──────────────────────────────────────────────────────────────

_SIGNS: Final[Mapping[str, Callable[[str], object]]] = {
    "chooses": choices.chooses,
    "flows": flows_in,
    "names": things.named_in,
    "opens-with-people": weighing.opens_with_people,
    "options": weighing.options_in,
    "relations": things.relations_in,
}
# A sentence that goes on in the same line is one of these only if its own words show it.
LINE_BY_LINE: Final = frozenset(
    {"stack", "weighed", "rejected", "module", "decision", "entity", "relation", "article"}
)


def shown_in(text: str, topic: Topic) -> str:
    """The reader that the words of a line ask for; none where they show nothing."""
    rows = lexicon.table("topics")["topics"].get(topic, {}).get("signs", ())
    return next((reader for reader, sign in rows if _shows(text, sign)), "")


def _shows(text: str, sign: str) -> bool:
    search = _SIGNS[sign] if sign in _SIGNS else lexicon.pattern(sign).search
    return bool(search(text))
