"""Keeps a team in a folder: read once at the start, written soon after each change.

One file holds the state and another each shared file's bytes. A file is whole or it is not there:
it is written beside its place and then moved. What does not match its digest is damaged, and
nothing of it is used. Who else writes to the folder is not looked after here.
"""

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeVar

from bot.devtools.workspace.slack_team import SlackTeam
from bot.devtools.workspace.state import (
    Channel,
    StoredEphemeral,
    StoredPerson,
    StoredPost,
    WorkspaceState,
)
from bot.devtools.workspace.values import Json, Ping, WorkspaceFile

STATE: Final = "workspace.json"
FILES: Final = "files"
HEADER: Final = "local-workspace 1 "
GATHER_S: Final = 0.02
"""What changes within this time is written together."""
LOOK_S: Final = 0.2
"""So often a keeper looks whether it is to stop, while nothing changes."""
SHARE_MAX: Final = 0.1
"""How much of the time may go into writing: a large state is written less often."""


class DamagedError(Exception):
    """What is kept cannot be used. Its text names the file and what is wrong with it."""


class Keeper:
    """Reads at once, in the constructor; raises `DamagedError`. `start` begins to write."""

    def __init__(self, world: WorkspaceState, folder: Path) -> None:
        self._world = world
        self._folder = folder
        self._url = ""
        self._kept_url = ""
        self._written = world.changes.version
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        if (folder / STATE).exists():
            self._load()

    def start(self, url: str) -> None:
        """`url`: where the workspace listens now; its own links are led there."""
        with self._world.lock:
            if self._kept_url:
                readdress(self._world, self._kept_url, url)
            self._url = self._kept_url = url
        self._folder.mkdir(parents=True, exist_ok=True)
        self._stop.clear()
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write a last time."""
        if self._thread is None:
            return
        self._stop.set()
        self._thread.join()
        self._thread = None
        self.save()

    def save(self) -> None:
        """Write what there is now. A disk that refuses leaves what was there before."""
        with self._world.lock:
            version = self._world.changes.version
            state = snapshot_of(self._world) | {"url": self._url}
            body = json.dumps(state, separators=(",", ":")).encode()
            files = list(self._world.files)
        for file in files:
            self._write_file(file.id, file.content)
        _replace(self._folder / STATE, _header(body) + body)
        self._written = version

    # inside

    def _load(self) -> None:
        path = self._folder / STATE
        try:
            head, _, body = path.read_bytes().partition(b"\n")
            if head + b"\n" != _header(body):
                raise DamagedError(f"{path} is damaged: it is not what was written")
            state: Json = json.loads(body)
            restore(self._world, state, self._content)
            self._kept_url = str(state["url"])
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as cause:
            raise DamagedError(f"{path} cannot be used: {cause}") from cause

    def _content(self, file_id: str) -> bytes:
        path = self._folder / FILES / file_id
        head, _, content = path.read_bytes().partition(b"\n")
        if head + b"\n" != _header(content):
            raise DamagedError(f"{path} is damaged: it is not what was written")
        return content

    def _keep(self) -> None:
        pause_s = GATHER_S
        while not self._stop.wait(pause_s):
            pause_s = GATHER_S
            if self._world.changes.wait(self._written, LOOK_S) == self._written:
                continue
            began = time.monotonic()
            try:
                self.save()
            except OSError:  # a full disk: the next look tries again
                pause_s = LOOK_S
            else:
                pause_s = max(GATHER_S, (time.monotonic() - began) / SHARE_MAX)

    def _write_file(self, file_id: str, content: bytes) -> None:
        path = self._folder / FILES / file_id
        if not path.exists():  # a shared file never changes
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, _header(content) + content)


def _header(body: bytes) -> bytes:
    return f"{HEADER}{hashlib.sha256(body).hexdigest()}\n".encode()


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


T = TypeVar("T")


def snapshot_of(world: WorkspaceState) -> Json:
    """Everything that is kept, but the files' bytes. The values are the living ones.

    Every field of a person, a channel and a message is carried, so a new one needs nothing here.
    What is under way is left out: modals, triggers, tickets, uploads without their last step.
    """
    return {
        "last_us": world.last_us,
        "serial": world.serial,
        "people": [_plain(person) for person in world.people],
        "channels": [_plain(channel) for channel in world.channels],
        "posts": [_plain(post) for post in world.posts.values()],
        "ephemerals": [_plain(ephemeral) for ephemeral in world.ephemerals],
        "pings": [_plain(ping) for ping in world.pings],
        "files": [_plain(file, without="content") for file in world.files],
        "homes": world.homes,
    }


def _plain(value: Any, without: str = "") -> Json:
    plain: Json = {}
    for name in (field.name for field in fields(value)):
        own = getattr(value, name)
        plain[name] = own.id if isinstance(own, Channel | StoredPerson | SlackTeam) else own
    plain.pop(without, None)
    return plain


def restore(world: WorkspaceState, state: Json, content: Callable[[str], bytes]) -> None:
    """Make `world` what it was. `content`: a file's bytes by its id.

    Raises whatever a value of the wrong shape raises; `world` is of no use then.
    """
    world.people = [_made(StoredPerson, row | {"team": world.team}) for row in state["people"]]
    world.channels = [_made(Channel, row) for row in state["channels"]]
    people = {person.id: person for person in world.people}
    channels = {channel.id: channel for channel in world.channels}
    world.posts, world.ephemerals = {}, []
    for row in state["posts"]:
        of = {"channel": channels[row["channel"]], "team": world.team}
        post = _made(StoredPost, row | of)
        world.posts[post.channel.id, post.ts] = post
    for row in state.get("ephemerals", ()):
        of = {"channel": channels[row["channel"]], "to": people[row["to"]], "team": world.team}
        world.ephemerals.append(_made(StoredEphemeral, row | of))
    world.pings = [_made(Ping, row) for row in state["pings"]]
    world.files = [
        _made(WorkspaceFile, row | {"content": content(row["id"])}) for row in state["files"]
    ]
    world.homes = dict(state["homes"])
    # Never back: a bot that keeps its database takes an id it has seen for a repeated delivery.
    world.last_us = max(world.last_us, int(state["last_us"]))
    world.serial = max(world.serial, int(state["serial"]))


def _made(kind: type[T], fields_kept: Json) -> T:
    """What an older version did not write gets its default; what a newer one wrote is left out."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # dataclasses only
    return kind(**{name: value for name, value in fields_kept.items() if name in names})


def readdress(world: WorkspaceState, old: str, new: str) -> None:
    """Lead the workspace's own links to `new`, when it listened elsewhere before."""
    if old == new:
        return
    posts: list[StoredPost | StoredEphemeral] = [*world.posts.values(), *world.ephemerals]
    for message in posts:
        message.text = message.text.replace(old, new)
        message.blocks = _replaced(message.blocks, old, new)
    for post in world.posts.values():
        post.files = _replaced(post.files, old, new)
    world.homes = _replaced(world.homes, old, new)


def _replaced(value: Any, old: str, new: str) -> Any:
    match value:
        case str():
            return value.replace(old, new)
        case list():
            return [_replaced(item, old, new) for item in value]
        case dict():
            return {key: _replaced(item, old, new) for key, item in value.items()}
        case _:
            return value
