"""What each step of the inception flow is about, whichever mode asks it."""

from collections.abc import Mapping
from typing import Final, Literal

from core.domain.answers import ReadRequest

Topic = Literal[
    "purpose",
    "success",
    "domain",
    "stack",
    "architecture",
    "data-model",
    "testing",
    "constitution",
    "skills",
    "review",
    "plan",
    "own",  # of a step that somebody added: every line is a fact
]

PARTY_PHASES: Final = frozenset(
    {
        "01-vision-council",
        "02-stack-debate",
        "03-blueprint",
        "04-constitution",
        "05-walkthrough",
    }
)
PHASES: Final = frozenset(
    {
        "01-vision",
        "02-domain",
        "03-stack",
        "04-architecture",
        "05-data-model",
        "06-test-strategy",
        "07-constitution",
        "08-walkthrough",
    }
)
_CLASSIC: Final[Mapping[str, Topic]] = {
    "01-01": "purpose",
    "01-02": "success",
    "02-01": "domain",
    "03-01": "stack",
    "04-01": "architecture",
    "05-01": "data-model",
    "06-01": "testing",
    "07-01": "constitution",
    "07-02": "skills",
    "08-01": "review",
    "08-02": "plan",
}
BRIEF: Final[frozenset[Topic]] = frozenset({"purpose", "success", "domain"})


PARTY: Final[Mapping[str, Topic]] = {
    "01-vision-council": "purpose",
    "02-stack-debate": "stack",
    "03-blueprint": "architecture",
}
_PARTY: Final[Mapping[tuple[str, str], Topic]] = {
    ("04-constitution", "04-01"): "constitution",
    ("04-constitution", "04-02"): "skills",
    ("05-walkthrough", "05-01"): "review",
    ("05-walkthrough", "05-02"): "plan",
}


def topic_of(request: ReadRequest) -> Topic:
    """What a step of the classic mode is about."""
    if request.phase in PHASES:
        return _CLASSIC.get(request.step.id, "own")
    known = _PARTY.get((request.phase, request.step.id))
    return known or PARTY.get(request.phase, "own")
