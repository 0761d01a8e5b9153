"""The three secrets as they are written, and what can be served with them. None is shown."""

from collections.abc import Iterator
from typing import Final

from pydantic import SecretStr

from bot.cli.doctor.check import Check, DoctorCheck
from bot.cli.doctor.setup import Setup, remedy_for
from bot.server.settings import NEEDED, Settings
from bot.views.kit.names import counted
from core import patterns

SHOWN_CHARS: Final = 5  # xoxb- and xapp- say what it is, and nothing of what it opens
_HEX: Final = patterns.compile(r"[0-9a-f]{32}")

BOT: Final = DoctorCheck("bot token", "tokens", "the form of SLACK_BOT_TOKEN")
APP: Final = DoctorCheck("app token", "tokens", "the form of SLACK_APP_TOKEN")
SIGNING: Final = DoctorCheck("signing secret", "tokens", "the form of SLACK_SIGNING_SECRET")
MODES: Final = DoctorCheck("modes", "tokens", "what serve needs against what is set")


def checks(setup: Setup) -> Iterator[Check]:
    settings = setup.settings
    bot = _wrong(setup, BOT, "SLACK_BOT_TOKEN")
    app = _wrong(setup, APP, "SLACK_APP_TOKEN")
    signing = _wrong(setup, SIGNING, "SLACK_SIGNING_SECRET")
    yield bot or _bot(settings.bot_token)
    yield app or _app(settings.app_token)
    yield signing or _signing(settings.signing_secret)
    yield _modes(settings)


def _wrong(setup: Setup, question: DoctorCheck, name: str) -> Check | None:
    problem = setup.problems.get(name)
    return question.fail(problem.fault, problem.remedy) if problem else None


def _bot(token: SecretStr | None) -> Check:
    return BOT.ok(_form(token)) if token else BOT.fail("not set", remedy_for("bot_token"))


def _app(token: SecretStr | None) -> Check:
    return APP.ok(_form(token) if token else "not set; only Socket Mode needs it")


def _signing(secret: SecretStr | None) -> Check:
    if secret is None:
        return SIGNING.ok("not set; only HTTP needs it")
    value = secret.get_secret_value()
    if _HEX.fullmatch(value):
        return SIGNING.ok("32 hexadecimal digits")
    length = counted(len(value), "character")
    found = f"{length}; Slack's have 32 hexadecimal digits"
    return SIGNING.warn(found, remedy_for("signing_secret"))


def _modes(settings: Settings) -> Check:
    fit = [f"--{mode}" for mode, fields in NEEDED.items() if _all_there(settings, fields)]
    if fit:
        return MODES.ok(f"roundtable serve {' or '.join(fit)}")
    remedy = (
        "Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN for Socket Mode, or SLACK_BOT_TOKEN and "
        "SLACK_SIGNING_SECRET for HTTP. Without Slack: roundtable demo"
    )
    return MODES.fail("neither Socket Mode nor HTTP can be served", remedy)


def _all_there(settings: Settings, fields: tuple[str, ...]) -> bool:
    return all(getattr(settings, field) for field in fields)


def _form(token: SecretStr) -> str:
    value = token.get_secret_value()
    return f"{value[:SHOWN_CHARS]}…, {counted(len(value), 'character')}"
