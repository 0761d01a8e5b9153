"""Seed 001 with artifacts as rows: what the server refuses is the fault that it is in a folder."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.brains.script.performing import consult
from core.domain.ids import SessionId
from core.runtime.commit import Runtime
from core.store.connection.opening import open_database
from tests.core.test_engine_party import ANSWER, begin, press, recovery, to_the_end_of_phase_one
from tests.support.databases import DATABASES
from tests.support.fakes import DrivenClock, FakeStage
from tests.support.harness import Harness
from tests.support.postgres import Server
from tests.support.serving import database_in

ROLE = "writes_artifacts"
RIGHTS = f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {ROLE}"


@dataclass(frozen=True, slots=True)
class Held:
    """A table of a party, whose process has the rights that the server's owner leaves it."""

    table: Harness
    server: Server
    name: str

    def by_owner(self, *statements: str) -> None:
        for statement in statements:
            self.server.execute(statement, self.name)

    def artifact(self, name: str) -> str | None:
        return self.table.artifacts.of(self.table.cast.team).read(self.table.session.slug, name)


@pytest.fixture
def held(tmp_path: Path, postgres_server: Server) -> Iterator[Held]:
    with DATABASES.on(postgres_server):
        url = database_in(tmp_path, "table.db")
        name = url.partition("@/")[2].partition("?")[0]
        postgres_server.execute(f"CREATE ROLE {ROLE} LOGIN", name)
        postgres_server.execute(RIGHTS, name)
        clock = DrivenClock()
        database = open_database(url.replace("postgres@", f"{ROLE}@"))
        runtime = Runtime(database, clock, quiet_s=0.0, deadline_s=5.0)
        table = Harness(tmp_path, table=consult, stage=FakeStage(clock), runtime=runtime, rows=True)
        table.id = SessionId("s1")
        yield Held(table, postgres_server, name)
        table.close()
        postgres_server.execute(f"DROP OWNED BY {ROLE}; DROP ROLE {ROLE}", name)


def test_e007_a_row_that_the_server_refuses_is_tried_again_and_noted(held: Held) -> None:
    table = held.table
    begin(table)
    held.by_owner(
        "ALTER TABLE files ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY most ON files USING (true) WITH CHECK (name <> 'project-brief.md')",
    )
    to_the_end_of_phase_one(table)
    assert "E-007" in table.codes
    assert "ERR-ART-002" not in table.codes
    assert table.session.party.records[0].unwritten == ("project-brief.md",)
    assert table.menu.choices == ("accept", "changes")
    assert held.artifact("project-brief.md") is None
    assert table.runtime.reader.sections(table.id, "project-brief.md") != ()
    held.by_owner("ALTER TABLE files DISABLE ROW LEVEL SECURITY")
    table.click("accept")
    assert held.artifact("project-brief.md")


def test_e008_without_the_right_to_write_files_it_is_said_and_the_party_goes_on(
    held: Held,
) -> None:
    table = held.table
    begin(table)
    held.by_owner(f"REVOKE INSERT, UPDATE ON files FROM {ROLE}")
    to_the_end_of_phase_one(table)
    assert {"E-007", "E-008"} <= set(table.codes)
    assert "Warning: Could not update state.json progress tracking." in table.messages
    assert table.menu.choices == ("accept", "changes")


def test_e008_the_last_write_is_put_to_the_owner_and_tried_again(held: Held) -> None:
    table = held.table
    begin(table)
    held.by_owner(f"REVOKE INSERT, UPDATE ON files FROM {ROLE}")
    for _ in range(40):
        if table.session.status == "asking":
            table.say(ANSWER)
        elif table.session.status == "choosing":
            table.forward()
    menu = recovery(table)
    assert (menu.kind, menu.choices) == ("state-unwritten", ("retry", "leave"))
    held.by_owner(RIGHTS)
    press(table, "retry")
    assert json.loads(held.artifact("state.json") or "")["status"] == "completed"
    assert table.session.menus.recovery is None
