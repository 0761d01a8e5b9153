"""What the command line prints: text of people cannot steer the terminal or the lines beside it."""

import typer

from bot.views.kit.text import clean


def echo(text: str, *, err: bool = False) -> None:
    """Print `text` without control characters and what turns or hides other text."""
    typer.echo(clean(text), err=err)
