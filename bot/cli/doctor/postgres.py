"""A PostgreSQL server: whether it is reached, is new enough, keeps what it says, and has room."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from bot.cli.doctor import database as any_database
from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.cli.doctor.settings import Setup
from core.store.connection.database import READERS_MAX, DatabaseError, StoreError
from core.store.connection.postgres import WRITERS_MAX, PostgresDatabase, name_of
from core.store.maintenance import upgrade

VERSION_MIN: Final = 14
PER_VERSION: Final = 10_000  # 15.4 is 150004
CLOCK_S_MAX: Final = 2.0

OPENED: Final = DoctorCheck("database", "database", "connecting, and SHOW server_version_num")
WRITING: Final = DoctorCheck("writing", "database", "a write transaction that deletes nothing")
CLOCK: Final = DoctorCheck("server clock", "database", "clock_timestamp() against this machine")
POOL: Final = DoctorCheck("connections", "database", "max_connections against pg_stat_activity")
DURABLE: Final = DoctorCheck("durability", "database", "SHOW fsync, SHOW synchronous_commit")
WORKERS: Final = DoctorCheck("workers", "database", "heartbeats against rows that are due")
INSIDE: Final = (
    *(WRITING, any_database.SCHEMA, CLOCK, POOL, DURABLE, WORKERS),
    *(any_database.PREFLIGHT, any_database.BLOCKS),
)
SERVER: Final = """
    SELECT current_setting('server_version_num')::int,
           extract(epoch FROM clock_timestamp())::float,
           current_setting('max_connections')::int
             - current_setting('superuser_reserved_connections')::int,
           (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend'),
           current_setting('fsync'), current_setting('synchronous_commit')
"""
PERFORMING: Final = """
    SELECT (SELECT count(*)::int FROM procrastinate_workers
            WHERE last_heartbeat > clock_timestamp() - interval '5 seconds'),
           (SELECT count(*)::int FROM outbox
            WHERE due < extract(epoch FROM clock_timestamp()) - 60)
"""


def checks(setup: Setup, now: Callable[[], float]) -> Iterator[Check]:
    url = setup.settings.database_url
    try:
        database = PostgresDatabase(url)
    except StoreError as error:
        yield OPENED.fail(str(error), REMEDIES["server"])
        yield from (question.unasked("the server is not reached") for question in INSIDE)
        return
    try:
        yield from _server(database, name_of(url), now)
        place = upgrade.standing(url)
        yield any_database.schema(place)
        yield _writing(database) if place.is_usable else WRITING.unasked("there are no tables")
        yield _workers(database) if place.is_usable else WORKERS.unasked("there are no tables")
        under_way, refused = (
            _rows(database, query) if place.is_usable else None
            for query in (any_database.UNDER_WAY, any_database.REFUSED)
        )
        yield any_database.preflight(under_way)
        yield any_database.blocks(refused, setup, now())
    except (DatabaseError, StoreError) as error:
        yield OPENED.fail(str(error), REMEDIES["server"])
    finally:
        database.close()


def _server(database: PostgresDatabase, name: str, now: Callable[[], float]) -> Iterator[Check]:
    with database.reading() as connection:
        version, time, most, used, fsync, commit = connection.execute(SERVER).fetchone()
    server = f"{name}, PostgreSQL {version // PER_VERSION}"
    is_new = version >= VERSION_MIN * PER_VERSION
    yield OPENED.ok(server) if is_new else OPENED.fail(server, REMEDIES["server-version"])
    apart_s = abs(now() - time)
    words = f"{apart_s:.1f} s apart"
    yield CLOCK.ok(words) if apart_s <= CLOCK_S_MAX else CLOCK.warn(words, REMEDIES["server-clock"])
    room = f"{used} of {most} in use"
    fits = most - used >= READERS_MAX + WRITERS_MAX
    yield POOL.ok(room) if fits else POOL.warn(room, REMEDIES["server-pool"])
    settings = f"fsync {fsync}, synchronous_commit {commit}"
    is_durable = fsync == "on" and commit != "off"
    yield (
        DURABLE.ok(settings) if is_durable else DURABLE.warn(settings, REMEDIES["server-durable"])
    )


def _writing(database: PostgresDatabase) -> Check:
    trouble = database.trouble()
    if trouble:
        return WRITING.fail(trouble, REMEDIES["server-rights"])
    return WRITING.ok("a write was possible, and was taken back")


def _workers(database: PostgresDatabase) -> Check:
    ((performing, waiting),) = _rows(database, PERFORMING)
    counts = f"{performing} running, {waiting} rows due for over a minute"
    if waiting and not performing:
        return WORKERS.warn(counts, REMEDIES["server-workers"])
    return WORKERS.ok(counts)


def _rows(database: PostgresDatabase, query: str) -> list[Any]:
    with database.reading() as connection:
        rows: list[Any] = connection.execute(query).fetchall()
        return rows
