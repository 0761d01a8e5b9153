"""People at a table react to each other's answers, differ, and settle it."""

from core.domain import events as on
from core.domain.answers import Answer
from core.domain.ids import AnswerId, MenuId, Ts, UserId
from core.domain.stances import AnswerStances, Stance, Stands, views_on
from core.runtime.commit import Handled
from tests.support.fakes import CHANNEL, OWNER
from tests.support.harness import Harness


def react(
    table: Harness,
    ts: Ts,
    by: UserId,
    name: str = "+1",
    *,
    on_: bool = True,
    event_ts: str | None = None,
    keys: tuple[str, ...] = (),
) -> Handled:
    at = Ts(event_ts or table.stage.next_ts())
    event = on.ReactionChanged(by, table.clock.now(), CHANNEL, ts, name, at, on_)
    return table.take(event, keys)


def unreact(table: Harness, ts: Ts, by: UserId, name: str = "+1") -> Handled:
    return react(table, ts, by, name, on_=False)


def differ(
    table: Harness, ts: str, by: UserId, reason: str = "The bank decides.", menu: str | None = None
) -> Handled:
    """Say it in the form that the open menu's message opens, a second later."""
    table.clock.forward(1)
    stands_on = MenuId(menu or table.menu.id)
    return table.take(on.DifferenceGiven(by, table.clock.now(), stands_on, named(ts), reason))


def settle(
    table: Harness,
    ts: str,
    by: UserId = OWNER,
    stands: Stands = "answer",
    reason: str = "The auditors were first.",
) -> Handled:
    event = on.DifferenceSettled(
        by, table.clock.now(), settling(table, ts), named(ts), stands, reason
    )
    return table.take(event)


def name_decider(table: Harness, decider: UserId, by: UserId = OWNER) -> Handled:
    return table.take(on.DeciderNamed(by, table.clock.now(), settling(table), decider))


def settling(table: Harness, ts: str = "") -> MenuId:
    """The menu behind "Settle this" of the step that was answered with `ts`; else of the first."""
    step = next((each.step for each in answers(table) if each.id == named(ts)), None)
    states = table.runtime.reader.all_steps(table.id)
    menus = [each.settling for each in states if each.settling and step in (None, each.id)]
    return menus[0] if menus else MenuId("none")


def named(ts: str) -> AnswerId:
    return AnswerId(ts if ":" in ts else f"{CHANNEL}:{ts}")


def answers(table: Harness) -> tuple[Answer, ...]:
    return table.runtime.reader.answers(table.id)


def stances(table: Harness) -> tuple[Stance, ...]:
    return table.runtime.reader.stances(table.id)


def views(table: Harness) -> tuple[AnswerStances, ...]:
    reader = table.runtime.reader
    return views_on(answers(table), stances(table), reader.settlements(table.id))
