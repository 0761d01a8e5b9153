"""`roundtable export`: a session's files as a zip, its report as Markdown or HTML, or all three."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.database import database_of_settings
from bot.cli.printing import refuse
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from bot.server.configuration.settings import Settings
    from core.domain.ids import Export, TeamId, UserId
    from core.ports import Directory

HELD_BACK = (
    "is halted because of a password, key or token, so nothing of it is exported until that is "
    "settled in its thread."
)
FORMATS = ("zip", "markdown", "html", "all")
SHORT = {"md": "markdown"}


def export(
    slug: Annotated[str, typer.Argument(help="The session's slug; see `roundtable sessions`.")],
    form: Annotated[
        str, typer.Option("--format", help="zip, markdown (or md), html, or all three.")
    ] = "zip",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "--to", "-o",
            help="The file to write, or the folder to write into; SLUG.zip, SLUG.md and SLUG.html "
            "here without it.",
        ),
    ] = None,
) -> None:  # fmt: skip
    """Write a session's files as a zip, or as a report to read and to print."""
    from bot.server.artifacts import folder_of
    from bot.server.configuration.settings import load_or_exit
    from core.store.queries.reader import Reader

    settings = load_or_exit()
    wanted = _wanted(form)
    database = database_of_settings()
    reader = Reader(database)
    sessions = [session for session in reader.all_sessions() if session.slug == slug]
    if not sessions:
        raise refuse(f"There is no session {slug!r}. See: roundtable sessions")
    if wanted == "all" and output is not None and output.is_file():
        raise refuse(f"{output} is a file; --format all needs a folder.")

    from core.artifacts.files.exported import HeldBack
    from core.artifacts.report.export import exported
    from core.artifacts.report.gatherer import Gatherer
    from core.artifacts.report.names import recorded

    folder = folder_of(settings, database)
    people = KnownNames(recorded(reader, folder, sessions[0].id), _slack(settings))
    try:
        made = exported(Gatherer(reader, folder, people), sessions[0].id, wanted)
    except HeldBack as error:
        raise refuse(f"{slug} {HELD_BACK}") from error
    for name, content in made.files:
        echo(str(_write(output, name, content, alone=len(made.files) == 1).resolve()))
    for file in made.left_out:
        echo(file.line, err=True)


def _wanted(form: str) -> "Export":
    format_name = SHORT.get(form.lower(), form.lower())
    if format_name not in FORMATS:
        raise refuse(f"There is no format {form!r}: it is zip, markdown, html or all.")
    return format_name  # type: ignore[return-value]


def _write(output: Path | None, name: str, content: bytes, *, alone: bool) -> Path:
    """A folder that is there takes the file; another name is the file's own, if it is the only."""
    target = Path(name) if output is None else output
    if output is not None and (output.is_dir() or not alone):
        target = output / name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:
        raise refuse(f"{target} cannot be written: {error.strerror}.") from error
    return target


class KnownNames:
    """`core.ports.Directory`: who is named in the artifacts; Slack is asked for the others.

    A Slack that does not answer is not asked again.
    """

    def __init__(self, recorded: Mapping["UserId", str], slack: "Directory | None") -> None:
        self._recorded = recorded
        self._slack = slack

    def names(self, team: "TeamId", users: Collection["UserId"]) -> Mapping["UserId", str]:
        names = {user: self._recorded[user] for user in users if user in self._recorded}
        for user in users:
            if user in names or self._slack is None:
                continue
            found_names = self._slack.names(team, (user,))
            names.update(found_names)
            if not found_names:
                self._slack = None
        return names

    def strangers(self, team: "TeamId", users: Collection["UserId"]) -> frozenset["UserId"]:
        unrecorded = [user for user in users if user not in self._recorded]
        return (
            self._slack.strangers(team, unrecorded) if self._slack and unrecorded else frozenset()
        )


def _slack(settings: "Settings") -> "Directory | None":
    """None where there is no token: an export needs no Slack."""
    if settings.bot_token is None:
        return None
    from bot.server.bolt_app import slack_client
    from bot.web_api.directory import SlackDirectory

    client = slack_client(settings)
    return SlackDirectory(lambda _team: client)
