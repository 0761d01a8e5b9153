"""An inception as people see it, on the real bot; its table, team, folder and time can fail."""

import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.devtools.workspace import WorkspaceMessage
from bot.devtools.workspace.state import TEAM_ID
from core import logs
from core.domain.ids import PersonaKey
from core.domain.session.halt import Fault
from core.domain.session.session import Session
from tests.support.party_trouble import Hastened, TroubledTable
from tests.support.rows import run_query
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot
from tests.support.waiting import wait_until

TITLE: Final = "A plugin that retries failed payments"
SLUG: Final = "a-plugin-that-retries-failed-payments"
ANSWER: Final = (
    "1: Developers who drive payments through the API. 2: Half of the payments that fail are paid. "
    "Database: PostgreSQL, because the team runs it already."
)
DRAWN: Final = "Retrier: tries a failed payment again after an hour."
PHASES: Final = (
    "01-vision-council",
    "02-stack-debate",
    "03-blueprint",
    "04-constitution",
    "05-walkthrough",
)
COUNCILS: Final = {
    "Vision Council": ("product-analyst", "domain-researcher", "technical-scout"),
    "Stack Debate": ("solution-architect", "security-advisor", "devops-pragmatist"),
    "Blueprint": ("architecture-designer", "data-model-designer", "test-strategist"),
}
TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")

Json = dict[str, Any]


def typed(council: str) -> list[str]:
    """What people have said when that council comes to its last round."""
    return [ANSWER, DRAWN] if council == "Blueprint" else [ANSWER]


@dataclass(slots=True)
class Party:
    """A session and what stands of it: in threads, in the folder, in the record."""

    served: ServedBot
    place: Path
    table: TroubledTable
    clock: Hastened
    silence: threading.Event = field(default_factory=threading.Event)
    ended: int = 0  # of those who fell silent, how many are past their deadline

    # ── people ──

    def begin(self, flags: str = "--party", *, hanging: int = 0) -> None:
        """`hanging`: how many members will be silent, and are not waited for."""
        self.served.slack.command("pm", CHANNEL, f"/roundtable discover {TITLE} {flags}".strip())
        self.rest(hanging)

    def rest(self, hanging: int = 0) -> None:
        """Until so many members in all have fallen silent, and everything else is done."""
        self.until(lambda: self.table.hung >= hanging)
        self.served.settle(hanging=max(0, hanging - self.ended))

    def pass_deadline(self, hanging: int = 0) -> None:
        """Let the time of whoever is silent run out: by then `hanging` members in all were."""
        self.ended = self.table.hung
        self.clock.forward(self.served.table.settings.brain_seconds + 1)
        self.until(lambda: not self.served.table.runtime.outbox.timers_due(self.clock.now()))
        self.rest(hanging)

    def reply(self, text: str = ANSWER, *, by: str = "pm", to: str = "product-analyst") -> str:
        ts = self.served.slack.say(by, CHANNEL, text, thread_ts=self.root(to))
        self.served.settle()
        return ts

    def press(self, choice: str, by: str = "pm", *, hanging: int = 0) -> list[str]:
        """Click the newest button of that choice; what that person alone was told."""
        before = len(self.served.slack.ephemerals)
        message = self.offering(choice)
        self.served.slack.click(by, CHANNEL, message.ts, f"menu:{choice}")
        self.rest(hanging)
        return [each.text for each in self.served.slack.ephemerals[before:] if each.to == by]

    def decide(self) -> None:
        """Answer the first phase, and let its council come to its recommendation."""
        self.reply()
        self.press("continue")

    def go_to(self, phase: str) -> None:
        """Accept one council after another until that one has come to its recommendation."""
        self.decide()
        while self.session.course.phase != phase:
            self.press("accept")
            if self.session.status == "asking":  # the blueprint's questions
                self.reply(DRAWN, to="architecture-designer")
                self.press("continue")

    def finish(self) -> None:
        """Answer and go on until nobody is asked any more."""
        while self.session.status in ("asking", "choosing"):
            if self.session.status == "asking":
                self.served.say(ANSWER)
            else:
                self.served.forward()

    def until(self, holds: Callable[[], object]) -> None:
        """Wait for what time brings about."""
        wait_until(holds, "it never comes about")

    # ── what stands in the channel ──

    def root(self, persona: str | None) -> str:
        key = PersonaKey(persona) if persona else None
        post = self.served.table.runtime.reader.thread(self.session.id, key)
        assert post is not None, persona
        return post.ts

    def thread(self, persona: str | None = None) -> list[str]:
        """What stands in a persona's thread, or in the card's, in order."""
        root = self.root(persona)
        every = self.served.slack.messages(CHANNEL)
        return [each.plain for each in every if each.thread_ts == root and each.ts != root]

    @property
    def card(self) -> str:
        return self.served.message(self.root(None)).plain

    @property
    def channel(self) -> list[str]:
        return [each.plain for each in self.served.slack.messages(CHANNEL)]

    def offering(self, choice: str) -> WorkspaceMessage:
        for message in reversed(self.served.slack.messages(CHANNEL)):
            if any(each.get("action_id") == f"menu:{choice}" for each in controls(message)):
                return message
        raise AssertionError(f"no message offers {choice}")

    def labels(self, choice: str) -> list[str]:
        """The buttons of the message that offers that choice."""
        found: list[Any] = controls(self.offering(choice))
        return [each["text"]["text"] for each in found if each["type"] == "button"]

    def offers(self, choice: str) -> bool:
        every = self.served.slack.messages(CHANNEL)
        pressed = [each.get("action_id") for message in every for each in controls(message)]
        return f"menu:{choice}" in pressed

    # ── what is kept ──

    @property
    def session(self) -> Session:
        return self.served.session()

    @property
    def folder(self) -> Path:
        return self.place / "artifacts" / TEAM_ID / SLUG

    @property
    def teams(self) -> Path:
        return self.place / "artifacts" / "_teams"

    @property
    def state(self) -> Json:
        found: Json = json.loads((self.folder / "state.json").read_text())
        return found

    def phase(self, key: str) -> Json:
        found: Json = self.state["party_phases"][key]
        return found

    @property
    def faults(self) -> tuple[Fault, ...]:
        return self.served.table.runtime.reader.faults(self.session.id)

    @property
    def codes(self) -> list[str]:
        return [fault.code for fault in self.faults]

    def fault(self, code: str) -> Fault:
        return next(each for each in reversed(self.faults) if each.code == code)

    def happened(self, event: str) -> list[Json]:
        """Every event of that kind, as the journal keeps it."""
        query = "SELECT doc FROM journal WHERE session = ? AND kind = ? ORDER BY place"
        rows = run_query(self.served.table.runtime.database, query, (self.session.id, event))
        return [json.loads(each[0]) for each in rows.fetchall()]

    @property
    def said(self) -> list[str]:
        answers = self.served.table.runtime.reader.answers(self.session.id)
        return [each.text for each in answers]


def timeless(record: Json) -> Json:
    """A phase of `state.json`, with whether a time stands there in place of the time."""
    times = ("started_at", "completed_at")
    assert all(record[each] is None or TIME.fullmatch(record[each]) for each in times)
    return record | {each: record[each] is not None for each in times}


def row(
    status: str, agents: str = "", *, away: str = "", messages: int = 0, done: bool = False
) -> Json:
    """What `timeless` makes of a phase. Names stand in one string; `done`: it has an end."""
    return {
        "status": status,
        "agents": agents.split(),
        "contributions": dict.fromkeys(away.split(), "unavailable"),
        "messages": messages,
        "started_at": status not in ("pending", "cancelled") or bool(agents or away),
        "completed_at": done,
    }


@contextmanager
def party(place: Path, **parts: Any) -> Iterator[Party]:
    """`parts` are handed to `served_bot`; whoever is silent speaks at the end, to nobody."""
    table, clock = TroubledTable(), Hastened()
    logs.configure("json", "critical", io.StringIO())  # members crash here by the dozen
    with served_bot(place, clock=clock, brain=table.over, **parts) as found:
        play = Party(found, place, table, clock)
        try:
            yield play
        finally:
            play.silence.set()
