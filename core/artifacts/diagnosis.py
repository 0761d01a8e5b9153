"""What is written down when something failed: a diagnosis as a page, the environment redacted."""

import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from core.artifacts.render.markdown import escape
from core.domain.effects import WriteReport

OURS: Final = ("ROUNDTABLE_", "SLACK_")
PLAIN: Final = frozenset(
    {
        "ROUNDTABLE_PACE_SECONDS",
        "ROUNDTABLE_QUIET_SECONDS",
        "ROUNDTABLE_BRAIN_SECONDS",
        "ROUNDTABLE_LOG_FORMAT",
        "ROUNDTABLE_LOG_LEVEL",
    }
)
PACKAGES: Final = ("slack-bolt", "slack-sdk", "sqlmodel", "pydantic")


def report_of(effect: WriteReport, title: str) -> str:
    """The report of a diagnosis (seed 002, "reports/phase2-step3-execution.md")."""
    outcome = "Put right; the step was carried out again." if effect.fixed else "Not put right."
    return (
        f"# Report: {escape(title)} ({effect.step})\n\n"
        f"- Category: {effect.category}\n"
        f"- Looked into by: {effect.tier}\n"
        f"- Outcome: {outcome}\n\n"
        f"## What was seen\n\n{escape(effect.seen)}\n\n"
        f"## What was found\n\n{escape(effect.findings)}\n"
    )


def environment() -> Mapping[str, object]:
    """Versions, and which settings are there: of most only that they are, never what they say."""
    settings = {name: value for name, value in sorted(os.environ.items()) if name.startswith(OURS)}
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in PACKAGES},
        "settings": {name: value if name in PLAIN else "[set]" for name, value in settings.items()},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
