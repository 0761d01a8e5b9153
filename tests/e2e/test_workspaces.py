"""Several workspaces: no event of one reaches another's session; a Grid's clicks are its own."""

import copy

import pytest

from bot.devtools.workspace.values import Json
from core.domain.session.session import Session
from tests.e2e.forms import told
from tests.e2e.wiretap import Wiretap
from tests.support.rows import run_query
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, controls

TITLE = "Retry failed card payments"
ORGANIZATION = "E0ORG"


def give_away(table: ServedBot, session: Session) -> None:
    """The session belongs to another workspace, in the very same channel and threads."""
    with table.table.runtime.database.write() as db:
        db.execute(
            "UPDATE sessions SET team = 'T0OTHER', doc = json_set(doc, '$.team', 'T0OTHER')"
            " WHERE id = ?",
            (session.id,),
        )


def journal(table: ServedBot, session: Session) -> int:
    rows = run_query(
        table.table.runtime.database,
        "SELECT count(*) FROM journal WHERE session = ?",
        (session.id,),
    )
    return int(rows.fetchone()[0])


def test_nothing_that_happens_here_reaches_a_session_of_another_workspace(table: ServedBot) -> None:
    session = table.start(TITLE)
    first = table.say("Cards fail at night.")
    root = table.table.runtime.reader.thread(session.id, session.course.thread)
    assert root is not None
    menu = table.message(
        next(
            each.ts
            for each in reversed(table.slack.messages(CHANNEL))
            if controls(each) and each.thread_ts
        )
    )
    give_away(table, session)
    before = journal(table, session)

    table.slack.say("dev", CHANNEL, "It is the bank.", thread_ts=root.ts)
    table.slack.edit("pm", CHANNEL, first, "Cards fail at noon.")
    table.slack.react("dev", CHANNEL, first, "+1")
    table.slack.shortcut("pm", "not_an_answer", channel=CHANNEL, ts=first)
    table.slack.click("pm", CHANNEL, menu.ts, "menu:continue")
    table.slack.delete("pm", CHANNEL, first)
    table.settle()
    for line in ("resume", "cancel", "export", "depth deep", "delete --yes"):
        table.command(f"/roundtable {line}")

    assert journal(table, session) == before
    assert "is not there any more" in "".join(told(table))
    kept = run_query(
        table.table.runtime.database, "SELECT status FROM sessions WHERE id = ?", (session.id,)
    ).fetchone()
    assert kept == ("choosing",)


def in_a_grid(payload: Json, **changes: object) -> Json:
    """A click as an Enterprise Grid sends it: the person's workspace is not named."""
    told_of = copy.deepcopy(payload)
    told_of["user"]["team_id"] = ORGANIZATION
    told_of["team"] |= {"enterprise_id": ORGANIZATION, "enterprise_name": "Acme"}
    told_of["enterprise"] = {"id": ORGANIZATION, "name": "Acme"}
    return told_of | {"trigger_id": f"{payload['trigger_id']}-grid"} | changes


@pytest.fixture
def pause(table: ServedBot) -> tuple[Wiretap, Json]:
    """A click on the card's Pause, kept back, and the way to send what is like it."""
    table.start(TITLE)
    tap = Wiretap(table)
    card = next(each for each in table.slack.top_level(CHANNEL) if "Maya" not in each.author)
    tap.holding = True
    table.slack.click("pm", CHANNEL, card.ts, "card:pause")
    tap.holding = False
    return tap, tap.last("block_actions").payload


def test_a_click_of_a_grid_is_at_home_where_channel_and_message_are_the_stored_ones(
    table: ServedBot, pause: tuple[Wiretap, Json]
) -> None:
    tap, payload = pause
    tap.send(tap.parcels[-1], in_a_grid(payload))
    assert table.session().status == "paused"


def test_a_click_of_an_app_installed_for_the_organization_is_looked_at_in_the_same_way(
    table: ServedBot, pause: tuple[Wiretap, Json]
) -> None:
    tap, payload = pause
    tap.send(tap.parcels[-1], in_a_grid(payload, team=None, is_enterprise_install=True))
    assert table.session().status == "paused"


@pytest.mark.parametrize("other", ["message", "channel", "session"])
def test_a_click_of_a_grid_that_does_not_match_what_is_stored_is_an_outsiders(
    table: ServedBot, pause: tuple[Wiretap, Json], other: str
) -> None:
    tap, payload = pause
    click = in_a_grid(payload)
    if other == "message":
        click["container"]["message_ts"] = "1.000001"
    elif other == "channel":
        click["channel"]["id"] = table.slack.channel_id(ELSEWHERE)
    else:
        click["actions"][0]["value"] = "no-session"
    tap.send(tap.parcels[-1], click)
    assert table.session().status == "asking"
    assert told(table)[-1] == (
        "Only the person who started this, or a workspace admin, can do that."
    )


def test_a_person_of_another_organization_is_an_outsider(
    table: ServedBot, pause: tuple[Wiretap, Json]
) -> None:
    tap, payload = pause
    click = in_a_grid(payload)
    click["user"]["team_id"] = "E0OTHER"
    tap.send(tap.parcels[-1], click)
    assert table.session().status == "asking"
