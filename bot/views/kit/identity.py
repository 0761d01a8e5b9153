"""Under whose name a message stands: in Slack's own fields, or in the message where we may not."""

from dataclasses import dataclass
from typing import Final

from bot.views.kit.blocks import FALLBACK_CHARS_MAX, SPEAKER_ROOM, Message
from bot.views.kit.text import cut, escape, short
from core import patterns
from core.domain.steps.playbook import Persona

USERNAME_CHARS_MAX: Final = 80
_EMOJI: Final = patterns.compile(r":[a-z0-9_+'-]+(?:::skin-tone-[2-6])?:")
_MARKS: Final = str.maketrans("", "", "*_~`")


@dataclass(frozen=True, slots=True)
class Author:
    name: str
    icon: str = ""

    def as_arguments(self) -> dict[str, str]:
        """`username` and `icon_emoji`; what Slack would not take is left out."""
        name = short(self.name, USERNAME_CHARS_MAX)
        icon = self.icon if _EMOJI.fullmatch(self.icon) else ""
        return {key: value for key, value in (("username", name), ("icon_emoji", icon)) if value}


def author_of(persona: Persona) -> Author:
    return Author(persona.name or persona.role, persona.icon)


def named(author: Author, message: Message) -> Message:
    """The message with its speaker's name in bold as its first line."""
    name = escape(short(author.name.translate(_MARKS), USERNAME_CHARS_MAX))
    if not name:
        return message
    line = {"type": "context", "elements": [{"type": "mrkdwn", "text": f"*{name}*"}]}
    text = f"{cut(name, SPEAKER_ROOM - len(': '))}: {message.text}"
    return Message(cut(text, FALLBACK_CHARS_MAX), (line, *message.parts))
