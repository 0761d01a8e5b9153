"""How a session and a phase begin: what lay in the files and the folder becomes their state."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import (
    DEPTHS,
    ChannelId,
    Depth,
    FaultId,
    PhaseKey,
    Slug,
    StepId,
    UserId,
    numbered,
    slug_of,
)
from core.domain.playbook import PinnedFile, Playbook
from core.domain.session import ENDED, Fault, PhaseState, Session, StepState
from core.engine.council import debate
from core.engine.flow import navigation, seats
from core.engine.kernel.situation import Situation, Transition
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading, offer_menu
from core.engine.start import party, roster
from core.taxonomy.catalogue import CATALOGUE, META_CORRUPT_KNOWN, shown
from core.taxonomy.post_refusals import REFUSALS


class Item(Protocol):
    """What is known of a session of a channel, as far as another start needs it."""

    @property
    def channel(self) -> ChannelId: ...
    @property
    def status(self) -> str: ...
    @property
    def title(self) -> str: ...


SomeItem = TypeVar("SomeItem", bound=Item)


def under_way(sessions: Iterable[SomeItem], channel: ChannelId, title: str) -> SomeItem | None:
    """The session of that channel in which an item is under way already, if there is one."""
    slug = slug_of(title)
    return next(
        (
            session
            for session in sessions
            if session.channel == channel
            and session.status not in ENDED
            and slug_of(session.title) == slug
        ),
        None,
    )


def may_start_again(session: Session, by: UserId) -> bool:
    """True for a start that could not begin, and whoever wanted it: the form is filled in anew."""
    return session.status == "refused" and session.owner == by


def requested(situation: Situation, event: on.SessionRequested, playbook: Playbook) -> Transition:
    """A new session, or the offer to go on with the one that is already under way here."""
    base = slug_of(event.title)
    existing = under_way(situation.known, event.channel, event.title)
    if existing is not None:
        reply = fx.Reply("already-open", {"slug": existing.slug, "title": existing.title})
        return Transition(None, reply=reply)
    session = Session(
        id=event.session,
        run=event.run,
        team=event.team,
        channel=event.channel,
        owner=event.by,
        slug=event.adopted or numbered(base, frozenset(other.slug for other in situation.known)),
        title=event.title,
        text=event.text,
        seed=event.seed,
        created_at="",
        flow=event.flow,
        mode=event.mode,
        origin=event.origin,
        adopted=event.adopted is not None,
        unclaimed=event.unclaimed,
        overrides=((navigation.ALL_PHASES, event.depth),) if event.depth else (),
    )
    turn = Turn(session, situation, playbook, event.at)
    turn.change(created_at=turn.now)
    turn.do(fx.OpenFlow(event.respond_to))
    turn.say_back(fx.Reply("starting", {"title": event.title}))
    return turn.result()


def flow_opened(turn: Turn, event: on.FlowOpened) -> None:
    session, respond_to = turn.session, event.respond_to
    if event.folder.state == "taken":
        turn.change(slug=_next_slug(turn, event))
        turn.do(fx.OpenFlow(respond_to))
        return
    waits = session.flow == "inception" and session.mode == ""
    phases = (
        ()
        if waits
        else tuple(
            PhaseState(phase.key, phase.label, phase.persona, count, mapped=phase.mapped)
            for phase, count in event.phases
        )
    )
    short_path = replace(session.short_path, questions=event.short_questions)
    turn.change(phases=phases, short_path=short_path)
    turn.roster = replace(turn.roster, file=event.agent)
    wanted = dict(session.overrides).get(navigation.ALL_PHASES)
    turn.change(overrides=tuple((phase.key, wanted) for phase in phases) if wanted else ())
    turn.change(missed=tuple(check for check in event.preflight if not check.ok))
    turn.party = replace(turn.party, file=event.party)
    turn.do(fx.PostCard(respond_to))
    roster.opened(turn, event)
    if phases:
        turn.change(phase=phases[0].key)
    if session.resuming:  # nothing was asked: that its phases were passed by is no progress
        turn.change(resuming=False)
    else:
        _take_up_folder(turn, event.folder)


def claim(turn: Turn) -> None:
    """Whoever answers first owns a session that an operator took up for nobody in particular."""
    if turn.session.unclaimed and turn.people.answered:
        turn.change(owner=turn.people.answered[0], unclaimed=False)


def _next_slug(turn: Turn, event: on.FlowOpened) -> Slug:
    """The next number that neither a session nor a folder seen so far stands on."""
    base, slug = slug_of(turn.session.title), turn.session.slug
    taken = {slug, *event.slugs, *(other.slug for other in turn.situation.known)}
    number = int(slug.removeprefix(f"{base}-")) if slug != base else 1
    passed = {base, *(Slug(f"{base}-{index}") for index in range(2, number + 1))}
    return numbered(base, frozenset(taken | passed))


def _take_up_folder(turn: Turn, folder: on.FolderFound) -> None:
    """Progress of a folder whose session the database does not know, and what was wrong with it."""
    for code in folder.faults:
        turn.fault(code, thread=None, facts=_instead(folder, code))
    accepted = {key: (by, at) for key, by, at in folder.accepted}
    for phase in turn.session.phases:
        count = sum(1 for step in set(folder.steps_completed) if step[:2] == phase.key[:2])
        phase = replace(phase, done=min(count, phase.count))
        if phase.key in folder.phases_completed:
            by, at = accepted.get(phase.key, ("", ""))
            phase = replace(phase, status="completed", accepted_before=by, accepted_at=at or None)
        turn.save_phase(phase)
    if folder.steps_completed or folder.phases_completed:
        turn.change(
            taken_up=True,
            created_at=_moment(folder.created_at) or turn.session.created_at,
        )
        turn.change(done=tuple(dict.fromkeys((*turn.session.done, *folder.steps_completed))))
        turn.change(scan=folder.scan or turn.session.scan)
    good, bad = _depths(folder.overrides)
    chosen = turn.session.overrides  # `--depth` was said just now
    turn.change(overrides=(*chosen, *(pair for pair in good if pair[0] not in dict(chosen))))
    for key, value in bad:
        _report_depth(turn, key, value)


def _moment(text: str) -> str:
    """The time a folder names, if it is one."""
    try:
        return text if datetime.fromisoformat(text).tzinfo else ""
    except ValueError:
        return ""


def _depths(
    overrides: tuple[tuple[str, str], ...],
) -> tuple[tuple[tuple[PhaseKey, Depth], ...], list[tuple[str, str]]]:
    valid: Mapping[str, Depth] = {depth: depth for depth in DEPTHS}
    good = tuple((PhaseKey(phase), valid[value]) for phase, value in overrides if value in valid)
    return good, [(phase, value) for phase, value in overrides if value not in valid]


def card_posted(turn: Turn, _: on.CardPosted) -> None:
    if turn.session.flow == "inception":
        party.begin(turn)
    elif turn.roster.needs_choice:
        roster.ask(turn)
    else:
        navigation.begin(turn)


def refused(turn: Turn, event: on.PostRefused) -> None:
    """The card could not be posted: there is no session then, and its slug is free again."""
    again = {"again": turn.session.id}
    if event.reason in ("not_invited", "channel_unknown"):
        reply = fx.Reply("not-in-channel", again)
    else:
        words = REFUSALS.get(event.reason, REFUSALS["unknown"])
        reply = fx.Reply("cannot-post", {"what": words.what, "helps": words.helps, **again})
    turn.fault("ERR-SLACK-001", show=False, detail=f"PostCard: {event.error}")
    turn.change(status="refused", slug=Slug(f"refused-{turn.session.id}"))
    if event.respond_to:
        turn.do(fx.Respond(event.respond_to, reply))


def refused_for_secret(event: on.SecretFound) -> Transition:
    """A credential in a title: nothing begins, and nothing of it is kept but that it happened."""
    assert isinstance(event.said, on.SessionRequested), "only a start has no session"
    entry = CATALOGUE["ERR-SEC-001"]
    fault = Fault(
        id=FaultId(f"refused-{event.said.session}"),
        code=entry.code,
        message=shown(entry.code),
        visible=True,
        at=event.at,
        detail=f"{event.where}: {', '.join(event.kinds)}",
        facts={
            "secret_type": ", ".join(event.kinds),
            "location": "a title",
            "halted_at": "start",
            "halt_reason": entry.title,
        },
    )
    return Transition(None, (fx.FaultRecorded(fault),), reply=fx.Reply("secret-title"))


# ── phases ─────────────────────────────────────────────────────────────────────────────────────


def phase_opened(turn: Turn, event: on.PhaseOpened) -> None:
    if event.phase != turn.session.phase:
        return
    steps = _merged(turn, event)
    completed = (state.id for state in steps if state.status == "completed")
    # A session whose own row was damaged is taken up from its folder, which may be a step behind.
    turn.change(steps=steps, done=tuple(dict.fromkeys((*turn.session.done, *completed))))
    for state in (*_dropped(turn), *turn.session.steps):
        turn.save(state)
    turn.save_phase(
        replace(
            turn.phase(event.phase),
            count=len(event.files),
            faulty=False,
            done=sum(1 for state in turn.session.steps if state.id in turn.session.done),
        )
    )
    if event.folder:
        _report_folder(turn, event.folder)
    phase = turn.session.current_phase
    unsized = turn.session.flow == "analysis" and turn.session.scan.scope is None
    if not navigation.is_scan(phase.key) and unsized:
        turn.fault("ERR-DEPTH-001")
    _report_strangers(turn)
    if event.fault:
        facts = {"input_source": event.phase}
        words = {"phase_key": event.phase}
        turn.fault(event.fault, thread=navigation.thread(turn), words=words, facts=facts)
    debated = seats.phase_of(turn, event.phase)
    if debated is not None and turn.session.steps and turn.session.steps[0].fault is None:
        debate.opened(turn, debated)
        return
    if turn.session.resuming and _take_up(turn):
        return
    turn.change(resuming=False)
    navigation.advance(turn)


def _report_folder(turn: Turn, folder: on.FolderFound) -> None:
    for code in folder.faults:
        message = None
        if code == "ERR-META-002" and folder.kept_as:
            message = META_CORRUPT_KNOWN.format(name=folder.kept_as)
        facts = _instead(folder, code)
        turn.fault(code, thread=navigation.thread(turn), message=message, facts=facts)
    for phase, value in _depths(folder.overrides)[1]:
        _report_depth(turn, phase, value)


def _instead(folder: on.FolderFound, code: str) -> dict[str, str]:
    """What stood in the folder's meta.json in place of what it should be."""
    return {"actual_value": folder.types[code]} if code in folder.types else {}


def _report_depth(turn: Turn, phase: str, value: str) -> None:
    facts = {"field": f"depth_overrides.{phase}", "actual_value": value}
    turn.fault("ERR-DEPTH-002", detail=f"{phase}: {value!r}", facts=facts)


def _report_strangers(turn: Turn) -> None:
    """ERR-INT-002: step ids of this phase that no file of it bears, and ids of no phase at all."""
    phase = turn.session.current_phase
    pinned = {state.id for state in turn.session.steps}
    here, numbers = phase.key[:2], {phase_state.key[:2] for phase_state in turn.session.phases}
    strangers = [
        step
        for step in turn.session.done
        if step[:2] not in numbers or (step[:2] == here and step not in pinned)
    ]
    mark = f"ERR-INT-002:{','.join(strangers)}"
    if strangers and mark not in turn.session.told:
        turn.change(told=(*turn.session.told, mark))
        listed = ", ".join(strangers)
        turn.fault("ERR-INT-002", detail=listed, facts={"actual_value": listed})


def _merged(turn: Turn, event: on.PhaseOpened) -> tuple[StepState, ...]:
    """The files found now, with what is known of each step from an earlier visit."""
    before = {state.id: state for state in turn.situation.stored}
    return tuple(_pinned(turn, event.phase, file, before) for file in event.files)


def _dropped(turn: Turn) -> list[StepState]:
    """Steps of an earlier visit whose files are gone. What was said to them is kept."""
    here = {state.id for state in turn.session.steps}
    return [replace(state, pinned=False) for state in turn.situation.stored if state.id not in here]


def _pinned(
    turn: Turn, phase: PhaseKey, file: PinnedFile, before: Mapping[StepId, StepState]
) -> StepState:
    step, fault = file.step, file.fault
    before_state = before.get(file.step_id) or StepState(
        id=file.step_id, phase=phase, file=file.file, title=file.file, digest=None
    )
    faulty = before_state.status in ("failed", "blocked") or (
        before_state.status == "skipped" and before_state.skipped_by is None
    )
    status = "pending" if faulty else before_state.status
    if file.step_id in turn.session.done and status == "pending":
        status = "completed"
    return replace(
        before_state,
        file=file.file,
        title=step.title if step else before_state.title,
        digest=step.digest if step else before_state.digest if status == "completed" else None,
        status=status,
        fault=None if status == "completed" else fault,
        told=() if turn.session.resuming else before_state.told,
        pinned=True,
    )


def _take_up(turn: Turn) -> bool:
    """Go on where a resumed session stood. False: nothing stood open, so the course decides."""
    session = turn.session
    here = turn.state(session.step)
    phase = session.current_phase
    turn.do(
        fx.Say(
            "resumed",
            navigation.thread(turn),
            {
                "done": str(len(session.done)),
                "total": str(sum(phase_state.count for phase_state in session.phases)),
                "phase": phase.label,
                "step": here.title if here else "",
            },
        )
    )
    if here is None or not here.pinned or here.status != "completed":
        return False
    if session.menus.current is None and here.choice.name:
        return False
    turn.change(resuming=False)
    navigation.take_the_chair(turn)
    offer_menu(turn, here, anew=True)
    if session.reading.has_unread:
        begin_reading(turn, here)
    return True
