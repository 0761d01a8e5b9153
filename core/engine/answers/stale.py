"""Steps whose answers rest on what has changed since: marked, shown, and kept or asked again."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core import patterns
from core.domain import events as on
from core.domain.answers import Claim
from core.domain.ids import StepId
from core.domain.session.menu import Menu
from core.domain.session.step import StepState
from core.engine.flow import navigation
from core.engine.kernel.turn import Turn
from core.engine.prompts import offer_menu

_REFERENCE: Final = patterns.compile(r"[\w-]+")


def is_read_again(state: StepState | None, event: on.BrainReplied) -> bool:
    """True if the step was read before, from other answers: later steps may rest on what changed.

    Only then does `mark` need the claims of all steps.
    """
    return state is not None and bool(state.basis) and state.basis != event.basis


def mark(turn: Turn, state: StepState, event: on.BrainReplied) -> None:
    """Later steps are stale only where their claims rest on what changed (4.4).

    `state`: the step as it was before this reading.
    """
    if not is_read_again(state, event):
        return
    for step in _steps_resting(turn.situation.claims, state, event):
        later = turn.state(step)
        if later is not None and later.status == "completed" and step > state.id:
            turn.save(replace(later, status="stale"))
            turn.course = turn.course.step_outdated(step)


def _steps_resting(
    claims: Iterable[Claim], state: StepState, event: on.BrainReplied
) -> tuple[StepId, ...]:
    """Other steps with a claim that rests on an answer or a claim of this step that changed."""
    claims = tuple(claims)
    before = [claim for claim in claims if claim.step == state.id]
    changed = _changed_claims(before, event.draft.claims) | _changed_answers(
        state.basis, event.basis
    )
    others = (claim for claim in claims if claim.step != state.id)
    return tuple(dict.fromkeys(claim.step for claim in others if _rests(claim, changed)))


def _changed_claims(before: Iterable[Claim], after: Iterable[Claim]) -> set[str]:
    """References of claims (FR-001, …) that say something else now, or are gone."""
    texts = {claim.ref: claim.text for claim in after if claim.ref}
    return {claim.ref for claim in before if claim.ref and texts.get(claim.ref) != claim.text}


def _changed_answers(before: Iterable[str], after: Iterable[str]) -> set[str]:
    """Answers that were edited or withdrawn; one that was added changes nothing others rest on."""
    return {mark.rsplit("@", 1)[0] for mark in set(before) - set(after)}


def _rests(claim: Claim, changed: set[str]) -> bool:
    referred = {word for value in claim.data.values() for word in _REFERENCE.findall(value)}
    return not changed.isdisjoint((*claim.sources, *referred))


def offer(turn: Turn, state: StepState) -> None:
    """A menu of its own beside the step's: keep each as it is, or have it asked again."""
    steps = turn.course.stale
    turn.end_menu(turn.menus.stale)
    if steps:
        choices = tuple(f"{verb}:{step}" for step in steps for verb in ("keep", "again"))
        turn.open_menu("stale", (*choices, "keep-all"), state.id)


def offer_here(turn: Turn) -> None:
    """A late answer changed what later steps rest on: say so where people are now."""
    state = turn.state(turn.course.step)
    if state is None or turn.session.status != "choosing":
        return
    if set(turn.course.stale) <= _offered(turn.situation.stale_menu):
        return
    offer(turn, state)
    turn.do(navigation.show_current_message(turn, state))


def _offered(menu: Menu | None) -> frozenset[str]:
    choices = menu.choices if menu else ()
    return frozenset(step for _, _, step in (choice.partition(":") for choice in choices) if step)


def resolve(turn: Turn, menu: Menu, state: StepState, event: on.ChoiceMade, step: str) -> None:
    """Keep a stale step as it is, or have it asked again; without a name: keep all of them."""
    turn.end_menu(menu.id, event.by, event.choice)
    chosen = (StepId(step),) if step else turn.course.stale
    is_again = event.choice.startswith("again:")
    for step_state in filter(None, map(turn.state, chosen)):
        if step_state.status == "stale":
            turn.save(replace(step_state, status="pending" if is_again else "completed"))
            if is_again:
                turn.course = turn.course.step_reopened(step_state)
                turn.save_phase(turn.phase_of(step_state).opened())
    turn.course = turn.course.stale_settled(chosen)
    offer(turn, state)
    if turn.session.status == "choosing":
        offer_menu(turn, state)
