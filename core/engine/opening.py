"""How a session, a phase and a step begin: what the files said becomes threads and prompts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from core.domain.effects import (
    OpenFlow,
    PaintCard,
    PostCard,
    PostPrompt,
    ReadAnswers,
    Reply,
    Respond,
    Say,
    ShowPhase,
    ShowStep,
    WriteFolder,
)
from core.domain.events import (
    CardPosted,
    FlowOpened,
    FolderFound,
    PhaseOpened,
    SessionRequested,
    StepOpened,
)
from core.domain.ids import DEPTHS, Depth, PersonaKey, PhaseKey, Slug, StepId, numbered, slug_of
from core.domain.playbook import FACILITATOR, PinnedFile, Playbook, Step
from core.domain.session import ENDED, PhaseState, Session, StepState
from core.engine import course
from core.engine.situation import Situation, Transition
from core.engine.turn import Turn
from core.taxonomy.catalogue import META_CORRUPT_KNOWN

DEPTH_CHOICES: Final = tuple(f"depth:{depth}" for depth in DEPTHS)
PROMPT_CHOICES: Final = ("skip-step", *DEPTH_CHOICES, "back", "pause", "cancel")


def requested(situation: Situation, event: SessionRequested, playbook: Playbook) -> Transition:
    """A new session, or the offer to go on with the one that is already under way here."""
    base = slug_of(event.title)
    for known in situation.known:
        mine = known.channel == event.channel and known.status not in ENDED
        if mine and slug_of(known.title) == base:
            reply = Reply("already-open", {"slug": known.slug, "title": known.title})
            return Transition(None, reply=reply)
    session = Session(
        id=event.session,
        run=event.run,
        team=event.team,
        channel=event.channel,
        owner=event.by,
        slug=numbered(base, frozenset(known.slug for known in situation.known)),
        title=event.title,
        text=event.text,
        seed=event.seed,
        created_at="",
        overrides=((course.ALL_PHASES, event.depth),) if event.depth else (),
    )
    turn = Turn(session, situation, playbook, event.at)
    turn.set(created_at=turn.now)
    turn.do(OpenFlow(event.respond_to))
    turn.say_back(Reply("starting", {"title": event.title}))
    return turn.result()


def flow_opened(turn: Turn, event: FlowOpened) -> None:
    session, respond_to = turn.session, event.respond_to
    if event.folder.state == "taken":
        turn.set(slug=_next_slug(turn, event))
        turn.do(OpenFlow(respond_to))
        return
    phases = tuple(
        PhaseState(phase.key, phase.label, phase.persona, count, mapped=phase.mapped)
        for phase, count in event.phases
    )
    turn.set(phases=phases, agent=event.agent, short_questions=event.short_questions)
    wanted = dict(session.overrides).get(course.ALL_PHASES)
    turn.set(overrides=tuple((phase.key, wanted) for phase in phases) if wanted else ())
    turn.do(PostCard(respond_to))
    if event.fault:
        turn.fault(event.fault)
    if phases:
        turn.set(phase=phases[0].key)
    _take_up_folder(turn, event.folder)


def _next_slug(turn: Turn, event: FlowOpened) -> Slug:
    """The next number that neither a session nor a folder seen so far stands on."""
    base, slug = slug_of(turn.session.title), turn.session.slug
    taken = {slug, *event.slugs, *(known.slug for known in turn.situation.known)}
    number = int(slug.removeprefix(f"{base}-")) if slug != base else 1
    passed = {base, *(Slug(f"{base}-{each}") for each in range(2, number + 1))}
    return numbered(base, frozenset(taken | passed))


def _take_up_folder(turn: Turn, found: FolderFound) -> None:
    """Progress of a folder whose session the database does not know, and what was wrong with it."""
    for code in found.faults:
        turn.fault(code, thread=None)
    known = {phase.key for phase in turn.session.phases}
    finished = [key for key in found.phases_completed if key in known]
    for key in finished:
        turn.set_phase(key, status="completed")
    if found.steps_completed:
        turn.set(done=tuple(dict.fromkeys((*turn.session.done, *found.steps_completed))))
    good, bad = _depths(found.overrides)
    chosen = turn.session.overrides  # `--depth` was said just now
    turn.set(overrides=(*chosen, *(pair for pair in good if pair[0] not in dict(chosen))))
    for phase, value in bad:
        turn.fault("ERR-DEPTH-002", thread=None, detail=f"{phase}: {value!r}")


def _depths(
    found: tuple[tuple[str, str], ...],
) -> tuple[tuple[tuple[PhaseKey, Depth], ...], list[tuple[str, str]]]:
    valid: Mapping[str, Depth] = {depth: depth for depth in DEPTHS}
    good = tuple((PhaseKey(phase), valid[value]) for phase, value in found if value in valid)
    return good, [(phase, value) for phase, value in found if value not in valid]


def card_posted(turn: Turn, _: CardPosted) -> None:
    following = next((p for p in turn.session.phases if p.status == "pending"), None)
    turn.do(WriteFolder(None))
    if following is None:
        turn.set(status="completed")
        turn.do(PaintCard())
    else:
        course.open_phase(turn, following.key)


def refused(turn: Turn, error: str, respond_to: str | None) -> None:
    """The card could not be posted: there is no session then, and its slug is free again."""
    outside = error in ("not_in_channel", "channel_not_found")
    reply = Reply("not-in-channel" if outside else "cannot-post", {"error": error})
    turn.set(status="refused", slug=Slug(f"refused-{turn.session.id}"))
    if respond_to:
        turn.do(Respond(respond_to, reply))


# ── phases ─────────────────────────────────────────────────────────────────────────────────────


def phase_opened(turn: Turn, event: PhaseOpened) -> None:
    if event.phase != turn.session.phase:
        return
    turn.set(steps=_merged(turn, event))
    for state in (*_dropped(turn), *turn.session.steps):
        turn.save(state)
    turn.set_phase(
        event.phase,
        count=len(event.files),
        faulty=False,
        done=sum(1 for state in turn.session.steps if state.id in turn.session.done),
    )
    if event.folder:
        _report_folder(turn, event.folder)
    phase = turn.session.current_phase
    if not course.is_scan(phase.key) and turn.session.scan.scope is None:
        turn.fault("ERR-DEPTH-001")
    _report_strangers(turn)
    if event.fault:
        turn.fault(event.fault, thread=course.thread(turn), words={"phase_key": event.phase})
    if turn.session.resuming and _take_up(turn):
        return
    turn.set(resuming=False)
    course.advance(turn)


def _report_folder(turn: Turn, found: FolderFound) -> None:
    for code in found.faults:
        message = None
        if code == "ERR-META-002" and found.kept_as:
            message = META_CORRUPT_KNOWN.format(name=found.kept_as)
        turn.fault(code, thread=course.thread(turn), message=message)
    for phase, value in _depths(found.overrides)[1]:
        turn.fault("ERR-DEPTH-002", detail=f"{phase}: {value!r}")


def _report_strangers(turn: Turn) -> None:
    """ERR-INT-002: step ids of this phase's number that no file of it bears."""
    phase = turn.session.current_phase
    known = {state.id for state in turn.session.steps}
    prefix = f"{phase.key[:2]}-"
    strangers = [s for s in turn.session.done if s.startswith(prefix) and s not in known]
    if strangers:
        turn.fault("ERR-INT-002", detail=", ".join(strangers))


def _merged(turn: Turn, event: PhaseOpened) -> tuple[StepState, ...]:
    """The files found now, with what is known of each step from an earlier visit."""
    before = {state.id: state for state in turn.situation.stored}
    return tuple(_pinned(turn, event.phase, file, before) for file in event.files)


def _dropped(turn: Turn) -> list[StepState]:
    """Steps of an earlier visit whose files are gone. What was said to them is kept."""
    here = {state.id for state in turn.session.steps}
    return [replace(each, pinned=False) for each in turn.situation.stored if each.id not in here]


def _pinned(
    turn: Turn, phase: PhaseKey, file: PinnedFile, before: Mapping[StepId, StepState]
) -> StepState:
    step, fault = file.step, file.fault
    known = before.get(file.step_id) or StepState(
        id=file.step_id, phase=phase, file=file.file, title=file.file, digest=None
    )
    faulty = known.status == "failed" or (known.status == "skipped" and known.skipped_by is None)
    status = "pending" if faulty else known.status
    if file.step_id in turn.session.done and status == "pending":
        status = "completed"
    return replace(
        known,
        file=file.file,
        title=step.title if step else known.title,
        digest=step.digest if step else known.digest if status == "completed" else None,
        status=status,
        fault=fault.code if fault and status != "completed" else None,
        fault_message=fault.message if fault else "",
        told=() if turn.session.resuming else known.told,
        pinned=True,
    )


def _take_up(turn: Turn) -> bool:
    """Go on where a resumed session stood. False: nothing stood open, so the course decides."""
    session = turn.session
    here = turn.state(session.step)
    phase = session.current_phase
    turn.do(
        Say(
            "resumed",
            course.thread(turn),
            {
                "done": str(len(session.done)),
                "total": str(sum(each.count for each in session.phases)),
                "phase": phase.label,
                "step": here.title if here else "",
            },
        )
    )
    if here is None or not here.pinned or here.status != "completed":
        return False
    if session.menu is None and here.outcome:
        return False
    turn.set(resuming=False)
    course.take_the_chair(turn)
    offer_menu(turn, here, anew=True)
    if session.unread:
        begin_reading(turn, here)
    return True


def _choices(turn: Turn, *, last: bool) -> tuple[str, ...]:
    """The forward choice stands first."""
    if not last:
        return ("continue", "elaborate", "skip")
    session = turn.session
    small = course.is_scan(session.current_phase.key) and session.scan.scope == "small"
    short = small and session.short is None and session.short_questions > 0
    return ("accept", *(("short",) if short else ()), "amend", "elaborate")


def offer_menu(turn: Turn, state: StepState, *, anew: bool = False) -> None:
    """Open the step's menu, or keep the one that is open if it still offers the right choices."""
    last = course.upcoming(turn) is None
    if last:
        course.pass_over(turn)
    kind = "phase" if last else "step"
    choices = _choices(turn, last=last)
    kept = turn.session.status == "choosing" and turn.session.menu and not anew
    phase = turn.session.current_phase
    if not (kept and turn.situation.menu and turn.situation.menu.choices == choices):
        turn.end_menu(turn.session.menu)
        turn.set(menu=turn.open_menu("phase" if kind == "phase" else "step", choices, state.id))
    turn.set(status="choosing")
    if turn.session.summary and kind == "phase":
        turn.do(ShowPhase(phase.key, phase.persona, anew), PaintCard())
    else:
        turn.set(summary=False)
        turn.save(replace(turn.state(state.id) or state, outcome="", chosen_by=None))
        turn.do(ShowStep(state.id, phase.persona, anew), PaintCard())


# ── steps ──────────────────────────────────────────────────────────────────────────────────────


def step_opened(turn: Turn, event: StepOpened) -> None:
    state = turn.state(event.step)
    if state is None or turn.session.step != event.step:
        return
    step, fault = event.file.step, event.file.fault
    turn.set(resuming=False)
    if step is None or fault is not None or step.id != state.id:
        code = fault.code if fault else "ERR-STEP-003"
        message = fault.message if fault else ""
        turn.save(replace(state, fault=code, fault_message=message, digest=None))
        course.advance(turn)
        return
    state = turn.save(replace(state, title=step.title, digest=step.digest, fault=None))
    ahead = course.upcoming(turn)
    if ahead is None or ahead.id != state.id:  # its condition or dependencies changed on disk
        course.advance(turn)
        return
    _ask(turn, state, step)


def _ask(turn: Turn, state: StepState, step: Step) -> None:
    phase = turn.session.current_phase
    first = all(each.revision == 0 for each in turn.session.steps)
    course.take_the_chair(turn)
    _say_size(turn, phase)
    _note_oddities(turn, state, step, phase)
    turn.close_menus()
    known = turn.state(state.id) or state
    short = turn.session.short is not None and bool(step.short) and not course.is_scan(phase.key)
    asked = replace(
        known,
        status="pending",
        persona=FACILITATOR.key if phase.facilitated else step.persona,
        depth="standard" if short else course.depth_of(turn.session, phase.key, step),
        short=short,
        revision=known.revision + 1,
        question=None,
        outcome="",
        chosen_by=None,
    )
    turn.save(asked)
    turn.mark_done(asked, done=False)
    choices = PROMPT_CHOICES + (("confirm",) if "Brief Mode" in step.sections and not short else ())
    turn.set(
        prompt_menu=turn.open_menu("prompt", choices, asked.id),
        status="asking",
        heard=(),
        stale=tuple(each for each in turn.session.stale if each != asked.id),
    )
    mention = turn.session.awaited if first else ()
    turn.do(PostPrompt(asked.id, asked.revision, phase.persona, mention), PaintCard())
    if turn.situation.answered:
        begin_reading(turn, asked)


def _say_size(turn: Turn, phase: PhaseState) -> None:
    """What the finished quick scan means for the depth, said once."""
    scope = turn.session.scan.scope
    if course.is_scan(phase.key) or scope is None or "scan" in turn.session.told:
        return
    turn.set(told=(*turn.session.told, "scan"))
    kept = dict(turn.session.overrides).get(phase.key)
    depth = {"kept": kept} if kept else {"depth": course.DEPTH_OF_SCOPE[scope]}
    words = {"scope": scope, **depth}
    turn.do(Say("scan-size", phase.persona, words))


def _note_oddities(turn: Turn, state: StepState, step: Step, phase: PhaseState) -> None:
    """What is strange about this step but stops nothing: rows of seed 000 that only continue."""
    here: PersonaKey = phase.persona
    mark = f"ERR-PERSONA-001:{phase.key}"
    if not phase.mapped and mark not in turn.session.told:
        turn.set(told=(*turn.session.told, mark))
        turn.fault("ERR-PERSONA-001", step=state, thread=here, words={"phase_key": phase.key})
    if step.persona != phase.persona:
        turn.fault("ERR-PERSONA-002", step=state, persona=step.persona)
    if step.prompt(course.depth_of(turn.session, phase.key, step))[1]:
        turn.fault("ERR-STEP-007", step=state)
    why = course.broken_condition(turn.session, step)
    if why is not None:
        turn.fault(
            "ERR-STEP-009",
            step=state,
            thread=here,
            detail=why,
            words={"step_id": state.id, "expression": str(step.skip_if)},
        )


def begin_reading(turn: Turn, state: StepState) -> None:
    """Ask the brain to read all answers of the current step at once."""
    task = turn.task()
    turn.set(reading=task, unread=False, attempts=0)
    turn.do(ReadAnswers(task, state.id, reader_of(turn.session.current_phase, state)))


def reader_of(phase: PhaseState, state: StepState) -> PersonaKey:
    return FACILITATOR.key if phase.facilitated else state.persona or phase.persona
