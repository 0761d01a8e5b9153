"""Pictures of every widget in both renderings: on a desktop, on a phone, and dark.

In the channel stands what Slack's newer blocks make of them, in the thread the plain rendering.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from bot.devtools.workspace import LocalWorkspace
from bot.views.kit.blocks import message
from bot.views.kit.controls import actions, button
from bot.views.kit.modals import drawn_view, modal, text_field
from bot.views.kit.rich_text import paragraph
from bot.views.kit.widget import WIDGET_KINDS, WidgetKind
from bot.views.widgets.cards import Card, Cards
from bot.views.widgets.fold import Fold
from bot.views.widgets.notice import Notice
from bot.views.widgets.progress import Progress, ProgressTask
from bot.views.widgets.table import OpenTable, Rows
from tests.bot.test_local_support import client
from tests.support.page import address, answered, line, with_page

TALL: Final[ViewportSize] = {"width": 1280, "height": 1120}
TALL_PHONE: Final[ViewportSize] = {"width": 375, "height": 1240}
SMALL: Final[ViewportSize] = {"width": 640, "height": 420}
NEWER: Final[frozenset[WidgetKind]] = frozenset()

WIDGETS: Final = message(
    paragraph("Every widget, once."),
    Progress(
        "phases",
        "Waiting for Ada and Cleo.",
        (
            ProgressTask("00", "Quick Scan", "complete", "4 of 4"),
            ProgressTask("01", "Requirements", "in_progress", "2 of 8, Maya Chen leads"),
            ProgressTask("02", "Impact Analysis", "error", "0 of 4, Blast Radius is blocked"),
            ProgressTask("03", "Architecture", "pending", "0 of 4"),
        ),
    ),
    Fold(
        "quality",
        "Quality (2)",
        (
            "A PDF that could not be made must never pass in silence.",
            "Nobody waits longer than ten seconds.",
        ),
    ),
    OpenTable(
        Rows(
            ("Option", "For", "Against"),
            (
                ("Draw on the server", "Mails need it", "It takes memory"),
                ("Draw in the browser", "No server work", ""),
            ),
        )
    ),
    Cards(
        (
            Card(
                "Retry",
                "Tries the same step again. Everything that was said stays.",
                buttons=[button("Retry", "menu:retry", "m1", style="primary")],
                block_id="m1|retry",
            ),
            Card(
                "Cancel",
                "Ends the analysis. Its files stay as they are.",
                buttons=[button("Cancel", "menu:cancel", "m1", style="danger")],
                block_id="m1|cancel",
            ),
        )
    ),
)
FORM: Final = modal(
    "start",
    "Start something new",
    "Start",
    [
        Notice("I am not in that channel. Invite me there, or choose another one.", "error"),
        text_field("title", "What is it about?", initial="Export dashboard as PDF"),
    ],
)


@dataclass(frozen=True, slots=True)
class Look:
    """How the widgets are looked at. `plain`: of the form, how it is drawn."""

    size: ViewportSize
    scheme: Literal["light", "dark"] = "light"
    place: Literal["both", "channel", "thread", "form"] = "both"
    plain: frozenset[WidgetKind] = NEWER


LOOKS: Final[Mapping[str, Look]] = {
    "widgets": Look(TALL),
    "widgets-dark": Look(TALL, "dark"),
    "widgets-phone": Look(TALL_PHONE, place="channel"),
    "widgets-phone-plain": Look(TALL_PHONE, place="thread"),
    "notice": Look(SMALL, place="form"),
    "notice-plain": Look(SMALL, place="form", plain=WIDGET_KINDS),
    "notice-dark": Look(SMALL, "dark", place="form"),
}


@contextmanager
def board() -> Iterator[tuple[LocalWorkspace, str]]:
    """A workspace in which the widgets stand, and the ts of their message."""
    with with_page() as local, answered(local) as app:

        def opened(ack: Any, body: Mapping[str, Any]) -> None:
            ack()
            plain = WIDGET_KINDS if body["actions"][0]["value"] == "plain" else NEWER
            view = drawn_view(FORM, plain)
            client(local).views_open(trigger_id=body["trigger_id"], view=view)

        for name in ("newer", "plain"):
            app.action(name)(opened)
        calls, place = client(local), local.channel_id("general")
        said = calls.chat_postMessage(
            channel=place, text=WIDGETS.text, blocks=[*WIDGETS.drawn(NEWER)]
        )
        ts = str(said["ts"])
        calls.chat_postMessage(
            channel=place, text=WIDGETS.text, blocks=[*WIDGETS.blocks], thread_ts=ts
        )
        buttons = actions([button("Newer", "newer", "newer"), button("Plain", "plain", "plain")])
        calls.chat_postMessage(
            channel=local.channel_id("private-den"), text="forms", blocks=[buttons]
        )
        yield local, ts


def shown(tab: Page, local: LocalWorkspace, look: Look) -> list[Locator]:
    """Leads `tab` there; what of it is read, in this order."""
    if look.place == "form":
        tab.goto(address(local, "Ada", f"c/{local.channel_id('private-den')}"))
        tab.get_by_role("button", name="Plain" if look.plain else "Newer").click()
        form = tab.get_by_role("dialog", name="Start something new")
        expect(form).to_be_visible()
        return [form]
    tab.goto(address(local, "Ada"))
    newer = line(tab, "Every widget")
    for title in ("Waiting for", "Quality"):
        newer.locator("summary", has_text=title).click()
    if look.place == "channel":
        newer.evaluate("one => one.scrollIntoView({ block: 'start' })")
        return [newer]
    newer.get_by_role("link", name="1 reply").click()
    plain = line(tab, "Every widget", "thread").last
    expect(plain).to_be_visible()
    plain.evaluate("one => one.scrollIntoView({ block: 'start' })")
    return [plain] if look.place == "thread" else [newer, plain]


def looked_at(browser: Browser) -> Iterator[tuple[str, Page, list[Locator]]]:
    """Each picture while it is shown: its name, the tab, and what of it is read."""
    with board() as (local, _):
        for name, look in LOOKS.items():
            with browser.new_context(viewport=look.size, color_scheme=look.scheme) as context:
                tab = context.new_page()
                yield name, tab, shown(tab, local, look)
                for form in tab.locator("#modals dialog").all():
                    form.get_by_role("button", name="Close").last.click()
