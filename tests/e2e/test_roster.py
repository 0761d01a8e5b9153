"""A custom team without its roster, through the real bot: asked before the start."""

import shutil
from pathlib import Path

from core.content.library import default_steps_dir
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot
from tests.support.step_trees import Tree

ASKED = (
    "Who sits at this table cannot be read, and some steps are for people I do not know. "
    "Nothing has begun yet. Anybody may go on; cancelling is for you or an admin."
)
ENDED = "Ended: no step could be asked. Resume tries again."


def team(folder: Path) -> Tree:
    """A step of somebody whom only the roster knows, and no roster."""
    tree = Tree(folder / "steps")
    tree.step("01-threats/01-a.md", title="Ways in", persona="security-reviewer")
    return tree


def card(table: ServedBot) -> str:
    return table.slack.messages(CHANNEL)[0].plain


def test_maya_leads_the_steps_that_nobody_may_lead_once_somebody_says_so(tmp_path: Path) -> None:
    with served_bot(tmp_path, steps=team(tmp_path).root) as table:
        table.start("The import")
        assert "Waiting for a choice in the thread." in card(table)
        menu = table.slack.messages(CHANNEL)[-1]
        assert ASKED in menu.plain
        assert "ERR-RT-001" in menu.plain
        assert [each["text"]["text"] for each in controls(menu)] == ["Maya leads them", "Cancel"]  # type: ignore[index]
        table.restart()
        table.slack.click("dev", CHANNEL, menu.ts, "menu:stand-in")
        table.settle()
        settled = table.message(menu.ts)
        assert settled.text.splitlines()[-1] == (
            "dev chose “Maya leads them”. Maya Chen leads the steps that had nobody."
        )
        assert controls(settled) == []
        prompt = table.slack.messages(CHANNEL)[-1]
        assert prompt.author == "Maya Chen"
        assert "Ways in" in prompt.text


def test_where_no_step_can_be_asked_the_card_says_so_and_resume_reads_the_steps_anew(
    tmp_path: Path,
) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent()
    tree.file("01-requirements/01-a.md", b"# Nothing")
    with served_bot(tmp_path, steps=tree.root) as table:
        table.start("The import")
        assert table.session().status == "completed"
        assert ENDED in card(table)
        (status,) = table.command("/roundtable status")
        assert "Ended: no step could be asked. Resume tries again, started by pm" in status
        tree.step("01-requirements/01-a.md", title="Ways in")
        table.command("/roundtable resume")
        assert ENDED not in card(table)
        assert table.session().course.step == "01-01"
        assert len([each for each in table.slack.messages(CHANNEL) if "The import" in each.plain])


def test_cancelling_from_a_menu_before_the_start_stands_on_the_card(tmp_path: Path) -> None:
    with served_bot(tmp_path, steps=team(tmp_path).root) as table:
        table.start("The import")
        menu = table.slack.messages(CHANNEL)[-1]
        table.slack.click("pm", CHANNEL, menu.ts, "menu:cancel")
        table.settle()
        assert "Cancelled." in card(table)
        assert "Waiting for a choice" not in card(table)


def test_a_party_without_its_file_shows_e001_and_cancelling_it_stands_on_the_card(
    tmp_path: Path,
) -> None:
    steps = tmp_path / "steps"
    shutil.copytree(default_steps_dir(), steps)
    (steps / "inception" / "party.yaml").write_text("personas: nobody")
    with served_bot(tmp_path, steps=steps) as table:
        table.command("/roundtable discover A plugin --party")
        menu = table.slack.messages(CHANNEL)[-1]
        assert "Team creation failed. Party mode requires a running agent team." in menu.plain
        assert "E-001" in menu.plain
        assert "Waiting for a choice in the thread." in card(table)
        table.slack.click("pm", CHANNEL, menu.ts, "menu:cancel")
        table.settle()
        assert "Cancelled." in card(table)
        assert "It ended here, before it began." in table.message(menu.ts).text
