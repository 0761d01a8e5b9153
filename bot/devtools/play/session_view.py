"""What people of a play see of the session: where it stands, which controls are there to be used.

Controls are found in the messages themselves, so that nobody clicks what is not shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from bot.devtools.play.script.when_asked import CHOICE_OF_TAP, Tap
from bot.devtools.play.world import CHANNEL
from bot.devtools.workspace import Ephemeral, LocalWorkspace, WorkspaceMessage
from bot.devtools.workspace.blocks.table import controls
from core.domain.follow_ups import FollowUp
from core.domain.ids import Depth, MenuId, SessionId, Ts
from core.domain.session.course import ENDED
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.ports import Gone
from core.store.queries.reader import Reader

ACTION: Final = "menu:"
OVERFLOW: Final = "menu:overflow"
PICK: Final = "menu:pick"
STEP_KINDS: Final = frozenset({"step", "phase"})
SURE: Final = "menu:cancel-now"
TAKE: Final = "take"  # take:KEY, of which nobody can know the key
PLAIN_KINDS: Final = STEP_KINDS | {"prompt", "stale", "elaboration", "follow-up"}


@dataclass(frozen=True, slots=True)
class ShownControl:
    """A button, or an option of an overflow, in a message that stands."""

    ts: str
    menu: MenuId
    choice: str
    action_id: str
    value: str
    block_id: str


class SessionView:
    def __init__(self, workspace: LocalWorkspace, reader: Reader, channel: str = CHANNEL) -> None:
        self._workspace = workspace
        self._reader = reader
        self._channel = channel

    # sessions

    def sessions(self) -> dict[SessionId, float]:
        """Every session with the time of its last change."""
        return {session.id: session.updated_at for session in self._reader.all_sessions()}

    def session(self, id_: SessionId | None) -> Session | None:
        try:
            return self._reader.load(id_) if id_ is not None else None
        except Gone:
            return None

    def depth(self, session: Session) -> Depth | None:
        step = session.course.step
        state = self._reader.step_state(session.id, step) if step else None
        return state.prompt.depth if state else None

    def question(self, by: str) -> ShownControl | None:
        """The open question whether to cancel that only this person sees."""
        for ephemeral in reversed(self._workspace.ephemerals):
            if ephemeral.to == by:
                sure = [use for use in _controls_of(ephemeral) if use.action_id == SURE]
                return sure[0] if sure and self.is_open(sure[0]) else None
        return None

    def click(self, by: str, control: ShownControl) -> None:
        """Raises `LookupError` when the control is gone."""
        self._workspace.click(
            by,
            self._channel,
            control.ts,
            control.action_id,
            value=control.value,
            block_id=control.block_id,
        )

    # where to reply

    def asking_thread(self, session: Session) -> Ts | None:
        """The thread that asked last in this phase, else that of the persona who leads."""
        prompt = self._reader.last_post(session.id, "prompt:")
        is_current = prompt and prompt.step in {state.id for state in session.course.steps}
        post = prompt if is_current else self._reader.thread(session.id, session.course.thread)
        post = post or self._reader.thread(session.id, None)
        return (post.thread_ts or post.ts) if post else None

    # follow-ups

    def follow_up(self, session: Session) -> FollowUp | None:
        """The one that waits for an answer at the step where the session is."""
        step = session.course.step
        if step is None or self.open_menu(session) is None:
            return None
        state = self._reader.step_state(session.id, step)
        return state.questions.open if state else None

    def answer_button(self, session: Session, tap: Tap) -> ShownControl | None:
        """The button under the open follow-up."""
        return self.control(session, CHOICE_OF_TAP.get(tap, tap))

    # menus

    def forward(self, session: Session) -> ShownControl | None:
        """The forward choice of the open menu."""
        menu = self.open_menu(session)
        return self.control(session, menu.choices[0]) if menu else None

    def open_menu(self, session: Session) -> Menu | None:
        """The step's or the phase's menu, if it is open and the session goes on with it."""
        return self._open(session.menus.current) if session.status == "choosing" else None

    def mode_menu(self, session: Session) -> Menu | None:
        """The choice between party and classic, while it is open."""
        menu = self._open(session.menus.current) if session.status not in ENDED else None
        return menu if menu is not None and menu.kind == "mode" else None

    def recovery(self, session: Session) -> tuple[str, Menu] | None:
        """A menu after a fault: the fault's code and the menu."""
        for id_ in dict.fromkeys(control.menu for control in self._controls()):
            menu = self._open(id_)
            if menu and menu.session == session.id and menu.fault is not None:
                return self._reader.fault(menu.fault).code, menu
        return None

    def control(self, session: Session, choice: str) -> ShownControl | None:
        """Where that choice can be clicked now, the newest message first."""
        menus = session.menus
        wanted = {menus.current, menus.stale, menus.prompt, menus.follow_up}
        for control in self._controls():
            verb = control.choice.partition(":")[0]
            if choice != (verb if verb == TAKE else control.choice):
                continue
            menu = self._open(control.menu)
            if menu is None or menu.session != session.id:
                continue
            if menu.kind not in PLAIN_KINDS or menu.id in wanted:
                return control
        return None

    def is_open(self, control: ShownControl) -> bool:
        return self._open(control.menu) is not None

    def _open(self, id_: MenuId | None) -> Menu | None:
        menu = self._reader.menu(id_) if id_ else None
        return menu if menu is not None and menu.state == "open" else None

    def _controls(self) -> Iterator[ShownControl]:
        for message in reversed(self._workspace.messages(self._channel)):
            yield from _controls_of(message)


def _controls_of(message: WorkspaceMessage | Ephemeral) -> Iterator[ShownControl]:
    for block_id, element in controls(message.blocks):
        yield from _uses(message.ts, block_id, element)


def _uses(ts: str, block: str, element: dict[str, Any]) -> Iterator[ShownControl]:
    action = str(element.get("action_id", ""))
    menu, _, _ = block.partition("|")
    if action in (OVERFLOW, PICK):
        for option in element.get("options", ()):
            choice = str(option["value"])
            yield ShownControl(ts, MenuId(menu), choice, action, choice, block)
    elif action.startswith(ACTION):
        value = str(element.get("value", ""))
        yield ShownControl(ts, MenuId(value), action.removeprefix(ACTION), action, value, block)
