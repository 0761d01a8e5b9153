"""What a person does in the page of a running demo: reads, clicks and types, and nothing else."""

import re
import time
from contextlib import suppress
from dataclasses import dataclass

from playwright.sync_api import Error, Locator, Page, expect

from tests.support.demo_process import CHANNELS, Demo

POLL_MS = 50.0
PATIENCE_MS = 60_000.0  # whatever else the machine does
TRIGGER_MS = 6_000.0  # twice as long as a trigger lives
CLICKS_MAX = 5
STEPS_DONE = re.compile(r"(\d+) of (\d+) steps done")
LEADS = re.compile(r"· ([^·]+?), [^·]+ leads")
STEP = re.compile(r"Step (\d\d-\d\d) ")
REPLIES = re.compile(r"\d+ repl(y|ies)")
GOES_ON = re.compile(r"^(Continue|Accept\b.*)$")
CONFIRMS = "That's right"


@dataclass(slots=True)
class Person:
    """Somebody in front of the page. What is named is looked for where it is seen."""

    tab: Page
    demo: Demo

    # where one is

    def enter(self, channel: str) -> None:
        self.tab.goto(f"{self.demo.url}c/{CHANNELS[channel]}")

    def open_thread_of(self, name: str) -> None:
        """By the replies under the newest message with which that persona opened one."""
        root = self.reads(
            re.compile(rf"{name}.* (?:leads .* here|sits at this table)\.", re.S), "channel"
        )
        self.open_replies_of(root)

    def open_replies_of(self, message: Locator) -> None:
        root = message.get_attribute("data-root")
        message.get_by_role("link", name=REPLIES).click()
        expect(self.tab.locator("body")).to_have_attribute("data-thread", str(root))

    # what one sees

    def card(self) -> Locator:
        return self.tab.locator("#list-channel .msg", has_text=STEPS_DONE).last

    def thread(self) -> Locator:
        return self.tab.locator("#list-thread")

    def reads(self, words: str | re.Pattern[str], place: str = "thread") -> Locator:
        """The newest message with these words, once it is there."""
        found = self.tab.locator(f"#list-{place} .msg", has_text=words).last
        expect(found).to_be_visible(timeout=PATIENCE_MS)
        return found

    # what one does

    def types(self, text: str, place: str = "thread") -> None:
        box = self.tab.locator(f"#text-{place}")
        box.fill(text)
        box.press("Enter")
        expect(box).to_have_value("", timeout=PATIENCE_MS)

    def presses(self, label: str | re.Pattern[str], within: Locator | None = None) -> str:
        """The newest button that is called so, once it is there; its whole label. It is used up."""
        place = within or self.thread()
        wanted = place.get_by_role("button", name=label, exact=isinstance(label, str)).last
        expect(wanted).to_be_visible(timeout=PATIENCE_MS)
        button = wanted.element_handle()
        assert button is not None
        said = button.inner_text()
        button.click()
        button.wait_for_element_state("hidden", timeout=PATIENCE_MS)
        return said

    def opens_form(self, label: str) -> Locator:
        """The form behind a button. Its trigger lives for three seconds: one clicks again."""
        form = self.tab.locator("#modals dialog")
        for _ in range(CLICKS_MAX):
            self.tab.get_by_role("button", name=label).click()
            with suppress(Error):
                form.wait_for(timeout=TRIGGER_MS)
                break
        expect(form).to_be_visible(timeout=PATIENCE_MS)
        return form

    # an analysis

    def step(self) -> str:
        """The step that is asked in the open thread, or nothing."""
        asked = STEP.findall(self.thread().inner_text())
        return asked[-1] if asked else ""

    def moves_on(self, after: str) -> bool:
        """Once the next step is asked, in whosever thread; false when all is completed."""
        until = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < until:
            shown = self.card().text_content() or ""  # the plan of phases may be folded
            if "Completed." in shown:
                return False
            leader = LEADS.search(shown)
            if leader is not None and leader[1] != self.leader():
                self.open_thread_of(leader[1])
            if self.step() not in ("", after):
                return True
            self.tab.wait_for_timeout(POLL_MS)
        raise AssertionError(f"nothing came after {after}: {self.thread().inner_text()}")

    def leader(self) -> str:
        """Whose thread is open."""
        return self.tab.locator("#list-thread .msg .author").first.inner_text()

    # trouble

    def makes_trouble(self, kind: str, *, seconds: int = 1) -> None:
        """Plan it in the panel, and close that."""
        panel = self.panel()
        panel.get_by_label("What happens").select_option(label=kind)
        panel.get_by_label("Seconds to wait").fill(str(seconds))
        panel.get_by_role("button", name="Plan it").click()
        expect(panel.get_by_role("button", name="Clear all")).to_be_visible()
        panel.get_by_role("button", name="Close").click()

    def panel(self) -> Locator:
        """The panel that makes trouble, open."""
        self.tab.get_by_role("button", name="Make trouble").click()
        found = self.tab.get_by_role("dialog", name="Make trouble")
        expect(found).to_be_visible()
        return found
