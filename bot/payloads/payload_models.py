"""The shapes of Slack's payloads, as far as we read them. What else a payload holds is left out."""

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

from core.domain.ids import ChannelId, Ts, UserId


class UnreadablePayloadError(Exception):
    """A payload that does not have Slack's shape. Names the fields, never what stood in them."""


def _storable(value: object) -> object:
    # JSON may smuggle in lone surrogates and NUL, which no database takes.
    if not isinstance(value, str):
        return "" if value is None else value
    return value.encode("utf-8", "replace").decode().replace("\x00", "")


_IS_NAME: Final = StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")
Name = Annotated[str, _IS_NAME]
Person = Annotated[UserId, _IS_NAME]
Place = Annotated[ChannelId, _IS_NAME]
Stamp = Annotated[Ts, StringConstraints(pattern=r"^[0-9]{1,16}\.[0-9]{1,12}$")]
Text = Annotated[str, BeforeValidator(_storable)]
Word = Annotated[str, AfterValidator(_storable)]  # as `Text`, but nothing is no word


class Payload(BaseModel):
    # What people wrote must not reach a log by way of a validation error. A shape's validator is
    # built when a payload first has it: most of them are met seldom.
    model_config = ConfigDict(
        extra="ignore", frozen=True, hide_input_in_errors=True, defer_build=True
    )


class File(Payload):
    name: Text = ""
    title: Text = ""
    permalink: Text = ""


class Edited(Payload):
    user: Person
    ts: Stamp


class MessagePayload(Payload):
    ts: Stamp
    thread_ts: Stamp | None = None
    subtype: str | None = None
    user: Person | None = None
    bot_id: str | None = None
    team: Name | None = None  # the author's workspace, which in a shared channel may be another
    user_team: Name | None = None  # the author's where `team` is that of who reads it: in a mention
    text: Text = ""
    edited: Edited | None = None
    files: tuple[File, ...] | None = None

    @property
    def author_team(self) -> str | None:
        return self.user_team or self.team


class MessageEvent(MessagePayload):
    channel: Place
    message: MessagePayload | None = None
    previous_message: MessagePayload | None = None
    deleted_ts: Stamp | None = None


class Envelope(Payload):
    enterprise_id: Name | None = None
    event: dict[str, Any]


class HomeOpened(Payload):
    user: Person
    tab: str = "home"


class PersonPayload(Payload):
    id: Person
    team_id: Name | None = None


class Id(Payload):
    id: Name


class ChannelPayload(Payload):
    id: Place


class Team(Payload):
    id: Name
    enterprise_id: Name | None = None  # of the organization the workspace belongs to


class Container(Payload):
    type: str = "message"
    message_ts: Stamp | None = None
    thread_ts: Stamp | None = None


class Shown(Payload):
    ts: Stamp
    thread_ts: Stamp | None = None


class OptionPayload(Payload):
    value: Word = ""


class Action(Payload):
    action_id: Word
    block_id: Word = ""
    value: Word | None = None
    url: str | None = None
    selected_option: OptionPayload | None = None
    selected_conversation: Name | None = None
    action_ts: Stamp | None = None


class InteractionPayload(Payload):
    """What every interactive payload says of the person, and of where they belong."""

    user: PersonPayload
    team: Team | None = None  # none where the app is installed for a whole organization
    enterprise: Id | None = None
    trigger_id: Text = ""


class BlockActions(InteractionPayload):
    channel: ChannelPayload | None = None
    container: Container = Container()
    message: Shown | None = None
    actions: Annotated[tuple[Action, ...], Field(min_length=1)]
    response_url: Word | None = None


class Filled(Payload):
    """One control of a form as it was submitted."""

    value: Word | None = None
    selected_option: OptionPayload | None = None
    selected_conversation: Name | None = None
    selected_options: tuple[OptionPayload, ...] = ()
    selected_user: Name | None = None


class State(Payload):
    values: dict[str, dict[str, Filled]] = {}


class ViewPayload(Payload):
    id: Name
    type: str = "modal"
    callback_id: Text = ""
    private_metadata: Text = ""
    state: State = State()


class ResponseUrl(Payload):
    channel_id: Place
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
    channel: ChannelPayload | None = None
    message: MessagePayload | None = None
    response_url: Word | None = None


class ReactedTo(Payload):
    type: str = "message"
    channel: Place | None = None
    ts: Stamp | None = None


class ReactionEvent(Payload):
    user: Person
    reaction: Word
    item: ReactedTo
    event_ts: Stamp
    team: Name | None = None  # of whoever reacted, where Slack says it
    user_team: Name | None = None


class SlashCommand(Payload):
    user_id: Person
    channel_id: Place
    trigger_id: Word
    text: Text = ""
    response_url: Word | None = None


class ReactionPayload(Payload):
    """One entry of a message's `reactions`. `users` may name fewer than `count`."""

    name: Text = ""
    users: tuple[Person, ...] = ()
    count: int = 0


class ThreadReply(MessagePayload):
    """A message as conversations.replies gives it."""

    reactions: tuple[ReactionPayload, ...] = ()


_P = TypeVar("_P", bound=Payload)


def read(shape: type[_P], payload: object) -> _P:
    """The payload as its model. Raises `UnreadablePayloadError`, which names the fields."""
    try:
        return shape.model_validate(payload)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        wrong = sorted({".".join(map(str, fault["loc"])) for fault in faults})
        raise UnreadablePayloadError(f"{shape.__name__}: {', '.join(wrong)}") from None
