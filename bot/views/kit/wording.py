"""The words of `bot/views/wording.yaml`: read once, and checked when they are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, get_args

import yaml
from pydantic import BaseModel, ConfigDict, model_validator

from bot.views.kit.leaves import Leaf, link, words
from bot.views.kit.text import short
from core import patterns
from core.domain.answers import ClaimKind, Confidence, Source
from core.domain.effects import LineKind, ReplyKind
from core.domain.session.course import Status

DATA: Final = Path(__file__).parents[1] / "wording.yaml"

Phrase = tuple[str, ...]
"""Wordings of one sentence, the fullest first: `bot.views.kit.wording` chooses and fills one."""
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
    decision_choices: Mapping[str, str]
    turns: Mapping[str, str]
    commands: Mapping[str, str]
    tips: tuple[str, ...]
    to_try: Mapping[str, str]
    to_try_in_thread: Mapping[str, str]
    brain: Mapping[str, str]
    brain_sent: tuple[str, ...]
    brain_never: tuple[str, ...]
    confidences: Mapping[Confidence, str]
    sources: Mapping[Source, str]
    credential_typed: str
    form_credential: str
    form_not_shared: str
    form_channel_unknown: str
    form_already_open: str
    form_taken_along: str
    people_only: str
    home_first_time: str
    home_introduction: str
    home_ways_in: tuple[tuple[str, str, str], ...]
    home_channels_unknown: str
    phase_states: Mapping[str, str]
    read_back_off: Mapping[str, str]
    click_again: str
    unaccepted: Mapping[str, str]
    statuses: Mapping[str, str]
    checked: str
    no_session: str
    no_such_session: str
    modes: Mapping[str, str]
    consensus: Mapping[str, str]
    stands: Mapping[str, str]
    depths: Mapping[str, str]
    name_requirements: Mapping[str, str]
    proposals_intro: str
    proposals_more: str
    proposal_outcomes: Mapping[str, str]
    reminder_outcomes: Mapping[str, str]
    cancel_for_good: str
    exports: Mapping[str, str]
    sorted_as: Mapping[ClaimKind, tuple[str, str]]

    @model_validator(mode="after")
    def _is_complete(self) -> "Wording":
        missing = {*get_args(ReplyKind), *get_args(LineKind)} - {*self.replies, *self.lines}
        missing |= {*get_args(ClaimKind)} - {*self.sorted_as}
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


# ── phrases, filled ──────────────────────────────────────────────────────────────────────────────


ARG_CHARS_MAX: Final = 300

_TOKEN: Final = patterns.compile(
    r"`(?P<code>[^`]+)`|\*(?P<bold>[^*]+)\*|\{link\|(?P<link>[^}]+)\}|(?P<plain>[^`*{]+|\{\w+\}|.)"
)
_VALUE: Final = patterns.compile(r"\{(\w+)\}")
_PLACE: Final = patterns.compile(r"\{(\w+)(?:\||\})")


def phrase_leaves(phrase: Phrase, args: Mapping[str, str]) -> list[Leaf]:
    """The fullest wording that `args` can fill, as leaves of rich text."""
    values = {name: value for name, value in args.items() if value and value.strip()}
    wording = next((text for text in phrase if _places(text) <= values.keys()), phrase[-1])
    return [_leaf(token, values) for token in _TOKEN.finditer(wording)]


def sentence(wording: str, **values: str) -> list[Leaf]:
    """A sentence that has one wording, with its places filled."""
    return phrase_leaves((wording,), values)


def _places(wording: str) -> set[str]:
    return {"url" if name == "link" else name for name in _PLACE.findall(wording)}


def _leaf(token: patterns.Match, args: Mapping[str, str]) -> Leaf:
    if code := token["code"]:
        return words(_filled(code, args), code=True)
    if bold := token["bold"]:
        return words(_filled(bold, args), bold=True)
    if label := token["link"]:
        return link(args.get("url", ""), label)
    return words(_filled(token["plain"], args))


def _filled(text: str, args: Mapping[str, str]) -> str:
    return _VALUE.sub(lambda place: _value(args, place[1]), text)


def _value(args: Mapping[str, str], name: str) -> str:
    return short(args.get(name, ""), ARG_CHARS_MAX)
