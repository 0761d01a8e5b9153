"""What each choice of a menu does, by its name. Which clicks count is said in `dispatch`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer, draft_id
from core.domain.brief import offered
from core.domain.ids import AnswerId, Depth, StepId, Ts
from core.domain.session.menu import Menu
from core.domain.session.step import StepChoice, StepState
from core.engine.answers import assumptions, collect, elaboration, stale
from core.engine.answers.proposals import answer_of
from core.engine.council import debate
from core.engine.faults import routing
from core.engine.flow import navigation, pause_resume
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading, rebuild

Handler = Callable[[Turn, Menu, StepState, on.ChoiceMade, str], None]


def _use_menu(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade) -> StepState:
    """Use the menu up, pass an open follow-up, and repaint what carried the buttons.

    Whoever goes on ends an elaboration, too; what was said in it is read like any late answer.
    """
    if turn.menus.recovery == menu.id:
        turn.do(fx.ShowRecovery(menu.id, None))
    turn.end_menu(menu.id, event.by, event.choice)
    elaboration.stop(turn)
    state = replace(state, choice=StepChoice(event.choice, event.by))
    passed = state.questions.open
    if passed is not None:
        state = replace(state, questions=state.questions.ended("passed"))
    turn.save(state)
    reading = turn.reading
    if passed or reading.has_unread or reading.task:
        by = state.rebuild.late_by if reading.has_unread else None
        turn.reading = reading.dropped()
        if state.basis or turn.situation.answered:
            rebuild(turn, state, late_by=by)
    turn.cancel_timers()
    if turn.menus.on_summary or state.recorded:
        turn.do(navigation.show_current_message(turn, state))
    turn.do(fx.PaintPrompt(state.id))
    turn.close_menus()
    return turn.state(state.id) or state


def _elaborate(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    elaboration.begin(turn, menu, state, event.by)


def _done(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    elaboration.end(turn, state, event.by)


def _short_path(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    """Accept, and ask only the short questions from here on."""
    turn.short_path = replace(turn.short_path, chosen_by=event.by)
    _accept(turn, menu, state, event, _)


def _continue(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    _use_menu(turn, menu, state, event)
    if turn.council is not None:
        debate.go_on(turn)
    else:
        navigation.advance(turn)


def _changes(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    """Not yet: people say what they want to be different."""
    _use_menu(turn, menu, state, event)
    debate.want_changes(turn)


def _skip_rest(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    _use_menu(turn, menu, state, event)
    for step_state in turn.course.steps:
        if step_state.status == "stale":  # it was answered: skipping it is leaving it as it is
            turn.save(replace(step_state, status="completed"))
        elif step_state.status == "pending" and step_state.id != state.id:
            turn.save(replace(step_state, status="skipped", skipped_by=event.by))
    turn.do(fx.WriteFolder(None))  # the files say what was not asked
    navigation.advance(turn)


def _accept(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    _use_menu(turn, menu, state, event)
    phase = turn.course.current_phase
    turn.save_phase(phase.accepted(event.by, turn.now))
    turn.record(fx.BaselineSet(phase.key))
    debate.accepted(turn)
    navigation.finish_phase(turn)


def _amend(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, step: str) -> None:
    """Ask a step of the phase again: the one that is named, else the last one."""
    target = turn.state(StepId(step)) if step else state
    if target is None or target.phase != state.phase or not target.prompt.revision:
        turn.say_back(fx.Reply("unknown-choice"))
        return
    turn.record(fx.BaselineSet(turn.course.current_phase.key))
    _use_menu(turn, menu, state, replace(event, choice="amend"))
    _reopen(turn, target)


def _reopen(turn: Turn, state: StepState) -> None:
    again = replace(turn.state(state.id) or state, status="pending", skipped_by=None, fault=None)
    turn.save(again)
    turn.status, turn.course = "opening", turn.course.step_reopened(again).gone_to(again.id)
    turn.do(fx.OpenStep(again.phase, again.file, again.id), fx.PaintCard())


def _skip_step(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    if state.status == "completed":  # it is answered: skipping it now is going on
        _use_menu(turn, menu, state, replace(event, choice="continue"))
    else:
        _use_menu(turn, menu, state, event)
        state = turn.state(state.id) or state
        turn.save(replace(state, status="skipped", skipped_by=event.by))
    navigation.advance(turn)


def _depth(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, depth: str) -> None:
    collect.set_depth(turn, state, cast("Depth", depth))


def _confirm(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    """That's right: a draft that is supported stands, assumed and confirmed by them."""
    step, session = turn.content(state), turn.session
    assert step is not None
    wrong = [doubt.text for doubt in state.doubts]
    offer = offered(step, session.title, session.text, turn.situation.claims, wrong)
    if offer is None:
        turn.say_back(fx.Reply("draft-unsupported"))
        return
    collect.save_answer(
        turn,
        state,
        Answer(
            id=draft_id(state.id, event.by),
            step=state.id,
            by=event.by,
            text=offer.text,
            ts=Ts(f"{event.at:.6f}"),
            permalink=event.permalink,
            source="draft",
        ),
    )


def _retry(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    """A failed reading once more, from the first try on."""
    _recovered(turn, menu, state, event)
    begin_reading(turn, turn.state(state.id) or state)


def _facilitator(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    """The facilitator reads in the persona's place (ERR-INT-001)."""
    persona = turn.course.current_phase.persona
    turn.fault(
        "ERR-INT-001", step=state, thread=persona, persona=state.prompt.persona, detail="chosen"
    )
    _recovered(turn, menu, state, event)
    routing.take_over(turn, turn.state(state.id) or state)


def _recovered(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade) -> None:
    turn.end_menu(menu.id, event.by, event.choice)
    turn.save(replace(turn.state(state.id) or state, status="pending"))
    turn.do(fx.ShowRecovery(menu.id, None), fx.PaintCard())


def _take_over(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    """What people typed in the party becomes their answers here, with one click."""
    for number, draft in enumerate(turn.party.drafts, start=1):
        own = AnswerId(f"proposed:{state.id}:{draft.by}:{number}")
        collect.save_answer(turn, turn.state(state.id) or state, answer_of(draft, own, state))
    turn.party = turn.party.drafts_used()
    turn.do(fx.PaintPrompt(state.id))


def _back(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, step: str) -> None:
    """Ask an earlier step again: the one that is named, else the one before this one."""
    ids = [step_state.id for step_state in turn.course.steps]
    earlier = turn.course.steps[: ids.index(state.id)]
    prompted = [
        candidate
        for candidate in earlier
        if candidate.prompt.revision and (not step or candidate.id == step)
    ]
    target = prompted[-1] if prompted else None if step else _last_of_earlier_phases(turn)
    if target is None:
        turn.say_back(fx.Reply("nothing-before"))
        return
    _use_menu(turn, menu, state, replace(event, choice="back"))
    if prompted:
        _reopen(turn, target)
        return
    turn.save(replace(target, status="pending", skipped_by=None))
    turn.course = turn.course.step_reopened(target)
    navigation.open_phase(turn, target.phase)


def _last_of_earlier_phases(turn: Turn) -> StepState | None:
    """The last step that was asked in a phase before this one."""
    phase = turn.course.phase
    prompted = [
        state
        for state in turn.situation.all_steps
        if phase and state.phase < phase and state.prompt.revision and state.pinned
    ]
    return prompted[-1] if prompted else None


def _pause(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, _: str) -> None:
    pause_resume.pause(turn, event.by)


def about_assumption(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    state = turn.state(turn.course.step)
    assumption = assumptions.assumption_of_click(turn, event)
    if assumption is None or state is None:
        return
    if event.choice.startswith("right:"):
        assumptions.confirm(turn, assumption, event)
        return
    _use_menu(turn, menu, state, event)
    _reopen(turn, assumptions.doubted(turn, assumption, event.by))


WITH_A_NAME: Final = frozenset({"amend", "back", *assumptions.CHOICES})
"""Choices that can name a step or an assumption: `amend:01-02`."""
CHOICES: Final[Mapping[str, Handler]] = {
    "continue": _continue,
    "skip": _skip_rest,
    "accept": _accept,
    "amend": _amend,
    "changes": _changes,
    "short": _short_path,
    "elaborate": _elaborate,
    "done": _done,
    "skip-step": _skip_step,
    "depth": _depth,
    "confirm": _confirm,
    "take-over": _take_over,
    "back": _back,
    "retry": _retry,
    "facilitator": _facilitator,
    "pause": _pause,
    "keep": stale.resolve,
    "again": stale.resolve,
    "keep-all": stale.resolve,
}
