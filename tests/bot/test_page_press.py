"""A press on the page counts, also when what is pressed changes before the finger is lifted."""

import pytest
from playwright.sync_api import Page, expect

from bot.devtools.workspace import LocalWorkspace
from tests.support.page import address, line, with_page


@pytest.fixture
def slack() -> LocalWorkspace:
    return with_page()


def test_a_link_that_is_drawn_anew_under_the_finger_is_followed(
    slack: LocalWorkspace, tab: Page
) -> None:
    with slack:
        root = slack.say("Ada", "general", "the question")
        slack.say("Bob Lee", "general", "first answer", thread_ts=root)
        tab.goto(address(slack, "Ada"))
        tab.get_by_role("link", name="1 reply").hover()
        tab.mouse.down()
        with tab.expect_response(lambda answer: "/state?" in answer.url):
            slack.say("Bob Lee", "general", "second answer", thread_ts=root)
        tab.mouse.up()
        expect(line(tab, "first answer", "thread")).to_be_visible()
        expect(tab.get_by_role("link", name="2 replies")).to_be_visible()
