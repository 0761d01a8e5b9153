"""What can be typed after /roundtable, and what each does. Imports nothing heavy."""

from collections.abc import Sequence
from typing import Final

COMMANDS: Final[Sequence[tuple[str, str]]] = (
    ("/roundtable analyze <title>", "starts an analysis in this channel"),
    ("/roundtable discover <project>", "starts a new project, as a party or --classic"),
    ("/roundtable resume [slug]", "goes on where it stopped"),
    ("/roundtable status [--errors]", "shows how far it is, or what went wrong"),
    ("/roundtable catchup [slug]", "tells you what was decided and what is open"),
    ("/roundtable why <id> [slug]", "tells you who said a line: FR-001, or some of its words"),
    ("/roundtable list", "shows what there is in this channel"),
    ("/roundtable depth brief|standard|deep", "asks for less or more from here on"),
    ("/roundtable export [--format]", "puts all files into the thread: zip, markdown, html or all"),
    ("/roundtable cancel", "ends it and keeps what was written"),
    ("/roundtable delete", "removes it for good: answers and files too"),
    ("/roundtable help", "shows this"),
)


def command_notes() -> dict[str, str]:
    """What each subcommand does, by its word."""
    return {command.split()[1]: what for command, what in COMMANDS}
