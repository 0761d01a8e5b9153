"""`roundtable brain`: what a provider of language models is asked, for whoever serves one."""

import json
from typing import Annotated

import typer

from bot.views.kit.terminal import echo
from core.domain.model_calls import ModelTask

app = typer.Typer(
    name="brain",
    help="What a language model is asked for.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def brain() -> None:
    """What a language model is asked for."""


@app.command()
def schema(
    task: Annotated[
        ModelTask, typer.Argument(metavar="TASK", help="The task, as its tool is called.")
    ],
) -> None:
    """Print the JSON schema of the reply to a task: the parameters of its tool."""
    from core.brains.model.replies import schema_of  # a twentieth of a second, for this alone

    echo(json.dumps(schema_of(task), indent=2))
