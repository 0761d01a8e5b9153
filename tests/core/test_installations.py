"""Tokens of workspaces: sealed with keys, kept in rows; what waits and what goes without one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from core.domain.ids import TeamId, UserId
from core.ports import Workspace
from core.secrets.token_keys import TokenKeys, UnreadableTokenError, new_key
from core.store.connection.database import Database
from core.store.connection.opening import open_database
from core.store.repository.installations import HOLDER_S, OPEN_STATES_MAX, STATE_S, Installations
from core.store.schema.tables import table_of
from core.store.schema.workspace_tables import OAuthStateRow
from core.store.statements.statement import SqlStatement
from tests.support.databases import EACH_DATABASE
from tests.support.serving import database_in

pytestmark = EACH_DATABASE

T1, T2 = TeamId("T1"), TeamId("T2")
TOKEN = "xoxb-of-acme"
NOW = 1_700_000_000.5


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(database_in(tmp_path))) as database:
        yield database


@pytest.fixture
def installations(database: Database) -> Installations:
    return Installations(database)


def workspace(team: TeamId) -> Workspace:
    return Workspace(team, f"https://{team}.slack.com/", UserId(f"U{team}"), f"B{team}")


# ── keys ──


def test_what_is_sealed_opens_again_and_shows_nothing() -> None:
    keys = TokenKeys([new_key()])
    team = TeamId("T0123456789")  # two letters would stand in it by chance
    sealed = keys.seal(team, TOKEN)
    assert keys.open(team, sealed) == TOKEN
    assert TOKEN not in sealed
    assert team not in sealed
    assert sealed != keys.seal(team, TOKEN)


def test_the_first_key_seals_and_each_one_opens() -> None:
    old, new = new_key(), new_key()
    sealed = TokenKeys([old]).seal(T1, TOKEN)
    both = TokenKeys([new, old])
    assert both.open(T1, sealed) == TOKEN
    again = both.seal_anew(T1, sealed)
    assert TokenKeys([new]).open(T1, again) == TOKEN
    with pytest.raises(UnreadableTokenError, match="no key opens the token of T1"):
        TokenKeys([old]).open(T1, again)


def test_a_token_that_was_copied_to_another_team_is_refused() -> None:
    keys = TokenKeys([new_key()])
    with pytest.raises(UnreadableTokenError, match="the token of T2 is another workspace's"):
        keys.open(T2, keys.seal(T1, TOKEN))


@pytest.mark.parametrize("damaged", ["", "gAAAAA", "ümlaut", TOKEN])
def test_what_is_no_sealed_token_is_refused(damaged: str) -> None:
    with pytest.raises(UnreadableTokenError):
        TokenKeys([new_key()]).open(T1, damaged)


def test_a_key_has_a_name_that_is_not_the_key() -> None:
    key = new_key()
    (name,) = TokenKeys([key]).names
    assert name not in key
    assert TokenKeys([key]).names == (name,)


# ── rows ──


def test_an_installation_is_kept_with_the_workspace_it_is_of(
    database: Database, installations: Installations
) -> None:
    installations.save(workspace(T1), "sealed", at=NOW)
    kept = installations.find(T1)
    assert kept is not None
    assert (kept.sealed, kept.installed_at, kept.uninstalled_at) == ("sealed", NOW, None)
    assert installations.find(T2) is None


def test_an_uninstalled_workspace_loses_its_token_and_a_new_installation_takes_it_up(
    installations: Installations,
) -> None:
    installations.save(workspace(T1), "sealed", at=NOW)
    assert installations.remove(T1, happened_at=int(NOW) + 5, at=NOW + 6)
    gone = installations.find(T1)
    assert gone is not None
    assert (gone.sealed, gone.uninstalled_at) == (None, NOW + 6)
    assert not installations.remove(T1, happened_at=int(NOW) + 7, at=NOW + 8)
    installations.save(workspace(T1), "another", at=NOW + 9)
    back = installations.find(T1)
    assert back is not None
    assert (back.sealed, back.uninstalled_at) == ("another", None)


def test_what_happened_before_the_installation_takes_nothing_from_it(
    installations: Installations,
) -> None:
    installations.save(workspace(T1), "sealed", at=NOW)
    assert not installations.remove(T1, happened_at=int(NOW) - 1, at=NOW + 1)
    assert installations.find(T1).sealed == "sealed"
    assert installations.remove(T1, happened_at=int(NOW), at=NOW + 1)


def test_a_token_is_replaced_only_where_it_is_still_the_one_that_was_read(
    installations: Installations,
) -> None:
    installations.save(workspace(T1), "old", at=NOW)
    assert not installations.replace_token(T1, "older", "new")
    assert installations.replace_token(T1, "old", "new")
    assert installations.find(T1).sealed == "new"


def test_hosts_that_an_admin_agreed_to_outlast_a_new_installation(
    installations: Installations,
) -> None:
    installations.save(workspace(T1), "sealed", at=NOW)
    assert installations.find(T1).model_hosts == frozenset()
    installations.let_read(T1, {"api.openai.com", "api.anthropic.com"})
    installations.save(workspace(T1), "again", at=NOW + 1)
    assert installations.find(T1).model_hosts == {"api.openai.com", "api.anthropic.com"}


# ── installations that were begun ──


def test_a_state_is_good_once(installations: Installations) -> None:
    installations.begin("state", at=NOW)
    assert not installations.end("another", at=NOW + 1)
    assert installations.end("state", at=NOW + 1)
    assert not installations.end("state", at=NOW + 2)


def test_a_state_is_good_for_ten_minutes(installations: Installations) -> None:
    installations.begin("state", at=NOW)
    assert not installations.end("state", at=NOW + STATE_S)


def test_no_more_than_a_thousand_are_open_at_once_and_the_oldest_goes(
    installations: Installations,
) -> None:
    for number in range(OPEN_STATES_MAX + 1):
        installations.begin(f"s{number}", at=NOW + number / 1_000)
    assert not installations.end("s0", at=NOW + 2)
    assert installations.end("s1", at=NOW + 2)
    assert installations.end(f"s{OPEN_STATES_MAX}", at=NOW + 2)


def test_a_state_is_not_written_down_as_it_is(
    database: Database, installations: Installations
) -> None:
    installations.begin("the-very-state", at=NOW)
    rows = database.run(SqlStatement(select(table_of(OAuthStateRow))))
    assert rows
    assert "the-very-state" not in str(rows)


# ── who has which keys ──


def test_a_process_that_lacks_a_key_is_named_until_it_is_gone(installations: Installations) -> None:
    installations.hold_keys("web-1", ["old", "new"], at=NOW)
    installations.hold_keys("web-2", ["old"], at=NOW)
    assert installations.processes_without("new", at=NOW + 1) == ("web-2",)
    installations.hold_keys("web-2", ["old", "new"], at=NOW + 2)
    assert installations.processes_without("new", at=NOW + 3) == ()
    installations.let_go_of_keys("web-1")
    assert installations.processes_without("old", at=NOW + 3) == ()
    assert installations.processes_without("third", at=NOW + 2 + HOLDER_S + 1) == ()
