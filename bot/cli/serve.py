"""`roundtable serve` and `roundtable worker`: running the bot."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from bot.cli.printing import refuse
from core.store.connection.opening import is_postgres

if TYPE_CHECKING:
    import socket

    from bot.server.configuration.settings import Mode, Settings
    from bot.server.roundtable import Roundtable

T = TypeVar("T")
IN_USE: Final = "The bot is running. Stop it, run this again, and start it."


def serve(
    socket: Annotated[
        bool, typer.Option("--socket", help="Socket Mode: Slack needs no address of ours.")
    ] = False,
    http: Annotated[
        bool, typer.Option("--http", help="HTTP: /slack/events, /livez and /readyz.")
    ] = False,
    host: Annotated[
        str | None,
        typer.Option(
            help="Address to listen on in HTTP mode; $ROUNDTABLE_HOST or 127.0.0.1 without it."
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, help="Port in HTTP mode; $PORT or 3000 without it."),
    ] = None,
    work: Annotated[
        bool, typer.Option("--work", help="On PostgreSQL: perform what is accepted, too.")
    ] = False,
) -> None:
    """Serve Slack. Settings come from the environment (docs/reference/settings.md).

    On a SQLite file it performs what it accepts; on PostgreSQL, roundtable worker does.
    """
    if socket == http:
        raise refuse("Say which: roundtable serve --socket, or roundtable serve --http.")
    mode: Mode = "socket" if socket else "http"
    from bot.server.configuration.settings import load_or_exit
    from core.logs import configure

    settings = load_or_exit(mode)
    configure(settings.log_format, settings.log_level)
    performs = work or not is_postgres(settings.database_url)
    if mode == "socket":
        _serve_socket(settings, performs=performs)
    else:
        _serve_http(settings, host or settings.host, port or settings.port, performs=performs)


def _serve_socket(settings: "Settings", *, performs: bool) -> None:
    from bot.server.socket_mode import serve_socket

    with (
        guarded(lambda: _compose(settings, performs=performs)) as roundtable,
        _measured(roundtable, settings.host),
    ):
        serve_socket(roundtable.bolt, settings, returned=roundtable.read_again)


def _serve_http(settings: "Settings", host: str, port: int, *, performs: bool) -> None:
    from bot.server.http_server import serve_http

    with (
        _listener(host, port) as listener,
        guarded(lambda: _compose(settings, performs=performs)) as roundtable,
        _measured(roundtable, host),
    ):
        roundtable.read_again()
        serve_http(roundtable.http_app(), listener, drain=roundtable.drain)


def _listener(host: str, port: int) -> "socket.socket":
    from bot.server.http_server import listen

    try:
        return listen(host, port)
    except OSError as error:
        raise refuse(f"{host}, port {port}, cannot be listened on: {error.strerror}.") from error


@contextmanager
def _measured(roundtable: "Roundtable", host: str) -> Iterator[None]:
    """Figures are served meanwhile, where a port is set for them."""
    port = roundtable.settings.metrics_port
    if roundtable.metrics is None or port is None:
        yield
        return
    try:
        end = roundtable.metrics.serve(host, port)
    except OSError as error:
        raise refuse(f"{host}, port {port}, cannot be listened on: {error.strerror}.") from error
    try:
        yield
    finally:
        end()


def _compose(settings: "Settings", *, performs: bool) -> "Roundtable":
    from bot.server.composition import build
    from core.logs import configure

    refuse_unfit(settings.database_url)
    roundtable = build(settings, performs=performs)
    configure(settings.log_format, settings.log_level, on_secret=roundtable.secret_logged)
    return roundtable


def guarded(start: Callable[[], T]) -> T:
    """What cannot be started is said in one line."""
    from bot.server.one_workspace import NotConnectedError
    from core.store.connection.database import InUseError, StoreError

    try:
        return start()
    except NotConnectedError as error:
        remedy = "Look at SLACK_BOT_TOKEN" if error.heard else "Look at the network, SLACK_API_URL"
        fault = "refused us" if error.heard else "does not answer"
        raise refuse(f"Slack {fault} ({error}). {remedy}, or ask: roundtable doctor") from error
    except InUseError as error:
        raise refuse(IN_USE) from error
    except StoreError as error:
        raise refuse(f"ROUNDTABLE_DATABASE_URL: {error}.") from error


def refuse_unfit(url: str) -> None:
    """Goes on with a database that this version can use, and says of any other what to do."""
    from core.store.maintenance.upgrade import standing, unusable

    database = guarded(lambda: standing(url))
    if database.kind == "missing":
        raise refuse(f"There is no database {database.name} yet. Run: roundtable db upgrade")
    if words := unusable(database):
        raise refuse(f"ROUNDTABLE_DATABASE_URL: {words}.")
    if not database.is_usable:
        raise refuse("The database is not at the newest schema. Run: roundtable db upgrade")


def worker(
    host: Annotated[
        str | None,
        typer.Option(help="Address for --port; $ROUNDTABLE_HOST or 127.0.0.1 without it."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, help="Port of /livez and /readyz; none without it."),
    ] = None,
) -> None:
    """Perform what roundtable serve accepts, beside any number of others. Needs PostgreSQL."""
    from bot.server.configuration.settings import load_or_exit
    from core.logs import configure

    if not is_postgres(load_or_exit().database_url):
        raise refuse("roundtable worker needs PostgreSQL: a SQLite file is owned by one process.")
    settings = load_or_exit("worker")
    configure(settings.log_format, settings.log_level)
    place = host or settings.host
    with (
        _listener(place, port) if port else nullcontext() as listener,
        guarded(lambda: _compose(settings, performs=True)) as roundtable,
        _measured(roundtable, place),
    ):
        _wait_for_the_end(roundtable, listener)


def _wait_for_the_end(roundtable: "Roundtable", listener: "socket.socket | None") -> None:
    from bot.server.http_app import HealthApp
    from bot.server.http_server import serve_http
    from bot.server.stop_signals import wait_for_signal

    if listener is None:
        wait_for_signal()
    else:
        app = HealthApp(roundtable.runtime.is_healthy)
        serve_http(app, listener, drain=roundtable.drain)
