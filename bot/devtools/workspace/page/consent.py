"""The install page: a person is asked whether the app may come into their team, Allow or Cancel.

It stands where Slack's own does, without the page's token in its address: an app must know it.
Where there is a page, only a browser that has opened it is let in. docs:
authentication/installing-with-oauth
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bot.devtools.workspace.page import rendering
from bot.devtools.workspace.page.guard import NO_CACHE, POLICY
from bot.devtools.workspace.slack_app import ConsentError

if TYPE_CHECKING:
    from bot.devtools.workspace.server import LocalWorkspace
    from bot.devtools.workspace.team import LocalTeam

PATH: Final = "/oauth/v2/authorize"
STYLES: Final = ("blocks.css", "page.css")
STYLE_PATH: Final = "/oauth/v2/static/"
BODY_BYTES_MAX: Final = 20_000
SAYS: Final = {
    "invalid_client_id": "Invalid client_id parameter: this workspace knows another app.",
    "invalid_scope": "Invalid permissions requested: none at all, or some that the app has not.",
    "bad_redirect_uri": "redirect_uri did not match any configured URIs.",
    "no_person": "Nobody here has that name.",
}


class ConsentRoutes:
    """`admit`: lets the browser of a request in, or raises."""

    def __init__(self, slack: "LocalWorkspace", admit: Callable[[Request], None]) -> None:
        self._slack = slack
        self._admit = admit

    def routes(self) -> list[BaseRoute]:
        return [
            Route(PATH, self.ask, methods=["GET"]),
            Route(PATH, self.decide, methods=["POST"]),
            *(Route(f"{STYLE_PATH}{name}", self.style, name=name) for name in STYLES),
        ]

    def ask(self, request: Request) -> Response:
        self._admit(request)
        query = request.url.query
        try:
            consent_request = self._slack.app.request(f"?{query}")
        except ConsentError as wrong:
            return _refusal(str(wrong))
        wanted = request.query_params.get("team", "")
        teams = [team for team in self._slack.teams if wanted in ("", team.team_id)]
        html = _html("consent.html", asked=consent_request, query=request.query_params, teams=teams)
        return _page(html, 200, allowed=consent_request.origin)

    async def decide(self, request: Request) -> Response:
        self._admit(request)
        body = (await request.body())[:BODY_BYTES_MAX].decode("ascii", "replace")
        fields = dict(parse_qsl(body))
        team = self._team_of(fields.get("person", ""))
        if team is None:
            return _refusal("no_person")
        allow = fields.get("decision") == "allow"
        try:
            url = team.consent(fields["person"], f"?{body}", allow=allow)
        except ConsentError as wrong:
            return _refusal(str(wrong))
        return RedirectResponse(url, status_code=302)

    def _team_of(self, person: str) -> "LocalTeam | None":
        for team in self._slack.teams:
            if person in [member.id for member in team.people]:
                return team
        return None

    async def style(self, request: Request) -> Response:
        return Response(
            rendering.static(request.url.path.rpartition("/")[2]), media_type="text/css"
        )


def _refusal(code: str) -> Response:
    return _page(_html("consent_refused.html", line=SAYS[code]), 400)


def _html(template: str, **values: Any) -> str:
    return rendering.template(template, styles=[STYLE_PATH + name for name in STYLES], **values)


def _page(html: str, status: int, allowed: str = "") -> Response:
    """`allowed`: where the browser may be sent by its form beside this page."""
    policy = POLICY.replace("form-action 'self'", f"form-action 'self' {allowed}".strip())
    headers = {
        "Content-Security-Policy": policy,
        "Cache-Control": NO_CACHE,
        "Referrer-Policy": "same-origin",  # or a browser says that its form came from nowhere
    }
    return Response(html, status, headers, "text/html; charset=utf-8")
