"""How-to pages name every button, option and list that is on screen."""

import ast
from pathlib import Path
from typing import Final

import pytest

from bot.views.kit import menus
from bot.views.kit.wording import WORDING

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = "\n".join(page.read_text() for page in sorted((ROOT / "docs/how-to").glob("*.md")))


def written_labels() -> set[str]:
    """First arguments of `button(…)` and `link_button(…)` where a view writes them out."""
    labels = set()
    for file in (ROOT / "bot/views").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name in ("button", "link_button") and node.args:
                label = node.args[0]
                if isinstance(label, ast.Constant):
                    labels.add(str(label.value))
    return labels


def labels() -> list[str]:
    choices = {label for labels in WORDING.labels.values() for label in labels.values()}
    others = {*menus.PICK_WORDS.values(), *menus.CARD_LABELS.values()}
    return sorted(choices | others | written_labels())


@pytest.mark.parametrize("label", labels())
def test_a_control_that_is_on_screen_stands_in_a_how_to_page(label: str) -> None:
    assert f"**{label}**" in PAGES
