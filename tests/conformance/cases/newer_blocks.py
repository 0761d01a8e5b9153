"""Slack's newer blocks: what a message takes of them, and blocks.validate.

A refusal here is what makes the bot send the same plainly, so that its code matters most.
"""

from typing import Any, Final

from tests.conformance.cases.blocks import BLOCKS, actions, limit
from tests.conformance.cases.building import MARK, button, plain, post, rich_text, section
from tests.conformance.values import Call, Case, method_page, ok, refused

VALIDATE: Final = method_page("blocks.validate")


def container(*children: Any, **more: Any) -> dict[str, Any]:
    return {"type": "container", "title": plain(MARK), "child_blocks": list(children), **more}


def task(name: str) -> dict[str, Any]:
    return {"task_id": name, "title": MARK, "status": "in_progress", "details": rich_text(MARK)}


def plan(count: int) -> dict[str, Any]:
    return {"type": "plan", "title": MARK, "tasks": [task(f"{n}") for n in range(count)]}


def table(rows: int) -> dict[str, Any]:
    return {"type": "table", "rows": [[{"type": "raw_text", "text": MARK}] for _ in range(rows)]}


def card(**more: Any) -> dict[str, Any]:
    return {"type": "card", "title": plain(MARK), **more}


FOLD: Final = container(
    section(MARK), actions(button()), is_collapsible=True, default_collapsed=True
)
BROKEN: Final = {"type": "section", "text": {"type": "invalid", "text": MARK}}

CASES: Final = (
    Case("newer.container", "a fold with words and a button", f"{BLOCKS}/container-block",
         post(blocks=[FOLD]), ok({"message.blocks.0.type": "container"})),
    Case("newer.plan", "a plan with details of its tasks", f"{BLOCKS}/plan-block",
         post(blocks=[plan(4)]), ok({"message.blocks.0.type": "plan"})),
    Case("newer.table", "a table", f"{BLOCKS}/table-block",
         post(blocks=[table(3)]), ok({"message.blocks.0.type": "table"})),
    Case("newer.carousel", "cards with a button each", f"{BLOCKS}/carousel-block",
         post(blocks=[{"type": "carousel", "elements": [card(actions=[button()])] * 2}]),
         ok({"message.blocks.0.type": "carousel"})),
    Case("newer.rich-text-inside", "rich text in a container", f"{BLOCKS}/container-block",
         post(blocks=[container(rich_text(MARK))]), refused("invalid_blocks"), basis="observed",
         note="docs.rs/slack-morphism/2.31.0: the page lists it, Slack's validator does not"),
    Case("newer.two-tables", "two tables", f"{BLOCKS}/table-block",
         post(blocks=[table(1), table(1)]), refused("invalid_attachments"), basis="observed",
         note="only_one_table_allowed is what those who send two report"),
    limit("children", "more than ten blocks in a container", f"{BLOCKS}/container-block",
          [container(*[section(MARK)] * 11)], "no more than 10 items allowed",
          "/blocks/0/child_blocks"),
    limit("rows", "more than 100 rows of a table", f"{BLOCKS}/table-block", [table(101)],
          "no more than 100 items allowed", "/blocks/0/rows"),
    limit("card-body", "a card's body of more than 200 characters", f"{BLOCKS}/card-block",
          [card(body=plain("b" * 201))], "must be less than 201 characters",
          "/blocks/0/body/text"),
    limit("alert", "an alert in a message", f"{BLOCKS}/alert-block",
          [{"type": "alert", "text": plain(MARK)}], "unsupported type: alert", "/blocks/0/type"),
    Case("validate", "a draft without a fault", VALIDATE,
         Call("blocks.validate", {"blocks": [FOLD]}), ok()),
    Case("validate.faults", "a draft with one", VALIDATE,
         Call("blocks.validate", {"blocks": [BROKEN]}),
         refused("invalid_blocks", {"errors.0.pointer": "/0/text/type",
                                    "errors.0.code": "failed_constraint"})),
    Case("validate.nothing", "no draft", VALIDATE, Call("blocks.validate", {}),
         refused("invalid_arguments")),
)  # fmt: skip
