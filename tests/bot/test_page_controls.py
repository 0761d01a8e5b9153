"""Block Kit in a real browser: what a person picks is what the app is told."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_support import actions, button, client, section
from tests.support.page import address, answered, line, with_page
from tests.support.waiting import wait_until

Json = dict[str, Any]


def text(words: str) -> Json:
    return {"type": "plain_text", "text": words}


ONE, TWO, THREE = ({"text": text(value), "value": value} for value in ("one", "two", "three"))
OPTIONS = {"options": [ONE, TWO, THREE]}


@pytest.fixture
def slack(patient_triggers: None) -> Iterator[LocalWorkspace]:
    with with_page() as running:
        yield running


def posted(slack: LocalWorkspace, *blocks: Json) -> None:
    client(slack).chat_postMessage(
        channel=slack.channel_id("general"), text="the message", blocks=list(blocks)
    )


def told(slack: LocalWorkspace, action_id: str) -> Json:
    """What the app was told of the last use of this control, once it was."""

    def found() -> list[Json]:
        clicks = [one.payload for one in slack.deliveries if one.type == "block_actions"]
        used = [action for payload in clicks for action in payload["actions"]]
        return [action for action in used if action["action_id"] == action_id]

    wait_until(found)
    return found()[-1]


def test_what_is_picked_in_a_message_reaches_the_app(slack: LocalWorkspace, tab: Page) -> None:
    placeholder = {"placeholder": text("Who?")}
    with answered(slack) as app:

        @app.action(re.compile(".*"))
        def used(ack: Any) -> None:
            ack()

        posted(
            slack,
            {
                "type": "section",
                "block_id": "s",
                "text": text("Pick"),
                "accessory": {"type": "overflow", "action_id": "more", "options": [ONE, TWO]},
            },
            actions(
                {"type": "static_select", "action_id": "depth", **OPTIONS},
                {"type": "users_select", "action_id": "who", **placeholder},
                {"type": "multi_users_select", "action_id": "all", "placeholder": text("All?")},
                {"type": "datepicker", "action_id": "day"},
                {"type": "timepicker", "action_id": "time"},
                {"type": "checkboxes", "action_id": "ticks", **OPTIONS, "initial_options": [ONE]},
                {"type": "radio_buttons", "action_id": "radio", **OPTIONS},
            ),
        )
        tab.goto(address(slack, "Ada"))
        message = line(tab, "Pick")
        message.get_by_label("More actions").click()
        message.get_by_role("button", name="two", exact=True).click()
        assert told(slack, "more")["selected_option"] == TWO
        message.locator("select[data-action-id=depth]").select_option("three")
        assert told(slack, "depth")["selected_option"] == THREE
        message.get_by_label("Who?").select_option("Bob Lee")
        assert told(slack, "who")["selected_user"] == slack.user_id("Bob Lee")
        message.get_by_label("All?").select_option(["Ada", "Bob Lee"])
        people = [slack.user_id("Ada"), slack.user_id("Bob Lee")]
        assert told(slack, "all")["selected_users"] == people
        message.get_by_label("Date").fill("2026-01-31")
        assert told(slack, "day")["selected_date"] == "2026-01-31"
        message.get_by_label("Time").fill("09:30")
        assert told(slack, "time")["selected_time"] == "09:30"
        message.locator("input[type=checkbox]").nth(2).check()
        assert told(slack, "ticks")["selected_options"] == [ONE, THREE]
        message.locator("input[type=radio]").nth(1).check()
        assert told(slack, "radio")["selected_option"] == TWO


def field(kind: str, label: str, **more: Any) -> Json:
    element = {"type": kind, "action_id": "a", **more}
    about = {"type": "input", "block_id": label.lower(), "label": text(label), "element": element}
    return {**about, "optional": True}


FIELDS = [
    field("plain_text_input", "Words"),
    field("plain_text_input", "Story", multiline=True),
    field("number_input", "Number", is_decimal_allowed=True),
    field("email_text_input", "Mail"),
    field("static_select", "Depth", **OPTIONS, initial_option=ONE),
    field("multi_static_select", "Several", **OPTIONS),
    field("users_select", "Person"),
    field("conversations_select", "Place", default_to_current_conversation=True),
    field("datepicker", "Day"),
    field("timepicker", "Hour"),
    field("radio_buttons", "Choice", **OPTIONS),
    field("checkboxes", "Ticks", **OPTIONS, initial_options=[ONE]),
    field("plain_text_input", "Untouched", initial_value="as it was"),
]
FORM = {
    "type": "modal",
    "callback_id": "form",
    "title": text("Form"),
    "submit": text("Send"),
    "blocks": [*FIELDS, {**actions(button("Further", "further")), "block_id": "f"}],
}


def opened(slack: LocalWorkspace, page: Page, app: Any) -> Locator:
    @app.action("open")
    def opening(ack: Any, body: Json) -> None:
        ack()
        client(slack).views_open(trigger_id=body["trigger_id"], view=FORM)

    posted(slack, actions(button("Open it", "open", value="1")))
    page.goto(address(slack, "Ada"))
    page.get_by_role("button", name="Open it").click()
    return page.get_by_role("dialog", name="Form")


def test_a_form_sends_every_kind_of_value(slack: LocalWorkspace, tab: Page) -> None:
    states: list[Json] = []
    with answered(slack) as app:

        @app.view("form")
        def sent(ack: Any, view: Json) -> None:
            ack()
            states.append(view["state"]["values"])

        form = opened(slack, tab, app)
        form.get_by_label("Words").fill('a "lamp" <b>')
        form.get_by_label("Story").fill("\nfirst\n  second")
        form.get_by_label("Number").fill("1.5")
        form.get_by_label("Mail").fill("ada@lamp.test")
        form.get_by_label("Depth").select_option("two")
        form.get_by_label("Several").select_option(["one", "three"])
        form.get_by_label("Person").select_option("Bob Lee")
        form.get_by_label("Day").fill("2026-01-31")
        form.get_by_label("Hour").fill("09:30")
        form.get_by_role("radiogroup", name="Choice").get_by_label("three").check()
        ticks = form.get_by_role("group", name="Ticks")
        ticks.get_by_label("one").uncheck()
        ticks.get_by_label("two").check()
        form.get_by_role("button", name="Send").click()
        expect(form).to_have_count(0)
        wait_until(lambda: states)
    held = {block: next(iter(one.values())) for block, one in states[0].items()}
    assert {block: one[next(k for k in one if k != "type")] for block, one in held.items()} == {
        "words": 'a "lamp" <b>',
        "story": "\nfirst\n  second",
        "number": "1.5",
        "mail": "ada@lamp.test",
        "depth": TWO,
        "several": [ONE, THREE],
        "person": slack.user_id("Bob Lee"),
        "place": slack.channel_id("general"),
        "day": "2026-01-31",
        "hour": "09:30",
        "choice": THREE,
        "ticks": [TWO],
        "untouched": "as it was",
    }


def test_a_view_beneath_comes_back_as_it_was_left(slack: LocalWorkspace, tab: Page) -> None:
    over = {"type": "modal", "title": text("Over it"), "blocks": [section("More words")]}
    with answered(slack) as app:

        @app.action("further")
        def further(ack: Any, body: Json) -> None:
            ack()
            client(slack).views_push(trigger_id=body["trigger_id"], view=over)

        form = opened(slack, tab, app)
        form.get_by_label("Words").fill("half a sen")
        form.get_by_role("checkbox", name="one").uncheck()
        form.get_by_role("button", name="Further").click()
        top = tab.get_by_role("dialog", name="Over it")
        expect(top).to_contain_text("More words")
        tab.keyboard.press("Escape")
        expect(top).to_have_count(0)
        expect(form).to_be_visible()
        expect(form.get_by_label("Words")).to_have_value("half a sen")
        expect(form.get_by_role("checkbox", name="one")).not_to_be_checked()


def words(said: str, **style: bool) -> Json:
    return {"type": "text", "text": said, **({"style": style} if style else {})}


EVERYTHING = [
    {"type": "header", "text": text("Everything")},
    section(
        "*bold* <https://x.test|a link> in words <@U0PM00001> <!here> `code`\n> quote\n```pre```"
    ),
    {"type": "section", "fields": [text("one"), text("two")]},
    {"type": "context", "elements": [text("small words"), {"type": "mrkdwn", "text": "`x`"}]},
    {"type": "divider"},
    {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_list",
                "style": "bullet",
                "elements": [{"type": "rich_text_section", "elements": [words("row", code=True)]}],
            },
            {"type": "rich_text_quote", "elements": [words("said")]},
            {"type": "rich_text_preformatted", "elements": [words("x = 1")]},
        ],
    },
    {
        "type": "markdown",
        "text": "# Heading\n[link](https://x.test) in words\n\n- [x] done\n\n|A|B|\n|-|-|\n|1|2|",
    },
    actions(
        button("Go on", "go", style="primary"),
        button("End it", "end", style="danger"),
        button("There", "there", url="https://x.test"),
        {"type": "overflow", "action_id": "more", "options": [ONE, TWO]},
        {"type": "static_select", "action_id": "depth", **OPTIONS},
        {"type": "datepicker", "action_id": "day"},
        {"type": "checkboxes", "action_id": "ticks", **OPTIONS},
        {"type": "radio_buttons", "action_id": "radio", **OPTIONS},
    ),
]


def grave(page: Page, within: str) -> list[str]:
    seen = Axe().run(page, context=within).response
    assert seen["passes"], "nothing was looked at"
    found = seen["violations"]
    return [
        f"{one['id']}: {[node['html'] for node in one['nodes']]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def test_nobody_is_kept_out_by_what_a_block_looks_like(slack: LocalWorkspace, tab: Page) -> None:
    with answered(slack) as app:
        posted(slack, *EVERYTHING)
        form = opened(slack, tab, app)
        expect(form).to_be_visible()
        assert grave(tab, ".modal") == []
        form.get_by_role("button", name="Close").click()
        expect(form).to_have_count(0)
        line(tab, "Everything").get_by_label("More actions").click()
        assert grave(tab, "#list-channel") == []
