"""The keys of tokens: what is written down of a token that opens a workspace, and opened again.

The team is inside what is encrypted, so that a row that was copied to another team opens nothing.
The first key encrypts, each one decrypts.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from core.domain.ids import TeamId

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

NAME_CHARS: Final = 12


class UnreadableTokenError(Exception):
    """A token that no key opens, or that is another workspace's. Its text names the workspace."""


def new_key() -> str:
    """A key that nobody has had before."""
    from cryptography.fernet import Fernet

    return Fernet.generate_key().decode()


def name_of(key: str) -> str:
    """What a key is called where it may be seen: it opens nothing."""
    return hashlib.sha256(key.encode()).hexdigest()[:NAME_CHARS]


class TokenKeys:
    def __init__(self, keys: Sequence[str]) -> None:
        """Raises `ValueError` where one is no key, or there is none."""
        self._fernet = _fernet(keys)
        self.names = tuple(map(name_of, keys))

    def seal(self, team: TeamId, token: str) -> str:
        return self._fernet.encrypt(json.dumps([team, token]).encode()).decode()

    def open(self, team: TeamId, sealed: str) -> str:
        """The token. Raises `UnreadableTokenError`."""
        from cryptography.fernet import InvalidToken

        try:
            owner, token = json.loads(self._fernet.decrypt(sealed.encode()))
        except (InvalidToken, ValueError, UnicodeError) as error:
            raise UnreadableTokenError(f"no key opens the token of {team}") from error
        if owner != team:
            raise UnreadableTokenError(f"the token of {team} is another workspace's")
        return str(token)

    def seal_anew(self, team: TeamId, sealed: str) -> str:
        """The same token under the first key. Raises `UnreadableTokenError`."""
        return self.seal(team, self.open(team, sealed))


def _fernet(keys: Sequence[str]) -> "MultiFernet":
    from cryptography.fernet import Fernet, MultiFernet

    return MultiFernet([Fernet(key) for key in keys])
