"""The settings and the three secrets: what cannot be used, what nobody reads, what can be served.

No secret is shown.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pydantic import SecretStr

from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.server.configuration.setting_values import SettingProblem, remedy
from bot.server.configuration.settings import (
    INSTALLED,
    NEEDED,
    Settings,
    SettingsError,
    load,
    variables,
)
from bot.views.kit.names import counted
from core import patterns

TOKENS: Final = (
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
)
OURS: Final = "ROUNDTABLE_"
PREFIXES: Final = (OURS, "SLACK_")
VALUES: Final = "reading the environment"
NAMES: Final = "the names in the environment that begin with ROUNDTABLE_"
SHOWN_CHARS: Final = 5  # xoxb- and xapp- say what it is, and nothing of what it opens
_HEX: Final = patterns.compile(r"[0-9a-f]{32}")

BOT: Final = DoctorCheck("bot token", "tokens", "the form of SLACK_BOT_TOKEN")
APP: Final = DoctorCheck("app token", "tokens", "the form of SLACK_APP_TOKEN")
SIGNING: Final = DoctorCheck("signing secret", "tokens", "the form of SLACK_SIGNING_SECRET")
MODES: Final = DoctorCheck("modes", "tokens", "what serve needs against what is set")


@dataclass(frozen=True, slots=True)
class Setup:
    """`settings` has its default where a value cannot be used; `problems` are by variable."""

    settings: Settings
    problems: Mapping[str, SettingProblem]

    def unusable(self, name: str) -> str | None:
        """Why a check that needs this setting cannot be made, if it cannot."""
        return f"{name} cannot be used" if name in self.problems else None


def read_setup() -> Setup:
    """The settings as the environment has them."""
    try:
        return Setup(load(), {})
    except SettingsError as error:
        problems = {problem.name: problem for problem in error.problems}
    fields = {name: Settings.model_fields[field] for field, name in variables().items()}
    instead = {name: field.default for name, field in fields.items() if name in problems}
    return Setup(Settings.model_validate(instead), problems)


def checks(setup: Setup) -> Iterator[Check]:
    """Each setting, then the secrets."""
    wrong = [problem for name, problem in setup.problems.items() if name not in TOKENS]
    for problem in wrong:
        yield DoctorCheck(problem.name, "settings", VALUES).fail(problem.fault, problem.remedy)
    if not wrong:
        set_count = sum(bool(os.environ.get(name)) for name in variables().values())
        summary = f"{set_count or 'none'} set; the others have their defaults"
        yield DoctorCheck("settings", "settings", VALUES).ok(summary)
    yield from _unknown(setup)
    yield from _token_checks(setup)


def _unknown(setup: Setup) -> Iterator[Check]:
    names = {_bare(name): name for name in variables().values()}
    for name in sorted(os.environ):
        if not name.startswith(OURS) or name in names.values() or name in setup.problems:
            continue
        meant = get_close_matches(_bare(name), names, n=1)
        instead = f"Rename it to {names[meant[0]]}, or take it away." if meant else "Take it away."
        yield DoctorCheck(name, "settings", NAMES).warn("no setting has this name", instead)


def _bare(name: str) -> str:
    return next((name.removeprefix(prefix) for prefix in PREFIXES if name.startswith(prefix)), name)


def _token_checks(setup: Setup) -> Iterator[Check]:
    looks = ((BOT, _bot), (APP, _app), (SIGNING, _signing))
    for name, (question, look) in zip(TOKENS, looks, strict=True):
        problem = setup.problems.get(name)
        yield question.fail(problem.fault, problem.remedy) if problem else look(setup.settings)
    yield _modes(setup.settings)


def _bot(settings: Settings) -> Check:
    if settings.serves_installations:
        return BOT.ok("not set; workspaces install the app")
    token = settings.bot_token
    return BOT.ok(_form(token)) if token else BOT.fail("not set", remedy("SLACK_BOT_TOKEN"))


def _app(settings: Settings) -> Check:
    token = settings.app_token
    return APP.ok(_form(token) if token else "not set; only Socket Mode needs it")


def _signing(settings: Settings) -> Check:
    secret = settings.signing_secret
    if secret is None:
        return SIGNING.ok("not set; only HTTP needs it")
    value = secret.get_secret_value()
    if _HEX.fullmatch(value):
        return SIGNING.ok("32 hexadecimal digits")
    length = counted(len(value), "character")
    length_found = f"{length}; Slack's have 32 hexadecimal digits"
    return SIGNING.warn(length_found, remedy("SLACK_SIGNING_SECRET"))


def _modes(settings: Settings) -> Check:
    needed = {"http": INSTALLED} if settings.serves_installations else NEEDED
    served = {mode: fields for mode, fields in needed.items() if mode != "worker"}
    fit = [f"--{mode}" for mode, fields in served.items() if _all_there(settings, fields)]
    if fit:
        return MODES.ok(f"roundtable serve {' or '.join(fit)}")
    return MODES.fail("neither Socket Mode nor HTTP can be served", REMEDIES["modes"])


def _all_there(settings: Settings, fields: tuple[str, ...]) -> bool:
    return all(getattr(settings, field) for field in fields)


def _form(token: SecretStr) -> str:
    value = token.get_secret_value()
    return f"{value[:SHOWN_CHARS]}…, {counted(len(value), 'character')}"
