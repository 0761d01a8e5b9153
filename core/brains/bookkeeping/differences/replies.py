"""A reply in words to "Which one holds?": "the second", "B", "15 then", or what one line says.

It says which of two lines stands in place of the other. A reply with a value of its own stands in
place of both. So does what is said right behind two lines that differ, where nobody asked yet: its
author gives in ("agreed", "ok 15", "180 then" to "90 is short. 180?"), or somebody else decides.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.answering import next_of_others, side_named
from core.brains.bookkeeping.corrections import is_decided
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.ranks import is_ranked_otherwise
from core.brains.bookkeeping.differences.sides import Side, side_of
from core.brains.bookkeeping.differences.statements import statement
from core.domain.answers import Answer, Claim, Claims, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId
from core.domain.lines import amends, find_line, line_of

ENDED_OTHERWISE: Final = frozenset({"skipped", "unknown", "passed"})

Reply = tuple[FollowUp, Answer, Side]
_CONFIRMS: Final = lexicon.pattern("confirms")


def settled_in_words(
    request: ReadRequest, claims: Claims, replies: Iterable[Reply]
) -> Iterator[tuple[Claim, LineRef]]:
    """A claim of the step, and the line in whose place a reply puts it."""
    everything = (*request.claims, *request.unread, *claims)
    for follow_up, answer, side in replies:
        if follow_up.line is None or follow_up.other is None or side in ("both", "neither"):
            continue
        first, second = (find_line(line, everything) for line in (follow_up.line, follow_up.other))
        if first is None or second is None or is_decided(request, first, second):
            continue
        reply = next((claim for claim in claims if claim.sources[:1] == (answer.id,)), None)
        holds = {"first": first, "second": second}.get(side)
        newer = holds if holds in claims else reply
        lines = {"first": (follow_up.other,), "second": (follow_up.line,)}
        for line in lines.get(side, (follow_up.line, follow_up.other)):
            if newer is not None and not _amends(newer, line):
                yield newer, line


def _amends(newer: Claim, line: LineRef) -> bool:
    own = line_of(newer)
    return own is not None and amends(own, line)


def replies_to_differences(request: ReadRequest) -> frozenset[AnswerId]:
    """The answers that say which line holds: they differ from neither."""
    return frozenset(answer.id for _, answer, _ in replies_in(request))


def said_next(
    request: ReadRequest, claims: Claims, pairs: Iterable[tuple[Claim, Claim]]
) -> Iterator[Reply]:
    """What the next person said behind two lines that differ, where it says which one holds."""
    people = request.authors
    for first, second in pairs:
        reply = next_of_others(second, request)
        if reply is None:
            continue
        follow_up = FollowUp("difference", "", line_of(first), line_of(second))
        parts = [claim for claim in claims if reply.id in claim.sources]
        side: Side | None = None
        if reply.by not in map(people.get, first.sources):
            is_decided = any(part.kind == "decision" for part in parts)
            side = side_of(reply.text, follow_up) if is_decided else None
        elif _CONFIRMS.fullmatch(reply.text.strip()) or any(
            _gives_in(part, first, second, follow_up) for part in parts
        ):
            side = "second"
        else:
            side = _takes_value(reply.text, first, second, request)
        if side in ("first", "second", "third"):
            yield follow_up, reply, side


def _takes_value(reply: str, first: Claim, second: Claim, request: ReadRequest) -> Side | None:
    """By the value that the author of the first line repeats, and no more: "2 s", or "180 ok" to
    "90 is short. 180?"."""
    says, one, other = (statement(text) for text in (reply, first.text, second.text))
    units = {number.unit for number in says.numbers}
    is_bare = len(says.numbers) == 1 and says.words <= units | lexis.stems("words-of-choice")
    if not is_bare or "?" in reply or says.written & one.written:
        return None
    if says.written <= other.written:
        return "second"
    answers = request.answers_by_id
    messages = (answers[source].text for source in second.sources if source in answers)
    return "third" if any(says.written <= statement(text).written for text in messages) else None


def _gives_in(part: Claim, first: Claim, second: Claim, follow_up: FollowUp) -> bool:
    """True if the author of the first line takes the second, or its rank: "agreed, a must"."""
    if part.kind == second.kind == "priority":
        same = part.data.get("priority") == second.data.get("priority")
        return same and part.data.get("requirement", "") in ("", second.data.get("requirement"))
    ranks_anew = is_ranked_otherwise(first.text, part.text)
    if ranks_anew and not is_ranked_otherwise(second.text, part.text):
        return True
    return statement(part.text).concedes and side_of(part.text, follow_up) == "second"


def replies_in(request: ReadRequest) -> Iterator[Reply]:
    """What was said to our questions which of two lines holds."""
    for follow_up in request.follow_ups:
        if follow_up.kind != "difference" or follow_up.outcome in ENDED_OTHERWISE:
            continue
        if named := side_named(follow_up, request):
            yield follow_up, *named
