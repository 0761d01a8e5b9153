"""Forms as Slack hands them over: what is forged, altered, unknown or from elsewhere."""

import json
from typing import Any

import pytest
from pytest_mock import MockerFixture

from bot.devtools.workspace import LocalWorkspace
from bot.interactions.forms.modals import TOO_LATE, Modals, Seal
from bot.payloads.people import InteractionPlace, Opening
from bot.views.start import start_form
from bot.web_api.client import SlackClient
from core.domain.events import SessionRequested
from core.domain.ids import ChannelId, UserId
from tests.support.bolt_front import (
    CHANNEL,
    NOW,
    OWNER,
    SECRET,
    THREAD,
    Body,
    Front,
    HeldExecutor,
    shortcut,
    submission,
)


def said(bot: Front, body: Body) -> Any:
    response = bot.deliver(body)
    assert response.status == 200
    return json.loads(response.body) if response.body else {}


def test_a_form_is_opened_after_the_acknowledgement_with_what_it_keeps_sealed(bot: Front) -> None:
    bot.deliver(shortcut("start", trigger_id="1.2.abc"))
    (offered, asked), (method, args), (then, _) = bot.slack.calls
    assert (offered, asked["user"]) == ("users.conversations", OWNER)  # what the form offers
    assert (method, args["trigger_id"]) == ("views.open", "1.2.abc")
    assert then == "users.conversations"  # where the bot is, once it stands
    assert args["view"]["private_metadata"] == Seal(SECRET).put(OWNER, "start", "")


def test_a_submission_becomes_an_event_with_the_keys_of_its_view_and_of_itself(bot: Front) -> None:
    form = {**submission(depth="deep", mode="classic"), "trigger_id": "1.2.abc"}
    assert said(bot, form)["response_action"] == "update"
    (call,) = bot.runtime.calls
    assert call.keys == ("view:T1:V1", "act:T1:U1:1.2.abc")
    event = call.event
    assert isinstance(event, SessionRequested)
    assert (event.title, event.by, event.channel, event.at) == (
        "Retry payments", OWNER, CHANNEL, NOW,
    )  # fmt: skip
    assert (event.flow, event.mode, event.depth) == ("inception", "classic", "deep")
    assert said(bot, submission()) == {}  # the same view once more
    assert len(bot.runtime.calls) == 1


@pytest.mark.parametrize(
    "body",
    [
        submission("no-such-form"),
        submission(sealed="nonsense"),
        submission(sealed=""),
        submission(sealed=Seal("another secret").put(OWNER, "start", "")),
        submission(sealed=Seal(SECRET).put(OWNER, "start", "") + "C9"),
        submission(by="U9"),  # somebody else's form
    ],
    ids=["unknown", "nonsense", "nothing", "another key", "altered", "somebody else's"],
)
def test_a_form_that_is_not_ours_as_it_was_turns_into_a_kind_word(bot: Front, body: Body) -> None:
    answer = said(bot, body)
    assert answer["response_action"] == "update"
    assert "open it once more" in json.dumps(answer["view"])
    assert bot.runtime.calls == []


def test_nobody_from_outside_starts_anything(bot: Front) -> None:
    body = submission()
    body["user"]["team_id"] = "T9"
    assert "Only people of this workspace" in json.dumps(said(bot, body)["view"])
    bot.deliver(shortcut("start", user={"id": OWNER, "team_id": "T9"}))
    assert bot.runtime.calls == bot.slack.calls == []


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"title": "", "text": "x" * 40_000}, {"title", "text"}),
        ({"title": "x" * 40_000}, {"title"}),
        ({"mode": "council", "depth": "endless"}, {"mode", "depth"}),
        ({"channel": ""}, {"channel"}),
        ({"title": " \n ", "channel": "", "depth": ""}, {"title", "channel", "depth"}),
    ],
)
def test_every_fault_of_a_forged_form_is_named_at_its_field(
    bot: Front, fields: dict[str, str], wrong: set[str]
) -> None:
    answer = said(bot, submission(**fields))
    assert answer["response_action"] == "errors"
    assert answer["errors"].keys() == wrong
    assert bot.runtime.calls == []


@pytest.mark.parametrize("form", ["differ", "settle"])
def test_a_credential_in_a_form_is_refused_at_its_field_and_recorded_once(
    bot: Front, form: str
) -> None:
    token = "-".join(("xoxb", "2345678901", "2345678901234", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5"))
    kept = f"s-1-prompt {CHANNEL} {THREAD}"
    body = submission(form, kept, reason=f"It is {token}", stands="answer")
    for answer in (said(bot, body), said(bot, body)):
        assert "reason" in answer["errors"]
        assert token not in json.dumps(answer)
    assert bot.runtime.faults == [("ERR-SEC-001", OWNER)]
    assert bot.runtime.calls == []


def test_markup_and_mentions_in_a_form_stay_words(bot: Front) -> None:
    live = "<!channel> <script>alert(1)</script> <@U2> *bold*"
    answer = said(bot, submission(title=live, text=live))
    event = bot.runtime.events[0]
    assert isinstance(event, SessionRequested)
    assert event.title == live
    leaves = [
        leaf["type"]
        for block in answer["view"]["blocks"]
        for row in block["elements"]
        for leaf in row["elements"]
    ]
    assert set(leaves) == {"text", "link"}


def test_what_could_not_be_saved_keeps_the_form_and_says_so(bot: Front) -> None:
    bot.runtime.failing = RuntimeError("no disk")
    answer = said(bot, submission())
    assert "Please try it again" in answer["errors"]["title"]


def test_a_shortcut_nobody_knows_does_nothing(bot: Front) -> None:
    assert bot.deliver(shortcut("old")).status == 200
    assert bot.slack.calls == []


def test_a_payload_without_slacks_shape_is_let_go(bot: Front) -> None:
    named = {"type": "modal", "callback_id": "start"}
    for view in (named, {**named, "id": "V1", "state": {"values": []}}, {**named, "id": 7}):
        body = {**submission(), "view": view}
        assert bot.deliver(body).status == 200
    assert bot.runtime.calls == []


def test_who_comes_too_late_is_told_by_whatever_way_there_is(mocker: MockerFixture) -> None:
    """Slack refuses the trigger of a click in a thread, of a shortcut, and of one from nowhere."""
    held, lost = HeldExecutor(), mocker.stub()
    with LocalWorkspace(people=["Ada"]) as slack:
        client = SlackClient(slack.bot_token, base_url=slack.api_url)
        modals = Modals(client, held, Seal("secret"))
        ada, general = UserId(slack.user_id("Ada")), ChannelId(slack.channel_id("general"))
        place = InteractionPlace(ada, general)
        modals.open(Opening(ada, "1.2.3", place), start_form)
        modals.open(Opening(ada, "1.2.3"), start_form, lost=lost)
        held.let_go()
        (ephemeral,) = slack.ephemerals
        assert (ephemeral.to, ephemeral.text) == ("Ada", TOO_LATE.text)
        lost.assert_called_once_with()
        assert [call.error for call in slack.calls if call.method == "views.open"] == [
            "invalid_trigger_id", "invalid_trigger_id",
        ]  # fmt: skip
