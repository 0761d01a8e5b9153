"""From what is stored to what a reader gets: messages, ephemerals, modals as frozen values.

Called with the workspace's lock held.
"""

from bot.devtools.workspace import reader_text
from bot.devtools.workspace.state import OpenModal, StoredEphemeral, StoredPost, WorkspaceState
from bot.devtools.workspace.values import Ephemeral, Modal, WorkspaceMessage


def message(world: WorkspaceState, post: StoredPost) -> WorkspaceMessage:
    names = world.names
    return WorkspaceMessage(
        ts=post.ts,
        thread_ts=post.thread_ts,
        author_id=post.user,
        author=post.username or names.users[post.user],
        text=post.text,
        blocks=tuple(post.blocks),
        plain=reader_text.plain(post.blocks, post.text, names),
        reactions={
            name: tuple(names.users[user] for user in users)
            for name, users in post.reactions.items()
        },
        edited=post.edited_ts is not None,
        deleted=post.deleted,
        metadata=post.metadata,
        channel=post.channel.name,
        files=tuple(file["name"] for file in post.files),
    )


def modal(world: WorkspaceState, opened: OpenModal) -> Modal:
    view = opened.view
    return Modal(
        id=view["id"],
        to=opened.person.name,
        title=view["title"]["text"],
        callback_id=view["callback_id"],
        plain=reader_text.plain(view["blocks"], "", world.names),
        view=view,
        errors=dict(opened.errors),
        channel=opened.channel,
        filled=dict(opened.filled),
    )


def ephemeral(world: WorkspaceState, stored: StoredEphemeral) -> Ephemeral:
    return Ephemeral(
        to=stored.to.name,
        channel=stored.channel.name,
        text=reader_text.plain(stored.blocks, stored.text, world.names),
        blocks=tuple(stored.blocks),
        ts=stored.ts,
        thread_ts=stored.thread_ts,
        author=stored.author,
    )
