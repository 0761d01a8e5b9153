"""Where each message goes, and whether it is a new one or an edit of one that stands.

A step has one message per revision and a phase one summary, edited from then on; only one whose
buttons are waited for moves down, once five messages have passed it, after an elaboration
and after a resume. Where people talk much at every step, one moves for every six steps, so that the
bot says no more than two and a half messages a step; far up it moves whatever was moved before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.publish.render.last_commit import LastCommit
from core.domain.effects import ShowPhase, ShowStep
from core.domain.ids import MenuId, PersonaKey, StepId, Ts
from core.domain.session.session import Session
from core.ports import Order, Post, Refused, Target

PASSED_BY_MAX: Final = 5
FAR_PASSED_BY: Final = 15  # by so many a message may not be found any more
STEPS_OF_A_MOVE: Final = 6
NO_THREAD: Final = Refused("no_thread", "thread_gone")


@dataclass(frozen=True, slots=True)
class New:
    """A message is to be posted."""

    target: Target


@dataclass(frozen=True, slots=True)
class Edit:
    """The message stands already: it is drawn anew where it is."""

    post: Post


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is no message to edit, or none to post any more."""


Plan = New | Edit | Nothing | Refused
Locate = Callable[[LastCommit, Session, Order], Plan]
"""Says which message an order is, from what was posted so far."""


def in_channel(name: str) -> Locate:
    """A message of its own in the session's channel. `name`: with the effect's fields in braces."""

    def locate(commit: LastCommit, session: Session, order: Order) -> Plan:
        return _once(commit, session, Target(_filled(name, order), session.channel))

    return locate


def in_thread(name: str, *, of_step: bool = False) -> Locate:
    """A message in the thread that the effect names; in the card's if it names none.

    `name`: with the effect's fields in braces, and {order}, by which what may be said twice is two
    messages. `of_step`: replies to it belong to the effect's step.
    """

    def locate(commit: LastCommit, session: Session, order: Order) -> Plan:
        thread_ts = thread_of(commit, session, getattr(order.effect, "thread", None))
        if thread_ts is None:
            return NO_THREAD
        step: StepId | None = vars(order.effect)["step"] if of_step else None
        return _once(
            commit, session, Target(_filled(name, order), session.channel, thread_ts, step)
        )

    return locate


def edit_of(name: str) -> Locate:
    """An edit of the message of that name, if it stands."""

    def locate(commit: LastCommit, session: Session, order: Order) -> Plan:
        return _edit(commit.reader.post(session.id, _filled(name, order)))

    return locate


def operators_channel(name: str) -> Locate:
    """A message in the operators' channel, if there is one."""

    def locate(commit: LastCommit, _: Session, order: Order) -> Plan:
        if commit.operators is None:
            return Nothing()
        return New(Target(_filled(name, order), commit.operators.channel))

    return locate


def prompt_of_revision(commit: LastCommit, session: Session, order: Order) -> Plan:
    """The prompt of the step's current revision, as an edit."""
    step: StepId = vars(order.effect)["step"]
    return _edit(commit.reader.post(session.id, _prompt(commit, session, step)))


def standing_step(commit: LastCommit, session: Session, order: Order) -> Plan:
    """The step's message of the current revision, as an edit."""
    step: StepId = vars(order.effect)["step"]
    return _edit(_of_revision(commit, session, step)[1])


def unless_answered(name: str) -> Locate:
    """As `in_thread`, unless somebody answered the effect's menu while it waited to be sent."""

    def locate(commit: LastCommit, session: Session, order: Order) -> Plan:
        menu: MenuId = vars(order.effect)["menu"]
        if commit.open_menu(menu) is None:
            return Nothing()
        return in_thread(name)(commit, session, order)

    return locate


def step_message(commit: LastCommit, session: Session, order: Order) -> Plan:
    """One message per revision of a step: those of earlier ones stay as they are."""
    effect = order.effect
    assert isinstance(effect, ShowStep)
    last, current = _of_revision(commit, session, effect.step)
    wanted = commit.menu_of(session.menus.current, effect.step) is not None
    if current and not effect.anew and not (wanted and _is_passed(commit, session, current)):
        return Edit(current)
    name = f"step:{effect.step}:"
    return _another(commit, session, effect.thread, name, last, replaces=current, step=effect.step)


def phase_message(commit: LastCommit, session: Session, order: Order) -> Plan:
    """One message per phase, and another one when steps were asked again since."""
    effect = order.effect
    assert isinstance(effect, ShowPhase)
    name = f"phase:{effect.phase}:"
    last = commit.reader.last_post(session.id, name)
    prompt = commit.reader.last_post(session.id, "prompt:")
    menu = commit.open_menu(session.menus.current)
    wanted = menu is not None and menu.phase == effect.phase
    overtaken = last is not None and (
        (prompt is not None and _after(prompt, last)) or _is_passed(commit, session, last)
    )
    if last and not effect.anew and not (wanted and overtaken):
        return Edit(last)
    return _another(commit, session, effect.thread, name, last, replaces=last)


def thread_of(commit: LastCommit, session: Session, persona: PersonaKey | None) -> Ts | None:
    """The root of a persona's thread, or of the card's; None where it was never posted."""
    root = commit.reader.post(session.id, f"thread:{persona}" if persona else "card")
    return root.ts if root else None


def _filled(name: str, order: Order) -> str:
    return name.format(**vars(order.effect), order=order.id)


def _once(commit: LastCommit, session: Session, target: Target) -> New | Edit:
    """What stands already is painted over rather than posted twice."""
    post = commit.reader.post(session.id, target.name)
    return Edit(post) if post else New(target)


def _edit(post: Post | None) -> Edit | Nothing:
    return Edit(post) if post else Nothing()


def _prompt(commit: LastCommit, session: Session, step: StepId) -> str:
    state = commit.reader.step_state(session.id, step)
    return f"prompt:{step}:{state.prompt.revision if state else 0}"


def _of_revision(
    commit: LastCommit, session: Session, step: StepId
) -> tuple[Post | None, Post | None]:
    """The step's last message, and the same if it is of the current revision."""
    last = commit.reader.last_post(session.id, f"step:{step}:")
    prompt = commit.reader.post(session.id, _prompt(commit, session, step))
    return last, last if last and not (prompt and _after(prompt, last)) else None


def _another(
    commit: LastCommit,
    session: Session,
    thread: PersonaKey | None,
    name: str,
    last: Post | None,
    *,
    replaces: Post | None,
    step: StepId | None = None,
) -> New | Refused:
    """The next one of messages that are numbered."""
    thread_ts = thread_of(commit, session, thread)
    if thread_ts is None:
        return NO_THREAD
    number = int(last.target.removeprefix(name)) + 1 if last else 1
    replaced = replaces.target if replaces else None
    return New(Target(f"{name}{number}", session.channel, thread_ts, step, replaced))


def _is_passed(commit: LastCommit, session: Session, post: Post) -> bool:
    passed_by = commit.reader.passed_by(session.id, post.thread_ts or post.ts, post.ts)
    if passed_by < PASSED_BY_MAX or passed_by >= FAR_PASSED_BY:
        return passed_by >= FAR_PASSED_BY
    messages = [
        last
        for state in commit.reader.all_steps(session.id)
        if (last := commit.reader.last_post(session.id, f"step:{state.id}:"))
    ]
    moves = sum(int(last.target.rpartition(":")[2]) - 1 for last in messages)
    return moves * STEPS_OF_A_MOVE < len(messages)


def _after(later: Post, earlier: Post) -> bool:
    return float(later.ts) > float(earlier.ts)
