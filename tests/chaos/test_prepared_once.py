"""A message is sent as it was prepared, whatever happens between planning and sending.

Over real HTTP, with the bot's own stage: what was prepared is what a kill leaves in doubt.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain.session.session import Session
from core.ports import Order, Outcome, Prepared
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import TEAM
from tests.support.harness import Harness
from tests.support.harness_over_http import SlackTable, slack_table, slack_workspace

pytestmark = EACH_DATABASE

PASSED_BY_THREE = 3


class KilledError(Exception):
    """The process is gone: what it sent it could not record."""


@pytest.fixture
def played(tmp_path: Path) -> Iterator[SlackTable]:
    """A step whose menu is waited for, and three messages below it: two more and it moves down."""
    with slack_workspace() as slack:
        played = slack_table(slack, tmp_path)
        played.table.start()
        for number in range(1 + PASSED_BY_THREE):
            played.table.say(f"Because of reason {number}.")
        yield played


def kill_after_sending(table: Harness, kind: type[fx.Effect], before: Callable[[], None]) -> None:
    """Let `before` happen once that effect is prepared, and the process die once it is sent."""
    stage = table.outbox_worker.stage

    class Dying:
        def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
            prepared = stage.prepare(order, session, pace_s)
            if not isinstance(order.effect, kind):
                return prepared

            def send() -> Outcome:
                before()
                prepared.send()
                raise KilledError

            return replace(prepared, send=send)

        def find(self, order: Order, session: Session) -> Outcome:
            return stage.find(order, session)

    table.outbox_worker.stage = Dying()


def say_unread(table: Harness, text: str) -> None:
    """An answer that is committed, and of which nothing comes yet."""
    table.runtime.handle(table.message(text), team=TEAM)


def standing(played: SlackTable) -> list[str]:
    """The messages that show the step with its buttons."""
    shown = [message for message in played.messages if message.text.startswith("First\n")]
    return [each.ts for each in shown if any(block["type"] == "actions" for block in each.blocks)]


def test_an_edit_that_is_passed_by_before_it_is_sent_stays_an_edit(played: SlackTable) -> None:
    table = played.table
    before = standing(played)

    def more() -> None:
        say_unread(table, "One more reason.")
        say_unread(table, "And another one.")

    kill_after_sending(table, fx.ShowStep, more)
    with pytest.raises(KilledError):
        table.say("A fourth reason.")
    assert standing(played) == before
    table.again().settle()
    assert len(standing(played)) == 1


def test_a_message_that_moves_down_is_found_again_after_a_kill(played: SlackTable) -> None:
    table = played.table
    table.say("A fourth reason.")
    before = standing(played)
    kill_after_sending(table, fx.ShowStep, lambda: None)
    with pytest.raises(KilledError):
        table.say("A fifth one: it is passed by.")
    moved = standing(played)
    assert moved[-1:] != before
    table.again().settle()
    assert standing(played) == moved[-1:]


def test_a_post_in_doubt_is_looked_for_though_it_would_be_an_edit_by_now(
    played: SlackTable,
) -> None:
    """The step's menu is used while its new message is in doubt: nothing is left to move down."""
    table = played.table
    table.say("A fourth reason.")
    kill_after_sending(table, fx.ShowStep, lambda: None)
    with pytest.raises(KilledError):
        table.say("A fifth one: it is passed by.")
    moved = standing(played)
    process = table.again()
    process.runtime.handle(process.choice("continue"), team=TEAM)
    process.settle()
    post = process.runtime.reader.last_post(process.id, "step:01-01:")
    assert post is not None
    assert post.ts == moved[-1]
