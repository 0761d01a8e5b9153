"""Every visible effect is drawn, and its message has a place."""

from dataclasses import dataclass

import pytest

from bot.publish.render.drawings import DRAWINGS
from bot.publish.render.messages import CALLS, check_drawings
from core.domain import effects as fx


def test_a_visible_effect_that_nobody_draws_fails_at_import(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    effects = dict(fx.EFFECTS)
    monkeypatch.setattr("core.domain.effects.declaration.EFFECTS", effects)

    @dataclass(frozen=True)
    class Wave(fx.Effect, lane="visible", rank=fx.IN_ORDER, key=None):
        """Wave."""

    assert effects.pop("Wave") is Wave
    check_drawings(effects.values())
    with pytest.raises(TypeError, match="nobody draws Wave"):
        check_drawings((*effects.values(), Wave))


def test_only_visible_effects_are_drawn_and_each_in_one_way() -> None:
    visible = {kind for kind in fx.EFFECTS.values() if kind.lane == "visible"}
    assert visible == set(DRAWINGS) | CALLS
    assert not set(DRAWINGS) & CALLS
