"""The extra `[demo]`: libraries that only the local workspace and its page need."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

import typer

from bot.cli.serve import refuse

LIBRARIES: Final[Mapping[str, str]] = {  # by the module that is imported
    "emoji": "emoji",
    "mdit_py_plugins": "mdit-py-plugins",
    "starlette": "starlette",
    "websockets": "websockets",
}


def require_demo(command: str) -> None:
    """Raise `typer.Exit` with one line that says what to install, unless all of it is here."""
    missing = [name for module, name in LIBRARIES.items() if find_spec(module) is None]
    if missing:
        raise _refusal(command, missing)


def _refusal(command: str, missing: list[str]) -> typer.Exit:
    names = " ".join(missing)
    return refuse(
        f"roundtable {command} needs the extra [demo], which is not installed. "
        f"Run: pip install {names}"
    )
