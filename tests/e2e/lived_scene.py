"""One channel of a running bot, and what happens in it: acts of people, and what can be seen then.

Sentences about what the session did are made of what stands in Slack, in the database and in the
folder, so that they cannot say anything else.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.devtools.play.script.entries import BrainFails
from bot.devtools.workspace import WorkspaceMessage
from bot.devtools.workspace.state import TEAM_ID
from core.domain.ids import ChannelId, PersonaKey, Slug, StepId, TeamId, slug_of
from core.domain.session.halt import Fault
from core.domain.session.session import Session
from core.ports import Post, Summary
from tests.e2e.lived_bot import Bot
from tests.support.served_bot import controls
from tests.support.step_trees import AGENT, Tree

ONE_PHASE: Final = AGENT.replace(
    "  02-impact: {persona: solutions-architect, label: Impact Analysis}\n", ""
)
FIRST, SECOND, THIRD = (f"01-requirements/0{number}-{name}.md" for number, name in
                        enumerate("abc", start=1))  # fmt: skip
LATER: Final = "02-impact/01-d.md"
CARD: Final = "Roundtable"


@dataclass(frozen=True, slots=True)
class Words:
    """A message about a code, and where it stood."""

    text: str
    where: str


@dataclass(slots=True)
class Scene:
    bot: Bot
    channel: str
    tree: Tree = field(init=False)
    cause: str = ""  # where it depends on the machine
    also_told: list[Words] = field(default_factory=list)  # words that bear no code

    def __post_init__(self) -> None:
        shutil.rmtree(self.bot.steps / "analysis", ignore_errors=True)
        self.tree = Tree(self.bot.steps)
        self.tree.agent(ONE_PHASE)

    # ── people ──

    @property
    def title(self) -> str:
        return f"Item of {self.channel}"

    def start(self, title: str = "", depth: str = "") -> None:
        more = f" --depth {depth}" if depth else ""
        self.command(f"/roundtable analyze {title or self.title}{more}")

    def command(self, line: str) -> list[str]:
        """What pm alone is told since."""
        before = len(self.bot.slack.ephemerals)
        self.bot.slack.command("pm", self.channel, line)
        self.bot.settle()
        return [each.text for each in self.bot.slack.ephemerals[before:] if each.to == "pm"]

    def reply(self, text: str) -> str:
        """pm answers, and nobody waits for what comes of it."""
        return self.bot.slack.say("pm", self.channel, text, thread_ts=self.root.ts)

    def say(self, text: str = "Because of the bank.") -> str:
        ts = self.reply(text)
        self.bot.settle()
        return ts

    def press(self) -> None:
        """Continue or Accept, and nobody waits for what comes of it."""
        current = self.session.menus.current
        menu = self.bot.reader.menu(current) if current else None
        assert menu is not None, "no menu is open"
        self.bot.slack.click("pm", self.channel, self._menu().ts, f"menu:{menu.choices[0]}")

    def _menu(self) -> WorkspaceMessage:
        """The message with the open menu."""
        menu = self.session.menus.current
        return next(each for each in reversed(self.messages) if menu in _values(each))

    def forward(self) -> None:
        self.press()
        self.bot.settle()

    def answer(self, text: str = "Because of the bank.") -> None:
        self.say(text)
        self.forward()

    def resume(self) -> None:
        self.command("/roundtable resume")

    # ── what goes wrong ──

    def crash_brain(self, *personas: str) -> None:
        """What each of them reads next ends in an exception."""
        for persona in personas:
            self.bot.controls.fail_brain(BrainFails("crash", PersonaKey(persona)), StepId("00-00"))

    def plant_meta(self, title: str = "", **content: object) -> None:
        """A folder of this channel's that travelled: the database does not know its session."""
        owner = {"team": self.bot.slack.team_id, "channel": self._channel_id}
        known = {"slug": slug_of(title or self.title), "title": self.title, "owner": owner}
        self.plant_text(json.dumps(known | content), title)

    def plant_text(self, text: str, title: str = "") -> None:
        folder = self.bot.artifacts / TEAM_ID / slug_of(title or self.title)
        folder.mkdir()
        (folder / "meta.json").write_text(text)

    # ── what stands ──

    @property
    def _channel_id(self) -> ChannelId:
        return ChannelId(self.bot.slack.channel_id(self.channel))

    @property
    def known(self) -> tuple[Summary, ...]:
        """Every session of this channel, the latest first."""
        team = TeamId(self.bot.slack.team_id)
        return self.bot.reader.channel_sessions(team, self._channel_id)

    @property
    def session(self) -> Session:
        return self.bot.reader.load(self.known[0].id)

    @property
    def faults(self) -> list[Fault]:
        return [fault for each in self.known for fault in self.bot.reader.faults(each.id)]

    @property
    def root(self) -> Post:
        """Under which the thread hangs that is the current one."""
        root = self.bot.reader.thread(self.session.id, self.session.course.thread)
        assert root is not None
        return root

    @property
    def folder(self) -> Path:
        return self.bot.artifacts / TEAM_ID / Slug(self.session.slug)

    @property
    def meta(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "meta.json").read_text())
        return found

    @property
    def messages(self) -> list[WorkspaceMessage]:
        return self.bot.slack.messages(self.channel)

    @property
    def everything(self) -> list[str]:
        """Whatever anybody can read of this channel."""
        ephemerals = [each for each in self.bot.slack.ephemerals if each.channel == self.channel]
        return [each.plain for each in self.messages] + [each.text for each in ephemerals]

    def times(self, text: str) -> int:
        return sum(text in each.plain for each in self.messages)

    def told_of(self, code: str) -> Iterator[Words]:
        """The messages that bear a code, word for word."""
        for message in self.messages:
            for block in message.blocks:
                elements = [str(each.get("text")) for each in block.get("elements", ())]
                if block["type"] == "context" and elements[1:] == [f"`{code}`"]:
                    _icon, _, text = elements[0].partition(" ")
                    yield Words(text, self._where(message))

    def _where(self, message: WorkspaceMessage) -> str:
        return f"{message.author}, in {self._thread_of(message)}"

    def _thread_of(self, message: WorkspaceMessage) -> str:
        roots = {each.ts: each.author for each in self.messages}
        author = roots.get(message.thread_ts or message.ts, "a thread that is gone")
        return "the card's thread" if author == CARD else f"{author}'s thread"

    # ── sentences ──

    def stands(self) -> str:
        session = self.session
        if session.status == "asking":
            return self._asked(session)
        if session.status == "choosing":
            return f"{self._menu().author} offers the menu of `{session.course.step}`"
        return f"the session is {session.status}"

    def _asked(self, session: Session) -> str:
        prompt = next(
            message
            for message in reversed(self.messages)
            if f"Step {session.course.step} ·" in message.plain
        )
        own = self._thread_of(prompt) == f"{prompt.author}'s thread"
        where = "" if own else f" in {self._thread_of(prompt)}"
        return f"{prompt.author} asks `{session.course.step}`{where}"

    def depth(self) -> str:
        assert self.session.course.step is not None
        state = self.bot.reader.step_state(self.session.id, self.session.course.step)
        return f"{self.stands()} at {state.prompt.depth if state else 'no'} depth"

    def step(self, step: str) -> str:
        """Where a step stands: its status is the database's, the rest is the folder's."""
        states = {each.id: each for each in self.bot.reader.all_steps(self.session.id)}
        listed = "in" if step in self.meta["steps_completed"] else "not in"
        return f"`{step}` is {states[StepId(step)].status}, {listed} `steps_completed`"

    def phase(self, phase: str) -> str:
        status = next(each.status for each in self.session.course.phases if each.key == phase)
        listed = "in" if phase in self.meta["phases_completed"] else "not in"
        return f"`{phase}` is {status}, {listed} `phases_completed`"

    def listed(self) -> str:
        return f"`steps_completed` is {_joined(self.meta['steps_completed'])}"

    def files(self) -> str:
        return f"the folder holds {_joined(sorted(each.name for each in self.folder.iterdir()))}"

    def holds(self, name: str, *said: str) -> str:
        """Which of the answers a file has."""
        text = (self.folder / name).read_text()
        return f"`{name}` has {_joined([each for each in said if each in text])}"

    def kept(self, text: str) -> str:
        """Under which name a file that was no use is kept, byte for byte."""
        same = [each.name for each in self.folder.iterdir() if each.read_text() == text]
        return f"the old file is {_joined(same)}"


def _joined(names: list[str]) -> str:
    return ", ".join(f"`{each}`" for each in names) or "nothing"


def _values(message: WorkspaceMessage) -> set[str | None]:
    return {each.get("value") for each in controls(message)}
