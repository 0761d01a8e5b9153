"""Modals as people see them: views one over another, three at most, only the last in sight.

docs: surfaces/modals (The view stack), reference/methods/views.push
"""

from typing import Final

from bot.devtools.workspace.state import OpenModal, StoredPerson, WorkspaceState
from bot.devtools.workspace.values import Json

VIEWS_PER_STACK_MAX: Final = 3


def stack_of(world: WorkspaceState, modal: OpenModal) -> list[OpenModal]:
    """The views of the modal that this one belongs to, the first one first."""
    root = modal.view["root_view_id"]
    return [modal for modal in world.modals.values() if modal.view["root_view_id"] == root]


def opened(world: WorkspaceState, person: StoredPerson, view: Json, channel: str) -> OpenModal:
    """A new modal. `channel`: where the person was, or ""."""
    return _added(world, OpenModal(person, world.stored_view(view), channel=channel))


def pushed(world: WorkspaceState, modal: OpenModal, view: Json) -> OpenModal | None:
    """A view over the last one of this stack; None when the stack is full."""
    stack = stack_of(world, modal)
    if len(stack) >= VIEWS_PER_STACK_MAX:
        return None
    stored = world.stored_view(view, over=stack[-1].view)
    return _added(world, OpenModal(modal.person, stored, channel=modal.channel))


def updated(world: WorkspaceState, modal: OpenModal, view: Json) -> OpenModal:
    """Another view in the same place."""
    modal.view = world.stored_view(view, modal.view["id"], instead=modal.view)
    modal.errors = {}
    world.touch(modal)
    return modal


def closed(world: WorkspaceState, modal: OpenModal, *, all_views: bool) -> list[OpenModal]:
    """Take the view away with what lies over it, or all of its stack; what went, the last first."""
    stack = stack_of(world, modal)
    gone = stack if all_views else stack[stack.index(modal) :]
    for top in gone:
        world.modals.pop(top.view["id"], None)
    world.changes.count()
    return gone[::-1]


def _added(world: WorkspaceState, modal: OpenModal) -> OpenModal:
    world.modals[modal.view["id"]] = modal
    world.touch(modal)
    return modal
