"""What people do, as events that go straight to the runtime; each comes twice now and then."""

from typing import TYPE_CHECKING, Final

from core.domain import events as on
from core.domain.ids import MenuId, Ts, UserId
from core.domain.session.menu import Menu
from core.domain.stances import REACTIONS
from tests.chaos.looking import ONCE, BrokenError
from tests.chaos.slack import NOBODY, PEOPLE
from tests.core.test_halting import LEAK
from tests.support.fakes import CHANNEL, OWNER, TEAM
from tests.support.rows import run_query

if TYPE_CHECKING:
    from tests.chaos.simulation import Simulation

ANSWERS: Final = (
    "Customers ask for it every Monday, because they copy the numbers by hand.",
    "At most 4 seconds for 20 pages.",
    "As a user I want to export a report, so that I can send it on.",
    f"<!channel> <@{NOBODY}> @here *please* `look` at <https://example.com|this> & \u202e that",
    "שלום 🚀 \u0000 ｆｕｌｌ" + "x" * 3000,
    "We use PostgreSQL, because the team runs it already.\n- one\n- two\n```code",
)
WORDS: Final = ("c", "e", "s", "amend", "deep", "brief", "// not for the record", "", "done")


def someone(sim: "Simulation") -> UserId:
    return sim.random.choice(PEOPLE)


def say(sim: "Simulation", text: str) -> None:
    persona = where(sim)
    if persona is None:
        return
    event = sim.table.message(text, someone(sim), thread=persona)
    sim.world.slack.said(event.by, text, event.ts, event.thread_ts)
    keys = [f"msg:{TEAM}:{CHANNEL}:{event.ts}"]
    for _ in range(sim.random.choice((1, 1, 1, 2))):  # Slack delivers twice now and then
        sim.insist(lambda: sim.table.take(event, keys=keys))
    note_answer(sim, f"{CHANNEL}:{event.ts}", text)


def where(sim: "Simulation") -> Ts | None:
    """The thread to speak in: mostly that of whoever asks. None where nobody can be heard."""
    session, reader = sim.table.session, sim.table.runtime.reader
    roots = [persona for persona in session.course.threads if reader.thread(session.id, persona)]
    if not roots or sim.world.slack.is_closed:
        return None
    thread = session.course.thread
    here = thread if thread in roots and sim.random.random() < 0.85 else None
    return sim.table.thread(here or sim.random.choice(roots))


def note_answer(sim: "Simulation", answer: str, text: str) -> None:
    """Acknowledged, and taken as an answer: from now on it has to be there."""
    stored = sim.looks.stored().get(answer)
    if stored is not None:
        sim.looks.answers[answer] = None if stored[1] else stored[0]
    elif text in ANSWERS and sim.table.reply is None and _listens(sim):
        raise BrokenError(f"an answer was acknowledged and is not there: {answer}")


def _listens(sim: "Simulation") -> bool:
    """True if what is said in the current thread must have been taken."""
    return sim.table.session.status in ("asking", "choosing") and not sim.looks.leaked


def _one_of(sim: "Simulation") -> Ts | None:
    answers = sorted(sim.looks.answers)
    return Ts(sim.random.choice(answers).partition(":")[2]) if answers else None


def edit(sim: "Simulation") -> None:
    ts = _one_of(sim)
    if ts is None:
        return
    text = sim.random.choice((*ANSWERS, *WORDS))
    edited = sim.world.stage.next_ts()
    event = on.MessageEdited(OWNER, sim.table.clock.now(), CHANNEL, ts, edited, text)
    sim.insist(lambda: sim.table.take(event, keys=[f"edit:{ts}:{edited}"]))
    note_change(sim, ts)


def delete(sim: "Simulation") -> None:
    ts = _one_of(sim)
    if ts is not None:
        event = on.MessageDeleted(OWNER, sim.table.clock.now(), CHANNEL, ts)
        sim.insist(lambda: sim.table.take(event, keys=[f"del:{CHANNEL}:{ts}"]))
        note_change(sim, ts)


def note_change(sim: "Simulation", ts: str) -> None:
    """It was edited, withdrawn or put back: what stands now is what has to stay."""
    answer = f"{CHANNEL}:{ts}"
    if answer in sim.looks.answers:
        text, withdrawn = sim.looks.stored()[answer]
        sim.looks.answers[answer] = None if withdrawn else text


def click(sim: "Simulation", *, forward: bool = False, old: bool = False) -> None:
    found = menus(sim, old=old)
    if not found:
        return
    menu = found[0] if forward else sim.random.choice(found)
    choices = [each for each in menu.choices if each not in ("cancel", "delete")]
    choice = choices[0] if forward and choices else sim.random.choice(menu.choices)
    if choice == "cancel" and sim.random.random() < 0.8:
        return
    by = OWNER if sim.random.random() < 0.7 else someone(sim)
    event = on.ChoiceMade(by, sim.table.clock.now(), menu.id, choice, CHANNEL)
    before = sim.table.session.version
    sim.tell(f"  {menu.kind}: {choice}")
    sim.survive(lambda: sim.table.take(event))  # nobody delivers a click again
    answered = not old or menu.state == "open" or sim.table.reply is not None
    if not answered and "ChoiceMade" in _kinds_since(sim, before):
        raise BrokenError(f"menu {menu.id} acted twice")


def _kinds_since(sim: "Simulation", version: int) -> list[str]:
    rows = run_query(
        sim.table.runtime.database,
        "SELECT kind FROM journal WHERE session = ? AND place > ? ORDER BY place",
        (sim.table.id, version),
    )
    return [kind for (kind,) in rows]


def both_click(sim: "Simulation") -> None:
    """Two people press the same button at the same time: the second one is told."""
    found = [menu for menu in menus(sim, old=False) if menu.kind in ONCE]
    if not any(each != "cancel" for menu in found for each in menu.choices):
        return
    at, menu = sim.table.clock.now(), found[0]
    for by in sim.random.sample(PEOPLE, 2):
        event = on.ChoiceMade(by, at, menu.id, menu.choices[0], CHANNEL)
        sim.survive(lambda event=event: sim.table.take(event))  # type: ignore[misc]


def take_out(sim: "Simulation") -> None:
    ts = _one_of(sim)
    if ts is not None:
        event = on.AnswerTakenOut(someone(sim), sim.table.clock.now(), CHANNEL, ts)
        sim.survive(lambda: sim.table.take(event))
        note_change(sim, ts)


def react(sim: "Simulation") -> None:
    """What people think of each other's answers. An older reaction may come later."""
    ts = _one_of(sim)
    if ts is None:
        return
    name, put = sim.random.choice(sorted(REACTIONS)), sim.random.random() < 0.7
    late = sim.random.choice((0.0, 0.0, 10.0))
    when = Ts(f"{float(sim.world.stage.next_ts()) - late:.6f}")
    event = on.ReactionChanged(someone(sim), sim.table.clock.now(), CHANNEL, ts, name, when, put)
    sim.insist(lambda: sim.table.take(event, keys=[f"react:{ts}:{when}"]))


def resume(sim: "Simulation") -> None:
    sim.survive(lambda: sim.table.resume(someone(sim)))


def leak(sim: "Simulation") -> None:
    if not sim.looks.leaked:
        sim.looks.leaked = True
        say(sim, LEAK)


def menus(sim: "Simulation", *, old: bool) -> list[Menu]:
    if not old:
        return [menu for menu in sim.table.menus if menu.state == "open"]
    rows = run_query(
        sim.table.runtime.database,
        "SELECT id FROM menus WHERE state <> 'open' AND session = ? ORDER BY id",
        (sim.table.id,),
    ).fetchall()
    found = (sim.table.runtime.reader.menu(MenuId(row[0])) for row in rows)
    return [menu for menu in found if menu is not None]
