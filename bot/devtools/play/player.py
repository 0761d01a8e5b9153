"""Performs a play: one act after another, each when the bot is idle, until nobody has one left.

People's words are spoken in the workspace and nowhere else: what is told of the progress names acts
and steps.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never, get_args

from bot.devtools.play.mishaps import MishapSchedule, StepForecast, tree_of
from bot.devtools.play.process import StoppedError
from bot.devtools.play.script.entries import (
    START,
    Act,
    Clicks,
    Commands,
    Deletes,
    Edits,
    PlayReplies,
    ProgressLine,
)
from bot.devtools.play.script.script import Script, flow_of, mode_click, mode_of
from bot.devtools.play.script.when_asked import RepliesWhenAsked, WhenAsked, fitting
from bot.devtools.play.session_view import SessionView, ShownControl
from bot.devtools.play.world import CHANNEL, World
from bot.devtools.waiting import wait_until
from core.domain.follow_ups import FollowUp
from core.domain.ids import Depth, SessionId
from core.domain.session.course import ENDED
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.engine.flow.words import MENU_WORDS

FORWARD: Final = "continue"
GOES_ON: Final = (FORWARD, "accept")
HAS_FORM: Final = "both"
FORM_S_MAX: Final = 10.0  # until a form opens behind a click
AGAIN_MAX: Final = 3
DEPTHS_ON_THE_WAY_MAX: Final = 2
Utterance = PlayReplies | Edits | Deletes | Commands  # all that is no click


@dataclass(slots=True)
class OpenReplies:
    """What is left to do at a step, and the replies people gave to it so far."""

    acts: deque[Act]
    sent: dict[str, list[str | None]] = field(default_factory=dict)  # by person: the ts of each


class Player:
    def __init__(self, script: Script, world: World, tell: Callable[[ProgressLine], None]) -> None:
        self._script = script
        self._world = world
        self._tell = tell
        self._sight = SessionView(world.workspace, world.reader)
        tree = tree_of(flow_of(script), mode_of(script))
        forecast = StepForecast(world.library, tree)
        self._mishaps = MishapSchedule(script, world, forecast, tell)
        self._parts: dict[str, OpenReplies] = {}
        self._forwarded: dict[str, int] = {}
        self._when_asked = list(script.when_asked)  # not used yet
        self.answered: list[tuple[str, FollowUp, WhenAsked]] = []  # with the step that asked
        self.session: SessionId | None = None

    def perform(self) -> None:
        """All of it. Raises `StoppedError` when the play cannot go on."""
        self._world.begin()
        self._mishaps.begin()
        self._start()
        while self.session is not None and self._go_on():
            pass
        self._note_what_is_left()

    # ── the start ──

    def _start(self) -> None:
        before = self._sight.sessions()
        self._do(START, self._script.start, None)
        changed = (id_ for id_, at in self._sight.sessions().items() if before.get(id_) != at)
        self.session = next(changed, None)

    # ── one act ──

    def _go_on(self) -> bool:
        """Do the next thing that anybody has to do. False: there is nothing left."""
        session = self._sight.session(self.session)
        if session is None:
            return False
        if (mode := self._sight.mode_menu(session)) is not None:
            self._choose_mode(session, mode)
        elif (recovery := self._unanswered_recovery(session)) is not None:
            self._recover(session, *recovery)
        elif (late := self._late_act(session)) is not None:
            self._perform(*late, session)
        elif (entry := self._answer_to_follow_up(session)) is not None:
            self._answer(session, entry)
        elif (act := self._next_act(session)) is not None:
            self._perform(self._here(session), act, session)
        elif session.status not in ENDED and (control := self._sight.forward(session)) is not None:
            self._forward(session, control)
        else:
            return False
        return True

    def _choose_mode(self, session: Session, menu: Menu) -> None:
        """The mode menu: as the play says, else as it is recommended."""
        key, click = mode_click(self._script) or (START, None)
        acts = self._part(key).acts if click else None
        if click and acts and acts[0] == click:
            self._perform(key, acts.popleft(), session)
        elif (control := self._sight.control(session, menu.choices[0])) is not None:
            self._forward(session, control)
        else:
            raise StoppedError("nobody can answer the mode menu")

    def _unanswered_recovery(self, session: Session) -> tuple[str, Menu] | None:
        """A recovery menu that the next act is no answer to: nothing goes on before it."""
        recovery = self._sight.recovery(session)
        return None if recovery and self._answers(session, recovery[1]) else recovery

    def _answers(self, session: Session, menu: Menu) -> bool:
        """True if the next act is a click on that menu."""
        acts = self._part(self._here(session)).acts if self._is_somewhere(session) else None
        act = acts[0] if acts else None
        return isinstance(act, Clicks) and act.choice in menu.choices

    def _next_act(self, session: Session) -> Act | None:
        """Before the first step is asked a recovery menu is all that can be answered."""
        if session.course.step is None:
            recovery = self._sight.recovery(session)
            if recovery is None or not self._answers(session, recovery[1]):
                return None
        part = self._part(self._here(session))
        return part.acts.popleft() if part.acts else None

    def _is_somewhere(self, session: Session) -> bool:
        return session.course.step is not None or session.course.phase in self._script.steps

    def _here(self, session: Session) -> str:
        """Whose list of acts is at hand: the step's, or the phase's where the play names it."""
        course = session.course
        return str(course.phase if course.phase in self._script.steps else course.step or START)

    def _part(self, step: str) -> OpenReplies:
        if step not in self._parts:
            self._parts[step] = OpenReplies(deque(self._script.acts(step)))
        return self._parts[step]

    def _late_act(self, session: Session) -> tuple[str, Act] | None:
        """An edit or a deletion at a step that is passed: it can be done at any time."""
        for step, part in self._parts.items():
            passed = step != self._here(session) or session.status in ENDED
            if passed and part.acts and isinstance(part.acts[0], Edits | Deletes):
                return step, part.acts.popleft()
        return None

    def _perform(self, step: str, act: Act, session: Session) -> None:
        if isinstance(act, Clicks):
            self._click(step, act.by, act.choice, session)
            return
        if isinstance(act, PlayReplies):
            self._mishaps.before(session, self._word_of(act, session))
        self._do(step, act, session)

    def _word_of(self, act: PlayReplies, session: Session) -> str:
        """The choice that a reply makes when it is a letter or a word of the open menu."""
        menu = self._sight.open_menu(session)
        word = MENU_WORDS.get(act.text.strip().lower().rstrip(".!"), "")
        return menu.choices[0] if menu and word == "forward" else word if menu else ""

    def _do(self, step: str, act: Utterance, session: Session | None) -> None:
        """Do it and wait until the bot is done with it. What cannot be done is noted."""
        try:
            self._act(step, act, session)
        except (LookupError, ValueError, PermissionError):
            self._note(step, f"{act.told()}: not possible now")
            return
        self._tell(ProgressLine(step, act.told()))
        self._world.settle()

    def _act(self, step: str, act: Utterance, session: Session | None) -> None:
        workspace = self._world.workspace
        match act:
            case PlayReplies(by, text):
                thread = self._sight.asking_thread(session) if session else None
                replies = self._part(step).sent.setdefault(by, [])
                replies.append(None)
                if thread is None:
                    raise LookupError("nobody asks")
                replies[-1] = workspace.say(by, CHANNEL, text, thread_ts=thread)
            case Edits(by, number, text):
                workspace.edit(by, CHANNEL, self._said(step, by, number), text)
            case Deletes(by, number):
                workspace.delete(by, CHANNEL, self._said(step, by, number))
            case Commands(by, line) if line.startswith("/"):
                workspace.command(by, CHANNEL, line)
            case Commands(by, line):
                workspace.say(by, CHANNEL, line)
            case _:
                assert_never(act)

    def _said(self, step: str, by: str, number: int) -> str:
        ts = self._part(step).sent.get(by, [])[number - 1]
        if ts is None:
            raise LookupError("it was never said")
        return ts

    # ── follow-ups ──

    def _answer_to_follow_up(self, session: Session) -> WhenAsked | None:
        """What somebody has to say to the open follow-up, once the step is otherwise done."""
        follow_up = self._sight.follow_up(session)
        if follow_up is None or not self._is_done_but_for_going_on(session):
            return None
        current_step = self._here(session)
        earlier_questions = [
            question.question for step, question, _ in self.answered if step == current_step
        ]
        is_new = follow_up.question not in earlier_questions
        entry = fitting(follow_up, self._when_asked) if is_new else None
        if entry is not None:
            self.answered.append((current_step, follow_up, entry))
            self._when_asked.remove(entry)
        return entry

    def _is_done_but_for_going_on(self, session: Session) -> bool:
        acts = self._part(self._here(session)).acts
        act = acts[0] if acts else None
        return act is None or (isinstance(act, Clicks) and act.choice in GOES_ON)

    def _answer(self, session: Session, entry: WhenAsked) -> None:
        step = self._here(session)
        if isinstance(entry, RepliesWhenAsked):
            thread = self._sight.asking_thread(session)
            assert thread is not None, "a follow-up stands in a thread"
            self._world.workspace.say(entry.by, CHANNEL, entry.text, thread_ts=thread)
            self._tell(ProgressLine(step, entry.told()))
            self._world.settle()
        elif (control := self._sight.answer_button(session, entry.tap)) is not None:
            self._press(step, entry.by, control)
        else:
            self._note(step, f"{entry.told()}: no button offers it")

    # ── clicks ──

    def _click(self, step: str, by: str, choice: str, session: Session) -> None:
        if choice.startswith("depth:"):
            self._click_depth(step, by, choice, session)
            return
        control = self._of_recovery(session, choice) or self._control(session, choice)
        if control is None:
            self._note(step, f"{by} clicks {choice}: no menu offers it")
        else:
            self._use(step, by, control, session)

    def _of_recovery(self, session: Session, choice: str) -> ShownControl | None:
        """A recovery menu can be answered even when the session has ended."""
        recovery = self._sight.recovery(session)
        offered = recovery is not None and choice in recovery[1].choices
        return self._sight.control(session, choice) if offered else None

    def _control(self, session: Session, choice: str) -> ShownControl | None:
        if session.status in ENDED or (session.status == "paused" and choice != "cancel"):
            return None
        if choice == FORWARD:
            return self._sight.forward(session)
        return self._sight.control(session, choice)

    def _click_depth(self, step: str, by: str, choice: str, session: Session) -> None:
        """The overflow offers the next depth only: two away is two clicks."""
        _, _, wanted = choice.partition(":")
        for _ in range(DEPTHS_ON_THE_WAY_MAX):
            current = self._sight.session(session.id) or session
            if self._sight.depth(current) == wanted:
                break
            offered = (self._control(current, f"depth:{depth}") for depth in get_args(Depth))
            control = next((control for control in offered if control is not None), None)
            if control is None:
                self._note(step, f"{by} clicks {choice}: no menu offers it")
                return
            self._use(step, by, control, current)

    def _forward(self, session: Session, control: ShownControl) -> None:
        tries = self._forwarded[control.menu] = self._forwarded.get(control.menu, 0) + 1
        if tries > AGAIN_MAX:
            where = self._here(session)
            raise StoppedError(f"clicking {control.choice} at {where} changes nothing")
        self._use(self._here(session), self._script.start.by, control, session)

    def _recover(self, session: Session, code: str, menu: Menu) -> None:
        choice = chosen(self._script.menus, code, menu.choices)
        control = self._sight.control(session, choice)
        if control is None:
            raise StoppedError(f"nobody can answer the menu of {code}")
        self._forward(session, control)

    def _use(self, step: str, by: str, control: ShownControl, session: Session) -> None:
        self._mishaps.before(session, control.choice)
        self._press(step, by, control)

    def _press(self, step: str, by: str, control: ShownControl) -> None:
        """Click it and wait until the bot is done with it."""
        try:
            self._sight.click(by, control)
        except LookupError:
            self._note(step, f"{by} clicks {control.choice}: it is gone")
            return
        self._tell(ProgressLine(step, Clicks(by, control.choice).told()))
        self._world.settle()
        self._be_sure(by)
        if control.choice == HAS_FORM:
            self._submit_form(by)

    def _submit_form(self, by: str) -> None:
        """Send the form that opens behind what was clicked as it is."""
        workspace = self._world.workspace

        def is_open() -> bool:
            return any(form.to == by for form in workspace.modals)

        if wait_until(is_open, FORM_S_MAX):
            form = next(form for form in workspace.modals if form.to == by)
            workspace.submit(by, form.id, {})
            self._world.settle()

    def _be_sure(self, by: str) -> None:
        """Whoever clicks Cancel is asked once more, alone: they are sure."""
        question = self._sight.question(by)
        if question is not None:
            self._sight.click(by, question)
            self._world.settle()

    # ── notes ──

    def _note(self, step: str, words: str) -> None:
        self._tell(ProgressLine(step, words, note=True))

    def _note_what_is_left(self) -> None:
        for step, words in self._left():
            self._note(step, words)
        if count := self._world.controls.brains.left():
            self._note("", f"{count} brain faults were never met")
        if count := self._world.controls.folder.left():
            self._note("", f"{count} faults of the team and the folder were never met")

    def _left(self) -> Iterator[tuple[str, str]]:
        for step in self._script.steps:
            part = self._parts.get(step)
            if part is None:
                yield step, "this step was never asked"
            elif part.acts:
                yield step, f"{len(part.acts)} acts were never done"
        for step in self._mishaps.left():
            yield step, "what was to happen before it did not: it was never come to"


def chosen(menus: Mapping[str, str], code: str, choices: Sequence[str]) -> str:
    """Which choice a recovery menu gets: by its code, else the default, else the first."""
    wanted = menus.get(code, menus.get("default", ""))
    return wanted if wanted in choices else choices[0]
