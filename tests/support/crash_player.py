"""People of a play whose bot is killed in the midst of it: what that swallowed they do again."""

from typing import Final

from bot.devtools.play.player import Player, Utterance
from bot.devtools.play.script.entries import Commands
from bot.devtools.play.session_view import ShownControl
from core.domain.session.course import ENDED
from core.domain.session.session import Session
from tests.support.forked_bot import ForkedBot

CANCEL: Final = "cancel"
TRIES_MAX: Final = 3


class CrashPlayer(Player):
    @property
    def crashes(self) -> int:
        bot = self._world.bot
        assert isinstance(bot, ForkedBot)
        return bot.crashes

    def _start(self) -> None:
        for _ in range(TRIES_MAX):
            crashes = self.crashes
            super()._start()
            if self.session is not None or crashes == self.crashes:
                return

    def _do(self, step: str, act: Utterance, session: Session | None) -> None:
        """Do it. A command is given again where a crash swallowed it: Slack delivers it once."""
        for _ in range(TRIES_MAX):
            crashes, typed = self.crashes, len(self._typed())
            super()._do(step, act, session)
            is_answered = all(self._typed()[typed:])
            if not isinstance(act, Commands) or is_answered or crashes == self.crashes:
                return

    def _typed(self) -> list[bool]:
        """Of every slash command so far: whether the bot acknowledged it."""
        deliveries = self._world.workspace.deliveries
        return [delivery.acked for delivery in deliveries if delivery.kind == "slash_commands"]

    def _press(self, step: str, by: str, control: ShownControl) -> None:
        """Click, and click again where a crash swallowed it: a person would."""
        before = self._sight.session(self.session)
        for _ in range(TRIES_MAX):
            crashes = self.crashes
            super()._press(step, by, control)
            if crashes == self.crashes or not self._is_swallowed(control, before):
                return
            if not self._sight.is_open(control):
                return

    def _is_swallowed(self, control: ShownControl, before: Session | None) -> bool:
        """True if nothing came of a click. Of Cancel: also if its question or its answer is lost.

        Slack delivers neither a click nor a message that only one person sees again.
        """
        now = self._sight.session(self.session)
        if now is None or before is None:
            return False
        is_unanswered = control.choice == CANCEL and now.status not in ENDED
        return now.version == before.version or is_unanswered
