"""“Take to the Roundtable” in the real bot: a message and its thread become a draft."""

from bot.devtools.workspace import WorkspaceMessage
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.state import Channel
from bot.devtools.workspace.values import Names
from tests.e2e.forms import open_form, press, told
from tests.support.served_bot import CHANNEL, OUTSIDE, ServedBot, controls

TEXT = "Retry failed card payments\nThey fail at night, and nobody notices."


def talk(table: ServedBot) -> tuple[str, str, str]:
    """A message with two replies; their ts."""
    root = table.slack.say("pm", CHANNEL, TEXT)
    first = table.slack.say("dev", CHANNEL, "The bank closes its window at ten.", thread_ts=root)
    second = table.slack.say("pm", CHANNEL, "And the auditors ask for it.", thread_ts=root)
    table.settle()
    return root, first, second


def take(table: ServedBot, ts: str, *, by: str = "pm", **fields: str) -> None:
    form = open_form(table, "take_this", by=by, ts=ts)
    table.slack.submit(by, form.id, fields)
    table.settle()


def proposals(table: ServedBot) -> WorkspaceMessage:
    session = table.session()
    post = table.table.runtime.reader.post(session.id, "proposals")
    assert post is not None
    return table.message(post.ts)


def click(table: ServedBot, choice: str, number: int, *, by: str) -> None:
    """A button of the proposal of that number."""
    menu = table.session().proposals[number].menu
    table.slack.click(by, CHANNEL, proposals(table).ts, f"menu:{choice}", value=menu)
    table.settle()


def answers(table: ServedBot) -> list[tuple[str, str]]:
    found = table.table.runtime.reader.answers(table.session().id)
    return [(each.text, each.source) for each in found]


def test_the_form_is_filled_with_the_message_and_asks_for_no_channel(table: ServedBot) -> None:
    root, _, _ = talk(table)
    form = open_form(table, "take_this", ts=root)
    fields = {
        block["block_id"]: block["element"].get("initial_value")
        for block in form.view["blocks"]
        if block["type"] == "input"
    }
    assert fields.keys() == {"title", "text", "depth"}
    assert fields["title"] == "Retry failed card payments"
    assert fields["text"] == TEXT
    assert "counts once whoever said it confirms it" in form.plain


def test_an_analysis_begins_and_what_was_said_waits_for_its_authors(table: ServedBot) -> None:
    root, first, second = talk(table)
    take(table, root)
    session = table.session()
    assert session.title == "Retry failed card payments"
    assert (session.status, session.owner) == ("asking", table.slack.user_id("pm"))
    assert answers(table) == []
    shown = proposals(table)
    assert "dev\nThe bank closes its window at ten.\n[Confirm]" in shown.plain
    labels = [each["text"]["text"] for each in controls(shown)]
    assert labels == ["Confirm", "Leave it out", "Original"] * 3
    assert {ping.what for ping in table.slack.pings if ping.ts == shown.ts} == {"@pm", "@dev"}
    links = [each["url"] for each in controls(shown) if "url" in each]
    assert [link.partition("?")[0].rpartition("/")[2] for link in links] == [
        f"p{ts.replace('.', '')}" for ts in (root, first, second)
    ]
    replies = [call for call in table.slack.calls if call.method == "conversations.replies"]
    assert len(replies) == 1


def test_in_a_direct_message_the_shortcut_says_where_to_start(table: ServedBot) -> None:
    direct = Channel("D0DIRECT1", "directmessage", has_bot=False)
    table.slack.world.channels.append(direct)
    ts = table.slack.say("pm", "directmessage", "Cards fail at night.")
    table.slack.shortcut("pm", "take_this", channel="directmessage", ts=ts)
    table.settle_until(lambda: told(table))
    assert told(table)[-1].startswith("I work in channels, where your team can answer")
    assert table.slack.modals == []


def test_only_its_author_confirms_and_then_it_is_an_answer_like_any_other(table: ServedBot) -> None:
    root, first, _ = talk(table)
    take(table, root)
    before = len(told(table))
    click(table, "confirm-mine", 1, by="pm")  # the owner, for somebody else
    table.settle_until(lambda: told(table)[before:])
    assert "Only dev, who said it, can confirm that." in told(table)[-1]
    assert answers(table) == []
    click(table, "confirm-mine", 1, by="dev")
    assert answers(table) == [("The bank closes its window at ten.", "proposed")]
    assert "Confirmed by dev: it counts." in proposals(table).plain
    assert "white_check_mark" in table.message(first).reactions
    assert table.session().status == "choosing"
    assert first.replace(".", "") in (table.folder / "quick-scan.md").read_text()


def test_the_owner_leaves_out_what_does_not_belong(table: ServedBot) -> None:
    root, _, _ = talk(table)
    take(table, root)
    click(table, "leave-out", 1, by="pm")
    assert "Left out by pm." in proposals(table).plain
    assert answers(table) == []


def test_a_reply_takes_its_whole_thread_along(table: ServedBot) -> None:
    _, first, _ = talk(table)
    take(table, first, by="dev")
    assert table.session().title == "The bank closes its window at ten."
    assert len(table.session().proposals) == 3


def test_an_edit_of_the_original_reaches_what_is_proposed(table: ServedBot) -> None:
    root, first, _ = talk(table)
    take(table, root)
    table.slack.edit("dev", CHANNEL, first, "The bank closes its window at eleven.")
    table.settle_until(lambda: "at eleven" in proposals(table).plain)
    click(table, "confirm-mine", 1, by="dev")
    assert answers(table) == [("The bank closes its window at eleven.", "proposed")]


def test_markup_and_mentions_of_a_thread_stay_words(table: ServedBot) -> None:
    root = table.slack.say("pm", CHANNEL, "Retry payments")
    live = "<!channel> <@U0PM00001> *bold* <script>alert(1)</script> [x](https://evil.example)"
    table.slack.say("dev", CHANNEL, live, thread_ts=root, literal=True)
    table.slack.say("dev", CHANNEL, "x" * 39_000, thread_ts=root)
    take(table, root)
    shown = proposals(table)
    assert {ping.what for ping in table.slack.pings if ping.ts == shown.ts} == {"@pm", "@dev"}
    assert "<script>alert(1)</script>" in shown.plain
    assert len(controls(shown)) == 9


def test_what_is_no_persons_is_not_taken(table: ServedBot) -> None:
    session = table.start("Retry payments")
    card = table.table.runtime.reader.post(session.id, "card")
    assert card is not None
    before = len(told(table))
    table.slack.shortcut("pm", "take_this", channel=CHANNEL, ts=card.ts)
    table.settle_until(lambda: told(table)[before:])
    assert "what a person of this workspace wrote" in told(table)[-1]
    assert table.slack.modals == []


def test_where_the_bot_is_not_nothing_of_the_form_is_lost(table: ServedBot) -> None:
    ts = table.slack.say("dev", OUTSIDE, TEXT)
    table.slack.shortcut("dev", "take_this", channel=OUTSIDE, ts=ts)
    table.settle_until(lambda: table.slack.modals)
    (form,) = table.slack.modals
    table.slack.submit("dev", form.id, {"text": "Everything we know."})
    table.settle_until(lambda: told(table, "dev"))
    assert "/invite @Roundtable" in told(table, "dev")[-1]
    press(table, "Try again in a form", by="dev")
    table.settle_until(lambda: len(table.slack.modals) == 2)
    again = table.slack.modals[-1]
    filled = [block["element"].get("initial_value") for block in again.view["blocks"][1:3]]
    assert filled == ["Retry failed card payments", "Everything we know."]


def test_a_form_that_was_open_while_the_bot_restarted_still_works(table: ServedBot) -> None:
    root, _, _ = talk(table)
    form = open_form(table, "take_this", ts=root)
    table.restart()
    table.slack.submit("pm", form.id, {})
    table.settle()
    assert len(table.session().proposals) == 3


def test_what_waits_to_be_confirmed_is_on_its_authors_home_tab(table: ServedBot) -> None:
    root, _, _ = talk(table)
    table.slack.open_home("dev")
    table.settle_until(lambda: home_of(table, "dev"))
    take(table, root)
    words = "Waiting for you to confirm what you said before, for less than an hour."
    table.settle_until(lambda: words in home_of(table, "dev"))
    click(table, "confirm-mine", 1, by="dev")
    table.settle_until(lambda: words not in home_of(table, "dev"))
    assert "Retry failed card payments" in home_of(table, "dev")  # they answered in it


def home_of(table: ServedBot, by: str) -> str:
    home = table.slack.home(by)
    return plain(home["blocks"], "", Names({}, {})) if home else ""
