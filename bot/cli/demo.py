"""`roundtable demo`: the demo in the browser, or with `--play FILE` a play without one."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from bot.cli.printing import refuse

if TYPE_CHECKING:
    from bot.devtools.provider.readers import StandInReaders

ONLY_IN_BROWSER: Final = "{option} goes with the demo in the browser, not with --play."
ONLY_WITH_PLAY: Final = "{option} goes with --play FILE; the demo in the browser has no use for it."

ONLY_WITH_MODEL: Final = "{option} goes with --brain model."

LIBRARIES: Final[Mapping[str, str]] = {  # by the module that is imported
    "emoji": "emoji",
    "mdit_py_plugins": "mdit-py-plugins",
    "starlette": "starlette",
    "websockets": "websockets",
}
"""What only the local workspace and its page need: the extra `[demo]`."""
MODEL_LIBRARIES: Final[Mapping[str, str]] = {
    "pydantic_ai": "pydantic-ai-slim[openai]",
    "openai": "openai",
}
"""What speaks with a model over chat completions: of the extra `[llm]`."""


def demo(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, metavar="N", help="Where the page is; 8765 without it."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Forget what earlier demos left in roundtable-demo/.")
    ] = False,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the page's address, but open no browser.")
    ] = False,
    play: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="No page: people from this script act to the end."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --play: the summary as JSON, and nothing else.")
    ] = False,
    artifacts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="With --play: where the artifacts go.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="With --play: where the record is kept: sqlite:///…"),
    ] = None,
    steps: Annotated[
        Path | None, typer.Option(metavar="DIR", help="With --play: another step tree; a copy.")
    ] = None,
    transport: Annotated[
        Literal["socket", "http"] | None,
        typer.Option(help="With --play: how Slack reaches the bot; socket without it."),
    ] = None,
    blocks: Annotated[
        Literal["today", "plain"],
        typer.Option(help="The blocks that the local Slack knows; plain: none of the newer ones."),
    ] = "today",
    brain: Annotated[
        Literal["scripted", "model"],
        typer.Option(help="Who reads; model: a language model refines what the script reads."),
    ] = "scripted",
    provider_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="With --brain model: where it is; a stand-in without it."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Its name, or three: fast=A,middle=B,strong=C."),
    ] = None,
) -> None:
    """Try Roundtable on this machine: a workspace in the browser, and the real bot in it.

    Ctrl-C ends it, with exit 0. With --play people from a script act through the same bot, without
    a browser: exit 0 when the session completed, 3 when it did not, 2 when nothing could be played.
    """
    in_browser = {"--port": port is not None, "--fresh": fresh, "--no-open": no_open}
    with_play = {
        "--json": as_json,
        "--artifacts": artifacts is not None,
        "--database": database is not None,
        "--steps": steps is not None,
        "--transport": transport is not None,
    }
    with_model = {"--provider-url": provider_url is not None, "--model": model is not None}
    if brain == "scripted":
        _refuse_any(with_model, ONLY_WITH_MODEL)
    if play is None:
        _refuse_any(with_play, ONLY_WITH_PLAY)
        _require_extra()
        from bot.devtools.demo import lobby

        raise typer.Exit(
            lobby.run(
                port=port,
                fresh=fresh,
                may_open=not no_open and lobby.can_open(),
                unknown_blocks=_unknown_blocks(blocks),
                readers=_readers(brain, provider_url, model),
            )
        )
    _refuse_any(in_browser, ONLY_IN_BROWSER)
    _require_extra()
    from bot.devtools.play import printing

    place = (artifacts, database, steps, transport or "socket")
    unknown, readers = _unknown_blocks(blocks), _readers(brain, provider_url, model)
    raise typer.Exit(
        printing.run(play, *place, unknown_blocks=unknown, readers=readers, as_json=as_json)
    )


def _unknown_blocks(blocks: Literal["today", "plain"]) -> frozenset[str]:
    from bot.devtools.workspace import NEWER_BLOCKS

    return NEWER_BLOCKS if blocks == "plain" else frozenset()


def _readers(
    brain: Literal["scripted", "model"], url: str | None, model: str | None
) -> "StandInReaders | None":
    """None: the script reads alone. Raises `typer.Exit` with one line for what names no model."""
    if brain == "scripted":
        return None
    if missing := [name for module, name in MODEL_LIBRARIES.items() if find_spec(module) is None]:
        raise refuse(
            "roundtable demo --brain model needs the extra [llm], which is not installed. "
            f"Run: pip install {' '.join(missing)}"
        )
    from bot.devtools.provider.readers import FaultyReadersError, readers

    try:
        return readers(url, model)
    except FaultyReadersError as why:
        raise refuse(str(why)) from why


def _refuse_any(options: Mapping[str, bool], words: str) -> None:
    lines = [words.format(option=option) for option, is_given in options.items() if is_given]
    if lines:
        raise refuse("\n".join(lines))


def _require_extra() -> None:
    """Raise `typer.Exit` with one line that says what to install, unless all of it is here."""
    missing = [name for module, name in LIBRARIES.items() if find_spec(module) is None]
    if missing:
        raise refuse(
            "roundtable demo needs the extra [demo], which is not installed. "
            f"Run: pip install {' '.join(missing)}"
        )
