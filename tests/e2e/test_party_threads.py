"""Where people may speak in a party: in every thread of those at the table, at any time."""

import pytest

from tests.support.served_party import ANSWER, PHASES, Party

CHANGE = "Database: MySQL, because we know it better."


def shared(play: Party, persona: str) -> list[str]:
    return [each for each in play.thread(persona) if each.startswith("This reaches")]


def test_an_answer_in_one_thread_reaches_the_others_and_that_is_said_once(play: Party) -> None:
    play.begin()
    play.reply(to="technical-scout")
    play.reply("And a queue of our own.", by="dev", to="technical-scout")
    assert play.said == [ANSWER, "And a queue of our own."]
    assert shared(play, "technical-scout") == ["This reaches Nadia and Oscar, too."]
    play.press("continue")
    heard = {each.member.key: len(each.answers) for each in play.table.asked[3:]}
    assert set(heard.values()) == {2}


def test_a_reply_in_a_thread_of_an_earlier_phase_does_not_claim_to_reach_this_one(
    play: Party,
) -> None:
    play.begin()
    play.go_to(PHASES[1])
    play.reply("And a queue of our own.", to="technical-scout")
    assert shared(play, "technical-scout") == []
    assert any("is added to" in each for each in play.thread("product-analyst"))


@pytest.mark.parametrize("persona", ["solution-architect", "security-advisor"])
def test_changes_may_be_said_in_the_thread_of_anybody_at_the_table(
    play: Party, persona: str
) -> None:
    play.begin()
    play.go_to(PHASES[1])
    if persona == "security-advisor":
        play.press("changes")  # it is asked in Liam's thread
    play.reply(CHANGE, to=persona)
    assert CHANGE in play.said
