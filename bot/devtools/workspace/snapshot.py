"""The workspace as one JSON value, and back. It reads and writes no file.

What is under way is not part of it: modals, triggers, tickets, uploads without their last step.
Every field of a person, a channel and a message is carried, so a new one needs nothing here.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from bot.devtools.workspace.state import (
    Channel,
    StoredEphemeral,
    StoredPerson,
    StoredPost,
    WorkspaceState,
)
from bot.devtools.workspace.values import Json, Ping, WorkspaceFile

T = TypeVar("T")


def taken(world: WorkspaceState) -> Json:
    """Everything that is kept, but the files' bytes. The values are the living ones."""
    return {
        "last_us": world.last_us,
        "serial": world.serial,
        "people": [_plain(person) for person in world.people],
        "channels": [_plain(channel) for channel in world.channels],
        "posts": [_plain(post) for post in world.posts.values()],
        "whispers": [_plain(whisper) for whisper in world.whispers],
        "pings": [_plain(ping) for ping in world.pings],
        "files": [_plain(file, without="content") for file in world.files],
        "homes": world.homes,
    }


def _plain(value: Any, without: str = "") -> Json:
    shown: Json = {}
    for name in (field.name for field in fields(value)):
        own = getattr(value, name)
        shown[name] = own.id if isinstance(own, Channel | StoredPerson) else own
    shown.pop(without, None)
    return shown


def put_back(world: WorkspaceState, kept: Json, content: Callable[[str], bytes]) -> None:
    """Make `world` what it was. `content`: a file's bytes by its id.

    Raises whatever a value of the wrong shape raises; `world` is of no use then.
    """
    world.people = [_made(StoredPerson, each) for each in kept["people"]]
    world.channels = [_made(Channel, each) for each in kept["channels"]]
    people = {person.id: person for person in world.people}
    channels = {channel.id: channel for channel in world.channels}
    world.posts = {}
    for each in kept["posts"]:
        post = _made(StoredPost, each | {"channel": channels[each["channel"]]})
        world.posts[post.channel.id, post.ts] = post
    world.whispers = [
        _made(
            StoredEphemeral, each | {"channel": channels[each["channel"]], "to": people[each["to"]]}
        )
        for each in kept["whispers"]
    ]
    world.pings = [_made(Ping, each) for each in kept["pings"]]
    world.files = [
        _made(WorkspaceFile, each | {"content": content(each["id"])}) for each in kept["files"]
    ]
    world.homes = dict(kept["homes"])
    # Never back: a bot that keeps its database takes an id it has seen for a repeated delivery.
    world.last_us = max(world.last_us, int(kept["last_us"]))
    world.serial = max(world.serial, int(kept["serial"]))


def _made(kind: type[T], kept: Json) -> T:
    """What an older version did not write gets its default; what a newer one wrote is left out."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # dataclasses only
    return kind(**{name: value for name, value in kept.items() if name in known})


def readdressed(world: WorkspaceState, old: str, new: str) -> None:
    """Lead the workspace's own links to `new`, when it listened elsewhere before."""
    if old == new:
        return
    shown: list[StoredPost | StoredEphemeral] = [*world.posts.values(), *world.whispers]
    for each in shown:
        each.text = each.text.replace(old, new)
        each.blocks = _replaced(each.blocks, old, new)
    for post in world.posts.values():
        post.files = _replaced(post.files, old, new)
    world.homes = _replaced(world.homes, old, new)


def _replaced(value: Any, old: str, new: str) -> Any:
    match value:
        case str():
            return value.replace(old, new)
        case list():
            return [_replaced(each, old, new) for each in value]
        case dict():
            return {key: _replaced(each, old, new) for key, each in value.items()}
        case _:
            return value
