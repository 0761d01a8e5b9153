"""A credential in a session's folder does not leave with an export, however it is asked for."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.artifacts.files.exported import LEFT_OUT_FILE
from tests.e2e.test_export import env, files
from tests.e2e.test_secrets import press
from tests.support.command import roundtable
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot

# Looks like one, opens nothing.
SECRET = "_".join(("ghp", "16C7e42F292c6912E7710c838347Ae178B4a"))
TITLE = "Export dashboard as PDF"
HELD = f"Use {SECRET} for it."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as table:
        table.start(TITLE)
        table.say("It is large, about 30 files.")
        yield table


def members(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {
            Path(name).name: packed.read(name).decode("utf-8", "replace")
            for name in packed.namelist()
        }


def docx(text: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<w:t>{text}</w:t>")
    return packed.getvalue()


def test_what_holds_a_credential_is_left_out_of_the_zip_and_named(table: ServedBot) -> None:
    folder = table.folder
    ours = next(path for path in folder.glob("*.md"))
    ours.write_text(f"{ours.read_text()}\n{HELD}\n")
    (folder / "notes.txt").write_text(HELD)
    (folder / "wide.txt").write_text(HELD, encoding="utf-16")
    (folder / "letter.docx").write_bytes(docx(HELD))
    (folder / "picture.png").write_bytes(b"\x89PNG\xff" + HELD.encode() + b"\xfe")
    (folder / f"{SECRET}.txt").write_text("fine")
    (folder / "glossary.md").write_text("fine")
    before = len(table.slack.files)
    table.command("/roundtable export --format all")
    made = files(table, before)
    packed = members(made["zip"])
    left_out = {ours.name, "notes.txt", "wide.txt", "letter.docx", "picture.png"}
    assert left_out.isdisjoint(packed)
    assert {"meta.json", "glossary.md", LEFT_OUT_FILE} <= set(packed)
    for name in left_out:
        assert f"{name} is left out: it looks as if it holds a GitHub token." in (
            packed[LEFT_OUT_FILE].splitlines()
        )
    assert SECRET not in "".join(f"{name} {text}" for name, text in packed.items())
    assert SECRET not in (made["md"] + made["html"]).decode()
    for name in (ours.name, "notes.txt"):
        held = f"{name} looks as if it holds a GitHub token: taken out here, and not in the zip."
        assert held in made["md"].decode()
    told = table.slack.messages(CHANNEL)[-1].text
    assert "Left out of the zip, left-out.txt says why:" in told
    assert all(name in told for name in left_out)
    assert "[redacted: GitHub token].txt" in told
    assert SECRET not in told


def test_an_export_with_nothing_in_it_to_hide_leaves_nothing_out(table: ServedBot) -> None:
    before = len(table.slack.files)
    table.command("/roundtable export")
    assert LEFT_OUT_FILE not in members(files(table, before)["zip"])
    assert "Left out" not in table.slack.messages(CHANNEL)[-1].text


@pytest.mark.parametrize("wanted", ["zip", "markdown", "html", "all"])
def test_a_session_halted_for_a_secret_exports_nothing_until_it_is_settled(
    table: ServedBot, wanted: str
) -> None:
    table.say(f"It needs {SECRET}.")
    before = len(table.slack.files)
    (told,) = table.command(f"/roundtable export --format {wanted}")
    assert told == (
        f"“{TITLE}” holds back its files: it is halted because of a password, key or token. Once "
        "whoever started it, or an admin, has chosen in its thread how it goes on, export again."
    )
    assert len(table.slack.files) == before
    press(table, "redact")
    table.command(f"/roundtable export --format {wanted}")
    made = files(table, before)
    assert made
    assert not any(SECRET.encode() in content for content in made.values())


def test_a_cancelled_session_that_held_a_secret_exports_what_is_clean(table: ServedBot) -> None:
    table.say(f"It needs {SECRET}.")
    press(table, "cancel")
    before = len(table.slack.files)
    table.command("/roundtable export")
    assert "meta.json" in members(files(table, before)["zip"])


def test_the_card_of_a_session_halted_for_a_secret_offers_no_export(table: ServedBot) -> None:
    def offered() -> bool:
        card = table.slack.messages(CHANNEL)[0]
        return any(each.get("action_id") == "card:export" for each in controls(card))

    assert offered()
    table.say(f"It needs {SECRET}.")
    assert not offered()
    press(table, "redact")
    assert offered()


def test_the_command_line_leaves_out_the_same_and_refuses_the_same(tmp_path: Path) -> None:
    with served_bot(tmp_path) as table:
        slug = table.start(TITLE).slug
        table.say("It is large, about 30 files.")
        (table.folder / "notes.txt").write_text(HELD)
        done = roundtable("export", slug, "--format", "all", env=env(tmp_path), cwd=tmp_path)
        assert done.returncode == 0
        assert done.stderr.splitlines() == [
            "notes.txt is left out: it looks as if it holds a GitHub token."
        ]
        written = [Path(line) for line in done.stdout.splitlines()]
        assert "notes.txt" not in members(written[0].read_bytes())
        assert not any(SECRET.encode() in path.read_bytes() for path in written)
        for path in written:
            path.unlink()
        table.say(f"It needs {SECRET}.")
        done = roundtable("export", slug, "--format", "all", env=env(tmp_path), cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.strip() == (
            f"{slug} is halted because of a password, key or token, so nothing of it is exported "
            "until that is settled in its thread."
        )
        assert not any(path.exists() for path in written)
