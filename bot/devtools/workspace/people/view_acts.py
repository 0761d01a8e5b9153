"""What people do beside messages: shortcuts, modals, the App Home.

docs: reference/interaction-payloads/view-interactions-payload, shortcuts-interaction-payload
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

from bot.devtools.workspace.blocks.limits import view_faults
from bot.devtools.workspace.blocks.table import controls, row_of
from bot.devtools.workspace.delivery import payloads
from bot.devtools.workspace.delivery.passes import ReplyPermit
from bot.devtools.workspace.delivery.queue import DeliveryOutcome
from bot.devtools.workspace.people import modal_stack
from bot.devtools.workspace.people.acts import Acts, chosen, with_pick
from bot.devtools.workspace.people.forms import Filling, FormValue, complete, control_name
from bot.devtools.workspace.state import OpenModal, StoredPerson
from bot.devtools.workspace.values import Json

NO_ANSWER: Final = "We had some trouble connecting. Try again?"

RESPONDABLE: Final = ("conversations_select", "channels_select")


class ViewActs(Acts):
    """The rest of the people's side of the façade."""

    def open_home(self, person: str) -> None:
        """Open the app's Home tab."""
        with self.world.lock:
            self._context.announcer.home_opened(self.world.person(person))

    def shortcut(
        self, person: str, callback_id: str, *, channel: str | None = None, ts: str | None = None
    ) -> None:
        """A global shortcut, used while looking at `channel`; with `ts`, one on that message.

        Raises `LookupError` if there is no such message.
        """
        with self.world.lock:
            actor = self.world.person(person)
            about: Json = {"callback_id": callback_id, "action_ts": self.world.next_ts()}
            kind, channel_id = "shortcut", "" if channel is None else self.world.channel(channel).id
            if channel is not None and ts is not None:
                kind, where = "message_action", self.world.channel(channel)
                post = self._shown(channel, ts)
                url = self._response_url(ReplyPermit(actor, where, post))
                clicked = payloads.clicked_message(post, url)
                about |= {key: clicked[key] for key in ("channel", "message", "response_url")}
                about["message_ts"] = post.ts
            self._interact(kind, actor, about, channel=channel_id)

    def click_view(
        self,
        person: str,
        view_id: str,
        action_id: str,
        *,
        value: FormValue | None = None,
        block_id: str | None = None,
        values: Mapping[str, FormValue] | None = None,
    ) -> None:
        """Use a control of a modal or of the App Home; `values`: what is filled in by then."""
        with self.world.lock:
            actor = self.world.person(person)
            view = self._view_of(actor, view_id)
            modal = self.world.modals.get(view_id)
            filling = self._filling(modal, values)
            block, element, picked = chosen(view["blocks"], action_id, value, block_id, filling)
            action = payloads.action(element, block, picked, self.world.next_ts())
            state = {"values": with_pick(view["blocks"], filling, block, element, picked)}
            about: Json = {"container": {"type": "view", "view_id": view_id}}
            about |= {"view": {**view, "state": state}, "actions": [action]}
            self._interact("block_actions", actor, about, channel=filling.channel, view_id=view_id)

    def submit(
        self, person: str, view_id: str, values: Mapping[str, FormValue] | None = None
    ) -> None:
        """Submit a modal; `values`: action id, or "block id|action id", → text, id, or the
        value(s) of the options picked. What is left out has its initial value.

        Raises: `forms.UnfilledError` for what Slack's client would ask to correct.
        """
        with self.world.lock:
            actor = self.world.person(person)
            view = self._view_of(actor, view_id)
            modal = self.world.modals[view_id]
            filling = self._filling(modal, values)
            filled = {**view, "state": {"values": complete(view["blocks"], filling)}}
            self._interact(
                "view_submission",
                actor,
                {"view": filled, "response_urls": self._response_urls(actor, filled)},
                partial(self._submitted, modal),
                channel=modal.channel,
                view_id=view_id,
            )

    def _filling(self, modal: OpenModal | None, values: Mapping[str, FormValue] | None) -> Filling:
        """What is filled in: what is said now, or else what was the last time."""
        names = self.world.names
        if modal is None:
            return Filling(values or {}, names)
        listed = list(controls(modal.view["blocks"]))
        if values is None:
            control_names = {control_name(block, element) for block, element in listed}
            values = {name: modal.filled[name] for name in modal.filled.keys() & control_names}
        filling = Filling(values, names, modal.channel)
        modal.filled = {
            control_name(block, element): value
            for block, element in listed
            if (value := filling.of(block, element)) is not None
        }
        return filling

    def _response_urls(self, actor: StoredPerson, view: Json) -> list[Json]:
        """Where the app may speak in the channels that were chosen, whether it is there or not."""
        urls = []
        inputs = [block for block in view["blocks"] if block["type"] == "input"]
        for block_id, element in controls(inputs):
            if element["type"] not in RESPONDABLE or not element.get("response_url_enabled"):
                continue
            held = view["state"]["values"][block_id][element["action_id"]]
            chosen_id = held[row_of(element).holds]
            if chosen_id is None:
                continue
            about = {"block_id": block_id, "action_id": element["action_id"]}
            url = self._response_url(ReplyPermit(actor, self.world.channel(chosen_id)))
            urls.append({**about, "channel_id": chosen_id, "response_url": url})
        return urls

    def close_view(self, person: str, view_id: str, *, all_views: bool = False) -> None:
        """Close a view without submitting it: the one beneath it comes back.

        `all_views`: the whole modal, as its "x" does; so does any way out of a view that says
        `clear_on_close`.
        """
        with self.world.lock:
            actor = self.world.person(person)
            view = self._view_of(actor, view_id)
            cleared = all_views or bool(view["clear_on_close"])
            for gone in modal_stack.closed(
                self.world, self.world.modals[view_id], all_views=cleared
            ):
                if gone.view["notify_on_close"]:
                    about = {"view": gone.view, "is_cleared": cleared}
                    self._interact("view_closed", actor, about)

    def _view_of(self, actor: StoredPerson, view_id: str) -> Json:
        modal, home = self.world.modals.get(view_id), self.world.homes.get(actor.id)
        if modal is not None and modal.person == actor:
            return modal.view
        if home is not None and home["id"] == view_id:
            return home
        raise LookupError(f"{actor.name} has no view {view_id} open")

    def _submitted(self, modal: OpenModal, outcome: DeliveryOutcome) -> None:
        """Do what the acknowledgement of a submission says."""
        with self.world.lock:
            if modal.view["id"] not in self.world.modals:
                return
            action, view = outcome.body.get("response_action"), outcome.body.get("view")
            faulty = action in ("update", "push") and view_faults(
                view, unknown=self.world.unknown_blocks
            )
            if not outcome.acked or faulty:
                modal.errors = {"": NO_ANSWER}
            elif action == "errors":
                modal.errors = dict(outcome.body.get("errors", {}))
            elif action == "update" and isinstance(view, dict):
                modal_stack.updated(self.world, modal, view)
            elif action == "push" and isinstance(view, dict):
                full = modal_stack.pushed(self.world, modal, view) is None
                modal.errors = {"": NO_ANSWER} if full else {}
            else:
                modal_stack.closed(self.world, modal, all_views=action == "clear")
            self.world.touch(modal)
