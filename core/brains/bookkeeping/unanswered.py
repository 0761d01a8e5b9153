"""Questions that people left open, as assumptions. It reads nothing, so every brain can use it."""

from typing import Final

from core.domain.answers import Claim, ReadRequest

NOT_ANSWERED: Final = "Not answered: {}"


def assumptions(request: ReadRequest, *, start: int) -> tuple[Claim, ...]:
    """One assumption for each question that was asked and not answered, numbered from `start`."""
    step = request.step.id
    return tuple(
        Claim(f"{step}/{number}", step, "assumption", NOT_ANSWERED.format(gap), (), "assumed")
        for number, gap in enumerate(dict.fromkeys(request.gaps), start=start)
    )
