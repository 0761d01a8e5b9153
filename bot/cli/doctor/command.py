"""`roundtable doctor`: looks a setup over and says what to do. It changes nothing."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.printing import FormatOption
from bot.views.kit.terminal import echo
from bot.views.kit.text import clean

if TYPE_CHECKING:
    from bot.cli.doctor.check import Check, State

EXIT_FAILED: Final = 1
LOOKS: Final[dict["State", tuple[str, str]]] = {
    "ok": ("✓", "green"),
    "warn": ("!", "yellow"),
    "fail": ("✗", "red"),
}
STATE_CHARS: Final = 4


def doctor(
    form: FormatOption = "human",
    offline: Annotated[bool, typer.Option("--offline", help="Leave Slack out.")] = False,
    models: Annotated[
        bool,
        typer.Option("--models", help="Ask each language model once, which costs a little."),
    ] = False,
) -> None:
    """Look over settings, Slack, database, steps and folders. Exit 1 when something fails."""
    from bot.cli.doctor.check import worst

    checks = examined(offline=offline, asks_models=models)
    if form == "json":
        records = [asdict(check) for check in checks]
        echo(json.dumps({"checks": records, "worst": worst(checks)}, indent=2))
    else:
        _print(checks)
    if worst(checks) == "fail":
        raise typer.Exit(EXIT_FAILED)


def examined(
    *, offline: bool, asks_models: bool = False, now: Callable[[], float] = time.time
) -> tuple["Check", ...]:
    """Every check, in the order of printing. `now` is this machine's clock in seconds."""
    from bot.cli.doctor import (
        database,
        folders,
        models,
        program,
        repositories,
        settings,
        slack,
        steps,
        workspaces,
    )

    setup = settings.read_setup()
    return (
        *settings.checks(setup),
        *(() if offline else slack.checks(setup, now)),
        *database.checks(setup, now),
        *workspaces.checks(setup),
        *steps.checks(setup),
        *folders.checks(setup),
        *repositories.checks(setup, now),
        *models.checks(setup, is_asked=asks_models),
        *program.checks(),
    )


def _print(checks: Sequence["Check"]) -> None:
    from rich.console import Console
    from rich.text import Text

    from bot.cli.doctor.check import STATES

    console = Console(highlight=False, soft_wrap=True)
    width = max(len(check.name) for check in checks)
    for check in checks:
        mark, style = LOOKS[check.state]
        line = Text(f"{mark} {check.state:<{STATE_CHARS}}", style=style)
        console.print(
            line.append(f"  {check.name:<{width}}  {clean(check.found)}", style="default")
        )
        if check.remedy:
            console.print(Text(f"{'':<{STATE_CHARS + 4}}Do this: {clean(check.remedy)}"))
    states = [check.state for check in checks]
    console.print()
    console.print(Text(", ".join(f"{states.count(state)} {state}" for state in STATES)))
