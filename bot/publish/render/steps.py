"""What is asked in a step, what was taken in, and what its menu offers."""

from itertools import takewhile

from bot.publish.render import phases
from bot.publish.render.last_commit import Look, Scene
from bot.views.kit.identity import author_of
from bot.views.kit.names import Names, name_of
from bot.views.thread import differences, lines
from bot.views.thread import proposals as proposals_view
from bot.views.thread import step as step_view
from core.domain.answers import Answer
from core.domain.brief import Offer, asks, offered
from core.domain.effects import SayTurn, ShowProposals
from core.domain.ids import Depth, StepId, UserId
from core.domain.mentions import with_names
from core.domain.playbook import Step, corrected
from core.domain.session import Menu, Session, StepState
from core.domain.stances import contested, views_on


def prompt(
    look: Look,
    session: Session,
    step_id: StepId,
    mention: tuple[UserId, ...],
    *,
    painted: bool = False,
) -> Scene:
    state = look.state(session, step_id)
    step = look.reader.content(state.digest) if state.digest else None
    content = corrected(step, state.corrections) if step else None
    depth = state.depth or (content.depth if content else "standard")
    doubts = tuple(each for each in state.wrong if each.revision == state.revision)
    known = (state.chosen_by, *(each.by for each in doubts))
    names = look.names(session, [user for user in known if user])
    asked = step_view.Asked(
        step=state,
        text=_text_of(state, content, depth),
        phase=look.label(session, state.phase),
        depth=depth,
        draft=_offer(look, session, state, content, depth),
        place=_place(look, session, state),
        answers=_proposed(look, session, step_id)
        or (_said(look, session, step_id) if state.revision > 1 else ()),
        mention=mention,
        painted=painted,
        menu=look.menu_of(session.menus.prompt, step_id),
        earlier=_earlier(look, session, state),
        doubts=doubts,
    )
    return Scene(step_view.prompt(asked, names), look.voice(session, state))


def _proposed(look: Look, session: Session, step_id: StepId) -> tuple[step_view.Said, ...]:
    """What was said before a fall back to classic, where it can be taken over."""
    menu = look.menu_of(session.menus.prompt, step_id)
    if menu is None or "take-over" not in menu.choices:
        return ()
    names = look.names(session, [each.by for each in session.party.drafts])
    known = dict(session.mentioned)
    return tuple(
        step_view.Said(name_of(names, each.by), with_names(each.text, known))
        for each in session.party.drafts
    )


def turn(look: Look, session: Session, effect: SayTurn) -> Scene:
    who, text = look.state(session, effect.step).turns[effect.number - 1]
    return Scene(lines.turn(text), author_of(look.persona(session, who)))


def step(look: Look, session: Session, step_id: StepId) -> Scene:
    state = look.state(session, step_id)
    menu = None if session.menus.on_summary else look.menu_of(session.menus.current, step_id)
    stale_menu = look.menu_of(session.menus.stale, step_id)
    voices = _voices(look, session, step_id, waiting=menu is not None)
    concludes = _concludes(look, session, menu, state)
    names = look.names(session, voices.people)
    message = step_view.shown(
        state,
        look.names(session, [state.chosen_by] if state.chosen_by else []),
        menu=menu,
        following=phases.following(look, session, state.phase),
        summary=phases.summary(look, session, state.phase, waiting=menu is not None)
        if concludes
        else (),
        amendable=phases.amendable(look, session, state.phase) if concludes else (),
        stale_menu=stale_menu,
        stale=_stale(look, session) if stale_menu else (),
        voices=differences.blocks(voices, names),
        differing=differences.controls(voices, menu, state.settling),
        rest=[each.title for each in session.rest],
    )
    return Scene(message, look.voice(session, state))


def _concludes(look: Look, session: Session, menu: Menu | None, state: StepState) -> bool:
    """True where the step's message carries its phase's summary, also once it is accepted."""
    if menu is not None:
        return menu.kind == "phase"
    stands_alone = look.reader.last_post(session.id, f"phase:{state.phase}:") is not None
    return state.outcome in ("accept", "short") and not stands_alone


def _earlier(look: Look, session: Session, state: StepState) -> tuple[StepState, ...]:
    """Steps of the same phase that were asked before this one."""
    steps = [step for step in look.reader.all_steps(session.id) if step.phase == state.phase]
    before = takewhile(lambda step: step.id != state.id, steps)
    return tuple(step for step in before if step.revision)


def _voices(look: Look, session: Session, step_id: StepId, *, waiting: bool) -> differences.Voices:
    """Who gave what to a step. `waiting`: its menu is open, so that silence means something."""
    every = look.reader.answers(session.id, step_id)
    answers = tuple(each for each in every if each.source != "confirmed")
    stances = look.reader.stances(session.id, step_id)
    settlements = look.reader.settlements(session.id, step_id)
    gave = {each.by for each in stances if each.view is not None}
    strangers = look.directory.strangers(session.team, gave) if gave else frozenset()
    views = views_on(answers, stances, settlements, strangers)
    answered = tuple(dict.fromkeys(each.by for each in answers))
    weighed = {each.answer.id for each in views}
    return differences.Voices(
        answered=answered,
        silent=tuple(each for each in session.awaited if each not in gave) if waiting else (),
        views=views,
        contested=bool(contested(step_id, look.reader.claims(session.id), answers, settlements)),
        beside=tuple(each for each in answers if len(answered) > 1 and each.id not in weighed),
    )


def _said(look: Look, session: Session, step_id: StepId) -> tuple[step_view.Said, ...]:
    every = look.reader.answers(session.id, step_id)
    answers = [answer for answer in every if answer.source != "confirmed"]
    names = look.names(session, [answer.by for answer in answers])
    return tuple(step_view.Said(_voice(answer, names), answer.text) for answer in answers)


def _voice(answer: Answer, names: Names) -> str:
    name = name_of(names, answer.by)
    return f"{name}, confirming the draft" if answer.source == "draft" else name


def _place(look: Look, session: Session, state: StepState) -> tuple[int, int] | None:
    """Which of all steps this is; a phase before it counts with all files it was found with."""
    before = 0
    for each in session.phases:
        if each.key == state.phase:
            steps = [s for s in look.reader.all_steps(session.id) if s.phase == each.key]
            number = next((n for n, s in enumerate(steps, 1) if s.id == state.id), None)
            total = sum(phase.count for phase in session.phases)
            return None if number is None else (before + number, total)
        before += each.count
    return None


def _stale(look: Look, session: Session) -> list[StepState]:
    states = [look.reader.step_state(session.id, each) for each in session.stale]
    return [state for state in states if state is not None]


def proposals(look: Look, session: Session, effect: ShowProposals) -> Scene:
    known = {answer.id: answer for answer in look.reader.proposed(session)}
    decided = [each.chosen_by for each in session.proposals if each.chosen_by]
    names = look.names(session, [*(each.by for each in session.proposals), *decided])
    shown = [(each, known[each.answer]) for each in session.proposals if each.answer in known]
    said = proposals_view.proposals(shown, names, more=session.unproposed)
    return Scene(said, look.author(session, effect.thread))


def _text_of(state: StepState, content: Step | None, depth: Depth) -> str:
    if content is None:
        return state.title
    return content.short if state.short and content.short else asks(content, depth)


def _offer(
    look: Look, session: Session, state: StepState, content: Step | None, depth: Depth
) -> Offer | None:
    if content is None or depth != "brief" or state.short:
        return None
    claims = look.reader.claims(session.id)
    wrong = [doubt.text for doubt in state.wrong]
    return offered(content, session.title, session.text, claims, wrong)
