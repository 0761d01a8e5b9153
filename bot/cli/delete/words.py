"""What `roundtable delete` says."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.cli.delete.erasing import Doomed
from bot.cli.printing import Format, print_answer
from bot.views.kit.terminal import echo
from core.store.maintenance.stored_rows import Named

RECORD_KEYS: Final = ("slug", "title", "channel", "status", "owner", "people", "rows", "files")
NAMED_KEYS: Final = ("session", "slug", "title", "channel", "status")
TABLES_SHOWN_MAX: Final = 4
SLACKS: Final = "Slack keeps its messages on its own: what has to go there is deleted there"
COPIES: Final = "backups, exports and other copies, which this command does not know of"
WHOLE: Final = (
    "One answer alone cannot be taken out of the record: what was decided after it rests on it. "
    "To remove what they said, delete the session:"
)


def print_what(doomed: Doomed) -> None:
    for line in _what(doomed):
        echo(line)


def _what(doomed: Doomed) -> Iterator[str]:
    yield f"{doomed.slug}: “{doomed.title}”, {doomed.status}, in {doomed.channel}"
    yield f"  started by  {doomed.owner}"
    yield f"  answers of  {', '.join(doomed.people) or 'nobody'}"
    most = sorted(doomed.rows.items(), key=lambda row: -row[1])
    named = [f"{count} {table}" for table, count in most[:TABLES_SHOWN_MAX]]
    more = ", …" if len(most) > TABLES_SHOWN_MAX else ""
    yield f"  rows        {sum(doomed.rows.values())} ({', '.join(named)}{more})"
    yield f"  files       {len(doomed.files)}"


def print_state(doomed: Doomed, state: str, form: Format) -> None:
    print_answer(form, _after(doomed, state), lambda: _record(doomed, state))


def _after(doomed: Doomed, state: str) -> Iterator[str]:
    said = {
        "deleted": "It is deleted, and the database file was written anew.",
        "deleted, traces left": "It is deleted. Traces of it are left in the database file.",
        "kept": "Nothing was deleted.",
        "would be deleted": "Nothing was deleted: this was a dry run.",
    }
    yield said[state]
    if state == "kept":
        return
    yield "What stays:"
    for line in stays(doomed):
        yield f"  {line}"


def stays(doomed: Doomed) -> tuple[str, ...]:
    """What is not deleted, and why."""
    ours = "1 message" if doomed.posts == 1 else f"{doomed.posts} messages"
    begun = f", from {doomed.card} on" if doomed.card else ""
    return (f"{ours} of the bot in {doomed.channel}{begun}, and what people said. {SLACKS}", COPIES)


def _record(doomed: Doomed, state: str) -> dict[str, object]:
    shown = {key: getattr(doomed, key) for key in RECORD_KEYS}
    return {"state": state, "session": doomed.id, **shown, "stays": list(stays(doomed))}


def print_person(person: str, found: Sequence[Named], form: Format) -> None:
    print_answer(form, _person(person, found), lambda: [_named(row) for row in found])


def _person(person: str, found: Sequence[Named]) -> Iterator[str]:
    sessions = [each for each in found if each.session]
    if not sessions:
        yield f"No session names {person}."
    for each in sessions:
        said = "1 answer" if each.answers == 1 else f"{each.answers} answers"
        started = ", started it" if each.owns else ""
        rows = sum(each.rows.values())
        where = f"{each.slug}  {each.channel}  {each.status}"
        yield f"{where}  {said}, {rows} {'row' if rows == 1 else 'rows'}{started}"
    if any(not each.session for each in found):
        yield "Beside these: that a start of theirs was refused, without what it was."
    if sessions:
        yield WHOLE
        yield from (f"  roundtable delete {session.slug}" for session in sessions)
        yield f"{SLACKS}."


def _named(each: Named) -> dict[str, object]:
    return {
        **{key: getattr(each, key) or None for key in NAMED_KEYS},
        "started_it": each.owns,
        "answers": each.answers,
        "rows": dict(each.rows),
    }
