"""What the command line prints: text of people cannot steer the terminal or the lines beside it."""

import typer

from core.characters import one_line_each, readable


def echo(text: str, *, err: bool = False) -> None:
    """Print `text` without control characters and what turns or hides other text."""
    typer.echo(printable(text), err=err)


def printable(text: str) -> str:
    """`text` as a terminal may show it. Line ends stay."""
    return readable(one_line_each(text))
