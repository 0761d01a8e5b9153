"""Imported once, by the process that bots are forked from: all that a bot needs to serve."""

from bot.devtools.play import child
from bot.server import http_server
from core.brains.script import brain

__all__ = ["child", "http_server"]

brain.load()
