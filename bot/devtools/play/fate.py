"""What the world does in a play: each thing once, before the act that leads to its step."""

from collections.abc import Callable, Iterable, Iterator

from bot.devtools.play.ahead import Ahead, Coming
from bot.devtools.play.script import Mishap, Script
from bot.devtools.play.words import happened
from bot.devtools.play.world import World
from bot.interactions.command_line import BadCommand, parse
from core.domain.ids import Slug, slug_of
from core.domain.session import Session

Tell = Callable[[str, str, bool], None]  # the step, the words, whether it is a note


class Fate:
    def __init__(self, script: Script, world: World, ahead: Ahead, tell: Tell) -> None:
        self._script = script
        self._world = world
        self._ahead = ahead
        self._tell = tell
        self._left: dict[str, tuple[Mishap, ...]] = dict(script.before)

    def begin(self) -> None:
        """Before the start: what belongs to the first step."""
        self._befall(self._ahead.first(), None)

    def before(self, session: Session, choice: str) -> None:
        """Before a choice is made: what belongs to the step that it leads to."""
        self._befall(self._ahead.after(session, choice), session)

    def left(self) -> Iterator[str]:
        """The steps and phases that were never come to."""
        yield from self._left

    def _befall(self, coming: Iterable[Coming], session: Session | None) -> None:
        for each in coming:
            for key in (each.phase, each.step):
                for mishap in self._left.pop(key, ()):
                    self._meet(mishap, each, session)

    def _meet(self, mishap: Mishap, coming: Coming, session: Session | None) -> None:
        self._tell(coming.step, f"before it: {happened(mishap)}", False)
        if not self._world.meet(mishap, coming.step, self._slug(session)):
            self._tell(coming.step, "before it: there was nothing to remove", True)
        self._world.settle()

    def _slug(self, session: Session | None) -> Slug:
        """The folder's name; before there is a session, the one its title will get."""
        if session is not None:
            return session.slug
        _, _, line = self._script.start.line.partition(" ")
        command = parse(line)
        return slug_of("" if isinstance(command, BadCommand) else command.title)
