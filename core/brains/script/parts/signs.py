"""Words that are signs of a kind: of a demand, a risk, a constraint, an open question.

And what a step's own question asks for, so that its answer is read as that.
"""

from typing import Final

from core import patterns
from core.brains import lexicon

HAS_LETTER: Final = patterns.compile(r"[^\W_]")
URL_ALONE: Final = patterns.compile(r"<?https?://\S+>?")
NOT_WANTED: Final = lexicon.pattern("not-wanted")
RISK: Final = lexicon.pattern("risk")
SURELY_RISK: Final = lexicon.pattern("surely-risk")
DEMAND: Final = lexicon.pattern("demand")
EXPLICIT: Final = lexicon.pattern("explicit")
TIMING: Final = lexicon.pattern("timing")
FIXED: Final = lexicon.pattern("fixed")
RULES_APPLY: Final = lexicon.pattern("rules-apply")
DECIDES: Final = lexicon.pattern("decides")
WEIGHS: Final = lexicon.pattern("weighs")
_OF_SOMETHING: Final = patterns.compile(r" (?:it|him|her|them|us|me)\b", patterns.IGNORECASE)
_OPEN: Final = lexicon.pattern(
    "open", unless=lambda match: match["knows"] and _OF_SOMETHING.match(match.after)
)
_OUT_ELSEWHERE: Final = patterns.compile(
    r" of| there",
    patterns.IGNORECASE,
    unless=lambda match: match.string.lower().startswith(" of scope"),
)
_EXCLUDED: Final = lexicon.pattern(
    "excluded", unless=lambda match: match["out"] and _OUT_ELSEWHERE.match(match.after)
)


def is_question(text: str) -> bool:
    return text.rstrip("\"'”’) ").endswith(("?", "？"))


def is_open(text: str) -> bool:
    """Whether somebody says that a thing is not known: "nobody has said whether …"."""
    return bool(_OPEN.search(text))


def is_excluded(text: str) -> bool:
    return bool(_EXCLUDED.search(text))


# ── what a numbered question asks for ──────────────────────────────────────────────────────────

_ASKS: Final[tuple[tuple[str, patterns.Pattern], ...]] = tuple(
    (name, patterns.compile(words, patterns.IGNORECASE))
    for name, words in (
        ("never", r"\bnever do\b|\brefuse to do\b"),
        ("out-of-scope", r"leave out|left out|out of scope|version end"),
        ("acceptance", r"before (?:you|they) (?:call|believe)|each of those lines is done"
         r"|show someone"
         r"|to prove|is done\?"),
        ("constraint", r"is fixed|stay as it is|laws, contracts|rule limits|sets the timing"),
        ("risk", r"go wrong|would hurt|least confidence|worst single|hard to repair|risk"),
        ("quality", r"how fast|good enough|at what number"),
        ("problem", r"happens today|put this on the table|present state cost"),
        ("user", r"^who\b|group of people|which group|whose wish"),
    )
)  # fmt: skip


def asks_for(question: str) -> frozenset[str]:
    return frozenset(name for name, words in _ASKS if words.search(question))
