"""The Home tab in the real bot: what it shows to whom, what its buttons do, how fresh it is."""

import json
from typing import Any

import pytest

from bot.devtools.workspace.blocks.limits import BLOCKS_PER_VIEW_MAX, view_faults
from bot.devtools.workspace.blocks.table import controls
from bot.devtools.workspace.delivery import payloads
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import FaultKind, Names
from bot.views.home import PAGE_SESSIONS
from core.domain.ids import ChannelId, UserId
from tests.e2e.forms import called, submit
from tests.e2e.forms import press as press_told
from tests.support.rows import traced
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot


def read(table: ServedBot, by: str) -> str:
    """What that person reads on their Home tab."""
    home = table.slack.home(by)
    return plain(home["blocks"], "", Names({}, {})) if home else ""


def open_home(table: ServedBot, *, by: str = "pm") -> str:
    before = len(called(table, "views.publish"))
    table.slack.open_home(by)
    table.settle_until(lambda: len(called(table, "views.publish")) > before)
    return read(table, by)


def press(table: ServedBot, action_id: str, *, by: str = "pm") -> None:
    home = table.slack.home(by)
    assert home is not None
    table.slack.click_view(by, home["id"], action_id)


def labels(table: ServedBot, by: str = "pm") -> list[str]:
    home = table.slack.home(by)
    assert home is not None
    buttons = [element for _, element in controls(home["blocks"]) if "url" not in element]
    return [button["text"]["text"] for button in buttons]


def many(table: ServedBot, number: int) -> None:
    """Copies of the one session there is."""
    with table.table.runtime.database.write() as db:
        for each in range(number):
            db.execute(
                """INSERT INTO sessions SELECT ?, team, channel, ?, ?, owner, status,
                   json_set(doc, '$.id', ?, '$.title', ?), version, updated_at - 1 - ?, step,
                   people, is_seated
                   FROM sessions ORDER BY updated_at DESC LIMIT 1""",
                (f"x{each}", f"slug-{each}", f"Copy {each}", f"x{each}", f"Copy {each}", each),
            )


def test_the_first_time_it_says_what_this_is_and_how_to_begin(table: ServedBot) -> None:
    words = open_home(table)
    assert "Roundtable leads a team through an analysis" in words
    assert "/roundtable analyze <title>" in words
    assert labels(table) == ["Start something new"]


def test_it_shows_my_sessions_with_progress_and_how_long_they_wait_for_me(table: ServedBot) -> None:
    table.start("Retry payments")
    words = open_home(table)
    assert "1 of 1 session waits for you." in words
    assert "Retry payments\n#general · 0 of 24 steps · Quick Scan · Scope Estimation\n" in words
    assert "Waiting for you for less than an hour.\n[Card] [Where it is now]" in words
    home = table.slack.home("pm")
    assert home is not None
    urls = [control["url"] for _, control in controls(home["blocks"]) if "url" in control]
    reader, session = table.table.runtime.reader, table.session()
    card, root = reader.post(session.id, "card"), reader.thread(session.id, session.course.thread)
    assert card is not None
    assert root is not None
    assert [url.rpartition("/p")[2] for url in urls] == [
        card.ts.replace(".", ""),
        f"{root.ts.replace('.', '')}?thread_ts={root.ts}&cid={root.channel}",
    ]


def test_what_others_do_in_other_channels_is_not_there(table: ServedBot) -> None:
    table.command("/roundtable analyze The secret merger", by="dev", channel=ELSEWHERE)
    assert "merger" not in open_home(table)
    assert "The secret merger" in open_home(table, by="dev")


def test_whoever_answered_finds_it_and_who_is_awaited_is_said(table: ServedBot) -> None:
    table.start("Retry payments")
    table.say("The bank asks for it.", by="dev")
    words = open_home(table, by="dev")
    assert "Nothing waits for you." in words
    assert "Waiting for pm for less than an hour." in words


def test_the_button_starts_a_session_and_the_tab_follows(table: ServedBot) -> None:
    open_home(table)
    press(table, "home:start")
    table.settle_until(lambda: table.slack.modals)
    submit(table, table.slack.modals[-1], title="Retry payments")
    table.settle_until(lambda: "Retry payments" in read(table, "pm"))


def test_it_is_painted_anew_when_a_card_is_for_those_who_look(table: ServedBot) -> None:
    table.start("Retry payments")
    assert "waits for you" in open_home(table)
    table.say("The bank asks for it.")
    table.settle_until(lambda: "1 of 24 steps" in read(table, "pm"))
    assert "Nothing waits for you." in read(table, "pm")
    assert read(table, "dev") == ""  # never opened, never published
    assert {call.args["user_id"] for call in called(table, "views.publish")} == {
        table.slack.user_id("pm")
    }


def turn(table: ServedBot, to: str, page: int) -> str:
    press(table, f"home:page:{to}")
    table.settle_until(lambda: f"[Page {page} of 25]" in read(table, "pm"))
    home = table.slack.home("pm")
    assert home is not None
    assert view_faults({"type": "home", "blocks": home["blocks"]}) == []
    assert len(home["blocks"]) < BLOCKS_PER_VIEW_MAX
    return read(table, "pm")


def test_three_hundred_sessions_are_paged(table: ServedBot) -> None:
    table.start("Retry payments")
    many(table, 299)
    first = open_home(table)
    assert "300 of 300 sessions wait for you." in first
    assert labels(table)[1:] == ["Page 1 of 25", "More"]
    second, third = turn(table, "on", 2), turn(table, "on", 3)
    assert labels(table)[1:] == ["Back", "Page 3 of 25", "More"]
    with traced(table.table.runtime.database) as seen:
        page, _ = table.table.contexts.of(table.table.workspace.team).homes.page(
            UserId(table.slack.user_id("pm")),
            1,
            {ChannelId(table.slack.channel_id(CHANNEL)): CHANNEL},
        )
    assert (page.sessions, len(page.lines)) == (300, PAGE_SESSIONS)
    assert len([each for each in seen if not each.startswith("--")]) == 3
    assert [words.count("#general · ") for words in (first, second, third)] == [PAGE_SESSIONS] * 3
    assert turn(table, "back", 2) == second
    assert open_home(table) == second  # whoever comes back finds the page they were at


def test_a_forged_page_is_a_page_there_is(table: ServedBot) -> None:
    table.start("Retry payments")
    many(table, 20)
    open_home(table)
    home = table.slack.home("pm")
    assert home is not None
    for value in ("999999", "-1", "1e3", "x" * 2_000, "", "٣"):
        forged(home, value)
        press(table, "home:page:on")
        table.settle()
        words = read(table, "pm")
        assert "[Page 1 of 2]" in words or "[Page 2 of 2]" in words
        home = table.slack.home("pm")
        assert home is not None


def forged(home: dict[str, Any], value: str) -> None:
    for _, element in controls(home["blocks"]):
        if element["action_id"] in ("home:page:on", "home:page:back"):
            element["action_id"], element["value"] = "home:page:on", value
            return
    raise AssertionError("there is nothing to turn the page with")


def test_what_people_wrote_is_only_words_there(table: ServedBot) -> None:
    title = "<!channel> *bold* `x` <script>alert(1)</script> [x](https://evil.example)"
    open_home(table)
    press(table, "home:start")
    table.settle_until(lambda: table.slack.modals)
    submit(table, table.slack.modals[-1], title=title, text=title)
    words = open_home(table)
    assert "<script>alert(1)</script>" in words
    home = table.slack.home("pm")
    assert home is not None
    kinds = {
        leaf["type"]
        for block in home["blocks"]
        if block["type"] == "rich_text"
        for row in block["elements"]
        for leaf in row["elements"]
    }
    assert kinds <= {"text"}
    assert "mrkdwn" not in json.dumps(home["blocks"])
    assert table.slack.pings == [] or all(ping.what != "@channel" for ping in table.slack.pings)


@pytest.mark.parametrize("fault", ["500", "429", "drop"])
def test_where_slack_has_no_time_for_it_it_comes_a_little_later(
    table: ServedBot, fault: FaultKind
) -> None:
    table.slack.inject(fault, method="views.publish", times=1)
    table.slack.open_home("pm")
    table.settle_until(lambda: "Roundtable leads a team" in read(table, "pm"))
    assert len(called(table, "views.publish")) == 2


def test_what_is_deleted_leaves_the_tab(table: ServedBot) -> None:
    table.start("Retry payments")
    assert "Retry payments" in open_home(table)
    table.command("/roundtable delete")
    press_told(table, "Delete it all")
    table.settle_until(lambda: "Retry payments" not in read(table, "pm"))


def test_a_button_pressed_too_late_is_answered_on_the_tab(
    table: ServedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_home(table)
    monkeypatch.setattr("bot.devtools.workspace.delivery.passes.TRIGGER_S_MAX", -1.0)
    press(table, "home:start")
    table.settle_until(lambda: "did not let me open that form in time" in read(table, "pm"))
    table.slack.shortcut("dev", "start")
    table.settle_until(lambda: "did not let me open that form in time" in read(table, "dev"))
    assert table.slack.modals == []
    assert "in time" not in open_home(table)


def test_the_apps_other_tab_is_nothing_to_us(table: ServedBot) -> None:
    with table.slack.world.lock:
        person = table.slack.world.person("pm")
        announcer = table.slack._context.announcer
        event = payloads.app_home_opened(person, None, table.slack.world.next_ts())
        announcer._send({**event, "tab": "messages"})
    table.settle()
    assert called(table, "views.publish") == []


def test_it_works_in_the_next_process(table: ServedBot) -> None:
    table.start("Retry payments")
    open_home(table)
    table.restart()
    press(table, "home:start")
    table.settle_until(lambda: table.slack.modals)
    assert "Retry payments" in open_home(table)


def test_a_title_of_another_channel_is_never_on_somebody_elses_tab(table: ServedBot) -> None:
    table.start("Retry payments", CHANNEL)
    table.command("/roundtable analyze The secret merger", by="dev", channel=ELSEWHERE)
    open_home(table)
    table.say("The bank asks for it.", by="dev")
    table.settle_until(lambda: "1 of 24 steps" in read(table, "pm"))
    published = [call.args for call in called(table, "views.publish")]
    assert all("merger" not in str(args) for args in published)
