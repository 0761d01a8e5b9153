"""What an event says that its session said already: the journal leaves it out, and fills it in.

Most events are about the step that is open and the reading that is under way, and come from the
session's channel. Only what an event has to say is ever left out, so that a gap means one thing.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from core.domain import events as on
from core.domain.playbook import PinnedFile
from core.domain.session import Session, StepState
from core.store.codec import EVENTS

TOLD: Final = ("channel", "step", "task", "file")
ALWAYS: Final = {("BrainReplied", "step")}  # by it claims are followed back, from the last event on
_REQUIRED: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(
        field.name
        for field in fields(kind)
        if field.name in TOLD
        and (name, field.name) not in ALWAYS
        and field.default is MISSING
        and field.default_factory is MISSING
    )
    for name, kind in EVENTS.items()
}


def left_out(session: Session | None, event: on.Event) -> dict[str, bool]:
    """The fields of an event that `filled` gives back, of a session as it was before."""
    required = _REQUIRED[type(event).__name__]
    if session is None or not required:
        return {}
    known = _known(session)
    return {name: True for name in required if _same(getattr(event, name), known, session, name)}


def filled(session: Session | None, kind: str, doc: Mapping[str, Any]) -> dict[str, Any]:
    """The event's JSON with what was left out of it."""
    required = _REQUIRED.get(kind, ())
    if session is None or not required:
        return dict(doc)
    known = _known(session)
    gaps = {name: known[name] for name in required if name not in doc and name in known}
    found = {**gaps, **doc}
    if "file" in required and "file" not in found:
        found["file"] = _pinned(session, found.get("step"))
    return found


def _known(session: Session) -> dict[str, Any]:
    return {"channel": session.channel, "step": session.step, "task": session.reading.task}


def _same(value: Any, known: Mapping[str, Any], session: Session, name: str) -> bool:
    if name != "file":
        return value is not None and value == known[name]
    assert isinstance(value, PinnedFile)
    state = _state(session, value.step_id)
    step = value.step
    if state is None or step is None or value.fault is not None or step.id != state.id:
        return False
    return (value.file, step.digest) == (state.file, state.digest)


def _pinned(session: Session, step: str | None) -> dict[str, Any]:
    state = _state(session, step)
    if state is None:
        raise LookupError(step)
    held = {"id": state.id, "digest": state.digest}
    return {"file": state.file, "step_id": state.id, "step": held}


def _state(session: Session, step: str | None) -> StepState | None:
    return next((state for state in session.steps if state.id == step), None)
