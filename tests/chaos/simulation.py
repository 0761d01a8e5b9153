"""Whole sessions under one seed: people, Slack, brains, files, disks, time and crashes.

The real engine, runtime, store, outbox, stage, listeners and views over Slack in this process. A
seed decides everything: `ROUNDTABLE_SEED=17 make chaos` plays the seventeenth again, event by
event. After each act, and after each commit where that can be seen there, the invariants are
looked at.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from bot.devtools.workspace import NEWER_BLOCKS
from bot.server.configuration.settings import Settings
from bot.server.one_workspace import renderings
from bot.web_api.threads import SlackThreads
from core.brains.facilitator import Facilitator
from core.domain.ids import SessionId
from core.domain.session.course import ENDED
from core.domain.session.menu import Menu
from core.runtime.send_results import JITTER
from core.store.connection.database import DatabaseError
from tests.chaos import acts, client_acts, models
from tests.chaos.brains import BRAIN_S, SimTable, StormyBrain, stormy_table
from tests.chaos.disk import Disk
from tests.chaos.door import WORKSPACE, Door, People
from tests.chaos.looking import BrokenError, Looks, Watches
from tests.chaos.stormy import Killed, SimWorld, Storm
from tests.support.fakes import FACILITATOR, TEAM
from tests.support.harness import small_tree

ACTS_OF_A_PLAY: Final = (6, 40)
TO_THE_END_MAX: Final = 400
DAY_S: Final = 86_400.0
BACK: Final = 0.25  # per act: what is out of order is put right


class NotAcknowledgedError(Exception):
    """Slack delivers it again, if it is of the kind that it delivers again."""


class Simulation:
    def __init__(self, seed: int, folder: Path) -> None:
        self.seed, self.folder = seed, folder
        self.random = Random(seed)
        JITTER.seed(seed)  # of a back-off
        self.storm = Storm(
            self.random,
            slack=self.random.choice((0.0, 0.05, 0.2)),
            brain=self.random.choice((0.0, 0.1, 0.3)),
            crash=self.random.choice((0.0, 0.01, 0.04)),
        )
        self.disk = Disk(self.random)
        self.world = SimWorld()
        self.world.slack.web.fate = self.storm.fate
        self.people = People(self.world.slack)
        self.post = client_acts.Post(self)
        self.brain = StormyBrain(self.storm, self.world.clock)
        self.ids = count(1)
        self.watch = Watches()
        self.looks = Looks(self)
        self.story: list[str] = []
        self.mode = self.random.choice((*[""] * 5, "classic", "party"))
        self.of_models = Random(f"models {seed}")  # so that the rest of the play is as without
        self.wire = self._wire()
        self.table = self._first()
        self.door = self._moved_in()

    # ── the process ──

    def _first(self) -> SimTable:
        steps = None if self.mode else small_tree(self.folder / "steps").root
        return SimTable(
            self.folder,
            storm=self.storm,
            steps=steps,
            quiet_s=self.random.choice((0.0, 5.0)),
            remind_s=self.random.choice((0.0, DAY_S)),
            brains={None: self.brain, FACILITATOR: Facilitator()},
            brain_s=BRAIN_S,
            pace_s=self.random.choice((0.0, 1.0)),
            table=stormy_table(self.storm),
            stage=self.world.stage,
            checkpoint=self.checkpoint,
            wire=self.wire,
            offer=models.offer_of(self.of_models) if self.wire else None,
        )

    def _wire(self) -> models.StormyWire | None:
        """To providers of language models, in some of the plays."""
        if self.of_models.random() > models.PLAYED_WITH:
            return None
        trouble = self.of_models.choice(models.TROUBLE)
        return models.StormyWire(self.of_models, self.world.clock, trouble, lambda: self.storm.over)

    def _moved_in(self) -> Door:
        """What a process puts together round its runtime."""
        table, slack = self.table, self.world.slack
        table.outbox_worker.threads = SlackThreads(lambda _: slack.client, lambda _: WORKSPACE)
        table.runtime.save_workspace(WORKSPACE)
        slack.client.set_renderings(
            renderings(Settings.model_validate({}), WORKSPACE, table.runtime)
        )
        door = Door(table.runtime, slack, self.ids)
        self.world.stage.export_of = table.job_runner.export_of
        self.world.stage.painted = door.homes.changed
        self.watch.table = table
        return door

    def checkpoint(self, point: str) -> None:
        self.watch(point)
        if self.storm.kills():
            self.tell(f"killed at {point}")
            raise Killed

    def survive(self, act: Callable[[], object]) -> bool:
        """Do it; if the process dies of it, begin the next one. Whether it was acknowledged."""
        try:
            act()
        except Killed:
            self._begin_again()
            self._wake_up()
            return False
        except NotAcknowledgedError:
            return False
        except DatabaseError as error:
            self._failed(error)
            return False
        return True

    def _failed(self, error: DatabaseError) -> None:
        if not self.disk.felt():
            raise error
        self.tell(f"  {error}")

    def _begin_again(self) -> None:
        self.disk.make_room()
        self.table = self.table.again(self.checkpoint)  # type: ignore[assignment]
        self.door = self._moved_in()

    def _wake_up(self) -> None:
        """A start takes up what was left, and may die of it again."""
        while True:
            try:
                self.table.runtime.outbox.unpark(TEAM, self.table.clock.now())
                self.table.pass_time(5)
            except Killed:
                self._begin_again()
            except DatabaseError as error:
                self._failed(error)
            else:
                return

    def insist(self, act: Callable[[], object]) -> None:
        """Slack delivers again what was not acknowledged."""
        while not self.survive(act):
            pass

    # ── the play ──

    def play(self) -> None:
        self.begin()
        for _ in range(self.random.randint(*ACTS_OF_A_PLAY)):
            if not self.is_open:
                break
            self.act()
            self.looks.look()
        self._calm_down()
        for session in self.sessions():
            self.table.id = session
            self.to_the_end()
        self.looks.look()
        self.looks.look_at_the_end()

    def close(self) -> None:
        """Nothing of a play outlives it."""
        self.disk.calm()
        self.brain.let_go()
        self.table.close()

    def begin(self) -> None:
        flow = "inception" if self.mode else "analysis"

        def start() -> None:
            if not self.sessions():
                self.table.start("Export dashboard as PDF", flow=flow, mode=self.mode)

        self.insist(start)
        self.insist(lambda: self.table.pass_time(5))

    def sessions(self) -> list[SessionId]:
        return sorted(each.id for each in self.table.runtime.reader.all_sessions())

    @property
    def is_open(self) -> bool:
        return self.table.session.status not in ("cancelled", "refused")

    def act(self) -> None:
        if self.random.random() < BACK:
            self._put_right()
        if self.wire is not None and self.of_models.random() < models.ACTS:
            models.act(self, self.of_models)
        names = list(ACTS)
        name = self.random.choices(names, [ACTS[each][0] for each in names])[0]
        session = self.table.session
        self.tell(f"{name} ({session.id}: {session.status} {session.course.step})")
        ACTS[name][1](self)

    def _put_right(self) -> None:
        """What is out of order does not stay so for long: a play is to be about people as well."""
        if self.storm.revoked:
            revoke(self)
        if self.disk.refuses:
            fill_the_disk(self)
        client_acts.open_again(self)
        if self.table.session.status == "paused":
            acts.resume(self)

    def tell(self, what: str) -> None:
        self.story.append(what)

    # ── the end ──

    def _calm_down(self) -> None:
        """Nothing goes wrong any more."""
        self.tell("calm")
        self.storm.over, self.storm.revoked = True, False
        self.world.calm()
        self.disk.calm()
        for session in self.sessions():
            self.disk.mend(self.table.folder(self.table.runtime.reader.load(session).slug))
        client_acts.open_again(self)
        self.insist(self.post.bring_the_rest)
        self._wake_up()

    def to_the_end(self) -> None:
        """People do what the buttons say."""
        for _ in range(TO_THE_END_MAX):
            session = self.table.session
            if session.status in ENDED - {"halted"}:
                return
            self.tell(f"  to the end: {session.id}: {session.status} {session.course.step}")
            if self.mode and session.id != "s1":  # 24 steps more show nothing more
                self.table.cancel(session.owner)
                return
            self._go_on(session.status)
            self.looks.look()
        session = self.table.session
        raise BrokenError(f"a dead end: {session.status} at {session.course.step}")

    def _go_on(self, status: str) -> None:
        if status == "paused":
            self.table.resume()
            return
        recovery = self.table.session.menus.recovery
        open_menus = acts.menus(self, old=False)
        by_id = {menu.id: menu for menu in open_menus}
        if recovery in by_id:
            choice = self._way_out(by_id[recovery])
            self.table.click(choice, self.table.session.owner, menu=recovery)
        elif status == "asking":
            acts.say(self, acts.ANSWERS[0])
            self.table.pass_time(10)
        elif status == "choosing":
            self.table.forward()
        elif open_menus and status in ("starting", "opening"):
            self.table.click(open_menus[0].choices[0], menu=open_menus[0].id)
        else:
            self.table.pass_time(120)
            if status == self.table.session.status and status != "debating":
                self.table.resume()

    def _way_out(self, menu: Menu) -> str:
        """The first choice that leads on: without its file, no retry makes a team (E-001)."""
        if menu.kind == "no-team" and self.table.session.party.file is None:
            return "classic"
        return next(choice for choice in menu.choices if choice != "cancel")


def wait(sim: Simulation) -> None:
    seconds = sim.random.choice((1.0, 5.0, 61.0, 3600.0, 3 * DAY_S))
    sim.insist(lambda: sim.table.pass_time(seconds))
    sim.door.put_off.tend()
    with suppress(Killed):
        sim.door.soon.run()


def revoke(sim: Simulation) -> None:
    sim.storm.revoked = not sim.storm.revoked
    sim.tell(f"  the app is {'gone' if sim.storm.revoked else 'there again'}")


def fill_the_disk(sim: Simulation) -> None:
    if sim.disk.refuses:
        sim.disk.take_again()
        sim.tell("  files can be written again")
    elif sim.random.random() < 0.5:
        sim.tell(f"  files: {sim.disk.refuse()}")
    else:
        sim.disk.make_room()
        sim.tell(f"  database: {sim.disk.fill(sim.table)}")


def change_blocks(sim: Simulation) -> None:
    """Slack knows the newer blocks, or does not, or not all of them."""
    workspace = sim.world.slack.workspace
    workspace.unknown_blocks = frozenset(
        sim.random.sample(sorted(NEWER_BLOCKS), sim.random.choice((0, 2, len(NEWER_BLOCKS))))
    )
    sim.tell(f"  blocks that Slack does not know: {sorted(workspace.unknown_blocks)}")


def turn(sim: Simulation) -> None:
    """People go on with another session."""
    sim.table.id = sim.random.choice(sim.sessions())


Act = tuple[int, Callable[[Simulation], object]]
ACTS: Final[dict[str, Act]] = {
    "says something": (24, lambda sim: acts.say(sim, sim.random.choice(acts.ANSWERS))),
    "says a word": (5, lambda sim: acts.say(sim, sim.random.choice(acts.WORDS))),
    "clicks forward": (14, lambda sim: acts.click(sim, forward=True)),
    "clicks": (8, acts.click),
    "clicks an old button": (5, lambda sim: acts.click(sim, old=True)),
    "edits": (6, acts.edit),
    "deletes": (3, acts.delete),
    "resumes": (6, acts.resume),
    "two click at once": (5, acts.both_click),
    "takes an answer out": (2, acts.take_out),
    "reacts": (5, acts.react),
    "leaks": (1, acts.leak),
    "waits": (10, wait),
    "the app goes or comes back": (2, revoke),
    "spoils a file": (3, lambda sim: sim.disk.spoil(sim.table.folder())),
    "a disk fails": (3, fill_the_disk),
    "Slack changes": (3, change_blocks),
    "turns to another session": (3, turn),
    **client_acts.ACTS,
}
