"""How a workspace installs the app: Bolt's OAuth flow, over tables of ours and with pages of ours.

Bolt's own log line of a code that Slack refused holds the code: it goes nowhere, and what failed is
told here by its reason. No page shows what came in a request.
"""

import html
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Final

import structlog
from slack_bolt import BoltRequest, BoltResponse
from slack_bolt.error import BoltError
from slack_bolt.oauth import OAuthFlow
from slack_bolt.oauth.callback_options import CallbackOptions, FailureArgs, SuccessArgs
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.oauth import OAuthStateStore
from slack_sdk.oauth.installation_store import Installation, InstallationStore

from bot.server.bolt_app import CALL_S_MAX, SCOPES
from bot.server.configuration.install_settings import ANYBODY
from bot.server.configuration.setting_values import DATA
from bot.server.configuration.settings import Settings
from bot.web_api.api_errors import Failure
from bot.web_api.calls import QUIET, tls_context
from bot.web_api.client import SlackClient
from core.domain.ids import SessionId, TeamId
from core.ports import Clock, Workspace
from core.secrets.token_keys import TokenKeys
from core.store.repository.installations import STATE_S, Installations

INSTALL_PATH: Final = "/slack/install"
REDIRECT_PATH: Final = "/slack/oauth_redirect"
STATE_BYTES: Final = 32
HTML: Final = "text/html; charset=utf-8"
WORDS: Final[Mapping[str, str]] = DATA["installing"]
OTHERWISE: Final = "other"
PRIVATE: Final = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
}
PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Roundtable</title>
<style>
body{{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}}
</style>
<h1>Roundtable</h1>
<p>{words}</p>
</html>
"""

log = structlog.get_logger(__name__)


class InstallRefusedError(BoltError):
    """Nothing is installed. `reason`: a row of the words that are shown."""

    def __init__(self, reason: str, status: int = 403) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


@dataclass(frozen=True, slots=True)
class InstallFlow:
    """The two pages, by their paths."""

    flow: OAuthFlow
    states: "_States"

    def answer(self, path: str, query: str, headers: Mapping[str, str]) -> BoltResponse:
        """What a browser gets. Calls Slack: for a worker. Raises nothing."""
        response = self._shown(path, query, headers)
        response.headers.update({name: [value] for name, value in PRIVATE.items()})
        if path == REDIRECT_PATH:
            response.headers["set-cookie"] = [
                self.flow.settings.state_utils.build_set_cookie_for_deletion()
            ]
        return response

    def _shown(self, path: str, query: str, headers: Mapping[str, str]) -> BoltResponse:
        try:
            if path == INSTALL_PATH:
                return self.flow.handle_installation(BoltRequest(body=""))
            request = BoltRequest(body="", query=query, headers=dict(headers))
            return self.flow.handle_callback(request)
        except InstallRefusedError as refusal:
            return _page(refusal.reason, refusal.status)
        except (OSError, HTTPException) as error:
            log.warning("install.failed", reason=type(error).__name__)
            return _page("unreachable", 502)
        except Exception as error:  # noqa: BLE001 - a code may be in its traceback
            log.error("install.broke", reason=type(error).__name__)
            return _page("storage_error", 500)


def install_flow(
    settings: Settings,
    installations: Installations,
    keys: TokenKeys,
    clock: Clock,
    wake: Callable[[SessionId], None],
) -> InstallFlow:
    """The flow of an app with these settings. `wake`: for what waited in a workspace."""
    assert settings.client_id is not None
    assert settings.client_secret is not None
    states = _States(installations, clock)
    teams, url = settings.teams_to_install, settings.api_url
    store = _Store(
        installations, keys, clock, teams, lambda token: SlackClient(token, base_url=url)
    )
    return InstallFlow(
        OAuthFlow(
            client=WebClient(
                base_url=url,
                retry_handlers=[],
                timeout=CALL_S_MAX,
                ssl=tls_context(),
                logger=QUIET,
            ),
            logger=_nowhere(),
            settings=OAuthSettings(
                client_id=settings.client_id,
                client_secret=settings.client_secret.get_secret_value(),
                scopes=list(SCOPES),
                user_scopes=[],
                redirect_uri=f"{settings.public_url}{REDIRECT_PATH}",
                install_page_rendering_enabled=False,
                authorization_url=f"{url.removesuffix('api/')}oauth/v2/authorize",
                callback_options=CallbackOptions(
                    lambda args: _installed(args, installations, wake), states.failed
                ),
                installation_store=store,
                state_store=states,
                state_expiration_seconds=int(STATE_S),
                logger=_nowhere(),
            ),
        ),
        states,
    )


def _nowhere() -> logging.Logger:
    logger = logging.getLogger("roundtable.oauth")
    logger.disabled = True
    return logger


class _States(OAuthStateStore):
    def __init__(self, installations: Installations, clock: Clock) -> None:
        self._installations = installations
        self._clock = clock

    def issue(self, *_: object, **__: object) -> str:
        """Begin one."""
        state = secrets.token_urlsafe(STATE_BYTES)
        self._installations.begin(state, at=self._clock.now())
        return state

    def consume(self, state: str) -> bool:
        return self._installations.end(state, at=self._clock.now())

    def failed(self, args: FailureArgs) -> BoltResponse:
        """What is shown where nothing was installed; what was begun is over."""
        word, status = args.reason, args.suggested_status_code
        if isinstance(args.error, InstallRefusedError):
            word, status = args.error.reason, args.error.status
        reason = word if word in WORDS else OTHERWISE
        log.warning("install.refused", reason=reason)
        if reason == "access_denied":
            self.consume(args.request.query.get("state", [""])[0])
        return _page(reason, status)


class _Store(InstallationStore):
    def __init__(
        self,
        installations: Installations,
        keys: TokenKeys,
        clock: Clock,
        teams: frozenset[str],
        client_of: Callable[[str], SlackClient],
    ) -> None:
        self._installations = installations
        self._keys = keys
        self._clock = clock
        self._teams = teams
        self._client_of = client_of

    def save(self, installation: Installation) -> None:
        """Keep it, sealed. What may not be kept is revoked: raises `InstallRefusedError`."""
        assert installation.bot_token is not None
        slack = self._client_of(installation.bot_token)
        if reason := self._refusal(installation):
            revoked = slack.revoke()
            log.warning("install.revoked", reason=reason, failure=str(revoked) if revoked else None)
            raise InstallRefusedError(reason)
        identity = slack.lookups.auth_test()
        if isinstance(identity, Failure) or identity.team != installation.team_id:
            raise InstallRefusedError("unreachable", 502)
        workspace = Workspace(
            TeamId(identity.team), identity.url, identity.bot_user, identity.bot_id, identity.name
        )
        sealed = self._keys.seal(workspace.team, installation.bot_token)
        self._installations.save(workspace, sealed, at=self._clock.now())
        log.info("workspace.installed", team=workspace.team, by=installation.user_id)

    def _refusal(self, installation: Installation) -> str:
        if installation.is_enterprise_install or installation.team_id is None:
            return "organization"
        if installation.bot_token_expires_at or installation.bot_refresh_token:
            return "rotation"
        anybody = ANYBODY in self._teams
        return "" if anybody or installation.team_id in self._teams else "not_invited"


def _installed(
    args: SuccessArgs, installations: Installations, wake: Callable[[SessionId], None]
) -> BoltResponse:
    for session in installations.sessions_of(TeamId(args.installation.team_id or "")):
        wake(session)
    return _page("installed", 200)


def _page(reason: str, status: int) -> BoltResponse:
    words = html.escape(WORDS[reason])
    return BoltResponse(
        status=status, body=PAGE.format(words=words), headers={"Content-Type": HTML}
    )
