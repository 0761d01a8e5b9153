"""The one follow-up that comes next: what is missing most of the step's own lines, then one of
earlier lines that had no room at their step, and what the step's criteria lack.

A kind that was asked about at the step waits for the others; a line is asked about once a kind. How
a requirement is checked is asked where the step needs requirements or checks; later it comes last,
of a must that was only told in passing after all others.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.differences.asking import difference_asked
from core.brains.bookkeeping.spoken import QUESTIONS_MAX, is_over
from core.brains.script.criteria import asks_for_ranks, missing, needs_of
from core.brains.script.follow_ups.checks import unchecked_qualities, without_check
from core.brains.script.follow_ups.lines import Grounds, named, named_before
from core.brains.script.follow_ups.numbers import without_number, without_unit
from core.brains.script.follow_ups.people import without_alternative, without_choice, without_person
from core.brains.script.topics import Topic, group_of, is_of_inception
from core.brains.text.wording import words_of
from core.domain.answers import Claim, Claims, ReadRequest, Scan
from core.domain.follow_ups import SO_FAR, FollowUp
from core.domain.lines import find_line, line_of
from core.domain.stances import PARTS
from core.domain.steps.criteria import Need

BUILDS: Final = frozenset({"requirements", "impact", "architecture", "design"})
ASKS_FOR_CHECKS: Final = frozenset({"requirement", "check", "priority"})
"""What a step of the requirements needs, where it asks how somebody would see that they hold."""
AGAIN, UNIT, NUMBER, DIFFERENCE, OTHER = -2, 1, 2, 3, 4
"""Places in the order of questions, the lowest first; `AGAIN`: of a difference, once something was
asked at the step. A kind that was asked there comes one place later."""
OF_CHECKS: Final = (0, 5, 6)
"""The places of a must, of what nobody ranked, and of a must that was told in passing."""
Ranked = tuple[int, FollowUp]


def next_asked(
    request: ReadRequest, topic: Topic, claims: Claims, scan: Scan, question: FollowUp | None
) -> FollowUp | None:
    """The next follow-up, where another brain may ask a better question.

    That is `question`, unless the script would ask about a difference, enough was asked, the same
    was asked before, or people have no more to say; then it is the script's own.
    """
    own = next_follow_up(request, topic, claims, scan)
    if question is None or (own and own.kind == "difference") or is_over(request, claims):
        return own
    grounds = Grounds(request, claims)
    line = find_line(question.line, grounds.every) if question.line else None
    if question.line and not line:
        return own
    wording = named_before(line, question.question) if line else question.question
    better = replace(question, question=wording, line=line_of(line) if line else None)
    return better if _is_new(better, grounds) else own


def next_follow_up(
    request: ReadRequest, topic: Topic, claims: Claims, scan: Scan
) -> FollowUp | None:
    """None where enough was asked, or nothing is missing that anybody could say."""
    if len(request.follow_ups) >= QUESTIONS_MAX[request.depth]:
        return None
    grounds = Grounds(request, claims)
    if of_size := _of_size(grounds):  # it is settled before a depth follows from it
        return of_size
    if not any(map(grounds.is_own, (*grounds.lines, *grounds.questions))):
        return _of_criteria(grounds, topic, scan)
    ranked = _rank_candidates(grounds, topic)
    of_requirements = group_of(request, topic) == "requirements"
    can_wait = not (of_requirements or _needed_kinds(grounds, topic) & ASKS_FOR_CHECKS)
    first = [follow_up for follow_up in ranked if not can_wait or follow_up.kind != "check"]
    if of_step := next(filter(grounds.has, first), None):
        return of_step
    lacking = _of_criteria(grounds, topic, scan)
    if lacking and lacking.kind == "priority":  # it is what the step is for
        return lacking
    if is_over(request, claims) or not all(map(grounds.has, request.follow_ups)):
        return next(filter(grounds.has, ranked), None) or lacking
    # one question a step is about what had no room at its own
    return next(iter(first), None) or lacking or next(iter(ranked), None)


def _rank_candidates(grounds: Grounds, topic: Topic) -> list[FollowUp]:
    """What may be asked, what lacks most first; a kind that was asked waits for the others."""
    asked_kinds = {follow_up.kind for follow_up in grounds.request.follow_ups}
    new = [pair for pair in _candidates(grounds, topic) if _is_new(pair[1], grounds)]
    return [
        pair for _, pair in sorted(new, key=lambda pair: pair[0] + (pair[1].kind in asked_kinds))
    ]


def _of_size(grounds: Grounds) -> FollowUp | None:
    """On which size people differ; on which part of it nobody was asked yet, first."""
    sizes = {line_of(claim) for claim in grounds.claims if claim.kind == "scope"}
    if not sizes:
        return None
    differences = difference_asked(grounds.request, grounds.claims)
    clashes = [clash for clash in differences if clash.other in sizes and _is_new(clash, grounds)]
    asked = {part for earlier in grounds.request.follow_ups for part in _parts(earlier, grounds)}
    return min(
        clashes, key=lambda clash: not asked.isdisjoint(_parts(clash, grounds)), default=None
    )


def _parts(follow_up: FollowUp, grounds: Grounds) -> Iterator[str]:
    """The parts of the size on which two lines differ: its complexity, its number of files."""
    lines = (find_line(line, grounds.claims) for line in (follow_up.line, follow_up.other) if line)
    first, *others = [line.data if line else {} for line in lines] or [{}]
    for part in PARTS if others else ():
        if all(part in other and other[part] != first.get(part) for other in others):
            yield part


def _candidates(grounds: Grounds, topic: Topic) -> Iterator[Ranked]:
    """What could be asked about lines, each with its place: the lowest is asked first."""
    # behind another question it may take its place
    of_differences = AGAIN if grounds.request.follow_ups else DIFFERENCE
    yield from (
        (of_differences, follow_up)
        for follow_up in difference_asked(grounds.request, grounds.claims)
    )
    group = group_of(grounds.request, topic)
    if group not in BUILDS:
        return
    needed = _needed_kinds(grounds, topic)
    if group != "requirements" or needed & ASKS_FOR_CHECKS:
        yield from ((OF_CHECKS[rank], follow_up) for rank, follow_up in without_check(grounds))
    yield from ((UNIT, follow_up) for follow_up in without_unit(grounds))
    yield from ((NUMBER, follow_up) for follow_up in without_number(grounds))
    yield from (
        (OTHER, follow_up) for follow_up in unchecked_qualities(grounds) if group == "requirements"
    )
    yield from ((OTHER, follow_up) for follow_up in without_person(grounds, needed))
    yield from ((OTHER, follow_up) for follow_up in without_alternative(grounds, needed))
    yield from ((OTHER, follow_up) for follow_up in without_choice(grounds, needed))


def _needed_kinds(grounds: Grounds, topic: Topic) -> frozenset[Need]:
    """The kinds that the step asks for."""
    of_topic = {need.needs for need in needs_of(grounds.request, topic) if need.needs}
    ranks: set[Need] = {"priority"} if asks_for_ranks(grounds.request, topic) else set()
    return frozenset(of_topic.union(ranks, grounds.request.step.needed_kinds))


def _is_new(follow_up: FollowUp, grounds: Grounds) -> bool:
    """Not asked before, at this step or as far as another one shows it."""
    for earlier in (*grounds.request.follow_ups, *grounds.request.asked_elsewhere):
        if follow_up.is_same(earlier) or follow_up.question == earlier.question:
            return False
        if _is_one_matter(follow_up, earlier):
            return False
    return not any(follow_up.question in claim.text for claim in grounds.every)


def _is_one_matter(follow_up: FollowUp, earlier: FollowUp) -> bool:
    """True for a number of what the same person said next: "It should be safe. Safe enough"."""
    if (
        follow_up.kind != earlier.kind
        or follow_up.kind != "number"
        or not (follow_up.line and earlier.line)
    ):
        return False
    shared = words_of(follow_up.line.quote) & words_of(earlier.line.quote)
    return follow_up.line.answer == earlier.line.answer and bool(shared)


def _of_criteria(grounds: Grounds, topic: Topic, scan: Scan) -> FollowUp | None:
    """What the step cannot do without, and got nothing of; with a line that there is."""
    if is_over(grounds.request, grounds.claims):
        return None
    lacking = missing(grounds.request, topic, grounds.claims, scan)
    if lacking is None or not grounds.request.step.criteria or is_of_inception(topic):
        return lacking
    own = [claim for claim in grounds.lines if grounds.is_own(claim)] or grounds.questions
    if lacking.kind == "priority":
        ranked = (line for line in grounds.every if line.ref and line.ref in lacking.question)
        return replace(lacking, line=next(map(line_of, ranked), None))
    nearest = max(own, key=lambda claim: _nearness(claim, lacking), default=None)
    if nearest is None:
        return lacking
    question = SO_FAR.format(lacking.question, named(nearest))
    return replace(lacking, question=question, line=line_of(nearest))


def _nearness(claim: Claim, lacking: FollowUp) -> tuple[int, bool, int]:
    """By words of what is asked for, then as what was decided, then by length."""
    shared = words_of(claim.text) & words_of(lacking.question)
    return len(shared), claim.kind == "decision", len(claim.text)
