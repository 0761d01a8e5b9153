"""A Home tab that one process of several published follows the cards that another one paints."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.interactions.home import LATELY_S, Homes
from core.domain.ids import ChannelId, UserId
from core.store.repository.home_viewers import HomeViewers
from tests.support.databases import DATABASES
from tests.support.fakes import ALEX, CHANNEL, OWNER, TEAM, Names
from tests.support.harness import Harness, small_table
from tests.support.postgres import Server


@dataclass(slots=True)
class Tabs:
    """One process's side of Slack: whose tab it published."""

    published: list[UserId] = field(default_factory=list)

    def publish_home(self, user: UserId, view: object) -> None:
        self.published.append(user)

    def of(self, _user: UserId) -> dict[ChannelId, str]:
        return {CHANNEL: "general"}


class Process:
    def __init__(self, table: Harness) -> None:
        self.tabs, self.pool = Tabs(), ThreadPoolExecutor(1)
        reader = table.runtime.reader
        self.homes = Homes(
            reader, self.tabs, Names(), self.tabs, reader.workspace(TEAM), self.pool,
            table.clock.now, viewers=HomeViewers(table.runtime.database),
        )  # fmt: skip

    @property
    def published(self) -> list[UserId]:
        for _ in range(3):  # a job may leave another one
            self.pool.submit(lambda: None).result()
        return self.tabs.published


@pytest.fixture
def table(postgres_server: Server, tmp_path: Path) -> Iterator[Harness]:
    with DATABASES.on(postgres_server):
        table = small_table(tmp_path)
        table.start()
        yield table
        table.close()


def test_whoever_looks_in_one_process_sees_what_another_one_changed(table: Harness) -> None:
    web, worker = Process(table), Process(table)
    worker.homes.changed(table.session)
    assert worker.published == []  # nobody looks
    web.homes.show(ALEX)  # whom it does not concern
    web.homes.show(OWNER)
    assert web.published == [ALEX, OWNER]
    worker.homes.changed(table.session)
    assert worker.published == [OWNER]
    table.clock.forward(LATELY_S)
    worker.homes.changed(table.session)
    assert worker.published == [OWNER]
    web.homes.stop()
    worker.homes.stop()


def test_the_page_is_the_one_that_was_turned_to_last(table: Harness) -> None:
    web, worker = Process(table), Process(table)
    web.homes.show(OWNER, 3)
    assert web.published == [OWNER]
    worker.homes.changed(table.session)
    assert worker.published == [OWNER]
    table.clock.forward(1.0)
    web.homes.show(OWNER, 7)
    assert web.published == [OWNER, OWNER]
    viewers = HomeViewers(table.runtime.database)
    assert viewers.of(TEAM, table.clock.now()) == {OWNER: (7, table.clock.now() + LATELY_S)}
    web.homes.stop()
    worker.homes.stop()


def test_a_database_that_is_gone_holds_up_no_card(table: Harness) -> None:
    worker, session = Process(table), table.session
    table.runtime.database.close()
    with table.runtime.database.write() as db:
        db.execute("DROP TABLE home_viewers", {})
    worker.homes.changed(session)
    assert worker.published == []
    worker.homes.stop()
