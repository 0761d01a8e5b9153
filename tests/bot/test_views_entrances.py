"""Forms, proposals and the Home tab within Slack's limits, whatever was written."""

import json
from typing import Any

import pytest

from bot.devtools.workspace.blocks.limits import (
    BLOCKS_JSON_CHARS_MAX,
    BLOCKS_PER_VIEW_MAX,
    block_faults,
    blocks_size,
    view_faults,
)
from bot.views.home import PAGE_SESSIONS, HomeLine, HomePage, home
from bot.views.kit.controls import Option
from bot.views.kit.modals import KEPT_CHARS_MAX, channel_field, choice_field, modal, text_field
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
from core.domain.session import People, PhaseState, Proposal, ProposalOutcome, Session
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
    blocks = list(shown.blocks)
    assert block_faults(blocks) == []
    assert blocks_size(blocks) <= BLOCKS_JSON_CHARS_MAX
    buttons = [each for block in blocks if block["type"] == "actions" for each in block["elements"]]
    assert len(buttons) == 2 * PROPOSALS_MAX
    written = json.dumps(blocks)
    assert all(f"Person U{number}: " in written for number in range(PROPOSALS_MAX))


def test_what_is_decided_says_who_decided_and_has_no_buttons() -> None:
    outcomes: tuple[ProposalOutcome, ...] = ("confirmed", "left-out", "gone")
    answer = answered(1, "The bank closes at ten.")
    shown = proposals(
        [(proposed(1, answer, each), answer) for each in outcomes], {answer.by: "Sam"}
    )
    for words in ("Confirmed by Sam: it counts.", "Left out by Sam.", "Its message is gone"):
        assert words in shown.text
    assert [block["type"] for block in shown.blocks if block["type"] == "actions"] == []
    assert "still right" not in shown.text  # nobody is called any more


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_every_form_takes_any_text_as_its_beginning(text: str) -> None:
    kept = "k" * KEPT_CHARS_MAX
    for view in (
        start_form(title=text, text=text, mode="party", channel="C1"),
        start_form(),
        take_form(title=text, text=text, metadata=kept),
        begun(text, "https://x.slack.com/archives/C1"),
        modal("x", text, text, [text_field("a", text, hint=text[:300], initial=text)]),
        modal("x", "t", "s", [choice_field("a", "b", [Option(text, "v")] * 120)]),
        modal("x", "t", "s", [channel_field("a", "b")] * 120),
    ):
        faults = [each for each in view_faults(dict(view)) if "already exists" not in each]
        assert faults == [], view
        assert live(view) == []


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
        phases=(phase,) * 40,
        phase=PhaseKey("p"),
        people=People(tuple(UserId(f"U{number}") for number in range(50))),
    )
    names = dict.fromkeys(session.people.answered, text)
    every = [HomeLine(session, since, True, text, LINK, LINK) for since in (1.7e9, None) * 6]
    page = HomePage(every, number=3, pages=999_999, sessions=12_000_000, waiting=6)
    view = home(page, names, note=text)
    assert view_faults(dict(view)) == []
    assert len(every) == PAGE_SESSIONS
    assert len(view["blocks"]) < BLOCKS_PER_VIEW_MAX
    assert live(view) == []


def test_what_is_told_brings_its_button_along() -> None:
    told = reply_message("taken-out", {"step": "Why", "menu": "m1", "about": "C1:1.5"})
    (control,) = [block for block in told.blocks if block["type"] == "actions"]
    (button,) = control["elements"]
    assert (button["action_id"], button["value"]) == ("menu:put-back:C1:1.5", "m1")
    assert button["text"]["text"] == "Put it back"
    again = reply_message("not-in-channel", {"again": "s1"})
    assert again.blocks[-1]["elements"][0]["value"] == "s1"
    assert [b["type"] for b in reply_message("not-in-channel", {}).blocks] == ["rich_text"]
