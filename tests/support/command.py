"""The `roundtable` command as it is typed, in this process: nothing is imported anew for it."""

import contextlib
import io
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import typer

from bot.cli import main


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended, by the names of `subprocess.CompletedProcess`."""

    returncode: int
    stdout: str
    stderr: str


def roundtable(
    *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Done:
    """Run a command in that folder with no settings but `env`."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        _settings(env or {}),
        contextlib.chdir(cwd or Path.cwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _umask(main.PRIVATE),
    ):
        try:
            _command()(list(arguments))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    return Done(code, out.getvalue(), err.getvalue())


@cache
def _command() -> typer.Typer:
    main._mount()
    return main.app


@contextlib.contextmanager
def _settings(env: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    for name in before:
        if name.startswith(("SLACK_", "ROUNDTABLE_")):
            del os.environ[name]
    os.environ.update(env)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)
