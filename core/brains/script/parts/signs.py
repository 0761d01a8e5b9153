"""Words that are signs of a kind: of a demand, a risk, a constraint, an open question."""

from typing import Final

from core import patterns
from core.brains import lexicon

HAS_LETTER: Final = patterns.compile(r"[^\W\d_]")
RISK: Final = lexicon.pattern("risk")
SURELY_RISK: Final = lexicon.pattern("surely-risk")
SUCCESS: Final = lexicon.pattern("tells-success")
SETS_ANEW: Final = lexicon.pattern("sets-anew")
RATES_ANEW: Final = lexicon.pattern("rates-anew")
NO_RISK: Final = lexicon.pattern("no-risk")
HARM: Final = lexicon.pattern("tells-harm")
DEMAND: Final = lexicon.pattern("demand")
EXPLICIT: Final = lexicon.pattern("explicit")
TIMING: Final = lexicon.pattern("timing")
STAYS_GOOD: Final = lexicon.pattern("stays-good")
FIXED: Final = lexicon.pattern("fixed")
RULES_APPLY: Final = lexicon.pattern("rules-apply")
NEEDS_YES: Final = lexicon.pattern("needs-yes")
_OF_SOMETHING: Final = patterns.compile(r" (?:it|him|her|them|us|me)\b", patterns.IGNORECASE)
_IN_CASE: Final = patterns.compile(
    r"\b(?:if|when|while|where|as long as|until|unless) (?:\w+ )?$", patterns.IGNORECASE
)
_OPEN: Final = lexicon.pattern(
    "open",
    unless=lambda match: (
        (match["knows"] and _OF_SOMETHING.match(match.after)) or _IN_CASE.search(match.before)
    ),
)
_ASKS: Final = lexicon.pattern("asks-without-mark")
_LEAVES_OPEN: Final = lexicon.pattern("leaves-choice-open")
_KNOWS_NOT: Final = lexicon.pattern("part-knows-not")
_QUOTED: Final = patterns.compile(r"[\"“„«][^\"“”„«»]+[\"”“»]")
# "They should see “we found your account, is that you?”"
_QUOTES_QUESTION: Final = patterns.compile(
    r"\w .*\b(?:sees?|says?|shows?|asks?|reads?|gets?|prints?|displays?),? "
    r"[\"“„«][^\"“”„«»]+[?？][\"”“»]\W*$",
    patterns.IGNORECASE,
)


def is_kept_from(text: str) -> bool:
    """True for what a part is kept from: "the mailer has no idea of money"; not of a person by name
    ("Ilse has no idea of prices")."""
    match = _KNOWS_NOT.search(text)
    if not match or not match[0].casefold().startswith("has"):
        return match is not None
    return not any(word[0].isupper() for word in match.before.split()[-1:])


def is_question(text: str) -> bool:
    """True for what ends with a question mark, unless only what it quotes at its end does."""
    asks = text.rstrip("\"'”’) ").endswith(("?", "？"))
    return asks and not _QUOTES_QUESTION.search(text)


def is_open(text: str) -> bool:
    """True if a thing is not known: "nobody has said whether …", "who do I call then", "A or B,
    haven't looked"; not where a screen says so: "unknown card: “I don't know this card”"."""
    is_left_open = _ASKS.match(text) or _LEAVES_OPEN.fullmatch(text)
    return bool(_OPEN.search(_QUOTED.sub(" ", text)) or is_left_open)
