"""What people said to a council, line by line, and their lines as claims of a file.

A line says who said it and which question it takes up. A claim says where it stands in the file,
whom it rests on, and what nobody said.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.unanswered import assumptions
from core.brains.script.council.quoting import listed, plain_name, quote
from core.brains.script.parts.signs import is_open, is_question
from core.brains.script.topics import LABELS, Topic
from core.brains.text.filler import is_filler, is_unknown
from core.brains.text.questions import Fragment, with_numbers
from core.brains.text.split import split
from core.brains.text.wording import plain, words_of
from core.domain.answers import Answer, Claim, ClaimKind, Confidence
from core.domain.ids import AnswerId, StepId, UserId
from core.domain.party import PartyPhase, Question
from core.domain.party.contributions import ConsultRequest

NUMBERS_MAX: Final = 99  # where it is not known how many questions were asked
DOMAIN: Final = "domain"  # the key under which a claim keeps what its line was about
NO_PLACE: Final = StepId("00-00")  # of a claim that has not been numbered yet
Sign = Callable[[str], object]
_TELLS: Final = lexicon.pattern("tells-of-persona")
_MENDS: Final = lexicon.compiled(lexicon.table("council")["mends"])
OPEN_DATA: Final[Mapping[str, str]] = {"topic": "open-question"}


@dataclass(frozen=True, slots=True)
class CouncilLine:
    """`domain`: what its question is about, or what it was filed under in an earlier phase.

    `text` is the fragment without the name of the persona that it is said to, or of what it mends.
    """

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
        """True if it asks, or says that something is not known."""
        return is_unknown(self.text) or is_open(self.text) or is_question(self.text)


def answers_of(request: ConsultRequest) -> tuple[Answer, ...]:
    """All that stand, each once; what people want changed comes last."""
    answers = {
        answer.id: answer for answer in (*request.answers, *request.changes) if not answer.withdrawn
    }
    changes = {answer.id for answer in request.changes}
    return tuple(sorted(answers.values(), key=lambda answer: answer.id in changes))


def is_of_phase(request: ConsultRequest, answer: Answer) -> bool:
    """A step's id begins with the number of its phase."""
    return answer.step[:2] == request.phase.key[:2]


def heard(request: ConsultRequest, topic: Topic = "purpose") -> tuple[CouncilLine, ...]:
    """Every line of every answer, but for chat that takes up no question."""
    questions = {number: question for number, _, question in request.questions}
    domains = {claim.text: claim.data.get(DOMAIN, "") for claim in request.claims if claim.sources}
    lines: list[CouncilLine] = []
    for answer in answers_of(request):
        own_questions = questions if is_of_phase(request, answer) else {}
        for fragment in split(
            with_numbers(answer.text, own_questions),
            max(own_questions, default=NUMBERS_MAX),
            None,
            bool,
            LABELS[topic].heading_of,
        ):
            question = own_questions.get(fragment.number or 0)
            if fragment.code or (question is None and _is_chat(fragment.text)):
                continue
            domain = question.domain if question else domains.get(fragment.text, "")
            text = _without_address(fragment.text, request.personas)
            lines.append(CouncilLine(text, answer, fragment, question, domain))
    return tuple(lines)


def _without_address(text: str, personas: Collection[str]) -> str:
    """`Zara: a vault` and `To Zara: …` without the name, or the names, of those at the table;
    `correction to 7: …` without what it mends."""
    if mends := _MENDS.match(text):
        return text[mends.end() :]
    names = {name.casefold() for name in personas}
    first, _, behind = text.partition(" ")
    is_called = first.startswith("@") or not _TELLS.match(behind)
    if first.strip("@,").casefold() in names and behind and is_called:
        return behind
    head, _, rest = text.partition(":")
    head = head.strip("@* ").removeprefix("To ").removeprefix("to ")
    addressed = head.replace(" and ", ",").replace("&", ",").split(",")
    is_to = all(name.strip("@* ").casefold() in names for name in addressed)
    return rest.strip("* ") if is_to and rest.strip("* ") else text


def _is_chat(text: str) -> bool:
    return is_filler(text) and not is_unknown(text)


def on_subjects(request: ConsultRequest, always: Collection[AnswerId] = ()) -> list[CouncilLine]:
    """The lines that share a word with the member's expertise or focus, or are of `always`."""
    subjects = words_of(" ".join((*request.member.expertise, *request.member.focus)))
    return [
        line
        for line in heard(request)
        if line.answer.id in always or words_of(line.text) & subjects
    ]


# ── who said what ──────────────────────────────────────────────────────────────────────────────


def name_of(request: ConsultRequest, person: UserId) -> str:
    return plain_name(request.names.get(person, ""))


def says(request: ConsultRequest, line: CouncilLine, piece: str = "") -> str:
    """`Priya says “…”`; nothing where the line holds no word."""
    words = piece or quote(line.text)
    return f"{name_of(request, line.by)} says “{words}”" if words else ""


def sayings(
    request: ConsultRequest, lines: Iterable[CouncilLine], about: Sign | None = None
) -> str:
    """`Priya says “…” and “…” and Sam says “…”`; nothing where no line can be quoted."""
    by_name: dict[str, list[str]] = {}
    for line in lines:
        if piece := quote(line.text, about):
            by_name.setdefault(name_of(request, line.by), []).append(f"“{piece}”")
    return listed(f"{name} says {listed(pieces)}" for name, pieces in by_name.items())


def first_of_each(lines: Iterable[CouncilLine]) -> list[CouncilLine]:
    """The first line of each person that can be quoted."""
    by_person: dict[UserId, CouncilLine] = {}
    for line in lines:
        if quote(line.text):
            by_person.setdefault(line.by, line)
    return list(by_person.values())


def several(lines: Iterable[CouncilLine]) -> list[CouncilLine]:
    """The lines that can be quoted: the first of each person before the second of any."""
    every = [line for line in lines if quote(line.text)]
    first = first_of_each(every)
    return [*first, *(line for line in every if line not in first)]


# ── lines as claims ────────────────────────────────────────────────────────────────────────────


def step_of(phase: PartyPhase, file: str) -> StepId:
    """Where the claims of a file stand: the phase's number, then the file's place in its outputs.

    `02-01` is the first file of phase 02; a file that the phase does not list counts as its first.
    """
    place = phase.outputs.index(file) + 1 if file in phase.outputs else 1
    return StepId(f"{phase.key[:2]}-{place:02d}")


def claim_of(
    line: CouncilLine,
    kind: ClaimKind,
    data: Mapping[str, str] | None = None,
    confidence: Confidence = "stated",
) -> Claim:
    """A line in the words it was said in; `numbered` gives it its id."""
    text, sources = line.fragment.text, (line.answer.id,)
    return Claim("", NO_PLACE, kind, text, sources, confidence, data=data or {})


def open_or_fact(line: CouncilLine) -> Claim:
    return claim_of(line, "question", OPEN_DATA) if line.is_open else claim_of(line, "fact")


def numbered(claims: Iterable[Claim], step: StepId) -> tuple[Claim, ...]:
    """The claims with their ids; what two people said alike is one line with both as its source."""
    by_content: dict[tuple[object, ...], Claim] = {}
    for claim in claims:
        content = (claim.kind, plain(claim.text), frozenset(claim.data.items()))
        first = by_content.get(content, claim)
        sources = tuple(dict.fromkeys((*first.sources, *claim.sources)))
        by_content[content] = replace(first, sources=sources)
    return tuple(
        replace(claim, id=f"{step}/{number}", step=step)
        for number, claim in enumerate(by_content.values(), start=1)
    )


def with_unanswered(
    claims: Sequence[Claim], questions: Iterable[str], step: StepId
) -> tuple[Claim, ...]:
    """The claims of a file, then the questions that nobody answered, numbered after them."""
    return (*claims, *assumptions(step, questions, start=len(claims) + 1))
