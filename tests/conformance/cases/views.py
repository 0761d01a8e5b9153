"""views.open, views.push, views.update and views.publish: triggers, stacks, hashes, limits."""

from typing import Any, Final

from tests.conformance.cases.building import (
    MARK,
    NO_SUCH_ERROR,
    SOMETHING,
    button,
    holding,
    modal,
    plain,
    section,
)
from tests.conformance.values import (
    CHANNEL,
    PERSON,
    Act,
    Call,
    Case,
    Said,
    method_page,
    ok,
    refused,
)

OPEN: Final = method_page("views.open")
PUSH: Final = method_page("views.push")
UPDATE: Final = method_page("views.update")
PUBLISH: Final = method_page("views.publish")
MODALS: Final = "surfaces/modals"
NO_TRIGGER: Final = "132456.7890123.abcdef"
HOME: Final = "would replace a person's Home tab"
SHORTCUT: Final = Act("shortcut", {"person": PERSON, "callback_id": "start", "channel": CHANNEL})
WITH_BUTTON: Final = modal(blocks=[{"type": "actions", "elements": [button()]}])
INPUT: Final = {
    "type": "input",
    "block_id": "said",
    "label": plain("Say"),
    "element": {"type": "plain_text_input", "action_id": "said"},
}


def opened(view: dict[str, Any] = WITH_BUTTON, trigger: int = 0) -> Call:
    return Call("views.open", {"trigger_id": Said(trigger, "trigger_id"), "view": view})


def clicked(in_view: int) -> Act:
    """Somebody uses the button of the view that an earlier step answered."""
    where = Said(in_view, "view.id")
    return Act("click_view", {"person": PERSON, "view_id": where, "action_id": "go"})


def pushed(trigger: int, view: dict[str, Any] = WITH_BUTTON) -> Call:
    return Call("views.push", {"trigger_id": Said(trigger, "trigger_id"), "view": view})


def updated(view: dict[str, Any] | None = None, **args: Any) -> Call:
    given = {"view_id": Said(1, "view.id"), "view": view or modal("Other")} | args
    return Call("views.update", given)


def published(view: dict[str, Any] | None = None, **args: Any) -> Call:
    home = view or {"type": "home", "blocks": [section(MARK)]}
    return Call("views.publish", {"user_id": PERSON, "view": home, **args})


def refuses_view(name: str, what: str, view: dict[str, Any], pointer: str) -> Case:
    """Nobody's trigger: a view that is not valid is refused before it is looked at."""
    return Case(
        f"open.{name}",
        what,
        "reference/views/modal-views",
        Call("views.open", {"trigger_id": NO_TRIGGER, "view": view}),
        refused("invalid_arguments", {"response_metadata.messages": holding(pointer)}),
        basis="observed",
        note="Slack's answers in public threads name the place by a JSON pointer",
    )


THREE_VIEWS: Final = (
    SHORTCUT, opened(), clicked(1), pushed(2), clicked(3), pushed(4), clicked(5),
)  # fmt: skip

OPENED: Final = (
    Case("open", "a modal, and how the answer describes it", OPEN, opened(),
         ok({"view.id": SOMETHING, "view.hash": SOMETHING, "view.type": "modal",
             "view.root_view_id": SOMETHING, "view.previous_view_id": None,
             "view.state.values": {}, "view.blocks.0.block_id": SOMETHING}), (SHORTCUT,)),
    Case("open.trigger", "a trigger that is none", OPEN,
         Call("views.open", {"trigger_id": NO_TRIGGER, "view": modal()}),
         refused("invalid_trigger_id")),
    Case("open.trigger-twice", "a trigger works once", OPEN, opened(),
         refused("exchanged_trigger_id"), (SHORTCUT, opened())),
    Case("open.external-id", "an external_id that is taken", OPEN,
         opened(modal(external_id="ours"), trigger=2), refused("duplicate_external_id"),
         (SHORTCUT, opened(modal(external_id="ours")), SHORTCUT)),
    Case("open.no-view", "no view", OPEN, Call("views.open", {"trigger_id": NO_TRIGGER}),
         refused("invalid_arguments"), basis="our reading", note=NO_SUCH_ERROR),
    refuses_view("title", "a title of more than 24 characters", modal("t" * 25),
                 "[json-pointer:/view/title/text]"),
    refuses_view("metadata", "private_metadata of more than 3,000 characters",
                 modal(private_metadata="m" * 3_001), "[json-pointer:/view/private_metadata]"),
    refuses_view("blocks", "more than a hundred blocks", modal(blocks=[{"type": "divider"}] * 101),
                 "no more than 100 items allowed"),
    refuses_view("no-submit", "an input without a way to submit it", modal(blocks=[INPUT]),
                 "submit"),
    Case("open.too-large", "a view of more than 250 kB", OPEN,
         opened(modal(blocks=[section("s" * 2_600)] * 100)), refused("view_too_large"),
         (SHORTCUT,)),
)  # fmt: skip

STACKED: Final = (
    Case("push", "a view over another", PUSH, pushed(2),
         ok({"view.previous_view_id": Said(1, "view.id"), "view.root_view_id": Said(1, "view.id")}),
         (SHORTCUT, opened(), clicked(1))),
    Case("push.fourth", "three views are the most", MODALS, pushed(6),
         refused("push_limit_reached"), THREE_VIEWS),
    Case("push.no-modal", "a trigger from outside of a modal", PUSH, pushed(0),
         refused("not_found"), (SHORTCUT,), basis="our reading",
         note="the page has the code, not this reason"),
    Case("push.trigger", "a trigger that is none", PUSH,
         Call("views.push", {"trigger_id": NO_TRIGGER, "view": modal()}),
         refused("invalid_trigger_id")),
    Case("update-view", "another view in the same place", UPDATE,
         updated(hash=Said(1, "view.hash")),
         ok({"view.id": Said(1, "view.id"), "view.title.text": "Other"}), (SHORTCUT, opened())),
    Case("update-view.hash", "a view that has changed since", UPDATE,
         updated(hash=Said(1, "view.hash")), refused("hash_conflict"),
         (SHORTCUT, opened(), updated())),
    Case("update-view.nobody", "a view that there is not", UPDATE, updated(view_id="V0000000000"),
         refused("not_found")),
)  # fmt: skip

HOMES: Final = (
    Case("publish", "somebody's Home tab", PUBLISH, published(),
         ok({"view.id": SOMETHING, "view.type": "home", "view.hash": SOMETHING}), only_local=HOME),
    Case("publish.hash", "a Home tab that has changed since", PUBLISH,
         published(hash=Said(0, "view.hash")), refused("hash_conflict"),
         (published(), published()), only_local=HOME),
    Case("publish.blocks", "a Home tab of more than a hundred blocks", PUBLISH,
         published({"type": "home", "blocks": [{"type": "divider"}] * 101}),
         refused("invalid_arguments"), basis="our reading", note=NO_SUCH_ERROR),
    Case("publish.modal", "a modal in its place", PUBLISH, published(modal()),
         refused("invalid_arguments"), basis="our reading", note="the page asks for a Home view"),
)  # fmt: skip

CASES: Final = OPENED + STACKED + HOMES
