"""The app in one team: its bot token, what it was granted, and the tokens it had before.

Guarded by the workspace's lock. docs: authentication/installing-with-oauth,
authentication/tokens, reference/methods/auth.revoke
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

TOKEN_BYTES: Final = 16


@dataclass(slots=True)
class TeamInstallation:
    """`token` is empty while the app is not installed."""

    scopes: frozenset[str] = frozenset()
    token: str = ""
    ended: dict[str, str] = field(default_factory=dict)  # former tokens → Slack's answer to them

    @property
    def is_active(self) -> bool:
        return bool(self.token)

    def issue(self, scopes: Iterable[str]) -> str:
        """The token: the one there is, with these scopes too, or else a new one with them alone."""
        if self.is_active:
            self.scopes |= frozenset(scopes)
        else:
            self.scopes = frozenset(scopes)
            self.token = f"xoxb-local-{secrets.token_hex(TOKEN_BYTES)}"
        return self.token

    def end(self, error: str) -> None:
        """The token is no longer good. `error`: how a call with it is refused from now on."""
        self.ended[self.token] = error
        self.token = ""
