"""Where each message goes, and whether it is a new one or an edit of one that stands.

A step has one message per revision and a phase one summary, edited from then on; only one whose
buttons are waited for moves down, once five messages have passed it, after an elaboration
and after a resume.
"""

from dataclasses import dataclass
from typing import Final

from bot.publish.render import Scenes
from core.domain.effects import (
    Effect,
    Greet,
    HandOver,
    OpenThread,
    PaintCard,
    PaintPrompt,
    PaintReminder,
    PaintStep,
    PostCard,
    PostPrompt,
    PostQuestions,
    PostReminder,
    Say,
    SayContribution,
    SayTurn,
    ShowFault,
    ShowMode,
    ShowPhase,
    ShowProposals,
    ShowRecovery,
    ShowResult,
    ShowStep,
)
from core.domain.ids import PersonaKey, StepId, Ts
from core.domain.session import Session
from core.ports import Post, Refused, SessionReader

PASSED_BY_MAX: Final = 5


@dataclass(frozen=True, slots=True)
class New:
    """A message is to be posted. `old` is the one it takes the place of."""

    target: str
    thread_ts: Ts | None = None
    step: StepId | None = None
    old: Post | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """The message stands already: it is drawn anew where it is."""

    post: Post


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is no message to edit."""


Plan = New | Edit | Nothing | Refused


class Places:
    """Says for each visible effect which message it is, from what was posted so far."""

    def __init__(self, reader: SessionReader, scenes: Scenes) -> None:
        self._reader = reader
        self._scenes = scenes

    def plan(self, session: Session, order: int, effect: Effect) -> Plan:
        """`order` is the outbox row's: what may be said twice gets a target of its own by it."""
        match effect:
            case PostCard():
                return self._once(session, New("card"))
            case OpenThread(persona):
                return self._once(session, New(f"thread:{persona}"))
            case PaintCard():
                return self._edit(session, "card")
            case PaintPrompt(step):
                state = self._reader.step_state(session.id, step)
                return self._edit(session, f"prompt:{step}:{state.revision if state else 0}")
            case PostPrompt():
                target = f"prompt:{effect.step}:{effect.revision}"
                return self._in_thread(session, effect.thread, target, effect.step)
            case ShowStep():
                return self._plan_step(session, effect)
            case PaintStep(step):
                mine = self._standing(session, step)[1]
                return Edit(mine) if mine else Nothing()
            case ShowPhase():
                return self._plan_phase(session, effect)
            case ShowResult():
                return self._in_thread(session, None, "result")
            case ShowFault():
                return self._in_thread(session, effect.thread, f"fault:{effect.fault}")
            case ShowMode(menu):
                return self._in_thread(session, None, f"mode:{menu}")
            case PostQuestions(step, revision, thread):
                return self._in_thread(session, thread, f"prompt:{step}:{revision}:{thread}", step)
            case ShowProposals(thread):
                return self._in_thread(session, thread, "proposals")
            case SayContribution(phase, place, thread):
                return self._in_thread(session, thread, f"said:{phase}:{place}")
            case PostReminder(menu, _, thread):
                if self._scenes.open_menu(menu) is None:
                    return Nothing()  # somebody answered while it waited to be sent
                return self._in_thread(session, thread, f"reminder:{menu}")
            case PaintReminder(menu):
                return self._edit(session, f"reminder:{menu}")
            case ShowRecovery(menu, thread):
                return self._in_thread(session, thread, f"recovery:{menu}")
            case Greet():
                return self._in_thread(session, effect.thread, f"say:{order}")
            case HandOver():
                return self._in_thread(session, effect.leaving, f"say:{order}")
            case SayTurn(step, number, thread):
                return self._in_thread(session, thread, f"turn:{step}:{number}")
            case Say():
                return self._in_thread(session, effect.thread, f"say:{order}")
            case _:
                raise AssertionError(f"{type(effect).__name__} is no message")

    def _plan_step(self, session: Session, effect: ShowStep) -> Plan:
        """One message per revision of a step: those of earlier ones stay as they are."""
        last, mine = self._standing(session, effect.step)
        wanted = self._scenes.menu_of(session.menus.current, effect.step) is not None
        if mine and not effect.anew and not (wanted and self._is_passed(session, mine)):
            return Edit(mine)
        return self._another(
            session, effect.thread, f"step:{effect.step}:", effect.step, last, mine
        )

    def _standing(self, session: Session, step: StepId) -> tuple[Post | None, Post | None]:
        """The step's last message, and the same if it is of the current revision."""
        last = self._reader.last_post(session.id, f"step:{step}:")
        state = self._reader.step_state(session.id, step)
        asked = f"prompt:{step}:{state.revision if state else 0}"
        prompt = self._reader.post(session.id, asked)
        return last, last if last and not (prompt and _after(prompt, last)) else None

    def _plan_phase(self, session: Session, effect: ShowPhase) -> Plan:
        """One message per phase, and another one when steps were asked again since."""
        prefix = f"phase:{effect.phase}:"
        last = self._reader.last_post(session.id, prefix)
        prompt = self._reader.last_post(session.id, "prompt:")
        menu = self._scenes.open_menu(session.menus.current)
        wanted = menu is not None and menu.phase == effect.phase
        overtaken = last is not None and (
            (prompt is not None and _after(prompt, last)) or self._is_passed(session, last)
        )
        if last and not effect.anew and not (wanted and overtaken):
            return Edit(last)
        return self._another(session, effect.thread, prefix, None, last, last)

    def _another(
        self,
        session: Session,
        thread: PersonaKey | None,
        prefix: str,
        step: StepId | None,
        last: Post | None,
        old: Post | None,
    ) -> New | Refused:
        thread_ts = self.thread(session, thread)
        if thread_ts is None:
            return Refused("no_thread", "thread_gone")
        number = int(last.target.removeprefix(prefix)) + 1 if last else 1
        return New(f"{prefix}{number}", thread_ts, step, old)

    def _is_passed(self, session: Session, post: Post) -> bool:
        thread_ts = post.thread_ts or post.ts
        return self._reader.passed_by(session.id, thread_ts, post.ts) >= PASSED_BY_MAX

    def _in_thread(
        self, session: Session, thread: PersonaKey | None, target: str, step: StepId | None = None
    ) -> Plan:
        thread_ts = self.thread(session, thread)
        if thread_ts is None:
            return Refused("no_thread", "thread_gone")
        return self._once(session, New(target, thread_ts, step))

    def _once(self, session: Session, new: New) -> New | Edit:
        """What stands already is painted over rather than posted twice."""
        post = self._reader.post(session.id, new.target)
        return Edit(post) if post else new

    def _edit(self, session: Session, target: str) -> Edit | Nothing:
        post = self._reader.post(session.id, target)
        return Edit(post) if post else Nothing()

    def thread(self, session: Session, persona: PersonaKey | None) -> Ts | None:
        """The root of a persona's thread, or of the card's; None where it was never posted."""
        root = self._reader.post(session.id, f"thread:{persona}" if persona else "card")
        return root.ts if root else None


def _after(later: Post, earlier: Post) -> bool:
    return float(later.ts) > float(earlier.ts)
