"""Where people may speak in a party: in every thread of those at the table, at any time."""

import pytest

from tests.support.served_bot import CHANNEL
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


def file_text(play: Party, name: str) -> str:
    return (play.folder / name).read_text()


@pytest.mark.parametrize("changes", [True, False])
def test_every_reply_on_a_recommendation_is_in_the_one_that_is_accepted(
    play: Party, changes: bool
) -> None:
    play.begin()
    play.go_to(PHASES[1])
    if changes:
        play.press("changes")
    replies = ["Hosting: Hetzner, because of GDPR", "Sign-in: Keycloak", "Monitoring: Grafana"]
    for reply in replies:
        play.reply(reply, by="dev", to="solution-architect")
    assert not any("is added to" in line for line in play.thread("solution-architect"))
    assert "“Hetzner”, “Keycloak”, “Grafana”" in play.offering("accept").plain
    play.press("accept")
    stack = file_text(play, "tech-stack.md")
    assert [reply for reply in replies if f"- {reply}" not in stack] == []
    assert "| Monitoring | Grafana |" in stack
    assert "### Consensus\n\nAll personas agree." in stack


def test_replies_on_a_blueprint_are_in_its_files_when_it_is_accepted(play: Party) -> None:
    play.begin()
    play.go_to(PHASES[2])
    replies = {
        "architecture-overview.md": "Clock: starts the retrier every hour.",
        "data-model.md": "Payment: number, amount, attempts",
    }
    for reply in replies.values():
        play.reply(reply, by="dev", to="test-strategist")
    play.press("accept")
    for file, reply in replies.items():
        assert f"- {reply}" in file_text(play, file)


def test_a_reply_after_the_acceptance_is_added_to_the_section(play: Party) -> None:
    play.begin()
    play.go_to(PHASES[1])
    play.press("changes")  # whoever was asked in a thread may still answer there
    play.reply(CHANGE, to="solution-architect")
    play.press("accept")
    play.reply("Hosting: Hetzner, because of GDPR", by="dev", to="solution-architect")
    assert any("is added to" in line for line in play.thread("solution-architect"))
    assert "| Hosting | Hetzner | GDPR |" in file_text(play, "tech-stack.md")


def test_a_reply_after_an_accepted_blueprint_is_added_to_its_first_file(play: Party) -> None:
    play.begin()
    play.go_to(PHASES[2])
    play.press("accept")
    play.reply("Clock: starts the retrier every hour.", by="dev", to="test-strategist")
    assert "Clock: starts the retrier every hour." in file_text(play, "architecture-overview.md")


def test_a_reply_while_they_vote_is_in_the_recommendation_that_follows(play: Party) -> None:
    play.begin()
    play.go_to(PHASES[1])
    play.press("changes")
    play.table.on("security-advisor", "vote", play.silence)
    play.served.slack.say("dev", CHANNEL, CHANGE, thread_ts=play.root("solution-architect"))
    play.rest(hanging=1)
    assert play.session.status == "debating"
    monitoring = "Monitoring: Grafana, because it is free"
    play.served.slack.say("dev", CHANNEL, monitoring, thread_ts=play.root("solution-architect"))
    play.rest(hanging=1)
    play.pass_deadline(hanging=1)
    assert "“MySQL” and “Grafana”" in play.offering("accept").plain


def test_the_persona_that_a_reply_is_said_to_is_no_area(play: Party) -> None:
    play.begin()
    play.go_to(PHASES[1])
    said = "Zara: keys and passwords are kept in Bitwarden"
    play.reply(said, to="solution-architect")
    stack = file_text(play, "tech-stack.md")
    assert f"- {said}" in stack
    assert "| Zara |" not in stack
