"""The shapes of Slack's payloads, as far as we read them. What else a payload holds is left out."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)


class UnreadablePayloadError(Exception):
    """A payload that does not have Slack's shape. Names the fields, never what stood in them."""


def _storable(value: object) -> object:
    # JSON may smuggle in lone surrogates and NUL, which no database takes.
    if not isinstance(value, str):
        return "" if value is None else value
    return value.encode("utf-8", "replace").decode().replace("\x00", "")


Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Stamp = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,16}\.[0-9]{1,12}$")]
Text = Annotated[str, BeforeValidator(_storable)]
Word = Annotated[str, AfterValidator(_storable)]  # as `Text`, but nothing is no word


class _Payload(BaseModel):
    # What people wrote must not reach a log by way of a validation error.
    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


class File(_Payload):
    name: Text = ""
    title: Text = ""
    permalink: Text = ""


class Edited(_Payload):
    user: Name
    ts: Stamp


class MessagePayload(_Payload):
    ts: Stamp
    thread_ts: Stamp | None = None
    subtype: str | None = None
    user: Name | None = None
    bot_id: str | None = None
    team: Name | None = None  # the author's workspace, which in a shared channel may be another
    user_team: Name | None = None
    text: Text = ""
    edited: Edited | None = None
    files: tuple[File, ...] | None = None


class MessageEvent(MessagePayload):
    channel: Name
    message: MessagePayload | None = None
    previous_message: MessagePayload | None = None
    deleted_ts: Stamp | None = None


class Envelope(_Payload):
    enterprise_id: Name | None = None
    event: dict[str, Any]


class HomeOpened(_Payload):
    user: Name
    tab: str = "home"


class PersonPayload(_Payload):
    id: Name
    team_id: Name | None = None


class Id(_Payload):
    id: Name


class Team(_Payload):
    id: Name
    enterprise_id: Name | None = None  # of the organization the workspace belongs to


class Container(_Payload):
    type: str = "message"
    message_ts: Stamp | None = None
    thread_ts: Stamp | None = None


class Shown(_Payload):
    ts: Stamp
    thread_ts: Stamp | None = None


class OptionPayload(_Payload):
    value: Word = ""


class Action(_Payload):
    action_id: Word
    block_id: Word = ""
    value: Word | None = None
    url: str | None = None
    selected_option: OptionPayload | None = None
    selected_conversation: Name | None = None
    action_ts: Stamp | None = None


class InteractionPayload(_Payload):
    """What every interactive payload says of the person, and of where they belong."""

    user: PersonPayload
    team: Team | None = None  # none where the app is installed for a whole organization
    enterprise: Id | None = None
    trigger_id: Text = ""


class BlockActions(InteractionPayload):
    channel: Id | None = None
    container: Container = Container()
    message: Shown | None = None
    actions: Annotated[tuple[Action, ...], Field(min_length=1)]
    response_url: Word | None = None


class Filled(_Payload):
    """One control of a form as it was submitted."""

    value: Word | None = None
    selected_option: OptionPayload | None = None
    selected_conversation: Name | None = None
    selected_user: Name | None = None


class State(_Payload):
    values: dict[str, dict[str, Filled]] = {}


class ViewPayload(_Payload):
    id: Name
    type: str = "modal"
    callback_id: Text = ""
    private_metadata: Text = ""
    state: State = State()


class ResponseUrl(_Payload):
    channel_id: Name
    response_url: Word


class ViewSubmission(InteractionPayload):
    view: ViewPayload
    response_urls: tuple[ResponseUrl, ...] = ()


class ViewActions(InteractionPayload):
    """A click on a control of a modal or of the App Home."""

    view: ViewPayload
    actions: Annotated[tuple[Action, ...], Field(min_length=1)]


class ShortcutPayload(InteractionPayload):
    callback_id: Text
    trigger_id: Text
    action_ts: Stamp | None = None
    channel: Id | None = None
    message: MessagePayload | None = None
    response_url: Word | None = None


class ReactedTo(_Payload):
    type: str = "message"
    channel: Name | None = None
    ts: Stamp | None = None


class ReactionEvent(_Payload):
    user: Name
    reaction: Word
    item: ReactedTo
    event_ts: Stamp
    team: Name | None = None  # of whoever reacted, where Slack says it
    user_team: Name | None = None


class SlashCommand(_Payload):
    user_id: Name
    channel_id: Name
    trigger_id: Word
    text: Text = ""
    response_url: Word | None = None


class ReactionPayload(_Payload):
    """One entry of a message's `reactions`. `users` may name fewer than `count`."""

    name: Text = ""
    users: tuple[Name, ...] = ()
    count: int = 0


class ThreadReply(MessagePayload):
    """A message as conversations.replies gives it."""

    reactions: tuple[ReactionPayload, ...] = ()


# ── what Bolt reads before any listener does ───────────────────────────────────────────────────


class _Typed(_Payload):
    type: str


class _EventHead(_Payload):
    event: _Typed


class _Control(_Payload):
    action_id: str


class _ActionsHead(_Payload):
    actions: Annotated[tuple[_Control, ...], Field(min_length=1)]


class _Called(_Payload):
    callback_id: str


class _View(_Typed, _Called):
    pass


class _ViewHead(_Payload):
    view: _View


class _WorkflowStep(_Called):
    workflow_step: Any


class _CommandHead(_Payload):
    command: str


_HEADS: Final[Mapping[str, type[_Payload]]] = {
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


def _has_shape(shape: type[_Payload], payload: object) -> bool:
    try:
        shape.model_validate(payload)
    except ValidationError:
        return False
    return True


_P = TypeVar("_P", bound=_Payload)


def read(shape: type[_P], payload: object) -> _P:
    """The payload as its model. Raises `UnreadablePayloadError`, which names the fields."""
    try:
        return shape.model_validate(payload)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        wrong = sorted({".".join(map(str, fault["loc"])) for fault in faults})
        raise UnreadablePayloadError(f"{shape.__name__}: {', '.join(wrong)}") from None
