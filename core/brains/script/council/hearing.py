"""What people said to a council, line by line: who said it, and which question it takes up."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from core.brains.script.council.quoting import plain_name, quote
from core.brains.script.labels import LABELS
from core.brains.script.parts.signs import is_open, is_question
from core.brains.script.topics import Topic
from core.brains.text.filler import is_filler, is_unknown
from core.brains.text.split import Fragment, split
from core.domain.answers import Answer
from core.domain.ids import UserId
from core.domain.party import Question
from core.domain.party.contributions import ConsultRequest

NUMBERS_MAX: Final = 99  # where it is not known how many questions were asked
DOMAIN: Final = "domain"  # the key under which a claim keeps what its line was about


@dataclass(frozen=True, slots=True)
class CouncilLine:
    """`domain`: what its question is about, or what it was filed under in an earlier phase."""

    text: str
    answer: Answer
    fragment: Fragment
    question: Question | None = None
    domain: str = ""

    @property
    def by(self) -> UserId:
        return self.answer.by

    @property
    def is_open(self) -> bool:
        """Whether it asks, or says that something is not known."""
        return is_unknown(self.text) or is_open(self.text) or is_question(self.text)


def answers_of(request: ConsultRequest) -> tuple[Answer, ...]:
    """All that stand, each once; what people want changed comes last."""
    found = {one.id: one for one in (*request.answers, *request.changes) if not one.withdrawn}
    last = {one.id for one in request.changes}
    return (
        *(one for key, one in found.items() if key not in last),
        *(one for key, one in found.items() if key in last),
    )


def is_of_phase(request: ConsultRequest, answer: Answer) -> bool:
    """A step's id begins with the number of its phase."""
    return answer.step[:2] == request.phase.key[:2]


def heard(request: ConsultRequest, topic: Topic = "purpose") -> tuple[CouncilLine, ...]:
    """Every line of every answer, but for chat that takes up no question."""
    asked = {number: question for number, _, question in request.asked}
    known = {one.text: one.data.get(DOMAIN, "") for one in request.claims if one.sources}
    found: list[CouncilLine] = []
    for answer in answers_of(request):
        here = asked if is_of_phase(request, answer) else {}
        for fragment in split(
            answer.text, max(here, default=NUMBERS_MAX), None, bool, LABELS[topic].heading_of
        ):
            question = here.get(fragment.number or 0)
            if fragment.code or (question is None and _is_chat(fragment.text)):
                continue
            domain = question.domain if question else known.get(fragment.text, "")
            found.append(CouncilLine(fragment.text, answer, fragment, question, domain))
    return tuple(found)


def _is_chat(text: str) -> bool:
    return is_filler(text) and not is_unknown(text)


# ── who said what ──────────────────────────────────────────────────────────────────────────────


def name_of(request: ConsultRequest, person: UserId) -> str:
    return plain_name(request.names.get(person, ""))


def says(request: ConsultRequest, line: CouncilLine, piece: str = "") -> str:
    """`Priya says “…”`; nothing where the line holds no word."""
    words = piece or quote(line.text)
    return f"{name_of(request, line.by)} says “{words}”" if words else ""


def first_of_each(lines: Iterable[CouncilLine]) -> list[CouncilLine]:
    """The first line of each person that can be quoted."""
    found: dict[UserId, CouncilLine] = {}
    for line in lines:
        if quote(line.text):
            found.setdefault(line.by, line)
    return list(found.values())


def several(lines: Iterable[CouncilLine]) -> list[CouncilLine]:
    """The lines that can be quoted: the first of each person before the second of any."""
    every = [line for line in lines if quote(line.text)]
    first = first_of_each(every)
    return [*first, *(line for line in every if line not in first)]
