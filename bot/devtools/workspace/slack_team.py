"""What a team is to Slack: its ids and names, and who the app is in it. Values only."""

from dataclasses import dataclass
from typing import Final

from core import patterns

_NO_HANDLE: Final = patterns.compile(r"[^a-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class SlackTeam:
    """A workspace as Slack knows it, and who the app is in it once it is installed."""

    id: str
    name: str
    domain: str
    bot_user_id: str
    bot_id: str
    number: int = 1

    @property
    def path(self) -> str:
        """What the team's addresses begin with; nothing for those of the first."""
        return "" if self.number == 1 else f"/team/{self.id}"


FIRST_TEAM: Final = SlackTeam(
    "T0LOCAL01", "Roundtable (local, not Slack)", "roundtable-local", "U0BOT0001", "B0BOT0001"
)


def further_team(name: str, number: int) -> SlackTeam:
    """The team of that place in the list; the first one has the number 1."""
    return SlackTeam(
        f"T0LOCAL{number:02d}",
        name,
        handle_of(name) or f"team-{number}",
        f"U0BOT{number:04d}",
        f"B0BOT{number:04d}",
        number,
    )


def handle_of(name: str) -> str:
    return _NO_HANDLE.sub(".", name.casefold()).strip(".")
