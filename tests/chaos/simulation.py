"""A whole session under one seed: people, Slack, brains, files, time and crashes.

The real engine, runtime, store, outbox, stage and views over Slack in this process. A seed decides
everything: `ROUNDTABLE_SEED=17 make chaos` plays the seventeenth again, event by event. After each
act, and after each commit where that can be seen there, the invariants are looked at.
"""

import json
import random as global_random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from core.domain import events as on
from core.domain.ids import MenuId, SessionId, Ts, UserId
from core.domain.session import ENDED, Menu
from core.domain.stances import REACTIONS
from core.store.replay import replayed
from tests.chaos.slack import NOBODY, PEOPLE
from tests.chaos.stormy import Disk, Killed, SimWorld, Storm, StormyBrain, stormy_table
from tests.checker import parsed
from tests.core.test_engine_properties import Watch
from tests.core.test_halting import LEAK, SECRET
from tests.fakes import CHANNEL, FACILITATOR, OWNER, TEAM, ScriptedBrain
from tests.table import Table, small_tree

ACTS_MAX: Final = 40
ONCE: Final = (
    "step", "phase", "elaboration", "mode", "fatal", "escalation", "no-team", "all-failed",
    "state-unwritten",
)  # fmt: skip
TO_THE_END_MAX: Final = 400
LEFT_OVER_MAX: Final = 300
DAY_S: Final = 86_400.0
ANSWERS: Final = (
    "Customers ask for it every Monday, because they copy the numbers by hand.",
    "At most 4 seconds for 20 pages.",
    "As a user I want to export a report, so that I can send it on.",
    f"<!channel> <@{NOBODY}> @here *please* `look` at <https://example.com|this> & \u202e that",
    "שלום 🚀 \u0000 ｆｕｌｌ" + "x" * 3000,
    "We use PostgreSQL, because the team runs it already.\n- one\n- two\n```code",
)
WORDS: Final = ("c", "e", "s", "amend", "deep", "brief", "// not for the record", "", "done")


class BrokenError(AssertionError):
    """An invariant does not hold."""


@dataclass(slots=True)
class Seen:
    """What people were told is so, and has to stay so."""

    answers: dict[str, str | None] = field(default_factory=dict)  # id → text; None: withdrawn
    used: dict[str, tuple[str, str]] = field(default_factory=dict)  # menu → by, choice
    leaked: bool = False


class Simulation:
    def __init__(self, seed: int, folder: Path) -> None:
        self.seed, self.folder = seed, folder
        self.random = Random(seed)
        global_random.seed(seed)  # the jitter of a back-off
        self.storm = Storm(
            self.random,
            slack=self.random.choice((0.0, 0.05, 0.2)),
            brain=self.random.choice((0.0, 0.1, 0.3)),
            crash=self.random.choice((0.0, 0.01, 0.04)),
        )
        self.disk = Disk(self.random)
        self.world = SimWorld()
        self.world.slack.web.fate = self.storm.fate
        self.watch = Watch()
        self.seen = Seen()
        self.story: list[str] = []
        self.mode = self.random.choice(("", "", "", "classic", "party"))
        self.table = self._first()

    # ── the process ──

    def _first(self) -> Table:
        steps = None if self.mode else small_tree(self.folder / "steps").root
        brain = StormyBrain(self.storm)
        table = Table(
            self.folder,
            steps=steps,
            quiet_s=self.random.choice((0.0, 5.0)),
            remind_s=self.random.choice((0.0, DAY_S)),
            brains={None: brain, FACILITATOR: ScriptedBrain()},
            brain_s=60.0,
            pace_s=self.random.choice((0.0, 1.0)),
            table=stormy_table(self.storm),
            world=self.world,  # type: ignore[arg-type]
            checkpoint=self.checkpoint,
        )
        self.watch.table = table
        return table

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
            self.table = self.table.again(self.checkpoint)
            self.watch.table = self.table
            return self._wake_up() and False
        return True

    def _wake_up(self) -> bool:
        """A start takes up what was left, and may die of it again."""
        while True:
            try:
                self.table.runtime.outbox.unpark_all(self.table.clock.now())
                self.table.pass_time(5)
            except Killed:
                self.table = self.table.again(self.checkpoint)
                self.watch.table = self.table
            else:
                return True

    def insist(self, act: Callable[[], object]) -> None:
        """Slack delivers again what was not acknowledged."""
        while not self.survive(act):
            pass

    # ── the play ──

    def play(self) -> None:
        self.begin()
        for _ in range(self.random.randint(4, ACTS_MAX)):
            if not self.is_open:
                break
            self.act()
            self.look()
        self.to_the_end()
        self.look()
        self.look_at_the_end()

    def begin(self) -> None:
        flow = "inception" if self.mode else "analysis"

        def start() -> None:
            if not self.table.runtime.reader.all_sessions():
                self.table.start("Export dashboard as PDF", flow=flow, mode=self.mode)

        self.insist(start)
        self.insist(lambda: self.table.pass_time(5))

    @property
    def is_open(self) -> bool:
        return self.table.session.status not in ("cancelled", "refused")

    def act(self) -> None:
        names = list(ACTS)
        name = self.random.choices(names, [ACTS[each][0] for each in names])[0]
        self.tell(f"{name} ({self.table.session.status} {self.table.session.step})")
        ACTS[name][1](self)

    def tell(self, what: str) -> None:
        self.story.append(what)

    # ── people ──

    def someone(self) -> UserId:
        return self.random.choice(PEOPLE)

    def say(self, text: str) -> None:
        session = self.table.session
        roots = [persona for persona in session.met if self._root(persona)]
        if not roots:
            return
        here = session.voice if session.voice in roots and self.random.random() < 0.85 else None
        persona = here or self.random.choice(roots)
        event = self.table.message(text, self.someone(), thread=self.table.thread(persona))
        self.world.slack.said(event.by, text, event.ts, event.thread_ts)
        keys = [f"msg:{TEAM}:{CHANNEL}:{event.ts}"]
        for _ in range(self.random.choice((1, 1, 1, 2))):  # Slack delivers twice now and then
            self.insist(lambda: self.table.take(event, keys=keys))
        self._note_answer(f"{CHANNEL}:{event.ts}", text)

    def _root(self, persona: str) -> bool:
        return self.table.runtime.reader.thread(self.table.id, persona) is not None  # type: ignore[arg-type]

    def _note_answer(self, answer: str, text: str) -> None:
        """Acknowledged, and taken as an answer: from now on it has to be there."""
        stored = self._stored().get(answer)
        if stored is not None:
            self.seen.answers[answer] = stored[0]
        elif text in ANSWERS and self.table.reply is None and self._listens():
            raise BrokenError(f"an answer was acknowledged and is not there: {answer}")

    def _listens(self) -> bool:
        """Whether what is said in the current thread must have been taken."""
        return self.table.session.status in ("asking", "choosing") and not self.seen.leaked

    def answers(self) -> list[str]:
        return sorted(self.seen.answers)

    def edit(self) -> None:
        if not self.answers():
            return
        answer = self.random.choice(self.answers())
        text = self.random.choice((*ANSWERS, *WORDS))
        ts, edited = Ts(answer.partition(":")[2]), self.world.stage.next_ts()
        event = on.MessageEdited(OWNER, self.table.clock.now(), CHANNEL, ts, edited, text)
        self.insist(lambda: self.table.take(event, keys=[f"edit:{ts}:{edited}"]))
        self._forget_or_note(answer)

    def delete(self) -> None:
        if not self.answers():
            return
        answer = self.random.choice(self.answers())
        event = on.MessageDeleted(
            OWNER, self.table.clock.now(), CHANNEL, Ts(answer.partition(":")[2])
        )
        self.insist(lambda: self.table.take(event, keys=[f"del:{answer}"]))
        self._forget_or_note(answer)

    def _forget_or_note(self, answer: str) -> None:
        text, withdrawn = self._stored()[answer]
        self.seen.answers[answer] = None if withdrawn else text

    def click(self, *, forward: bool = False, old: bool = False) -> None:
        menus = self._menus(old=old)
        if not menus:
            return
        menu = menus[0] if forward else self.random.choice(menus)
        choices = [each for each in menu.choices if each not in ("cancel", "delete")]
        choice = choices[0] if forward and choices else self.random.choice(menu.choices)
        if choice == "cancel" and self.random.random() < 0.8:
            return
        by = OWNER if self.random.random() < 0.7 else self.someone()
        event = on.ChoiceMade(by, self.table.clock.now(), menu.id, choice, CHANNEL)
        before = self.table.session.version
        self.tell(f"  {menu.kind}: {choice}")
        self.survive(lambda: self.table.take(event))  # nobody delivers a click again
        if old and menu.state != "open" and self.table.reply is None:
            moved = [k for k in self.kinds_since(before) if k == "ChoiceMade"]
            if moved:
                raise BrokenError(f"menu {menu.id} acted twice")

    def both_click(self) -> None:
        """Two people press the same button at the same time: the second one is told."""
        menus = [menu for menu in self._menus(old=False) if menu.kind in ONCE]
        choices = [each for menu in menus for each in menu.choices if each != "cancel"]
        if not choices:
            return
        at = self.table.clock.now()
        for by in self.random.sample(PEOPLE, 2):
            event = on.ChoiceMade(by, at, menus[0].id, menus[0].choices[0], CHANNEL)
            self.survive(lambda event=event: self.table.take(event))  # type: ignore[misc]

    def take_out(self) -> None:
        if self.answers():
            ts = Ts(self.random.choice(self.answers()).partition(":")[2])
            at, by = self.table.clock.now(), self.someone()
            self.survive(lambda: self.table.take(on.AnswerTakenOut(by, at, CHANNEL, ts)))
            self._forget_or_note(f"{CHANNEL}:{ts}")

    def react(self) -> None:
        """What people think of each other's answers. An older reaction may come later."""
        if not self.answers():
            return
        ts = Ts(self.random.choice(self.answers()).partition(":")[2])
        name, put = self.random.choice(sorted(REACTIONS)), self.random.random() < 0.7
        late = self.random.choice((0.0, 0.0, 10.0))
        when = Ts(f"{float(self.world.stage.next_ts()) - late:.6f}")
        event = on.ReactionChanged(
            self.someone(), self.table.clock.now(), CHANNEL, ts, name, when, put
        )
        self.insist(lambda: self.table.take(event, keys=[f"react:{ts}:{when}"]))

    def revoke(self) -> None:
        self.storm.revoked = not self.storm.revoked
        self.tell(f"  the app is {'gone' if self.storm.revoked else 'there again'}")

    def kinds_since(self, version: int) -> list[str]:
        rows = self.table.runtime.database.read.execute(
            "SELECT kind FROM journal WHERE place > ? ORDER BY place", (version,)
        )
        return [kind for (kind,) in rows]

    def _menus(self, *, old: bool) -> list[Menu]:
        if not old:
            return [menu for menu in self.table.menus if menu.state == "open"]
        rows = self.table.runtime.database.read.execute(
            "SELECT id FROM menus WHERE state <> 'open' ORDER BY rowid"
        ).fetchall()
        found = (self.table.runtime.reader.menu(MenuId(row[0])) for row in rows)
        return [menu for menu in found if menu is not None]

    def leak(self) -> None:
        if self.seen.leaked:
            return
        self.seen.leaked = True
        self.say(LEAK)

    def wait(self) -> None:
        seconds = self.random.choice((1.0, 5.0, 61.0, 3600.0, 3 * DAY_S))
        self.insist(lambda: self.table.pass_time(seconds))

    def resume(self) -> None:
        self.survive(lambda: self.table.resume(self.someone()))

    def spoil(self) -> None:
        self.disk.spoil(self.table.folder())

    # ── the end ──

    def to_the_end(self) -> None:
        """Nothing goes wrong any more, and people do what the buttons say."""
        self.tell("calm")
        self.storm.over, self.storm.revoked = True, False
        self.world.calm()
        self.disk.mend(self.table.folder())
        self._wake_up()
        for _ in range(TO_THE_END_MAX):
            session = self.table.session
            if session.status in ENDED - {"halted"}:
                return
            self.tell(f"  to the end: {session.status} {session.step}")
            self._go_on(session.status)
            self.look()
        raise BrokenError(f"a dead end: {self.table.session.status} at {self.table.session.step}")

    def _go_on(self, status: str) -> None:
        if status == "paused":
            self.table.resume()
            return
        recovery = self.table.session.recovery
        open_menus = self._menus(old=False)
        by_id = {menu.id: menu for menu in open_menus}
        if recovery in by_id:
            choices = by_id[recovery].choices
            self.table.click(next(c for c in choices if c != "cancel"), menu=recovery)
        elif status == "asking":
            self.say(ANSWERS[0])
            self.table.pass_time(10)
        elif status == "choosing":
            self.table.forward()
        elif open_menus and status in ("starting", "opening"):
            self.table.click(open_menus[0].choices[0], menu=open_menus[0].id)
        else:
            self.table.pass_time(120)
            if status == self.table.session.status and status != "debating":
                self.table.resume()

    # ── what always holds ──

    def _stored(self) -> dict[str, tuple[str, bool]]:
        rows = self.table.runtime.database.read.execute(
            """SELECT id, json_extract(doc, '$.text'), coalesce(json_extract(doc, '$.withdrawn'), 0)
               FROM answers WHERE current = 1"""
        ).fetchall()
        found = {answer: (text or "", bool(gone)) for answer, text, gone in rows}
        if len(found) != len(rows):
            raise BrokenError("an answer is there twice")
        return found

    def look(self) -> None:
        self._look_at_answers()
        self._look_at_menus()
        self._look_at_posts()
        self._look_at_files()

    def _look_at_answers(self) -> None:
        stored = self._stored()
        for answer, text in self.seen.answers.items():
            if answer not in stored:
                raise BrokenError(f"an acknowledged answer is lost: {answer}")
            if text is not None and not stored[answer][1] and stored[answer][0] != text:
                raise BrokenError(f"an answer says something else: {answer}")

    def _look_at_menus(self) -> None:
        rows = self.table.runtime.database.read.execute(
            """SELECT id, json_extract(doc, '$.used_by'), json_extract(doc, '$.chosen') FROM menus
               WHERE state = 'used'"""
        ).fetchall()
        used = self.table.runtime.database.read.execute(
            """SELECT m.id, count(*) FROM journal j JOIN menus m
               ON m.id = json_extract(j.doc, '$.menu') WHERE j.kind = 'ChoiceMade'
               AND json_extract(m.doc, '$.kind') IN (SELECT value FROM json_each(?))
               GROUP BY m.id HAVING count(*) > 1""",
            (json.dumps(ONCE),),
        ).fetchall()
        if used:
            raise BrokenError(f"menus acted twice: {used}")
        for menu, by, choice in rows:
            if self.seen.used.setdefault(menu, (by, choice)) != (by, choice):
                raise BrokenError(f"menu {menu} was used twice")

    def _look_at_posts(self) -> None:
        orders = Counter(
            (post.metadata or {}).get("event_payload", {}).get("order")
            for post in self.world.slack.ours
        )
        orders.pop(None, None)
        if twice := [order for order, count in orders.items() if count > 1]:
            raise BrokenError(f"posted twice: {twice}")
        allowed = {f"@{name}" for name in ("Priya", "Sam", "Olu")}
        if loud := {ping.what for ping in self.world.slack.workspace.pings} - allowed:
            raise BrokenError(f"somebody was pinged: {loud}")

    def _look_at_files(self) -> None:
        for path in sorted(self.table.folder().glob("*")):
            spoiled = path.name.startswith(tuple(self.disk.spoiled))  # or a copy that was kept
            if path.is_file() and not spoiled:
                found = parsed(path.name, path.read_text())
                if isinstance(found, ValueError):
                    raise BrokenError(f"{path.name} {found}")

    def look_at_the_end(self) -> None:
        for _ in range(LEFT_OVER_MAX):
            self.table.pass_time(61)  # posts are paced, and what was refused waits
            left = self.table.runtime.outbox.pending(self.table.clock.now())
            if not left:
                break
        else:
            raise BrokenError(f"{left} things are still to be done")
        if self.seen.leaked and SECRET in "\n".join(self._everything()):
            raise BrokenError("a secret is somewhere")
        differences = replayed(self.table.runtime.database, SessionId("s1")).differences
        if differences:
            raise BrokenError(f"decided again it differs: {differences[0]}")
        self._look_at_faults()

    def _everything(self) -> list[str]:
        files = [path for path in (self.folder / "artifacts").rglob("*") if path.is_file()]
        texts = [path.read_bytes().decode(errors="replace") for path in files]
        return [*texts, *self.table.snapshot(), self.world.slack.everything()]

    def _look_at_faults(self) -> None:
        codes = self.table.codes
        if unknown := [code for code in codes if not re.fullmatch(r"(ERR-[A-Z]+|E)-\d{3}", code)]:
            raise BrokenError(f"a fault without a code: {unknown}")
        if "ERR-DATA-001" in codes or "ERR-DATA-002" in codes:
            faults = self.table.runtime.reader.faults(self.table.id)
            raise BrokenError(f"it broke a rule of its own: {[f.detail for f in faults][-3:]}")


Act = tuple[int, Callable[[Simulation], object]]
ACTS: Final[dict[str, Act]] = {
    "says something": (30, lambda sim: sim.say(sim.random.choice(ANSWERS))),
    "says a word": (6, lambda sim: sim.say(sim.random.choice(WORDS))),
    "clicks forward": (25, lambda sim: sim.click(forward=True)),
    "clicks": (12, lambda sim: sim.click()),
    "clicks an old button": (5, lambda sim: sim.click(old=True)),
    "edits": (8, lambda sim: sim.edit()),
    "deletes": (4, lambda sim: sim.delete()),
    "resumes": (4, lambda sim: sim.resume()),
    "waits": (10, lambda sim: sim.wait()),
    "two click at once": (5, lambda sim: sim.both_click()),
    "takes an answer out": (3, lambda sim: sim.take_out()),
    "reacts": (5, lambda sim: sim.react()),
    "the app goes or comes back": (2, lambda sim: sim.revoke()),
    "spoils a file": (3, lambda sim: sim.spoil()),
    "leaks": (1, lambda sim: sim.leak()),
}
