"""What Slack says: who we are, what we may do, whether it lets us in, and what time it is."""

from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

from bot.cli.doctor.asking import Silence, SlackAnswer, ask
from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.cli.doctor.settings import Setup
from bot.server.bolt_app import SCOPES
from bot.server.configuration.setting_values import remedy
from bot.web_api.api_errors import MISSING_SCOPE, said_in

AUTH: Final = DoctorCheck("Slack", "slack", "auth.test")
GRANTED: Final = DoctorCheck("scopes", "slack", "X-OAuth-Scopes of auth.test against manifest.yml")
SOCKET: Final = DoctorCheck("Socket Mode", "slack", "apps.connections.open")
OPERATORS: Final = DoctorCheck(
    "operators' channel", "slack", "conversations.info, or conversations.history without its scope"
)

UNKNOWN: Final = "Slack did not say who we are"
APP_PAGE: Final = "https://api.slack.com/apps, your app"
AUTH_REMEDIES: Final[Mapping[str, str]] = {
    "invalid_auth": remedy("SLACK_BOT_TOKEN"),
    "not_authed": remedy("SLACK_BOT_TOKEN"),
    "not_allowed_token_type": remedy("SLACK_BOT_TOKEN"),
    "token_revoked": REMEDIES["install-again"],
    "account_inactive": REMEDIES["install-again"],
    "token_expired": "Make the app anew from manifest.yml: its tokens do not expire.",
}
CHANNEL_FAULTS: Final[Mapping[str, str]] = {
    "channel_not_found": "there is no such channel, or it is private and the bot is not in it",
    "not_in_channel": "the bot is not in it",
}

Now = Callable[[], float]


def checks(setup: Setup, now: Now) -> Iterator[Check]:
    """Nothing where workspaces install the app: each has a token of its own."""
    if setup.settings.serves_installations:
        return
    auth = _who(setup, now)
    yield _auth(auth) if isinstance(auth, SlackAnswer) else auth
    if isinstance(auth, SlackAnswer) and auth.error is None:
        yield _scopes(auth)
        yield _thread_reading(setup, now)
    else:
        yield GRANTED.unasked(UNKNOWN)
        yield THREADS.unasked(UNKNOWN)
    yield from _socket(setup, auth, now)
    yield _operators(setup, auth, now)
    yield (_clock(auth) if isinstance(auth, SlackAnswer) else CLOCK.unasked("Slack was not heard"))


def _who(setup: Setup, now: Now) -> SlackAnswer | Check:
    token, url = setup.settings.bot_token, setup.settings.api_url
    if unusable := setup.unusable("SLACK_API_URL") or setup.unusable("SLACK_BOT_TOKEN"):
        return AUTH.unasked(unusable)
    if token is None:
        return AUTH.unasked("SLACK_BOT_TOKEN is not set")
    auth = ask(url, token, "auth.test", now)
    return auth if isinstance(auth, SlackAnswer) else _silent(AUTH, url, auth)


def _silent(question: DoctorCheck, url: str, silence: Silence) -> Check:
    fault = f"no answer from {urlsplit(url).hostname} ({silence.why})"
    return (
        question.warn(fault, REMEDIES["slack-later"])
        if silence.passes
        else question.fail(fault, REMEDIES["network"])
    )


def _auth(auth: SlackAnswer) -> Check:
    if auth.error is None:
        return AUTH.ok(f"{auth.data.get('team', '')}, as @{auth.data.get('user', '')}")
    advice = f"https://docs.slack.dev/reference/methods/auth.test says what {auth.error} means."
    return AUTH.fail(f"refused: {auth.error}", AUTH_REMEDIES.get(auth.error, advice))


def _scopes(auth: SlackAnswer) -> Check:
    scopes = said_in(auth.headers, "x-oauth-scopes")
    if scopes is None:
        return GRANTED.unasked("the answer names none", "Look whether a proxy takes them away.")
    granted = {scope.strip() for scope in scopes.split(",")} - {""}
    missing = [f"{scope} ({reason})" for scope, reason in SCOPES.items() if scope not in granted]
    if missing:
        how = f"Add them at {APP_PAGE}, OAuth & Permissions; then install the app again."
        return GRANTED.fail(f"missing: {', '.join(missing)}", how)
    more = len(granted - SCOPES.keys())
    return GRANTED.ok(f"all {len(SCOPES)}" + (f", and {more} more" if more else ""))


def _socket(setup: Setup, auth: SlackAnswer | Check, now: Now) -> Iterator[Check]:
    """Nothing at all for whoever serves HTTP alone."""
    url, token = setup.settings.api_url, setup.settings.app_token
    if unusable := setup.unusable("SLACK_API_URL") or setup.unusable("SLACK_APP_TOKEN"):
        yield SOCKET.unasked(unusable)
    elif isinstance(auth, Check) and auth.state == "fail":
        yield SOCKET.unasked("Slack was not heard")
    elif token is not None:
        yield _opened(url, ask(url, token, SOCKET.method, now))
    elif setup.settings.signing_secret is None:
        yield SOCKET.unasked("SLACK_APP_TOKEN is not set", remedy("SLACK_APP_TOKEN"))


def _opened(url: str, answer: SlackAnswer | Silence) -> Check:
    if isinstance(answer, Silence):
        return _silent(SOCKET, url, answer)
    if answer.error is None:
        return SOCKET.ok("Slack lets us connect")
    how = f"Turn Socket Mode on in the app. {remedy('SLACK_APP_TOKEN')}"
    return SOCKET.fail(f"refused: {answer.error}", how)


def _operators(setup: Setup, auth: SlackAnswer | Check, now: Now) -> Check:
    settings = setup.settings
    if unusable := setup.unusable("ROUNDTABLE_OPERATORS_CHANNEL"):
        return OPERATORS.unasked(unusable)
    if settings.operators_channel is None:
        return OPERATORS.ok("not set; nobody but the owner hears of fatal faults")
    if settings.bot_token is None or not isinstance(auth, SlackAnswer) or auth.error is not None:
        return OPERATORS.unasked(UNKNOWN)
    url, token, channel = settings.api_url, settings.bot_token, settings.operators_channel
    answer = ask(url, token, "conversations.info", now, channel=channel)
    if isinstance(answer, SlackAnswer) and answer.error == MISSING_SCOPE:
        # An app that was installed before it asked for channels:read; reading says as much.
        answer = ask(url, token, "conversations.history", now, channel=channel, limit=1)
    return _silent(OPERATORS, url, answer) if isinstance(answer, Silence) else _channel(answer)


def _channel(answer: SlackAnswer) -> Check:
    if answer.error == MISSING_SCOPE:
        return OPERATORS.unasked("a scope for it is missing")
    if answer.error is not None:
        fault = CHANNEL_FAULTS.get(answer.error, f"refused: {answer.error}")
        return OPERATORS.fail(fault, REMEDIES["operators-channel"])
    about = answer.data.get("channel", {"is_member": True})
    if about.get("is_archived"):
        return OPERATORS.fail("it is archived", REMEDIES["operators-channel"])
    if not about.get("is_member"):
        return OPERATORS.fail(CHANNEL_FAULTS["not_in_channel"], REMEDIES["operators-channel"])
    return OPERATORS.ok("the bot is in it")


# ── how far our clock is from Slack's ────────────────────────────────────────────────────────────


CLOCK_WARN_S: Final = 60
CLOCK_FAIL_S: Final = 240

CLOCK: Final = DoctorCheck("clock", "clock", "our time against the Date of the answer to auth.test")


def _clock(answer: SlackAnswer) -> Check:
    date = said_in(answer.headers, "date")
    try:
        theirs = parsedate_to_datetime(date or "").timestamp()
    except ValueError:
        return CLOCK.unasked("the answer has no date", "Look whether a proxy takes it away.")
    ahead_s = round((answer.sent_at + answer.received_at) / 2 - theirs)
    if abs(ahead_s) <= 1:  # a date has whole seconds
        return CLOCK.ok("as Slack's")
    offset = f"{abs(ahead_s)} s {'ahead of' if ahead_s > 0 else 'behind'} Slack's"
    if abs(ahead_s) > CLOCK_FAIL_S:
        return CLOCK.fail(offset, REMEDIES["clock"])
    return (
        CLOCK.warn(offset, REMEDIES["clock"]) if abs(ahead_s) > CLOCK_WARN_S else CLOCK.ok(offset)
    )


# ── whether threads can be read ──────────────────────────────────────────────────────────────────


THREADS: Final = DoctorCheck("threads", "slack", "conversations.replies, twice")
NO_CHANNEL: Final = "C00000000"
NO_TS: Final = "1.000000"
LIMITED: Final = "asked too often"
OFF: Final = "what people write while the bot is offline may be lost"


def _thread_reading(setup: Setup, now: Callable[[], float]) -> Check:
    """Asks twice. `setup` has a bot token that Slack knows.

    Slack checks the scope before it looks for the thread, so no real one is needed. An app that is
    distributed outside the Marketplace is given one such call a minute: the second is refused.
    docs: reference/methods/conversations.replies, apis/web-api/rate-limits
    """
    first, second = _ask_for_thread(setup, now), _ask_for_thread(setup, now)
    if isinstance(first, Silence):
        return THREADS.warn(
            f"not checked, because Slack said nothing ({first.why})", REMEDIES["in-a-minute"]
        )
    if first.error == MISSING_SCOPE:
        return THREADS.fail(f"they cannot be read: {OFF}", REMEDIES["thread-scopes"])
    if isinstance(second, Silence) and second.why == LIMITED:
        if setup.settings.slack_app == "distributed":
            return THREADS.ok("one page a minute can be read back, as ROUNDTABLE_SLACK_APP says")
        return THREADS.warn(
            f"Slack lets this app read one a minute: {OFF}", REMEDIES["thread-limits"]
        )
    return THREADS.ok("they can be read back")


def _ask_for_thread(setup: Setup, now: Callable[[], float]) -> SlackAnswer | Silence:
    url, token = setup.settings.api_url, setup.settings.bot_token
    assert token is not None
    return ask(url, token, "conversations.replies", now, channel=NO_CHANNEL, ts=NO_TS, limit=1)
