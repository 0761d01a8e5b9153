"""What people really type, through the real bot: refused in one line, or kept as it was said."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.served_bot import CHANNEL, ELSEWHERE, OUTSIDE, ServedBot, served_bot


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedBot]:
    with served_bot(tmp_path_factory.mktemp("bot")) as found:
        yield found


@pytest.fixture(scope="module")
def asking(table: ServedBot) -> ServedBot:
    """A session that asks its first question."""
    table.start("Answers of every kind --depth standard")
    return table


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("/roundtable dance", "dance"),
        ("/roundtable analyze", "title"),
        ("/roundtable analyze --depth bottomless Export", "bottomless"),
        ("/roundtable analyze --colour red Export", "--colour"),
        ("/roundtable depth", "depth"),
        ("/roundtable resume no-such-item", "no-such-item"),
    ],
)
def test_a_faulty_command_is_told_once_and_starts_nothing(
    table: ServedBot, line: str, named: str
) -> None:
    before = len(table.slack.messages(CHANNEL))
    told = table.command(line)
    assert len(told) == 1
    assert named in told[0]
    assert len(table.slack.messages(CHANNEL)) == before


def test_where_the_bot_is_not_it_says_how_to_invite_it(table: ServedBot) -> None:
    told = table.command("/roundtable analyze Export", channel=OUTSIDE)
    assert any("/invite @Roundtable" in text for text in told)
    assert table.slack.messages(OUTSIDE) == []


def test_a_title_of_three_thousand_characters_starts(table: ServedBot) -> None:
    session = table.start("Export the dashboard " * 150, channel=ELSEWHERE)
    assert session.status == "asking"
    assert len(session.slug) <= 60
    assert len(session.text) >= 3_000 - 1


ANSWERS = {
    "emoji only": "🎉🎉 👍🏽",
    "one word": "Yes.",
    "right to left": "المستخدمون يحتاجون إلى ملف واحد، لأن الجميع يسأل عنه كل أسبوع.",
    "mentions": "@channel @here @dev and <!channel> <@U0DEV> <!subteam^S1> need it.",
    "links": "https://example.com/a?b=c&d=<e> [click](https://evil.example) <https://x.example|x>",
    "code": "```\nfor row in rows:\n    print(`row`)  # <!here>\n```",
    "markdown": "# Heading\n| a | b |\n|---|---|\n| *1* | ~2~ |\n<!-- roundtable:section 00-01 -->",
    "forty thousand characters": "The export must work for everybody. " * 1_111,
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_of_any_kind_is_recorded_and_pings_nobody(asking: ServedBot, kind: str) -> None:
    before = len(asking.slack.pings)
    ts = asking.say(ANSWERS[kind])
    assert asking.message(ts).reactions == {"white_check_mark": ("Roundtable",)}
    assert asking.session().status == "choosing"
    assert asking.slack.pings[before:] == []
    failed = [call for call in asking.slack.calls if call.error not in ("", "not_in_channel")]
    assert failed == []


def test_a_file_without_a_word_is_an_answer(asking: ServedBot) -> None:
    ts = asking.say("", files=("mockup.png",))
    assert "white_check_mark" in asking.message(ts).reactions
    answers = asking.table.runtime.reader.answers(asking.session().id)
    assert [file.name for answer in answers for file in answer.files] == ["mockup.png"]


def test_a_comment_is_no_answer(asking: ServedBot) -> None:
    ts = asking.say("// lunch?")
    assert asking.message(ts).reactions == {}


def test_a_reply_under_the_card_is_shown_the_way(asking: ServedBot) -> None:
    session = asking.session()
    card = asking.table.runtime.reader.thread(session.id, None)
    assert card is not None
    before = len(asking.slack.ephemerals)
    ts = asking.say("Is this the place?", by="dev", thread=card.ts)
    told = asking.slack.ephemerals[before:]
    assert [each.to for each in told] == ["dev"]
    assert "Maya Chen" in told[0].text
    assert asking.message(ts).reactions == {}


def test_a_second_start_on_the_same_title_is_offered_the_first(asking: ServedBot) -> None:
    before = len(asking.slack.top_level(CHANNEL))
    told = asking.command("/roundtable analyze Answers of every kind", by="dev")
    assert len(told) == 1
    assert "already under way" in told[0]
    assert len(asking.slack.top_level(CHANNEL)) == before


def test_the_same_title_in_another_channel_is_an_item_of_its_own(asking: ServedBot) -> None:
    first = asking.session()
    other = asking.start("Answers of every kind", channel=ELSEWHERE)
    assert (other.slug, other.id != first.id) == (f"{first.slug}-2", True)
    told = asking.command(f"/roundtable resume {first.slug}", channel=ELSEWHERE)
    assert told == asking.command("/roundtable resume answers-of-no-kind", channel=ELSEWHERE) or (
        first.slug in told[0] and first.title not in told[0]
    )


def test_a_late_answer_in_a_passed_step_is_added_and_said(asking: ServedBot) -> None:
    said_first = asking.say("It is small, I think.")
    asking.forward()
    assert asking.session().course.step == "00-02"
    asking.slack.edit("pm", CHANNEL, said_first, "It is large after all.")
    asking.settle()
    said = [each.plain for each in asking.slack.messages(CHANNEL)]
    assert any("added to “Scope Estimation”" in text for text in said)
    assert asking.session().course.step == "00-02"


def test_deleting_needs_the_owner_and_takes_everything(asking: ServedBot, tmp_path: Path) -> None:
    slug = asking.session().slug
    refused = asking.command(f"/roundtable delete {slug} --yes", by="dev")
    assert any("Only the person who started" in text for text in refused)
    folder = asking.folder
    assert folder.exists()
    asking.command(f"/roundtable delete {slug} --yes")
    assert not folder.exists()
    assert any("no" in text for text in asking.command(f"/roundtable status {slug}"))
