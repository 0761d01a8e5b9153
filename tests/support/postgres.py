"""A PostgreSQL server of Debian's packages, one a run: on a socket without a port, fit to be lost.

It belongs to `nobody` where the tests are root, which the server refuses. Each database of a test
is a copy of one that was migrated once.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from psycopg import Connection

PLACES: Final = "/usr/lib/postgresql"  # where Debian puts it
USER: Final = "nobody"
TEMPLATE: Final = "migrated"
JSON_FUNCTIONS: Final = """
CREATE FUNCTION json_set(doc text, path text, value text) RETURNS text RETURN
    jsonb_set(doc::jsonb, string_to_array(substr(path, 3), '.'), to_jsonb(value))::text;
CREATE FUNCTION json_set(doc text, path text, value int) RETURNS text RETURN
    jsonb_set(doc::jsonb, string_to_array(substr(path, 3), '.'), to_jsonb(value))::text;
CREATE FUNCTION json_remove(doc text, path text) RETURNS text RETURN
    (doc::jsonb #- string_to_array(substr(path, 3), '.'))::text;
CREATE FUNCTION json_extract(doc text, path text) RETURNS text RETURN
    doc::jsonb #>> string_to_array(substr(path, 3), '.');
"""  # tests damage and look into documents in SQLite's words
SMALL_MB: Final = 40
START_S_MAX: Final = 30
FIRST_WITH_STRATEGIES: Final = 150_000  # before it each database was made by its files
UNSAFE: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
SETTINGS: Final = ("listen_addresses=", "max_connections=200", "log_min_messages=fatal")


@cache
def missing() -> str:
    """Why there is no server to be had; empty where there is one."""
    if _bin() is None:
        return "PostgreSQL is not installed (ROUNDTABLE_POSTGRES_BIN names its folder)"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return ""


def need() -> None:
    """Skip a test where there is no server; in CI, fail it."""
    if missing():
        if os.environ.get("CI"):
            pytest.fail(missing())
        pytest.skip(missing())


@cache
def _bin() -> Path | None:
    """The folder that holds `initdb`."""
    named = os.environ.get("ROUNDTABLE_POSTGRES_BIN")
    places = [Path(named)] if named else [*_configured(), *_packaged(), *_on_path()]
    return next((place for place in places if (place / "initdb").exists()), None)


def _configured() -> Iterator[Path]:
    if shutil.which("pg_config"):
        told = subprocess.run(
            ["pg_config", "--bindir"], capture_output=True, text=True, check=False
        )
        yield Path(told.stdout.strip())


def _packaged() -> list[Path]:
    versions = Path(PLACES).glob("*/bin")
    return sorted(versions, key=lambda place: float(place.parent.name), reverse=True)


def _on_path() -> Iterator[Path]:
    if found := shutil.which("initdb"):
        yield Path(found).parent


@dataclass
class Server:
    """A cluster in a folder. `durable`: as it is in service, for kills and figures."""

    folder: Path
    durable: bool = False
    newest: str = field(default="", init=False)  # of its databases
    _numbers: Iterator[int] = field(default_factory=count)

    def make(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o755)  # its socket is for a bot without powers too
        if _runs_as_root():
            os.chown(self.folder, *_nobody())
        self._run(
            "initdb", "--pgdata", str(self.folder / "data"), "--username", "postgres",
            "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync",
        )  # fmt: skip

    def start(self) -> None:
        settings = (*SETTINGS, *(() if self.durable else UNSAFE))
        options = " ".join(f"-c {setting}" for setting in settings)
        self._run(
            "pg_ctl", "start", "--wait", "--timeout", str(START_S_MAX), "--silent",
            "--pgdata", str(self.folder / "data"), "--log", str(self.folder / "log"),
            "--options", f"{options} -k {self.folder}",
        )  # fmt: skip

    def stop(self, mode: str = "immediate") -> None:
        """`mode`: smart, fast or immediate."""
        if connection := self.__dict__.pop("_connection", None):
            connection.close()
        self._run("pg_ctl", "stop", "--mode", mode, "--pgdata", str(self.folder / "data"))

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Inside, no process of the server runs."""
        postmaster = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        processes = [postmaster, *map(int, children)]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    @contextmanager
    def small_disk(self) -> Iterator[Path]:
        """A tablespace `small` on a small file system; a skip where nothing can be mounted."""
        place = self.folder / "small"
        place.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_MB}m", "none", str(place)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("nothing can be mounted here")
        try:
            os.chown(place, *_nobody())
            self.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
            yield place
        finally:
            subprocess.run(["umount", "--lazy", str(place)], check=True)

    def url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def database(self, template: str | None = TEMPLATE) -> str:
        """The address of a new database: migrated, or empty without a template."""
        name = self.newest = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template or 'template0'} {self._copy}")
        return self.url(name)

    def drop(self, url: str) -> None:
        self.execute(f"DROP DATABASE {_name_in(url)} WITH (FORCE)")

    def let_write(self, url: str, *, allowed: bool) -> None:
        """True if anything may be written to a database from now on; all its connections end."""
        name = _name_in(url)
        read_only = "off" if allowed else "on"
        self.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {read_only}")
        self.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )

    def execute(self, query: str, database: str = "postgres") -> list[Any]:
        if database == "postgres":
            return _rows(self._connection, query)
        with self._connect(database) as connection:
            return _rows(connection, query)

    @cached_property
    def _connection(self) -> "Connection[Any]":
        """To the server's own database, for what each test has made and dropped."""
        return self._connect("postgres")

    @cached_property
    def _copy(self) -> str:
        """How a database is made: by its files, with the caches that a new one has to build."""
        ((version,),) = self.execute("SHOW server_version_num")
        return "STRATEGY FILE_COPY" if int(version) >= FIRST_WITH_STRATEGIES else ""

    def _connect(self, database: str) -> "Connection[Any]":
        import psycopg

        return psycopg.connect(self.url(database), autocommit=True)

    def migrate_template(self) -> None:
        from core.store.maintenance.upgrade import upgrade

        self.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
        upgrade(self.url(TEMPLATE))
        self.execute(JSON_FUNCTIONS, TEMPLATE)

    def _run(self, program: str, *args: str) -> None:
        place = _bin()
        assert place is not None
        user = dict.fromkeys(("user", "group"), USER) if _runs_as_root() else {}
        if user:
            user["group"] = str(_nobody()[1])
        done = subprocess.run(
            [str(place / program), *args],
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            user=USER if user else None,
            group=_nobody()[1] if user else None,
        )
        assert done.returncode == 0, f"{program}: {done.stderr}"


def _rows(connection: "Connection[Any]", query: str) -> list[Any]:
    cursor = connection.execute(query.encode())
    return cursor.fetchall() if cursor.description else []


def _name_in(url: str) -> str:
    return url.partition("@/")[2].partition("?")[0]


def _runs_as_root() -> bool:
    return os.geteuid() == 0


def _nobody() -> tuple[int, int]:
    entry = pwd.getpwnam(USER)
    return entry.pw_uid, entry.pw_gid


@contextmanager
def served(*, durable: bool = False) -> Iterator[Server]:
    """A server with a migrated template, gone afterwards."""
    # The path of a socket has at most 107 characters, and the tests' own folder may be long.
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/dev/shm" if not durable else None))
    server = Server(folder, durable)
    try:
        server.make()
        server.start()
        try:
            server.migrate_template()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
