"""The app as Slack knows it: its client id and secret, and the codes people's consent gave it.

A code is good once, for ten minutes, for this client and for the address it was sent to.
Guarded by the workspace's lock. docs: authentication/installing-with-oauth
"""

import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from bot.devtools.workspace.installation import TeamInstallation
from bot.devtools.workspace.state import StoredPerson
from bot.devtools.workspace.values import Json

CODE_S_MAX: Final = 600.0
SECRET_BYTES: Final = 16
CLIENT_DIGITS: Final = 10
LOCAL_HOSTS: Final = ("127.0.0.1", "localhost")


ORGANISATION_WIDE: Final[Json] = {
    "team": None,
    "enterprise": {"id": "E0LOCAL01", "name": "Local organisation"},
    "is_enterprise_install": True,
}
ROTATING: Final[Json] = {"refresh_token": "xoxe-1-local", "expires_in": 43_200}
"""What `SlackApp.answers` may be: an installation by a whole organisation, a token that expires."""


class ConsentError(Exception):
    """Nobody is asked: the address is wrong. Its text is Slack's code for what is wrong."""


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """What the app asks of a person: these scopes, and to be told at that address.

    `sent_uri`: the address if the app named it, or else ""; then it need not name it again.
    """

    scopes: frozenset[str]
    redirect_uri: str
    state: str
    sent_uri: str

    @property
    def origin(self) -> str:
        return origin_of(self.redirect_uri)

    def answer(self, **fields: str) -> str:
        """Where the person's browser is sent."""
        sign = "&" if urlsplit(self.redirect_uri).query else "?"
        return f"{self.redirect_uri}{sign}{urlencode({**fields, 'state': self.state})}"


@dataclass(frozen=True, slots=True)
class GrantedConsent:
    """What a person allowed the app, until the app fetches its token for it."""

    installation: TeamInstallation
    person: StoredPerson
    request: ConsentRequest
    since: float = field(default_factory=time.monotonic)


class SlackApp:
    """`scopes`: those it may ask for; `redirect_urls`: where codes may be sent, what lies beneath
    each of them included; none means any address of this machine."""

    def __init__(self, scopes: Collection[str] = (), redirect_urls: Collection[str] = ()) -> None:
        first, second = (secrets.randbelow(10**CLIENT_DIGITS) for _ in range(2))
        self.client_id = f"{first:0{CLIENT_DIGITS}}.{second:0{CLIENT_DIGITS}}"
        self.client_secret = secrets.token_hex(SECRET_BYTES)
        self._scopes = frozenset(scopes)
        self._redirect_urls = tuple(redirect_urls)
        self._consents: dict[str, GrantedConsent] = {}
        self.answers: Json = {}  # fields that oauth.v2.access answers otherwise

    def request(self, url: str) -> ConsentRequest:
        """What the query of that address asks. Raises `ConsentError`."""
        query = dict(parse_qsl(urlsplit(url).query))
        if query.get("client_id") != self.client_id:
            raise ConsentError("invalid_client_id")
        scopes = frozenset(scope for scope in query.get("scope", "").split(",") if scope)
        if not scopes or scopes - self._scopes or query.get("user_scope"):
            raise ConsentError("invalid_scope")
        sent_uri = query.get("redirect_uri", "")
        redirect_uri = sent_uri or next(iter(self._redirect_urls), "")
        if not self._redirects_to(redirect_uri):
            raise ConsentError("bad_redirect_uri")
        return ConsentRequest(scopes, redirect_uri, query.get("state", ""), sent_uri)

    def allow(self, consent: GrantedConsent) -> str:
        """Where the browser is sent, with the code for which the app gets its token."""
        code = f"{self.client_id}.{secrets.token_hex(SECRET_BYTES)}"
        self._consents[code] = consent
        return consent.request.answer(code=code)

    def exchange(self, code: str, redirect_uri: str) -> GrantedConsent | str:
        """What the code stands for, and it is used up then; else Slack's error."""
        consent = self._consents.get(code)
        if consent is None or time.monotonic() - consent.since > CODE_S_MAX:
            return "invalid_code"
        if consent.request.sent_uri not in ("", redirect_uri):
            return "bad_redirect_uri"
        del self._consents[code]
        return consent

    def _redirects_to(self, url: str) -> bool:
        try:
            origin_of(url)
        except ValueError:  # no number stands where the port should
            return False
        if self._redirect_urls:
            beneath = (own.rstrip("/") + "/" for own in self._redirect_urls)
            return url in self._redirect_urls or url.startswith(tuple(beneath))
        parts = urlsplit(url)
        return parts.scheme == "http" and parts.hostname in LOCAL_HOSTS


def origin_of(url: str) -> str:
    """Scheme, host and port of an address. Raises `ValueError` for a port that is no number."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
