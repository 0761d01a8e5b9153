"""How far this machine's clock is from Slack's. A signed request is refused from 300 s on."""

from email.utils import parsedate_to_datetime
from typing import Final

from bot.cli.doctor.asking import SlackAnswer
from bot.cli.doctor.check import Check, DoctorCheck
from bot.web_api.api_errors import said_in

WARN_S: Final = 60
FAIL_S: Final = 240
REMEDY: Final = (
    "Let this machine keep its time by NTP (timedatectl set-ntp true). "
    "Requests that Slack signed over 300 s ago are refused."
)

CLOCK: Final = DoctorCheck("clock", "clock", "our time against the Date of the answer to auth.test")


def check(said: SlackAnswer) -> Check:
    date = said_in(said.headers, "date")
    try:
        theirs = parsedate_to_datetime(date or "").timestamp()
    except ValueError:
        return CLOCK.unasked("the answer has no date", "Look whether a proxy takes it away.")
    ahead_s = round((said.sent_at + said.received_at) / 2 - theirs)
    if abs(ahead_s) <= 1:  # a date has whole seconds
        return CLOCK.ok("as Slack's")
    found = f"{abs(ahead_s)} s {'ahead of' if ahead_s > 0 else 'behind'} Slack's"
    if abs(ahead_s) > FAIL_S:
        return CLOCK.fail(found, REMEDY)
    return CLOCK.warn(found, REMEDY) if abs(ahead_s) > WARN_S else CLOCK.ok(found)
