"""What people do in the workspace: say, edit, delete, command, click, react.

Every act returns at once; what follows from it is delivered on the server's own loop.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from bot.devtools.workspace.blocks.table import controls, feedback_of, options_of, row_of
from bot.devtools.workspace.delivery import payloads
from bot.devtools.workspace.delivery.passes import ReplyPermit
from bot.devtools.workspace.delivery.queue import DeliveryOutcome, Parcel, PostOffice
from bot.devtools.workspace.people.forms import Filling, FormValue, held_by, so_far
from bot.devtools.workspace.state import (
    BOT_NAME,
    Channel,
    StoredEphemeral,
    StoredPerson,
    StoredPost,
    WorkspaceState,
)
from bot.devtools.workspace.text import typed
from bot.devtools.workspace.values import Json, WorkspaceFile
from bot.devtools.workspace.web_api.files import file_shown
from bot.devtools.workspace.web_api.method import MethodContext


class NotInstalledError(ValueError):
    """The app is not installed in this team, so nobody can use it."""


class Acts:
    """The people's side of the façade. Names or ids are taken wherever one is meant.

    What needs the app raises `NotInstalledError` in a team without it.
    """

    world: WorkspaceState
    _context: MethodContext
    _office: PostOffice
    _others: Mapping[str, "Acts"] = MappingProxyType({})  # of the other teams, by team

    def say(
        self,
        person: str,
        channel: str,
        text: str,
        *,
        thread_ts: str | None = None,
        files: Sequence[str] = (),
        literal: bool = True,
    ) -> str:
        """Post as `person`; the message's ts. `literal` is what was typed, else raw text.

        Raises `ValueError` where they cannot post, `LookupError` for a thread that is not there.
        """
        with self.world.lock:
            author, where = self.world.person(person), self.world.channel(channel)
            if where.archived:
                raise ValueError(f"#{where.name} is archived: nobody can post in it")
            if not where.has(author):
                raise ValueError(f"{author.name} is not in #{where.name}")
            if thread_ts is not None and self.world.find(where, thread_ts) is None:
                raise LookupError(f"no message {thread_ts} in #{where.name} to reply to")
            post = StoredPost(
                channel=where,
                ts=self.world.next_ts(),
                user=author.id,
                text=typed(text, self.world.mentionable) if literal else text,
                thread_ts=thread_ts and self.world.posts[where.id, thread_ts].root_ts,
                files=[self._file(name, author, where) for name in files],
                client_msg_id=self.world.next_id("m"),
                team=self.world.team,
            )
            self.world.add(post)
            self._context.announcer.posted(post)
            return post.ts

    def edit(self, person: str, channel: str, ts: str, text: str) -> None:
        with self.world.lock:
            post = self._own(person, channel, ts)
            before = payloads.message(post)
            post.text = typed(text, self.world.mentionable)
            post.edited_ts = self.world.next_ts()
            self._context.announcer.changed(post, before)

    def delete(self, person: str, channel: str, ts: str) -> None:
        with self.world.lock:
            self._context.announcer.delete(self._own(person, channel, ts))

    def react(self, person: str, channel: str, ts: str, name: str, *, remove: bool = False) -> None:
        """React to a message, or take it off. Raises `ValueError` if that is so already."""
        name = name.strip(":")
        with self.world.lock:
            user, post = self.world.person(person).id, self._shown(channel, ts)
            if not self._context.announcer.react(post, name, user, remove=remove):
                state = "not there" if remove else "already there"
                raise ValueError(f"{person}'s :{name}: is {state}")

    def command(self, person: str, channel: str, line: str) -> None:
        """Type a slash command; what the app answers becomes an ephemeral for `person`.

        Raises `ValueError` for a line that is no command.
        """
        if not line.startswith("/"):
            raise ValueError(f"a command begins with a slash: {line!r}")
        with self.world.lock:
            self._need_app()
            reply = ReplyPermit(self.world.person(person), self.world.channel(channel))
            trigger_id = self._trigger(reply.person, channel=reply.channel.id)
            form = payloads.slash_command(
                reply.person, reply.channel, line, self._response_url(reply), trigger_id
            )
            settled = partial(self._context.announcer.command_settled, reply, form["command"])
            self._office.send(Parcel("slash_commands", form["command"], trigger_id, form, settled))

    def click(
        self,
        person: str,
        channel: str,
        ts: str,
        action_id: str,
        *,
        value: FormValue | None = None,
        block_id: str | None = None,
    ) -> None:
        """Use a button of one message, or give a select, a menu or a picker its `value`."""
        with self.world.lock:
            actor, where = self.world.person(person), self.world.channel(channel)
            post = self.world.find_ephemeral(where, ts, actor) or self._shown(channel, ts)
            filling = Filling({}, self.world.names, where.id)
            block, element, picked = chosen(post.blocks, action_id, value, block_id, filling)
            owner = self._owner(post)
            url = owner._response_url(ReplyPermit(actor, where, post))
            about = payloads.clicked_message(post, url)
            about["actions"] = [payloads.action(element, block, picked, self.world.next_ts())]
            about["state"] = {"values": with_pick(post.blocks, filling, block, element, picked)}
            owner._interact("block_actions", actor, about, channel=where.id)

    def set_bot_in(self, channel: str, *, is_in: bool) -> None:
        """`/invite` the app to a channel, or remove it: then it may neither post nor hear there."""
        with self.world.lock:
            where = self.world.channel(channel)
            where.has_bot, where.bot_since = is_in, self.world.next_ts()
            self.world.changes.count()

    def set_person_in(self, person: str, channel: str, *, is_in: bool) -> None:
        """Let somebody into a channel, or remove them: then they may neither write nor be told."""
        with self.world.lock:
            actor, where = self.world.person(person), self.world.channel(channel)
            others = [id_ for id_ in where.without if id_ != actor.id]
            where.without = others if is_in else [*others, actor.id]

    def archive(self, channel: str, *, archived: bool = True) -> None:
        """Close a channel: it can be read, and nothing can be said in it. Or open it again."""
        with self.world.lock:
            self.world.channel(channel).archived = archived

    def connect(self, channel: str, *, connected: bool = True) -> None:
        """Share a channel with another organisation (Slack Connect), or with nobody any more."""
        with self.world.lock:
            self.world.channel(channel).connected = connected

    def _interact(
        self,
        kind: str,
        actor: StoredPerson,
        about: Json,
        settled: Callable[[DeliveryOutcome], None] | None = None,
        *,
        channel: str = "",
        view_id: str = "",
    ) -> None:
        self._need_app()
        trigger_id = self._trigger(actor, channel=channel, view_id=view_id)
        payload = payloads.interaction(kind, actor, trigger_id, self.world.team) | about
        self._office.send(Parcel("interactive", kind, trigger_id, payload, settled))

    def _trigger(self, actor: StoredPerson, *, channel: str, view_id: str = "") -> str:
        trigger_id = self.world.next_id("tr")
        return self._context.passes.add_trigger(trigger_id, actor, channel=channel, view_id=view_id)

    def _response_url(self, reply: ReplyPermit) -> str:
        reply_id = self._context.passes.add_reply(self.world.next_id("r"), reply)
        return f"{self._context.host_url}response/{reply_id}"

    def _owner(self, post: StoredPost | StoredEphemeral) -> "Acts":
        """The team whose app put that there; in a shared channel it may be another one."""
        return self._others.get(post.team.id, self)

    def _need_app(self) -> None:
        if not self._context.installation.is_active:
            raise NotInstalledError(f"{BOT_NAME} is not installed in this workspace")

    def _shown(self, channel: str, ts: str) -> StoredPost:
        where = self.world.channel(channel)
        post = self.world.find(where, ts)
        if post is None:
            raise LookupError(f"no message {ts} in #{where.name}")
        return post

    def _own(self, person: str, channel: str, ts: str) -> StoredPost:
        post = self._shown(channel, ts)
        if post.user != self.world.person(person).id:
            raise PermissionError(f"the message {ts} is not {person}'s")
        return post

    def _file(self, name: str, author: StoredPerson, where: Channel) -> Json:
        file_id = self.world.next_id("F")
        file = WorkspaceFile(file_id, name, name, b"", where.name, None)
        return file_shown(self._context.workspace_url, file, author.id)


def chosen(
    blocks: Sequence[Json],
    action_id: str,
    value: FormValue | None,
    block_id: str | None,
    filling: Filling,
) -> tuple[str, Json, Json]:
    """The one control meant, with its block's id and what it holds once `value` is given to it.

    Raises `LookupError` if there is none, or more than one.
    """
    matches: list[tuple[str, Json, Json]] = []
    for block, element in controls(blocks):
        if element["action_id"] == action_id and block_id in (None, block):
            picked = _given_to(element, value, filling)
            if picked is not None:
                matches.append((block, element, picked))
    if len(matches) != 1:
        offers = [(element["action_id"], _offers(element)) for _, element in controls(blocks)]
        how_many = "several controls" if matches else "no control"
        raise LookupError(
            f"{how_many} {action_id!r} with value {value!r} in this message; it shows {offers}"
        )
    return matches[0]


def _offers(element: Json) -> str | list[str]:
    """The values that a control may be given."""
    if element["type"] == "feedback_buttons":
        return [button["value"] for button in feedback_of(element)]
    return element.get("value") or [option["value"] for option in options_of(element)]


def _given_to(element: Json, value: FormValue | None, filling: Filling) -> Json | None:
    """What the control holds then; None when it is not one to which `value` can be given."""
    if element["type"] == "overflow":
        picked = [option for option in options_of(element) if option["value"] == value]
        return {"selected_option": picked[0]} if picked else None
    if element["type"] == "feedback_buttons":
        buttons = [button for button in feedback_of(element) if button["value"] == value]
        return {"text": buttons[0]["text"], "value": value} if buttons else None
    if not row_of(element).holds:
        return {} if value in (None, element.get("value")) else None
    if value is None:
        return None
    try:
        held = held_by(element, value, filling)
    except LookupError:
        return None
    return {key: part for key, part in held.items() if key != "type"}


def with_pick(
    blocks: Sequence[Json], filling: Filling, block_id: str, element: Json, picked: Json
) -> Json:
    """`state.values` once a control has been used."""
    state = so_far(blocks, filling)
    if row_of(element).holds:
        state[block_id][element["action_id"]] = {"type": element["type"], **picked}
    return state
