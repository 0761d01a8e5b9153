"""What people do beside messages: shortcuts, modals, the App Home.

docs: reference/interaction-payloads/view-interactions-payload, shortcuts-interaction-payload
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from bot.local import payloads, render
from bot.local.acts import chosen
from bot.local.blocks import view_faults
from bot.local.calling import Desk
from bot.local.delivery import Outcome, Parcel, PostOffice
from bot.local.passes import Reply
from bot.local.state import OpenModal, Person
from bot.local.values import Json

NO_ANSWER: Final = "We had some trouble connecting. Try again?"

VALUE_OF: Final[Mapping[str, str]] = {
    "channels_select": "selected_channel",
    "conversations_select": "selected_conversation",
    "users_select": "selected_user",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
}
"""Controls whose value is neither a text nor one of their own options."""


class ViewActs:
    """The rest of the people's side of the façade."""

    _desk: Desk
    _office: PostOffice

    def open_home(self, person: str) -> None:
        """Open the app's Home tab."""
        with self._desk.workspace.lock:
            self._desk.announcer.home_opened(self._desk.workspace.person(person))

    def shortcut(
        self, person: str, callback_id: str, *, channel: str | None = None, ts: str | None = None
    ) -> None:
        """A global shortcut, or with `channel` and `ts` a shortcut on that message."""
        world = self._desk.workspace
        with world.lock:
            who = world.person(person)
            about: Json = {"callback_id": callback_id, "action_ts": world.next_ts()}
            kind = "shortcut"
            if channel is not None and ts is not None:
                kind, where = "message_action", world.channel(channel)
                post = world.find(where, ts)
                if post is None:
                    raise LookupError(f"no message {ts} in #{where.name}")
                reply_id = self._desk.passes.add_reply(world.next_id("r"), Reply(who, where, post))
                url = f"{self._desk.workspace_url}response/{reply_id}"
                clicked = payloads.clicked_message(post, url)
                about |= {key: clicked[key] for key in ("channel", "message", "response_url")}
                about["message_ts"] = post.ts
            self._interact(kind, who, about)

    def click_view(
        self,
        person: str,
        view_id: str,
        action_id: str,
        *,
        value: str | None = None,
        block_id: str | None = None,
    ) -> None:
        """Use a control of a modal or of the App Home."""
        world = self._desk.workspace
        with world.lock:
            who = world.person(person)
            view = self._view_of(who, view_id)
            block, element, option = chosen(view["blocks"], action_id, value, block_id)
            action = payloads.action(element, block, option, world.next_ts())
            container = {"type": "view", "view_id": view_id}
            self._interact(
                "block_actions", who, {"container": container, "view": view, "actions": [action]}
            )

    def submit(
        self, person: str, view_id: str, values: Mapping[str, str | Sequence[str]] | None = None
    ) -> None:
        """Submit a modal; `values`: action id → text, or the value(s) of the options picked."""
        world = self._desk.workspace
        with world.lock:
            who = world.person(person)
            view = self._view_of(who, view_id)
            filled = {**view, "state": {"values": state_of(view["blocks"], values or {})}}
            modal = world.modals[view_id]
            self._interact(
                "view_submission",
                who,
                {"view": filled, "response_urls": self._response_urls(who, filled)},
                partial(self._submitted, modal),
            )

    def _response_urls(self, who: Person, view: Json) -> list[Json]:
        """Where the app may speak in the channels that were chosen, whether it is there or not."""
        world, found = self._desk.workspace, []
        for block_id, element in render.controls(view["blocks"]):
            filled = view["state"]["values"].get(block_id, {}).get(element["action_id"], {})
            chosen_id = filled.get("selected_conversation")
            if chosen_id is None or not element.get("response_url_enabled"):
                continue
            reply_id = self._desk.passes.add_reply(
                world.next_id("r"), Reply(who, world.channel(chosen_id))
            )
            about = {"block_id": block_id, "action_id": element["action_id"]}
            url = f"{self._desk.workspace_url}response/{reply_id}"
            found.append({**about, "channel_id": chosen_id, "response_url": url})
        return found

    def close_view(self, person: str, view_id: str) -> None:
        """Close a modal without submitting it."""
        world = self._desk.workspace
        with world.lock:
            who = world.person(person)
            view = self._view_of(who, view_id)
            del world.modals[view_id]
            if view.get("notify_on_close"):
                self._interact("view_closed", who, {"view": view, "is_cleared": False})

    def _interact(
        self, kind: str, who: Person, about: Json, settled: Callable[[Outcome], None] | None = None
    ) -> None:
        world = self._desk.workspace
        trigger_id = self._desk.passes.add_trigger(world.next_id("tr"), who)
        payload = payloads.interaction(kind, who, trigger_id) | about
        self._office.send(Parcel("interactive", kind, trigger_id, payload, settled))

    def _view_of(self, who: Person, view_id: str) -> Json:
        world = self._desk.workspace
        modal, home = world.modals.get(view_id), world.homes.get(who.id)
        if modal is not None and modal.person == who:
            return modal.view
        if home is not None and home["id"] == view_id:
            return home
        raise LookupError(f"{who.name} has no view {view_id} open")

    def _submitted(self, modal: OpenModal, outcome: Outcome) -> None:
        """Do what the acknowledgement of a submission says."""
        world = self._desk.workspace
        with world.lock:
            action, view = outcome.body.get("response_action"), outcome.body.get("view")
            faulty = action in ("update", "push") and view_faults(view)
            if not outcome.acked or faulty:
                modal.errors = {"": NO_ANSWER}
            elif action == "errors":
                modal.errors = dict(outcome.body.get("errors", {}))
            elif action == "update" and isinstance(view, dict):
                modal.view, modal.errors = world.stored_view(view, modal.view["id"]), {}
            elif action == "push" and isinstance(view, dict):
                pushed = world.stored_view(view)
                world.modals[pushed["id"]] = OpenModal(modal.person, pushed)
            elif action == "clear":
                for view_id in [i for i, m in world.modals.items() if m.person == modal.person]:
                    del world.modals[view_id]
            else:
                world.modals.pop(modal.view["id"], None)


def state_of(blocks: Sequence[Json], values: Mapping[str, str | Sequence[str]]) -> Json:
    """`view.state.values` of a filled form; a missing answer is refused as Slack's client does."""
    state: Json = {}
    unknown = set(values)
    for block_id, element in render.controls(blocks):
        if element["type"] in ("button", "overflow"):
            continue
        action_id = element["action_id"]
        unknown.discard(action_id)
        state.setdefault(block_id, {})[action_id] = _filled(element, values.get(action_id))
    if unknown:
        raise LookupError(f"this form has no {', '.join(sorted(unknown))}")
    for block in blocks:
        if block["type"] == "input" and not block.get("optional"):
            filled = state[block["block_id"]][block["element"]["action_id"]]
            if not any(value for key, value in filled.items() if key != "type"):
                raise ValueError(f"{block['label']['text']!r} must be filled in")
    return state


def _filled(element: Json, given: str | Sequence[str] | None) -> Json:
    kind = element["type"]
    if "options" in element or "option_groups" in element:
        many = kind.startswith(("multi_", "checkboxes"))
        initial = element.get("initial_options", []) if many else element.get("initial_option")
        if given is None:
            picked = initial
        else:
            wanted = {given} if isinstance(given, str) else set(given)
            found = [one for one in payloads.options_of(element) if one["value"] in wanted]
            if len(found) != len(wanted):
                raise LookupError(f"{element['action_id']!r} does not offer {sorted(wanted)}")
            picked = found if many else found[0]
        return {"type": kind, "selected_options" if many else "selected_option": picked}
    key = VALUE_OF.get(kind, "value")
    initial = element.get(f"initial_{key.removeprefix('selected_')}")
    return {"type": kind, key: initial if given is None else given}
