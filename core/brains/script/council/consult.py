"""What a scripted member of a council gives when it is asked: one table, a row for each want.

Pure and deterministic. A member invents nothing: it quotes people and asks; its claims rest on
answers, and what nobody said is left open.
"""

from collections.abc import Callable, Mapping
from typing import Final

from core.brains.script.council import debate, drafting, judging, proposing, vision
from core.domain.council import ConsultRequest, Contribution, Want

Giving = Callable[[ConsultRequest], Contribution]

_GIVES: Final[Mapping[Want, Giving]] = {
    "questions": vision.questions,
    "interpretation": vision.interpretation,
    "cross-question": debate.cross_question,
    "reply": debate.reply,
    "position": debate.position,
    "proposal": proposing.proposal,
    "critique": judging.critique,
    "revision": proposing.revision,
    "vote": judging.vote,
    "draft": drafting.draft,
    "review": drafting.review,
    "final": drafting.final,
}


def consult(request: ConsultRequest) -> Contribution:
    """One turn of a member. The same request gives the same contribution."""
    return _GIVES[request.want](request)
