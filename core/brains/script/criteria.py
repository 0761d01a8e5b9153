"""What is still missing at a step: at most one small question, two in all, none twice.

What each topic should learn, and how to ask for it when nobody has said it, are rows of
`topics.yaml`. Their questions are plainer than those of the step files: they are asked one at a
time, to people who have answered already.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.spoken import is_over, spoken
from core.brains.script.readers import lines_to_rank
from core.brains.script.topics import TOPICS, Topic, is_of_inception
from core.brains.text.questions import questions_of
from core.brains.text.wording import words_of
from core.domain.answers import Claims, ReadRequest, Scan
from core.domain.follow_ups import FollowUp
from core.domain.steps.criteria import Criterion
from core.domain.steps.criteria import Need as Kind

SUBSTANCE_WORDS_MIN: Final = 4
SUBSTANCE_LETTERS_MIN: Final = 16  # for scripts that put no space between words
SAID_ENOUGH_WORDS: Final = 60  # at one step; more than the first need is not asked for then
REFS_NAMED_MAX: Final = 6

NOT_RANKED: Final = "Where does {} stand: must, should, could or won't?"
NOT_RANKED_EACH: Final = "Where do {} each stand: must, should, could or won't?"
RANKED_END: Final = NOT_RANKED.rpartition("}")[2].partition(":")[2]


# ── what a topic should learn ──────────────────────────────────────────────────────────────────

_TOPICS: Final = lexicon.table("topics")["topics"]


@dataclass(frozen=True, slots=True)
class Need:
    """One thing to learn: a row of `needs` in `topics.yaml`, where its fields are described."""

    question: str
    missing: str
    criterion: patterns.Pattern | None = None
    asked_as: patterns.Pattern | None = None
    answered_as: patterns.Pattern | None = None
    kinds: str = ""
    anywhere: str = ""
    thin: bool = False
    needs: Kind | None = None
    measured: str = ""

    def is_asked_in(self, question: str) -> bool:
        return bool(self.asked_as and self.asked_as.search(question))

    def is_said_in(self, texts: Iterable[str]) -> bool:
        words = self.answered_as
        return words is not None and any(words.search(text) for text in texts)

    def is_met_by(self, criteria: Sequence[Criterion], kinds: Sequence[Kind]) -> bool:
        """True if the criteria ask for it: by its kind, or by words of a line without a kind."""
        if self.needs:
            return self.needs in kinds
        untagged = [criterion.text for criterion in criteria if criterion.needs is None]
        words = self.criterion
        return not (criteria and words) or any(words.search(text) for text in untagged)


def _need(row: Mapping[str, Any]) -> Need:
    fields: dict[str, Any] = {
        key: lexicon.begun(row[key]) if key in _WORDS else row[key] for key in row
    }
    return Need(question=fields.pop("ask"), **fields)


_WORDS: Final = ("criterion", "asked_as", "answered_as")
NEEDS: Final[Mapping[Topic, tuple[Need, ...]]] = {
    topic: tuple(map(_need, _TOPICS[topic].get("needs", ()))) for topic in TOPICS
}
_OF_KIND: Final = {
    need.needs: need for topic in reversed(TOPICS) for need in NEEDS[topic] if need.needs
}


_BY_QUESTION: Final = {need.question: need for needs in NEEDS.values() for need in needs}


def unsaid(follow_up: FollowUp) -> str:
    """What nobody has said, where a question is asked for it: "nobody has said who benefits"."""
    need = _BY_QUESTION.get(follow_up.question)
    return need.missing if need else ""


def is_said_anywhere(follow_up: FollowUp, claims: Claims) -> bool:
    """True if one of the lines is what a question is asked for, at whatever step it stands."""
    return any(_has_any(claims, need.anywhere) for need in _needs_asked_for(follow_up))


def is_said_at_step(follow_up: FollowUp, claims: Claims) -> bool:
    """True if the lines of the step that asked have what a question is asked for."""
    texts = [claim.text for claim in spoken(claims)]
    return any(
        need.is_said_in(texts) or _has_any(claims, need.kinds)
        for need in _needs_asked_for(follow_up)
    )


def _needs_asked_for(follow_up: FollowUp) -> Iterator[Need]:
    return (need for need in _BY_QUESTION.values() if follow_up.question.startswith(need.question))


def needs_of(request: ReadRequest, topic: Topic) -> tuple[Need, ...]:
    """What a step on a topic should learn, by its criteria.

    The kinds that its criteria name, and nothing else; all that the topic knows where no criterion
    names a kind, and in an inception, where nobody has given lines yet.
    """
    own, kinds = NEEDS.get(topic, ()), request.step.needed_kinds
    criteria = request.step.criteria
    if is_of_inception(topic):
        met = tuple(need for need in own if not kinds or need.is_met_by(criteria, kinds))
        lacking = [kind for kind in kinds if kind not in {need.needs for need in met}]
        return (*met, *(_OF_KIND[kind] for kind in lacking if kind in _OF_KIND))
    if not kinds:
        return own
    of_topic = {need.needs: need for need in reversed(own) if need.needs}
    return tuple(need for kind in kinds if (need := (_OF_KIND | of_topic).get(kind)))


def asks_for_ranks(request: ReadRequest, topic: Topic) -> bool:
    return topic == "priorities" or "priority" in request.step.needed_kinds


# ── what is asked ──────────────────────────────────────────────────────────────────────────────


def missing(request: ReadRequest, topic: Topic, claims: Claims, scan: Scan) -> FollowUp | None:
    """The first thing that the step lacks and was neither asked before nor left open on purpose."""
    kinds = {follow_up.kind for follow_up in request.follow_ups}
    needs = [need for need in needs_of(request, topic) if need.needs not in kinds]
    numbered = is_of_inception(topic) or not (request.step.criteria or request.step.needs)
    lacking = chain(
        _not_ranked(request, topic, claims),
        unmet(needs, request, claims, scan, numbered=numbered),
    )
    return first_open(lacking, request, claims)


def first_open(
    missing: Iterable[FollowUp], request: ReadRequest, claims: Claims
) -> FollowUp | None:
    """The first of the gaps that may still be asked about."""
    if is_over(request, claims):
        return None
    settled = tuple(follow_up.question for follow_up in request.follow_ups)
    new = (gap for gap in missing if not any(map(gap.is_same, request.follow_ups)))
    return next((gap for gap in new if gap.line or not _is_settled(gap, settled)), None)


def _is_settled(gap: FollowUp, settled: tuple[str, ...]) -> bool:
    if gap.question.endswith(RANKED_END):  # asked for all at once, whichever they were
        return any(text.endswith(RANKED_END) for text in settled)
    return gap.question in settled


# ── what is missing ────────────────────────────────────────────────────────────────────────────


def unmet(
    needs: Sequence[Need],
    request: ReadRequest,
    claims: Claims,
    scan: Scan,
    *,
    numbered: bool = True,
) -> Iterator[FollowUp]:
    """First what the step cannot do without, then its numbered questions in their order."""
    questions = questions_of(request) if numbered else {}
    taken_up = {int(claim.data["question"]) for claim in claims if "question" in claim.data}
    all_taken = bool(questions) and taken_up >= set(questions)
    for need in needs:
        if (need.asked_as and numbered) or (all_taken and (need.answered_as or need.thin)):
            continue
        if not _is_covered(need, request, claims, scan):
            yield FollowUp("missing", need.question)
    if sum(len(answer.text.split()) for answer in request.answers) >= SAID_ENOUGH_WORDS:
        return
    for number, text in questions.items():
        if number in taken_up:
            continue
        asking = [need for need in needs if need.is_asked_in(text)]
        if not asking and taken_up and not _is_first(number, needs, request, claims, scan):
            yield FollowUp("missing", text)
        for need in asking[:1]:
            if not _is_covered(need, request, claims, scan):
                yield FollowUp("missing", need.question)


def _is_first(
    number: int, needs: Sequence[Need], request: ReadRequest, claims: Claims, scan: Scan
) -> bool:
    """Question 1 asks for the step's first need in more words; what covers that covers it."""
    first = [need for need in needs if not need.asked_as]
    return number == 1 and all(_is_covered(need, request, claims, scan) for need in first)


def _is_covered(need: Need, request: ReadRequest, claims: Claims, scan: Scan) -> bool:
    points = spoken(claims)
    if need.measured:
        return getattr(scan, need.measured) is not None or _is_open(need, points)
    if need.thin and _has_substance(points):
        return True
    return (
        need.is_said_in(claim.text for claim in points)
        or _has_any(points, need.kinds)
        or _has_any(request.claims, need.anywhere)
        or _is_open(need, (*points, *request.claims))
    )


def _has_any(claims: Claims, names: str) -> bool:
    """True if a claim is of one of the kinds or topics, or has data of that name."""
    wanted = set(names.split())
    return any(
        claim.kind in wanted
        or claim.data.get("topic") in wanted
        or claim.data.get("choice") in wanted
        or not wanted.isdisjoint(claim.data)
        for claim in claims
        if wanted
    )


def _is_open(need: Need, claims: Claims) -> bool:
    """True if people called the matter open themselves, or left the question open elsewhere."""
    about = words_of(need.question)
    return any(
        (claim.kind == "question" and about & words_of(claim.text))
        or (claim.kind == "assumption" and need.question in claim.text)
        for claim in claims
    )


def _has_substance(claims: Claims) -> bool:
    text = " ".join(claim.text for claim in claims)
    letters = sum(character.isalnum() for character in text)
    return len(text.split()) >= SUBSTANCE_WORDS_MIN or letters >= SUBSTANCE_LETTERS_MIN


def _not_ranked(request: ReadRequest, topic: Topic, claims: Claims) -> Iterator[FollowUp]:
    if not asks_for_ranks(request, topic):
        return
    everything = (*request.claims, *claims)
    ranked = {claim.data.get("requirement") for claim in everything if claim.kind == "priority"}
    ranked |= {claim.ref for claim in everything if claim.data.get("priority")}
    unranked = [ref for ref in lines_to_rank(request) if ref not in ranked]
    if not unranked:
        return
    *first, last = unranked[:REFS_NAMED_MAX]
    if len(unranked) > REFS_NAMED_MAX:
        first, last = unranked[:REFS_NAMED_MAX], "the others"
    if first:
        refs = f"{', '.join(first)} and {last}"
        yield FollowUp("priority", NOT_RANKED_EACH.format(refs))
    else:
        yield FollowUp("priority", NOT_RANKED.format(last))
