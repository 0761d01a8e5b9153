"""What a sentence weighs in its own words: options and choices, risks, the people it is about.

Each function gives the parts as they were said, or nothing. None adds or changes a word.
"""

from collections.abc import Iterator
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import signs
from core.brains.script.parts.choosing import chosen_in, is_unsure
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX, Parts, is_short, on_one_line, trimmed

# ── options and choices ────────────────────────────────────────────────────────────────────────

_EITHER: Final = patterns.compile(
    r"\beither (?P<one>.+?),? or (?P<other>.+?)(?=[.;!]|$)", patterns.IGNORECASE
)
_PASSIVE: Final = ("is ", "was ", "were ", "are ", "been ", "get ")
_POINTS_BACK: Final = patterns.compile(
    r"(?:it|that|this|them|me|you|what|about|if|when|unless|whether|maybe)\b", patterns.IGNORECASE
)
_REJECTED: Final = lexicon.pattern(
    "rejected", unless=lambda match: match["passive"] and match.before.lower().endswith(_PASSIVE)
)


def options_in(text: str) -> list[Parts]:
    """`Option A: …` by its name; of `either … or …` both."""
    if match := lexicon.pattern("named-option").match(text.lstrip("* ")):
        return [{"option": on_one_line(match[1])}]
    if is_short(text) and (match := _EITHER.search(on_one_line(text))):
        return [{"option": trimmed(match["one"])}, {"option": trimmed(match["other"])}]
    return []


def choices_in(text: str) -> list[Parts]:
    """What a sentence chooses and rejects, and why. A wish ("I would …") chooses nothing."""
    if not is_short(text):
        return []
    line = on_one_line(text)
    reason = lexicon.pattern("reason").search(line)
    why = {"reason": trimmed(reason["reason"])} if reason else {}
    plain = line[: reason.start()] if reason else line
    return [{**choice, **why} for choice in _choices(plain)]


def _choices(line: str) -> Iterator[Parts]:
    rejected = _REJECTED.search(line)
    if rejected and (line.endswith("?") or is_unsure(line[: rejected.start()])):
        return
    if not rejected and (option := trimmed(chosen_in(line))):
        yield {"choice": "chosen", "option": option}
        if instead := lexicon.pattern("instead").search(line):
            yield {"choice": "rejected", "option": trimmed(instead["a"])}
    elif rejected:
        option = next(filter(None, (rejected[name] for name in "abcde")))
        if not _POINTS_BACK.match(option):
            yield {"choice": "rejected", "option": trimmed(option)}


# ── risks ──────────────────────────────────────────────────────────────────────────────────────

_LIKELIHOOD: Final = lexicon.pattern("likelihood")
_IMPACT: Final = lexicon.pattern("impact")
_MITIGATION: Final = lexicon.pattern("mitigation")
_WEIGHED_ALONE: Final = lexicon.pattern("weighed-alone")
_WEIGHED_BEHIND: Final = lexicon.pattern("weighed-behind")
_OF_RISKS: Final = (
    ("likelihood", _LIKELIHOOD),
    ("impact", _IMPACT),
    ("mitigation", _MITIGATION),
)


def risk_in(text: str) -> Parts:
    """How likely, how bad and what would help, as far as the sentence says so."""
    if not is_short(text):
        return {}
    line = on_one_line(text)
    matches = ((key, pattern.search(line)) for key, pattern in _OF_RISKS)
    parts = {
        key: trimmed(next(filter(None, match.groupdict().values())))
        for key, match in matches
        if match
    }
    behind = _likelihood_and_impact(_WEIGHED_BEHIND.search(line))
    return parts | {key: part for key, part in behind.items() if parts.get(key, part) in part}


def is_weighed(text: str) -> bool:
    """True for a sentence that says how likely and how bad something is: only a risk has both."""
    return {"likelihood", "impact"} <= risk_in(text).keys()


def weighed_in(text: str) -> Parts:
    """How likely, and how bad, where a line says nothing else: "rare, but then we close"."""
    return (
        _likelihood_and_impact(_WEIGHED_ALONE.fullmatch(on_one_line(text)))
        if is_short(text)
        else {}
    )


def _likelihood_and_impact(match: patterns.Match | None) -> Parts:
    """The two parts; none where what follows is a demand: "seldom, but it must be logged"."""
    parts = {key: trimmed(part) for key, part in match.groupdict().items() if part} if match else {}
    return {} if signs.DEMAND.search(parts.get("impact", "")) else parts


# ── people ─────────────────────────────────────────────────────────────────────────────────────


def actor_in(text: str) -> str:
    """The people whom a sentence names first: "Paying customers", "support and sales"."""
    match = lexicon.pattern("actor").search(text[:PHRASE_CHARS_MAX])
    if not match:
        return ""
    article = lexicon.pattern("not-its-name").match(match[0])
    return match[0][article.end() :] if article else match[0]


def opens_with_people(text: str) -> bool:
    """True if at most one word stands before the people that a sentence names first."""
    actor = actor_in(text)
    return bool(actor) and len(text.partition(actor)[0].split()) < 2
