"""`roundtable adopt`: a folder of artifacts from elsewhere becomes a session that goes on.

It only says whose the folder is now, and leaves the start in the outbox; what is taken up is
decided where it is for a start in Slack.
"""

import secrets
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from bot.cli.database import database_of_settings
from bot.cli.printing import Format, FormatOption, print_answer, refuse
from bot.cli.serve import IN_USE, guarded
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from bot.cli.adopt.plan import Plan
    from bot.server.configuration.settings import Settings
    from core.ports import Workspace
    from core.store.connection.database import Database

EXIT_WRONG: Final = 1
ID_BYTES: Final = 16


def adopt(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with its meta.json.")],
    channel: Annotated[
        str | None,
        typer.Option(metavar="C…", help="The channel it goes on in; without it, the one it names."),
    ] = None,
    owner: Annotated[
        str | None,
        typer.Option(metavar="U…", help="Whose it is; without it, whoever answers first."),
    ] = None,
    flow: Annotated[
        Literal["analysis", "party", "classic"] | None,
        typer.Option(help="Which flow it is of; without it, what its files say."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be taken up.")
    ] = False,
    form: FormatOption = "human",
) -> None:
    """Take up a folder of artifacts as a session that goes on, with the bot stopped.

    For a folder from another machine, or one whose database is lost. Everything that speaks against
    it is said at once, and then nothing is written. Safe to repeat. Exit 0 when it is taken up or
    was before, 1 when the folder will not do, 2 when it cannot be done now.
    """
    from bot.cli.adopt.plan import planned
    from bot.server.configuration.settings import load_or_exit

    settings = load_or_exit()
    with closing(database_of_settings()) as database:
        workspace = _workspace(settings, database)
        plan = planned(settings, database, workspace, folder, channel, owner, flow)
    if plan.state == "new" and not dry_run:
        _do(settings, workspace, plan)
    _say(plan, form, dry_run=dry_run)
    if plan.problems:
        raise typer.Exit(EXIT_WRONG)


def _workspace(settings: "Settings", database: "Database") -> "Workspace":
    """The one the bot is of: as the database knows it, else as Slack says."""
    from core.store.queries.reader import Reader

    workspaces = Reader(database).workspaces()
    if settings.serves_installations and len(workspaces) > 1:
        raise refuse("Several workspaces are served: a folder is taken up only where one is.")
    if len(workspaces) == 1 or (workspaces and settings.bot_token is None):
        return workspaces[-1]
    if settings.bot_token is None:
        raise refuse(
            "This database does not know its workspace yet. Set SLACK_BOT_TOKEN, or start the bot "
            "once."
        )
    from bot.server.bolt_app import slack_client
    from bot.server.one_workspace import who_we_are

    return guarded(lambda: who_we_are(slack_client(settings)))


def _do(settings: "Settings", workspace: "Workspace", plan: "Plan") -> None:
    from bot.server.artifacts import folder_of
    from core.artifacts.files.folder import FolderError
    from core.store.connection.database import DatabaseError
    from core.store.connection.opening import open_database
    from core.store.maintenance.exclusive_lock import is_free

    if not guarded(lambda: is_free(settings.database_url)):
        raise refuse(IN_USE)
    assert plan.meta is not None
    if plan.copies:
        try:
            with closing(open_database(settings.database_url)) as database:
                folder_of(settings, database).of(workspace.team).bring_in(plan.folder, plan.slug)
        except FolderError as error:
            why = getattr(error.__cause__, "strerror", None) or str(error.__cause__)
            raise refuse(f"The folder cannot be copied: {why}. Nothing was taken up.") from error
    try:
        _start(settings, workspace, plan)
    except DatabaseError as error:
        raise refuse(f"The database cannot be written: {error}. Nothing was taken up.") from error


def _start(settings: "Settings", workspace: "Workspace", plan: "Plan") -> None:
    """The same event as a start in Slack; what follows from it waits in the outbox."""
    from bot.server.composition import runtime_of
    from core.clock import SystemClock
    from core.domain.events import SessionRequested
    from core.domain.ids import RunId, SessionId, UserId
    from core.store.connection.opening import open_database

    assert plan.fit is not None
    clock = SystemClock()
    with closing(open_database(settings.database_url)) as database:
        runtime = runtime_of(settings, database, clock)
        runtime.save_workspace(workspace)
        requested = SessionRequested(
            by=UserId(plan.owner) if plan.owner else workspace.bot_user,
            at=clock.now(),
            session=SessionId(secrets.token_hex(ID_BYTES)),
            run=RunId(secrets.token_hex(ID_BYTES)),
            seed=secrets.token_hex(ID_BYTES),
            team=workspace.team,
            channel=plan.channel,
            title=plan.title,
            text=plan.title,
            flow=plan.fit.flow,
            mode=plan.fit.mode,
            adopted=plan.slug,
            unclaimed=not plan.owner,
        )
        runtime.handle(requested, team=workspace.team)


# ── words ──────────────────────────────────────────────────────────────────────────────────────


def _say(plan: "Plan", form: Format, *, dry_run: bool) -> None:
    if form == "human" and plan.problems:
        for problem in plan.problems:
            echo(str(problem), err=True)
        count = len(plan.problems)
        things = "1 thing speaks" if count == 1 else f"{count} things speak"
        echo(f"{things} against it. Nothing was taken up.", err=True)
        return
    print_answer(form, _lines(plan, dry_run=dry_run), lambda: _record(plan, dry_run=dry_run))


def _lines(plan: "Plan", *, dry_run: bool) -> Iterator[str]:
    from bot.cli.adopt.plan import SPOKEN

    if plan.state == "there":
        yield f"{plan.slug} is already there, in {plan.channel}. Nothing was done."
        return
    assert plan.fit is not None
    assert plan.meta is not None
    yield f"{plan.slug}: “{plan.title}”, {SPOKEN[plan.fit.kind]}"
    yield f"  phases done  {', '.join(plan.meta.phases_completed) or 'none'}"
    yield f"  steps done   {len(set(plan.meta.steps_completed))} of {plan.fit.steps}"
    yield f"  goes on at   {plan.fit.goes_on_at or 'nothing: it is complete'}"
    yield f"  files        {len(plan.files)}, {plan.bytes:,} bytes"
    yield f"  channel      {plan.channel}"
    yield f"  owner        {plan.owner or 'whoever answers first'}"
    yield "Not taken up:"
    for note in plan.notes:
        yield f"  {note}"
    if dry_run:
        yield "Nothing was done: this was a dry run."
        return
    yield f"It is taken up. Start the bot: it posts the card in {plan.channel} and goes on."
    original = "_taken-up, as it was, when the bot begins" if plan.in_place else f"{plan.folder}"
    yield f"The folder as it was stays in {original}."


def _record(plan: "Plan", *, dry_run: bool) -> dict[str, object]:
    states = {"there": "already there", "wrong": "refused"}
    return {
        "state": states.get(plan.state, "would be taken up" if dry_run else "taken up"),
        "folder": str(plan.folder),
        "slug": plan.slug,
        "title": plan.title,
        "flow": plan.fit.kind if plan.fit else None,
        "channel": plan.channel or None,
        "owner": plan.owner,
        "phases_completed": list(plan.meta.phases_completed) if plan.meta else [],
        "steps_completed": list(plan.meta.steps_completed) if plan.meta else [],
        "steps": plan.fit.steps if plan.fit else None,
        "goes_on_at": plan.fit.goes_on_at if plan.fit else None,
        "files": list(plan.files),
        "bytes": plan.bytes,
        "problems": [asdict(problem) for problem in plan.problems],
        "notes": list(plan.notes),
    }
