"""The pictures in docs/pictures: how they are made, and made again.

    python -m tests.screenshots

starts a demo, acts in its page as people do, and writes a picture of each scene, and what each
shows as text into `contents.txt`. A test goes the same way and compares the texts: a picture that
shows what is no longer so is found, whatever the machine's fonts are.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.support.browser import DESKTOP, PHONE
from tests.support.browsing import GOES_ON, PATIENCE_MS, Person
from tests.support.chromium import FLAGS, chromium
from tests.support.demo_process import READY, Demo, demo
from tests.widget_pictures import LOOKS, looked_at

ROOT: Final = Path(__file__).parent.parent
PICTURES: Final = ROOT / "docs" / "pictures"
CONTENTS: Final = PICTURES / "contents.txt"
_TIME: Final = re.compile(r"\b\d{1,2}:\d\d\b( [AP]M)?")
_PASSING: Final = re.compile(r"\(edited\)|\b\d+ new\b|^⋯$|^Actions for .*$", re.M)

Read = Sequence[Locator]  # what of a scene is written down, in this order


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture. `show` leads there and says what of it is the point."""

    show: Callable[[Person], Read]
    size: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Shown:
    name: str
    tab: Page
    text: str


# ── the scenes, in the order in which they follow from one another ─────────────────────────────


def desktop(ada: Person) -> Read:
    """A card in its channel, and a persona's thread beside it."""
    ada.enter("dashboards")
    ada.open_thread_of("Alex Rivera")
    asked = ada.reads("Step 02-02")
    ada.tab.get_by_role("button", name="Dismiss").click()
    ada.tab.locator("#scroll-channel").evaluate("one => one.scrollTo(0, one.scrollHeight)")
    return [ada.card(), asked, ada.reads("From Ben: “The menu of a dashboard")]


def phone(ada: Person) -> Read:
    """The same thread on a phone."""
    ada.enter("dashboards")
    ada.open_thread_of("Alex Rivera")
    asked = ada.reads("- The menu of a dashboard")
    return [asked, ada.reads("From Ben: “The menu of a dashboard")]


def home(ada: Person) -> Read:
    """The app's Home: what waits for me, and what is finished."""
    ada.tab.goto(f"{ada.demo.url}home")
    body = ada.tab.locator(".home-body")
    expect(body).to_contain_text("Finished", timeout=PATIENCE_MS)
    return [body]


def start(ada: Person) -> Read:
    """The form that begins something new."""
    home(ada)
    form = ada.opens_form("Start something new")
    form.get_by_role("textbox").first.fill("Retry failed card payments")
    return [form]


def party(ada: Person) -> Read:
    """Personas of a party propose, object, propose once more, and recommend."""
    ada.enter("start-here")
    ada.types("/roundtable discover Dashboards as PDF --party", "channel")
    ada.open_thread_of("Nadia")
    thread = str(ada.tab.locator("body").get_attribute("data-thread"))
    ada.reads("questions for you")
    for who, text in VISION:
        ada.demo.say(who, "start-here", text, thread)
    ada.reads(re.compile("Answered: .*Cleo", re.S))
    ada.presses(GOES_ON)
    ada.open_replies_of(ada.card())
    ada.reads("Vision Council in short")
    ada.presses(GOES_ON)
    recommended = ada.reads("Stack Debate in short")
    objections = [ada.reads(re.compile(f"{who}.*Looks at the proposal", re.S)) for who in CRITICS]
    objections[0].evaluate("one => one.scrollIntoView({ block: 'start' })")
    return [*objections, ada.reads("Proposes once more"), recommended]


def recovery(ada: Person) -> Read:
    """A credential slipped into an answer: it is kept nowhere, and somebody has to choose."""
    ada.enter("start-here")
    ada.types("/roundtable analyze Retry failed card payments", "channel")
    ada.open_thread_of("Maya Chen")
    ada.reads("Step 00-01")
    ada.types(f"Medium. The provider's key is {NO_KEY}, if you need it.")
    menu = ada.reads("Redact and resume")
    slip = ada.reads(NO_KEY)
    slip.hover()
    slip.get_by_role("button", name="Actions for").click()
    ada.tab.get_by_role("menuitem", name="Delete message").click()
    ada.tab.get_by_role("button", name="Delete", exact=True).click()
    expect(slip).to_have_count(0)
    ada.reads("Halted.", "channel")  # the card follows the menu
    return [ada.card(), menu]


def difference(ada: Person) -> Read:
    """Two people say different things, and are asked which of the two holds."""
    ada.enter("start-here")
    ada.types(f"/roundtable analyze {BOOKING}", "channel")
    ada.open_replies_of(ada.reads(re.compile(f"leads .* here.*{BOOKING}", re.S), "channel"))
    ada.reads("Step 00-01")
    thread = str(ada.tab.locator("body").get_attribute("data-thread"))
    ada.types("It is small, a week of work for one person.")
    ada.reads("From Ada: “It is small")
    ada.demo.say("Ben", "start-here", "It is large if you ask me, two months of work.", thread)
    return [ada.reads("Which one holds?")]


def both(ada: Person) -> Read:
    """The form that asks why both of two lines hold."""
    reads_difference(ada)
    form = ada.opens_form("Both, and why")
    form.get_by_role("textbox").fill("A week for the page, two months with the payments.")
    return [form]


def sorted_lines(ada: Person) -> Read:
    """How the lines of a step were sorted, unfolded."""
    shown = reads_difference(ada)
    shown.locator("summary", has_text="Sorted:").click()
    return [shown]


def sorting(ada: Person) -> Read:
    """The form in which people sort lines anew."""
    reads_difference(ada)
    return [ada.opens_form("Sorting")]


def reads_difference(ada: Person) -> Locator:
    """Leads back to the step on which people differ."""
    ada.enter("start-here")
    ada.open_replies_of(ada.reads(re.compile(f"leads .* here.*{BOOKING}", re.S), "channel"))
    return ada.reads("Which one holds?")


def trouble(ada: Person) -> Read:
    """The panel that has the workspace misbehave."""
    ada.enter("dashboards")
    ada.makes_trouble("Too many requests (429)", seconds=5)
    return [ada.panel()]


SCENES: Final[Mapping[str, Scene]] = {
    "desktop": Scene(desktop, DESKTOP),
    "phone": Scene(phone, PHONE),
    "home": Scene(home, DESKTOP),
    "start": Scene(start, DESKTOP),
    "party": Scene(party, DESKTOP),
    "recovery": Scene(recovery, DESKTOP),
    "difference": Scene(difference, DESKTOP),
    "both": Scene(both, DESKTOP),
    "sorted": Scene(sorted_lines, DESKTOP),
    "sorting": Scene(sorting, DESKTOP),
    "trouble": Scene(trouble, DESKTOP),
}
NAMES: Final = (*SCENES, *LOOKS)
BOOKING: Final = "Book an appointment online"
VISION: Final = (
    (
        "Ada",
        "1. An account manager who reports to people without an account.\n"
        "2. Nobody scripts a headless browser any more just to mail a dashboard.\n"
        "3. A button on the dashboard that gives one PDF of the current view.\n"
        "4. It should never become an editor for page layouts.",
    ),
    (
        "Ben",
        "5. Many teams script puppeteer, a headless browser, and repair it after every release.\n"
        "6. A subscription is a dashboard that goes out by mail on a schedule.\n"
        "8. It works with the subscriptions that are there.\n"
        "9. Fonts and right-to-left text are new to us.\n"
        "Language: Clojure, because two of us write it every day.\n"
        "Database: PostgreSQL, because it holds the subscriptions already.",
    ),
    (
        "Cleo",
        "7. Contracts forbid that one customer's numbers reach another customer.\n"
        "10. About 200 subscriptions a day at first.\n"
        "Nobody has decided whose permissions count in a mail.",
    ),
)
CRITICS: Final = ("Zara", "Felix")
NO_KEY: Final = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"  # in two parts, for it looks like one


# ── going through them ─────────────────────────────────────────────────────────────────────────


@contextmanager
def held(folder: Path) -> Iterator[Demo]:
    """A demo whose sessions are there."""
    with demo(folder) as running:
        running.until(READY)
        yield running
        running.end()


def scenes(running: Demo, browser: Browser) -> Iterator[Shown]:
    """Each scene while it is shown."""
    for name, scene in SCENES.items():
        with browser.new_context(viewport=scene.size) as context:  # type: ignore[arg-type]
            context.set_default_timeout(PATIENCE_MS)
            person = Person(context.new_page(), running)
            text = "\n\n".join(told(part) for part in scene.show(person))
            yield Shown(name, person.tab, text)
            close_forms(person)
    for name, tab, parts in looked_at(browser):
        yield Shown(name, tab, "\n\n".join(map(told, parts)))


def close_forms(person: Person) -> None:
    """A form stays before whoever opened it, wherever they go."""
    forms = person.tab.locator("#modals dialog")
    if forms.count():
        forms.last.get_by_role("button", name="Close").click()
        expect(forms).to_have_count(0)


def told(part: Locator) -> str:
    """What is read there, without what differs from run to run."""
    inside = part.locator(".msg-main")  # of a message: all but its picture
    text = inside.inner_text() if inside.count() else part.inner_text()
    plain = _PASSING.sub("", _TIME.sub("hh:mm", text))
    return "\n".join(" ".join(line.split()) for line in plain.splitlines() if line.strip())


def contents(texts: Mapping[str, str]) -> str:
    return "\n".join(f"== {name}.png ==\n\n{text}\n" for name, text in texts.items())


def main() -> int:
    path = chromium()
    if path is None:
        sys.stderr.write("There is no Chromium here: install Debian's package chromium.\n")
        return 2
    PICTURES.mkdir(exist_ok=True)
    texts = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        held(Path(folder)) as running,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for shown in scenes(running, browser):
            shown.tab.mouse.move(0, 0)  # nothing is hovered over
            shown.tab.screenshot(path=PICTURES / f"{shown.name}.png")
            texts[shown.name] = shown.text
        browser.close()
    CONTENTS.write_text(contents(texts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
