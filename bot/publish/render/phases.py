"""A phase's summary, and the party: its mode, what a council asks and says, what it came to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.publish.message_targets import in_thread, phase_message
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.kit.identity import author_of
from bot.views.kit.rich_text import Block
from bot.views.kit.widget import Part
from bot.views.thread import council as council_view
from bot.views.thread import phase as phase_view
from bot.views.thread.sorted_lines import sorting_button
from core.domain.answers import Claim
from core.domain.effects import PostQuestions, SayContribution, ShowMode, ShowPhase
from core.domain.ids import PhaseKey, StepId
from core.domain.lines import sortable, standing
from core.domain.session.session import Session
from core.domain.session.step import StepChoice, StepState
from core.domain.stances import views_on


@draws(ShowPhase, phase_message)
def phase(commit: LastCommit, session: Session, effect: ShowPhase) -> Scene:
    menu = commit.open_menu(session.menus.current) if session.menus.on_summary else None
    decided = _decided(commit, session, effect.phase)
    recorded = _recorded(commit, session, effect.phase)
    debated = recorded.steps[0].id if session.mode == "party" and len(recorded.steps) == 1 else None
    message = phase_view.phase_message(
        recorded,
        commit.names(session, [decided.choice.by if decided else None]),
        menu=menu if menu and menu.phase == effect.phase else None,
        following=following(commit, session, effect.phase),
        decided=decided,
        verdict=verdict(commit, session, effect.phase),
        sorting=sorting(session, debated, recorded.claims) if debated else None,
    )
    return Scene(message, commit.chair(session, effect.phase, effect.thread))


def sorting(session: Session, step: StepId, claims: Sequence[Claim]) -> Block | None:
    """Where there are lines to sort, and while anybody may."""
    may_sort = session.is_correctable and sortable(claims, step)
    return sorting_button(session.id, step) if may_sort else None


def summary(
    commit: LastCommit, session: Session, key: PhaseKey, *, waiting: bool
) -> tuple[Part, ...]:
    """`waiting`: it can still be accepted, so that changes and assumptions are asked about."""
    recorded = _recorded(commit, session, key)
    view = recorded if waiting else replace(recorded, before=None, assumed=None)
    return tuple(phase_view.summary_parts(view))


def amendable(commit: LastCommit, session: Session, key: PhaseKey) -> list[StepState]:
    """Steps of the phase that can be asked again, each by name."""
    steps = [step for step in commit.reader.all_steps(session.id) if step.phase == key]
    return phase_view.amendable(steps)


def _recorded(commit: LastCommit, session: Session, key: PhaseKey) -> phase_view.PhaseSummary:
    steps = tuple(s for s in commit.reader.all_steps(session.id) if s.phase == key)
    step_ids = {state.id for state in steps}
    claims = tuple(c for c in standing(commit.reader.claims(session.id)) if c.step in step_ids)
    baseline = commit.reader.baseline(session.id, key)
    menu = commit.open_menu(session.menus.assumptions)
    assumed = menu if menu and menu.phase == key else None
    dissent = _dissent(commit, session, steps)
    return phase_view.PhaseSummary(
        commit.label(session, key), steps, claims, baseline, assumed, dissent
    )


def _dissent(commit: LastCommit, session: Session, steps: Sequence[StepState]) -> tuple[str, ...]:
    stances = [stance for stance in commit.reader.stances(session.id) if stance.is_open]
    strangers = commit.directory.strangers(session.team, {stance.by for stance in stances})
    views = views_on(commit.reader.answers(session.id), stances, (), strangers)
    differ = {view.answer.step for view in views if view.differ}
    return tuple(step.title for step in steps if step.id in differ)


def _decided(commit: LastCommit, session: Session, key: PhaseKey) -> StepState | None:
    """The step whose outcome is the phase's: the last one that has one."""
    steps = [s for s in commit.reader.all_steps(session.id) if s.phase == key and s.choice.name]
    accepted = next((phase for phase in session.course.phases if phase.key == key), None)
    if steps and accepted and accepted.accepted_by:
        return replace(steps[-1], choice=StepChoice("accept", accepted.accepted_by))
    return steps[-1] if steps else None


def following(commit: LastCommit, session: Session, key: PhaseKey) -> str | None:
    """The phase that opens when this one is accepted: the first that is not closed."""
    others = [phase for phase in session.course.phases if phase.key != key]
    return next((phase.label for phase in others if phase.status in ("pending", "open")), None)


# ── the party ────────────────────────────────────────────────────────────────────────────────────


# Whose role somebody else takes when they are missing: the proposer's, everybody's in a ring.
ROLES: Final[Mapping[str, str]] = {
    "propose-critique-converge": "first",
    "produce-cross-review-finalize": "ring",
}


@draws(ShowMode, in_thread("mode:{menu}"))
def mode(commit: LastCommit, session: Session, effect: ShowMode) -> Scene:
    """The menu of modes. Raises `Gone` if it is not there."""
    menu = commit.menu(effect.menu)
    names = commit.names(session, [menu.used_by])
    return Scene(council_view.mode_menu(menu, names))


@draws(PostQuestions, in_thread("prompt:{step}:{revision}:{thread}", of_step=True))
def questions(commit: LastCommit, session: Session, effect: PostQuestions) -> Scene:
    council = session.party.council
    every = council.questions if council else ()
    persona = commit.persona(session, effect.thread)
    own_questions = [(number, question) for number, key, question in every if key == effect.thread]
    seats = council.present if council else ()
    others = [
        commit.persona(session, seat.persona).name
        for seat in seats
        if seat.persona != effect.thread
    ]
    message = council_view.questions(
        persona,
        own_questions,
        others,
        mention=effect.mention,
        menu=commit.menu_of(session.menus.prompt, effect.step),
    )
    return Scene(message, author_of(persona))


@draws(SayContribution, in_thread("said:{phase}:{place}"))
def contribution(commit: LastCommit, session: Session, effect: SayContribution) -> Scene:
    turn = commit.reader.contribution(session.id, effect.phase, effect.place)
    to = commit.persona(session, turn.to).name if turn.to else ""
    return Scene(council_view.turn(turn, to), commit.author(session, turn.persona))


def verdict(commit: LastCommit, session: Session, key: PhaseKey) -> list[Block]:
    if session.mode != "party":
        return []
    from core.brains.bookkeeping.agreement import consensus, trade_offs

    turns = commit.reader.contributions(session.id, key)
    votes = {turn.persona: turn for turn in turns if turn.want == "vote"}
    record = next((record for record in session.party.records if record.phase == key), None)
    if record is None:
        return []
    cast = any(vote.agrees is not None for vote in votes.values())
    proposed = [turn.claims for turn in turns if turn.want in ("proposal", "revision")]
    verdict = council_view.Verdict(
        consensus=(consensus(tuple(votes.values())) if cast else "none") if votes else "",
        options=[
            claim.data["option"]
            for claim in (proposed[-1] if proposed else ())
            if claim.data.get("choice") == "chosen" and "option" in claim.data
        ],
        dissenters=[
            commit.persona(session, persona).name
            for persona, vote in votes.items()
            if vote.agrees is False
        ],
        trade_offs=[
            f"{commit.persona(session, persona).name}: {cost}"
            for persona, cost in trade_offs(turns)
        ],
        away=record.unavailable,
        stand_ins=_stand_ins(commit, session, key, record.unavailable),
        unwritten=record.unwritten,
    )
    return council_view.verdict_blocks(verdict)


def _stand_ins(
    commit: LastCommit, session: Session, key: PhaseKey, away: Sequence[str]
) -> list[tuple[str, str]]:
    """A role that was missing, and the next in declared order who took it."""
    party = commit.reader.party(session)
    phase = next((phase for phase in party.phases if phase.key == key), None) if party else None
    if phase is None or phase.protocol not in ROLES:
        return []
    names = [commit.persona(session, member).name for member in phase.members]
    roles = names[:1] if ROLES[phase.protocol] == "first" else names
    stand_ins = []
    for role in roles:
        place = names.index(role)
        candidates = [name for name in names[place + 1 :] + names[:place] if name not in away]
        if role in away and candidates:
            stand_ins.append((candidates[0], role))
    return stand_ins
