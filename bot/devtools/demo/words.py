"""What the demo says in the terminal."""

from typing import Final

READY: Final = """\
Roundtable in your browser: {url}

A workspace on this machine that looks like Slack and is not Slack. Ada, Ben and Cleo are in it:
you can act as any of them.
  #payments     a finished analysis
  #dashboards   one half-way: answer Alex Rivera, or click Continue
  #start-here   empty: type /roundtable analyze <what you want to look at>
Everything is kept in {folder}/; begin anew with --fresh. Ctrl-C ends it.

"""
SEEDING: Final = "Two sessions are being played in… "
SEEDED: Final = "ready.\n"
STUCK: Final = "one of them could not be finished ({why}). Everything else is ready.\n"
RETURNED: Final = "Everything is as you left it.\n"
ENDED: Final = "\nEnded. Everything is kept in {folder}/.\n"

TAKEN: Final = "Port {port} is taken. Give another one: roundtable demo --port {other}"
NO_PORT: Final = "Port {port} cannot be used: {why}. Give another one with --port."
ELSEWHERE: Final = "Port {port} is taken; this is port {other}.\n"
ASIDE: Final = "{fault}. All of it is kept aside in {aside}/, and the demo begins anew.\n"
BOT_FAILED: Final = "The bot did not start: {why}. Its log is {log}; or begin anew with --fresh."
NOT_KEPT: Final = "The workspace could not be kept: {why}."
