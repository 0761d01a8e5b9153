"""What a fragment of an answer is read as, and one reader for each kind and label of lines.

A reading has a kind, what the fragment's words name, and how sure that is. A reader takes a text
and gives its readings, once it is known what the text speaks of.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.references.labels import with_labels
from core.brains.bookkeeping.references.names import own_numbers
from core.brains.script.parts import choices, skills, things, weighing
from core.brains.script.parts.phrases import Parts, flows_in
from core.brains.script.parts.priority import Rank, is_rank
from core.brains.script.topics import Topic
from core.brains.task_cache import cached
from core.brains.text.questions import Fragment
from core.domain.answers import Claim, ClaimKind, Claims, Confidence, ReadRequest
from core.domain.lines import CALLED, MAYBE, RANKED, newest_of, superseded

_RANKED_PIECE: Final = patterns.compile(r"[^.;\n]+")
_NUMBER: Final = patterns.compile(r"(?<![\w-])([0-9]{1,3})(?!\w)")
MOSCOW: Final = ("must", "should", "could", "won't")


@dataclass(frozen=True, slots=True)
class Line:
    """A fragment at its step: the topic and its group, and the question that it takes up.

    `asks`: what that question asks for.
    """

    fragment: Fragment
    request: ReadRequest
    topic: Topic
    group: str
    question: str
    asks: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.fragment.text


@dataclass(frozen=True, slots=True)
class FragmentReading:
    """`onto`: the key under which it belongs to the line before it, if there is one to take it.

    `of_one`: only if the answer has no second line that could take it. `says_more`: of the line
    before it, which takes what comes next.
    """

    kind: ClaimKind
    data: Mapping[str, str] = field(default_factory=dict)
    confidence: Confidence = "stated"
    onto: str = ""
    of_one: bool = False
    says_more: bool = False


Readings = tuple[FragmentReading, ...]
Rule = Callable[[Line], Readings]
NOTHING: Final[Readings] = ()
FACT: Final[Readings] = (FragmentReading("fact"),)
OPEN: Final = FragmentReading("question", {"topic": "open-question"})
OUT_OF_SCOPE: Final = FragmentReading("exclusion")
NOTE: Final[Readings] = (FragmentReading("note"),)
CHECK: Final[Readings] = (FragmentReading("check"),)
CONSTRAINT: Final = FragmentReading("constraint", {"topic": "constraint"})


def added(reading: FragmentReading, more: Mapping[str, str]) -> FragmentReading:
    return replace(reading, data={**reading.data, **more}) if more else reading


def ranks_as_readings(ranks: Iterable[Rank]) -> Readings:
    """What is ranked "won't" and matches no requirement is out of scope."""
    return tuple(
        added(OUT_OF_SCOPE, {"what": rank.called})
        if rank.word == "won't" and rank.called and not rank.ref
        else FragmentReading("priority", _data_of(rank), rank.confidence)
        for rank in ranks
    )


def _data_of(rank: Rank) -> dict[str, str]:
    called = {CALLED: rank.called} if rank.called else {}
    maybe = {MAYBE: ", ".join(rank.between)} if rank.between else {}
    return {"requirement": rank.ref, "priority": rank.word, **called, **maybe}


def known_lines(claims: tuple[Claim, ...], kind: ClaimKind) -> dict[str, str]:
    """Ref → text of the claims of a kind."""
    return {claim.ref: claim.text for claim in claims if claim.kind == kind and claim.ref}


def lines_to_rank(request: ReadRequest) -> dict[str, str]:
    """Ref → text of the requirements, with what people call them themselves: "(e) …".

    None that was taken out. Who ranks a number at the step that nobody gave a line means the names,
    and so does who ranks another one there.
    """
    newer_of = superseded(request.claims)
    claims = tuple(claim for claim in request.claims if newest_of(claim, newer_of).kind in RANKED)
    lines = with_labels(claims, request.every_answer)
    numbers = _ranked_numbers(tuple(answer.text for answer in request.answers))
    own = {str(number) for number in own_numbers(lines)}
    if not own or numbers <= own:
        return lines
    return {claim.ref: claim.text for claim in claims if claim.ref in lines}


@cached
def _ranked_numbers(texts: tuple[str, ...]) -> frozenset[str]:
    """The numbers in what only ranks."""
    pieces = (piece for text in texts for piece in _RANKED_PIECE.findall(text))
    return frozenset(
        number for piece in pieces if is_rank(piece) for number in _NUMBER.findall(piece)
    )


def others_to_rank(request: ReadRequest) -> tuple[dict[str, str], ...]:
    """Ref → text of where to look for a rank that fits no single one of `lines_to_rank`.

    First requirements that no other one replaced, then qualities and what stories want.
    """
    replaced = superseded(request.claims)
    reworded = (id_ for id_, newer in replaced.items() if newer.kind == "requirement")
    last = known_lines(_without(request.claims, frozenset(reworded)), "requirement")
    beside = _without(request.claims, replaced)
    wants = {line.ref: line.data.get("want") or line.text for line in beside
             if line.kind == "story" and line.ref}  # fmt: skip
    return (last, {**known_lines(beside, "quality"), **wants})


def _without(claims: Claims, ids: Container[str]) -> Claims:
    return tuple(claim for claim in claims if claim.id not in ids)


# ── readers ────────────────────────────────────────────────────────────────────────────────────

Reader = Callable[[str], Readings]


def plain(kind: str) -> Reader:
    """The reader of a kind of claim whose lines name no parts."""
    return lambda text: (FragmentReading(cast("ClaimKind", kind)),)


def _reading_of(kind: ClaimKind, data: Mapping[str, str]) -> Readings:
    return (FragmentReading(kind, data),)


def _reader_of_parts(kind: ClaimKind, parts_in: Callable[[str], Parts]) -> Reader:
    """The reader of a kind whose lines name parts."""
    return lambda text: _reading_of(kind, parts_in(text))


def _reader_of_several(kind: ClaimKind, parts_in: Callable[[str], Sequence[Parts]]) -> Reader:
    """The reader of a kind of which a line may name several."""
    return lambda text: tuple(FragmentReading(kind, parts) for parts in parts_in(text) or [{}])


def _reason(text: str) -> Parts:
    why = choices.reason_in(text)
    return {"reason": why} if why else {}


def _user(text: str) -> Parts:
    role = weighing.actor_in(text)
    return {"role": role} if role else {}


def _stack(choice: str) -> Reader:
    return _reader_of_several("stack", lambda text: choices.stack_in(text, choice))


def _entity(text: str) -> Readings:
    entity = things.entity_in(text)
    return _reading_of("entity", entity) if entity else _reading_of("data", {})


def _skill(status: str) -> Reader:
    def read(text: str) -> Readings:
        parts = [] if _NO_SKILL.match(text) else skills.skills_in(text, status)
        is_said = any(part["status"] == "said" for part in parts)
        if is_said and lexicon.pattern("no-skill").match(text):
            return FACT
        return tuple(FragmentReading("skill", part) for part in parts) or FACT

    return read


def _gap(text: str) -> Readings:
    return FACT if lexicon.pattern("no-gap").match(text) else _reading_of("test-gap", {})


def _test(text: str) -> Readings:
    return _gap(text) if UNTESTED.search(text) else _reading_of("test", things.test_in(text))


def _remark(topic: str) -> Reader:
    """A constitution that nobody has read yet was not reviewed."""
    return lambda text: (
        FACT if lexicon.pattern("unread").search(text) else _reading_of("remark", {"topic": topic})
    )


_PEOPLE: Final = patterns.compile(r"(?:no one|none of us)\b", patterns.IGNORECASE)
_NO_SKILL: Final = patterns.compile(
    r"(?:no|none|nothing)\b",
    patterns.IGNORECASE,
    unless=lambda match: _PEOPLE.match(match.string),
)
UNTESTED: Final = lexicon.pattern("untested")
_READERS: Final[dict[str, Reader]] = {
    "user": _reader_of_parts("user", _user),
    "out-of-scope": lambda text: (OUT_OF_SCOPE,),
    "law": lambda text: _reading_of("domain", {"topic": "law"}),
    "constraint": lambda text: (CONSTRAINT,),
    "open-question": lambda text: (OPEN,),
    "assumption": lambda text: (FragmentReading("assumption", confidence="assumed"),),
    "risk": _reader_of_parts("risk", weighing.risk_in),
    "stack": _stack("chosen"),
    "weighed": _stack("weighed"),
    "rejected": _stack("rejected"),
    "interface": _reader_of_several("interface", flows_in),
    "option": _reader_of_several("option", weighing.options_in),
    "decision": _reader_of_parts("decision", _reason),
    "entity": _entity,
    "relation": _reader_of_several("relation", things.relations_in),
    "retention": _reader_of_parts("retention", things.retention_in),
    "test": _test,
    "test-gap": _gap,
    "article": _reader_of_parts("article", _reason),
    "skill": _skill(""),
    "has": _skill("has"),
    "missing": _skill("gap"),
    "constitution": _remark("constitution"),
    "architecture": _remark("architecture"),
    "iteration": _reader_of_parts("iteration", things.iteration_in),
    "fact": lambda text: FACT,
}

_PLAIN: Final[tuple[ClaimKind, ...]] = (
    "purpose", "success", "scope", "domain", "trade-off", "module", "permission", "next-step",
    "entry-point", "data", "error", "requirement", "quality",
)  # fmt: skip
READERS: Final[Mapping[str, Reader]] = {kind: plain(kind) for kind in _PLAIN} | _READERS
