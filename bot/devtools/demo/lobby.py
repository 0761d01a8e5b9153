"""The life of a demo: the page first, the bot and its sessions behind it, all of it until Ctrl-C.

What is heavy is imported once the page answers. Whatever happens here is said in a line or two.
"""

import contextlib
import errno
import logging
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bot.devtools.demo import place as places
from bot.devtools.demo import words
from bot.devtools.demo.place import DemoFolder, NoDemoFolderError
from bot.devtools.provider.readers import RunningReaders, StandInReaders, running
from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.delivery.queue import RETRY_DELAYS_S
from bot.devtools.workspace.persistence import DamagedError
from bot.server.stop_signals import stop_signals
from bot.views.kit.wording import command_notes

if TYPE_CHECKING:
    from bot.devtools.demo.bot import Bot

PORT: Final = 8765
ANY_PORT: Final = 0
PEOPLE: Final = ("Ada", "Ben", "Cleo")
OWNER: Final = "Ada"
CHANNELS: Final = ("start-here", "payments", "dashboards")
LOOK_S: Final = 0.1
BOT_S_MAX: Final = 30.0
"""Whoever is quicker than the bot may wait for it: the page is there about a second earlier."""

EXIT_ENDED: Final = 0
EXIT_FAILED: Final = 1
EXIT_REFUSED: Final = 2


def run(
    *,
    port: int | None,
    fresh: bool,
    may_open: bool,
    unknown_blocks: Collection[str] = (),
    readers: StandInReaders | None = None,
) -> int:
    """Hold a demo; the exit code. `port` None: the usual one, or any free one.

    `unknown_blocks`: types of blocks that its workspace refuses. `readers`: who reads besides the
    script.
    """
    with stop_signals(*_hang_up()) as signals:
        try:
            with places.opened(fresh=fresh) as where, running(readers) as reading:
                slack = _listening(where, port)
                slack.unknown_blocks = unknown_blocks
                life = RunningDemo(slack, where, reading)
                return _hold(life, signals, may_open=may_open)
        except NoDemoFolderError as why:
            sys.stderr.write(f"{why}\n")
            return EXIT_REFUSED


def _hold(life: "RunningDemo", signals: list[str], *, may_open: bool) -> int:
    url, where = life.slack.page_url, life.where
    where.announce(url)
    _say(words.READY.format(url=url, folder=where.folder))
    if life.readers.told:
        _say(f"{life.readers.told}\n\n")
    if may_open:
        _open(url)
    life.begin()
    while not (signals or life.over.wait(LOOK_S)):
        pass
    return life.end()


def _listening(where: DemoFolder, port: int | None) -> LocalWorkspace:
    if fault := where.fault():
        _put_aside(where, fault)
    wanted = port or where.memory.port or PORT
    try:
        slack = _started(where, wanted)
        where.remember(replace(where.memory, port=wanted, whole=False))
    except OSError as cause:
        if port is not None:
            raise NoDemoFolderError(_no_port(port, cause)) from cause
        slack = _started(where, ANY_PORT)
        _say(words.ELSEWHERE.format(port=wanted, other=slack.port))
        where.remember(replace(where.memory, whole=False))
    return slack


def _started(where: DemoFolder, port: int) -> LocalWorkspace:
    try:
        slack = _workspace(where, port)
    except DamagedError as fault:
        _put_aside(where, str(fault))
        slack = _workspace(where, port)
    slack.start()
    return slack


def _workspace(where: DemoFolder, port: int) -> LocalWorkspace:
    return LocalWorkspace(
        people=PEOPLE,
        admins=(OWNER,),
        channels=CHANNELS,
        port=port,
        retry_delays=RETRY_DELAYS_S,
        first_seconds=BOT_S_MAX,
        keep_in=where.workspace,
        page_token=where.memory.token,
        command_notes=command_notes(),
    )


def _put_aside(where: DemoFolder, fault: str) -> None:
    aside = where.put_aside()
    _say(words.ASIDE.format(fault=fault, aside=aside))


def _no_port(port: int, cause: OSError) -> str:
    if cause.errno == errno.EADDRINUSE:
        return words.TAKEN.format(port=port, other=port + 1)
    return words.NO_PORT.format(port=port, why=(cause.strerror or "it is refused").lower())


@dataclass(slots=True)
class RunningDemo:
    """The bot and its sessions, behind a page that is there already."""

    slack: LocalWorkspace
    where: DemoFolder
    readers: RunningReaders = field(default_factory=RunningReaders)
    over: threading.Event = field(default_factory=threading.Event)
    failure: str = ""
    _ended: threading.Event = field(default_factory=threading.Event)
    _bot: "Bot | None" = None
    _thread: threading.Thread | None = None

    def begin(self) -> None:
        self._thread = threading.Thread(target=self._bring_in, name="lobby")
        self._thread.start()

    def end(self) -> int:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        if self._bot is not None:
            self._bot.stop()
        try:
            self.slack.stop()
        except OSError as cause:
            self.failure = self.failure or words.NOT_KEPT.format(why=cause)
        else:
            self.where.remember(replace(self.where.memory, whole=True))
        if self.failure:
            sys.stderr.write(f"{self.failure}\n")
            return EXIT_FAILED
        _say(words.ENDED.format(folder=self.where.folder))
        return EXIT_ENDED

    def _bring_in(self) -> None:
        try:
            from bot.devtools.demo.bot import Bot

            self._bot = Bot(self.slack, self.where, self.readers.settings)
            self._seed(self._bot)
        except Exception as cause:
            logging.getLogger(__name__).exception("demo.failed")
            why = str(cause).strip().partition("\n")[0] or type(cause).__name__
            self.failure = words.BOT_FAILED.format(why=why, log=self.where.log)
            self.over.set()

    def _seed(self, bot: "Bot") -> None:
        from bot.devtools.demo.seeding import EndedError, Seeding, StuckError, seeds

        if self.where.memory.seeded:
            _say(words.RETURNED)
            return
        _say(words.SEEDING)
        bot.hurry()
        try:
            for channel, script in seeds():
                Seeding(self.slack, bot.roundtable, channel, script, self._ended).play()
            _say(words.SEEDED)
        except EndedError:
            return
        except (StuckError, LookupError, PermissionError) as why:  # somebody else acts here as well
            _say(words.STUCK.format(why=why))
        finally:
            bot.take_time()
        self.where.remember(replace(self.where.memory, seeded=True))


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # nobody reads: the terminal is closed
        sys.stdout.write(text)
        sys.stdout.flush()


def _hang_up() -> tuple[signal.Signals, ...]:
    """Its terminal is closed. Whoever starts it with nohup wants it to outlive that."""
    is_nohup = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    return () if is_nohup else (signal.SIGHUP,)


# ── the browser ──


def can_open() -> bool:
    """True if somebody sits in front of a screen. A build or a server must not get a browser."""
    screen = sys.platform == "darwin" or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
    return screen and sys.stdout.isatty() and "CI" not in os.environ


def _open(url: str) -> None:
    threading.Thread(target=_opened, args=(url,), name="browser", daemon=True).start()


def _opened(url: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):
        browser = webbrowser.get()
        # Without a windowed one the standard library takes a browser of the terminal: not here.
        in_terminal = type(browser) is webbrowser.GenericBrowser and "BROWSER" not in os.environ
        if not in_terminal:
            browser.open(url)
