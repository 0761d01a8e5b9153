"""Whether the token may read threads: what the bot does after it was away.

Slack checks the scope before it looks for the thread, so no real one is needed. An app that is
distributed outside the Marketplace is given one such call a minute: the second is refused.
docs: reference/methods/conversations.replies, apis/web-api/rate-limits
"""

from collections.abc import Callable
from typing import Final

from bot.cli.doctor.asking import Silence, SlackAnswer, ask
from bot.cli.doctor.check import Check, DoctorCheck
from bot.cli.doctor.setup import Setup
from bot.web_api.api_errors import MISSING_SCOPE

THREADS: Final = DoctorCheck("threads", "slack", "conversations.replies, twice")
NO_CHANNEL: Final = "C00000000"
NO_TS: Final = "1.000000"
LIMITED: Final = "asked too often"
OFF: Final = "what people write while the bot is offline may be lost"
SCOPE_REMEDY: Final = (
    "Add channels:history and groups:history at https://api.slack.com/apps, your app, OAuth & "
    "Permissions; then install the app again."
)
LIMITS_REMEDY: Final = (
    "Keep the app internal to your workspace (do not activate its public distribution), or turn "
    "Delayed Events on in the app's Event Subscriptions."
)
LATER: Final = "Run this again in a minute."


def check(setup: Setup, now: Callable[[], float]) -> Check:
    """Asks twice. `setup` has a bot token that Slack knows."""
    first, second = _ask(setup, now), _ask(setup, now)
    if isinstance(first, Silence):
        return THREADS.warn(f"not checked, because Slack said nothing ({first.why})", LATER)
    if first.error == MISSING_SCOPE:
        return THREADS.fail(f"they cannot be read: {OFF}", SCOPE_REMEDY)
    if isinstance(second, Silence) and second.why == LIMITED:
        return THREADS.warn(f"Slack lets this app read one a minute: {OFF}", LIMITS_REMEDY)
    return THREADS.ok("they can be read back")


def _ask(setup: Setup, now: Callable[[], float]) -> SlackAnswer | Silence:
    url, token = setup.settings.api_url, setup.settings.bot_token
    assert token is not None
    return ask(url, token, "conversations.replies", now, channel=NO_CHANNEL, ts=NO_TS, limit=1)
