"""A phase's summary: what it came to, what it assumes, where people differ, and what follows it."""

from collections.abc import Sequence
from dataclasses import replace

from bot.publish.message_targets import phase_message
from bot.publish.render import party
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.kit.rich_text import Block
from bot.views.thread import phase as phase_view
from core.domain.effects import ShowPhase
from core.domain.ids import PhaseKey
from core.domain.session import Session, StepChoice, StepState
from core.domain.stances import views_on


@draws(ShowPhase, phase_message)
def phase(commit: LastCommit, session: Session, effect: ShowPhase) -> Scene:
    menu = commit.open_menu(session.menus.current) if session.menus.on_summary else None
    decided = _decided(commit, session, effect.phase)
    message = phase_view.phase_message(
        _recorded(commit, session, effect.phase),
        commit.names(session, [decided.choice.by] if decided and decided.choice.by else []),
        menu=menu if menu and menu.phase == effect.phase else None,
        following=following(commit, session, effect.phase),
        decided=decided,
        verdict=party.verdict(commit, session, effect.phase),
    )
    return Scene(message, commit.chair(session, effect.phase, effect.thread))


def summary(
    commit: LastCommit, session: Session, key: PhaseKey, *, waiting: bool
) -> tuple[Block, ...]:
    """`waiting`: it can still be accepted, so that changes and assumptions are asked about."""
    recorded = _recorded(commit, session, key)
    shown = recorded if waiting else replace(recorded, before=None, assumed=None)
    return tuple(phase_view.summary_blocks(shown))


def amendable(commit: LastCommit, session: Session, key: PhaseKey) -> list[StepState]:
    """Steps of the phase that can be asked again, each by name."""
    steps = [step for step in commit.reader.all_steps(session.id) if step.phase == key]
    return phase_view.amendable(steps)


def _recorded(commit: LastCommit, session: Session, key: PhaseKey) -> phase_view.PhaseSummary:
    steps = tuple(s for s in commit.reader.all_steps(session.id) if s.phase == key)
    mine = {state.id for state in steps}
    claims = tuple(c for c in commit.reader.claims(session.id) if c.step in mine)
    before = commit.reader.baseline(session.id, key)
    menu = commit.open_menu(session.menus.assumptions)
    assumed = menu if menu and menu.phase == key else None
    dissent = _dissent(commit, session, steps)
    return phase_view.PhaseSummary(
        commit.label(session, key), steps, claims, before, assumed, dissent
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
    accepted = next((phase for phase in session.phases if phase.key == key), None)
    if steps and accepted and accepted.accepted_by:
        return replace(steps[-1], choice=StepChoice("accept", accepted.accepted_by))
    return steps[-1] if steps else None


def following(commit: LastCommit, session: Session, key: PhaseKey) -> str | None:
    """The phase that opens when this one is accepted: the first that is not closed."""
    others = [phase for phase in session.phases if phase.key != key]
    return next((phase.label for phase in others if phase.status in ("pending", "open")), None)
