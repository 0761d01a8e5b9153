"""What Roundtable promises a newcomer, by clicking and typing alone, in a demo that really runs.

The people here do nothing but what a person does in the page. What they see is what counts.
"""

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import DESKTOP, browser
from tests.support.browsing import CONFIRMS, GOES_ON, PATIENCE_MS, POLL_MS, Person
from tests.support.demo_process import READY, Demo, demo

__all__ = ["browser"]

pytestmark = pytest.mark.whole

WAIT_S = 2
SMALL = {
    "00-01": "Small: two files and one test change. Low complexity.",
    "00-02": CONFIRMS,
    "00-03": CONFIRMS,
    "01-01": "One template prints UTC today, and readers need their own time.",
    "01-02": "Readers abroad, who reckon from UTC today.",
    "01-06": "Times must be shown in the reader's own time zone.",
    "01-08": "FR-001 must.",
    "02-01": "Nothing else. The mails keep UTC.",
    "03-02": "We use the date functions that we have, because they know time zones.",
    "04-01": "The template prints the time, and asks the profile for the zone.",
    "04-04": "A profile without a zone: the time is shown in UTC, and says so.",
}
"""What a person says to each step that the short path leaves."""

QUESTIONS = """\
1. An account manager who reports to people without an account.
2. Nobody scripts a headless browser any more just to mail a dashboard.
3. A button on the dashboard that gives one PDF of the current view.
4. It should never become an editor for page layouts.
5. Many teams script puppeteer, a headless browser.
6. A subscription is a dashboard that goes out by mail.
7. Contracts forbid that one customer's numbers reach another customer.
8. It works with the subscriptions that are there.
9. Fonts and right-to-left text are new to us.
10. About 200 subscriptions a day at first.
Language: Clojure, because two of us write it every day.
Database: PostgreSQL, because it holds the subscriptions already."""
BLUEPRINT = """\
- Renderer: turns the current view into pages.
- Mailer: sends what is due.
- Document: dashboard, filters, pages
- A document is kept for 7 days, then it is deleted."""
ASKED = {
    "Vision Council": ("Nadia", QUESTIONS),
    "Stack Debate": None,
    "Blueprint": ("Architecture Designer", BLUEPRINT),
}
"""Every council: who asks people before it begins, in their own thread, and what they are told."""

ARTICLES = {
    "04-01": "A mail never shows more than its subscriber may see.",
    "04-02": "Two of us write Clojure every day.",
    "05-01": "I have read all articles and they hold.",
    "05-02": "Sam draws ten dashboards by Friday.",
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with demo(tmp_path_factory.mktemp("journey")) as found:
        found.until(READY)
        yield found
        assert found.end()[0] == 0


@pytest.fixture
def ada(browser: Browser, running: Demo) -> Iterator[Person]:
    with browser.new_context(viewport=DESKTOP) as context:  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        yield Person(context.new_page(), running)


def test_a_whole_analysis_is_held_by_clicking_and_typing(ada: Person) -> None:
    ada.enter("start-here")
    title = "Show times in the reader's own time zone"
    ada.types(f"/roundtable analyze {title} --depth brief", "channel")
    ada.open_thread_of("Maya Chen")
    ada.reads("Step 00-01")
    asked, going = [], True
    while going:
        asked.append(step := ada.step())
        if SMALL[step] == CONFIRMS:
            ada.reads(f"Step {step}").get_by_role("button", name=CONFIRMS).click()
        else:
            ada.types(SMALL[step])
        ada.presses("Short path" if step == "00-03" else GOES_ON)
        going = ada.moves_on(after=step)
    assert asked == list(SMALL)
    expect(ada.card()).to_contain_text("Completed. Everything that was written is in the export.")
    ada.card().get_by_role("button", name="Export").click()
    exported = ada.tab.get_by_role("link", name=re.compile(r"^Download .*\.zip$"))
    with ada.tab.expect_download() as download:
        exported.first.click()
    assert Path(download.value.path()).read_bytes().startswith(b"PK")


def test_a_whole_party_is_held_by_clicking_and_typing(ada: Person) -> None:
    ada.enter("payments")
    ada.types("/roundtable discover Dashboards as PDF", "channel")
    ada.open_replies_of(ada.reads("Waiting for a choice in the thread.", "channel"))
    ada.presses("Party mode (recommended)")
    for council, questions in ASKED.items():
        if questions is not None:
            asker, answers = questions
            ada.open_thread_of(asker)
            ada.reads("questions for you")
            ada.types(answers)
            ada.presses("Continue")
            ada.open_replies_of(ada.card())
        ada.reads(f"{council} in short")
        ada.presses(GOES_ON)
        ada.reads(f"{council} is decided")
    step = ""
    while ada.moves_on(after=step):
        step = ada.step()
        ada.types(ARTICLES[step])
        ada.presses(GOES_ON)
    assert step == list(ARTICLES)[-1]
    expect(ada.card()).to_contain_text("7 of 7 steps done")


def test_trouble_from_the_panel_is_waited_for_and_recovered_from_by_a_button(ada: Person) -> None:
    ada.enter("dashboards")
    ada.open_thread_of("Alex Rivera")
    ada.reads("From Ben: “The menu of a dashboard")

    ada.makes_trouble("Too many requests (429)", seconds=WAIT_S)
    pressed = time.time()
    ada.presses("Continue")
    asked = ada.reads("Step 02-03").get_attribute("data-ts")
    assert float(str(asked)) - pressed >= WAIT_S

    ada.types("A PDF that was mailed to the wrong person cannot be taken back.")
    ada.reads("From Ada, a risk: “")
    until_nothing_waits(ada)  # an edit of the card that meets the revoked token pauses as well
    ada.makes_trouble("Token revoked, until you give it back")
    ada.thread().get_by_role("button", name="Continue").last.click()
    until_the_bot_is_silenced(ada)
    panel = ada.panel()
    panel.get_by_role("button", name="Give it back").click()
    # What is clicked while the token is still revoked has no answer.
    expect(panel.get_by_role("button", name="Give it back")).to_be_hidden()
    panel.get_by_role("button", name="Close").click()
    # The card shows Resume once it could be painted; else its Pause says that all is paused.
    ada.card().get_by_role("button", name=re.compile("^(Pause|Resume)$")).first.click()
    resume = ada.tab.locator("#list-channel .msg", has_text="is paused.").get_by_role(
        "button", name="Resume"
    )
    resumed = ada.thread().get_by_text("Here we are again")
    expect(resume.or_(resumed).first).to_be_visible(timeout=PATIENCE_MS)
    if resume.count():
        resume.last.click()
    ada.reads("Step 02-04")
    expect(ada.card()).to_contain_text("14 of 24 steps done")


def until_nothing_waits(ada: Person) -> None:
    """Every message of the bot was sent."""
    database = ada.demo.folder / "roundtable-demo" / "roundtable.db"
    until = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < until:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
            (waiting,) = db.execute("SELECT count(*) FROM outbox WHERE due IS NOT NULL").fetchone()
        if waiting == 0:
            return
        ada.tab.wait_for_timeout(POLL_MS)
    raise AssertionError("the bot still has something to send")


def until_the_bot_is_silenced(ada: Person) -> None:
    """Slack refused a message: nothing in the page says so, the bot's log does."""
    log = ada.demo.folder / "roundtable-demo" / "roundtable.log"
    until = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < until:
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        if any(line["event"] == "post.refused" for line in lines):
            return
        ada.tab.wait_for_timeout(POLL_MS)
    raise AssertionError("Slack refused nothing")
