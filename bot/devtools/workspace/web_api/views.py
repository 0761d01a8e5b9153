"""views.*: modals and the App Home.

docs: reference/methods/views.open, views.push, views.update, views.publish, surfaces/modals
"""

import json
from typing import Any, Final

from bot.devtools.workspace.blocks.limits import view_faults
from bot.devtools.workspace.delivery.passes import Trigger
from bot.devtools.workspace.people import modal_stack
from bot.devtools.workspace.state import OpenModal
from bot.devtools.workspace.values import Json
from bot.devtools.workspace.web_api.method import (
    MISSING,
    ApiError,
    Args,
    Method,
    MethodContext,
    refused,
)

VIEW_BYTES_MAX: Final = 250_000


def open_view(context: MethodContext, args: Args) -> Json:
    trigger_id, view = args.required("trigger_id"), _view(context, args, "modal")
    _free_external_id(context, view)
    trigger = _used(context, trigger_id)
    modal = modal_stack.opened(context.workspace, trigger.person, view, trigger.channel)
    return {"view": modal.view}


def push_view(context: MethodContext, args: Args) -> Json:
    """Over the view in which the trigger came about; there has to be one. Raises `ApiError`."""
    trigger_id, view = args.required("trigger_id"), _view(context, args, "modal")
    _free_external_id(context, view)
    trigger = _used(context, trigger_id)
    modal = context.workspace.modals.get(trigger.view_id)
    if modal is None:
        raise ApiError("not_found")
    pushed = modal_stack.pushed(context.workspace, modal, view)
    if pushed is None:
        raise ApiError("push_limit_reached")
    return {"view": pushed.view}


def update_view(context: MethodContext, args: Args) -> Json:
    """Replace an open view. Raises `ApiError`."""
    modal = _modal(context, args)
    if args.text("hash") not in ("", modal.view["hash"]):
        raise ApiError("hash_conflict")
    view = _view(context, args, "modal")
    _free_external_id(context, view, besides=modal)
    return {"view": modal_stack.updated(context.workspace, modal, view).view}


def publish_view(context: MethodContext, args: Args) -> Json:
    """Show a view in App Home. Raises `ApiError`."""
    person = context.person(args, "user_id")
    before = context.workspace.homes.get(person.id)
    if before and args.text("hash") not in ("", before["hash"]):
        raise ApiError("hash_conflict")
    view = _view(context, args, "home")
    stored = context.workspace.stored_view(view, before["id"] if before else None)
    context.workspace.homes[person.id] = stored
    context.workspace.changes.count()
    return {"view": stored}


def _modal(context: MethodContext, args: Args) -> OpenModal:
    for view_id, modal in context.workspace.modals.items():
        external = modal.view["external_id"]
        if args.text("view_id") == view_id or (external and args.text("external_id") == external):
            return modal
    raise ApiError("not_found")


def _used(context: MethodContext, trigger_id: str) -> Trigger:
    trigger = context.passes.use_trigger(trigger_id)
    if isinstance(trigger, str):
        raise ApiError(trigger)
    return trigger


def _free_external_id(context: MethodContext, view: Json, besides: OpenModal | None = None) -> None:
    wanted = view.get("external_id")
    external_ids = [
        modal.view["external_id"]
        for modal in context.workspace.modals.values()
        if modal is not besides
    ]
    if wanted and wanted in external_ids:
        raise ApiError("duplicate_external_id")


def _view(context: MethodContext, args: Args, kind: str) -> Json:
    view: Any = args.object("view", "invalid_arguments")
    if view is MISSING:
        raise refused("invalid_arguments", ["[ERROR] missing required field: view"])
    faults = view_faults(view, unknown=context.workspace.unknown_blocks)
    if not faults and view["type"] != kind:
        faults = [f"[ERROR] must be `{kind}` [json-pointer:/view/type]"]
    if faults:
        raise refused("invalid_arguments", faults)
    if len(json.dumps(view, ensure_ascii=False).encode()) > VIEW_BYTES_MAX:
        raise ApiError("view_too_large")
    return dict(view)


METHODS: Final = {
    "views.open": Method(open_view, tier=4),
    "views.push": Method(push_view),
    "views.update": Method(update_view, tier=4),
    "views.publish": Method(publish_view, tier=4),
}
