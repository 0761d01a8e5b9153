"""What Bolt reads of a payload before any listener does: a payload without it never gets there."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from bot.payloads.payload_models import Payload


class _Typed(Payload):
    type: str


class _EventHead(Payload):
    event: _Typed


class _Control(Payload):
    action_id: str


class _ActionsHead(Payload):
    actions: Annotated[tuple[_Control, ...], Field(min_length=1)]


class _Called(Payload):
    callback_id: str


class _View(_Typed, _Called):
    pass


class _ViewHead(Payload):
    view: _View


class _WorkflowStep(_Called):
    workflow_step: Any


class _CommandHead(Payload):
    command: str


_HEADS: Final[Mapping[str, type[Payload]]] = {
    "event_callback": _EventHead,
    "block_actions": _ActionsHead,
    "block_suggestion": _Control,
    **dict.fromkeys(("shortcut", "message_action", "interactive_message"), _Called),
    **dict.fromkeys(("dialog_submission", "dialog_cancellation", "dialog_suggestion"), _Called),
    "workflow_step_edit": _WorkflowStep,
    "view_submission": _ViewHead,
    "view_closed": _ViewHead,
}


def is_malformed(body: object) -> bool:
    """True if Bolt's own matching would fail on this payload, or find nothing to go by."""
    if not isinstance(body, dict) or not isinstance(body.get("event", {}), dict):
        return True
    if "command" in body:
        return not _has_shape(_CommandHead, body)
    kind = body.get("type")
    if not isinstance(kind, str):
        return "ssl_check" not in body
    return kind in _HEADS and not _has_shape(_HEADS[kind], body)


def _has_shape(shape: type[Payload], payload: object) -> bool:
    try:
        shape.model_validate(payload)
    except ValidationError:
        return False
    return True
