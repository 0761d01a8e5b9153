"""Builds step trees on disk for the tests."""

from pathlib import Path

from core.content.models.step import StepFront

REQUIRED_FIELDS = tuple(
    name for name, field in StepFront.model_fields.items() if field.is_required()
)
FRONT = {
    "step_id": '"01-01"',
    "title": "Business Context",
    "persona": "business-analyst",
    "depth": "standard",
    "outputs": "[requirements-spec.md]",
}
BODY = """
## Brief Mode

A draft.

## Standard Mode

1. Why?

## Deep Mode

1. Why not?

## Validation

- A reason.

## Artifacts

- `requirements-spec.md`
"""
AGENT = """---
name: roundtable
description: Three people.
personas:
  - key: business-analyst
    name: Maya Chen
    role: Business Analyst
    icon: ":bar_chart:"
    identity: Sees both sides.
    style: Warm.
    principles: [One., Two., Three.]
  - key: solutions-architect
    name: Alex Rivera
    role: Solutions Architect
    icon: ":scales:"
    identity: Names the price.
    style: Calm.
    principles: [One., Two., Three.]
phases:
  01-requirements: {persona: business-analyst, label: Requirements}
  02-impact: {persona: solutions-architect, label: Impact Analysis}
---
# About
"""


def text_of(body: str = BODY, **fields: str | None) -> str:
    """A step file; a field given as None is left out."""
    front = {**FRONT, **fields}
    lines = [f"{name}: {value}" for name, value in front.items() if value is not None]
    return "\n".join(["---", *lines, "---", body])


class Tree:
    """A flow's folder below `root`, to be filled by a test."""

    def __init__(self, root: Path, flow: str = "analysis") -> None:
        self.root = root
        self.flow = root / flow
        self.flow.mkdir(parents=True)

    def agent(self, text: str = AGENT) -> None:
        (self.flow / "roundtable.md").write_text(text)

    def phase(self, phase: str) -> Path:
        path = self.flow / phase
        path.mkdir(exist_ok=True)
        return path

    def step(self, place: str, body: str = BODY, /, **fields: str | None) -> Path:
        """A step file at `place`, "01-requirements/01-a.md", with the id of its place."""
        phase, file = place.split("/")
        fields = {"step_id": f'"{phase[:2]}-{file[:2]}"', **fields}
        return self.file(place, text_of(body, **fields).encode())

    def file(self, place: str, content: bytes) -> Path:
        phase, file = place.split("/")
        path = self.phase(phase) / file
        path.write_bytes(content)
        return path
