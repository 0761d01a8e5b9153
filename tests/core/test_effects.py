"""What an effect's class says of itself, and what the outbox makes of it."""

from dataclasses import dataclass, fields
from typing import get_args

import pytest

from core.domain import effects as fx
from core.domain.ids import ChannelId, PersonaKey, StepId, Ts

MAYA = PersonaKey("business-analyst")
STEP = StepId("01-02")


@pytest.mark.parametrize("left_out", ["lane", "rank", "key"])
def test_an_effect_that_leaves_out_a_part_of_its_declaration_fails_at_import(left_out: str) -> None:
    declaration = {"lane": "visible", "rank": fx.IN_ORDER, "key": None}
    del declaration[left_out]
    with pytest.raises(TypeError, match=left_out):
        type("Wave", (fx.Effect,), {"__annotations__": {}}, **declaration)
    assert "Wave" not in fx.EFFECTS


def test_a_key_names_only_fields_of_its_effect() -> None:
    with pytest.raises(TypeError, match="Wave has no field hand for its key"):

        @dataclass(frozen=True)
        class Wave(fx.Effect, lane="visible", rank=fx.IN_ORDER, key="wave:{hand}"):
            step: StepId


def test_an_effect_has_a_name_of_its_own() -> None:
    with pytest.raises(TypeError, match="there is an effect ShowStep already"):

        @dataclass(frozen=True)
        class ShowStep(fx.Effect, lane="visible", rank=fx.IN_ORDER, key=None):
            step: StepId


@pytest.mark.parametrize("kind", fx.EFFECTS.values())
def test_every_effect_is_a_frozen_value_that_says_what_it_does(kind: type[fx.Effect]) -> None:
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert kind.__doc__
    assert not kind.__doc__.startswith(f"{kind.__name__}("), "dataclass wrote it"


def test_work_lists_every_effect_of_its_lane() -> None:
    assert {kind for kind in fx.EFFECTS.values() if kind.lane == "work"} == set(get_args(fx.Work))


def test_only_what_is_seen_may_be_passed_by_or_missed() -> None:
    for kind in fx.EFFECTS.values():
        assert kind.lane == "visible" or (kind.rank == fx.IN_ORDER and not kind.is_needed)


def test_what_people_need_to_see_says_in_whose_thread() -> None:
    needed = {kind for kind in fx.EFFECTS.values() if kind.is_needed}
    without = {kind for kind in needed if "thread" not in {field.name for field in fields(kind)}}  # type: ignore[arg-type]
    assert without == {fx.PostCard}


def test_a_key_is_filled_from_the_effect() -> None:
    mark = fx.Mark(ChannelId("C1"), Ts("1.2"), on=True)
    assert mark.coalescing_key() == "mark:C1:1.2"
    assert fx.PaintCard().coalescing_key() == "card"


def test_a_message_is_replaced_only_while_it_waits_as_an_edit() -> None:
    shown = fx.ShowStep(STEP, MAYA)
    assert shown.coalescing_key() is None
    assert shown.coalescing_key_as_edit() == "shown:step:01-02"


def test_a_folder_that_a_menu_waits_for_is_never_replaced() -> None:
    assert fx.WriteFolder(STEP).coalescing_key() is None
    assert fx.WriteFolder(STEP, aside=True).coalescing_key() == "views:01-02"
