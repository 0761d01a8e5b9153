"""The words of `bot/views/wording.yaml`: read once, and checked when they are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, get_args

import yaml
from pydantic import BaseModel, ConfigDict, model_validator

from core.domain.answers import Confidence, Source
from core.domain.effects import LineKind, ReplyKind
from core.domain.session import Status

DATA: Final = Path(__file__).parents[1] / "wording.yaml"

Phrase = tuple[str, ...]
"""Wordings of one sentence, the fullest first: `bot.views.kit.phrases` chooses and fills one."""
ByKind = Mapping[str, Mapping[str, str]]
"""Words of a choice by the kind of menu; `any` holds those of every other kind."""


class Confirmation(BaseModel):
    """A dialog before a click counts."""

    title: str
    text: str
    yes: str
    no: str


class Wording(BaseModel):
    """The tables of the file. Its comments say what each one is for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    replies: Mapping[ReplyKind, Phrase]
    lines: Mapping[LineKind, Phrase]
    card: Mapping[str, Phrase]
    home: Mapping[Status, str]
    labels: ByKind
    confirmations: Mapping[str, Confirmation]
    recovery_leads: Mapping[str, str]
    recovery_choices: ByKind
    recovery_outcomes: ByKind
    turns: Mapping[str, str]
    commands: Mapping[str, str]
    tips: tuple[str, ...]
    to_try: Mapping[str, str]
    to_try_in_thread: Mapping[str, str]
    confidences: Mapping[Confidence, str]
    sources: Mapping[Source, str]

    @model_validator(mode="after")
    def _is_complete(self) -> "Wording":
        missing = {*get_args(ReplyKind), *get_args(LineKind)} - {*self.replies, *self.lines}
        if missing:
            raise ValueError(f"no words for {', '.join(sorted(missing))}")
        return self


def of_kind(table: ByKind, kind: str, choice: str) -> str:
    """The words of a choice in that kind of menu; empty where there are none."""
    return table.get(kind, {}).get(choice) or table["any"].get(choice, "")


WORDING: Final = Wording.model_validate(
    yaml.load(DATA.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
)


def command_notes() -> dict[str, str]:
    """What each subcommand does, by its word."""
    return {command.split()[1]: does for command, does in WORDING.commands.items()}
