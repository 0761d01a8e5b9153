"""The scripted brain: it sorts what people said into claims, and never adds a word of its own.

Deterministic and offline. Every sentence of every answer becomes a claim in the words it was said
in; what a step leaves unsaid becomes at most one question. The rules are described in
docs/reference/scripted-brain.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.corrections import corrected, related
from core.brains.bookkeeping.drafting import drafted
from core.brains.bookkeeping.references.refs import REF_PREFIX
from core.brains.bookkeeping.standing import standing
from core.brains.bookkeeping.worded import in_peoples_words, worded
from core.brains.script.claims import said_in
from core.brains.script.criteria import is_said_at_step, unsaid
from core.brains.script.decisions.decided import with_decisions
from core.brains.script.follow_ups.ranking import next_asked
from core.brains.script.follow_ups.settled import settled_elsewhere
from core.brains.script.glossary import explained, set_aside
from core.brains.script.own_ranks import with_own_ranks
from core.brains.script.scan.file_counts import with_named
from core.brains.script.scan.sizes import agreed, scan_of
from core.brains.script.social import social_aside
from core.brains.script.topics import Topic, group_of, is_of_inception, topic_of
from core.brains.task_cache import cache_scope
from core.domain.answers import Answer, Claim, ClaimKind, Claims, Draft, ReadRequest, Scan
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId, order_of
from core.domain.lines import standing as unreplaced
from core.domain.lines import superseded

Refine = Callable[[Claims], Claims]
INCEPTION_PREFIX: Final[Mapping[ClaimKind, str]] = {"article": "ART"}
ANY_SCAN_TOPIC: Final[Topic] = "size"
NAMES_COUNT_AT: Final[frozenset[Topic]] = frozenset({"size", "file-count"})


@cache_scope
def read(
    request: ReadRequest, refine: Refine | None = None, question: FollowUp | None = None
) -> Draft:
    """Sort the step's answers into claims. The same request gives the same draft.

    `refine`: what another brain makes of the lines; `question`: what it would ask.
    """
    request = in_peoples_words(request)
    about = topic_of(request)
    group = group_of(request, about)

    def estimate(points: Claims) -> Scan | None:
        return _scan(request, points) if group == "scan" else None

    def ask(claims: Claims, scan: Scan) -> FollowUp | None:
        return next_asked(request, about, claims, scan, question) if group else None

    prefixes = INCEPTION_PREFIX if is_of_inception(about) else REF_PREFIX
    ranked_lines = with_own_ranks(_said_in(request, about, group))
    of_item = social_aside(set_aside(ranked_lines, request), request)
    lines = with_decisions(of_item, request, about, group)
    lines = refine(lines) if refine else lines
    draft = drafted(
        request,
        lines,
        prefixes=prefixes,
        estimate=estimate,
        ask=ask,
        unsaid=unsaid,
        is_said=is_said_at_step,
    )
    explanation = explained(draft.claims)
    is_new = explanation and explanation not in draft.recorded
    recorded = f"{draft.recorded} {explanation}" if is_new else draft.recorded
    closed = (*draft.closed, *settled_elsewhere(request, draft.claims))
    return worded(replace(draft, recorded=recorded, closed=closed))


# ── the quick scan ─────────────────────────────────────────────────────────────────────────────


def _scan(request: ReadRequest, points: Claims) -> Scan:
    """Made anew from every answer of the phase, so that what was withdrawn leaves no trace."""
    steps: dict[StepId, list[Answer]] = {}
    phase, _, _ = request.step.id.partition("-")
    for answer in request.other_answers:
        if answer.step.startswith(f"{phase}-") and not answer.withdrawn:
            steps.setdefault(answer.step, []).append(answer)
    extended = replace(request, claims=(*request.claims, *points))
    parts = {step: _read_other_step(extended, step, answers) for step, answers in steps.items()}
    parts[request.step.id] = points
    replaced = superseded(request.claims)  # also by who closed the matter: "ok large then"
    gone = {(claim.text, claim.sources) for claim in request.claims if claim.id in replaced}
    lines = (claim for step in sorted(parts) for claim in parts[step])
    every = unreplaced(claim for claim in lines if (claim.text, claim.sources) not in gone)
    return scan_of(agreed(every, request.authors))


def _read_other_step(
    request: ReadRequest, step: StepId, answers: list[Answer]
) -> tuple[Claim, ...]:
    """The lines of another step's answers that stand, read by what is known of its place."""
    bare = replace(request.step, id=step, sections={}, body="", extra={}, needs=())
    step_request = replace(request, step=bare, answers=tuple(sorted(answers, key=_said_order)))
    topic = topic_of(step_request)
    topic = topic if group_of(step_request, topic) == "scan" else ANY_SCAN_TOPIC
    claims = corrected(_said_in(step_request, topic, "scan"), step_request)
    return standing(related(claims, step_request), step_request)


def _said_in(request: ReadRequest, topic: Topic, group: str) -> Claims:
    """The lines of the answers; where a step asks for the size, files that are named count."""
    lines = said_in(request, topic)
    return with_named(lines) if group == "scan" and topic in NAMES_COUNT_AT else lines


def _said_order(answer: Answer) -> tuple[tuple[int, ...], str]:
    return order_of(answer.ts), answer.id
