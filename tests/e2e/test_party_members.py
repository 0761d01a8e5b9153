"""Seed 001 through the real bot: a member that is missing, silent, or fails (E-002 to E-004)."""

from dataclasses import replace

import pytest

from core.brains.tasks import BrainError, LaunchError
from core.domain.party.contributions import Contribution
from tests.support.served_party import PHASES, Party, row, timeless

VISION, STACK, BLUEPRINT = PHASES[:3]


# ── E-002 ──────────────────────────────────────────────────────────────────────────────────────


def test_e002_whoever_cannot_be_launched_is_missed_but_not_waited_for(play: Party) -> None:
    play.table.on("domain-researcher", "questions", LaunchError("no such model"))
    play.begin()
    words = "⚠️ Proceeding with 2 agents in Vision Council. E-002"
    assert play.thread(None)[1:] == [words]
    assert timeless(play.phase(VISION)) == row("in_progress", "Nadia Tessa", away="Oscar")
    assert play.table.prompts("domain-researcher") == [""]
    fault = play.fault("E-002")
    assert fault.visible
    assert fault.persona == "domain-researcher"
    assert fault.detail == "Oscar could not be launched. no such model"
    assert play.thread("domain-researcher") == []
    play.decide()
    assert play.labels("accept") == [
        "Accept — continue to Stack Debate",
        "I have changes",
        "Sorting",
    ]
    summary = play.offering("accept").plain
    assert "Without Oscar, who could not take part." in summary
    assert {each.member.key for each in play.table.asked if each.want == "position"} == {
        "product-analyst",
        "technical-scout",
    }


def test_a_missing_proposer_is_replaced_by_the_next_and_the_summary_says_so(play: Party) -> None:
    play.table.on("solution-architect", "proposal", LaunchError("gone"))
    play.begin()
    play.go_to(STACK)
    asked = [(each.member.key, each.want) for each in play.table.asked]
    assert ("security-advisor", "proposal") in asked
    assert ("security-advisor", "critique") not in asked
    assert ("devops-pragmatist", "critique") in asked
    assert "Without Liam, who could not take part." in play.offering("accept").plain
    assert timeless(play.phase(STACK)) == row("in_progress", "Zara Felix", away="Liam", messages=3)


def test_a_ring_closes_around_whoever_is_missing(play: Party) -> None:
    play.table.on("data-model-designer", "draft", LaunchError("gone"))
    play.begin()
    play.go_to(BLUEPRINT)
    reviews = {
        each.member.key: each.neighbour for each in play.table.asked if each.want == "review"
    }
    assert reviews == {
        "architecture-designer": "test-strategist",
        "test-strategist": "architecture-designer",
    }
    summary = play.offering("accept").plain
    assert "Without Data Model Designer, who could not take part." in summary


# ── E-003 ──────────────────────────────────────────────────────────────────────────────────────


def test_e003_a_silent_member_is_asked_once_more_and_nobody_sees_it(play: Party) -> None:
    play.table.on("technical-scout", "questions", play.silence)
    play.begin(hanging=1)
    assert play.session.status == "debating"
    play.pass_deadline(hanging=1)
    assert play.session.status == "asking"
    assert play.table.prompts("technical-scout") == ["", "Please submit your questions."]
    assert [(fault.code, fault.visible) for fault in play.faults] == [("E-003", False)]
    assert len(play.thread(None)) == 1
    assert timeless(play.phase(VISION)) == row("in_progress", "Nadia Oscar Tessa")


def test_e003_a_second_silence_goes_on_without_and_says_so(play: Party) -> None:
    play.table.on("technical-scout", "questions", play.silence, play.silence)
    play.begin(hanging=1)
    play.pass_deadline(hanging=2)
    assert play.session.status == "debating"
    play.pass_deadline(hanging=2)
    assert play.session.status == "asking"
    words = "⚠️ Tessa encountered an issue. Proceeding with remaining agents. E-004"
    assert play.thread(None)[1:] == [words]
    assert play.codes == ["E-003", "E-004"]
    assert timeless(play.phase(VISION)) == row("in_progress", "Nadia Oscar", away="Tessa")


def test_e003_the_deadline_outlives_the_process(play: Party) -> None:
    play.table.on("technical-scout", "questions", play.silence, play.silence)
    play.begin(hanging=1)
    before = play.served.table.runtime.outbox.next_timer()
    play.served.restart(hanging=1)
    assert play.served.table.runtime.outbox.next_timer() == before
    play.until(lambda: play.table.hung == 2)  # asked again by the new process, for the same turn
    play.pass_deadline(hanging=1)
    assert play.session.status == "asking"
    assert play.table.prompts("technical-scout") == ["", "", "Please submit your questions."]
    assert play.codes == ["E-003"]


# ── E-004 ──────────────────────────────────────────────────────────────────────────────────────


def of_another_kind(given: Contribution) -> Contribution:
    return replace(given, want="draft")


def no_contribution(_: Contribution) -> object:
    return "a text"


WAYS = {
    "error": RuntimeError("boom"),
    "invalid": BrainError("invalid", "no such claim"),
    "wrong type": no_contribution,
    "wrong kind": of_another_kind,
}


@pytest.mark.parametrize("way", WAYS)
def test_e004_one_that_fails_once_is_asked_again_in_silence(play: Party, way: str) -> None:
    play.table.on("product-analyst", "questions", WAYS[way])
    play.begin()
    assert [(fault.code, fault.visible) for fault in play.faults] == [("E-004", False)]
    assert play.fault("E-004").facts["will_retry"] is True
    assert len(play.thread(None)) == 1
    assert timeless(play.phase(VISION)) == row("in_progress", "Nadia Oscar Tessa")
    assert play.thread("product-analyst") != []


@pytest.mark.parametrize("way", WAYS)
def test_e004_one_that_fails_twice_is_unavailable(play: Party, way: str) -> None:
    play.table.on("product-analyst", "questions", WAYS[way], WAYS[way])
    play.begin()
    words = "⚠️ Nadia encountered an issue. Proceeding with remaining agents. E-004"
    assert play.thread(None)[1:] == [words]
    assert [(fault.code, fault.visible) for fault in play.faults] == [
        ("E-004", False),
        ("E-004", True),
    ]
    assert timeless(play.phase(VISION)) == row("in_progress", "Oscar Tessa", away="Nadia")
    assert len(play.table.prompts("product-analyst")) == 2
    play.reply(to="technical-scout")
    play.press("continue")
    assert play.labels("accept") == [
        "Accept — continue to Stack Debate",
        "I have changes",
        "Sorting",
    ]
