"""What questions of a party are about: how a line shows it, and what such a line is in the brief.

The domains of the shipped party have a row each. One of somebody's own is known by its questions:
by their numbers, and by the words that a line shares with them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.council.hearing import Line
from core.brains.script.inception.labels import LABELS
from core.brains.script.inception.topics import Topic
from core.brains.script.parts import weighing
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX
from core.brains.script.parts.signs import RULES_APPLY, is_excluded
from core.brains.text.wording import words_of
from core.domain.party import Question

Sign = Callable[[str], object]
SHARED_WORDS_MIN: Final = 2  # of a line and a question whose domain has no row


@dataclass(frozen=True, slots=True)
class Domain:
    """`unsaid` ends "Nobody has said …"; `reader` is one of the inception's readers."""

    unsaid: str
    sign: Sign
    reader: str
    topic: Topic


def _words(pattern: str, unless: patterns.Refusal | None = None) -> Sign:
    found = patterns.compile(rf"\b(?:{pattern})\b", patterns.IGNORECASE, unless=unless)
    return lambda text: found.search(text[:PHRASE_CHARS_MAX])


def _opens_with_people(text: str) -> bool:
    who = weighing.actor_in(text)
    return bool(who) and len(text.partition(who)[0].split()) < 2


_FOR_NOBODY: Final = patterns.compile(r"(?:free|now|the same)\b", patterns.IGNORECASE)
_FOR: Final = _words(
    r"(?:it is|it['’]s|this is|mainly|mostly|made) for ",
    unless=lambda match: _FOR_NOBODY.match(match.after),
)
_SCOPE: Final = _words(
    r"first version|smallest|version (?:1|one)|mvp|in scope|out of scope|(?:must|should|will) never"
    r"|never become|later versions?|leave out|stays? out"
)
_OUT: Final = lexicon.pattern("leaves-out")
_LAW: Final = _words(
    r"gobd|dsgvo|ccpa|by law|house rules?|tax office|retention periods?|audits?|auditors? ask"
)
_MANY: Final = (
    r"(?:[0-9][0-9.,]*|hundreds?|thousands?|millions?|dozens?) (?:of )?(?:\w+ )?(?:users?|people"
    r"|customers?|clients?|firms?|offices?|orders?|invoices?|receipts?|documents?|rows?|records?"
    r"|files?|requests?|[gtm]b|gigabytes?|terabytes?)|per (?:second|minute|hour|day|month|year)"
)

DOMAINS: Final[Mapping[str, Domain]] = {
    "users": Domain(
        "who it is for",
        lambda text: _opens_with_people(text) or _FOR(text),
        "user",
        "purpose",
    ),
    "goals": Domain(
        "what gets better",
        _words(
            r"so that|sav(?:e|es|ing)|faster|quicker|fewer|less|notice|better|easier|gains?|goals?"
            r"|worth|improv\w*"
        ),
        "goal",
        "success",
    ),
    "scope": Domain(
        "what the first version holds and leaves out",
        lambda text: is_excluded(text) or _SCOPE(text),
        "scope",
        "success",
    ),
    "alternatives": Domain(
        "what people use today",
        _words(
            r"today|currently|at the moment|right now|so far|nowadays|until now|spreadsheets?|excel"
            r"|by hand|on paper"
        ),
        "domain",
        "domain",
    ),
    "terms": Domain(
        "which words the field uses",
        _words(
            r"means|(?:is|are) called|we call|call it|stands for|the words?|the terms?|mixed up"
            r"|so-called"
        ),
        "domain",
        "domain",
    ),
    "law": Domain(
        "which rules apply",
        lambda text: RULES_APPLY.search(text[:PHRASE_CHARS_MAX]) or _LAW(text),
        "law",
        "domain",
    ),
    "systems": Domain(
        "what it has to work with",
        _words(
            r"works? with|connect\w*|integrat\w*|interfaces?|imports?|exports?|existing systems?"
            r"|erp|crm|apis?|talks? to|reads? from|devices?|scanners?|printers?"
        ),
        "constraint",
        "domain",
    ),
    "feasibility": Domain(
        "which part is new to everybody here",
        _words(
            r"never (?:built|done|tried)|(?:nobody|none of us) (?:here )?(?:has )?(?:ever )?"
            r"(?:built|done|tried)|new to us|have not (?:built|done|tried)|hardest|unproven"
            r"|experiments?"
        ),
        "risk",
        "domain",
    ),
    "scale": Domain("how many people and how much data to expect", _words(_MANY), "fact", "domain"),
}
_OF_LABEL: Final[Mapping[str, str]] = {
    "user": "users",
    "purpose": "goals",
    "success": "goals",
    "scope": "scope",
    "out-of-scope": "scope",
    "domain": "terms",
    "law": "law",
    "constraint": "systems",
    "risk": "feasibility",
}


def unsaid(domain: str) -> str:
    """Ends "Nobody has said …"."""
    known = DOMAINS.get(domain)
    return known.unsaid if known else f"what holds for {domain.replace('-', ' ')}"


def domains_of(line: Line) -> tuple[str, ...]:
    """What a line speaks of: its question first, then its label, then what its words show."""
    label = LABELS["purpose"].label_of(line.text)[0] or line.fragment.label
    shown = (key for key, domain in DOMAINS.items() if domain.sign(line.text))
    return tuple(filter(None, dict.fromkeys((line.domain, _OF_LABEL.get(label, ""), *shown))))


def speaks_of(line: Line, domain: str, questions: Sequence[Question] = ()) -> bool:
    """Whether a line is about a domain; one without a row is known by its `questions`."""
    if domain in DOMAINS or line.domain:
        return domain in domains_of(line)
    theirs = words_of(" ".join(one.text for one in questions if one.domain == domain))
    return len(words_of(f"{line.text[:PHRASE_CHARS_MAX]}") & theirs) >= SHARED_WORDS_MIN


def takes_up(line: Line, question: Question) -> bool:
    """Whether a line answers a question, by its number or else by what it speaks of.

    What stays out of the first version and what is in it are two questions of one domain.
    """
    if line.question and line.question.key == question.key:
        return True
    if not speaks_of(line, question.domain, [question]):
        return False
    asks, says = (
        asks_what_stays_out(question),
        bool(_OUT.search(line.text)) or is_excluded(line.text),
    )
    if line.question and line.question.domain == question.domain:
        return asks and says
    return asks == says or question.domain != "scope"


def asks_what_stays_out(question: Question) -> bool:
    return bool(_OUT.search(question.text))


def clause_about(domain: str) -> Sign | None:
    """What tells the clause of a line that is about a domain."""
    known = DOMAINS.get(domain)
    return known.sign if known else None
