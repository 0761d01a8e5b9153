"""`/roundtable catchup`, the card's button, `/roundtable why`: what one person alone is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, controls, served_bot

SMALL = "Assumption: the file stays below 10 MB."


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedBot]:
    """The first phase is accepted; the second asks its only step. Another item elsewhere."""
    place = tmp_path_factory.mktemp("bot")
    with served_bot(place, steps=small_tree(place / "steps").root) as found:
        found.start("Tests in Markdown", channel=ELSEWHERE)
        found.start("Export *as* PDF <!channel>")
        found.say(f"The system must export a PDF of the dashboard.\n{SMALL}")
        found.say("The system must export a PDF of the dashboard.", by="dev")
        found.forward()
        found.say("It must be fast: under 5 seconds.")
        found.forward()
        yield found


def told(table: ServedBot, line: str, *, by: str = "dev", channel: str = CHANNEL) -> str:
    (said,) = table.command(line, by=by, channel=channel)
    return said


def test_catching_up_says_what_was_decided_what_is_open_and_where_to_look(table: ServedBot) -> None:
    said = told(table, "/roundtable catchup")
    head, decided, opened, look = (
        said.partition("What was decided")[0],
        said.partition("What was decided")[2].partition("What is open")[0],
        said.partition("What is open")[2].partition("Where to look")[0],
        said.partition("Where to look")[2],
    )
    assert head.startswith("Export *as* PDF @channel\nAlex Rivera")
    assert "2 of 3 steps done" in head
    assert "Requirements · accepted by pm, " in decided
    assert "FR-001 The system must export a PDF of the dashboard." in decided
    assert "“Third” waits for pm and dev, since " in opened
    assert "Go there" in opened
    assert "What nobody said" in opened
    assert f"• {SMALL}" in opened
    assert "The card · Maya Chen's thread · Alex Rivera's thread" in look
    assert "requirements-spec.md" in look
    assert "/roundtable export export-as-pdf-channel brings them here." in look


def test_the_button_on_the_card_says_the_same_to_whoever_presses_it(table: ServedBot) -> None:
    card = table.slack.messages(CHANNEL)[0]
    button = next(each for each in controls(card) if each["action_id"] == "card:catchup")
    assert button["text"]["text"] == "Catch me up"  # type: ignore[index]
    before, pings = len(table.slack.ephemerals), len(table.slack.pings)
    table.slack.click("dev", CHANNEL, card.ts, "card:catchup")
    table.settle()
    (seen,) = table.slack.ephemerals[before:]
    assert (seen.to, seen.text) == ("dev", told(table, "/roundtable catchup"))
    assert table.slack.pings[pings:] == []


def test_where_the_channel_takes_no_words_for_one_person_they_come_by_the_reply_address(
    table: ServedBot,
) -> None:
    card, before = table.slack.messages(CHANNEL)[0], len(table.slack.ephemerals)
    table.slack.refuse("chat.postEphemeral", "restricted_action_non_threadable_channel")
    table.slack.click("dev", CHANNEL, card.ts, "card:catchup")
    table.settle_until(lambda: table.slack.ephemerals[before:])
    assert table.slack.ephemerals[-1].text == told(table, "/roundtable catchup")
    errors = [call.error for call in table.slack.calls if call.method == "chat.postEphemeral"]
    assert "restricted_action_non_threadable_channel" in errors


def test_by_mention_it_is_the_same(table: ServedBot) -> None:
    before = len(table.slack.ephemerals)
    table.slack.say("dev", CHANNEL, "@Roundtable catchup")
    table.settle()
    assert [each.text for each in table.slack.ephemerals[before:]] == [
        told(table, "/roundtable catchup")
    ]


def test_why_says_who_said_a_line_where_and_how_sure_it_is(table: ServedBot) -> None:
    said = told(table, "/roundtable why fr-1")
    assert said.splitlines()[:3] == [
        "FR-001 The system must export a PDF of the dashboard.",
        "It was said in these words, or nearly.",
        "It comes from First in Requirements. The question",
    ]
    assert "• pm: “The system must export a PDF of the dashboard." in said
    assert "• dev: “The system must export a PDF of the dashboard.” message" in said
    assert said.splitlines()[-1] == "In “Export *as* PDF @channel”."
    assert said == told(table, "/roundtable why FR-001 export-as-pdf-channel")
    assert said == told(table, "/roundtable why REQ 1")


def test_the_links_lead_to_the_answers(table: ServedBot) -> None:
    table.command("/roundtable why FR-001", by="dev")
    blocks = str(table.slack.ephemerals[-1].blocks)
    reader = table.table.runtime.reader
    answers = [each for each in reader.answers(table.session().id) if each.step == "01-01"]
    assert len(answers) == 2
    for answer in answers:
        assert answer.permalink in blocks


def test_a_name_that_is_not_there_gets_the_nearest_ones(table: ServedBot) -> None:
    said = told(table, "/roundtable why FR-099")
    assert said.splitlines()[0] == "There is no FR-099 here."
    assert said.splitlines()[1] == "The nearest: FR-002 and FR-001."
    assert "No one line here speaks of @channel." in told(table, "/roundtable why <!channel>")


def test_another_channel_sees_nothing_of_it(table: ServedBot) -> None:
    slug = table.session().slug
    for line in (f"/roundtable catchup {slug}", f"/roundtable why FR-001 {slug}"):
        other = told(table, line, channel=ELSEWHERE)
        unknown = told(table, line.replace(slug, "no-such-item"), channel=ELSEWHERE)
        assert other == unknown.replace("no-such-item", slug)
        assert "PDF" not in other
    assert "Export" not in told(table, "/roundtable why FR-001", channel=ELSEWHERE)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("/roundtable why", "The id is missing"),
        ("/roundtable why FR-001 a b", "“b” is one word too many"),
        ("/roundtable catchup a b", "“b” is one word too many"),
        ("/roundtable catchup --all", "no flag --all"),
    ],
)
def test_a_faulty_line_is_named(table: ServedBot, line: str, named: str) -> None:
    assert named in told(table, line)


def test_why_says_what_others_think_of_it(table: ServedBot) -> None:
    reader, session = table.table.runtime.reader, table.session()
    first, second = [each for each in reader.answers(session.id) if each.step == "01-01"]
    assert "What others think of it" not in told(table, "/roundtable why FR-001")
    table.slack.react("dev", CHANNEL, first.ts, "+1")
    table.slack.react("pm", CHANNEL, second.ts, "-1")
    table.settle()
    said = told(table, "/roundtable why FR-001")
    opinions = said.partition("What others think of it")[2].partition("Nothing else")[0]
    assert "dev agrees" in opinions
    assert "pm sees it differently (no reason given yet)" in opinions


def test_help_names_both(table: ServedBot) -> None:
    said = told(table, "/roundtable help")
    assert "/roundtable catchup" in said
    assert "/roundtable why" in said


def test_of_what_has_ended_it_tells_the_outcome(tmp_path: Path) -> None:
    with served_bot(tmp_path, steps=small_tree(tmp_path / "steps").root) as table:
        table.start("Tests in Markdown")
        for _ in range(3):
            table.say("The system must print tests.")
            table.forward()
        said = told(table, "/roundtable catchup")
        assert "Completed. Everything that was written is in the export." in said
        assert "Impact Analysis · accepted by pm" in said
        assert "Before you build\n• Nobody has said which requirements must be there." in said
        assert "waits for" not in said
        table.start("Another one")
        table.command("/roundtable cancel another-one --yes")
        said = told(table, "/roundtable catchup another-one")
        assert "Cancelled. What was written so far is kept." in said
        assert "Nothing has been accepted yet." in said
        assert "FR-001 The system must print tests." in told(table, "/roundtable why FR-001")
