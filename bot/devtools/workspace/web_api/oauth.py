"""oauth.v2.access and auth.revoke: the app gets its token for a team, and gives it back.

docs: reference/methods/oauth.v2.access, reference/methods/auth.revoke,
authentication/installing-with-oauth
"""

import hmac
from typing import Final

from bot.devtools.workspace.values import Json, shape
from bot.devtools.workspace.web_api.method import ApiError, Args, Method, MethodContext


def access(context: MethodContext, args: Args) -> Json:
    """The token for a code. It needs the client's id and secret. Raises `ApiError`."""
    if args.text("client_id") != context.app.client_id:
        raise ApiError("invalid_client_id")
    secret = args.text("client_secret").encode()
    if not hmac.compare_digest(secret, context.app.client_secret.encode()):
        raise ApiError("bad_client_secret")
    if args.text("grant_type") not in ("", "authorization_code"):
        raise ApiError("invalid_grant_type")
    consent = context.app.exchange(args.text("code"), args.text("redirect_uri"))
    if isinstance(consent, str):
        raise ApiError(consent)
    token = consent.installation.issue(consent.request.scopes)
    team = consent.person.team
    answer = shape(
        "installed",
        access_token=token,
        scope=",".join(sorted(consent.installation.scopes)),
        bot_user_id=team.bot_user_id,
        team={"id": team.id, "name": team.name},
        authed_user={"id": consent.person.id},
    )
    return answer | context.app.answers


def revoke(context: MethodContext, args: Args) -> Json:
    """End the token of this call; the app stays installed, its bot is in no channel any more."""
    if args.flag("test"):
        return {"revoked": False}
    context.announcer.left("token_revoked", ("tokens_revoked",))
    return {"revoked": True}


METHODS: Final = {
    "oauth.v2.access": Method(access, token="client"),  # noqa: S106 - a kind
    "auth.revoke": Method(revoke),
}
