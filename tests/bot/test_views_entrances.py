"""Forms, proposals and the Home tab within Slack's limits, whatever was written."""

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.devtools.workspace.blocks.limits import (
    BLOCKS_JSON_CHARS_MAX,
    BLOCKS_PER_VIEW_MAX,
    block_faults,
    blocks_size,
    view_faults,
)
from bot.devtools.workspace.blocks.table import controls
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Names
from bot.views.home import PAGE_SESSIONS, HomeLine, HomePage, home
from bot.views.kit.controls import Option
from bot.views.kit.modals import (
    KEPT_CHARS_MAX,
    channel_field,
    choice_field,
    drawn_view,
    modal,
    text_field,
)
from bot.views.kit.widget import WIDGET_KINDS
from bot.views.private.replies import reply_message
from bot.views.start import begun, start_form, take_form
from bot.views.thread.proposals import proposals
from core.domain.answers import Answer
from core.domain.ids import (
    AnswerId,
    ChannelId,
    MenuId,
    PersonaKey,
    PhaseKey,
    RunId,
    SessionId,
    Slug,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.session.course import Course, PhaseState
from core.domain.session.people import People
from core.domain.session.session import Session
from core.domain.session.start import Proposal, ProposalOutcome
from core.engine.answers.proposals import PROPOSALS_MAX

LONG = ["x" * 40_000, '"\\\n' * 13_000, "😀" * 20_000, "é\t" * 20_000]
LINK = "https://a-rather-long-name.slack.com/archives/C0123456789/p1700000000000100"
LIVE = [
    "<!channel> <@U1> <https://evil.example|click> &lt;!here&gt;",
    "*bold* `code` ~~~ <script>alert(1)</script> [words](https://evil.example)",
    "\u202eright to left\u2066 \x00 \ud800 :tada: @here @channel",
    "",
    " \n\t ",
]
TEXTS = [*LIVE, *LONG]


def answered(number: int, text: str, name: str = "U1") -> Answer:
    ts = Ts(f"1700000000.{number:06d}")
    link = f"https://a-rather-long-name.slack.com/archives/C0123456789/p{number}?thread_ts={ts}"
    step = StepId("01-01")
    return Answer(AnswerId(f"C:{ts}"), step, UserId(name), text, ts, Ts(""), link)


def proposed(number: int, answer: Answer, outcome: ProposalOutcome = "") -> Proposal:
    menu = MenuId(f"m{number:023d}")
    by = answer.by if outcome else None
    return Proposal(answer.id, answer.by, menu, answer.step, outcome, by)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_as_many_proposals_as_there_may_be_fit_with_all_their_buttons_and_whose_they_are(
    text: str,
) -> None:
    every = [answered(number, text, f"U{number}") for number in range(PROPOSALS_MAX)]
    names = {answer.by: f"Person {answer.by}" for answer in every}
    shown = proposals([(proposed(n, a), a) for n, a in enumerate(every)], names, more=True)
    for blocks in (list(shown.blocks), list(shown.drawn(()))):
        assert block_faults(blocks) == []
        assert blocks_size(blocks) <= BLOCKS_JSON_CHARS_MAX
        labels = [control["text"]["text"] for _, control in controls(blocks)]
        assert labels == ["Confirm", "Leave it out", "Original"] * PROPOSALS_MAX
        written = json.dumps(blocks)
        assert all(f"Person U{number}" in written for number in range(PROPOSALS_MAX))


def test_what_is_decided_says_who_decided_and_leaves_only_the_way_to_the_message() -> None:
    outcomes: tuple[ProposalOutcome, ...] = ("confirmed", "left-out", "gone")
    answer = answered(1, "The bank closes at ten.")
    shown = proposals(
        [(proposed(n, answer, each), answer) for n, each in enumerate(outcomes)],
        {answer.by: "Sam"},
    )
    read = plain(list(shown.blocks), shown.text, Names({}, {}))
    for words in ("Confirmed by Sam: it counts.", "Left out by Sam.", "Its message is gone"):
        assert words in read
    assert {control["text"]["text"] for _, control in controls(shown.blocks)} == {"Original"}
    assert "still right" not in read  # nobody is called any more


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_every_form_takes_any_text_as_its_beginning(text: str) -> None:
    kept = "k" * KEPT_CHARS_MAX
    for view in (
        start_form(title=text, text=text, mode="party", channel="C1"),
        start_form(),
        start_form(note=text),
        take_form(title="t", text="t", metadata="m", note=text),
        take_form(title=text, text=text, metadata=kept),
        begun(text, "https://x.slack.com/archives/C1"),
        modal("x", text, text, [text_field("a", text, hint=text[:300], initial=text)]),
        modal("x", "t", "s", [choice_field("a", "b", [Option(text, "v")] * 120)]),
        modal("x", "t", "s", [channel_field("a", "b")] * 120),
    ):
        for kinds in ((), WIDGET_KINDS):
            drawn = drawn_view(view, kinds)
            faults = [each for each in view_faults(drawn) if "already exists" not in each]
            assert faults == [], view
            assert live(drawn) == []


def live(value: Any) -> list[Any]:
    """What would be read as markup, or notify somebody."""
    if isinstance(value, dict):
        own = [value] if value.get("type") in ("mrkdwn", "markdown", "user", "broadcast") else []
        return own + [each for part in value.values() for each in live(part)]
    return [each for part in value for each in live(part)] if isinstance(value, list) else []


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_page_of_the_home_tab_fits_whatever_people_wrote(text: str) -> None:
    phase = PhaseState(PhaseKey("p"), text, PersonaKey("x"), 8, status="open", done=3)
    session = Session(
        id=SessionId("s"),
        run=RunId("r"),
        team=TeamId("T"),
        channel=ChannelId("C1"),
        owner=UserId("U1"),
        slug=Slug("s"),
        title=text,
        text=text,
        seed="",
        created_at="",
        status="asking",
        course=Course(phases=(phase,) * 40, phase=PhaseKey("p")),
        people=People(tuple(UserId(f"U{number}") for number in range(50))),
    )
    names = dict.fromkeys(session.people.answered, text)
    every = [
        HomeLine(replace(session, id=SessionId(f"s{n}")), since, True, text, text, LINK, LINK)
        for n, since in enumerate((1.7e9, None) * 6)
    ]
    page = HomePage(every, 1.8e9, number=3, pages=999_999, sessions=12_000_000, waiting=6)
    view = home(page, names, note=text)
    assert len(every) == PAGE_SESSIONS
    for kinds in ((), WIDGET_KINDS):
        drawn = drawn_view(view, kinds)
        assert view_faults(drawn) == []
        assert len(drawn["blocks"]) < BLOCKS_PER_VIEW_MAX
        assert live(drawn) == []


def test_a_session_on_the_home_tab_reads_alike_as_a_card_and_as_a_section() -> None:
    page = HomePage([home_line(), home_line(waiting_since=None)], 1.7e9 + 3 * 86_400.0, sessions=2)
    read = [
        plain(drawn_view(home(page, {UserId("U1"): "Sam"}), kinds)["blocks"], "", Names({}, {}))
        for kinds in ((), WIDGET_KINDS)
    ]
    assert read[0] == read[1]
    assert read[0].splitlines()[-10:] == [
        "Waiting for you",
        "Retry payments",
        "#payments · 3 of 8 steps · Quick Scan · Scope Estimation",
        "Waiting for you for 3 days.",
        "[Card] [Where it is now]",
        "Under way",
        "Retry payments",
        "#payments · 3 of 8 steps · Quick Scan · Scope Estimation",
        "Waiting for Sam.",
        "[Card] [Where it is now]",
    ]
    assert "▓" not in read[0]


def home_line(waiting_since: float | None = 1.7e9) -> HomeLine:
    phase = PhaseState(PhaseKey("p"), "Quick Scan", PersonaKey("x"), 8, status="open", done=3)
    session = Session(
        id=SessionId(f"s{waiting_since}"),
        run=RunId("r"),
        team=TeamId("T"),
        channel=ChannelId("C1"),
        owner=UserId("U1"),
        slug=Slug("s"),
        title="Retry payments",
        text="Retry payments",
        seed="",
        created_at="",
        status="asking",
        course=Course(phases=(phase,), phase=PhaseKey("p")),
        people=People((UserId("U1"),)),
    )
    step = "Scope Estimation"
    return HomeLine(session, waiting_since, False, "payments", step, LINK, LINK)


def test_what_is_told_brings_its_button_along() -> None:
    told = reply_message("taken-out", {"step": "Why", "menu": "m1", "about": "C1:1.5"})
    (control,) = [block for block in told.blocks if block["type"] == "actions"]
    (button,) = control["elements"]
    assert (button["action_id"], button["value"]) == ("menu:put-back:C1:1.5", "m1")
    assert button["text"]["text"] == "Put it back"
    again = reply_message("not-in-channel", {"again": "s1"})
    assert again.blocks[-1]["elements"][0]["value"] == "s1"
    assert [b["type"] for b in reply_message("not-in-channel", {}).blocks] == ["rich_text"]
