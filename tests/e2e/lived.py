"""Every error lived through, and the page that says what was seen: docs/reference/errors-lived.md.

    python -m tests.e2e.lived

makes the page again. A row is what was observed; what must come of a case stands in the case, and
tests/e2e/test_every_error.py compares the two.
"""

import contextlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.taxonomy.catalogue import CATALOGUE
from tests.e2e import lived_beyond, lived_fatal, lived_folder, lived_people, lived_tree
from tests.e2e.lived_bot import ROOT, Bot, bot
from tests.e2e.lived_case import Case, Row, lived
from tests.e2e.lived_room import Cramped
from tests.e2e.lived_scene import Scene

PAGE: Final = ROOT / "docs" / "reference" / "errors-lived.md"
CASES: Final[dict[str, Case]] = {
    code: case
    for code in CATALOGUE
    for each in (lived_people, lived_tree, lived_folder, lived_fatal, lived_beyond)
    for case in each.CASES
    if case.code == code
}
# No name that people could read holds a code: silence is that none stands anywhere.
CHANNELS: Final = {code: f"room-{number:02d}" for number, code in enumerate(CASES, start=1)}

HEAD: Final = """\
# Errors as they are lived

What each code means stands in [Error codes](errors.md). Here is what happens: a test makes the
cause real, plays a session through the real bot on Socket Mode against the local workspace, and
writes down what it finds in Slack, in the database and in the folder. `python -m tests.e2e.lived`
makes this page again, and a test compares it with what happens now.

Steps `01-…` are led by Maya Chen and steps `02-…` by Alex Rivera; pm started every session. The bot
runs without root's powers. “Silence”: neither the code nor its words stand in any message, and
nobody was told them alone. A record is a row of the database.

| Code | Cause | Words, and who says them where | Record | What came next |
|---|---|---|---|---|
"""


class Living:
    """Lives cases through, each once; a bot is started when the first case wants it."""

    def __init__(self, open_bots: contextlib.ExitStack, *, mounts: bool | None = None) -> None:
        self._open = open_bots
        self._mounts = mounts
        self._bots: dict[Cramped, Bot] = {}
        self._rows: dict[str, Row] = {}

    def row(self, code: str) -> Row:
        if code not in self._rows:
            running = self._bot(CASES[code].cramped)
            try:
                self._rows[code] = lived(CASES[code], Scene(running, CHANNELS[code]))
            finally:
                running.slack.clear_faults()
        return self._rows[code]

    def _bot(self, cramped: Cramped) -> Bot:
        if cramped not in self._bots:
            started = bot(list(CHANNELS.values()), cramped=cramped, mounts=self._mounts)
            self._bots[cramped] = self._open.enter_context(started)
        return self._bots[cramped]


@contextmanager
def living(*, mounts: bool | None = None) -> Iterator[Living]:
    with contextlib.ExitStack() as open_bots:
        yield Living(open_bots, mounts=mounts)


def page(rows: Iterable[Row]) -> str:
    return HEAD + "".join(f"| {' | '.join(_cells(row))} |\n" for row in rows)


def _cells(row: Row) -> tuple[str, ...]:
    words = [f"“{'<br>'.join(each.text.splitlines())}” ({each.where})" for each in row.words]
    return (
        f"[`{row.code}`](errors.md#{row.code.lower()})",
        row.cause,
        "<br>".join(words) or "Silence",
        "<br>".join(row.records) or "None",
        "<br>".join(row.then),
    )


def main() -> None:
    with living() as lives:
        PAGE.write_text(page(lives.row(code) for code in CASES))
    sys.stdout.write(f"{PAGE.relative_to(Path.cwd())}\n")


if __name__ == "__main__":
    main()
