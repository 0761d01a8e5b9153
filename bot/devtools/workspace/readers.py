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


def ephemeral(world: WorkspaceState, whisper: StoredEphemeral) -> Ephemeral:
    return Ephemeral(
        to=whisper.to.name,
        channel=whisper.channel.name,
        text=reader_text.plain(whisper.blocks, whisper.text, world.names),
        blocks=tuple(whisper.blocks),
        ts=whisper.ts,
        thread_ts=whisper.thread_ts,
        author=whisper.author,
    )
