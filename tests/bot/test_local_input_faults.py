"""What Slack refuses of a control before anybody has seen it.

docs: reference/block-kit/block-elements/plain-text-input-element, …/number-input-element,
…/select-menu-element, …/checkboxes-element, …/radio-button-group-element, …/date-picker-element,
…/time-picker-element, reference/block-kit/blocks/markdown-block
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.devtools.workspace.blocks.limits import block_faults, view_faults
from bot.devtools.workspace.blocks.table import ELEMENTS

Json = dict[str, Any]
PLAIN = {"type": "plain_text", "text": "x"}
ONE, TWO = ({"text": PLAIN, "value": value} for value in ("one", "two"))
CHOICE = {"options": [ONE, TWO]}
GROUPS = {"option_groups": [{"label": PLAIN, "options": [ONE]}]}


def field(kind: str, **more: Any) -> Json:
    return {"type": "input", "label": PLAIN, "element": {"type": kind, **more}}


@pytest.mark.parametrize(
    "block",
    [
        field("plain_text_input", min_length=0, max_length=3_000),
        field("number_input", is_decimal_allowed=False),
        field("static_select", **CHOICE, initial_option=TWO),
        field("static_select", **GROUPS, initial_option=ONE),
        field("radio_buttons", **CHOICE, initial_option=ONE),
        field("multi_static_select", **CHOICE, initial_options=[ONE, TWO], max_selected_items=1),
        field("checkboxes", **CHOICE, initial_options=[TWO]),
        field("datepicker", initial_date="2026-02-28"),
        field("timepicker", initial_time="23:59"),
    ],
)
def test_what_slack_takes_is_taken(block: Json) -> None:
    assert block_faults([block]) == []


@pytest.mark.parametrize(
    ("block", "name"),
    [
        (field("plain_text_input", max_length=3_001), "max_length"),
        (field("plain_text_input", max_length=0), "max_length"),
        (field("plain_text_input", min_length="2"), "min_length"),
        (field("plain_text_input", min_length=3, max_length=2), "min_length"),
        (field("number_input"), "is_decimal_allowed"),
        (field("static_select", **CHOICE, initial_option={**ONE, "value": "x"}), "initial_option"),
        (field("static_select", **GROUPS, initial_option=TWO), "initial_option"),
        (field("radio_buttons", **CHOICE, initial_option="one"), "initial_option"),
        (field("checkboxes", **CHOICE, initial_options=ONE), "initial_options"),
        (field("multi_static_select", **CHOICE, max_selected_items=0), "max_selected_items"),
        (field("datepicker", initial_date="28.02.2026"), "initial_date"),
        (field("timepicker", initial_time="24:00"), "initial_time"),
    ],
)
def test_what_slack_refuses_is_refused(block: Json, name: str) -> None:
    (fault,) = block_faults([block])
    assert fault.endswith(f"[json-pointer:/blocks/0/element/{name}]")


@pytest.mark.parametrize("kind", ["modal", "home"])
def test_markdown_is_for_messages(kind: str) -> None:
    blocks = [{"type": "divider"}, {"type": "markdown", "text": "x"}]
    (fault,) = view_faults({"type": kind, "title": PLAIN, "blocks": blocks})
    assert fault == "[ERROR] unsupported type: markdown [json-pointer:/view/blocks/1/type]"


def test_one_control_of_a_view_is_focused_at_most() -> None:
    blocks = [field("plain_text_input", focus_on_load=True) for _ in range(2)]
    view = {"type": "modal", "title": PLAIN, "submit": PLAIN, "blocks": blocks[:1]}
    assert view_faults(view) == []
    assert len(view_faults({**view, "blocks": blocks})) == 1


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("options"), inner),
    max_leaves=5,
)
NAMES = st.sampled_from(
    ["options", "option_groups", "initial_option", "initial_options", "min_length", "max_length",
     "max_selected_items", "is_decimal_allowed", "initial_date", "initial_time", "focus_on_load"]
)  # fmt: skip


@given(
    st.sampled_from(sorted(kind for kind, row in ELEMENTS.items() if "input" in row.places)),
    st.dictionaries(NAMES, ODD),
)
def test_no_control_upsets_the_validator(kind: str, more: Json) -> None:
    view_faults({"type": "modal", "blocks": [field(kind, **more)]})
