"""What is asked in a step, what was taken in, and what its menu offers."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from bot.publish.message_targets import in_thread, prompt_of_revision, standing_step, step_message
from bot.publish.render import phases
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.kit.identity import author_of
from bot.views.kit.names import Names, name_of
from bot.views.thread import differences, lines
from bot.views.thread import proposals as proposals_view
from bot.views.thread import step as step_view
from bot.views.thread.sorted_lines import SortedLines
from core.domain import effects
from core.domain.answers import Answer, Claim
from core.domain.brief import Offer, asks, offered
from core.domain.ids import Depth, StepId, UserId
from core.domain.lines import Correction, held_beside, in_force, is_lapsed, standing, superseded
from core.domain.mentions import with_names
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.stances import contested, views_on
from core.domain.steps.playbook import Step, corrected

NAME_REQUIREMENTS: Final = ("priority", "story")
"""What a step may need that people say by naming requirements: its prompt lists them."""


@draws(effects.PostPrompt, in_thread("prompt:{step}:{revision}", of_step=True))
def prompt(commit: LastCommit, session: Session, effect: effects.PostPrompt) -> Scene:
    return _prompt(commit, session, effect.step, effect.mention)


@draws(effects.PaintPrompt, prompt_of_revision)
def painted_prompt(commit: LastCommit, session: Session, effect: effects.PaintPrompt) -> Scene:
    return _prompt(commit, session, effect.step, (), painted=True)


def _prompt(
    commit: LastCommit,
    session: Session,
    step_id: StepId,
    mention: tuple[UserId, ...],
    *,
    painted: bool = False,
) -> Scene:
    state = commit.state(session, step_id)
    step = commit.reader.content(state.digest) if state.digest else None
    content = corrected(step, state.sources.corrections) if step else None
    depth = state.prompt.depth or (content.depth if content else "standard")
    doubts = tuple(doubt for doubt in state.doubts if doubt.revision == state.prompt.revision)
    people = (state.choice.by, *(doubt.by for doubt in doubts))
    names = commit.names(session, people)
    needed = content.needed_kinds if content else ()
    named_for = next((kind for kind in NAME_REQUIREMENTS if kind in needed), "")
    view = step_view.PromptView(
        step=state,
        text=_text_of(state, content, depth),
        phase=commit.label(session, state.phase),
        depth=depth,
        draft=_offer(commit, session, state, content, depth),
        place=_place(commit, session, state),
        answers=_proposed(commit, session, step_id)
        or (_said(commit, session, step_id) if state.prompt.revision > 1 else ()),
        mention=mention,
        painted=painted,
        menu=commit.menu_of(session.menus.prompt, step_id),
        earlier=_earlier(commit, session, state),
        doubts=doubts,
        requirements=_requirements(commit, session) if named_for else (),
        named_for=named_for,
    )
    return Scene(step_view.prompt(view, names), commit.voice(session, state))


def _proposed(
    commit: LastCommit, session: Session, step_id: StepId
) -> tuple[step_view.AnswerView, ...]:
    """What was said before a fall back to classic, where it can be taken over."""
    menu = commit.menu_of(session.menus.prompt, step_id)
    if menu is None or "take-over" not in menu.choices:
        return ()
    names = commit.names(session, [draft.by for draft in session.party.drafts])
    mentioned = dict(session.people.names)
    return tuple(
        step_view.AnswerView(name_of(names, draft.by), with_names(draft.text, mentioned))
        for draft in session.party.drafts
    )


def _requirements(commit: LastCommit, session: Session) -> tuple[Claim, ...]:
    """Those that hold."""
    return tuple(
        claim
        for claim in standing(commit.reader.claims(session.id))
        if claim.kind == "requirement" and claim.ref and claim.confidence != "proposed"
    )


@draws(effects.SayTurn, in_thread("turn:{step}:{number}"))
def turn(commit: LastCommit, session: Session, effect: effects.SayTurn) -> Scene:
    persona, text = commit.state(session, effect.step).discussion.turns[effect.number - 1]
    return Scene(lines.turn(text), author_of(commit.persona(session, persona)))


def step(
    commit: LastCommit, session: Session, effect: effects.ShowStep | effects.PaintStep
) -> Scene:
    step_id = effect.step
    state = commit.state(session, step_id)
    menu = None if session.menus.on_summary else commit.menu_of(session.menus.current, step_id)
    stale_menu = commit.menu_of(session.menus.stale, step_id)
    follow_up = commit.menu_of(session.menus.follow_up, step_id)
    claims = commit.reader.claims(session.id)
    voices = _voices(commit, session, step_id, claims, waiting=menu is not None)
    concludes = _concludes(commit, session, menu, state)
    corrections = commit.reader.corrections(session.id)
    lines = _lines(commit, session, step_id, claims, corrections)
    names = commit.names(session, voices.people)
    askers = [follow_up.by for follow_up in state.questions.follow_ups] + [state.model.wanted_by]
    message = step_view.shown(
        state,
        commit.names(
            session, [state.choice.by, *askers, *(correction.by for correction in corrections)]
        ),
        menu=menu,
        following=phases.following(commit, session, state.phase),
        summary=phases.summary(commit, session, state.phase, waiting=menu is not None)
        if concludes
        else (),
        amendable=phases.amendable(commit, session, state.phase) if concludes else (),
        follow_up=follow_up,
        stale_menu=stale_menu,
        stale=_stale(commit, session) if stale_menu else (),
        voices=differences.parts(voices, names),
        differing=differences.controls(
            voices, menu, state.settling, sorting=phases.sorting(session, step_id, lines.claims)
        ),
        unasked=[step.title for step in session.course.rest],
        lines=lines,
        dropping=commit.menu_of(state.measured.menu, step_id),
        taking=commit.menu_of(session.menus.taking, step_id),
        rereading=commit.menu_of(session.menus.rereading, step_id),
        persona=speaker.name if (speaker := commit.speaker(session, state)) else "",
    )
    return Scene(message, commit.voice(session, state))


draws(effects.ShowStep, step_message)(step)
draws(effects.PaintStep, standing_step)(step)


def _lines(
    commit: LastCommit,
    session: Session,
    step: StepId,
    claims: Sequence[Claim],
    corrections: Sequence[Correction],
) -> SortedLines:
    """How the lines of the step were sorted, among those of all steps.

    What was asked and nobody answered is listed as left open, and not here once more.
    """
    step_claims = [claim for claim in claims if claim.step == step and claim.sources]
    sorted_here = [correction for correction in in_force(corrections) if correction.step == step]
    answers = commit.reader.answers(session.id, step) if sorted_here else ()
    lapsed = [gone for gone in sorted_here if is_lapsed(gone, answers, step_claims)]
    replaced = superseded(claims)
    refs = frozenset(claim.ref for claim in claims if claim.ref and claim.id in replaced)
    state = commit.state(session, step)
    content = commit.reader.content(state.digest) if state.digest else None
    return SortedLines(
        step_claims,
        replaced,
        held_beside(claims, corrections),
        lapsed,
        refs,
        content.needed_kinds if content else (),
    )


def _concludes(commit: LastCommit, session: Session, menu: Menu | None, state: StepState) -> bool:
    """True where the step's message carries its phase's summary, also once it is accepted."""
    if menu is not None:
        return menu.kind == "phase"
    stands_alone = commit.reader.last_post(session.id, f"phase:{state.phase}:") is not None
    return state.choice.name in ("accept", "short") and not stands_alone


def _earlier(commit: LastCommit, session: Session, state: StepState) -> tuple[StepState, ...]:
    """Steps of the same phase that were asked before this one."""
    steps = [step for step in commit.reader.all_steps(session.id) if step.phase == state.phase]
    earlier = takewhile(lambda step: step.id != state.id, steps)
    return tuple(step for step in earlier if step.prompt.revision)


def _voices(
    commit: LastCommit,
    session: Session,
    step_id: StepId,
    claims: Sequence[Claim],
    *,
    waiting: bool,
) -> differences.Voices:
    """Who gave what to a step. `waiting`: its menu is open, so that silence means something."""
    every = commit.reader.answers(session.id, step_id)
    answers = tuple(answer for answer in every if answer.source != "confirmed")
    stances = commit.reader.stances(session.id, step_id)
    settlements = commit.reader.settlements(session.id, step_id)
    gave = {stance.by for stance in stances if stance.view is not None}
    strangers = commit.directory.strangers(session.team, gave) if gave else frozenset()
    views = views_on(answers, stances, settlements, strangers)
    answered = tuple(dict.fromkeys(answer.by for answer in answers))
    weighed = {view.answer.id for view in views}
    return differences.Voices(
        answered=answered,
        silent=tuple(user for user in session.awaited if user not in gave) if waiting else (),
        views=views,
        contested=bool(contested(step_id, claims, answers, settlements)),
        beside=tuple(
            answer for answer in answers if len(answered) > 1 and answer.id not in weighed
        ),
    )


def _said(
    commit: LastCommit, session: Session, step_id: StepId
) -> tuple[step_view.AnswerView, ...]:
    every = commit.reader.answers(session.id, step_id)
    answers = [answer for answer in every if answer.source != "confirmed"]
    names = commit.names(session, [answer.by for answer in answers])
    return tuple(step_view.AnswerView(_voice(answer, names), answer.text) for answer in answers)


def _voice(answer: Answer, names: Names) -> str:
    name = name_of(names, answer.by)
    return f"{name}, confirming the draft" if answer.source == "draft" else name


def _place(commit: LastCommit, session: Session, state: StepState) -> tuple[int, int] | None:
    """Which of all steps this is; a phase before it counts with all files it was found with."""
    steps_before = 0
    for phase in session.course.phases:
        if phase.key == state.phase:
            steps = [s for s in commit.reader.all_steps(session.id) if s.phase == phase.key]
            number = next((n for n, s in enumerate(steps, 1) if s.id == state.id), None)
            total = sum(phase.count for phase in session.course.phases)
            return None if number is None else (steps_before + number, total)
        steps_before += phase.count
    return None


def _stale(commit: LastCommit, session: Session) -> list[StepState]:
    states = [commit.reader.step_state(session.id, step) for step in session.course.stale]
    return [state for state in states if state is not None]


@draws(effects.ShowProposals, in_thread("proposals"))
def proposals(commit: LastCommit, session: Session, effect: effects.ShowProposals) -> Scene:
    answers = {answer.id: answer for answer in commit.reader.proposed(session)}
    decided = [proposal.chosen_by for proposal in session.proposals]
    names = commit.names(session, [*(proposal.by for proposal in session.proposals), *decided])
    views = [
        (proposal, answers[proposal.answer])
        for proposal in session.proposals
        if proposal.answer in answers
    ]
    message = proposals_view.proposals(views, names, more=session.unproposed)
    return Scene(message, commit.author(session, effect.thread))


def _text_of(state: StepState, content: Step | None, depth: Depth) -> str:
    if content is None:
        return state.title
    return content.short if state.prompt.is_short and content.short else asks(content, depth)


def _offer(
    commit: LastCommit, session: Session, state: StepState, content: Step | None, depth: Depth
) -> Offer | None:
    if content is None or depth != "brief" or state.prompt.is_short:
        return None
    claims = commit.reader.claims(session.id)
    wrong = [doubt.text for doubt in state.doubts]
    return offered(content, session.title, session.text, claims, wrong)
