"""From the last commit to messages: what each visible effect has to show, and who says it.

Reads, never writes, never sends. What it finds is put into views; how that looks is theirs.
"""

from dataclasses import replace

from bot.publish.render import card, faults, party, phases, reminders, steps
from bot.publish.render.last_commit import Look, Scene
from bot.publish.render.reply_wording import people_in, place_of, worded
from bot.views.kit.blocks import Message, mentioned, with_mentions
from core.domain.effects import (
    Effect,
    Greet,
    HandOver,
    OpenThread,
    PaintCard,
    PaintPrompt,
    PaintReminder,
    PaintStep,
    PostCard,
    PostPrompt,
    PostQuestions,
    PostReminder,
    Reply,
    Say,
    SayContribution,
    SayTurn,
    ShowFault,
    ShowMode,
    ShowPhase,
    ShowProposals,
    ShowRecovery,
    ShowResult,
    ShowStep,
    TellOperators,
)
from core.domain.session import Session

__all__ = ["Look", "Scene", "Scenes"]


class Scenes(Look):
    def of(self, session: Session, effect: Effect) -> Scene:
        """What an effect shows. Its fallback text has names where blocks mention people."""
        scene = self._scene(session, effect)
        users = mentioned(scene.message)
        if not users:
            return scene
        return replace(scene, message=with_mentions(scene.message, self.names(session, users)))

    def _scene(self, session: Session, effect: Effect) -> Scene:
        match effect:
            case PostCard() | PaintCard():
                return Scene(card.card(self, session))
            case OpenThread(persona):
                return card.root(self, session, persona)
            case Greet():
                return card.greeting(self, session, effect)
            case HandOver():
                return card.handover(self, session, effect)
            case PostPrompt():
                return steps.prompt(self, session, effect.step, effect.mention)
            case PaintPrompt():
                return steps.prompt(self, session, effect.step, (), painted=True)
            case ShowStep() | PaintStep():
                return steps.step(self, session, effect.step)
            case ShowPhase():
                return phases.phase(self, session, effect)
            case ShowResult():
                return card.result(self, session)
            case ShowFault():
                return faults.fault(self, session, effect)
            case ShowRecovery():
                return faults.recovery(self, session, effect)
            case ShowMode(menu):
                return party.mode(self, session, menu)
            case PostReminder():
                return reminders.reminder(self, session, effect)
            case PaintReminder(menu, about):
                return reminders.reminded(self, session, menu, about)
            case PostQuestions():
                return party.questions(self, session, effect)
            case ShowProposals():
                return steps.proposals(self, session, effect)
            case SayContribution():
                return party.contribution(self, session, effect)
            case Say():
                return card.line(self, session, effect)
            case SayTurn():
                return steps.turn(self, session, effect)
            case _:
                raise AssertionError(f"{type(effect).__name__} is no message")

    def reply(self, session: Session, reply: Reply) -> Message:
        names = self.directory.names(session.team, people_in(reply))
        workspace = self.reader.workspace(session.team)
        return worded(reply, names, place_of(reply, session.id, self.reader, workspace))

    def notice(self, session: Session, effect: TellOperators) -> Message:
        """What the operators' channel is told."""
        return faults.notice(self, session, effect)
