"""A server to send signed events to: the bot as it is served over HTTP, or bare Bolt in its place.

Run as `python -m bot.cli.bench.service ours|bare PORT`; settings come from the environment. What
commits leave in the outbox stays there, so that a turn times the acknowledgement alone.
"""

import sys
from collections.abc import Callable
from typing import Final

from bot.cli.bench.anchors import bare_bolt
from bot.serve import Served, serve_http
from bot.settings import load_or_exit
from bot.wsgi import wsgi_app

LOOPBACK: Final = "127.0.0.1"
THREADS: Final = 4


def _ours() -> Served:
    from bot.app import build
    from core.logs import configure

    settings = load_or_exit("http")
    configure(settings.log_format, settings.log_level)
    table = build(settings)
    return Served(table.wsgi(), table.runtime.database.close)


def _bare() -> Served:
    known = load_or_exit("http").signing_secret
    assert known is not None
    secret = known.get_secret_value()
    bare = wsgi_app(bare_bolt(secret=secret), signing_secret=secret, healthy=lambda: True)
    return Served(bare, lambda: None)


KINDS: Final[dict[str, Callable[[], Served]]] = {"ours": _ours, "bare": _bare}


def main(kind: str, port: str) -> None:
    serve_http(KINDS[kind], host=LOOPBACK, port=int(port), threads=THREADS)


if __name__ == "__main__":
    main(*sys.argv[1:])
