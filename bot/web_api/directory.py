"""Names of people, asked of Slack once in a while and remembered."""

import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.characters import readable
from core.domain.ids import TeamId, UserId

KNOWN_S: Final = 3_600.0
UNKNOWN_S: Final = 300.0
NAMES_MAX: Final = 10_000


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
        self._known: dict[tuple[TeamId, UserId], tuple[str, float]] = {}  # name, good until
        self._strange: set[tuple[TeamId, UserId]] = set()

    def names(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        names = {user: self._name(team, user) for user in dict.fromkeys(users)}
        return {user: name for user, name in names.items() if name}

    def strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        """Bots among them, and people of other workspaces (Slack Connect), as users.info says."""
        self.names(team, users)
        return self.remembered_strangers(team, users)

    def remembered_strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        """Those known already to be. Never asks Slack."""
        with self._lock:
            return frozenset(user for user in users if (team, user) in self._strange)

    def remembered(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        """Those known already. Never asks Slack: for what must be answered at once."""
        with self._lock:
            entries = {user: self._known.get((team, user)) for user in users}
        return {user: entry[0] for user, entry in entries.items() if entry and entry[0]}

    def _name(self, team: TeamId, user: UserId) -> str:
        with self._lock:
            name, until = self._known.get((team, user), ("", 0.0))
        if self._now() < until:
            return name
        name = self._asked(team, user) or name  # an old name is better than none
        with self._lock:
            if len(self._known) >= NAMES_MAX:
                self._known.pop(next(iter(self._known)))
            good_for = KNOWN_S if name else UNKNOWN_S
            self._known[team, user] = (name, self._now() + good_for)
        return name

    def _asked(self, team: TeamId, user: UserId) -> str:
        answer = self._clients(team).user(user)
        if isinstance(answer, Failure):
            return ""
        if answer.get("is_bot") or answer.get("team_id") not in (None, team):
            with self._lock:
                self._strange.add((team, user))
        return _shown(answer)


def _shown(user: Mapping[str, Any]) -> str:
    """The display name, else the real name, else the account's: one line that turns no other."""
    profile = user.get("profile") or {}
    wanted = (profile.get("display_name"), profile.get("real_name"), user.get("name"))
    names = (" ".join(readable(str(name)).split()) for name in wanted if name)
    return next(filter(None, names), "")
