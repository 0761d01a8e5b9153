"""What is said of language models beside the steps."""

from bot.publish.message_targets import in_thread
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.thread import model as model_view
from core.domain.effects import SayBudget
from core.domain.session.session import Session


@draws(SayBudget, in_thread("budget:{menu}"))
def budget(commit: LastCommit, session: Session, effect: SayBudget) -> Scene:
    menu = commit.menu(effect.menu)
    names = commit.names(session, [menu.used_by])
    persona = commit.persona(session, effect.thread)
    message = model_view.budget(menu, names, session.model.usage.tokens, persona.name)
    return Scene(message, commit.author(session, effect.thread))
