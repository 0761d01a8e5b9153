"""Blocks refused: Slack's limits, its code and the place that it names.

The limits and the code are documented; that `response_metadata.messages` names the place by a JSON
pointer is what Slack was seen to do.
"""

from collections.abc import Sequence
from typing import Any, Final

from tests.conformance.cases.building import MARK, button, holding, plain, post, section
from tests.conformance.values import Case, method_page, ok, refused

BLOCKS: Final = "reference/block-kit/blocks"
ELEMENTS: Final = "reference/block-kit/block-elements"
POINTER: Final = "Slack's answers in public threads have the pointer; its page has the limit"


def limit(
    name: str, what: str, page: str, blocks: Sequence[Any], message: str, pointer: str
) -> Case:
    """One block too much of something. `message`: what Slack says of it."""
    wanted = holding(f"{message} [json-pointer:{pointer}]")
    return Case(
        f"blocks.{name}",
        what,
        page,
        post(blocks=list(blocks)),
        refused("invalid_blocks", {"response_metadata.messages": wanted}),
        basis="observed",
        note=POINTER,
    )


def actions(*elements: Any, **more: Any) -> dict[str, Any]:
    return {"type": "actions", "elements": list(elements), **more}


def context(count: int) -> dict[str, Any]:
    return {"type": "context", "elements": [plain(f"{MARK} {n}") for n in range(count)]}


def header(text: str) -> dict[str, Any]:
    return {"type": "header", "text": plain(text)}


def overflow(count: int) -> dict[str, Any]:
    options = [{"text": plain(f"{n}"), "value": f"{n}"} for n in range(count)]
    return {"type": "overflow", "action_id": "more", "options": options}


AT_THE_LIMIT: Final = (
    header("h" * 150),
    section("s" * 3_000),
    context(10),
    actions(
        button("b" * 75, value="v" * 2_000), *(button(f"{n}", f"go-{n}") for n in range(23)),
        overflow(5),
    ),
)  # fmt: skip

CASES: Final = (
    Case("blocks.at-the-limit", "everything as long as it may be", BLOCKS,
         post(blocks=list(AT_THE_LIMIT)), ok({"message.blocks.3.type": "actions"})),
    Case("blocks.fifty", "fifty blocks", BLOCKS,
         post(blocks=[{"type": "divider"}] * 50), ok({"message.blocks.49.type": "divider"})),
    limit("fifty-one", "one block more than fifty", BLOCKS, [{"type": "divider"}] * 51,
          "no more than 50 items allowed", "/blocks"),
    limit("unknown", "a block that there is not", BLOCKS, [{"type": "marquee"}],
          "unsupported type: marquee", "/blocks/0/type"),
    limit("section", "a section of more than 3,000 characters", f"{BLOCKS}/section-block",
          [section("s" * 3_001)], "must be less than 3001 characters", "/blocks/0/text/text"),
    limit("section-field", "a field of more than 2,000 characters", f"{BLOCKS}/section-block",
          [{"type": "section", "fields": [plain("f" * 2_001)]}],
          "must be less than 2001 characters", "/blocks/0/fields/0/text"),
    limit("section-fields", "more than ten fields", f"{BLOCKS}/section-block",
          [{"type": "section", "fields": [plain("f")] * 11}],
          "no more than 10 items allowed", "/blocks/0/fields"),
    limit("header", "a header of more than 150 characters", f"{BLOCKS}/header-block",
          [header("h" * 151)], "must be less than 151 characters", "/blocks/0/text/text"),
    limit("context", "more than ten elements of a context", f"{BLOCKS}/context-block",
          [context(11)], "no more than 10 items allowed", "/blocks/0/elements"),
    limit("actions", "more than 25 elements of actions", f"{BLOCKS}/actions-block",
          [actions(*(button(f"{n}", f"go-{n}") for n in range(26)))],
          "no more than 25 items allowed", "/blocks/0/elements"),
    limit("block-id", "a block_id of more than 255 characters", f"{BLOCKS}/section-block",
          [section(MARK, block_id="b" * 256)], "must be less than 256 characters",
          "/blocks/0/block_id"),
    limit("button-text", "a button of more than 75 characters", f"{ELEMENTS}/button-element",
          [actions(button("b" * 76))], "must be less than 76 characters",
          "/blocks/0/elements/0/text/text"),
    limit("button-value", "a value of more than 2,000 characters", f"{ELEMENTS}/button-element",
          [actions(button(value="v" * 2_001))], "must be less than 2001 characters",
          "/blocks/0/elements/0/value"),
    limit("action-id", "an action_id of more than 255 characters", f"{ELEMENTS}/button-element",
          [actions(button("b", "a" * 256))], "must be less than 256 characters",
          "/blocks/0/elements/0/action_id"),
    limit("overflow", "more than five options of a menu", f"{ELEMENTS}/overflow-menu-element",
          [actions(overflow(6))], "no more than 5 items allowed",
          "/blocks/0/elements/0/options"),
    limit("empty", "an empty text", f"{BLOCKS}/section-block", [section("")],
          "must be more than 0 characters", "/blocks/0/text/text"),
    Case("blocks.markdown-together", "markdown blocks of more than 12,000 characters together",
         f"{BLOCKS}/markdown-block",
         post(blocks=[{"type": "markdown", "text": "m" * 6_100}] * 2), refused("invalid_blocks"),
         basis="our reading",
         note="the page names one limit for all of a payload's markdown blocks, not the error"),
    Case("blocks.together", "all blocks of a message together", method_page("chat.postMessage"),
         post(blocks=[section("s" * 2_900)] * 5), refused("msg_blocks_too_long"),
         basis="observed",
         note="github.com/slackapi/bolt-js/issues/2509; about 13,200 characters is measured"),
)  # fmt: skip
