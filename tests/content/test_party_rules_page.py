"""docs/reference/party.md says what the code does: its tables and its example are made from it."""

from pathlib import Path

import pytest

from bot.views.kit import menus
from bot.views.kit.wording import WORDING, of_kind
from core.artifacts.files.state import state_text
from core.content.models.party import MESSAGES_MAX
from core.domain.ids import ChannelId, PhaseKey, RunId, SessionId, Slug, TeamId, UserId
from core.domain.party import Protocol
from core.domain.session.council import CouncilRecord
from core.domain.session.menu import MenuKind
from core.domain.session.party_state import PartyState
from core.domain.session.session import Session
from core.engine.council import debate
from core.engine.flow.rounds import CHANGED_AT, ROUNDS, Round
from core.engine.start import party

PAGE = (Path(__file__).parents[2] / "docs/reference/party.md").read_text(encoding="utf-8")
MENUS: dict[str, tuple[MenuKind, tuple[str, ...]]] = {
    "E-001": ("no-team", party.NO_TEAM_CHOICES),
    "E-005": ("all-failed", debate.ALL_FAILED_CHOICES),
    "E-008": ("state-unwritten", party.STATE_CHOICES),
}


def where(row: Round) -> str:
    if row.people_next:
        return "merged and numbered, each in its asker's thread; then people answer"
    return "its own thread" if row.own_thread else "the card's thread"


def rounds_table(protocol: Protocol) -> str:
    lines = ["| Round | Who | Counted | Where |", "|---|---|---|---|"]
    for number, row in enumerate(ROUNDS[protocol]):
        again = "; again after changes" if number == CHANGED_AT[protocol] else ""
        counted = "yes" if row.counted else "no"
        lines.append(f"| {row.want} | {row.who} | {counted} | {where(row)}{again} |")
    return "\n".join(lines)


def menus_table() -> str:
    lines = ["| Code | Choice | Who | What it does |", "|---|---|---|---|"]
    for code, (kind, choices) in MENUS.items():
        for choice in choices:
            who = "owner or admin" if choice in party.FOR_OWNERS else "anybody"
            means = of_kind(WORDING.recovery_choices, kind, choice)
            lines.append(f"| `{code}` | {menus.label_of(choice, kind)} | {who} | {means} |")
    return "\n".join(lines)


@pytest.mark.parametrize("protocol", ROUNDS)
def test_the_rounds_of_the_page_are_the_table_of_the_engine(protocol: Protocol) -> None:
    assert f"### {protocol}\n\n{rounds_table(protocol)}\n" in PAGE


def test_the_menus_of_the_page_have_the_labels_and_words_that_people_read() -> None:
    assert f"\n\n{menus_table()}\n\n" in PAGE


def test_the_limit_of_the_page_is_that_of_the_party_file() -> None:
    assert f"which is {MESSAGES_MAX} in the shipped party and never more" in PAGE


def test_the_example_of_state_json_is_what_is_written() -> None:
    record = CouncilRecord(
        PhaseKey("01-vision-council"), "in_progress", ("Nadia", "Tessa"), ("Oscar",), 5,
        "2026-03-02T09:00:00+00:00",
    )  # fmt: skip
    session = Session(
        id=SessionId("s"), run=RunId("r"), team=TeamId("T"), channel=ChannelId("C"),
        owner=UserId("U"), slug=Slug("slug"), title="", text="", seed="", created_at="",
        party=PartyState(records=(record,)), status="debating",
    )  # fmt: skip
    assert f"```json\n{state_text(session)}```" in PAGE
