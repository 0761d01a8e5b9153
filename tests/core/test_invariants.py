"""What must always be true of a stored session: each rule, kept and broken."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.domain.ids import PhaseKey, StepId
from core.domain.invariants import RULES, broken
from core.domain.session.course import Status
from core.domain.session.session import Session
from tests.support.harness import small_table

NOWHERE = PhaseKey("99-nowhere")


@pytest.fixture
def asking(tmp_path: Path) -> Session:
    table = small_table(tmp_path)
    table.start()
    return table.session


def test_a_session_under_way_keeps_every_rule(asking: Session) -> None:
    assert broken(asking) is None


def astray(session: Session, **changes: Any) -> Session:
    return replace(session, course=replace(session.course, **changes))


BREAKS = {
    "the current phase is one of the session's": {"phase": NOWHERE},
    "a question belongs to a phase": {"phase": None},
    "a question belongs to a step of its phase": {"step": StepId("09-09")},
    "a step is done once": {"done": (StepId("01-01"), StepId("01-01"))},
}


def test_every_rule_has_a_case() -> None:
    assert list(BREAKS) == list(RULES)


@pytest.mark.parametrize("rule", BREAKS)
def test_a_rule_that_is_broken_is_named(asking: Session, rule: str) -> None:
    assert broken(astray(asking, **BREAKS[rule])) == rule


@pytest.mark.parametrize("status", ["starting", "opening", "paused", "completed", "cancelled"])
def test_only_a_question_needs_a_step(asking: Session, status: Status) -> None:
    there = replace(asking, status=status)
    assert broken(astray(there, step=None)) is None
    assert broken(astray(there, phase=None, step=None)) is None


def test_the_first_one_that_is_broken_is_named(asking: Session) -> None:
    everything = astray(asking, phase=NOWHERE, step=None, done=(StepId("1"), StepId("1")))
    assert broken(everything) == "the current phase is one of the session's"
