"""The whole request of each task, as it leaves for a provider, with its bytes per part.

    python -m tests.core.model.requests

writes them anew into the folder beside this file.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from core.brains.model.prompts import load
from core.brains.model.requests import (
    PreparedRequest,
    RequestEnvelope,
    RequestLimits,
    cause_request,
    contribution_request,
    step_request,
    turn_request,
)
from core.brains.script.reading import read
from core.brains.tasks import DiagnosisRequest
from core.content.library import Library, default_steps_dir
from core.domain.answers import ReadRequest, TurnRequest
from core.domain.ids import PersonaKey, UserId
from core.domain.model_calls import ModelTask
from core.domain.steps.playbook import Persona
from tests.core.test_scripted import NAMES, PRIYA, SAM, answer, request, shipped
from tests.support import council_requests as council

HERE: Final = Path(__file__).parent / "requests"
PROMPTS: Final = load(default_steps_dir())
LIMITS: Final = RequestLimits()
BOUNDARY: Final = "5f2c9e0b7d314a68"
OPS: Final = UserId("U0OPS00003")
RULE: Final = "=" * 20


def envelope(*repair: str, boundary: str = BOUNDARY) -> RequestEnvelope:
    return RequestEnvelope("0b9d6f0e", boundary, repair)


def persona(key: str) -> Persona:
    people = {one.key: one for one in Library(default_steps_dir()).personas("analysis")}
    return people[PersonaKey(key)]


CONTEXT: Final = (
    answer("01-01", 1, "1. People who subscribe to a dashboard get images, and no single PDF.\n"
           "2. Paying customers have asked for it again and again."),
    answer("01-01", 2, "Today many of us script a headless browser.", SAM),
)  # fmt: skip
SAID: Final = (
    answer("01-05", 1, "1. It should be quick, and a PDF must never show numbers that the reader "
           "may not see.\n2. A very long dashboard could take the server down."),
    answer("01-05", 2, "Within 30 for a normal dashboard. @Olga knows what the server can take.",
           SAM),
    answer("01-05", 3, "Maybe we limit it to 50 cards? That would be easy.", revision=2),
)  # fmt: skip


@cache
def reading() -> ReadRequest:
    """A step of the shipped tree with answers, after another one."""
    step = "01-05"
    before = request("01-01", outputs=("requirements-spec.md",), step_title="Business Context")
    claims = read(replace(before, answers=CONTEXT)).claims
    content = next(one for one in shipped() if one.id == step)
    made = request(step, claims=claims, other_answers=CONTEXT)
    return replace(
        made,
        step=content,
        persona=persona(content.persona),
        answers=SAID,
        text="Users want one file to share.",
        names={PRIYA: NAMES[PRIYA], SAM: NAMES[SAM]},
        mentioned={OPS: "Olga"},
    )


def talking() -> TurnRequest:
    made = reading()
    names = {PRIYA: "Priya", SAM: "Sam"}
    return TurnRequest(
        persona=persona("solutions-architect"),
        topic=made.step.title,
        said=tuple((names[one.by], one.text) for one in SAID),
        turns=((PersonaKey("system-designer"), "Who is told when a PDF could not be made?"),),
        addressed=True,
        claims=made.claims,
        people={one.id: names[one.by] for one in (*CONTEXT, *SAID)},
        title=made.title,
        text=made.text,
        mentioned={OPS: "Olga"},
    )


CAUSE: Final = DiagnosisRequest(
    step="03-01",
    category="prerequisite_failure",
    seen="FileNotFoundError: No such file or directory: 'nfr.md'",
    missing="nfr.md",
    there=("brief.md", "nfr-matrix.md"),
    ours=frozenset({"nfr-matrix.md"}),
)


@cache
def prepared() -> Mapping[ModelTask, PreparedRequest]:
    made = reading()
    table = council.request(
        council.NADIA, "interpretation", *council.said(council.VISION, *council.ANSWERED)
    )
    return {
        "read_answers": step_request(made, read(made), PROMPTS["read_answers"], LIMITS, envelope()),
        "ask_and_propose": step_request(
            made, read(made), PROMPTS["ask_and_propose"], LIMITS, envelope()
        ),
        "take_turn": turn_request(talking(), PROMPTS["take_turn"], LIMITS, envelope()),
        "contribute": contribution_request(table, PROMPTS["contribute"], LIMITS, envelope()),
        "find_cause": cause_request(CAUSE, PROMPTS["find_cause"], LIMITS, envelope()),
    }


def data_of(made: PreparedRequest) -> dict[str, Any]:
    """The data of a request, read as the protocol says: JSON between two lines that are alike."""
    first, *lines, last = made.wire.user.split("\n")
    assert first == last
    data: dict[str, Any] = json.loads("\n".join(lines))
    return data


def _parts(made: PreparedRequest) -> Iterator[tuple[str, int]]:
    system, schema = made.wire.system, _json(made.wire.schema)
    rules, _, ask = system.partition("\n\n")
    yield "system", _bytes(system)
    yield "  rules", _bytes(rules)
    yield "  ask", _bytes(ask)
    yield "user", _bytes(made.wire.user)
    for key, value in data_of(made).items():
        yield f"  {key}", _bytes(_json(value))
    yield "schema", _bytes(schema)


def page(made: PreparedRequest) -> str:
    """One request as a page: its bytes per part, then its parts."""
    wire = made.wire
    rows = list(_parts(made))
    whole = sum(size for name, size in rows if not name.startswith(" "))
    head = [f"{wire.tool}: {whole} bytes, {-(-whole // 3)} tokens by three; at most "
            f"{wire.max_tokens} tokens in reply"]  # fmt: skip
    head += [f"{name:<14}{size:>7}" for name, size in rows]
    schema = json.dumps(wire.schema, indent=1, ensure_ascii=False)
    parts = {"system": wire.system, "user": wire.user, "tool": wire.description, "schema": schema}
    body = [f"{RULE} {name}\n{text}" for name, text in parts.items()]
    return "\n".join([*head, *body, ""])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _bytes(text: str) -> int:
    return len(text.encode())


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for task, made in prepared().items():
        (HERE / f"{task}.txt").write_text(page(made), encoding="utf-8")


if __name__ == "__main__":
    main()
