"""Question and broadcast: what a member asks people, and how it reads their answers.

A lens is the domains of a member's questions. It quotes what was said of them and names what was
not; where people differ, it does not choose.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.brains.bookkeeping.conflicts import Disagreement
from core.brains.script.council.brief import brief
from core.brains.script.council.domains import (
    DOMAINS,
    clause_about,
    domains_of,
    speaks_of,
    takes_up,
    unsaid,
)
from core.brains.script.council.hearing import (
    CouncilLine,
    first_of_each,
    heard,
    name_of,
    says,
    several,
)
from core.brains.script.council.quoting import begun, fit, listed, quote
from core.brains.script.council.voices import voice
from core.brains.text.filler import is_foreign
from core.brains.text.split import split
from core.domain.answers import Answer
from core.domain.ids import AnswerId, StepId, Ts, UserId
from core.domain.party import Question
from core.domain.party.contributions import ConsultRequest, Contribution

VOICES_SHOWN_MAX: Final = 2  # of people, on one domain
COVERING_WORDS_MIN: Final = 4  # of a sentence in a description, to save people a question


@dataclass(frozen=True, slots=True)
class DomainAnswers:
    """What was said on a domain, and what people say that they do not know of it."""

    domain: str
    said: tuple[CouncilLine, ...]
    left_open: tuple[CouncilLine, ...]


# ── the questions ──────────────────────────────────────────────────────────────────────────────


def questions(request: ConsultRequest) -> Contribution:
    """Its own, but for those that the title or the description answers already."""
    told = list(_described(request))
    left = tuple(
        one
        for one in request.member.questions
        if not any(takes_up(line, one) and not line.is_open for line in told)
    )
    text = voice(request.member.key, "asks") if left else _ALL_TOLD
    return Contribution(request.member.key, "questions", text, questions=left)


_ALL_TOLD: Final = "Your description answers what I would ask."


def _described(request: ConsultRequest) -> Iterator[CouncilLine]:
    """The description as lines; whoever wrote it, it is nobody's answer."""
    text = f"{request.title}\n{request.text}"
    for fragment in split(text):
        if not fragment.code and len(fragment.text.split()) >= COVERING_WORDS_MIN:
            yield CouncilLine(fragment.text, _NO_ANSWER, fragment)


_NO_ANSWER: Final = Answer(
    AnswerId(""), StepId("00-00"), UserId(""), "", Ts("0"), Ts("0"), permalink=""
)


# ── the lens ───────────────────────────────────────────────────────────────────────────────────


def lens_of(request: ConsultRequest) -> list[DomainAnswers]:
    lines = heard(request)
    return [
        heard_on(domain, lines, request.member.questions)
        for domain in dict.fromkeys(one.domain for one in request.member.questions)
    ]


def heard_on(domain: str, lines: Sequence[CouncilLine], asked: Sequence[Question]) -> DomainAnswers:
    mine = [line for line in lines if speaks_of(line, domain, asked)]
    return DomainAnswers(
        domain,
        tuple(line for line in mine if not line.is_open),
        tuple(line for line in mine if line.is_open),
    )


def interpretation(request: ConsultRequest) -> Contribution:
    """What was said of its domains and by whom, and what nobody said."""
    lens = lens_of(request)
    sentences = [voice(request.member.key, "hears"), *(_told(request, one) for one in lens)]
    missing = [unsaid(one.domain) for one in lens if not one.said and not one.left_open]
    sentences.append(not_said(request, missing))
    sentences += [differing(request, one) for one in differences_in(request, lens)]
    sentences.append(_unsorted(request))
    if not heard(request):
        about = f", so I cannot say {listed(map(unsaid, _domains(request)))}" if lens else ""
        sentences = [f"Nobody has answered yet{about}."]
    return Contribution(request.member.key, "interpretation", fit(sentences))


def not_said(request: ConsultRequest, missing: Sequence[str]) -> str:
    """What nobody has said; or that it may have been said in words that no rule here knows."""
    if not missing:
        return ""
    if is_foreign_to(request):
        return f"I read English only, so I cannot tell whether somebody said {listed(missing)}."
    return f"Nobody has said {listed(missing)}."


def is_foreign_to(request: ConsultRequest) -> bool:
    return any(is_foreign(line.text) for line in heard(request) if line.question is None)


def _domains(request: ConsultRequest) -> list[str]:
    return list(dict.fromkeys(one.domain for one in request.member.questions))


def _told(request: ConsultRequest, on: DomainAnswers) -> str:
    """`Who it is for: Priya says “…” and Sam says “…”.`"""
    voices = several(on.said)[:VOICES_SHOWN_MAX]
    about = clause_about(on.domain)
    said = [says(request, line, quote(line.text, about)) for line in voices]
    if said:
        return f"{begun(unsaid(on.domain))}: {listed(said)}."
    if on.left_open and not on.said:
        open_ones = first_of_each(on.left_open)[:1]
        who = [says(request, line) for line in open_ones] or ["somebody asks back"]
        return f"{begun(unsaid(on.domain))} is left open: {listed(who)}."
    return ""


def differences_in(request: ConsultRequest, lens: Sequence[DomainAnswers]) -> list[Disagreement]:
    """Where people differ on something in its lens."""
    texts = {line.text for one in lens for line in one.said}
    found = brief(request).differences
    return [one for one in found if any(claim.text in texts for _, _, claim in one.said)]


def differing(request: ConsultRequest, difference: Disagreement) -> str:
    sides = [
        f"{name_of(request, person)} says “{piece}”"
        for person, value, _ in difference.said
        if (piece := quote(value))
    ]
    return f"That is not the same: {listed(sides)}." if len(sides) > 1 else ""


def _unsorted(request: ConsultRequest) -> str:
    """What no domain takes up is named once, by whoever comes first at the table."""
    if request.member.key not in request.phase.members[:1]:
        return ""
    rest = [line for line in heard(request) if not domains_of(line) and not line.is_open]
    own = [one.domain for one in request.member.questions if one.domain not in DOMAINS]
    rest = [
        line
        for line in rest
        if not any(speaks_of(line, one, request.member.questions) for one in own)
    ]
    said = [says(request, line) for line in first_of_each(rest)[:VOICES_SHOWN_MAX]]
    return f"Beside that, {listed(said)}." if said else ""
