"""views.*: modals and the App Home.

docs: reference/methods/views.open, views.push, views.update, views.publish, surfaces/modals
"""

from typing import Any, Final

from bot.local.blocks import view_faults
from bot.local.calling import MISSING, ApiError, Args, Desk, Method, refused
from bot.local.state import OpenModal
from bot.local.values import Json


def open_view(desk: Desk, args: Args) -> Json:
    trigger_id = args.required("trigger_id")
    view = _view(args, "modal")
    person = desk.passes.use_trigger(trigger_id)
    if isinstance(person, str):
        raise ApiError(person)
    shown = desk.workspace.stored_view(view)
    desk.workspace.modals[shown["id"]] = OpenModal(person, shown)
    return {"view": shown}


def update_view(desk: Desk, args: Args) -> Json:
    modal = _modal(desk, args)
    if args.text("hash") not in ("", modal.view["hash"]):
        raise ApiError("hash_conflict")
    modal.view = desk.workspace.stored_view(_view(args, "modal"), modal.view["id"])
    modal.errors = {}
    return {"view": modal.view}


def publish_view(desk: Desk, args: Args) -> Json:
    person = desk.person(args, "user_id")
    before = desk.workspace.homes.get(person.id)
    if before and args.text("hash") not in ("", before["hash"]):
        raise ApiError("hash_conflict")
    view = _view(args, "home")
    shown = desk.workspace.stored_view(view, before["id"] if before else None)
    desk.workspace.homes[person.id] = shown
    return {"view": shown}


def _modal(desk: Desk, args: Args) -> OpenModal:
    for view_id, modal in desk.workspace.modals.items():
        external = modal.view["external_id"]
        if args.text("view_id") == view_id or (external and args.text("external_id") == external):
            return modal
    raise ApiError("not_found")


def _view(args: Args, kind: str) -> Json:
    view: Any = args.object("view", "invalid_arguments")
    if view is MISSING:
        raise refused("invalid_arguments", ["[ERROR] missing required field: view"])
    faults = view_faults(view)
    if not faults and view["type"] != kind:
        faults = [f"[ERROR] must be `{kind}` [json-pointer:/view/type]"]
    if faults:
        raise refused("invalid_arguments", faults)
    return dict(view)


METHODS: Final = {
    "views.open": Method(open_view),
    "views.push": Method(open_view),
    "views.update": Method(update_view),
    "views.publish": Method(publish_view),
}
