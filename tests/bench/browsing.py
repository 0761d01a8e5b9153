"""Rows 17 and 18: the page of the local workspace in a real browser, with the real bot behind it.

Playwright and Chromium belong to development: without them the rows are left out, and why is said.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

from bot.devtools.workspace import LocalWorkspace
from bot.views.kit.menus import OVERFLOW
from tests.bench.analysis import CHANNEL, CONTINUE, PERSON, STEPS, Play, bot_in
from tests.bench.figures import Figure, Subject
from tests.bench.size import Size
from tests.support.chromium import FLAGS, chromium
from tests.support.serving import database_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE_TOKEN: Final = "a-page-for-the-bench"
WAIT_MS_MAX: Final = 20_000

SHOWN: Final = Subject(
    17, "Continue clicked → next prompt visible in the page (median)", "ms", "≤", 150, 100
)
WEIGHT: Final = Subject(
    18, "the page with a whole analysis, everything it loads", "kB", "≤", 150, 100
)

# Notes when a Continue was clicked, and when a prompt that was not there before is on the screen.
WATCH: Final = """
([go, prompt]) => {
  const seen = new Set();
  const prompts = () => [...document.querySelectorAll('#list-thread .msg')].filter(
    (one) => one.querySelector(prompt) && one.getClientRects().length);
  window.waited = null;
  let clicked = null;
  document.addEventListener('click', (event) => {
    if (event.target.closest && event.target.closest(go)) {
      prompts().forEach((one) => seen.add(one.dataset.key));
      clicked = performance.now();
      window.waited = null;
    }
  }, true);
  new MutationObserver(() => {
    if (clicked === null || !prompts().some((one) => !seen.has(one.dataset.key))) return;
    const since = clicked;
    clicked = null;
    requestAnimationFrame(() => { window.waited = performance.now() - since; });
  }).observe(document.body, {childList: true, subtree: true});
}
"""
LOADED: Final = """
() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + (one.transferSize || one.encodedBodySize), 0)
"""


def browsed(folder: Path, size: Size, told: Callable[[str], None]) -> list[Figure]:
    missing = "it is a try of the program only" if not size.browsed else lacking()
    if missing:
        told(f"rows 17 and 18 are left out: {missing}")
        return []
    waits, weights = [], []
    for number in range(1, size.browsed + 1):
        told(f"rows 17 and 18: analysis {number} of {size.browsed} in the browser")
        own = folder / f"browsed-{number}"
        own.mkdir()
        some, weight = _browse(own)
        waits += some
        weights.append(weight)
    return [SHOWN.measured(median(waits)), WEIGHT.measured(max(weights) / 1000)]


def lacking() -> str:
    """What is not there that a browser needs; empty where all is."""
    try:
        import playwright.sync_api  # noqa: F401 - whether it is there
    except ImportError:
        return "playwright is not installed (pip install playwright)"
    return "" if chromium() else "there is no Chromium (apt-get install chromium)"


def _browse(folder: Path) -> tuple[list[float], float]:
    """Milliseconds from each Continue to its prompt, and the bytes of the page at the end."""
    database_in(folder)
    with (
        LocalWorkspace(people=[PERSON], channels=[CHANNEL], page_token=PAGE_TOKEN) as slack,
        bot_in(folder, slack),
        _tab() as page,
    ):
        play = InPage(slack, page)
        play.run()
        page.goto(play.address, wait_until="load")
        return play.waits_ms, float(page.evaluate(LOADED))


@contextmanager
def _tab() -> Iterator["Page"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        try:
            page = browser.new_page()
            page.set_default_timeout(WAIT_MS_MAX)
            yield page
        finally:
            browser.close()


class InPage(Play):
    """The same person, who clicks in the page. What they say is said beside it."""

    def __init__(self, slack: LocalWorkspace, page: "Page") -> None:
        super().__init__(slack)
        self._page = page
        self._root: str | None = None

    @property
    def address(self) -> str:
        channel, person = self.slack.channel_id(CHANNEL), self.slack.user_id(PERSON)
        thread = f"&thread={self._root}" if self._root else ""
        return f"{self.slack.page_url}c/{channel}?as={person}{thread}"

    def _go_on(self, number: int) -> tuple[str, float] | None:
        self._settled()
        message, choice = self._offer(number)
        if message.thread_ts != self._root:
            self._root = message.thread_ts
            self._page.goto(self.address, wait_until="load")
            self._page.evaluate(WATCH, [_control(CONTINUE), f".bk-overflow {_control(OVERFLOW)}"])
        key = f'#list-thread .msg[data-ts="{message.ts}"] {_control(choice)}'
        self._page.locator(key).click()
        if choice != CONTINUE or number == STEPS:
            return choice, 0.0
        self._page.wait_for_function("() => window.waited !== null")
        self.waits_ms.append(float(self._page.evaluate("() => window.waited")))
        return choice, 0.0

    def _until_next_prompt(self, clicked: tuple[str, float]) -> None:
        if clicked[0] != CONTINUE:
            self._await_prompt()


def _control(action: str) -> str:
    return f'[data-action-id="{action}"]'
