"""A whole session on a real database, driven by hand and without threads.

`settle()` does everything that is due, in the order in which the dispatcher would. `again()` is the
same after a crash: another process over the same database, folder and Slack.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from core.artifacts.files.folder import Folder
from core.artifacts.files.session_documents import FolderDocuments
from core.artifacts.files.state import Teams
from core.artifacts.files.stored_folder import StoredFolder, StoredTeams
from core.brains.facilitator import Facilitator
from core.brains.running import Brains
from core.brains.tasks import Brain, Diagnosis, DiagnosisRequest
from core.content.library import Library, default_steps_dir
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import (
    ChannelId,
    Depth,
    MenuId,
    PersonaKey,
    RunId,
    SessionId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.model_calls import ModelOffer
from core.domain.party.contributions import ConsultRequest, Contribution
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.ports import Refused, Workspace
from core.runtime.brains.brain_runner import BrainRunner
from core.runtime.brains.language_models import Models
from core.runtime.commit import Checkpoint, Handled, Runtime, no_checkpoint
from core.runtime.jobs import JobRunner
from core.runtime.outbox_worker import OutboxWorker
from core.store.connection.opening import open_database
from core.store.repository.artifact_rows import ArtifactRows
from core.store.repository.outbox import WaitingRow
from tests.support.fakes import (
    CHANNEL,
    FACILITATOR,
    OWNER,
    SCRIPTED,
    TEAM,
    ActingBrain,
    DrivenClock,
    FakeStage,
    Names,
)
from tests.support.rows import snapshot
from tests.support.serving import database_in
from tests.support.step_trees import AGENT, Tree

SETTLED_WITHIN = 400
Shown = TypeVar("Shown", bound=fx.Effect)
Diagnostician = Callable[[DiagnosisRequest], Diagnosis]


@dataclass(frozen=True, slots=True)
class Cast:
    """Whose ids a harness uses, and how long its links are."""

    team: TeamId = TEAM
    channel: ChannelId = CHANNEL
    owner: UserId = OWNER
    links: str = "https://p/"


class NobodyLooks:
    """Threads where nobody can look: no session is taken from a message there."""

    def replies(self, team: TeamId, channel: ChannelId, thread_ts: Ts) -> Refused:
        return Refused("nobody can look")


_OPEN: list["Harness"] = []


def close_all() -> None:
    """After a test: whatever tables it made."""
    while _OPEN:
        _OPEN.pop().close()


class Harness:
    """A session being played by hand."""

    def __init__(
        self,
        folder: Path,
        *,
        steps: Path | None = None,
        quiet_s: float = 0.0,
        remind_s: float = 0.0,
        brains: Mapping[PersonaKey | None, Brain] | None = None,
        brain_s: float = 5.0,
        pace_s: float = 0.0,
        tiers: Mapping[str, Diagnostician] | None = None,
        table: Callable[[ConsultRequest], Contribution] | None = None,
        offer: ModelOffer | None = None,
        models: Models | None = None,
        stage: FakeStage | None = None,
        cast: Cast | None = None,
        runtime: Runtime | None = None,
        checkpoint: Checkpoint = no_checkpoint,
        rows: bool = False,
    ) -> None:
        self._options: dict[str, object] = {
            "steps": steps, "quiet_s": quiet_s, "remind_s": remind_s, "brains": brains,
            "brain_s": brain_s, "cast": cast, "tiers": tiers, "table": table,
            "offer": offer, "models": models, "rows": rows,
        }  # fmt: skip
        higher = tiers or {}
        self.artifacts: Folder
        self.teams: Teams
        self.place = folder
        self.cast = cast or Cast()
        self.stage = stage or FakeStage(DrivenClock())
        self.clock = self.stage.clock
        self.runtime = runtime or Runtime(
            open_database(database_in(folder, "table.db")),
            self.clock,
            quiet_s=quiet_s,
            remind_s=remind_s,
            tiers=tuple(higher),
            deadline_s=brain_s,
            offer=offer or ModelOffer(),
            checkpoint=checkpoint,
        )
        self.runtime.save_workspace(
            Workspace(self.cast.team, "https://test.slack.com/", UserId("UBOT"), "B1")
        )
        self.stage.runtime = self.runtime
        self.library = Library(steps or default_steps_dir())
        if rows:
            stored = ArtifactRows(self.runtime.database)
            self.artifacts, self.teams = StoredFolder(stored), StoredTeams(stored)
        else:
            self.artifacts, self.teams = Folder(folder / "artifacts"), Teams(folder / "artifacts")
        self.runtime.set_folder(self.artifacts)
        self.job_runner = JobRunner(
            self.runtime, self.library, self.artifacts, self.clock, Names(), self.teams
        )
        known: Mapping[PersonaKey | None, Brain] = {
            None: SCRIPTED,
            FACILITATOR: Facilitator(),
            **(brains or {}),
        }
        if table:
            known = {**known, None: ActingBrain(consult=table, other=known[None])}
        of_tier = {tier: ActingBrain(diagnose=find) for tier, find in higher.items()}
        self.outbox_worker = OutboxWorker(
            runtime=self.runtime,
            job_runner=self.job_runner,
            stage=self.stage,
            model_runner=models,
            brain_runner=BrainRunner(
                self.runtime.reader,
                Names(),
                Brains(known, self.clock, brain_s, of_tier),
                FolderDocuments(self.artifacts),
                self.library.terms,
            ),
            clock=self.clock,
            pace_s=pace_s,
            threads=NobodyLooks(),
        )
        self.id = SessionId("s1")
        self.handled = Handled(None)
        _OPEN.append(self)

    def again(self, checkpoint: Checkpoint = no_checkpoint) -> "Harness":
        """The next process over what this one left behind."""
        self.close()
        process = type(self)(self.place, stage=self.stage, checkpoint=checkpoint, **self._options)  # type: ignore[arg-type]
        process.id = self.id
        return process

    def close(self) -> None:
        self.runtime.database.close()

    # ── people ──

    def start(
        self, title: str = "Export dashboard as PDF", depth: Depth | None = None, **more: object
    ) -> Handled:
        given = {
            "by": self.cast.owner, "at": self.clock.now(), "session": self.id,
            "run": RunId(f"r-{self.id}"),
            "seed": f"seed-{self.id}", "team": self.cast.team,
            "channel": self.cast.channel, "title": title,
            "text": title, "depth": depth,
        } | more  # fmt: skip
        event = on.SessionRequested(**given)  # type: ignore[arg-type]
        return self.take(event)

    def message(
        self, text: str, by: UserId | None = None, thread: Ts | None = None, ts: Ts | None = None,
        **more: object,
    ) -> on.MessagePosted:  # fmt: skip
        """A reply in the current persona's thread, on its way."""
        at = ts or self.stage.next_ts()
        root = self.thread() if thread is None else thread
        return on.MessagePosted(
            by or self.cast.owner, self.clock.now(), self.cast.channel, at, root, text,
            f"{self.cast.links}{at}", **more  # type: ignore[arg-type]
        )  # fmt: skip

    def say(
        self, text: str, by: UserId | None = None, thread: Ts | None = None, ts: Ts | None = None,
        **more: object,
    ) -> Ts:  # fmt: skip
        event = self.message(text, by, thread, ts, **more)
        self.take(event, keys=[f"msg:{self.cast.team}:{self.cast.channel}:{event.ts}"])
        return event.ts

    def edit(self, ts: Ts, text: str, by: UserId | None = None, at: str | None = None) -> Handled:
        edited = Ts(at or self.stage.next_ts())
        return self.take(
            on.MessageEdited(
                by or self.cast.owner, self.clock.now(), self.cast.channel, ts, edited, text
            )
        )

    def delete(self, ts: Ts, by: UserId | None = None) -> Handled:
        return self.take(
            on.MessageDeleted(by or self.cast.owner, self.clock.now(), self.cast.channel, ts)
        )

    def choice(
        self,
        choice: str,
        by: UserId | None = None,
        menu: str | None = None,
        admin: bool | None = None,
    ) -> on.ChoiceMade:
        """A click on whichever open menu has that choice."""
        chosen = menu or next((each.id for each in self.menus if choice in each.choices), "none")
        return on.ChoiceMade(
            by or self.cast.owner,
            self.clock.now(),
            MenuId(chosen),
            choice,
            self.cast.channel,
            admin,
        )

    def click(
        self,
        choice: str,
        by: UserId | None = None,
        menu: str | None = None,
        admin: bool | None = None,
    ) -> Handled:
        handled = self.take(self.choice(choice, by, menu, admin))
        reply = handled.reply
        if reply is None or reply.kind != "cancel-question":
            return handled
        return self.take(self.choice("cancel-now", by, reply.args["menu"], admin))  # they are sure

    def forward(self, by: UserId | None = None) -> Handled:
        """The forward choice of the open menu."""
        return self.click(self.menu.choices[0], by)

    def resume(self, by: UserId | None = None) -> Handled:
        return self.take(on.SessionResumed(by or self.cast.owner, self.clock.now()))

    def cancel(self, by: UserId | None = None, admin: bool | None = None) -> Handled:
        return self.take(
            on.SessionCancelled(by or self.cast.owner, self.clock.now(), admin, sure=True)
        )

    def take(self, event: on.Event, keys: Collection[str] = ()) -> Handled:
        """Let it happen, and do everything that follows."""
        about = None if isinstance(event, on.SessionRequested) else self.id
        self.handled = self.runtime.handle(event, team=self.cast.team, keys=keys, session=about)
        if self.handled.needs_admin:  # as the bot does, where Slack says that they are none
            event = replace(event, admin=False)  # type: ignore[arg-type]
            self.handled = self.runtime.handle(event, team=self.cast.team, keys=keys, session=about)
        self.settle()
        return self.handled

    def erase(self, by: UserId | None = None, session: SessionId | None = None) -> Handled:
        """Somebody who is sure has the session deleted."""
        event = on.DeletionRequested(by or self.cast.owner, self.clock.now(), sure=True)
        return self.runtime.handle(event, team=self.cast.team, session=session or self.id)

    # ── whole stretches ──

    def answer(
        self, text: str = "Nothing to add beyond what we said.", by: UserId | None = None
    ) -> None:
        """Answer the current step and go on."""
        self.say(text, by)
        self.forward(by)

    def go_to(self, step: str) -> None:
        """Answer step after step until that one is asked."""
        while self.session.course.step != step or self.session.status != "asking":
            self.answer() if self.session.status == "asking" else self.forward()

    def finish(self) -> None:
        while self.session.status in ("asking", "choosing"):
            self.answer() if self.session.status == "asking" else self.forward()

    # ── what stands ──

    @property
    def session(self) -> Session:
        return self.runtime.reader.load(self.id)

    @property
    def menus(self) -> list[Menu]:
        places = self.session.menus
        known = (
            places.current, places.stale, places.prompt, places.follow_up, places.recovery,
            places.taking,
        )  # fmt: skip
        menus = [self.runtime.reader.menu(each) for each in known if each]
        return [menu for menu in menus if menu is not None]

    @property
    def menu(self) -> Menu:
        """Continue or Accept."""
        menu = self.runtime.reader.menu(self.session.menus.current or MenuId("none"))
        assert menu is not None, "no menu is open"
        return menu

    @property
    def reply(self) -> str | None:
        """What the last person was told, by its kind."""
        return self.handled.reply.kind if self.handled.reply else None

    def thread(self, persona: PersonaKey | None = None) -> Ts:
        root = self.runtime.reader.thread(self.id, persona or self.session.course.thread)
        assert root is not None
        return root.ts

    @property
    def card(self) -> Ts:
        root = self.runtime.reader.thread(self.id, None)
        assert root is not None
        return root.ts

    @property
    def statuses(self) -> dict[str, str]:
        return {state.id: state.status for state in self.runtime.reader.all_steps(self.id)}

    @property
    def phases(self) -> dict[str, str]:
        return {phase.key: phase.status for phase in self.session.course.phases}

    @property
    def said(self) -> list[str]:
        """Whatever counts as an answer now, in plain words."""
        return [answer.text for answer in self.runtime.reader.answers(self.id)]

    @property
    def codes(self) -> list[str]:
        return [fault.code for fault in self.runtime.reader.faults(self.id)]

    @property
    def messages(self) -> list[str]:
        """The faults people see, in order."""
        shown = {
            fault for effect in self.shown(fx.ShowFault) for fault in (effect.fault, *effect.more)
        }
        faults = self.runtime.reader.faults(self.id)
        return [fault.message for fault in faults if fault.id in shown]

    @property
    def prompts(self) -> list[str]:
        """The steps asked, in order."""
        return [effect.step for effect in self.shown(fx.PostPrompt)]

    def shown(self, kind: type[Shown]) -> list[Shown]:
        return [effect for effect in self.stage.shown if isinstance(effect, kind)]

    def lines(self, kind: str) -> list[fx.Say]:
        return [line for line in self.shown(fx.Say) if line.kind == kind]

    def folder(self, slug: str | None = None) -> Path:
        return self.place / "artifacts" / self.cast.team / (slug or self.session.slug)

    def snapshot(self) -> list[str]:
        """Every row of every table: to see that nothing changed."""
        return snapshot(self.runtime.database)

    # ── what is due ──

    def settle(self) -> None:
        """Everything that is due now."""
        self._run_timers()
        for _ in range(SETTLED_WITHIN):
            worked = [self._step(session) for session in self._with_work()]
            if not any(worked):
                return
        raise AssertionError("it does not settle")

    def pass_time(self, seconds: float) -> None:
        self.clock.forward(seconds)
        self.settle()

    def _with_work(self) -> tuple[SessionId, ...]:
        return self.runtime.outbox.sessions_with_work()

    def _run_timers(self) -> None:
        for timer in self.runtime.outbox.timers_due(self.clock.now()):
            self.outbox_worker.run_out(timer)

    def _step(self, session: SessionId) -> bool:
        """Some work, some reading, some showing. Whether there was anything that could be done."""
        busy = self.outbox_worker.head(session, "work") is not None
        self.outbox_worker.work(session)
        for row in self._brains_due(session):
            busy = True
            self.outbox_worker.read(row)
        head = self.outbox_worker.head(session, "visible")
        if head is not None and head.due <= self.clock.now():
            later = self.outbox_worker.show(session)
            busy = busy or later is None or later <= self.clock.now()
        return busy

    def _brains_due(self, session: SessionId) -> tuple[WaitingRow, ...]:
        """Without the requests to models that are under way already."""
        waiting = getattr(self.outbox_worker.model_runner, "under_way", ())
        rows = self.outbox_worker.brains_due(session)[0]
        return tuple(row for row in rows if getattr(row.effect, "task", None) not in waiting)


# ── a flow small enough to be seen at once ─────────────────────────────────────────────────────


def small_tree(root: Path) -> Tree:
    """Two steps of Maya's and one of Alex's."""
    tree = Tree(root)
    tree.agent(AGENT)
    tree.step("01-requirements/01-a.md", title="First")
    tree.step("01-requirements/02-b.md", title="Second")
    tree.step(
        "02-impact/01-c.md", title="Third", persona="solutions-architect", outputs="[impact.md]"
    )
    return tree


def small_table(folder: Path, *, tree: Tree | None = None, **options: object) -> Harness:
    found = tree or small_tree(folder / "steps")
    return Harness(folder, steps=found.root, **options)  # type: ignore[arg-type]


def spec(table: Harness) -> str:
    """What its first phase has written so far."""
    return (table.folder() / "requirements-spec.md").read_text()
