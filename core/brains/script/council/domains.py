"""What questions of a party are about: how a line shows it, and what such a line is in the brief.

The domains of the shipped party have a row each. One of somebody's own is known by its questions:
by their numbers, and by the words that a line shares with them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core import patterns
from core.brains import lexicon
from core.brains.script.council.transcript import CouncilLine
from core.brains.script.evidence import is_excluded
from core.brains.script.parts import weighing
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX
from core.brains.script.parts.signs import RULES_APPLY
from core.brains.script.topics import LABELS, Topic
from core.brains.task_cache import cached
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


_FOR_NOBODY: Final = patterns.compile(r"(?:free|now|the same)\b", patterns.IGNORECASE)
_FOR: Final = lexicon.pattern("is-for", unless=lambda match: _FOR_NOBODY.match(match.after))
_OUT: Final = lexicon.pattern("leaves-out")


# What shows a domain beside the words of its row.
_SHOWN_BY: Final[Mapping[str, tuple[Sign, ...]]] = {
    "users": (weighing.opens_with_people, lambda text: _FOR.search(text[:PHRASE_CHARS_MAX])),
    "scope": (is_excluded,),
    "law": (lambda text: RULES_APPLY.search(text[:PHRASE_CHARS_MAX]),),
}


def _domain(key: str, row: Mapping[str, Any]) -> Domain:
    words = lexicon.compiled({"words": row["words"]}) if "words" in row else None

    def sign(text: str) -> bool:
        if any(shows(text) for shows in _SHOWN_BY.get(key, ())):
            return True
        return bool(words and words.search(text[:PHRASE_CHARS_MAX]))

    return Domain(row["unsaid"], sign, row["reader"], row["topic"])


_ROWS: Final = lexicon.table("council")["domains"]
DOMAINS: Final[Mapping[str, Domain]] = {key: _domain(key, row) for key, row in _ROWS.items()}
_OF_LABEL: Final = {label: key for key, row in _ROWS.items() for label in row.get("labels", ())}


def unsaid(domain: str) -> str:
    """Ends "Nobody has said …"."""
    row = DOMAINS.get(domain)
    return row.unsaid if row else f"what holds for {domain.replace('-', ' ')}"


def domains_of(line: CouncilLine) -> tuple[str, ...]:
    """What a line speaks of: its question first, then its label, then what its words show."""
    label = LABELS["purpose"].label_of(line.text)[0] or line.fragment.label
    domains = (line.domain, _OF_LABEL.get(label, ""), *_shown_domains(line.text))
    return tuple(filter(None, dict.fromkeys(domains)))


@cached
def _shown_domains(text: str) -> tuple[str, ...]:
    """The domains that the words of a line show."""
    return tuple(key for key, domain in DOMAINS.items() if domain.sign(text))


def speaks_of(line: CouncilLine, domain: str, questions: Sequence[Question] = ()) -> bool:
    """True if a line is about a domain; one without a row is known by its `questions`."""
    if domain in DOMAINS or line.domain:
        return domain in domains_of(line)
    question_words = words_of(
        " ".join(question.text for question in questions if question.domain == domain)
    )
    return len(words_of(line.text[:PHRASE_CHARS_MAX]) & question_words) >= SHARED_WORDS_MIN


def takes_up(line: CouncilLine, question: Question) -> bool:
    """True if a line answers a question, by its number or else by what it speaks of.

    What stays out of the first version and what is in it are two questions of one domain.
    """
    if line.question and line.question.key == question.key:
        return True
    if not speaks_of(line, question.domain, [question]):
        return False
    asks = asks_what_stays_out(question)
    says = bool(_OUT.search(line.text)) or is_excluded(line.text)
    if line.question and line.question.domain == question.domain:
        return asks and says
    return asks == says or question.domain != "scope"


def asks_what_stays_out(question: Question) -> bool:
    return bool(_OUT.search(question.text))


def clause_about(domain: str) -> Sign | None:
    """What tells the clause of a line that is about a domain."""
    row = DOMAINS.get(domain)
    return row.sign if row else None
