"""What is said of language models beside the steps."""

from collections.abc import Iterable

from bot.publish.message_targets import in_thread
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.thread import model as model_view
from bot.views.thread.enriched import EnrichedChanges, EnrichedView
from bot.views.thread.enriched import enriched as enriched_view
from core.domain.answers import Claim
from core.domain.effects import SayBudget, ShowEnriched
from core.domain.ids import StepId
from core.domain.session.session import Session
from core.ports import Gone


@draws(SayBudget, in_thread("budget:{menu}"))
def budget(commit: LastCommit, session: Session, effect: SayBudget) -> Scene:
    menu = commit.menu(effect.menu)
    names = commit.names(session, [menu.used_by])
    persona = commit.persona(session, effect.thread)
    message = model_view.budget(menu, names, session.model.usage.tokens, persona.name)
    return Scene(message, commit.author(session, effect.thread))


@draws(ShowEnriched, in_thread("enriched:{name}"))
def enriched(commit: LastCommit, session: Session, effect: ShowEnriched) -> Scene:
    """What would change in a phase. Raises `Gone` once it was read once more since."""
    phase = next(
        (candidate for candidate in session.model.enriched if candidate.key == effect.name), None
    )
    if phase is None:
        raise Gone(effect.name)
    menu = commit.open_menu(phase.menu)
    claims = commit.reader.claims(session.id)
    view = EnrichedView(
        persona=commit.persona(session, effect.thread).name,
        changes=tuple(_changes(commit, session, step, claims) for step in phase.shown),
        unread=tuple(commit.state(session, step).title for step in phase.unread),
        decided=tuple(
            (commit.state(session, decision.step).title, decision.outcome, decision.by)
            for decision in phase.decided
        ),
        menu=menu,
    )
    names = commit.names(session, [decision.by for decision in phase.decided])
    return Scene(enriched_view(view, names), commit.author(session, effect.thread))


def _changes(
    commit: LastCommit, session: Session, step: StepId, claims: Iterable[Claim]
) -> EnrichedChanges:
    """What the lines that wait at a step would change, by its lines now and with them."""
    state = commit.state(session, step)
    draft = commit.with_waiting(session.id, state)
    return EnrichedChanges(
        state.title,
        commit.reader.files(session.id, step),
        tuple(claim for claim in claims if claim.step == step and claim.sources),
        tuple(claim for claim in draft.claims if claim.sources) if draft else None,
    )
