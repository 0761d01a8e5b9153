"""Follow-ups that nobody answered, as lines. It reads nothing, so every brain can use it."""

from collections.abc import Iterable, Iterator
from typing import Final

from core.domain.answers import Claim, ReadRequest
from core.domain.assumptions import ASKS, NOT_ANSWERED, as_left
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId

NAME_CHARS_MAX: Final = 60


def assumptions(step: StepId, questions: Iterable[str], *, start: int) -> tuple[Claim, ...]:
    """One assumption for each question of a council that nobody answered, from `start` on."""
    return tuple(
        Claim(f"{step}/{number}", step, "assumption", NOT_ANSWERED.format(question), (), "assumed")
        for number, question in enumerate(dict.fromkeys(questions), start=start)
    )


def unanswered(request: ReadRequest, *, start: int) -> tuple[Claim, ...]:
    """A line for each follow-up that people passed, skipped or cannot answer, from `start` on."""
    return tuple(_lines(request, start))


def _lines(request: ReadRequest, start: int) -> Iterator[Claim]:
    step = request.step.id
    passed = [follow_up for follow_up in request.follow_ups if follow_up.is_unanswered]
    for number, follow_up in enumerate(passed, start=start):
        text = as_left(follow_up, _name(request, follow_up))
        if follow_up.outcome == "unknown":  # an open question, with a name on it
            yield Claim(f"{step}/{number}", step, "question", text, ())
        else:
            data = {ASKS: follow_up.kind}
            yield Claim(f"{step}/{number}", step, "assumption", text, (), "assumed", data=data)


def _name(request: ReadRequest, follow_up: FollowUp) -> str:
    name = " ".join(request.names.get(follow_up.by, "").split()) if follow_up.by else ""
    return name[:NAME_CHARS_MAX] or "somebody"
