"""Words that are signs of a kind: of a demand, a risk, a constraint, an open question."""

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
_OF_SOMETHING: Final = patterns.compile(r" (?:it|him|her|them|us|me)\b", patterns.IGNORECASE)
_OPEN: Final = lexicon.pattern(
    "open", unless=lambda match: match["knows"] and _OF_SOMETHING.match(match.after)
)


def is_question(text: str) -> bool:
    return text.rstrip("\"'”’) ").endswith(("?", "？"))


def is_open(text: str) -> bool:
    """Whether somebody says that a thing is not known: "nobody has said whether …"."""
    return bool(_OPEN.search(text))
