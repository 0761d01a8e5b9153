"""What one look at a setup found. Every line goes through here, so that none shows a token."""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from core.content.files import storable
from core.logs import redacted

State = Literal["ok", "warn", "fail"]
Group = Literal[
    "settings", "tokens", "slack", "clock", "database", "steps", "folders", "repositories",
    "brain", "program",
]  # fmt: skip

STATES: Final[tuple[State, ...]] = ("ok", "warn", "fail")
REMEDIES: Final[Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("remedies.toml").read_text("utf-8")
)
FIRST_THINGS_FIRST: Final = "Put that right, then run this again."


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what was looked at, how, what was found, and what to do unless all is well."""

    name: str
    group: Group
    state: State
    found: str
    remedy: str | None
    method: str


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """Something to look at, and the way of looking."""

    name: str
    group: Group
    method: str

    def ok(self, finding: str) -> Check:
        return self._answered("ok", finding, None)

    def warn(self, finding: str, remedy: str) -> Check:
        return self._answered("warn", finding, remedy)

    def fail(self, finding: str, remedy: str) -> Check:
        return self._answered("fail", finding, remedy)

    def unasked(self, because: str, remedy: str = FIRST_THINGS_FIRST) -> Check:
        """Something else has to be put right first."""
        return self.warn(f"not checked, because {because}", remedy)

    def _answered(self, state: State, finding: str, remedy: str | None) -> Check:
        remedy_shown = _shown(remedy) if remedy else None
        return Check(
            _shown(self.name), self.group, state, _shown(finding), remedy_shown, self.method
        )


def worst(checks: Collection[Check]) -> State:
    return max((check.state for check in checks), key=STATES.index, default="ok")


def _shown(text: str) -> str:
    """One line without a token, whatever a path, a name or a setting has in it."""
    return storable(redacted(text))
