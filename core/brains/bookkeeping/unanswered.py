"""Questions that people left open, as assumptions. It reads nothing, so every brain can use it."""

from collections.abc import Iterable
from typing import Final

from core.domain.answers import Claim
from core.domain.ids import StepId

NOT_ANSWERED: Final = "Not answered: {}"


def assumptions(step: StepId, questions: Iterable[str], *, start: int) -> tuple[Claim, ...]:
    """One assumption for each question that nobody answered, numbered from `start`."""
    return tuple(
        Claim(f"{step}/{number}", step, "assumption", NOT_ANSWERED.format(question), (), "assumed")
        for number, question in enumerate(dict.fromkeys(questions), start=start)
    )
