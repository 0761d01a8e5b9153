"""`roundtable workspaces` and `roundtable keys`: who installed the app, what opens their tokens."""

import time
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bot.cli.database import database_of_settings, iso_time
from bot.cli.printing import FormatOption, print_answer, refuse
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from bot.server.configuration.settings import Settings
    from core.domain.ids import TeamId
    from core.secrets.token_keys import TokenKeys
    from core.store.connection.database import Database
    from core.store.repository.installations import Installation

EXIT_NOT_DONE: Final = 1
AGAIN: Final = "Mend that, then remove it again."
NO_KEYS: Final = "ROUNDTABLE_TOKEN_KEYS is not set: no workspace installs this app."

app = typer.Typer(help="The workspaces that installed the app.", rich_markup_mode=None)
keys = typer.Typer(
    help="The keys of workspaces' tokens.", no_args_is_help=True, rich_markup_mode=None
)


@app.callback(invoke_without_command=True)
def workspaces(context: typer.Context, form: FormatOption = "human") -> None:
    """List them, with their sessions and what language models have cost there."""
    if context.invoked_subcommand is not None:
        return
    with closing(database_of_settings()) as database:
        rows = _records(database)
    lines = map(_line, rows) if rows else ["No workspace has installed the app."]
    print_answer(form, lines, lambda: rows)


def _records(database: "Database") -> list[dict[str, Any]]:
    from core.store.repository.installations import Installations

    installations = Installations(database)
    spent = {team: (count, tokens, usd) for team, count, tokens, usd in installations.spending()}
    return [
        {
            "team": row.team,
            "installed": iso_time(row.installed_at),
            "uninstalled": None if row.uninstalled_at is None else iso_time(row.uninstalled_at),
            "models": sorted(row.model_hosts),
            **dict(
                zip(("sessions", "tokens", "usd"), spent.get(row.team, (0, 0, 0.0)), strict=True)
            ),
        }
        for row in installations.all()
    ]


def _line(row: dict[str, Any]) -> str:
    state = f"uninstalled {row['uninstalled']}" if row["uninstalled"] else "installed"
    used = f"{row['tokens']:,} tokens, ${row['usd'] or 0.0:.4f}" if row["tokens"] else "no model"
    sessions = f"{row['sessions']} session{'' if row['sessions'] == 1 else 's'}"
    return "  ".join((row["team"], state, row["installed"], sessions, used))


@app.command("remove")
def remove(
    team: Annotated[str, typer.Argument(metavar="TEAM", help="Its id (T…).")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Revoke a workspace's token, and delete every row and file of it at once."""
    from bot.server.artifacts import folder_of, teams_of
    from bot.server.configuration.settings import load_or_exit
    from core.artifacts.files.folder import FolderError
    from core.artifacts.files.state import TeamError
    from core.clock import SystemClock
    from core.domain.ids import TeamId
    from core.runtime.artifact_writer import why
    from core.runtime.installation_keeper import InstallationKeeper
    from core.store.repository.installations import Installations

    settings, wanted = load_or_exit(), TeamId(team)
    with closing(database_of_settings()) as database:
        installations = Installations(database)
        row = installations.find(wanted)
        if row is None:
            raise refuse(f"There is no workspace {team!r}. See: roundtable workspaces")
        count = len(installations.sessions_of(wanted))
        if not yes and not typer.confirm(f"Delete {team} with its {count} sessions for good?"):
            raise typer.Exit(EXIT_NOT_DONE)
        _revoke(settings, row)
        now = int(time.time())
        installations.remove(wanted, happened_at=now + 1, at=now)
        folder, teams = folder_of(settings, database), teams_of(settings, database)
        keeper = InstallationKeeper(installations, folder, teams, SystemClock(), 0.0, ())
        try:
            keeper.erase(wanted)
        except (FolderError, TeamError) as error:
            reason = why(error) if isinstance(error, FolderError) else error
            raise refuse(f"{team} is uninstalled, and not deleted: {reason}. {AGAIN}") from error
    echo(f"{team} is gone. What SQLite leaves in its file goes with: roundtable db compact")


def _revoke(settings: "Settings", row: "Installation") -> None:
    """Best effort: whoever removes the app in Slack does the same."""
    from bot.web_api.client import SlackClient
    from core.secrets.token_keys import UnreadableTokenError

    if row.sealed is None or not settings.token_keys:
        return
    try:
        token = _keys(settings).open(row.team, row.sealed)
    except UnreadableTokenError:
        failure: object = "no key opens its token"
    else:
        failure = SlackClient(token, base_url=settings.api_url).revoke()
    if failure is not None:
        echo(f"Slack was not told ({failure}): remove the app there, under Manage apps.")


# ── keys ──


@keys.command("new")
def new() -> None:
    """Print a new key for ROUNDTABLE_TOKEN_KEYS. Keep it apart from the database."""
    from core.secrets.token_keys import new_key

    echo(new_key())


@keys.command("rotate")
def rotate() -> None:
    """Encrypt every token anew with the first key. The others may go afterwards."""
    from bot.server.configuration.settings import load_or_exit
    from core.store.repository.installations import Installations

    token_keys = _keys(load_or_exit())
    with closing(database_of_settings()) as database:
        installations = Installations(database)
        lacking = installations.processes_without(token_keys.names[0], at=time.time())
        if lacking:
            raise refuse(
                f"These run without the first key: {', '.join(lacking)}. Give it to each of them as"
                " the last one, start them again, and then put it first."
            )
        done, lost = 0, list["TeamId"]()
        for row in installations.all():
            if row.sealed is None:
                continue
            resealed = _sealed_anew(token_keys, row.team, row.sealed)
            if resealed is None:
                lost.append(row.team)
            elif installations.replace_token(row.team, row.sealed, resealed):
                done += 1
    echo(f"{done} token{'' if done == 1 else 's'} encrypted anew with the first key.")
    if lost:
        raise refuse(f"No key opens the tokens of {', '.join(lost)}: they have to install again.")


def _sealed_anew(token_keys: "TokenKeys", team: "TeamId", sealed: str) -> str | None:
    from core.secrets.token_keys import UnreadableTokenError

    try:
        return token_keys.seal_anew(team, sealed)
    except UnreadableTokenError:
        return None


def _keys(settings: "Settings") -> "TokenKeys":
    from core.secrets.token_keys import TokenKeys

    if not settings.token_keys:
        raise refuse(NO_KEYS)
    return TokenKeys(settings.token_keys)
