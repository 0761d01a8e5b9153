"""Slack's newer blocks in the local workspace: limits, surfaces, what is read, who is notified.

docs: reference/block-kit/blocks (container, plan, task-card, table, data-table, card, carousel,
context-actions, alert), looked up on 2026-11-23
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.blocks.limits import SECOND_TABLE, block_faults, view_faults
from bot.devtools.workspace.blocks.table import NEWER_BLOCKS, controls
from bot.devtools.workspace.reader_text import notified, plain
from bot.devtools.workspace.values import Names
from tests.bot.test_local_support import (
    Listener,
    actions,
    button,
    client,
    error_of,
    rich_text,
    section,
    workspace,
)
from tests.support.waiting import wait_until

Json = dict[str, Any]
ADA = "U0PM00001"
NAMES = Names({ADA: "Ada"}, {"C1": "general"})
HERE = "<!here>"
IMAGE = {"type": "image", "image_url": "https://a.b/c.png", "alt_text": "a"}


def words(text: str, kind: str = "plain_text") -> Json:
    return {"type": kind, "text": text}


def container(*children: Json, **more: Any) -> Json:
    return {"type": "container", "title": words("Fold"), "child_blocks": [*children], **more}


def task(name: str = "t", **more: Any) -> Json:
    return {"task_id": name, "title": f"Task {name}", "status": "pending", **more}


def plan(*tasks: Json, **more: Any) -> Json:
    return {"type": "plan", "title": "Plan", "tasks": [*tasks], **more}


def details(text: str) -> Json:
    return rich_text({"type": "text", "text": text})


def cell(text: str) -> Json:
    return {"type": "raw_text", "text": text}


def table(*rows: list[Json], **more: Any) -> Json:
    return {"type": "table", "rows": [*rows], **more}


def data_table(*rows: list[Json], **more: Any) -> Json:
    return {"type": "data_table", "caption": "Figures", "rows": [*rows], **more}


def number(value: float) -> Json:
    return {"type": "raw_number", "value": value, "text": str(value)}


def card(title: str = "Card", **more: Any) -> Json:
    return {"type": "card", "title": words(title), **more}


def carousel(*cards: Json) -> Json:
    return {"type": "carousel", "elements": [*cards]}


def context_actions(*elements: Json) -> Json:
    return {"type": "context_actions", "elements": [*elements]}


def icon_button(action_id: str = "bin", **more: Any) -> Json:
    shown = {"icon": "trash", "text": words("Delete"), "action_id": action_id}
    return {"type": "icon_button", **shown, **more}


def feedback(action_id: str = "fb") -> Json:
    return {
        "type": "feedback_buttons",
        "action_id": action_id,
        "positive_button": {"text": words("Good"), "value": "up"},
        "negative_button": {"text": words("Bad"), "value": "down"},
    }


def alert(text: str = "Look", **more: Any) -> Json:
    return {"type": "alert", "text": words(text), **more}


TAKEN: dict[str, Json] = {
    "container of ten": container(*[{"type": "divider"}] * 10),
    "container of every child": container(
        section("x"),
        {"type": "divider"},
        {"type": "context", "elements": [words("x", "mrkdwn")]},
        actions(button("x", "a")),
        {"type": "header", "text": words("x")},
        IMAGE,
        table([cell("x")]),
    ),
    "container at its limits": container(
        section("x"), title=words("x" * 150), subtitle=words("x" * 150, "mrkdwn"), width="full"
    ),
    "collapsed container": container(section("x"), is_collapsible=True, default_collapsed=True),
    "container with a divider": container(section("x"), has_header_divider=True, icon=IMAGE),
    "container with rich title": {
        "type": "container",
        "rich_text_title": details("x"),
        "child_blocks": [section("x")],
    },
    "plan of fifty": plan(*(task(f"t{n}") for n in range(50))),
    "plan with typed tasks": plan(task("a", type="task_card"), task("b", status="in_progress")),
    "plan of nothing": {"type": "plan", "title": "Plan"},
    "task alone": {
        **task(status="complete", details=details("x"), output=details("y")),
        "type": "task_card",
        "sources": [{"type": "url", "url": "https://a.b", "text": "a"}],
    },
    "table at its limits": table(*[[cell("x")] * 20] * 100, column_settings=[{"align": "right"}]),
    "table with rich cells": table([details("x"), cell("y")], column_settings=[None]),
    "table of 10,000": table([cell("x" * 5_000), cell("y" * 5_000)]),
    "data table": data_table(
        [cell("Who"), number(1)], *[[details("x"), number(2)]] * 100, page_size=100
    ),
    "card at its limits": card(
        "x" * 150,
        subtitle=words("x" * 150, "mrkdwn"),
        body=words("x" * 200, "mrkdwn"),
        icon=IMAGE,
        hero_image=IMAGE,
        actions=[button("x", f"a{n}") for n in range(3)],
    ),
    "card of a body": {"type": "card", "body": words("x")},
    "carousel of ten": carousel(*[card()] * 10),
    "five controls in context": context_actions(
        feedback(), *(icon_button(f"i{n}") for n in "1234")
    ),
}


@pytest.mark.parametrize("block", TAKEN.values(), ids=TAKEN)
def test_what_slack_takes_is_taken(block: Json) -> None:
    assert block_faults([block]) == []
    assert isinstance(plain([block], "", NAMES), str)
    assert isinstance(notified([block], "", NAMES), list)


AT = "/blocks/0"
REFUSED: dict[str, tuple[Json, str, str]] = {
    "long title": (container(section("x"), title=words("x" * 151)), "less than 151", "/title/text"),
    "title in mrkdwn": (
        container(section("x"), title=words("x", "mrkdwn")),
        "plain",
        "/title/type",
    ),
    "no title": (
        {"type": "container", "child_blocks": [section("x")]},
        "title or rich_text_title",
        "",
    ),
    "empty container": (container(), "more than 0 items", "/child_blocks"),
    "eleven children": (container(*[section("x")] * 11), "no more than 10", "/child_blocks"),
    "rich text in a container": (
        container(details("x")),
        "unsupported type: rich_text",
        "/child_blocks/0/type",
    ),
    "container in a container": (
        container(section("x"), container(section("x"))),
        "unsupported type: container",
        "/child_blocks/1/type",
    ),
    "fault in a child": (
        container({"type": "divider"}, section("x" * 3_001)),
        "less than 3001",
        "/child_blocks/1/text/text",
    ),
    "collapsed and not collapsible": (
        container(section("x"), default_collapsed=True),
        "requires `is_collapsible`",
        "/default_collapsed",
    ),
    "divider in a fold": (
        container(section("x"), is_collapsible=True, has_header_divider=True),
        "not allowed when `is_collapsible`",
        "/has_header_divider",
    ),
    "collapsible as a word": (
        container(section("x"), is_collapsible="yes"),
        "must be a boolean",
        "/is_collapsible",
    ),
    "unknown width": (container(section("x"), width="tiny"), "must be one of", "/width"),
    "title as an object": (plan(task(), title=words("x")), "must be a string", "/title"),
    "51 tasks": (plan(*(task(f"t{n}") for n in range(51))), "no more than 50", "/tasks"),
    "doubled task": (plan(task("a"), task("a")), "already exists", "/tasks"),
    "unknown status": (plan(task(status="done")), "must be one of", "/tasks/0/status"),
    "section as a task": (plan(section("x")), "unsupported type", "/tasks/0/type"),
    "details as a text": (
        plan(task(details=words("x"))),
        "unsupported type",
        "/tasks/0/details/type",
    ),
    "101 rows": (table(*[[cell("x")]] * 101), "no more than 100", "/rows"),
    "21 columns": (table([cell("x")] * 21), "no more than 20", "/rows/0"),
    "empty cell": (table([cell("")]), "more than 0", "/rows/0/0/text"),
    "number in a table": (table([number(1)]), "unsupported type", "/rows/0/0/type"),
    "row that is a cell": ({"type": "table", "rows": [cell("x")]}, "must be an array", "/rows/0"),
    "unknown align": (
        table([cell("x")], column_settings=[{"align": "middle"}]),
        "must be one of",
        "/column_settings/0/align",
    ),
    "data table of a header": (data_table([cell("x")]), "more than 1 items", "/rows"),
    "rich header": (
        data_table([details("x")], [cell("y")]),
        "must be one of",
        "/rows/0/0/type",
    ),
    "uneven rows": (data_table([cell("x")], [cell("y"), cell("z")]), "same number", "/rows"),
    "no caption": (data_table([cell("x")], [cell("y")], caption=""), "more than 0", "/caption"),
    "page of 101": (
        data_table([cell("x")], [cell("y")], page_size=101),
        "between 1 and 100",
        "/page_size",
    ),
    "empty card": ({"type": "card", "subtitle": words("x")}, "hero_image or title", ""),
    "long body": (card(body=words("x" * 201)), "less than 201", "/body/text"),
    "long subtitle": (card(subtitle=words("x" * 151)), "less than 151", "/subtitle/text"),
    "four buttons": (
        card(actions=[button("x", f"a{n}") for n in range(4)]),
        "no more than 3",
        "/actions",
    ),
    "menu on a card": (
        card(actions=[{"type": "overflow", "options": []}]),
        "unsupported type",
        "/actions/0/type",
    ),
    "button as an icon": (card(icon=button("x", "a")), "unsupported type", "/icon/type"),
    "eleven cards": (carousel(*[card()] * 11), "no more than 10", "/elements"),
    "no cards": (carousel(), "more than 0 items", "/elements"),
    "section in a carousel": (carousel(section("x")), "unsupported type", "/elements/0/type"),
    "six in context": (
        context_actions(*(icon_button(f"i{n}") for n in range(6))),
        "no more than 5",
        "/elements",
    ),
    "button in context": (
        context_actions(button("x", "a")),
        "unsupported type",
        "/elements/0/type",
    ),
    "other icon": (context_actions(icon_button(icon="pen")), "must be one of", "/elements/0/icon"),
    "doubled action": (
        context_actions(icon_button("a"), feedback("a")),
        "already exists",
        "/elements",
    ),
    "alert in a message": (alert(), "unsupported type: alert", "/type"),
}


@pytest.mark.parametrize(("block", "why", "where"), REFUSED.values(), ids=REFUSED)
def test_what_slack_refuses_is_refused_at_its_place(block: Json, why: str, where: str) -> None:
    (fault,) = block_faults([block])
    assert why in fault
    assert fault.endswith(f"[json-pointer:{AT}{where}]")


def test_ids_are_unique_in_a_message_at_every_depth() -> None:
    inner = container({**section("x"), "block_id": "b"})
    assert block_faults([inner, {"type": "divider", "block_id": "c"}]) == []
    (fault,) = block_faults([inner, {"type": "divider", "block_id": "b"}])
    assert fault == "[ERROR] `block_id` 'b' already exists [json-pointer:/blocks]"


@pytest.mark.parametrize(
    "second",
    [table([cell("x")]), container(table([cell("x")])), data_table([cell("x")], [cell("y")])],
)
def test_a_message_takes_one_table_wherever_it_stands(second: Json) -> None:
    assert block_faults([table([cell("x")]), second]) == [SECOND_TABLE]


def test_all_cells_of_a_message_have_10_000_characters() -> None:
    rows = [[cell("x" * 9_000), details("y" * 1_001)]]
    (fault,) = block_faults([container(table(*rows))])
    assert "no more than 10000 characters" in fault


@pytest.mark.parametrize("kind", ["modal", "home"])
def test_a_view_takes_the_blocks_of_its_surface(kind: str) -> None:
    blocks = [
        container(section("x")),
        plan(task()),
        {**task("u"), "type": "task_card"},
        table([cell("x")]),
        context_actions(icon_button()),
        card(),
        carousel(card()),
        alert("x" * 200, level="warning"),
    ]
    faults = view_faults({"type": kind, "title": words("x"), "blocks": blocks})
    message_only = ["container", "plan", "task_card", "table", "context_actions"]
    other = {"modal": [(6, "carousel")], "home": [(7, "alert")]}[kind]
    assert faults == [
        f"[ERROR] unsupported type: {name} [json-pointer:/view/blocks/{index}/type]"
        for index, name in [*enumerate(message_only), *other]
    ]


def test_an_alert_has_200_characters_and_a_level() -> None:
    blocks = [alert("x" * 201), alert(level="loud")]
    long, loud = view_faults({"type": "modal", "title": words("x"), "blocks": blocks})
    assert "less than 201" in long
    assert loud.endswith("[json-pointer:/view/blocks/1/level]")


READ: dict[str, tuple[Json, str]] = {
    "container": (
        container(section("*a*"), table([cell("b"), cell("c")]), subtitle=words("Two")),
        "Fold\nTwo\na\nb · c",
    ),
    "folded container": (
        container(section("a"), is_collapsible=True, default_collapsed=True),
        "Fold\na",
    ),
    "rich title": (
        container(section("a"), rich_text_title=details("Rich")),
        "Rich\na",
    ),
    "plan": (
        plan(task("a", status="complete", details=details("complete,\n led by Ada")), task("b")),
        "Plan\nTask a: complete, led by Ada\nTask b",
    ),
    "task with output": (
        {**task(details=details("x"), output=details("y")), "type": "task_card"},
        "Task t: x · y",
    ),
    "table": (
        table([cell("Who"), cell("What")], [details("Ada"), cell("this\nthat")]),
        "Who · What\nAda · this that",
    ),
    "data table": (
        data_table([cell("Who"), cell("n")], [cell("Ada"), number(2)]),
        "Figures\nWho · n\nAda · 2",
    ),
    "card": (
        card(
            "Keep",
            subtitle=words("_costs_ a day", "mrkdwn"),
            body=words("Loses nothing"),
            hero_image=IMAGE,
            actions=[button("Take", "a"), button("Leave", "b")],
        ),
        "Keep\ncosts a day\nLoses nothing\n[Take] [Leave]",
    ),
    "carousel": (carousel(card("A", actions=[button("a", "x")]), card("B")), "A\n[a]\nB"),
    "context actions": (context_actions(icon_button(), feedback()), "[Delete] [Good] [Bad]"),
    "alert": (alert("Look *here*"), "Look *here*"),
}


@pytest.mark.parametrize(("block", "seen"), READ.values(), ids=READ)
def test_a_newer_block_is_read_as_its_lines(block: Json, seen: str) -> None:
    assert plain([block], "", NAMES) == seen


def test_every_newer_block_is_read() -> None:
    assert {block["type"] for block, _ in READ.values()} == NEWER_BLOCKS


USER = {"type": "user", "user_id": ADA}
PINGS: dict[str, tuple[Json, list[str]]] = {
    "child of a container": (container(section(HERE)), ["@here"]),
    "title of a container": (container(section("x"), title=words(HERE)), []),
    "subtitle in mrkdwn": (container(section("x"), subtitle=words(HERE, "mrkdwn")), ["@here"]),
    "plain cell": (table([cell(HERE)]), []),
    "rich cell": (table([rich_text(USER)]), ["@Ada"]),
    "details of a task": (plan(task(details=rich_text(USER))), ["@Ada"]),
    "title of a task": (plan(task(title=HERE)), []),
    "card of a carousel": (carousel(card(body=words(HERE, "mrkdwn"))), ["@here"]),
    "button of a card": (card(actions=[button(HERE, "a")]), []),
}


@pytest.mark.parametrize(("block", "expected"), PINGS.values(), ids=PINGS)
def test_a_mention_inside_notifies(block: Json, expected: list[str]) -> None:
    assert block_faults([block]) == []
    assert notified([block], "", NAMES) == expected


SHAPES = st.sampled_from(["child_blocks", "tasks", "rows", "elements", "actions", "title", "text"])
KINDS = st.sampled_from(
    [*sorted(NEWER_BLOCKS), "section", "raw_text", "rich_text", "button", "image"]
)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(SHAPES, inner, max_size=4)
        | st.builds(
            lambda kind, more: {**more, "type": kind}, KINDS, st.dictionaries(SHAPES, inner)
        )
    ),
    max_leaves=12,
)


@given(ODD)
def test_no_newer_block_upsets_the_validator(value: Any) -> None:
    block_faults([value])
    block_faults([value], unknown=NEWER_BLOCKS)
    view_faults({"type": "modal", "blocks": [value]})


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    with workspace() as running:
        yield running


def posted(local: LocalWorkspace, *blocks: Json) -> str:
    where = local.channel_id("general")
    return str(client(local).chat_postMessage(channel=where, text="x", blocks=[*blocks])["ts"])


def clicks(heard: Listener) -> list[Json]:
    """Each control that was used, as the app is told of it."""
    requests = [request for request in heard.requests if request.type == "interactive"]
    return [action for request in requests for action in request.payload["actions"]]


def test_a_control_inside_is_clicked_under_the_id_of_its_own_block(local: LocalWorkspace) -> None:
    inside = {**actions(button("Go", "go", value="v")), "block_id": "row"}
    cards = [
        card(block_id=f"card{n}", actions=[button("Take", "take", value=str(n))]) for n in (1, 2)
    ]
    with Listener(local) as heard:
        ts = posted(local, container(section("x"), inside), carousel(*cards))
        local.click("Ada", "general", ts, "go")
        wait_until(lambda: clicks(heard))  # the client hands messages to threads, in any order
        local.click("Ada", "general", ts, "take", value="2")
        wait_until(lambda: len(clicks(heard)) == 2)
    sent = [(click["block_id"], click["action_id"], click["value"]) for click in clicks(heard)]
    assert sent == [("row", "go", "v"), ("card2", "take", "2")]


def test_feedback_and_icon_buttons_send_what_they_say(local: LocalWorkspace) -> None:
    with Listener(local) as heard:
        ts = posted(local, context_actions(feedback(), icon_button(value="this")))
        local.click("Ada", "general", ts, "fb", value="down")
        wait_until(lambda: clicks(heard))
        local.click("Ada", "general", ts, "bin")
        wait_until(lambda: len(clicks(heard)) == 2)
    bad, delete = clicks(heard)
    assert (bad["type"], bad["value"], bad["text"]["text"]) == ("feedback_buttons", "down", "Bad")
    assert (delete["type"], delete["value"]) == ("icon_button", "this")
    with pytest.raises(LookupError, match="up"):
        local.click("Ada", "general", ts, "fb", value="neither")


def test_what_is_stored_has_ids_at_every_depth(local: LocalWorkspace) -> None:
    posted(
        local,
        container(section("x"), actions({"type": "button", "text": words("x")})),
        plan(task()),
    )
    (message,) = local.messages("general")
    fold, tasks = message.blocks
    assert all("block_id" in child for child in [*fold["child_blocks"], *tasks["tasks"]])
    ((block_id, element),) = controls(message.blocks)
    assert block_id == fold["child_blocks"][1]["block_id"]
    assert element["action_id"]
    assert message.plain == "Fold\nx\n[x]\nPlan\nTask t"


def test_a_refusal_has_slacks_words(local: LocalWorkspace) -> None:
    where, post = local.channel_id("general"), client(local).chat_postMessage
    refused = error_of(
        post, channel=where, text="x", blocks=[section("x"), container(plan(task()))]
    )
    assert refused["error"] == "invalid_blocks"
    assert refused["response_metadata"]["messages"] == [
        "[ERROR] unsupported type: plan [json-pointer:/blocks/1/child_blocks/0/type]"
    ]
    twice = error_of(post, channel=where, text="x", blocks=[table([cell("x")])] * 2)
    assert twice["error"] == "invalid_attachments"
    assert twice["response_metadata"]["messages"] == [SECOND_TABLE]
    assert local.messages("general") == []
