"""A real browser for the tests of the page: Debian's Chromium, driven by Playwright.

One browser per test process; every test has a context of its own. `conftest` knows the fixtures.
Without Chromium the tests are skipped with what to install, but where `CI` is set they fail:
there it belongs.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

import pytest

from tests.support.chromium import FLAGS, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

DESKTOP: Final["ViewportSize"] = {"width": 1280, "height": 800}
PHONE: Final["ViewportSize"] = {"width": 375, "height": 700}
PATIENCE_MS: Final = 60_000.0  # whatever else the machine does
MISSING: Final = (
    "no Chromium: install Debian's `chromium` (apt-get install chromium), "
    "or name another one in ROUNDTABLE_CHROMIUM"
)

_launched: "list[Browser]" = []


def needed() -> str:
    """Where the browser is. Without one a test is skipped and says why; with `CI` it fails."""
    path = chromium()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return path


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    if _launched:  # a module that imports the fixture has a second one of its own
        yield _launched[0]
        return
    path = needed()
    from playwright.sync_api import sync_playwright  # most tests need none of it

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        _launched.append(launched)
        yield launched
        _launched.clear()
        launched.close()


@pytest.fixture
def tab(browser: "Browser") -> "Iterator[Page]":
    yield from opened(browser, DESKTOP)


def opened(
    browser: "Browser", size: "ViewportSize", scheme: "Literal['light', 'dark']" = "light"
) -> "Iterator[Page]":
    """A tab of its own. What the page's script throws, or its policy refuses, fails the test."""
    with browser.new_context(viewport=size, color_scheme=scheme) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        yield page
        assert [one for one in wrong if "status of 4" not in one] == []
