"""`roundtable demo` as a person has it: a real process, its printed address, its page over HTTP."""

import http.client
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.support.ports import free_port
from tests.support.waiting import WAIT_S_MAX, wait_until

ROOT = Path(__file__).parents[2]
POLL_S = 0.05
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/[\w-]+/")
MESSAGE = "m"  # begins the key of a message; others are days, and what one person alone is told
TAG = re.compile(r"<[^>]*>")
PEOPLE = {"Ada": "U0PM00001", "Ben": "U0PM00002", "Cleo": "U0PM00003"}
CHANNELS = {"start-here": "C0CH00001", "payments": "C0CH00002", "dashboards": "C0CH00003"}
READY = "ready."
RETURNED = "Everything is as you left it."


def environment(**more: str) -> dict[str, str]:
    """Another bot's settings lie about, and none of them must matter."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "CI")}
    return kept | {
        "PYTHONPATH": str(ROOT),
        "ROUNDTABLE_DATABASE_URL": "sqlite:////nowhere/production.db",
        "ROUNDTABLE_STEPS_DIR": "/nowhere/steps",
        "SLACK_BOT_TOKEN": "no token at all",
        **more,
    }


@dataclass(slots=True)
class Demo:
    """One run. What it prints is read as it comes."""

    process: subprocess.Popen[bytes]
    folder: Path
    printed: str = ""
    url: str = field(default="", init=False)

    def until(self, words: str) -> str:
        """Everything printed so far, once `words` are in it."""
        assert self.process.stdout is not None
        out, until = self.process.stdout.fileno(), time.monotonic() + WAIT_S_MAX
        while words not in self.printed:
            assert time.monotonic() < until, f"{words!r} was never printed: {self.printed}"
            if select.select([out], [], [], POLL_S)[0]:
                piece = os.read(out, 65_536)
                assert piece, f"it ended: {self.printed}{self._errors()}"
                self.printed += piece.decode()
        return self.printed

    def end(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        """Its exit code, what it printed since, and what it complained of."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=WAIT_S_MAX)
        return self.process.returncode, out.decode(), err.decode()

    def _errors(self) -> str:
        return self.process.communicate(timeout=WAIT_S_MAX)[1].decode()

    # the page

    def ask(self, path: str = "", body: Mapping[str, Any] | None = None) -> tuple[int, str]:
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=WAIT_S_MAX)
        method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
        headers = {"Content-Type": "application/json"} if body is not None else {}
        try:
            connection.request(method, f"{parts.path}{path}", sent, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def act(self, name: str, by: str, **fields: Any) -> dict[str, Any]:
        status, text = self.ask(f"act/{name}", {"as": PEOPLE[by], **fields})
        assert status == 200, text
        answer: dict[str, Any] = json.loads(text)
        return answer

    def say(self, by: str, channel: str, text: str, thread: str = "") -> str:
        answer = self.act("say", by, channel=CHANNELS[channel], text=text, thread=thread)
        return str(answer.get("ts", ""))

    def messages(self, channel: str, *, by: str = "Ada", thread: str = "") -> dict[str, str]:
        """What a person reads there now, by ts; with `thread`, what stands in that thread."""
        query = {"as": PEOPLE[by], "c": CHANNELS[channel], "thread": thread}
        status, text = self.ask(f"state?{urlencode(query)}")
        assert status == 200, text
        shown = json.loads(text)["thread" if thread else "channel"]["html"]
        return {
            key.removeprefix(MESSAGE): " ".join(unescape(TAG.sub(" ", html)).split())
            for key, html in shown.items()
            if key.startswith(MESSAGE)
        }

    def sees(self, words: str, channel: str, *, by: str = "Ada", thread: str = "") -> str:
        """The message with these words, once it is there."""

        def seen() -> str | None:
            texts = self.messages(channel, by=by, thread=thread).values()
            return next((text for text in texts if words in text), None)

        return wait_until(seen, f"nobody said {words!r} in #{channel}")


def begun(folder: Path, *arguments: str, **environ: str) -> Demo:
    """The command in a folder; `end` it."""
    return Demo(
        subprocess.Popen(
            [sys.executable, "-m", "bot", "demo", *arguments],
            cwd=folder,
            env=environment(**environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ),
        folder,
    )


@contextmanager
def demo(folder: Path, *arguments: str, **environ: str) -> Iterator[Demo]:
    """A running demo, its address read, on a port that nobody else has."""
    if "--port" not in arguments and not (folder / "roundtable-demo").exists():
        arguments = (*arguments, "--port", str(free_port()))
    running = begun(folder, *arguments, **environ)
    try:
        running.until("Ctrl-C ends it.")
        found = ADDRESS.search(running.printed)
        assert found is not None, running.printed
        running.url = found[0]
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
            running.process.communicate()
