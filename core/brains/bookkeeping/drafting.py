"""A draft from the lines of any brain: names, links, what stands, differences, what stays open."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.agreed import agreed
from core.brains.bookkeeping.answering import IsSaid, over, since_asked
from core.brains.bookkeeping.conflicts import differences, marked
from core.brains.bookkeeping.corrections import corrected, related
from core.brains.bookkeeping.differences.asking import reversed_in
from core.brains.bookkeeping.pairing import paired
from core.brains.bookkeeping.recorded import recorded
from core.brains.bookkeeping.references.checks import attached, replied
from core.brains.bookkeeping.references.link_lines import with_link_lines
from core.brains.bookkeeping.references.links import answering, linked
from core.brains.bookkeeping.references.refs import numbered, placed
from core.brains.bookkeeping.references.remarks import with_amendments, with_remarks
from core.brains.bookkeeping.references.removals import removing, with_removals
from core.brains.bookkeeping.standing import standing
from core.brains.bookkeeping.taken import with_taken
from core.brains.bookkeeping.unanswered import unanswered
from core.domain.answers import Claim, ClaimKind, Claims, Draft, ReadRequest, Scan
from core.domain.follow_ups import FollowUp, FollowUpKind, with_outcomes
from core.domain.ids import order_of

CAN_WAIT: Final[frozenset[FollowUpKind]] = frozenset({"check", "priority", "missing"})
"""What may be asked of a line at any later step as well."""
NOTHING_NEW: Final = "Nothing new was said; what was sorted or settled is kept."


def drafted(
    request: ReadRequest,
    lines: Claims,
    *,
    prefixes: Mapping[ClaimKind, str],
    estimate: Callable[[Claims], Scan | None],
    ask: Callable[[Claims, Scan], FollowUp | None],
    unsaid: Callable[[FollowUp], str] = lambda follow_up: "",
    is_said: IsSaid = lambda follow_up, lines: False,
) -> Draft:
    """The draft that a brain's lines make, which are claims with their kinds, data and sources.

    The order counts: kinds are settled before names, names before links between lines, and these
    before it is said which follow-ups are closed. Asked next is the one that is open, unless a new
    one takes its place. What stays unanswered comes last, as lines that nobody said.
    `prefixes`: the kinds that have names; `estimate` gives the quick scan where the step is part of
    it; `ask` the next follow-up, once none is open; `unsaid` what its question says that nobody has
    said, as words that can be a sentence; `is_said` whether lines of the step are what it asks for.
    """
    # Kinds are settled before names.
    settle = (replied, with_taken, agreed, with_removals, with_link_lines, with_amendments)
    for change in (*settle, with_remarks):
        lines = change(lines, request)
    lines = corrected(lines, request)
    lines = placed(numbered(lines, request, prefixes))
    for change in (attached, standing, removing, linked, related, reversed_in, marked):
        lines = change(lines, request)
    lines = answering(paired(lines, request), request)
    settled, closed = lines, over(request, lines, is_said)
    follow_ups = with_outcomes(request.follow_ups, closed)
    request = replace(request, follow_ups=follow_ups)
    scan = estimate(settled)
    claims = (*settled, *unanswered(request, start=len(settled) + 1))
    waiting = next((question for question in follow_ups if question.outcome == "open"), None)
    follow_up = _new(ask(claims, scan or request.scan), request)
    if waiting and follow_up and _takes_the_place(follow_up, waiting, request):
        closed = (*closed, waiting.ended("passed"))
        request = replace(request, follow_ups=with_outcomes(follow_ups, closed))
        claims = (*settled, *unanswered(request, start=len(settled) + 1))
    else:
        follow_up = waiting or follow_up
    draft = Draft("", claims, follow_up=follow_up, closed=closed, scan=scan)
    return reflected(request, draft, unsaid(follow_up) if follow_up else "")


def compared(lines: Claims, request: ReadRequest) -> Claims:
    """The lines of a table at which everybody speaks at once, with those that they replace, and a
    question with its answer where somebody else gives it next."""
    texts = {answer.id: answer.text for answer in request.answers}
    # A council sorts its lines; which one stands before another is told by where it was said.
    places = {
        line.id: next((texts[one].find(line.text) for one in line.sources if one in texts), -1)
        for line in lines
    }
    as_said = sorted(lines, key=lambda line: places[line.id])
    by_id = {line.id: line for line in reversed_in(tuple(as_said), request)}
    lines = tuple(by_id[line.id] for line in lines)
    pairs = zip(lines, paired(lines, request), strict=True)
    return tuple(pair if _is_answered_next(pair, request) else line for line, pair in pairs)


def _is_answered_next(question: Claim, request: ReadRequest) -> bool:
    """True if its answer is the next that somebody else gives; a later one may be about another."""
    asked = next((answer for answer in request.answers if answer.id in question.sources), None)
    if asked is None:
        return True
    behind = request.answers[request.answers.index(asked) + 1 :]
    reply = next((answer.id for answer in behind if answer.by != asked.by), "")
    return question.data.get("answered_by", reply) == reply


def reflected(request: ReadRequest, draft: Draft, missing: str = "") -> Draft:
    """The draft with the words on what its lines changed. `missing`: as `recorded` takes it."""
    differing = differences(request, draft.claims)
    words = recorded(request, draft.claims, differing, missing)
    return replace(draft, recorded=words or NOTHING_NEW)


def _takes_the_place(newer: FollowUp, waiting: FollowUp, request: ReadRequest) -> bool:
    """People went on: they differ, or a line that they gave since lacks what cannot wait.

    What they were asked before stands as asked, not answered. Two differences are of other lines.
    """
    later_ids = {answer.id for answer in since_asked(waiting, request)}
    if newer.kind == "difference":
        lines = {line.answer for line in (newer.line, newer.other) if line}
        return waiting.kind != "difference" or lines <= later_ids
    is_newer = newer.line is not None and newer.line.answer in later_ids
    return is_newer and waiting.kind in CAN_WAIT and newer.kind not in CAN_WAIT


def _new(follow_up: FollowUp | None, request: ReadRequest) -> FollowUp | None:
    """With the newest answer that it comes after."""
    newest = max((answer.ts for answer in request.answers), key=order_of, default="")
    return replace(follow_up, after=newest) if follow_up else None
