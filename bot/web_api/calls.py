"""One call to Slack's Web API, and what its answers tell of the scopes we have.

One attempt: trying again is the outbox's business. The token is in no log, no message, no repr.
"""

import logging
import ssl
from collections.abc import Callable, Mapping
from functools import cache
from http.client import HTTPException
from typing import Any, Final

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.web_api import api_errors
from core.ports import NOT_INSTALLED, Refused

Answer = Mapping[str, Any]
Observe = Callable[[str, Answer | api_errors.Failure], None]
NOT_HERE: Final = Refused(NOT_INSTALLED, "token_revoked")

log = structlog.get_logger(__name__)
QUIET: Final = logging.getLogger(
    "bot.web_api.client.sdk"
)  # the SDK's own log quotes what people wrote
QUIET.setLevel(logging.CRITICAL)


@cache
def tls_context() -> ssl.SSLContext:
    """How Slack's certificate is checked; slack_sdk would read ours anew, 20 ms, at each call."""
    return ssl.create_default_context()


def unobserved(_method: str, _answer: Answer | api_errors.Failure) -> None: ...


class Calls:
    """`scopes`: those Slack named last, None before it named any; `missed`: those it asked for.

    Without a token nothing is called. `installs`: a token that is refused comes back with the next
    installation, so that what was to be done waits for that.
    """

    def __init__(
        self,
        token: str | None,
        base_url: str,
        timeout_s: int,
        scopes: frozenset[str] | None,
        *,
        installs: bool = False,
    ) -> None:
        self._may_call = token is not None
        self._installs = installs
        self._web = WebClient(
            token,
            base_url=base_url,
            timeout=timeout_s,
            ssl=tls_context(),
            retry_handlers=[],
            logger=QUIET,
        )
        self.base_url = self._web.base_url
        self.scopes = scopes
        self.missed: set[str] = set()
        self.observe: Observe = unobserved
        """Called with the method and what came of each call."""

    def call(
        self, twice: api_errors.Twice, method: str, args: Mapping[str, Any], *, form: bool = False
    ) -> Answer | api_errors.Failure:
        """Slack's answer, or what its refusal or silence means where `twice` is done.

        Reading methods take a form only; what has blocks goes as JSON.
        """
        answer = self._answer(twice, method, args, form=form)
        self.observe(method, answer)
        return answer

    def _answer(
        self, twice: api_errors.Twice, method: str, args: Mapping[str, Any], *, form: bool
    ) -> Answer | api_errors.Failure:
        if not self._may_call:
            return NOT_HERE
        arguments = {name: value for name, value in args.items() if value is not None}
        try:
            response = self._web.api_call(
                method, params=arguments if form else None, json=None if form else arguments
            )
        except SlackApiError as error:
            self._learn(error.response.headers)
            self._miss(method, error.response)
            return self._refusal(api_errors.translated(twice, error.response))
        except (OSError, HTTPException) as error:
            return api_errors.after_no_answer(twice, error)
        self._learn(response.headers)
        return response.data if isinstance(response.data, dict) else {}

    def _refusal(self, failure: api_errors.Failure) -> api_errors.Failure:
        if not isinstance(failure, Refused) or failure.reason != "token_revoked":
            return failure
        if not self._installs:
            return failure
        log.warning("slack.token-refused", error=failure.error)
        return NOT_HERE

    def lacks(self, scope: str) -> bool:
        """True if we know that we may not. The first time it is logged."""
        lacking = scope in self.missed or (self.scopes is not None and scope not in self.scopes)
        if lacking and scope not in self.missed:
            self.missed.add(scope)
            log.warning("slack.scope-missing", scope=scope)
        return lacking

    def _learn(self, headers: Mapping[str, str]) -> None:
        scopes = api_errors.said_in(headers, "x-oauth-scopes")
        if scopes is not None:
            self.scopes = frozenset(scope.strip() for scope in scopes.split(",") if scope.strip())
            self.missed -= self.scopes

    def _miss(self, method: str, response: Any) -> None:
        """A refusal that names the missing scope is remembered, and logged once."""
        needed = str(response.get("needed") or "")
        if (
            response.get("error") == api_errors.MISSING_SCOPE
            and needed
            and needed not in self.missed
        ):
            self.missed.add(needed)
            log.warning("slack.scope-missing", scope=needed, method=method)
