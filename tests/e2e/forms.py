"""Filling in forms, as people do in the local workspace."""

from bot.devtools.workspace import Call, Modal
from bot.devtools.workspace.blocks.table import controls
from tests.support.served_bot import CHANNEL, ServedBot

START_FIELDS = {"title": "Retry failed card payments", "mode": "analysis", "depth": "auto"}


def open_form(
    served: ServedBot, callback_id: str = "start", *, by: str = "pm", ts: str = ""
) -> Modal:
    """Choose a shortcut; the form that opens."""
    if ts:
        served.slack.shortcut(by, callback_id, channel=CHANNEL, ts=ts)
    else:
        served.slack.shortcut(by, callback_id)
    served.settle_until(lambda: [each for each in served.slack.modals if each.to == by])
    return next(each for each in reversed(served.slack.modals) if each.to == by)


def submit(
    served: ServedBot, form: Modal, *, by: str = "pm", **fields: str | list[str]
) -> Modal | None:
    """Press its button; what stands there afterwards, None where it closed."""
    filled = {**START_FIELDS, "channel": served.slack.channel_id(CHANNEL), **fields}
    served.slack.submit(by, form.id, filled)
    served.settle()
    return next((each for each in served.slack.modals if each.id == form.id), None)


def told(served: ServedBot, by: str = "pm") -> list[str]:
    """What only that person was told, the newest last."""
    return [each.text for each in served.slack.ephemerals if each.to == by]


def press(served: ServedBot, label: str, *, by: str = "pm") -> None:
    """Press the button of that name in the newest of what only that person was told."""
    for ephemeral in reversed(served.slack.ephemerals):
        if ephemeral.to != by:
            continue
        for _, element in controls(ephemeral.blocks):
            if element.get("text", {}).get("text") == label:
                served.slack.click(by, ephemeral.channel, ephemeral.ts, element["action_id"])
                served.settle()
                return
    raise AssertionError(f"nothing that was told to {by} has a button {label!r}")


def called(served: ServedBot, method: str) -> list[Call]:
    return [each for each in served.slack.calls if each.method == method]


def forge(served: ServedBot, action_id: str, value: str, *, by: str = "pm") -> None:
    """A click that no control of any message stands behind."""
    with served.slack.world.lock:
        where = served.slack.world.channel(CHANNEL)
        post = next(each for each in served.slack.world.in_channel(where) if each.by_bot)
        before, post.blocks = post.blocks, []
        element = {"type": "button", "text": {"type": "plain_text", "text": "x"}}
        post.blocks = [
            {
                "type": "actions",
                "block_id": "forged",
                "elements": [{**element, "action_id": action_id, "value": value}],
            }
        ]
        served.slack.click(by, CHANNEL, post.ts, action_id)
        post.blocks = before
    served.settle()
