"""What a call of Slack's Web API shows a person: read off its arguments."""

from typing import Any

from bot.devtools.workspace import Call
from bot.views.kit.menus import OVERFLOW


def is_prompt(call: Call) -> bool:
    """True if the call posts a step's prompt, which has an overflow menu."""
    return call.method == "chat.postMessage" and OVERFLOW in action_ids(call.args)


def action_ids(args: Any) -> set[str]:
    """The `action_id` of every element in the call's blocks."""
    return {
        str(element.get("action_id"))
        for block in args.get("blocks") or ()
        for element in block.get("elements") or ()
    }
