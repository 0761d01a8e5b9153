"""What nobody said: claims that are assumed, and questions that were left open. Pure.

Somebody may stand by an assumption, which makes it theirs, or say that it is wrong, which takes it
out. Both hold whatever a brain makes of the step's answers later.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.domain.answers import Answer, Claim, ClaimKind
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId
from core.domain.session.step import StepState

NOT_ANSWERED: Final = "Asked, not answered: {}"
SKIPPED: Final = "Skipped by {}: {}"
UNKNOWN: Final = "{} ({} does not know yet)"
ASKS: Final = "asks"  # key of the kind of a follow-up that nobody answered


def as_left(follow_up: FollowUp, name: str = "") -> str:
    """How a follow-up reads that has no answer. `name`: of who skipped it or does not know."""
    if follow_up.outcome == "skipped" and name:
        return SKIPPED.format(name, follow_up.question)
    if follow_up.outcome == "unknown" and name:
        return UNKNOWN.format(follow_up.question, name)
    return NOT_ANSWERED.format(follow_up.question)


@dataclass(frozen=True, slots=True)
class Assumption:
    step: StepId
    text: str  # as the artifact has it
    question: str = ""  # that was left open, where it is one
    confirmed: bool = False  # a line of a draft: somebody stands by it, and it stays assumed

    @property
    def key(self) -> str:
        """A short name of it that says nothing, for a button."""
        return hashlib.sha256(
            f"{self.step}\n{self.text}".encode("utf-8", "surrogatepass")
        ).hexdigest()[:16]


def is_assumed(claim: Claim) -> bool:
    return claim.kind == "assumption" or claim.confidence == "assumed"


def is_left(claim: Claim) -> bool:
    """True for a follow-up that nobody answered, a question and no assumption of theirs."""
    leads = NOT_ANSWERED.partition("{")[0], SKIPPED.partition("{")[0]
    return claim.kind == "assumption" and not claim.sources and claim.text.startswith(leads)


def with_unanswered(steps: Iterable[StepState], claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, and an assumed one for each unanswered follow-up that none of them repeats.

    A step that is left is read again only after it: until then the follow-ups tell it first.
    """
    unread = [
        (step.id, follow_up)
        for step in steps
        for follow_up in step.questions.unanswered
        if follow_up.outcome != "unknown"
        if not any(follow_up.question in claim.text for claim in claims if claim.step == step.id)
    ]
    missing = [
        Claim(f"{step}/unread-{number}", step, "assumption", as_left(follow_up), (), "assumed")
        for number, (step, follow_up) in enumerate(unread)
    ]
    return (*claims, *missing)


def assumptions(steps: Iterable[StepState], claims: Sequence[Claim]) -> tuple[Assumption, ...]:
    """Of these steps, in their order: assumed claims, then questions that no claim repeats."""
    steps = tuple(steps)
    every = [claim for claim in with_unanswered(steps, claims) if is_assumed(claim)]
    listed = [
        Assumption(step.id, claim.text, _question_in(claim.text, step), claim.is_confirmed_draft)
        for step in steps
        for claim in every
        if claim.step == step.id
    ]
    return tuple(dict.fromkeys(listed))


def settled(
    claims: Sequence[Claim], step: StepState, confirmed: Sequence[Answer]
) -> tuple[Claim, ...]:
    """A step's claims with what people said of its assumptions. `confirmed`: by whom, if so."""
    sources = {source for claim in claims for source in claim.sources}
    answers = {answer.text: answer for answer in confirmed if answer.id not in sources}
    wrong = {doubt.text for doubt in step.doubts if not doubt.question}
    settled_claims: list[Claim] = []
    for claim in claims:
        answer = answers.pop(claim.text, None) if is_assumed(claim) else None
        if answer is not None:
            settled_claims.append(_stated(claim, step, answer))
        elif not (is_assumed(claim) and claim.text in wrong):
            settled_claims.append(claim)
    first = 1 + max((_number(claim) for claim in claims), default=0)
    for number, (text, answer) in enumerate(answers.items(), start=first):
        new = Claim(f"{step.id}/{number}", step.id, "assumption", text, (), "assumed")
        settled_claims.append(_stated(new, step, answer))
    return tuple(settled_claims)


def _stated(claim: Claim, step: StepState, answer: Answer) -> Claim:
    """An assumption is a fact now; that a question stays open is what somebody says of it."""
    left_open: ClaimKind = "question" if _question_in(claim.text, step) else "fact"
    return replace(
        claim,
        kind=left_open if claim.kind == "assumption" else claim.kind,
        confidence="stated",
        sources=tuple(dict.fromkeys((*claim.sources, answer.id))),
    )


def _question_in(text: str, step: StepState) -> str:
    questions = (follow_up.question for follow_up in step.questions.unanswered)
    return next((question for question in questions if question in text), "")


def _number(claim: Claim) -> int:
    number = claim.id.rpartition("/")[2]
    return int(number) if number.isdecimal() else 0
