"""One request to a language model for each task: a system message, and data in the user message.

The system message is ours and the step tree's: rules, persona, step. All that people, files or
models wrote is in the user message (`core.brains.model.request_data`), as JSON between two lines
with a boundary that is drawn for this request. A request that is too long goes with less; what was
left out is handed back.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from core.brains.model.prompts import Prompt, system_message
from core.brains.model.providers.exchange import BYTES_A_TOKEN, WireRequest
from core.brains.model.replies import description_of, schema_of
from core.brains.model.request_data import (
    RequestData,
    cause_data,
    council_data,
    reading_data,
    turn_data,
)
from core.brains.model.sent_text import RequestIds, SentData, sent
from core.brains.tasks import DiagnosisRequest
from core.domain.answers import Draft, ReadRequest, TurnRequest
from core.domain.ids import AnswerId
from core.domain.model_calls import ModelTask
from core.domain.party import Member
from core.domain.party.contributions import ConsultRequest
from core.domain.steps.playbook import FACILITATOR, Persona
from core.secrets import redact

CONTEXT_TOKENS: Final = 24_000
DEADLINE_S: Final = 60.0
REPLY_TOKENS: Final[Mapping[ModelTask, int]] = {
    "read_answers": 6_000,
    "ask_and_propose": 2_000,
    "take_turn": 1_000,
    "contribute": 4_000,
    "find_cause": 1_000,
}

Json = Mapping[str, Any]


class ContextOverflowError(Exception):
    """What people said at the step is too long for the context by itself: the script reads it."""


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """How much may be sent and replied, and how long one request may take."""

    context_tokens: int = CONTEXT_TOKENS  # of the whole request, bytes by three
    reply_tokens: int | None = None  # None: the task's own
    deadline_s: float = DEADLINE_S


@dataclass(frozen=True, slots=True)
class RequestEnvelope:
    """What is drawn or known for one request: its row's random id, a random boundary, and what
    was wrong with the reply before, in words.

    `is_cached`: others that begin alike follow within minutes, and a provider may keep it for them.
    """

    id: str
    boundary: str
    repair: tuple[str, ...] = ()
    is_cached: bool = False


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request that can be sent, what its ids stand for, and what was left out of it."""

    wire: WireRequest
    ids: RequestIds
    left_out: tuple[str, ...] = ()


# ── the tasks ──────────────────────────────────────────────────────────────────────────────────


def step_request(
    request: ReadRequest,
    draft: Draft,
    prompt: Prompt,
    limits: RequestLimits,
    envelope: RequestEnvelope,
) -> PreparedRequest:
    """Sort a step's answers, of which the script made `draft`; or ask the next question about it,
    and propose what nobody said. Raises `ContextOverflowError`, as all of these do."""
    values = _persona_values(request.persona) | {"step": request.step.title}
    data = reading_data(request, draft, prompt.task)
    return _prepare_request(data, values, prompt, limits, envelope)


def turn_request(
    request: TurnRequest, prompt: Prompt, limits: RequestLimits, envelope: RequestEnvelope
) -> PreparedRequest:
    """Speak as another persona in an elaboration."""
    values = _persona_values(request.persona) | {
        "step": request.topic,
        "addressed": "yes" if request.addressed else "no",
    }
    return _prepare_request(turn_data(request), values, prompt, limits, envelope)


def contribution_request(
    request: ConsultRequest, prompt: Prompt, limits: RequestLimits, envelope: RequestEnvelope
) -> PreparedRequest:
    """Give a member's turn in a council."""
    about = f", about what {request.neighbour} said" if request.neighbour else ""
    values = _persona_values(request.member.persona) | {
        "step": request.phase.label,
        "want": f"{request.want}{about}",
        "lens": _lens(request.member),
        "members": ", ".join(request.phase.members),
    }
    flaws = (*envelope.repair, *([request.prompt] if request.prompt else []))
    envelope = replace(envelope, repair=flaws)
    return _prepare_request(council_data(request), values, prompt, limits, envelope)


def cause_request(
    request: DiagnosisRequest, prompt: Prompt, limits: RequestLimits, envelope: RequestEnvelope
) -> PreparedRequest:
    """Look into a failed reading."""
    values = {"step": request.step}
    return _prepare_request(cause_data(request, FACILITATOR), values, prompt, limits, envelope)


# ── the two messages ───────────────────────────────────────────────────────────────────────────


def _prepare_request(
    data: RequestData,
    values: Mapping[str, str],
    prompt: Prompt,
    limits: RequestLimits,
    envelope: RequestEnvelope,
) -> PreparedRequest:
    mark = f"ROUNDTABLE-{envelope.boundary}"
    content = {**data.content, **({"flaws": envelope.repair} if envelope.repair else {})}
    leaving = sent(content, data.names)
    is_repair = bool(envelope.repair)
    system = redact(system_message(prompt, {**values, "boundary": mark}, is_repair=is_repair))
    bytes_ours = _bytes(system) + _tool_bytes(prompt.task)
    bytes_left = limits.context_tokens * BYTES_A_TOKEN - bytes_ours
    user, left_out = _fit_content(leaving.content, mark, bytes_left)
    wire = WireRequest(
        system,
        user,
        prompt.task,
        description_of(prompt.task),
        schema_of(prompt.task),
        limits.reply_tokens or REPLY_TOKENS[prompt.task],
        limits.deadline_s,
        envelope.id,
        envelope.is_cached,
    )
    return PreparedRequest(wire, _ids(data, leaving), left_out)


def _ids(data: RequestData, leaving: SentData) -> RequestIds:
    rows = [*leaving.content["answers"]]
    for entry in leaving.content["earlier"]:
        rows += entry["answers"]
    numbers = {row["id"] for row in rows}
    answers: dict[str, AnswerId] = {
        number: answer for answer, number in data.answers.items() if number in numbers
    }
    return RequestIds(answers, leaving.people, leaving.names)


def _fit_content(content: Json, mark: str, bytes_max: int) -> tuple[str, tuple[str, ...]]:
    """The user message within its bytes, and what was left out for that.

    Raises `ContextOverflowError` where what may not be left out is too long.
    """
    left_out: list[str] = []
    drops = _drops(content)
    while _bytes(user := _user_message(content, mark)) > bytes_max:
        dropped = next(drops, None)
        if dropped is None:
            raise ContextOverflowError(f"{_bytes(user)} bytes, where {bytes_max} are left")
        left_out.append(dropped)
    return user, tuple(left_out)


def _drops(content: Json) -> Iterator[str]:
    """Leave out one thing after the other, and name it: documents, then other phases' lines, then
    their answers, the oldest first; then those of this phase's other steps."""
    documents, step = content["documents"], content["step"]["id"]
    while documents:
        yield f"document {documents.pop()['name']}"
    others = [entry for entry in content["earlier"] if entry["step"] != step]
    for is_own_phase in (False, True):
        for part in ("lines", "answers"):
            for entry in others:
                if entry[part] and (_phase(entry["step"]) == _phase(step)) == is_own_phase:
                    entry[part] = []
                    yield f"{part} of {entry['step']}"


def _phase(step: str) -> str:
    return step.partition("-")[0]


def _user_message(content: Json, mark: str) -> str:
    """JSON between two lines that nothing in it can look like.

    Each line of it begins with a bracket, a brace or a quote; and the mark itself, which begins
    with a sign that no escape of JSON has, is escaped wherever a text has it.
    """
    rows = ",\n".join(f"{_json(key)}: {_rows(value)}" for key, value in content.items())
    body = f"{{\n{rows}\n}}".encode("utf-8", "replace").decode()  # no half of a sign
    forged = f"\\u{ord(mark[0]):04x}{mark[1:]}"
    return f"{mark}\n{body.replace(mark, forged)}\n{mark}"


def _rows(value: object) -> str:
    """A list with one line for each item; anything else in one line."""
    if not (isinstance(value, list) and value):
        return _json(value)
    return "[\n" + ",\n".join(map(_json, value)) + "\n]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@cache
def _tool_bytes(task: ModelTask) -> int:
    """Of its name, what it is for, and its schema."""
    return _bytes("".join((task, description_of(task), _json(schema_of(task)))))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


# ── who speaks ─────────────────────────────────────────────────────────────────────────────────


def _persona_values(persona: Persona) -> dict[str, str]:
    return {
        "persona": persona.name,
        "role": persona.role,
        "identity": persona.identity,
        "style": persona.style,
        "principles": " ".join(persona.principles),
    }


def _lens(member: Member) -> str:
    """What a member brings to its phase, in the words of the party's file."""
    questions = tuple(question.text for question in member.questions)
    parts = {
        "What you know": member.expertise,
        "What you argue for": member.focus,
        "What you look for in the work of others": member.checks,
        "What you would ask": questions,
    }
    return "\n".join(f"{head}: {'; '.join(lines)}" for head, lines in parts.items() if lines)
