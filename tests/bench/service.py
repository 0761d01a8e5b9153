"""A server to send signed events to: the bot as it is served over HTTP, or bare Bolt in its place.

Run as `python -m tests.bench.service ours|bare PORT`; settings come from the environment. What
commits leave in the outbox stays there, so that a turn times the acknowledgement alone.
"""

import contextlib
import sys
from collections.abc import Callable
from typing import Final

from bot.server.configuration.settings import Settings, load_or_exit
from bot.server.http_app import HttpApp
from bot.server.http_server import listen, serve_http
from tests.bench.anchors import bare_bolt

LOOPBACK: Final = "127.0.0.1"
THREADS: Final = 4


def _serve_ours(settings: Settings, port: int) -> None:
    from bot.server.composition import build
    from core.logs import configure

    configure(settings.log_format, settings.log_level)
    table = build(settings.model_copy(update={"http_threads": THREADS}))
    with contextlib.closing(table.runtime.database), listen(LOOPBACK, port) as listener:
        serve_http(table.http_app(), listener)


def _serve_bare(settings: Settings, port: int) -> None:
    assert settings.signing_secret is not None
    secret = settings.signing_secret.get_secret_value()
    bare = HttpApp(
        bare_bolt(secret=secret), signing_secret=secret, is_healthy=lambda: True, threads=THREADS
    )
    with listen(LOOPBACK, port) as listener:
        serve_http(bare, listener)


KINDS: Final[dict[str, Callable[[Settings, int], None]]] = {
    "ours": _serve_ours,
    "bare": _serve_bare,
}


def main(kind: str, port: str) -> None:
    KINDS[kind](load_or_exit("http"), int(port))


if __name__ == "__main__":
    main(*sys.argv[1:])
