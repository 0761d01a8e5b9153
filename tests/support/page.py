"""A workspace with its page, a bot that answers, and how a person uses the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, expect
from slack_bolt import App

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_support import bolt, by_socket, workspace

TOKEN = "a-token-that-nobody-guesses"
WAIT_MS = 60_000.0  # whatever else the machine does

expect.set_options(timeout=WAIT_MS)


def with_page(**options: Any) -> LocalWorkspace:
    return workspace(page_token=TOKEN, **options)


@contextmanager
def answered(local: LocalWorkspace) -> Iterator[App]:
    """A real Bolt app on Socket Mode; the test gives it listeners before it acts."""
    app = bolt(local)
    with by_socket(local, app):
        yield app


def address(local: LocalWorkspace, person: str, place: str = "c/C0CH00001", **query: str) -> str:
    more = "".join(f"&{name}={value}" for name, value in query.items())
    return f"{local.page_url}{place}?as={local.user_id(person)}{more}"


def line(page: Page, text: str, place: str = "channel") -> Locator:
    """The message that shows `text`."""
    return page.locator(f"#list-{place} .msg", has_text=text)


def composer(page: Page, place: str = "channel") -> Locator:
    return page.locator(f"#text-{place}")


def say(page: Page, text: str, place: str = "channel") -> None:
    composer(page, place).fill(text)
    composer(page, place).press("Enter")


def choose(page: Page, message: Locator, entry: str) -> None:
    """Use one entry of a message's menu."""
    message.hover()
    message.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name=entry, exact=True).click()
