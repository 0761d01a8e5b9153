"""The settings as far as they can be used: what is wrong with one must not hide the others."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.server.settings import SettingProblem, Settings, SettingsError, load, variables


@dataclass(frozen=True, slots=True)
class Setup:
    """`settings` has its default where a value cannot be used; `problems` are by variable."""

    settings: Settings
    problems: Mapping[str, SettingProblem]

    def unusable(self, name: str) -> str | None:
        """Why a check that needs this setting cannot be made, if it cannot."""
        return f"{name} cannot be used" if name in self.problems else None


def read() -> Setup:
    """What the environment says."""
    try:
        return Setup(load(), {})
    except SettingsError as error:
        problems = {problem.name: problem for problem in error.problems}
    fields = {name: Settings.model_fields[field] for field, name in variables().items()}
    instead = {name: field.default for name, field in fields.items() if name in problems}
    return Setup(Settings.model_validate(instead), problems)


def remedy_for(field: str) -> str:
    return f"{Settings.model_fields[field].description}."
