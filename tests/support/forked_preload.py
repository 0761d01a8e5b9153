"""Imported once, by the process that bots are forked from: all that a bot needs to serve."""

from contextlib import suppress

from bot.cli import main
from bot.devtools.play import child
from bot.server import http_server
from core.brains.script import brain

with suppress(ImportError):  # extras
    import procrastinate.worker  # noqa: F401
    import psycopg_pool  # noqa: F401

    from core.runtime.dispatcher import engine  # noqa: F401
    from core.store.connection import postgres  # noqa: F401

__all__ = ["child", "http_server", "main"]

brain.load()
