"""One of several processes, `roundtable serve` or `worker`, forked from one that has loaded all."""

import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.support.crash_points import CrashPlan, CrashPoints
from tests.support.fleet_router import CALL_S_MAX, LOOPBACK
from tests.support.forked_bot import FORKS, move_in
from tests.support.waiting import wait_until


@dataclass(slots=True)
class Member:
    """Started, killed, suspended, started again. With a `plan` its crash points are counted."""

    arguments: tuple[str, ...]
    port: int
    environment: Mapping[str, str]
    log: Path
    plan: CrashPlan | None = None
    process: ForkServerProcess | None = None

    def start(self) -> None:
        arguments = [*self.arguments, "--port", str(self.port)]
        self.process = FORKS.Process(
            target=_serve, args=(arguments, dict(self.environment), str(self.log), self.plan)
        )
        self.process.start()

    def is_ready(self) -> bool:
        connection = HTTPConnection(LOOPBACK, self.port, timeout=CALL_S_MAX)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def wait_ready(self) -> None:
        wait_until(self.is_ready, f"{self.arguments} is not ready: {self.log}")

    def is_alive(self) -> bool:
        return self.process is not None and self.process.is_alive()

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self.wait()

    def wait(self) -> int | None:
        assert self.process is not None
        self.process.join(CALL_S_MAX)
        return self.process.exitcode


def _serve(
    arguments: list[str], environment: dict[str, str], log: str, plan: CrashPlan | None
) -> None:
    from bot.cli.main import main
    from bot.server import composition

    move_in(environment, log)
    if plan is not None:
        composition.build = partial(composition.build, checkpoint=CrashPoints(plan))
    sys.argv[1:] = arguments
    main()
