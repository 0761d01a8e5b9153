"""The real bot in this process, in Socket Mode with the local workspace.

It is told everything it needs: the environment may belong to another bot, and is not read.
"""

import threading
from collections.abc import Mapping
from typing import ClassVar, Final

from bot.devtools.demo.place import DemoFolder
from bot.devtools.workspace import LocalWorkspace
from bot.server.composition import build
from bot.server.configuration.settings import Settings
from bot.server.roundtable import Roundtable
from bot.server.socket_mode import serve_socket
from core import logs
from core.store.maintenance.upgrade import upgrade

PACE_S: Final = 0.1
QUIET_S: Final = 1.0
CONNECT_S_MAX: Final = 20.0


class DemoSettings(Settings):
    reads_environment: ClassVar[bool] = False


class Bot:
    """Serves from the moment it is made until `stop`."""

    def __init__(self, slack: LocalWorkspace, place: DemoFolder, models: Mapping[str, str]) -> None:
        """`models`: the settings of language models; none of them: the script reads alone."""
        logs.configure("json", stream=(log := place.log.open("w", buffering=1)))
        self._log = log
        url = f"sqlite:///{place.database}"
        upgrade(url)
        settings = DemoSettings.model_validate(
            {
                "SLACK_API_URL": slack.api_url,
                "SLACK_BOT_TOKEN": slack.bot_token,
                "SLACK_APP_TOKEN": slack.app_token,
                "ROUNDTABLE_DATABASE_URL": url,
                "ROUNDTABLE_ARTIFACTS_DIR": str(place.artifacts),
                "ROUNDTABLE_PACE_SECONDS": PACE_S,
                "ROUNDTABLE_QUIET_SECONDS": QUIET_S,
                **models,
            }
        )
        self.roundtable: Final[Roundtable] = build(settings)
        logs.configure("json", stream=log, on_secret=self.roundtable.secret_logged)
        self._stop = threading.Event()
        self.roundtable.start()
        self._serving = threading.Thread(
            target=serve_socket,
            args=(self.roundtable.bolt, settings),
            kwargs={"stop": self._stop, "returned": self.roundtable.read_again},
            name="bot",
        )
        self._serving.start()
        slack.wait_connected(CONNECT_S_MAX)

    def hurry(self) -> None:
        """Nobody has to be waited for."""
        self.roundtable.keep_time(pace_s=0.0, quiet_s=0.0)

    def take_time(self) -> None:
        self.roundtable.keep_time(pace_s=PACE_S, quiet_s=QUIET_S)

    def stop(self) -> None:
        self._stop.set()
        self._serving.join()
        self.roundtable.stop()
        logs.configure("json")
        self._log.close()
