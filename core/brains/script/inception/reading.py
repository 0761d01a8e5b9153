"""A step of the inception flow, read: from what people said to claims, in words of theirs alone.

The rules are described in docs/reference/scripted-brain.md; which file shows which kind of claim,
in docs/reference/artifacts.md.
"""

from collections.abc import Mapping
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.conflicts import differences, marked
from core.brains.bookkeeping.recorded import recorded
from core.brains.bookkeeping.refs import numbered
from core.brains.bookkeeping.standing import standing
from core.brains.bookkeeping.unanswered import assumptions
from core.brains.script.claims import Manner, said_in
from core.brains.script.criteria import first_open, unmet
from core.brains.script.inception import kinds
from core.brains.script.inception.labels import LABELS
from core.brains.script.inception.needs import NEEDS
from core.brains.script.inception.topics import Topic, topic_of
from core.brains.script.parts.things import named_in
from core.brains.script.readings import Readings
from core.brains.text.split import Fragment
from core.domain.answers import ClaimKind, Draft, ReadRequest

REF_PREFIX: Final[Mapping[ClaimKind, str]] = {"article": "ART"}
_LISTED: Final[frozenset[Topic]] = frozenset({"stack", "architecture", "data-model", "testing"})
_RULE: Final = lexicon.pattern("states-a-rule")


def read(request: ReadRequest, topic: Topic | None = None) -> Draft:
    """Sort the answers into claims. The same request gives the same draft.

    `topic`: what the step is about, where it is none of the classic mode.
    """
    about = topic or topic_of(request)
    lines = numbered(said_in(request, manner=_manner(about)), request, REF_PREFIX)
    said = marked(standing(lines, request), request)
    claims = (*said, *assumptions(request, start=len(said) + 1))
    missing = unmet(NEEDS.get(about, ()), request, claims, request.scan)
    gap = first_open(missing, request, claims) if about in NEEDS else None
    return Draft(
        recorded=recorded(request, claims, differences(request, claims), gap),
        claims=claims,
        question=gap.question if gap else None,
    )


def _manner(topic: Topic) -> Manner:
    labels = LABELS[topic]

    def readings(fragment: Fragment, request: ReadRequest, asked: Mapping[int, str]) -> Readings:
        return kinds.readings(fragment, topic, asked)

    def is_listed(text: str) -> bool:
        """A numbered line of a list of one's own: "Database: …", "Every change …"."""
        if topic == "constitution":
            return bool(_RULE.search(text))
        return topic in _LISTED and named_in(text) is not None and not labels.label_of(text)[0]

    return Manner(readings, sorts=bool, heading=labels.heading_of, own_list=is_listed)
