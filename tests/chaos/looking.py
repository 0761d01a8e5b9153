"""What always holds, looked at after each act of a simulated session and at its end."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from core.domain.ids import SessionId, UserId
from core.store.journal.replay import replayed
from tests.chaos.disk import Disk
from tests.chaos.stormy import SimWorld
from tests.core.test_engine_properties import Watch
from tests.core.test_halting import SECRET
from tests.support.artifact_checker import parsed
from tests.support.harness import Harness
from tests.support.rows import run_query

ONCE: Final = (
    "step", "phase", "elaboration", "mode", "fatal", "escalation", "no-team", "all-failed",
    "state-unwritten", "no-roster",
)  # fmt: skip
MAY_BE_PINGED: Final = frozenset(f"@{name}" for name in ("Priya", "Sam", "Olu"))
LEFT_OVER_MAX: Final = 300
FileSeen = tuple[int, int, int]  # as it was when it was read: inode, time, size


class BrokenError(AssertionError):
    """An invariant does not hold."""


class Played(Protocol):
    """Of a simulation, what is looked at."""

    table: Harness
    world: SimWorld
    disk: Disk


class Watches:
    """Looks at every commit, whichever session it is of."""

    def __init__(self) -> None:
        self.table: Harness | None = None
        self._watches: dict[SessionId, Watch] = {}
        self._places: dict[SessionId, int] = {}

    def __call__(self, point: str) -> None:
        if self.table is None:
            return
        rows = run_query(
            self.table.runtime.database, "SELECT session, max(place) FROM journal GROUP BY session"
        ).fetchall()
        for session, place in rows:
            if self._places.get(session) != place:
                self._places[session] = place
                self._look(SessionId(session), point)

    def _look(self, session: SessionId, point: str) -> None:
        assert self.table is not None
        watch = self._watches.setdefault(session, Watch())
        at, self.table.id = self.table.id, session
        watch.table = self.table
        try:
            watch(point)
        finally:
            self.table.id = at


@dataclass(slots=True)
class Looks:
    """Remembers what people were told is so, and has to stay so."""

    play: Played
    answers: dict[str, str | None] = field(default_factory=dict)  # id → text; None: withdrawn
    leaked: bool = False
    _used: dict[str, tuple[UserId, str]] = field(default_factory=dict)  # menu → by, choice
    _files: dict[str, FileSeen] = field(default_factory=dict)
    _orders: set[object] = field(default_factory=set)
    _posts: int = 0

    def look(self) -> None:
        self._look_at_answers()
        self._look_at_menus()
        self._look_at_posts()
        self._look_at_files()

    def stored(self) -> Mapping[str, tuple[str, bool]]:
        """Answer → its words, and whether it was withdrawn."""
        database = self.play.table.runtime.database
        rows = run_query(database, "SELECT id, doc FROM answers WHERE current = 1").fetchall()
        said = ((answer, json.loads(doc)) for answer, doc in rows)
        found = {
            answer: (one.get("text") or "", bool(one.get("withdrawn"))) for answer, one in said
        }
        if len(found) != len(rows):
            raise BrokenError("an answer is there twice")
        return found

    def _look_at_answers(self) -> None:
        stored = self.stored()
        for answer, text in self.answers.items():
            if answer not in stored:
                raise BrokenError(f"an acknowledged answer is lost: {answer}")
            if text is not None and not stored[answer][1] and stored[answer][0] != text:
                raise BrokenError(f"an answer says something else: {answer}")

    def _look_at_menus(self) -> None:
        database = self.play.table.runtime.database
        rows = run_query(
            database,
            """SELECT id, json_extract(menu, '$.used_by'), json_extract(menu, '$.chosen')
               FROM (SELECT id, doc AS menu FROM menus WHERE state = 'used') AS used""",
        ).fetchall()
        twice = run_query(
            database,
            f"""SELECT m.id, count(*) FROM journal j JOIN menus m
               ON m.id = json_extract(j.doc, '$.menu') WHERE j.kind = 'ChoiceMade'
               AND json_extract(m.doc, '$.kind') IN ({", ".join("?" * len(ONCE))})
               GROUP BY m.id HAVING count(*) > 1""",
            ONCE,
        ).fetchall()
        if twice:
            raise BrokenError(f"menus acted twice: {twice}")
        for menu, by, choice in rows:
            if self._used.setdefault(menu, (by, choice)) != (by, choice):
                raise BrokenError(f"menu {menu} was used twice")

    def _look_at_posts(self) -> None:
        """Those that came since the last look."""
        workspace = self.play.world.slack.workspace
        every = list(workspace.posts.values())
        fresh, self._posts = every[self._posts :], len(every)
        for post in fresh:
            ids = (post.metadata or {}).get("event_payload") or {}
            order = (ids["session"], ids["order"]) if ids else None
            if order is not None and order in self._orders:
                raise BrokenError(f"posted twice: {order} ({post.text[:60]})")
            self._orders.add(order)
        if loud := {ping.what for ping in workspace.pings} - MAY_BE_PINGED:
            raise BrokenError(f"somebody was pinged: {loud}")

    def _look_at_files(self) -> None:
        """Those that changed since the last look."""
        spoiled = tuple(self.play.disk.spoiled)  # and copies that were kept of them
        root = self.play.table.place / "artifacts"
        for path in sorted(path for path in root.glob("[!_]*/*") if path.is_file()):
            if path.name.startswith(spoiled):
                continue
            stat = path.stat()
            now = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if self._files.get(str(path)) == now:
                continue
            found = parsed(path.name, path.read_text())
            if isinstance(found, ValueError):
                raise BrokenError(f"{path.name} {found}")
            self._files[str(path)] = now

    # ── at the end ──

    def look_at_the_end(self) -> None:
        """Everything is done, every decision can be made again, and nothing is anywhere."""
        table = self.play.table
        for _ in range(LEFT_OVER_MAX):
            table.pass_time(61)  # posts are paced, and what was refused waits
            left = table.runtime.outbox.pending(table.clock.now())
            if not left:
                break
        else:
            raise BrokenError(f"{left} things are still to be done")
        if self.leaked and SECRET in "\n".join(self._everything()):
            raise BrokenError("a secret is somewhere")
        kept = run_query(
            table.runtime.database, "SELECT count(*) FROM calls WHERE reply IS NOT NULL"
        )
        if count := kept.fetchone()[0]:
            raise BrokenError(f"{count} replies of models are kept of which nothing comes any more")
        for session in table.runtime.reader.all_sessions():
            self._look_back(session.id)

    def _look_back(self, session: SessionId) -> None:
        table = self.play.table
        differences = replayed(table.runtime.database, session).differences
        if differences:
            raise BrokenError(f"decided again it differs: {differences[0]}")
        faults = table.runtime.reader.faults(session)
        codes = [fault.code for fault in faults]
        if unknown := [code for code in codes if not re.fullmatch(r"(ERR-[A-Z]+|E)-\d{3}", code)]:
            raise BrokenError(f"a fault without a code: {unknown}")
        if "ERR-DATA-001" in codes or "ERR-DATA-002" in codes:
            raise BrokenError(f"it broke a rule of its own: {[f.detail for f in faults][-3:]}")

    def _everything(self) -> list[str]:
        table = self.play.table
        files = [path for path in (table.place / "artifacts").rglob("*") if path.is_file()]
        texts = [path.read_bytes().decode(errors="replace") for path in files]
        return [*texts, *table.snapshot(), self.play.world.slack.everything()]
