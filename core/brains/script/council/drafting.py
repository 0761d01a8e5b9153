"""Produce, cross-review, finalize: a member's own file, and what its neighbour finds in it.

A review names what one file has and the other lacks. What was said settles a finding; what nobody
said stays open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.unanswered import assumptions
from core.brains.script.council.blueprint import TOPIC_OF_FILE, claims_of, missing
from core.brains.script.council.findings import ReviewFinding, findings, mentions, topic_of
from core.brains.script.council.quoting import fit, listed, quote, quote_of, quotes_in, voice
from core.brains.script.council.transcript import answers_of, is_of_phase, step_of
from core.brains.script.parts.things import is_kept
from core.brains.script.topics import Topic
from core.domain.answers import Claim, Claims
from core.domain.assumptions import NOT_ANSWERED
from core.domain.ids import PersonaKey, StepId
from core.domain.party import Question
from core.domain.party.contributions import ConsultRequest, Contribution

FINDINGS_MAX: Final = 3
NAME_WORDS_MAX: Final = 4  # more is a sentence that a language model quotes
LINES_SHOWN_MAX: Final = 3
NOTHING_YET: Final = "Nobody has said anything for it yet."
OPEN_SHOWN_MAX: Final = 2


# ── the draft ──────────────────────────────────────────────────────────────────────────────────


def draft(request: ConsultRequest) -> Contribution:
    """What was said for its own file, and what is missing there.

    What nobody has said for it plainly is asked first, once, unless people speak of it already.
    """
    claims = _own_claims(request)
    if questions := _asked_first(request, claims):
        return Contribution(request.member.key, "draft", "", questions=questions)
    sentences = [voice(request.member.key, "draws"), *_summary(claims)]
    return Contribution(request.member.key, "draft", fit(sentences), claims=claims)


def _asked_first(request: ConsultRequest, claims: Claims) -> tuple[Question, ...]:
    topic = _topic(request, request.member.key)
    is_begun = request.questions or any(
        is_of_phase(request, answer) for answer in answers_of(request)
    )
    if is_begun or topic is None:
        return ()
    stated = [claim for claim in claims if claim.confidence == "stated"]
    return tuple(
        Question(f"{topic}-{number}", topic, text)
        for number, text in enumerate(missing(topic, stated), start=1)
    )


def _own_claims(request: ConsultRequest) -> tuple[Claim, ...]:
    files = request.member.produces
    return tuple(claim for file in files for claim in claims_of(request, file))


def _summary(claims: Claims) -> Iterator[str]:
    quotes = [f"“{piece}”" for claim in claims if claim.sources and (piece := _name_of_line(claim))]
    first_quotes = quotes[:LINES_SHOWN_MAX]
    more_count = len(quotes) - len(first_quotes)
    more = f", with {more_count} more" if more_count else ""
    yield f"It holds {listed(first_quotes)}{more}." if quotes else NOTHING_YET
    yield _still_open(claims)


def _name_of_line(claim: Claim) -> str:
    """The name of what a line is about, else a few words of it."""
    name = claim.data.get("module") or claim.data.get("entity", "")
    about = is_kept if claim.kind == "retention" else None
    return quote_of(name, claim.text) or quote(claim.text, about)


def _still_open(claims: Sequence[Claim]) -> str:
    lead = NOT_ANSWERED.format("")
    asks = [claim.text.removeprefix(lead) for claim in claims if claim.text.startswith(lead)]
    return f"Still open: {' '.join(asks[:OPEN_SHOWN_MAX])}" if asks else ""


# ── the review ─────────────────────────────────────────────────────────────────────────────────


def review(request: ConsultRequest) -> Contribution:
    """What the neighbour's draft lacks, or has alone; three findings at most."""
    key = request.member.key
    draft = _draft_of(request, request.neighbour)
    if draft is None:
        return Contribution(key, "review", "There is no draft that I could read.")
    topics = _topic(request, key), _topic(request, draft.persona, draft.claims)
    lacking = _findings(request, _own_claims(request), draft.claims, topics)[:FINDINGS_MAX]
    if lacking:
        points = [finding.says for finding in lacking]
    elif not any(claim.sources for claim in draft.claims):
        points = ["Nobody has said anything for your file yet."]
    else:
        points = ["No name in one of our files is missing in the other."]
    return Contribution(key, "review", fit([voice(key, "reads"), *points]), to=draft.persona)


def _draft_of(request: ConsultRequest, persona: PersonaKey | None) -> Contribution | None:
    drafts = [turn for turn in request.said if (turn.persona, turn.want) == (persona, "draft")]
    return drafts[-1] if drafts else None


def _findings(
    request: ConsultRequest, own: Claims, others: Claims, topics: tuple[Topic | None, Topic | None]
) -> list[ReviewFinding]:
    own_topic, other_topic = topics
    if own_topic is None or other_topic is None:
        return []
    return findings(own, others, _earlier_claims(request), (own_topic, other_topic))


def _earlier_claims(request: ConsultRequest) -> Claims:
    number = request.phase.key[:2]
    return tuple(claim for claim in request.claims if claim.step[:2] != number)


def _topic(request: ConsultRequest, writer: PersonaKey, claims: Claims = ()) -> Topic | None:
    """Which file somebody writes: by its lines, else by what the writer is there for."""
    files = request.member.produces if writer == request.member.key else ()
    members, outputs = request.phase.members, request.phase.outputs
    if not files and len(members) == len(outputs) and writer in members:
        files = (outputs[members.index(writer)],)
    file_topic = next((TOPIC_OF_FILE[file] for file in files if file in TOPIC_OF_FILE), None)
    return topic_of(claims) or file_topic


# ── the last version ───────────────────────────────────────────────────────────────────────────


def final(request: ConsultRequest) -> Contribution:
    """The draft, with each finding settled by what was said, or left open as a question.

    It is made anew, for people may have said more since.
    """
    member, own = request.member, _own_claims(request)
    reviewed = list(_reviewed(request, own))
    step = step_of(request.phase, next(iter(member.produces), ""))
    claims = [claim for claim in own if claim.sources]
    claims += _settled(reviewed, step, _next_number(claims, step))
    questions = [finding.asks for finding in reviewed if finding.is_open]
    if topic := _topic(request, member.key):
        questions += missing(topic, claims)
    claims += assumptions(step, questions, start=_next_number(claims, step))
    settled = listed(f"“{finding.name}”" for finding in reviewed if not finding.is_open)
    sentences = [
        voice(member.key, "revises" if request.changes else "ends"),
        f"From the review I take in {settled}, as it was said." if settled else "",
        "" if reviewed else "The review changes nothing.",
        _still_open(claims),
    ]
    return Contribution(member.key, "final", fit(sentences), claims=tuple(claims))


def _reviewed(request: ConsultRequest, own: Claims) -> Iterator[ReviewFinding]:
    """What the reviews of its draft name, as far as nobody has said it since."""
    for turn in request.said:
        if (turn.want, turn.to) != ("review", request.member.key):
            continue
        topic, their_claims = _by_now(request, turn.persona)
        topics = topic, _topic(request, request.member.key)
        by_name = {
            finding.name: finding for finding in _findings(request, their_claims, own, topics)
        }
        for name in quotes_in(turn.text)[:FINDINGS_MAX]:
            if name in by_name:
                yield by_name[name]
            elif len(name.split()) <= NAME_WORDS_MAX and not mentions(name, own):
                yield ReviewFinding(name, "", f"What about {name}?")


def _by_now(request: ConsultRequest, writer: PersonaKey) -> tuple[Topic | None, Claims]:
    """What a reviewer's own file holds by now: its draft, and what was said for it since."""
    draft = _draft_of(request, writer)
    claims = draft.claims if draft else ()
    topic = _topic(request, writer, claims)
    files = [file for file in request.phase.outputs if topic and TOPIC_OF_FILE.get(file) == topic]
    return topic, (*claims, *(claim for file in files for claim in claims_of(request, file)))


def _settled(reviewed: Sequence[ReviewFinding], step: StepId, start: int) -> Iterator[Claim]:
    """The lines that named what the draft lacks, as what they are in this file."""
    by_name = {finding.name.casefold(): finding for finding in reviewed if not finding.is_open}
    for number, finding in enumerate(by_name.values(), start=start):
        if finding.named_by and finding.settled_as:
            yield replace(
                finding.named_by,
                id=f"{step}/{number}",
                step=step,
                kind=finding.settled_as,
                confidence="inferred",
                ref=None,
                data={"module": finding.name} if finding.settled_as == "module" else {},
            )


def _next_number(claims: Sequence[Claim], step: StepId) -> int:
    numbers = [claim.id.rpartition("/")[2] for claim in claims if claim.step == step]
    return max((int(number) for number in numbers if number.isdecimal()), default=0) + 1
