"""What a sentence weighs in its own words: options and choices, risks, the people it is about.

Each function gives the parts as they were said, or nothing. None adds or changes a word.
"""

from collections.abc import Iterator
from typing import Final

from core import patterns
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX, Parts, is_short, on_one_line, trimmed

# ── options and choices ────────────────────────────────────────────────────────────────────────

_NAMED_OPTION: Final = patterns.compile(
    r"((?:option|variant|alternative|way|plan) (?:[A-Z]|[0-9]{1,2}))\b\s*(?:[:.)–—-]|is\b|means\b)",
    patterns.IGNORECASE,
)
_EITHER: Final = patterns.compile(
    r"\beither (?P<one>.+?),? or (?P<other>.+?)(?=[.;!]|$)", patterns.IGNORECASE
)
_STOP: Final = (
    r"(?=\s*(?:[.,;:!()]|\s[-–—]\s|$)|\s+(?:because|since|as|so that|over|instead of|rather than"
    r"|for|in order|due to|but|and|which|although)\b)"
)
_CHOSEN: Final = patterns.compile(
    r"\b(?:go|goes|going|went) (?:with|for) (?P<a>.+?)" + _STOP + r"|\b(?:chose|choose|chosen"
    r"|decided? (?:for|on|to use)|picked|pick|opt(?:ed)? for|settled? (?:on|for)|stick(?:ing)?"
    r" (?:with|to)|prefer(?:red|s)?|use|adopt(?:ed)?|keep|take) (?P<b>.+?)" + _STOP,
    patterns.IGNORECASE,
)
_WISHED: Final = patterns.compile(
    r"\b(?:would|prefer\w*|['’]d|should|might|could|maybe)\b", patterns.IGNORECASE
)
_NOT_CHOSEN: Final = patterns.compile(
    r"\b(?:not|never|don['’]?t|won['’]?t|cannot|can['’]?t)\b[^,;]{0,20}$", patterns.IGNORECASE
)
_PASSIVE: Final = ("is ", "was ", "were ", "are ", "been ", "get ")
_REJECTED: Final = patterns.compile(
    r"\b(?:(?P<passive>rejected)|reject|ruled? out"
    r"|discard(?:ed)?|decided against|not going (?:with|for)"
    r"|(?:won['’]?t|will not|do not|don['’]?t)"
    r" (?:use|take|want|choose)) (?P<a>.+?)"
    + _STOP
    + r"|(?:^|[,;] )(?P<b>[^,;]{2,60}?) (?:is|was|were|are|has been|got) "
    r"(?:rejected|ruled out|discarded|out)\b",
    patterns.IGNORECASE,
    unless=lambda match: match["passive"] and match.before.lower().endswith(_PASSIVE),
)
_INSTEAD: Final = patterns.compile(
    r"\b(?:over|instead of|rather than) (?P<a>.+?)" + _STOP, patterns.IGNORECASE
)
_REASON: Final = patterns.compile(
    r"\b(?:because of|because|since|due to|on the grounds that) (?P<reason>.+)", patterns.IGNORECASE
)


def options_in(text: str) -> list[Parts]:
    """`Option A: …` by its name; of `either … or …` both."""
    if match := _NAMED_OPTION.match(text.lstrip("* ")):
        return [{"option": on_one_line(match[1])}]
    if is_short(text) and (match := _EITHER.search(on_one_line(text))):
        return [{"option": trimmed(match["one"])}, {"option": trimmed(match["other"])}]
    return []


def choices_in(text: str) -> list[Parts]:
    """What a sentence chooses and rejects, and why. A wish ("I would …") counts as `wished`."""
    if not is_short(text):
        return []
    line = on_one_line(text)
    reason = _REASON.search(line)
    why = {"reason": trimmed(reason["reason"])} if reason else {}
    plain = line[: reason.start()] if reason else line
    return [{**each, **why} for each in _choices(plain)]


def _choices(line: str) -> Iterator[Parts]:
    chosen = _CHOSEN.search(line)
    rejected = _REJECTED.search(line)
    if chosen and not _NOT_CHOSEN.search(line[: chosen.start()]) and not rejected:
        yield {"choice": "chosen", "option": trimmed(chosen["a"] or chosen["b"])}
        if instead := _INSTEAD.search(line):
            yield {"choice": "rejected", "option": trimmed(instead["a"])}
    elif rejected:
        yield {"choice": "rejected", "option": trimmed(rejected["a"] or rejected["b"])}


def is_wish(text: str) -> bool:
    return bool(_WISHED.search(text))


# ── risks ──────────────────────────────────────────────────────────────────────────────────────

_GRADE: Final = r"(?:very |quite |rather |fairly )?(?:low|medium|moderate|high|small|big)"
_BAD: Final = rf"{_GRADE}|severe|serious|minor|major|critical|huge"
_ODDS: Final = r"(?:likelihood|probability|chance|odds)"
_LIKELIHOOD: Final = patterns.compile(
    rf"\b(?P<a>{_GRADE}) {_ODDS}\b|\b{_ODDS}(?: is)?:? (?P<b>{_GRADE}|[0-9]+ ?%)"
    r"|\b(?P<c>(?:very |quite |rather )?(?:un)?likely|rarely|rare|seldom|often|frequent(?:ly)?)\b",
    patterns.IGNORECASE,
)
_IMPACT: Final = patterns.compile(
    rf"\b(?P<a>{_BAD}) (?:impact|damage|harm|severity)\b"
    rf"|\b(?:impact|damage|harm|severity)(?: is)?:? (?P<b>{_BAD})\b"
    r"|\b(?P<c>catastroph\w+|fatal|hard to repair|cannot be (?:undone|taken back|repaired))\b",
    patterns.IGNORECASE,
)
_MITIGATION: Final = patterns.compile(
    r"\b(?:mitigat\w+(?: it| this| that| them)?(?: is)?(?: by| with|:)?|to (?:avoid|prevent)"
    r" (?:this|that|it),?|(?:avoid|prevent|reduce|protect|guard)(?:ed)?(?: this| that| it| them)?"
    r" (?:by|with)|unless|protected by|guarded by) (?P<a>.+)",
    patterns.IGNORECASE,
)
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
    found = ((key, pattern.search(line)) for key, pattern in _OF_RISKS)
    return {
        key: trimmed(next(filter(None, match.groupdict().values())))
        for key, match in found
        if match
    }


# ── people ─────────────────────────────────────────────────────────────────────────────────────

_PEOPLE: Final = (
    r"(?:users?|customers?|clients?|people|persons?|everyone|teams?|readers?|admins?|administrators?"
    r"|owners?|payers?|callers?|developers?|engineers?|operators?|analysts?|managers?|buyers?|sellers?"
    r"|merchants?|agents?|support|sales|finance|marketing|operations|accounting|partners?|subscribers?"
    r"|members?|visitors?|guests?|tenants?|students?|teachers?|patients?|employees?|staff|colleagues?"
    r"|editors?|viewers?|authors?|drivers?|doctors?|nurses?|parents?|auditors?|maintainers?)"
)
_ACTOR: Final = patterns.compile(
    rf"\b(?:(?:[A-Z]?[\w'’-]+) )?{_PEOPLE}(?:,? and (?:[\w-]+ )?{_PEOPLE}|, {_PEOPLE})*\b",
    patterns.IGNORECASE,
)
_NOT_ITS_NAME: Final = patterns.compile(
    r"(?:the|an?|our|all|some|many|most|these|those|their|his|her|by|of|for|to|and|or|as|that|when"
    r"|have|has|had|are|is|was|were|be|needs?|wants?|serves?|helps?|lets?|gives?|tells?|shows?|asks?"
    r"|we|i|they|it|about|than|between|among|via|because|if|with|from"
    r"|only|mostly|mainly|usually|who|where|no|every|each|but|then|today) ",
    patterns.IGNORECASE,
)


def actor_in(text: str) -> str:
    """The people whom a sentence names first: "Paying customers", "support and sales"."""
    match = _ACTOR.search(text[:PHRASE_CHARS_MAX])
    if not match:
        return ""
    article = _NOT_ITS_NAME.match(match[0])
    return match[0][article.end() :] if article else match[0]
