"""An export as people ask for it: in the channel, by a mention, on the command line."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.printed import printed
from tests.support.command import roundtable
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, served_bot
from tests.support.serving import folders

TITLE = "Export dashboard as PDF"
SAID = "It is large, about 30 files. <script>alert(1)</script>"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedBot]:
    with served_bot(tmp_path_factory.mktemp("bot")) as found:
        found.start(TITLE)
        found.say(SAID)
        yield found


def files(table: ServedBot, since: int) -> dict[str, bytes]:
    return {each.name.rpartition(".")[2]: each.content for each in table.slack.files[since:]}


def test_all_three_come_to_the_thread_in_one_message(table: ServedBot) -> None:
    before, stood = len(table.slack.files), len(table.slack.messages(CHANNEL))
    told = table.command("/roundtable export --format all")
    assert told == [
        "I'm packing the files. The zip and both reports come to the thread in a moment."
    ]
    found = files(table, before)
    assert set(found) == {"zip", "md", "html"}
    assert len(table.slack.messages(CHANNEL)) == stood + 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in found["md"].decode()
    page = printed(found["html"].decode())
    assert page.headings[0] == "Export dashboard as PDF"
    assert SAID in page.text
    assert "#general" in page.text


def test_a_mention_asks_for_one_in_the_same_words(table: ServedBot) -> None:
    before = len(table.slack.files)
    slug = table.session().slug
    table.slack.say("dev", CHANNEL, f"@Roundtable export {slug} --format html")
    table.settle()
    assert set(files(table, before)) == {"html"}


def test_without_a_format_it_is_the_zip(table: ServedBot) -> None:
    before = len(table.slack.files)
    assert table.command("/roundtable export") == [
        "I'm packing the files. The zip comes to the thread in a moment."
    ]
    assert set(files(table, before)) == {"zip"}


@pytest.mark.parametrize("wanted", ["zip", "html", "all"])
def test_a_session_of_another_channel_is_not_there(table: ServedBot, wanted: str) -> None:
    before = len(table.slack.files)
    line = f"/roundtable export {table.session().slug} --format {wanted}"
    told = table.command(line, channel=ELSEWHERE)
    assert len(told) == 1
    assert "There is no" in told[0]
    assert "in this channel" in told[0]
    assert len(table.slack.files) == before


def test_an_unknown_format_is_told_in_one_line(table: ServedBot) -> None:
    before = len(table.slack.files)
    told = table.command("/roundtable export --format docx")
    assert told[0].startswith("“docx” is no format: it is zip, markdown, html or all.")
    assert len(table.slack.files) == before


# ── the command line ───────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A session whose bot no longer runs."""
    place = tmp_path_factory.mktemp("kept")
    with served_bot(place) as table:
        slug = table.start("Export dashboard as PDF").slug
        table.say("It is large, about 30 files.")
    return place, slug


def env(place: Path) -> dict[str, str]:
    return folders(place)


def test_each_format_has_its_file(kept: tuple[Path, str], tmp_path: Path) -> None:
    place, slug = kept
    done = roundtable("export", slug, "--format", "all", env=env(place), cwd=tmp_path)
    assert done.returncode == 0
    written = [Path(line) for line in done.stdout.splitlines()]
    assert written == [tmp_path / f"{slug}.{end}" for end in ("zip", "md", "html")]
    assert zipfile.is_zipfile(written[0])
    assert "| pm | started it | 1 |" in written[1].read_text()  # a name, without asking Slack
    printed(written[2].read_text())
    again = roundtable("export", slug, "--format", "html", "-o", "again/report.html",
                       env=env(place), cwd=tmp_path)  # fmt: skip
    assert again.stdout.strip() == str(tmp_path / "again" / "report.html")
    assert (tmp_path / "again" / "report.html").read_bytes() == written[2].read_bytes()
    there = roundtable("export", slug, "--to", "again", "--format", "md",
                       env=env(place), cwd=tmp_path)  # fmt: skip
    assert there.stdout.strip() == str(tmp_path / "again" / f"{slug}.md")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--format", "docx"), "it is zip, markdown, html or all"),
        (("--format", "all", "-o", "a-file"), "a-file is a file; --format all needs a folder"),
        (("-o", "a-file/below.zip"), "cannot be written"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(
    kept: tuple[Path, str], tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    place, slug = kept
    (tmp_path / "a-file").write_text("")
    done = roundtable("export", slug, *arguments, env=env(place), cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
