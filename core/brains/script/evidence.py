"""What a line shows wherever it is said: a reaction, a check, what is left out, a plain "must", a
demand by its words.

The forms are rows of `steps/brains/evidence.yaml`.
"""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import verbs
from core.brains.script.parts.exclusions import leaves_nothing_out, leaves_out
from core.brains.script.parts.phrases import is_short, on_one_line
from core.brains.script.topics import Topic
from core.brains.task_cache import cached
from core.brains.text import weights
from core.brains.text.filler import is_filler

_ROWS: Final = lexicon.table("evidence")
_REACTS: Final = lexicon.compiled(_ROWS["reacts"])
_TAKES_BACK: Final = lexicon.compiled(lexicon.table("differences")["takes-last-back"])
_JOKES: Final = lexicon.compiled(_ROWS["jokes"])
_LEAD: Final = lexicon.compiled(_ROWS["lead"])
_CHECK: Final = lexicon.compiled([f"(?:{row})" for row in _ROWS["check"]])
_TRIAL_BY_NUMBER: Final = lexicon.compiled(
    _ROWS["trial-by-number"],
    unless=lambda match: match["act"].casefold() in _ROWS["would-rather"].split(),
)
_RATING: Final = lexicon.compiled(_ROWS["rating"])
_RATING_ALONE: Final = lexicon.compiled(_ROWS["rating-alone"])
_IMPACT_BEHIND: Final = lexicon.compiled(_ROWS["impact-behind"])
_RATING_ASKED: Final = lexicon.compiled(_ROWS["rating-asked"])
_MITIGATES: Final = lexicon.compiled(_ROWS["mitigates"])
_NOW: Final = lexicon.compiled(_ROWS["now"])
_MEASURE: Final = lexicon.compiled(_ROWS["measure"])
_BOUND_ALONE: Final = lexicon.compiled(_ROWS["bound-alone"])
_RULES_OUT: Final = lexicon.compiled(_ROWS["rules-out"])
_MUST_GO: Final = lexicon.compiled(_ROWS["must-go"])
_LINK: Final = patterns.compile(r"<?https?://\S+")
_SUPPOSED: Final = patterns.compile(
    r"(?: have|['’]ve) (?:been|gone|\w+ed|\w+en)\b| be (?:joking|kidding)\b", patterns.IGNORECASE
)
# Who must is said before it, and what after it: "8 is a must, …" and "agree must: …" rank or list.
_MUST: Final = patterns.compile(
    r"\b(?:must|shall|may (?:not|never|only)|muss|m\wssen|deben?|doit|doivent)\b(?= ?[^\s,.:;!)])"
    r"|\bmustn|^no [^,;:.?!]{2,30} (?:is|are|gets?) ever \w",
    patterns.IGNORECASE,
    unless=lambda match: match.before.endswith((" I ", " i ")) or _SUPPOSED.match(match.after),
)
_TALKERS: Final = patterns.compile(
    r"(?:i|you|they(?: are (?:not|never) to)?|he|she|who|we(?: \w+)? (?:must|shall) \w+|we have"
    r"|we need)\b",
    patterns.IGNORECASE,
    unless=lambda match: match[0].casefold().endswith((" not", " never", " to")),
)
_REASON: Final = patterns.compile(r"; |,? (?:because|since|though|although)\b", patterns.IGNORECASE)
WORDS_BESIDE_LINK_MAX: Final = 3
WORDS_MIN: Final = 3  # of a line that only its words make a requirement


@cached
def meant(text: str) -> str:
    """A line without the words that only lead to it: "ok, and also …"."""
    line = verbs.with_apostrophes(on_one_line(text))
    lead = _LEAD.match(line)
    return line[lead.end() :] if lead else line


@cached
def is_check(text: str) -> bool:
    if not is_short(text):
        return False
    line = on_one_line(text)
    return bool(_CHECK.match(line) or _CHECK.match(meant(line)) or _TRIAL_BY_NUMBER.match(line))


@cached
def is_excluded(text: str) -> bool:
    if not is_short(text) or leaves_nothing_out(on_one_line(text)):
        return False
    return leaves_out(verbs.behind_condition(meant(text)))


def is_bound(text: str) -> bool:
    """ "Under 1 min": how much, of what was said before it."""
    return bool(_BOUND_ALONE.match(on_one_line(text)))


@cached
def is_aside(text: str) -> bool:
    """True for a reaction, a link, a joke, and for what only takes something back: nothing of it is
    about what is built."""
    line = meant(text)
    if not line or is_filler(text) or _TAKES_BACK.fullmatch(on_one_line(text)):
        return True
    if _MUST_GO.fullmatch(line):
        return True
    if link := _LINK.search(line):
        beside = f"{line[: link.start()]} {line[link.end() :]}"
        return len(beside.split()) <= WORDS_BESIDE_LINK_MAX
    reacts = _REACTS.match(line) or _REACTS.match(on_one_line(text)) or _JOKES.search(line)
    return bool(reacts) and not _MUST.search(line)


@cached
def is_firm(text: str) -> bool:
    """True for a demand that holds wherever it is said: "drivers must never see the number"."""
    line = meant(text)
    if not is_short(text) or is_aside(text) or _TALKERS.match(line):
        return False
    return bool(_MUST.search(line))


@cached
def is_demanded(text: str, topic: Topic) -> bool:
    """True for a plain "must", and for a line that is likeliest a requirement by its words.

    A quality is one as well. Not for a word or two, nor for how it is today.
    """
    if is_firm(text):
        return True
    is_enough = len(text.split()) >= WORDS_MIN
    return is_enough and not is_now(text) and weights.kind_of(text, topic) == "requirement"


def is_now(text: str) -> bool:
    """True for how it is today, unless that is only a reason: "currently it takes 5 minutes"."""
    return is_short(text) and bool(_NOW.search(before_reason(meant(text))))


def is_measured(text: str) -> bool:
    """True for a number with its unit, or a word such as "readable on", and a subject."""
    line = meant(text)
    return len(line.split()) > 1 and not is_aside(text) and bool(_MEASURE.search(line))


def rules_out(text: str) -> bool:
    """ "Lost parcels: none": what must never be, whatever may fail in it."""
    return is_short(text) and bool(_RULES_OUT.search(meant(text))) and not is_aside(text)


def rating_in(text: str) -> dict[str, str]:
    """How likely and how bad, or one of them and why, where a line says nothing else."""
    line = on_one_line(text) if is_short(text) else ""
    forms = (_RATING, _RATING_ALONE, _RATING_ASKED)
    match = patterns.fullmatch_of(forms, line)
    parts = match.groupdict() if match else {}
    ratings = {key.removesuffix("_named"): part.strip() for key, part in parts.items() if part}
    behind = _IMPACT_BEHIND.search(ratings.get("likelihood", ""))
    if behind is None or "impact" in ratings:
        return ratings
    return {"likelihood": behind.before.strip(), "impact": behind["impact"].strip()}


def mitigates(text: str) -> bool:
    return bool(_MITIGATES.match(on_one_line(text)))


def before_reason(line: str) -> str:
    """What a line says, without a reason or a memory that follows: "…; we had that in 2016"."""
    match = _REASON.search(line)
    return line[: match.start()] if match else line
