"""What the page lets people do: a table of acts, and a kind line for each that cannot be done.

What comes from the browser is checked here; what an act means is said in `acts` and `view_acts`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, get_args

from bot.devtools.workspace.page.manifest import Offers
from bot.devtools.workspace.page.reading import Marks
from bot.devtools.workspace.people.acts import NotInstalledError
from bot.devtools.workspace.people.forms import UnfilledError
from bot.devtools.workspace.state import BOT_NAME, Channel, StoredPerson, WorkspaceState
from bot.devtools.workspace.values import FaultKind
from bot.devtools.workspace.web_api.chat import REACTION_NAME

if TYPE_CHECKING:
    from bot.devtools.workspace.team import LocalTeam

TEXT_CHARS_MAX: Final = 40_000
FAULT_SECONDS_MAX: Final = 600
FAULT_TIMES_MAX: Final = 100
POST: Final = "chat.postMessage"
INVITE: Final = f"/invite @{BOT_NAME}"

Answer = dict[str, Any]


class RefusedError(Exception):
    """It cannot be done; `line` says why, to the person."""

    def __init__(self, status: int, line: str) -> None:
        super().__init__(line)
        self.status = status
        self.line = line


class SentFields:
    """What the browser sent. A missing or odd field is refused when it is asked for.

    Raises `RefusedError`.
    """

    def __init__(self, fields: Mapping[str, object]) -> None:
        self._fields = fields

    def text(self, name: str, default: str | None = None) -> str:
        value = self._fields.get(name, default)
        if value is None:
            value = default
        if not isinstance(value, str):
            raise RefusedError(400, f"The page sent no {name}. Please reload it.")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise RefusedError(422, "This text has characters that cannot be sent.")
        return value

    def choice(self, name: str) -> str | list[str] | None:
        """What was picked: one value, several of them, or nothing."""
        value = self._fields.get(name)
        if not isinstance(value, list):
            return self.text(name, "") or None
        return [SentFields({name: item}).text(name) for item in value]

    def number(self, name: str, least: int, most: int) -> int:
        value = self._fields.get(name, least)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise RefusedError(422, f"Choose {name} from {least} to {most}.")
        return value

    def flag(self, name: str) -> bool:
        return self._fields.get(name) is True

    def values(self, name: str) -> dict[str, str | list[str]]:
        field = self._fields.get(name, {})
        if not isinstance(field, dict):
            raise RefusedError(400, f"The page sent no {name}. Please reload it.")
        filled: dict[str, str | list[str]] = {}
        for key, value in field.items():
            several = isinstance(value, list) and all(isinstance(item, str) for item in value)
            if not isinstance(key, str) or not (several or isinstance(value, str)):
                raise RefusedError(400, "The form was sent in an odd way. Please reload the page.")
            for item in value if isinstance(value, list) else [value]:
                SentFields({"value": item}).text("value")
            filled[key] = value
        return filled


@dataclass(frozen=True, slots=True)
class ActContext:
    """What an act works with."""

    slack: "LocalTeam"
    world: WorkspaceState
    marks: Marks
    offers: Offers


@dataclass(frozen=True, slots=True)
class Act:
    """`lost` is said when what it is about is not there (any more)."""

    run: Callable[[ActContext, StoredPerson, SentFields], Answer | None]
    lost: str = "That message is not there any more."


def perform(context: ActContext, name: str, fields: Mapping[str, object]) -> Answer:
    """Do it, or raise `RefusedError`."""
    act = ACTS.get(name)
    if act is None:
        raise RefusedError(404, "The page knows no such act. Please reload it.")
    sent = SentFields(fields)
    actor = person(context.world, sent.text("as"))
    try:
        return act.run(context, actor, sent) or {}
    except LookupError:
        raise RefusedError(404, act.lost) from None
    except PermissionError:
        raise RefusedError(403, "Only its author can change this message.") from None
    except NotInstalledError:
        raise RefusedError(422, f"{BOT_NAME} is not installed here.") from None
    except ValueError:
        raise RefusedError(422, "That has been done already.") from None


def person(world: WorkspaceState, id_: str) -> StoredPerson:
    """A person by name or id. Raises `RefusedError` for anybody else."""
    for candidate in world.people:
        if candidate.id == id_:
            return candidate
    raise RefusedError(404, "Nobody here has that name.")


def channel(world: WorkspaceState, id_: str) -> Channel:
    """A channel by name or id. Raises `RefusedError` for any other."""
    for candidate in world.channels:
        if candidate.id == id_:
            return candidate
    raise RefusedError(404, "There is no such channel.")


def _channel(context: ActContext, sent: SentFields) -> str:
    return channel(context.world, sent.text("channel")).id


def _words(sent: SentFields) -> str:
    text = sent.text("text")
    if not text.strip():
        raise RefusedError(422, "There is nothing to send yet.")
    if len(text) > TEXT_CHARS_MAX:
        raise RefusedError(
            413, f"A message holds {TEXT_CHARS_MAX:,} characters; this one has {len(text):,}."
        )
    return text


# messages


def _say(context: ActContext, actor: StoredPerson, sent: SentFields) -> Answer:
    where, text = _channel(context, sent), _words(sent)
    thread = sent.text("thread", "") or None
    if text.startswith("/"):
        return _command(context, actor, where, text.strip(), in_thread=thread is not None)
    return {"ts": context.slack.say(actor.id, where, text, thread_ts=thread)}


def _command(
    context: ActContext, actor: StoredPerson, where: str, line: str, *, in_thread: bool
) -> Answer:
    command = line.split(maxsplit=1)[0]
    if line == INVITE:  # Slack's own
        if not context.slack.installed:
            raise NotInstalledError
        context.slack.set_bot_in(where, is_in=True)
        return {}
    commands = [offered.command for offered in context.offers.commands]
    if commands and command not in commands:
        raise RefusedError(422, f"{command} is no command here. There is {', '.join(commands)}.")
    if in_thread:
        raise RefusedError(422, f"{command} does not work in a thread. Type it in the channel.")
    context.slack.command(actor.id, where, line)
    return {}


def _edit(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    context.slack.edit(actor.id, _channel(context, sent), sent.text("ts"), _words(sent))


def _delete(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    context.slack.delete(actor.id, _channel(context, sent), sent.text("ts"))


def _react(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    name = sent.text("name")
    if not REACTION_NAME.fullmatch(name):
        raise RefusedError(422, "There is no such reaction.")
    where, ts = _channel(context, sent), sent.text("ts")
    context.slack.react(actor.id, where, ts, name, remove=sent.flag("remove"))


def _dismiss(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    with context.world.lock:
        context.marks.dismissed.add((_channel(context, sent), sent.text("ts")))
        context.world.changes.count()


def _read(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    where, root, ts = _channel(context, sent), sent.text("thread", ""), sent.text("ts")
    with context.world.lock:
        if not context.marks.mark(actor.id, where, root, ts):
            return
        post = context.world.posts.get((where, root))
        if post is not None:
            context.world.touch(post)
        else:
            context.world.changes.count()


# controls, modals, the Home


def _click(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    action_id, block_id = sent.text("action_id"), sent.text("block_id", "") or None
    value = sent.choice("value")
    view_id = sent.text("view_id", "")
    if view_id:
        values = _form(sent)
        context.slack.click_view(
            actor.id, view_id, action_id, value=value, block_id=block_id, values=values
        )
        return
    where, ts = _channel(context, sent), sent.text("ts")
    context.slack.click(actor.id, where, ts, action_id, value=value, block_id=block_id)


def _shortcut(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    callback_id, ts = sent.text("callback_id"), sent.text("ts", "") or None
    ids = [shortcut.callback_id for shortcut in context.offers.of("message" if ts else "global")]
    if callback_id not in ids:
        raise RefusedError(404, "There is no such shortcut.")
    context.slack.shortcut(actor.id, callback_id, channel=_channel(context, sent), ts=ts)


def _submit(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    view_id, values = sent.text("view_id"), _form(sent)
    try:
        context.slack.submit(actor.id, view_id, values)
    except UnfilledError as unfilled:
        with context.world.lock:
            modal = context.world.modals[view_id]
            modal.errors = dict(unfilled.wrong)
            context.world.touch(modal)


def _form(sent: SentFields) -> dict[str, str | list[str]]:
    values = sent.values("values")
    if any(len(text) > TEXT_CHARS_MAX for value in values.values() for text in _each(value)):
        raise RefusedError(413, f"A field holds {TEXT_CHARS_MAX:,} characters.")
    return values


def _each(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _close_view(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    context.slack.close_view(actor.id, sent.text("view_id"), all_views=sent.flag("all_views"))


def _open_home(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    context.slack.open_home(actor.id)


# trouble


def _inject(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    kind = sent.text("kind")
    if kind not in get_args(FaultKind):
        raise RefusedError(422, "There is no such trouble.")
    seconds = sent.number("seconds", 1, FAULT_SECONDS_MAX)
    times = sent.number("times", 1, FAULT_TIMES_MAX)
    method = POST if kind == "429" else None  # Slack limits each method by itself
    context.slack.inject(kind, method=method, retry_after=seconds, times=times)  # type: ignore[arg-type]


def _unrevoke(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    context.slack.unrevoke()


def _uninstall(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    context.slack.uninstall()


def _disconnect(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    context.slack.front.disconnect("close")


def _clear(context: ActContext, actor: StoredPerson, sent: SentFields) -> None:
    context.slack.clear_faults()


NO_VIEW: Final = "This window is closed already, or it is not yours."

ACTS: Final[Mapping[str, Act]] = {
    "say": Act(_say, "The thread you answer to is not there any more."),
    "edit": Act(_edit),
    "delete": Act(_delete),
    "react": Act(_react),
    "dismiss": Act(_dismiss),
    "read": Act(_read),
    "click": Act(_click, "That control is not there any more."),
    "shortcut": Act(_shortcut),
    "submit": Act(_submit, NO_VIEW),
    "close_view": Act(_close_view, NO_VIEW),
    "open_home": Act(_open_home),
    "inject": Act(_inject),
    "unrevoke": Act(_unrevoke),
    "disconnect": Act(_disconnect),
    "uninstall": Act(_uninstall),
    "clear": Act(_clear),
}
