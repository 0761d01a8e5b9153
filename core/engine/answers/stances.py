"""Agreement and difference among people. What is given is written down; nothing moves for it.

A reaction says nothing back, whatever comes of it. An open difference stops nobody: it stays in the
artifact as it is, until somebody who may settles it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer
from core.domain.ids import MenuId, StepId, Ts, UserId
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.session import Session
from core.domain.stances import (
    Reacted,
    Settlement,
    Stance,
    after_reaction,
    after_sentence,
    contested,
    put_in,
    view_id,
    view_of,
)
from core.engine.answers import collect, corrections
from core.engine.flow import navigation
from core.engine.kernel.turn import Turn

DIFFERS_ON: Final[frozenset[MenuKind]] = frozenset({"step", "phase", "elaboration"})
"""Menus on whose message somebody may say that they see it differently."""
SETTLES_ON: Final[frozenset[MenuKind]] = frozenset({"settling"})


# ── before a form is opened ────────────────────────────────────────────────────────────────────


def form_refusal(
    session: Session, menu: Menu, kinds: frozenset[MenuKind], by: UserId
) -> fx.Reply | None:
    """Why somebody is not given the form behind a menu; None: they are."""
    if menu.step is None or menu.kind not in kinds:
        return fx.Reply("gone")
    if refusal := corrections.form_refusal(session):
        return refusal
    if kinds == DIFFERS_ON and menu.state != "open":
        return fx.Reply("differ-by-reaction")
    if kinds == SETTLES_ON and not session.may_settle(by):
        return _not_decider(session)
    return None


def others_answers(answers: Iterable[Answer], by: UserId) -> tuple[Answer, ...]:
    """The answers that somebody may see differently: those of others."""
    return tuple(answer for answer in answers if answer.by != by)


def may_name_decider(session: Session, by: UserId) -> bool:
    return by == session.owner


# ── what people give ───────────────────────────────────────────────────────────────────────────


def reacted(turn: Turn, event: on.ReactionChanged) -> None:
    answer = turn.situation.answer
    if answer is None or answer.withdrawn or answer.by == event.by or not view_of(event.reaction):
        return
    stance = _stance_of(turn, answer, event.by)
    reaction = Reacted(event.reaction, event.event_ts, event.on, answer.revision)
    changed = after_reaction(stance, reaction)
    if changed != stance:
        _save_stance(turn, stance, changed)
    is_put = put_in(answer.id, turn.situation.claims) is not None
    if is_put and "agrees" in (stance.view, changed.view) and stance.view != changed.view:
        _read_again(turn, answer.step)


def differed(turn: Turn, event: on.DifferenceGiven) -> None:
    menu, answer = turn.situation.menu, turn.situation.answer
    if not _is_ours(turn, menu) or menu is None or menu.kind not in DIFFERS_ON:
        turn.say_back(fx.Reply("gone"))
    elif answer is None or answer.withdrawn or answer.step != menu.step:
        turn.say_back(fx.Reply("answer-gone"))
    elif not others_answers((answer,), event.by):
        turn.say_back(fx.Reply("own-answer"))
    else:
        stance = _stance_of(turn, answer, event.by)
        _save_stance(turn, stance, after_sentence(stance, event.reason, turn.at, answer.revision))
        turn.say_back(fx.Reply("differs-noted", {"by": answer.by}))


def _stance_of(turn: Turn, answer: Answer, by: UserId) -> Stance:
    fresh = Stance(answer.id, answer.step, by)
    return next((stance for stance in turn.situation.stances if stance.by == by), fresh)


def _save_stance(turn: Turn, before: Stance, changed: Stance) -> None:
    turn.record(fx.StanceSaved(changed))
    if (before.view, before.reason) == (changed.view, changed.reason) and before.view is None:
        return  # taken off before it was seen to be put on
    if changed.is_open:
        let_it_be_settled(turn, changed.step)
    _show(turn, changed.step)


def let_it_be_settled(turn: Turn, step: StepId) -> None:
    """Open the menu behind *Settle this*, once for a step."""
    state = turn.state(step)
    if state is not None and state.settling is None:
        menu = MenuId(turn.fresh("menu"))
        record = Menu(menu, turn.session.id, "settling", (), state.phase, step)
        turn.record(fx.MenuOpened(record))
        turn.save(replace(state, settling=menu))


def _show(turn: Turn, step: StepId) -> None:
    """In the section, in the step's message and in a phase's summary that can be accepted."""
    turn.do(fx.WriteFolder(step, aside=True), fx.PaintStep(step))
    session, state = turn.session, turn.state(step)
    current = turn.state(session.course.step)
    if (
        state is None
        or current is None
        or session.status != "choosing"
        or state.phase != current.phase
    ):
        return
    if session.menus.on_summary:
        turn.do(navigation.show_current_message(turn, current))
    elif current.id != step:
        turn.do(fx.PaintStep(current.id))


# ── how a difference is settled ────────────────────────────────────────────────────────────────


def settled(turn: Turn, event: on.DifferenceSettled) -> None:
    menu, answer = turn.situation.menu, turn.situation.answer
    open_stances = [stance for stance in turn.situation.stances if stance.is_open]
    stances = [*open_stances, *_contrary_stances(turn, answer)] if answer else []
    if _is_refused(turn, menu, event.by) or menu is None:
        return
    if answer is None or answer.withdrawn or answer.step != menu.step:
        turn.say_back(fx.Reply("answer-gone"))
    elif not stances:
        turn.say_back(fx.Reply("nothing-open"))
    else:
        views = tuple((stance.by, stance.reason) for stance in stances)
        turn.record(
            fx.SettlementSaved(
                Settlement(
                    answer.id,
                    answer.step,
                    event.by,
                    turn.at,
                    event.stands,
                    event.reason,
                    views,
                    answer.revision,
                )
            )
        )
        for stance in open_stances:
            turn.record(fx.StanceSaved(replace(stance, settled=True)))
        if event.stands != "answer" and open_stances:
            _let_views_count(turn, answer, event, open_stances)
        _read_again(turn, answer.step)
        _show(turn, answer.step)
        turn.say_back(fx.Reply("settled"))


def _contrary_stances(turn: Turn, answer: Answer) -> list[Stance]:
    """Others' answers that say something else than this one."""
    situation = turn.situation
    every = contested(answer.step, situation.claims, situation.answers, situation.settlements)
    return [stance for stance in every if stance.answer == answer.id]


def _let_views_count(
    turn: Turn, answer: Answer, event: on.DifferenceSettled, stances: list[Stance]
) -> None:
    """The sentences that stand are answers now; whoever settled it speaks for the silent."""
    sentences = {stance.by: stance.reason for stance in stances if stance.reason}
    for by, text in (sentences or {event.by: event.reason}).items():
        turn.record(
            fx.AnswerSaved(
                Answer(
                    id=view_id(answer.id, by),
                    step=answer.step,
                    by=by,
                    text=text,
                    ts=Ts(f"{event.at:.6f}"),
                    source="view",
                )
            )
        )


def _read_again(turn: Turn, step: StepId) -> None:
    """What rests on the answers follows the view that stands."""
    state = turn.state(step)
    if state is not None and corrections.may_read_again(turn, state):
        collect.listen(turn, state)


def decider_named(turn: Turn, event: on.DeciderNamed) -> None:
    if _is_refused(turn, turn.situation.menu, event.by):
        return
    if not may_name_decider(turn.session, event.by):
        turn.say_back(fx.Reply("not-yours", {"owner": turn.session.owner}))
        return
    decider = event.decider if event.decider != turn.session.owner else None
    if decider != turn.people.decider:
        turn.people = turn.people.decided_by(decider)
        turn.do(fx.PaintCard())
        if decider is not None:
            words = {"by": event.by, "title": turn.session.title, "reason": event.reason}
            turn.do(fx.Tell(decider, fx.Reply("asked-to-decide", words)))
    if decider is None:
        turn.say_back(fx.Reply("decider-taken-back"))
    else:
        turn.say_back(fx.Reply("decider-named", {"by": decider}))


def _is_refused(turn: Turn, menu: Menu | None, by: UserId) -> bool:
    if not _is_ours(turn, menu) or menu is None or menu.kind not in SETTLES_ON:
        turn.say_back(fx.Reply("gone"))
        return True
    if not turn.session.may_settle(by):
        turn.say_back(_not_decider(turn.session))
        return True
    return False


def _not_decider(session: Session) -> fx.Reply:
    decider = {"decider": session.people.decider} if session.people.decider else {}
    return fx.Reply("not-decider", {"owner": session.owner, **decider})


def _is_ours(turn: Turn, menu: Menu | None) -> bool:
    return menu is not None and menu.session == turn.session.id
