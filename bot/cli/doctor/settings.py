"""The settings: each one that cannot be used, and each name that nobody reads."""

import os
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from bot.cli.doctor.check import Check, DoctorCheck
from bot.cli.doctor.setup import Setup
from bot.server.settings import variables

TOKENS: Final = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET")  # see `tokens`
OURS: Final = "ROUNDTABLE_"
PREFIXES: Final = (OURS, "SLACK_")
VALUES: Final = "reading the environment"
NAMES: Final = "the names in the environment that begin with ROUNDTABLE_"


def checks(setup: Setup) -> Iterator[Check]:
    wrong = [problem for name, problem in setup.problems.items() if name not in TOKENS]
    for problem in wrong:
        yield DoctorCheck(problem.name, "settings", VALUES).fail(problem.fault, problem.remedy)
    if not wrong:
        given = sum(bool(os.environ.get(name)) for name in variables().values())
        found = f"{given or 'none'} set; the others have their defaults"
        yield DoctorCheck("settings", "settings", VALUES).ok(found)
    yield from _unknown(setup)


def _unknown(setup: Setup) -> Iterator[Check]:
    known = {_bare(name): name for name in variables().values()}
    for name in sorted(os.environ):
        if not name.startswith(OURS) or name in known.values() or name in setup.problems:
            continue
        meant = get_close_matches(_bare(name), known, n=1)
        remedy = f"Rename it to {known[meant[0]]}, or take it away." if meant else "Take it away."
        yield DoctorCheck(name, "settings", NAMES).warn("no setting has this name", remedy)


def _bare(name: str) -> str:
    return next((name.removeprefix(prefix) for prefix in PREFIXES if name.startswith(prefix)), name)
