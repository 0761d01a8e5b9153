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
    passed = [asked for asked in request.follow_ups if asked.is_unanswered]
    for number, asked in enumerate(passed, start=start):
        text = as_left(asked, _name(request, asked))
        if asked.outcome == "unknown":  # an open question, with a name on it
            yield Claim(f"{step}/{number}", step, "question", text, ())
        else:
            data = {ASKS: asked.kind}
            yield Claim(f"{step}/{number}", step, "assumption", text, (), "assumed", data=data)


def _name(request: ReadRequest, asked: FollowUp) -> str:
    name = " ".join(request.names.get(asked.by, "").split()) if asked.by else ""
    return name[:NAME_CHARS_MAX] or "somebody"
