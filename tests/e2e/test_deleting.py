"""Deleting in the real bot: whoever started it is asked first, and nobody else may."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.forms import press, told
from tests.support.served_bot import ServedBot, served_bot

TITLE = "Retry failed card payments"
REFUSED = "Only the person who started this can delete it."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path, admins=["dev"]) as started:
        yield started


def titles(table: ServedBot) -> list[str]:
    return [session.title for session in table.table.runtime.reader.all_sessions()]


def test_the_owner_is_asked_and_then_everything_is_gone(table: ServedBot) -> None:
    table.start(TITLE)
    table.say("The bank asks for it.")
    (question,) = table.command("/roundtable delete")
    assert (
        f"This removes {TITLE} for good: the session, all its answers and its folder." in question
    )
    assert "[Delete it all]" in question
    assert titles(table) == [TITLE]
    press(table, "Delete it all")
    table.settle_until(lambda: "is deleted" in told(table)[-1])
    assert told(table)[-1] == f"“{TITLE}” is deleted, with its answers and its folder."
    assert titles(table) == []
    press(table, "Delete it all")
    table.settle_until(lambda: "not there any more" in told(table)[-1])


def test_where_the_folder_cannot_be_removed_the_owner_reads_so_and_deletes_it_later(
    table: ServedBot, tmp_path: Path
) -> None:
    table.start(TITLE)
    (session,) = table.table.runtime.reader.all_sessions()
    (folder,) = tmp_path.rglob(session.slug)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")  # no link is removed, not for root either
    (refused,) = table.command("/roundtable delete --yes")
    assert refused.startswith(f"“{TITLE}” is not deleted: its files cannot all be removed (")
    assert titles(table) == [TITLE]
    folder.unlink()
    (done,) = table.command("/roundtable delete --yes")
    assert done == f"“{TITLE}” is deleted, with its answers and its folder."
    assert titles(table) == []


def test_nobody_else_may_be_it_an_admin(table: ServedBot) -> None:
    table.start(TITLE)
    for line in ("/roundtable delete", "/roundtable delete --yes"):
        assert table.command(line, by="dev") == [REFUSED]
    assert titles(table) == [TITLE]
