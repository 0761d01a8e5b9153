"""What nobody said: claims that are assumed, and questions that were left open. Pure.

Somebody may stand by an assumption, which makes it theirs, or say that it is wrong, which takes it
out. Both hold whatever a brain makes of the step's answers later.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.answers import Answer, Claim, ClaimKind
from core.domain.ids import StepId
from core.domain.session import StepState


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


def assumptions(steps: Iterable[StepState], claims: Sequence[Claim]) -> tuple[Assumption, ...]:
    """Of these steps, in their order: assumed claims, then questions that no claim repeats."""
    listed: list[Assumption] = []
    for step in steps:
        of_step = [claim for claim in claims if claim.step == step.id]
        listed += [
            Assumption(
                step.id, claim.text, _question_in(claim.text, step), claim.is_confirmed_draft
            )
            for claim in of_step
            if is_assumed(claim)
        ]
        listed += [
            Assumption(step.id, gap, gap)
            for gap in dict.fromkeys(step.questions.gaps)
            if not any(gap in claim.text for claim in of_step)
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
    return next((gap for gap in step.questions.gaps if gap in text), "")


def _number(claim: Claim) -> int:
    number = claim.id.rpartition("/")[2]
    return int(number) if number.isdecimal() else 0
