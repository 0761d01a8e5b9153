"""The pictures of the documentation show what the page shows today."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.screenshots import CONTENTS, NAMES, PICTURES, ROOT, contents, held, scenes
from tests.support.browser import browser
from tests.support.demo_process import Demo

__all__ = ["browser"]

pytestmark = pytest.mark.whole
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]


@pytest.fixture
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with held(tmp_path_factory.mktemp("pictures")) as found:
        yield found


def test_what_the_pictures_show_is_what_the_page_shows(running: Demo, browser: Browser) -> None:
    texts = {shown.name: shown.text for shown in scenes(running, browser)}
    assert CONTENTS.read_text(encoding="utf-8") == contents(texts), "run: make screenshots"


def test_every_scene_has_a_picture_and_every_picture_is_used() -> None:
    assert {path.stem for path in PICTURES.glob("*.png")} == set(NAMES)
    written = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in NAMES if f"pictures/{name}.png)" not in written] == []
