"""The bot of a play as a process that can be killed, forked from one that has loaded everything.

It is `bot.devtools.play.child` with its own environment, log, session and input, as `BotProcess`
starts it; only Python and its modules are not started anew each time.
"""

import io
import multiprocessing
import os
import sys
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import IO, Final, cast

from bot.devtools.play import child
from bot.devtools.play.controls import Transport
from bot.devtools.play.process import BotProcess
from core.runtime.commit import no_checkpoint
from tests.support.crash_points import CrashPlan, CrashPoints

FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.support.forked_preload"])


@dataclass(slots=True)
class Forked:
    """What `BotProcess` needs of a `subprocess.Popen`."""

    process: ForkServerProcess
    stdin: IO[bytes]

    @property
    def pid(self) -> int:
        return cast("int", self.process.pid)

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self) -> int | None:
        self.process.kill()  # it may not lead a session of its own yet
        self.process.join()
        return self.process.exitcode


@dataclass(slots=True)
class ForkedBot(BotProcess):
    """With a `plan` its crash points are counted; where one kills it, it is started again, once."""

    plan: CrashPlan | None = None
    crashes: int = field(default=0, init=False)

    def exit_code(self) -> int | None:
        code = BotProcess.exit_code(self)
        if code is None or self.crashes or self.plan is None or not self.plan.is_crash_past():
            return code
        self.crashes += 1
        self.kill()
        self.start()
        return None

    def _begun(self, environment: dict[str, str]) -> Forked:  # type: ignore[override]
        ours, theirs = FORKS.Pipe(duplex=False)
        where = (str(self.controls.root), self.transport, environment, str(self.log))
        process = FORKS.Process(target=_serve, args=(*where, ours, self.plan))
        process.start()
        ours.close()
        stdin = io.FileIO(os.dup(theirs.fileno()), "w")
        theirs.close()
        return Forked(process, cast("IO[bytes]", stdin))


def _serve(
    folder: str,
    transport: Transport,
    environment: dict[str, str],
    log: str,
    stdin: Connection,
    plan: CrashPlan | None,
) -> None:
    os.dup2(stdin.fileno(), 0)
    move_in(environment, log)
    sys.stdin = os.fdopen(0)  # multiprocessing has put nothing in its place
    child.main(folder, transport, CrashPoints(plan) if plan else no_checkpoint)


def move_in(environment: dict[str, str], log: str) -> None:
    """A session, an environment and a log of its own for the process that was forked."""
    os.setsid()  # a kill takes all of it, and nothing else
    os.environ.clear()
    os.environ.update(environment)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for theirs in (1, 2):
        os.dup2(written, theirs)
