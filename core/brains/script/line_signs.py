"""What shows the kind of a line: the question that it takes up, its words, the step's topic."""

from collections.abc import Callable, Mapping
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import choices, things, weighing
from core.brains.script.parts.phrases import flows_in
from core.brains.script.parts.signs import FIXED, RULES_APPLY, TIMING
from core.brains.script.readers import UNTESTED
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

Sign = Callable[[str], object]


def _words(pattern: str) -> Sign:
    return patterns.compile(pattern, patterns.IGNORECASE).search


def _is_fixed(text: str) -> bool:
    return bool(TIMING.search(text) or FIXED.search(text) or _BUDGET.search(text))


_BUDGET: Final = patterns.compile(r"\bbudget\b|\bmust not cost\b", patterns.IGNORECASE)
_DEMANDS: Final = _words(
    r"\b(?:must|never|always|every|each|all|no|nobody|nothing|only|not|cannot|can['’]?t|has to"
    r"|have to|needs? to|don['’]?t|do not|at least|at most|first)\b"
)
_DECIDES: Final = _words(
    r"^(?:so )?(?:we|i|our decision|it was decided)\b.*\b(?:decid\w*|go with|went with|chose"
    r"|choose|keep|use|build|split|separate|take|put|want)\b"
)
_SIGNS: Final[Mapping[Topic, tuple[tuple[str, Sign], ...]]] = {
    "purpose": (
        ("constraint", _is_fixed),
        ("law", RULES_APPLY.search),
        ("user", weighing.opens_with_people),
    ),
    "success": (("scope", _words(r"\b(?:first version|version (?:1|one)|in scope|mvp)\b")),),
    "domain": (("law", RULES_APPLY.search), ("constraint", _is_fixed)),
    "stack": (
        ("trade-off", _words(r"\b(?:costs? us|price|trade-?offs?|drawbacks?|downsides?|give up|in"
                             r" return|locks? us in|at the cost|speaks? against|means that we)\b")),
        ("stack", choices.chooses),
    ),
    "architecture": (
        ("interface", flows_in),
        ("option", weighing.options_in),
        ("decision", _DECIDES),
        ("module", lambda text: things.named_in(text) or _words(r"^(?:the|an?) ")(text)),
    ),
    "data-model": (
        ("relation", things.relations_in),
        ("retention", things.is_kept),
        ("entity", lambda text: things.named_in(text) or _words(r"\bhas\b|\bhave\b|\(.+,")(text)),
    ),
    "testing": (("test-gap", UNTESTED.search),),
    "constitution": (("article", _DEMANDS),),
    "review": (
        ("constitution", _words(r"\barticles?\b|\bconstitution\b|\bART-[0-9]")),
        ("permission", _words(r"\b(?:may|permissions?|(?:is|are) allowed|access|rights)\b")),
        ("architecture", _words(r"\barchitecture\b|\bcomponents?\b|\bparts?\b|\bdesign\b")),
    ),
    "plan": (
        ("iteration", _words(r"\biterations?\b|\bsprints?\b|\bcycles?\b|\btries\b|\bevery (?:\w+ )?"
                             r"(?:day|week|month|(?:mon|tues|wednes|thurs|fri)day)s?\b")),
        ("test-gap", UNTESTED.search),
        ("next-step", _words(r"\b(?:next|first|then|tomorrow|by|on|starts?|begins?|sets? up|writes?"
                             r"|prepares?|draws?|asks?|will)\b")),
    ),
}  # fmt: skip
# A sentence that goes on in the same line is one of these only if its own words show it.
LINE_BY_LINE: Final = frozenset(
    {"stack", "weighed", "rejected", "module", "decision", "entity", "relation", "article"}
)


def shown_in(text: str, topic: Topic) -> str:
    """The reader that the words of a line ask for; none where they show nothing."""
    return next((name for name, sign in _SIGNS.get(topic, ()) if sign(text)), "")
