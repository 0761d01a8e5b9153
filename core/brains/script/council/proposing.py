"""Propose, critique, converge: the member who proposes, and what becomes of the proposal.

A proposal is what people said they have or want, with the reason in their words. What people want
changed wins; what nobody said stays open.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.agreement import sentences_of
from core.brains.script.council import matters, transcript
from core.brains.script.council.quoting import (
    begun,
    fit,
    listed,
    occurs,
    quote,
    quote_of,
    quotes_in,
    voice,
)
from core.brains.script.council.stack import (
    STACK_FILE,
    TechnologyMention,
    choices,
    is_about_stack,
)
from core.brains.script.council.technologies import AREAS, spoken_of
from core.brains.script.council.transcript import (
    CouncilLine,
    claim_of,
    heard,
    is_of_phase,
    name_of,
    sayings,
    says,
)
from core.brains.script.line_signs import shown_in
from core.brains.script.topics import LABELS
from core.domain.answers import Claim
from core.domain.party import Question
from core.domain.party.contributions import ConsultRequest, Contribution

CHOICES_SHOWN_MAX: Final = 5
CHANGES_SHOWN_MAX: Final = 3  # of one message
NOTHING: Final = "Nobody has named a technology yet."
OPEN_AREA: Final = "What do we take for the {}?"


def proposal(request: ConsultRequest) -> Contribution:
    """For each area what people have or want; then the areas that nobody spoke of.

    Where nobody named a technology, people are asked first, once.
    """
    if questions := _asked_first(request):
        return Contribution(request.member.key, "proposal", "", questions=questions)
    sentences = [voice(request.member.key, "proposes"), *_propose_choices(request)]
    return Contribution(request.member.key, "proposal", fit(sentences), claims=claims_of(request))


def _asked_first(request: ConsultRequest) -> tuple[Question, ...]:
    if request.questions or STACK_FILE not in request.phase.outputs or choices(request):
        return ()
    return tuple(Question(**row) for row in lexicon.table("council")["asks"]["stack"])


def _propose_choices(request: ConsultRequest) -> list[str]:
    if STACK_FILE not in request.phase.outputs:
        return _of_ones_own(request)
    chosen = [choice for choice in choices(request) if choice.standing == "chosen"]
    open_ones = [f"the {slot}" for slot in open_areas(request)]
    first_choices = [_describe_choice(request, choice) for choice in chosen[:CHOICES_SHOWN_MAX]]
    return [
        *(
            f"{'Then' if place else 'I propose'} {choice}."
            for place, choice in enumerate(first_choices)
        ),
        *([] if first_choices else _not_understood(request)),
        f"Nobody has said what to take for {listed(open_ones)}." if open_ones else "",
    ]


def _not_understood(request: ConsultRequest) -> Iterator[str]:
    """That no technology is named, and how to name one that the rules here do not know."""
    yield NOTHING
    answers = [line for line in heard(request, "stack") if is_of_phase(request, line.answer)]
    if quotes := sayings(request, [line for line in answers if not line.is_open][:1]):
        yield f"{begun(quotes)}; put the area before it, as in Hosting: our own server."


def _describe_choice(request: ConsultRequest, choice: TechnologyMention) -> str:
    """`“Postgres” for the database, because “we run it already” (Sam)`"""
    place = f" for the {choice.slot}" if choice.slot else ""
    reason = quote_of(choice.reason, " ".join(line.text for line in choice.lines))
    why = f", because “{reason}”" if reason else ""
    return f"“{choice.option}”{place}{why} ({name_of(request, choice.lines[0].by)})"


def open_areas(request: ConsultRequest) -> list[str]:
    """Areas of which the member's own lines speak, and nobody else's."""
    member = request.member
    own_words = " / ".join((*member.expertise, *member.focus, *member.checks))
    lines = [line for line in heard(request, "stack") if is_about_stack(request, line)]
    return [
        slot
        for slot, area in AREAS.items()
        if area.words.search(own_words) and not spoken_of(slot, lines)
    ]


def _of_ones_own(request: ConsultRequest) -> list[str]:
    """A proposal on something else than technology: what people said of the member's subjects."""
    lines = _on_subjects(request)
    quotes = [says(request, line) for line in lines[:CHOICES_SHOWN_MAX]]
    if not any(quotes):
        return ["Nobody has said anything that I could propose yet."]
    return [f"{begun(quote)}." for quote in quotes if quote]


def _on_subjects(request: ConsultRequest) -> list[CouncilLine]:
    changes = {change.id for change in request.changes}
    return [line for line in transcript.on_subjects(request, changes) if not line.is_open]


# ── claims ─────────────────────────────────────────────────────────────────────────────────────


def claims_of(request: ConsultRequest) -> tuple[Claim, ...]:
    """The lines of the file, from the answers of all phases so far; then the areas left open."""
    step = transcript.step_of(request.phase, next(iter(request.phase.outputs), STACK_FILE))
    if STACK_FILE not in request.phase.outputs:
        return transcript.numbered(map(transcript.open_or_fact, _on_subjects(request)), step)
    claims = transcript.numbered(_stack_claims(request), step)
    questions = (OPEN_AREA.format(slot) for slot in open_areas(request))
    return transcript.with_unanswered(claims, questions, step)


def _stack_claims(request: ConsultRequest) -> Iterator[Claim]:
    """The choices, then every other line of the phase: also one whose choice was changed since."""
    chosen = [_choice_claim(choice) for choice in choices(request)]
    yield from chosen
    shown = {(claim.text, source) for claim in chosen for source in claim.sources}
    for line in heard(request, "stack"):
        is_shown = (line.fragment.text, line.answer.id) in shown
        if is_of_phase(request, line.answer) and not is_shown:
            label = LABELS["stack"].label_of(line.text)[0] or line.fragment.label
            costs = "trade-off" in (label, shown_in(line.text, "stack")) and not line.is_open
            yield claim_of(line, "trade-off") if costs else transcript.open_or_fact(line)


def _choice_claim(choice: TechnologyMention) -> Claim:
    data = {"choice": choice.standing, "option": choice.option}
    data |= {"area": choice.area} if choice.area else {}
    data |= {"reason": choice.reason} if choice.reason else {}
    is_stated = choice.plainly and (choice.standing == "chosen" or not choice.changed)
    made = claim_of(choice.lines[-1], "stack", data, "stated" if is_stated else "inferred")
    return replace(made, sources=choice.sources)


# ── the revision ───────────────────────────────────────────────────────────────────────────────


def revision(request: ConsultRequest) -> Contribution:
    """The proposal after what people want changed, and after what the critics asked for."""
    sentences = [*_revise_proposal(request), *_answer_critics(request)]
    return Contribution(request.member.key, "revision", fit(sentences), claims=claims_of(request))


def _revise_proposal(request: ConsultRequest) -> list[str]:
    """The proposal with its changes; without changes no more than its options."""
    if request.changes:
        changed = voice(request.member.key, "revises")
        return [changed, *_describe_changes(request), *_propose_choices(request)]
    if STACK_FILE not in request.phase.outputs:
        return ["It stays as it is.", *_propose_choices(request)]
    options = _options(choices(request), "chosen", CHOICES_SHOWN_MAX)
    return [f"It stays with {options}."] if options else [NOTHING]


def _describe_changes(request: ConsultRequest) -> Iterator[str]:
    """Each change, with who wants it, and what it takes the place of."""
    about_stack = STACK_FILE in request.phase.outputs
    every = choices(request) if about_stack else ()
    changed = [mention for mention in every if mention.changed]
    for change in request.changes:
        own_mentions = [mention for mention in changed if mention.lines[-1].answer.id == change.id]
        wanted_options = _options(own_mentions, "chosen")
        rejected_options = _options(own_mentions, "rejected")
        author = begun(name_of(request, change.by))
        if wanted_options or rejected_options:
            wants = wanted_options or "something else"
            instead = f" in place of {rejected_options}" if rejected_options else ""
            yield f"{author} wants {wants}{instead}: changed."
        elif words := quote(change.text):
            yield f"{author} says “{words}”: taken in as it was said."


def _options(
    choices: Iterable[TechnologyMention], standing: str, shown_max: int = CHANGES_SHOWN_MAX
) -> str:
    options = [f"“{choice.option}”" for choice in choices if choice.standing == standing]
    return listed(options[:shown_max])


def _answer_critics(request: ConsultRequest) -> Iterator[str]:
    """For each critic, what people said on the matter; then whose points stay open."""
    waiting: list[str] = []
    critics = {
        statement.persona: statement.text
        for statement in request.said
        if statement.want == "critique" and statement.text
    }
    for critic, text in critics.items():
        role = critic.replace("-", " ")
        points = [
            point for point in map(partial(_settled_by, request), sentences_of(text)) if point
        ]
        if points:
            yield f"To the {role}: {listed(points)}."
        elif any(map(matters.matter_of, sentences_of(text))):
            waiting.append(f"the {role}")
    if waiting:
        yield f"Open, and waiting for people: the points of {listed(waiting)}."


def _settled_by(request: ConsultRequest, point: str) -> str:
    """What was said last on a point of a critique, where the critic has not quoted it already."""
    if matters.matter_of(point) is None:
        return ""
    lines = [
        line
        for line in matters.lines_on(point, heard(request, "stack"))
        if not line.is_open
        and not matters.defies(point, line.text)
        and not any(occurs(piece, line.text) for piece in quotes_in(point))
    ]
    return says(request, lines[-1], matters.clause_on(point, lines[-1])) if lines else ""
