"""Produce, cross-review, finalize: a member's own file, and what its neighbour finds in it.

A review names what one file has and the other lacks. What was said settles a finding; what nobody
said stays open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.unanswered import NOT_ANSWERED
from core.brains.script.council.blueprint import TOPIC_OF_FILE, claims_of, missing
from core.brains.script.council.claiming import not_answered, step_of
from core.brains.script.council.findings import ReviewFinding, findings, mentions, topic_of
from core.brains.script.council.quoting import fit, listed, quote, quote_of, quotes_in
from core.brains.script.council.voices import voice
from core.brains.script.parts.things import is_kept
from core.brains.script.topics import Topic
from core.domain.answers import Claim
from core.domain.ids import PersonaKey, StepId
from core.domain.party.contributions import ConsultRequest, Contribution

Claims = Sequence[Claim]

FINDINGS_MAX: Final = 3
LINES_SHOWN_MAX: Final = 3
OPEN_SHOWN_MAX: Final = 2


# ── the draft ──────────────────────────────────────────────────────────────────────────────────


def draft(request: ConsultRequest) -> Contribution:
    """What was said for its own file, and what is missing there."""
    claims = _own(request)
    sentences = [voice(request.member.key, "draws"), *_summary(claims)]
    return Contribution(request.member.key, "draft", fit(sentences), claims=claims)


def _own(request: ConsultRequest) -> tuple[Claim, ...]:
    return tuple(one for file in request.member.produces for one in claims_of(request, file))


def _summary(claims: Claims) -> Iterator[str]:
    said = [f"“{piece}”" for one in claims if one.sources and (piece := _shown(one))]
    shown = said[:LINES_SHOWN_MAX]
    more = f", with {len(said) - len(shown)} more" if len(said) > len(shown) else ""
    yield f"It holds {listed(shown)}{more}." if shown else "Nobody has said anything for it yet."
    yield _still_open(claims)


def _shown(claim: Claim) -> str:
    """The name of what a line is about, else a few words of it."""
    name = claim.data.get("module") or claim.data.get("entity", "")
    about = is_kept if claim.kind == "retention" else None
    return quote_of(name, claim.text) or quote(claim.text, about)


def _still_open(claims: Claims) -> str:
    lead = NOT_ANSWERED.format("")
    asks = [one.text.removeprefix(lead) for one in claims if one.text.startswith(lead)]
    return f"Still open: {' '.join(asks[:OPEN_SHOWN_MAX])}" if asks else ""


# ── the review ─────────────────────────────────────────────────────────────────────────────────


def review(request: ConsultRequest) -> Contribution:
    """What the neighbour's draft lacks, or has alone; three findings at most."""
    key = request.member.key
    theirs = _draft_of(request, _neighbour(request))
    if theirs is None:
        return Contribution(key, "review", "There is no draft that I could read.")
    topics = _topic(request, key), _topic(request, theirs.persona, theirs.claims)
    found = _found(request, _own(request), theirs.claims, topics)[:FINDINGS_MAX]
    if found:
        sentences = [voice(key, "reads"), *(one.says for one in found)]
    elif not any(one.sources for one in theirs.claims):
        sentences = [voice(key, "reads"), "Your draft holds nothing yet that anybody said."]
    else:
        sentences = [voice(key, "reads"), "I found nothing that one of us has and the other lacks."]
    return Contribution(key, "review", fit(sentences), to=theirs.persona)


def _neighbour(request: ConsultRequest) -> PersonaKey | None:
    """The one named, else the next in declared order whose draft is there."""
    if request.neighbour:
        return request.neighbour
    wrote = {one.persona for one in request.said if one.want == "draft"}
    mine, order = request.member.key, list(request.phase.members)
    start = order.index(mine) + 1 if mine in order else 0
    ring = [key for key in (*order[start:], *order[:start]) if key in wrote and key != mine]
    return next(iter(ring), None)


def _draft_of(request: ConsultRequest, persona: PersonaKey | None) -> Contribution | None:
    found = [one for one in request.said if (one.persona, one.want) == (persona, "draft")]
    return found[-1] if found else None


def _found(
    request: ConsultRequest, mine: Claims, theirs: Claims, topics: tuple[Topic | None, Topic | None]
) -> list[ReviewFinding]:
    one, other = topics
    if one is None or other is None:
        return []
    return findings(mine, theirs, _earlier(request), (one, other))


def _earlier(request: ConsultRequest) -> Claims:
    number = request.phase.key[:2]
    return [claim for claim in request.claims if claim.step[:2] != number]


def _topic(request: ConsultRequest, writer: PersonaKey, claims: Claims = ()) -> Topic | None:
    """Which file somebody writes: by its lines, else by what the writer is there for."""
    files = request.member.produces if writer == request.member.key else ()
    members, outputs = request.phase.members, request.phase.outputs
    if not files and len(members) == len(outputs) and writer in members:
        files = (outputs[members.index(writer)],)
    named = next((TOPIC_OF_FILE[file] for file in files if file in TOPIC_OF_FILE), None)
    return topic_of(claims) or named


# ── the last version ───────────────────────────────────────────────────────────────────────────


def final(request: ConsultRequest) -> Contribution:
    """The draft, with each finding settled by what was said, or left open as a question.

    It is made anew, for people may have said more since.
    """
    member, mine = request.member, _own(request)
    found = list(_reviewed(request, mine))
    said = [one for one in mine if one.sources]
    step = step_of(request.phase, next(iter(member.produces), ""))
    taken = _settled(found, step, _next_number(said, step))
    topic = _topic(request, member.key)
    asks = [one.asks for one in found if one.is_open]
    asks += missing(topic, (*said, *taken)) if topic else ()
    start = _next_number((*said, *taken), step)
    claims = (*said, *taken, *not_answered(step, start, asks))
    settled = listed(f"“{one.name}”" for one in found if not one.is_open)
    sentences = [
        voice(member.key, "ends"),
        f"From the review I take in {settled}, as it was said." if settled else "",
        "" if found else "The review gave me nothing to change.",
        _still_open(claims),
    ]
    return Contribution(member.key, "final", fit(sentences), claims=claims)


def _reviewed(request: ConsultRequest, mine: Claims) -> Iterator[ReviewFinding]:
    """What the reviews of its draft name, as far as nobody has said it since."""
    for one in request.said:
        if (one.want, one.to) != ("review", request.member.key):
            continue
        topic, theirs = _by_now(request, one.persona)
        found = _found(request, theirs, mine, (topic, _topic(request, request.member.key)))
        known = {each.name: each for each in found}
        for name in quotes_in(one.text)[:FINDINGS_MAX]:
            if name in known:
                yield known[name]
            elif not mentions(name, mine):
                yield ReviewFinding(name, "", f"What about {name}?")


def _by_now(request: ConsultRequest, writer: PersonaKey) -> tuple[Topic | None, Claims]:
    """What a reviewer's own file holds by now: its draft, and what was said for it since."""
    written = _draft_of(request, writer)
    claims = written.claims if written else ()
    topic = _topic(request, writer, claims)
    files = [file for file in request.phase.outputs if TOPIC_OF_FILE.get(file) == topic]
    since = [one for file in files for one in claims_of(request, file)] if topic else []
    return topic, (*claims, *since)


def _settled(found: Sequence[ReviewFinding], step: StepId, start: int) -> tuple[Claim, ...]:
    """The lines that named what the draft lacks, as what they are in this file."""
    names = {one.name.casefold(): one for one in found if not one.is_open}
    return tuple(
        replace(
            one.named_by,
            id=f"{step}/{number}",
            step=step,
            kind=one.settled_as,
            confidence="inferred",
            ref=None,
            data={"module": one.name} if one.settled_as == "module" else {},
        )
        for number, one in enumerate(names.values(), start=start)
        if one.named_by and one.settled_as
    )


def _next_number(claims: Claims, step: StepId) -> int:
    mine = [one.id.rpartition("/")[2] for one in claims if one.step == step]
    return max((int(number) for number in mine if number.isdecimal()), default=0) + 1
