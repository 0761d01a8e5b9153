"""Names of people, asked of Slack once in a while and remembered."""

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.characters import readable
from core.domain.ids import TeamId, UserId

KNOWN_S: Final = 3_600.0
UNKNOWN_S: Final = 300.0
NAMES_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """What users.info said of somebody; `good_until` is of the directory's clock."""

    name: str = ""
    is_stranger: bool = False  # a bot, or of another workspace
    good_until: float = 0.0


NOT_ASKED: Final = DirectoryEntry()


class SlackDirectory:
    """`core.ports.Directory` over users.info. Needs `users:read`; without it nobody has a name."""

    def __init__(
        self,
        clients: Callable[[TeamId], SlackClient],
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clients = clients
        self._now = now
        self._lock = threading.Lock()
        self._people: dict[tuple[TeamId, UserId], DirectoryEntry] = {}

    def names(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        names = {user: self._name(team, user) for user in dict.fromkeys(users)}
        return {user: name for user, name in names.items() if name}

    def strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        """Bots among them, and people of other workspaces (Slack Connect), as users.info says."""
        self.names(team, users)
        return self.remembered_strangers(team, users)

    def remembered_strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        """Those known already to be. Never asks Slack."""
        people = self._remembered(team, users)
        return frozenset(user for user, person in people.items() if person.is_stranger)

    def remembered(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        """Those known already. Never asks Slack: for what must be answered at once."""
        people = self._remembered(team, users)
        return {user: person.name for user, person in people.items() if person.name}

    def _remembered(
        self, team: TeamId, users: Collection[UserId]
    ) -> Mapping[UserId, DirectoryEntry]:
        with self._lock:
            return {user: self._people.get((team, user), NOT_ASKED) for user in users}

    def _name(self, team: TeamId, user: UserId) -> str:
        person = self._remembered(team, (user,))[user]
        if self._now() < person.good_until:
            return person.name
        answer = self._clients(team).lookups.user(user)
        if not isinstance(answer, Failure):
            is_stranger = bool(answer.get("is_bot")) or answer.get("team_id") not in (None, team)
            person = DirectoryEntry(_shown(answer) or person.name, is_stranger)
        good_until = self._now() + (KNOWN_S if person.name else UNKNOWN_S)
        with self._lock:
            if len(self._people) >= NAMES_MAX:
                self._people.pop(next(iter(self._people)))
            # an old name is better than none, where Slack does not answer
            self._people[team, user] = replace(person, good_until=good_until)
        return person.name


def _shown(user: Mapping[str, Any]) -> str:
    """The display name, else the real name, else the account's: one line that turns no other."""
    profile = user.get("profile") or {}
    wanted = (profile.get("display_name"), profile.get("real_name"), user.get("name"))
    names = (" ".join(readable(str(name)).split()) for name in wanted if name)
    return next(filter(None, names), "")
