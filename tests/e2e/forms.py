"""Filling in forms, as people do in the local workspace."""

from bot.devtools.workspace import Call, Modal
from bot.devtools.workspace.blocks.table import controls
from tests.support.served_bot import CHANNEL, Desk

START_FIELDS = {"title": "Retry failed card payments", "mode": "analysis", "depth": "auto"}


def open_form(desk: Desk, callback_id: str = "start", *, by: str = "pm", ts: str = "") -> Modal:
    """Choose a shortcut; the form that opens."""
    if ts:
        desk.slack.shortcut(by, callback_id, channel=CHANNEL, ts=ts)
    else:
        desk.slack.shortcut(by, callback_id)
    desk.settle_until(lambda: [each for each in desk.slack.modals if each.to == by])
    return next(each for each in reversed(desk.slack.modals) if each.to == by)


def submit(desk: Desk, form: Modal, *, by: str = "pm", **fields: str | list[str]) -> Modal | None:
    """Press its button; what stands there afterwards, None where it closed."""
    filled = {**START_FIELDS, "channel": desk.slack.channel_id(CHANNEL), **fields}
    desk.slack.submit(by, form.id, filled)
    desk.settle()
    return next((each for each in desk.slack.modals if each.id == form.id), None)


def told(desk: Desk, by: str = "pm") -> list[str]:
    """What only that person was told, the newest last."""
    return [each.text for each in desk.slack.ephemerals if each.to == by]


def press(desk: Desk, label: str, *, by: str = "pm") -> None:
    """Press the button of that name in the newest of what only that person was told."""
    for whisper in reversed(desk.slack.ephemerals):
        if whisper.to != by:
            continue
        for _, element in controls(whisper.blocks):
            if element.get("text", {}).get("text") == label:
                desk.slack.click(by, whisper.channel, whisper.ts, element["action_id"])
                desk.settle()
                return
    raise AssertionError(f"nothing that was told to {by} has a button {label!r}")


def called(desk: Desk, method: str) -> list[Call]:
    return [each for each in desk.slack.calls if each.method == method]


def forge(desk: Desk, action_id: str, value: str, *, by: str = "pm") -> None:
    """A click that no control of any message stands behind."""
    with desk.slack.world.lock:
        where = desk.slack.world.channel(CHANNEL)
        post = next(each for each in desk.slack.world.in_channel(where) if each.by_bot)
        before, post.blocks = post.blocks, []
        element = {"type": "button", "text": {"type": "plain_text", "text": "x"}}
        post.blocks = [
            {
                "type": "actions",
                "block_id": "forged",
                "elements": [{**element, "action_id": action_id, "value": value}],
            }
        ]
        desk.slack.click(by, CHANNEL, post.ts, action_id)
        post.blocks = before
    desk.settle()
