"""Builds party files for the tests: a small whole one, to be broken in one place."""

from pathlib import Path
from typing import Any

import yaml

from core.content.models.party import parse_party
from core.domain.party import Party
from core.domain.steps.playbook import StepFault
from tests.support.step_trees import BODY, Tree, text_of

COUNCIL_BODY = """
## Standard Mode

What should be different, and in which way? Tell us, and we talk about it once more.

## Artifacts

- `{file}` · section "All of It": what everybody at the table agreed on in the end.
"""


def persona(key: str, phase: str, **fields: Any) -> dict[str, Any]:
    """A persona without a fault, whatever the protocol of its phase."""
    return {
        "key": key,
        "name": key.title(),
        "role": "Expert",
        "icon": ":gear:",
        "phase": phase,
        "identity": "Has seen it before.",
        "style": "Calm.",
        "principles": ["One.", "Two.", "Three."],
        "expertise": ["Everything"],
        **fields,
    }


def question(key: str, domain: str = "users", text: str = "Who is it for?") -> dict[str, Any]:
    return {"key": key, "domain": domain, "text": text}


def asks() -> dict[str, Any]:
    """What a member of a council brings."""
    return {"focus": ["The user"], "questions": [question("who"), question("why", "goals")]}


def phase(key: str, protocol: str, personas: list[str], **fields: Any) -> dict[str, Any]:
    kind = "sequential" if protocol in ("constitution", "walkthrough") else "parallel"
    messages = {"max_messages": 10} if kind == "parallel" else {}
    label = f"Phase {key}"
    return {
        "key": key, "label": label, "type": kind, "protocol": protocol, "personas": personas,
        **messages, **fields,
    }  # fmt: skip


def whole() -> dict[str, Any]:
    """Three phases: a council of three, two who write, and one who walks through."""
    return {
        "name": "test-party",
        "personas": [
            persona("ann", "01-vision", **asks()),
            persona("bob", "01-vision", **asks()),
            persona("cat", "01-vision", **asks()),
            persona("dan", "02-plan", produces=["plan.md"], checks=["It is short."]),
            persona("eve", "02-plan", produces=["tests.md"], checks=["It is short."]),
            persona("lead", "03-walk", produces=["end.json"]),
        ],
        "phases": [
            phase("01-vision", "question-broadcast-debate", ["ann", "bob", "cat"],
                  outputs=["brief.md"]),
            phase("02-plan", "produce-cross-review-finalize", ["dan", "eve"],
                  outputs=["plan.md", "tests.md"]),
            phase("03-walk", "walkthrough", ["lead"], outputs=["end.json"]),
        ],
        "classic": {"persona": "lead", "phases": {"01-vision": "Vision", "02-plan": "The Plan"}},
    }  # fmt: skip


def parsed(front: dict[str, Any]) -> Party:
    found = parse_party(front)
    assert isinstance(found, Party), [(one.field, one.value, one.hint) for one in found]
    return found


def faults(front: dict[str, Any]) -> tuple[StepFault, ...]:
    found = parse_party(front)
    assert isinstance(found, tuple)
    return found


def places(front: dict[str, Any]) -> list[tuple[str | None, str | None]]:
    """Where the faults are, and what stands there."""
    return [(one.field, one.value) for one in faults(front)]


def party_tree(root: Path, front: dict[str, Any] | None = None, flow: str = "inception") -> Tree:
    """A flow led by a party, with a step for each of its phases and one in its classic mode."""
    tree, front = Tree(root, flow), whole() if front is None else front
    put(tree, front)
    for each in front["phases"]:
        party_step(tree, f"{each['key']}/01-a.md", each)
    classic_step(tree, "01-vision/01-a.md")
    return tree


def put(tree: Tree, front: dict[str, Any]) -> None:
    text = yaml.safe_dump(front, sort_keys=False, allow_unicode=True)
    (tree.flow / "party.yaml").write_text(text, encoding="utf-8")


def party_step(tree: Tree, place: str, phase: dict[str, Any], **fields: str | None) -> Path:
    """A step of a phase of the party at `place`, with all that the phase promises."""
    outputs = phase["outputs"]
    council = COUNCIL_BODY.format(file=outputs[0])
    fields = {"persona": phase["personas"][0], "outputs": f"[{', '.join(outputs)}]", **fields}
    body = council if phase["type"] == "parallel" else BODY
    return _step(tree, f"party/{place}", body, fields)


def classic_step(tree: Tree, place: str, **fields: str | None) -> Path:
    """A step of the classic mode at `place`, "01-vision/01-a.md"."""
    return _step(tree, f"classic/{place}", BODY, {"persona": "lead", **fields})


def _step(tree: Tree, place: str, body: str, fields: dict[str, str | None]) -> Path:
    _, key, file = place.split("/")
    path = tree.flow / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(body, **{"step_id": f'"{key[:2]}-{file[:2]}"', **fields}))
    return path
