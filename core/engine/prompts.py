"""Asking a step: its prompt, the reading of what people answer, and the menu that follows."""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.brief import brief_of
from core.domain.ids import DEPTHS, PersonaKey, TaskId, UserId
from core.domain.session.course import PhaseState
from core.domain.session.step import PromptState, Rebuild, StepChoice, StepState
from core.domain.steps.playbook import FACILITATOR, Step, StepFault, phase_led_by
from core.engine.flow import navigation, seats
from core.engine.kernel.turn import Turn

DEPTH_CHOICES: Final = tuple(f"depth:{depth}" for depth in DEPTHS)
SIZE_SAID: Final = "scan"  # the size was said once, and is said again after it was settled
PROMPT_CHOICES: Final = (*DEPTH_CHOICES, "back", "pause", "cancel")


def _choices(turn: Turn, *, last: bool) -> tuple[str, ...]:
    """The forward choice stands first."""
    session = turn.session
    if session.flow == "inception":  # one facilitator, one thread: nobody else joins in
        return ("accept", "amend") if last else ("continue", *_skip(turn))
    if not last:
        return ("continue", "elaborate", *_skip(turn))
    small = navigation.is_scan(session.course.current_phase.key) and session.scan.scope == "small"
    short = small and session.short_path.can_be_chosen
    return ("accept", *(("short",) if short else ()), "amend", "elaborate")


def _skip(turn: Turn) -> tuple[str, ...]:
    """Skip rest, unless a step of the rest is mandatory."""
    rest = (turn.content(state) for state in turn.course.rest)
    return () if any(step and step.mandatory for step in rest) else ("skip",)


def offer_menu(
    turn: Turn, state: StepState, *, anew: bool = False, of_summary: bool = False
) -> None:
    """Open the step's menu, or keep the one that is open if it still offers the right choices.

    An elaboration keeps its own until it is over; then its reading brings the step's back.
    `of_summary`: the phase's, even if the step has lost its answers meanwhile.
    """
    if turn.elaboration.is_open:
        turn.do(navigation.show_current_message(turn, state))
        return
    debated = seats.menu_choices(turn)
    last = seats.is_finished(turn) if debated else of_summary or navigation.upcoming(turn) is None
    if last and not debated:
        navigation.pass_over(turn)
    kind = "phase" if last else "step"
    choices = debated or _choices(turn, last=last)
    if state.discussion.count and not anew:  # an elaboration lies between the menu and people
        anew, state = True, turn.save(replace(state, discussion=state.discussion.ended()))
    keeps = turn.session.status == "choosing" and turn.menus.current and not anew
    phase = turn.course.current_phase
    if not (keeps and turn.situation.menu and turn.situation.menu.choices == choices):
        turn.end_menu(turn.menus.current)
        turn.open_menu("phase" if kind == "phase" else "step", choices, state.id)
    turn.status = "choosing"
    offer_assumptions(turn, wanted=last and not debated)
    offer_follow_up(turn, state)
    offer_taking(turn, state)
    offer_rereading(turn, state)
    if debated and last:
        turn.menus = turn.menus.moved(to_summary=True)
        seats.show_recommendation(turn, anew=anew)
        return
    if turn.menus.on_summary and kind == "phase":
        turn.do(fx.ShowPhase(phase.key, phase.persona, anew), fx.PaintCard())
    else:
        turn.menus = turn.menus.moved(to_summary=False)
        turn.save(replace(turn.state(state.id) or state, choice=StepChoice()))
        turn.do(fx.ShowStep(state.id, phase.persona, anew), fx.PaintCard())


def offer_assumptions(turn: Turn, *, wanted: bool) -> None:
    """With a phase's summary people can say which of its assumptions hold."""
    if not wanted:
        turn.end_menu(turn.menus.assumptions)
    elif turn.menus.assumptions is None:
        turn.open_menu("assumptions", ("right", "wrong"), turn.course.step)


def offer_follow_up(turn: Turn, state: StepState) -> None:
    """With an open follow-up people can skip it, or say that nobody knows."""
    turn.end_menu(turn.menus.follow_up)
    follow_up = (turn.state(state.id) or state).questions.open
    if follow_up is not None:
        turn.open_menu("follow-up", follow_up.choices, state.id)


def offer_taking(turn: Turn, state: StepState) -> None:
    """With what a model proposes, and nobody took yet, people can take one."""
    turn.end_menu(turn.menus.taking)
    proposals = (turn.state(state.id) or state).model.proposals
    choices = tuple(f"take:{proposal.key}" for proposal in proposals)
    if choices:
        turn.open_menu("taking", choices, state.id)


def offer_rereading(turn: Turn, state: StepState) -> None:
    """Where a model's replies had flaws, the owner can have it read once more."""
    turn.end_menu(turn.menus.rereading)
    if (turn.state(state.id) or state).model.why_script == "flawed":
        turn.open_menu("rereading", ("ask-again",), state.id)


def step_opened(turn: Turn, event: on.StepOpened) -> None:
    state = turn.state(event.step)
    if state is None or turn.course.step != event.step:
        return
    step, fault = event.file.step, event.file.fault
    turn.course = turn.course.resume_ended()
    if step is None or fault is not None or step.id != state.id:
        fault = fault or StepFault("ERR-STEP-003", event.file.file, "")
        turn.save(replace(state, fault=fault, digest=None))
        navigation.advance(turn)
        return
    state = turn.save(replace(state, title=step.title, digest=step.digest, fault=None))
    ahead = navigation.upcoming(turn)
    if ahead is None or ahead.id != state.id:  # its condition or dependencies changed on disk
        navigation.advance(turn)
        return
    _ask(turn, state, step)


def _ask(turn: Turn, state: StepState, step: Step) -> None:
    phase = turn.course.current_phase
    first = all(step_state.prompt.revision == 0 for step_state in turn.course.steps)
    navigation.take_the_chair(turn)
    _say_size(turn, phase)
    _note_oddities(turn, state, step, phase)
    short = (
        turn.session.short_path.chosen_by is not None
        and bool(step.short)
        and not navigation.is_scan(phase.key)
    )
    persona = FACILITATOR.key if phase.facilitated else seats.asker_of(turn, step)
    depth = "standard" if short else navigation.depth_of(turn.session, phase.key, step)
    has_draft = bool(brief_of(step).statements) and not short
    choices = (() if step.mandatory else ("skip-step",)) + PROMPT_CHOICES
    choices += ("confirm",) if has_draft else ()
    if turn.party.drafts:  # what was said before the fall back to classic
        choices += ("take-over",)
    state = turn.state(state.id) or state
    prompt = state.prompt.posted(persona, depth, is_short=short)
    state = ask_again(turn, state, prompt, choices)
    turn.course = turn.course.stale_settled((state.id,))
    mention = turn.session.awaited if first else ()
    turn.do(fx.PostPrompt(state.id, state.prompt.revision, phase.persona, mention), fx.PaintCard())
    _read_origin(turn, state)
    if turn.situation.answered:
        begin_reading(turn, state)


def ask_again(
    turn: Turn, state: StepState, prompt: PromptState, choices: tuple[str, ...]
) -> StepState:
    """The step waits for everybody's answers to `prompt`; its menu offers `choices`."""
    turn.close_menus()
    state = turn.save(state.asked_again(prompt))
    turn.status, turn.course = "asking", turn.course.step_reopened(state)
    turn.people = turn.people.asked_anew()
    turn.open_menu("prompt", choices, state.id)
    return state


def _read_origin(turn: Turn, state: StepState) -> None:
    """At the first step: have the thread read that the session was taken from."""
    origin = turn.session.origin
    if origin is None or origin.task is not None:
        return
    task = turn.task()
    turn.origin = origin.read_by(task)
    turn.do(fx.ReadThread(task, state.id, origin.thread_ts))


def _say_size(turn: Turn, phase: PhaseState) -> None:
    """What the finished quick scan means for the depth, said once."""
    scope = turn.session.scan.scope
    if navigation.is_scan(phase.key) or scope is None or not turn.set_mark(SIZE_SAID):
        return
    override = dict(turn.course.depths).get(phase.key)
    depth = {"kept": override} if override else {"depth": navigation.DEPTH_OF_SCOPE[scope]}
    words = {"scope": scope, **depth}
    turn.do(fx.Say("scan-size", phase.persona, words))


def _note_oddities(turn: Turn, state: StepState, step: Step, phase: PhaseState) -> None:
    """What is strange about this step but stops nothing: rows of seed 000 that only continue."""
    thread: PersonaKey = phase.persona
    mark = f"ERR-PERSONA-001:{phase.key}"
    if not phase.mapped and turn.set_mark(mark):
        facts: dict[str, str] = {"actual_value": phase.key}
        message = phase_led_by(phase.key, turn.playbook.persona(phase.persona))
        turn.fault("ERR-PERSONA-001", step=state, thread=thread, message=message, facts=facts)
    stands_in = seats.asker_of(turn, step) != step.persona
    if (
        step.persona != phase.persona
        and not stands_in
        and not seats.sits_in(turn, phase.key, step.persona)
    ):
        facts = {"input_source": step.file, "expected_format": phase.persona,
                 "actual_value": step.persona}  # fmt: skip
        turn.fault("ERR-PERSONA-002", step=state, persona=step.persona, facts=facts)
    if step.prompt(navigation.depth_of(turn.session, phase.key, step))[1]:
        turn.fault("ERR-STEP-007", step=state, facts={"input_source": step.file})
    why = navigation.broken_condition(turn.session, step)
    if why is not None:
        turn.fault(
            "ERR-STEP-009",
            step=state,
            thread=thread,
            detail=why,
            words={"step_id": state.id, "expression": str(step.skip_if)},
            facts={"input_source": step.file, "actual_value": step.skip_if},
        )


def begin_reading(turn: Turn, state: StepState, failures: tuple[str, ...] = ()) -> None:
    """Ask the brain to read all answers of the current step at once.

    `failures`: signatures that are not looked into a second time.
    """
    task = turn.task()
    turn.reading = turn.reading.begun(task, failures)
    turn.do(request(turn, state, task))


def request(
    turn: Turn,
    state: StepState,
    task: TaskId,
    *,
    attempt: int = 1,
    less: bool = False,
    wait_s: float = 0.0,
    keep: bool = False,
) -> fx.ReadAnswers:
    """The request to whoever reads that step."""
    debated = seats.phase_of(turn, state.phase) is not None
    reader = reader_of(turn.phase_of(state), state)
    return fx.ReadAnswers(task, state.id, reader, attempt, less, wait_s, debated, keep)


def rebuild(
    turn: Turn,
    state: StepState,
    late_by: UserId | None,
    *,
    tries: int = 0,
    less: bool = False,
    keep: bool = False,
) -> None:
    """Read a passed step's answers again, beside the course."""
    task = turn.task()
    turn.save(replace(state, rebuild=Rebuild(task, late_by or state.rebuild.late_by, tries)))
    turn.do(request(turn, state, task, attempt=tries + 1, less=less, keep=keep))


def reader_of(phase: PhaseState, state: StepState) -> PersonaKey:
    return FACILITATOR.key if phase.facilitated else state.prompt.persona or phase.persona
