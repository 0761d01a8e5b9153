"""A folder from another machine goes on here: taken up by an operator, answered by people."""

import shutil
from pathlib import Path

from bot.devtools.workspace.state import TEAM_ID
from tests.core.test_engine_folder import bytes_below
from tests.support.command import roundtable
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, served_bot

TITLE, SLUG = "Export dashboard as PDF", "export-dashboard-as-pdf"
SCAN = ("It is large and of high complexity.", "Search for subscription.", "About 30 files.")


def env(table: ServedBot) -> dict[str, str]:
    settings = table.table.settings
    return {
        "ROUNDTABLE_DATABASE_URL": settings.database_url,
        "ROUNDTABLE_ARTIFACTS_DIR": str(settings.artifacts_dir),
    }


def old_folder(home: Path) -> Path:
    """What a session of another machine leaves, in the middle of its second phase."""
    with served_bot(home) as table:
        table.start(TITLE)
        for said in (*SCAN, "The bank asks for it, and the auditors assume one currency."):
            table.say(said)
            table.forward()
        assert table.session().course.step == "01-02"
    return home / "artifacts" / TEAM_ID / SLUG


def test_a_folder_of_another_machine_goes_on_and_stays_whole(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    folder = shutil.copytree(old_folder(tmp_path / "there"), tmp_path / "brought" / SLUG)
    spec = folder / "requirements-spec.md"
    spec.write_text(f"{spec.read_text()}\nThe auditors wrote this.\n")
    before = bytes_below(folder)

    with served_bot(tmp_path / "here") as table:
        channel = table.slack.channel_id(ELSEWHERE)
        asked = ("adopt", str(folder), "--channel", channel)
        busy = roundtable(*asked, env=env(table), cwd=tmp_path)
        assert (busy.returncode, busy.stderr.count("The bot is running.")) == (2, 1)

        table.running.stop()
        done = roundtable(*asked, env=env(table), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "  goes on at   01-requirements" in done.stdout
        again = roundtable(*asked, env=env(table), cwd=tmp_path)
        assert again.stdout == f"{SLUG} is already there, in {channel}. Nothing was done.\n"
        table.running = table.start_again()
        table.settle()

        assert table.slack.messages(CHANNEL) == []
        session = table.session(ELSEWHERE)
        assert (session.slug, session.course.step, len(session.course.done)) == (SLUG, "01-02", 4)
        assert session.scan.scope == "large"
        texts = [each.plain for each in table.slack.messages(ELSEWHERE)]
        assert any(text.startswith("Step 01-02 · User Needs Discovery") for text in texts), texts
        assert any("4 of 24 steps done" in str(each.blocks) for each in
                   table.slack.messages(ELSEWHERE))  # fmt: skip

        root = table.table.runtime.reader.thread(session.id, session.course.thread)
        assert root is not None
        table.slack.say("dev", ELSEWHERE, "Accountants export it each month.", thread_ts=root.ts)
        table.settle()
        session = table.session(ELSEWHERE)
        assert session.owner == table.slack.user_id("dev")
        menu = table.table.runtime.reader.menu(session.menus.current)  # type: ignore[arg-type]
        assert menu is not None
        assert "continue" in menu.choices
        table.slack.say("dev", ELSEWHERE, "c", thread_ts=root.ts)
        table.settle()
        assert table.session(ELSEWHERE).course.step == "01-03"

    now = tmp_path / "here" / "artifacts" / TEAM_ID / SLUG
    text = (now / "requirements-spec.md").read_text()
    for line in before["requirements-spec.md"].decode().splitlines():
        assert line in text or line.startswith("## "), line
    assert "Accountants export it each month." in text
    assert (now / "quick-scan.md").read_bytes() == before["quick-scan.md"]
    (kept,) = (tmp_path / "here" / "artifacts" / "_taken-up" / TEAM_ID / SLUG).iterdir()
    assert bytes_below(kept) == before
    assert bytes_below(folder) == before
