"""Runs the `git` program on a bare mirror: without prompts, hooks, filters or any other transport.

What it may do is written down here once. Nothing of a repository's own is ever run: no work tree is
made, no submodule is followed, no attribute or filter is read.
"""

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

OUTPUT_BYTES_MAX: Final = 16_000_000
ERROR_BYTES_MAX: Final = 4_000
LOOK_S: Final = 0.5  # between two looks at how far a run is
TOO_LONG: Final = "timeout"
_CHUNK: Final = 65_536
_PASSED_ON: Final = (  # what git and ssh need to reach a remote; nothing else of our environment
    "PATH", "HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK", "TMPDIR",
    "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL",
)  # fmt: skip
_OPTIONS: Final = (
    "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.fsmonitor=false",
    "submodule.recurse=false", "fetch.recurseSubmodules=false", "gc.auto=0",
    "maintenance.auto=false", "transfer.bundleURI=false", "log.showSignature=false",
    "credential.interactive=false", "http.lowSpeedLimit=1000", "http.lowSpeedTime=30",
    "fetch.unpackLimit=1",  # what comes is one file, which goes as a whole where a fetch fails
)  # fmt: skip
_SSH: Final = "ssh -oBatchMode=yes -oConnectTimeout=15"


class GitError(Exception):
    """Git did not do it. `output` is what it wrote; it is for telling apart, never for showing."""

    def __init__(self, output: str) -> None:
        super().__init__("git failed")
        self.output = output


def is_installed() -> bool:
    """True if there is a `git` program."""
    return shutil.which("git") is not None


@dataclass(frozen=True, slots=True)
class Git:
    """Git on one bare repository. `protocol`: the transport it may use; empty: none at all."""

    folder: Path
    protocol: str = ""

    def run(
        self,
        *arguments: str,
        seconds: float,
        fed: bytes = b"",
        bytes_max: int = OUTPUT_BYTES_MAX,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> bytes:
        """What it writes, cut at `bytes_max`; `goes_on` is asked now and then.

        Raises `GitError` where it fails, takes too long or is not to go on.
        """
        deadline = time.monotonic() + seconds
        with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as source:
            source.write(fed)
            source.seek(0)
            process = self._begin(arguments, source, errors)
            try:
                output, ended = _collected(process, deadline, bytes_max, goes_on)
            finally:
                _end(process)
            if not ended and len(output) >= bytes_max:
                return output[:bytes_max]
            if not ended:
                raise GitError(TOO_LONG)
            if process.returncode != 0:
                errors.seek(0)
                raise GitError(errors.read(ERROR_BYTES_MAX).decode("utf-8", "replace") or "1")
            return output

    def _begin(
        self, arguments: Sequence[str], fed: IO[bytes], errors: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        options = [part for option in _OPTIONS for part in ("-c", option)]
        command = ["git", "--no-pager", "--literal-pathspecs", *options, *arguments]
        try:
            return subprocess.Popen(  # noqa: S603 (the program is git, its arguments are ours)
                command,
                cwd=self.folder,
                env=environment(self.folder, self.protocol),
                stdin=fed,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            raise GitError(str(error)) from error


def environment(folder: Path, protocol: str) -> Mapping[str, str]:
    """What git is run with: only a remote's own transport, and no settings but ours without one."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    alone = {} if protocol else {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    if protocol == "file":  # a folder of this machine needs no credential
        alone = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    return {
        "GIT_SSH_COMMAND": _SSH,
        **passed,
        **alone,
        "GIT_DIR": str(folder),
        "GIT_ALLOW_PROTOCOL": protocol or "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "LC_ALL": "C",
    }


def _collected(
    process: subprocess.Popen[bytes], deadline: float, bytes_max: int, goes_on: Callable[[], bool]
) -> tuple[bytes, bool]:
    """What was written until it ended, or until the deadline; whether it ended."""
    assert process.stdout is not None
    output = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while len(output) < bytes_max:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not goes_on():
                return bytes(output), False
            if not selector.select(min(left_s, LOOK_S)):
                continue
            chunk = os.read(process.stdout.fileno(), _CHUNK)
            if not chunk:
                return bytes(output), _has_ended(process, deadline)
            output += chunk
    return bytes(output), False


def _has_ended(process: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        process.wait(max(deadline - time.monotonic(), LOOK_S))
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """It and its own children: a transport is a process of its own."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
