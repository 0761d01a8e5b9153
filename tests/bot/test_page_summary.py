"""How much of a phase's summary a phone shows before anything is unfolded."""

from playwright.sync_api import Browser

from bot.views.thread import phase
from core.domain.answers import Claim, ClaimKind
from tests.bot.test_local_support import client
from tests.bot.test_views import claim, menu, state
from tests.support.browser import PHONE
from tests.support.page import address, line, with_page

SCREENS_MAX = 2
KINDS: tuple[ClaimKind, ...] = (
    *("requirement", "decision", "quality", "constraint", "story", "data", "fact"),
)
SAID = "The export holds what the dashboard shows at that moment, with its filters, for {}."


def of_forty_lines() -> list[Claim]:
    return [
        claim(number, 1, SAID.format(f"team {number}"), kind=KINDS[number % len(KINDS)])
        for number in range(40)
    ]


def test_a_summary_of_forty_lines_takes_two_screens_of_a_phone_at_most(browser: Browser) -> None:
    summary = phase.PhaseSummary("Requirements", (state(1, "Context"),), tuple(of_forty_lines()))
    shown = phase.phase_message(summary, {}, menu=menu("accept", "amend"), following="Design")
    with with_page() as slack, browser.new_context(viewport=PHONE) as context:
        client(slack).chat_postMessage(
            channel=slack.channel_id("general"), text=shown.text, blocks=[*shown.drawn(())]
        )
        tab = context.new_page()
        tab.goto(address(slack, "Ada"))
        box = line(tab, "Requirements in short").bounding_box()
        assert box is not None
        assert box["height"] <= SCREENS_MAX * PHONE["height"]
