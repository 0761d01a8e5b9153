"""A phase's summary: what it came to, what it assumes, where people differ, and what follows it."""

from collections.abc import Sequence
from dataclasses import replace

from bot.publish.render import party
from bot.publish.render.last_commit import Look, Scene
from bot.views.kit.blocks import Block
from bot.views.thread import phase as phase_view
from core.domain.effects import ShowPhase
from core.domain.ids import PhaseKey
from core.domain.session import Session, StepState
from core.domain.stances import views_on


def phase(look: Look, session: Session, effect: ShowPhase) -> Scene:
    menu = look.open_menu(session.menus.current) if session.menus.on_summary else None
    decided = _decided(look, session, effect.phase)
    message = phase_view.phase_message(
        _recorded(look, session, effect.phase),
        look.names(session, [decided.chosen_by] if decided and decided.chosen_by else []),
        menu=menu if menu and menu.phase == effect.phase else None,
        following=following(look, session, effect.phase),
        decided=decided,
        verdict=party.verdict(look, session, effect.phase),
    )
    return Scene(message, look.chair(session, effect.phase, effect.thread))


def summary(look: Look, session: Session, key: PhaseKey, *, waiting: bool) -> tuple[Block, ...]:
    """`waiting`: it can still be accepted, so that changes and assumptions are asked about."""
    recorded = _recorded(look, session, key)
    shown = recorded if waiting else replace(recorded, before=None, assumed=None)
    return tuple(phase_view.summary_blocks(shown))


def amendable(look: Look, session: Session, key: PhaseKey) -> list[StepState]:
    """Steps of the phase that can be asked again, each by name."""
    steps = [step for step in look.reader.all_steps(session.id) if step.phase == key]
    return phase_view.amendable(steps)


def _recorded(look: Look, session: Session, key: PhaseKey) -> phase_view.Summary:
    steps = tuple(s for s in look.reader.all_steps(session.id) if s.phase == key)
    mine = {state.id for state in steps}
    claims = tuple(c for c in look.reader.claims(session.id) if c.step in mine)
    before = look.reader.baseline(session.id, key)
    menu = look.open_menu(session.menus.assumptions)
    assumed = menu if menu and menu.phase == key else None
    dissent = _dissent(look, session, steps)
    return phase_view.Summary(look.label(session, key), steps, claims, before, assumed, dissent)


def _dissent(look: Look, session: Session, steps: Sequence[StepState]) -> tuple[str, ...]:
    stances = [each for each in look.reader.stances(session.id) if each.is_open]
    strangers = look.directory.strangers(session.team, {each.by for each in stances})
    views = views_on(look.reader.answers(session.id), stances, (), strangers)
    differ = {each.answer.step for each in views if each.differ}
    return tuple(step.title for step in steps if step.id in differ)


def _decided(look: Look, session: Session, key: PhaseKey) -> StepState | None:
    """The step whose outcome is the phase's: the last one that has one."""
    steps = [s for s in look.reader.all_steps(session.id) if s.phase == key and s.outcome]
    accepted = next((each for each in session.phases if each.key == key), None)
    if steps and accepted and accepted.accepted_by:
        return replace(steps[-1], outcome="accept", chosen_by=accepted.accepted_by)
    return steps[-1] if steps else None


def following(look: Look, session: Session, key: PhaseKey) -> str | None:
    """The phase that opens when this one is accepted: the first that is not closed."""
    left = [each for each in session.phases if each.key != key]
    return next((each.label for each in left if each.status in ("pending", "open")), None)
