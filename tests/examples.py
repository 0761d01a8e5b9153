"""The example artifacts in docs/examples/artifacts: how they are made, and made again.

    python -m tests.examples

plays each script at standard depth and writes its artifacts there, with links and times replaced
by ones that stay the same.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.devtools.play.play import play
from bot.devtools.play.process import BotFactory, BotProcess
from bot.devtools.play.script.file import parse
from bot.devtools.workspace.state import TEAM_ID
from core.domain.ids import Depth
from core.store.connection.sqlite import SqliteDatabase
from core.store.queries.reader import Reader

ROOT: Final = Path(__file__).parent.parent
PLAYS: Final = ("export-dashboard-as-pdf", "failed-payment-retries", "local-timezone-small")
KEPT: Final = ROOT / "docs" / "examples" / "artifacts"
NOTHING_TO_ADD: Final = "Nothing to add beyond what we said."
_LINK: Final = re.compile(r"https?://[^\s/)\"]+/archives/[^\s)\",;]+")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_TIME_KEPT: Final = "2026-03-02T09:00:00+00:00"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a play left: its folder, and what was said in it."""

    exit_code: int
    title: str
    folder: Path
    answers: tuple[str, ...]

    def files(self) -> dict[str, str]:
        """Every artifact, without what differs from run to run."""
        found = {path.name: path.read_text() for path in sorted(self.folder.iterdir())}
        return settled(found)


def played(name: str, depth: Depth, place: Path, bot: BotFactory = BotProcess) -> Outcome:
    """Perform an example at a depth of choice."""
    url = f"sqlite:///{place}/roundtable.db"
    script = parse(_script(name, depth))
    result = play(script, artifacts=place / "artifacts", database=url, bot=bot)
    session = result.summary["session"]
    assert session is not None, name
    database = SqliteDatabase(url)
    try:
        reader = Reader(database)
        (found,) = reader.all_sessions()
        answers = reader.answers(found.id)
    finally:
        database.close()
    said = [part for each in answers for part in (each.text, *(file.name for file in each.files))]
    folder = place / "artifacts" / TEAM_ID / session["slug"]
    return Outcome(result.exit_code, found.title, folder, tuple(said))


def _script(name: str, depth: Depth) -> str:
    """The example at a depth of choice. Only prompts of brief depth have drafts to confirm."""
    text = (ROOT / "docs" / "examples" / f"{name}.yaml").read_text()
    text, changed = re.subn(r"--depth \w+", f"--depth {depth}", text, count=1)
    assert changed, name
    if depth != "brief":
        text = text.replace("{by: pm, click: confirm}", f'{{by: pm, reply: "{NOTHING_TO_ADD}"}}')
    return text


def settled(files: dict[str, str]) -> dict[str, str]:
    """The same files with links numbered in the order in which they are met, and one time."""
    links: dict[str, str] = {}

    def numbered(match: re.Match[str]) -> str:
        number = len(links) + 1
        return links.setdefault(
            match[0], f"https://example.slack.com/archives/C0EXAMPLE/p{number:04d}"
        )

    return {name: _TIME.sub(_TIME_KEPT, _LINK.sub(numbered, text)) for name, text in files.items()}


def write(names: Iterable[str]) -> None:
    """Play the examples and keep what comes of them."""
    for name in names:
        with tempfile.TemporaryDirectory() as place:
            files = played(name, "standard", Path(place)).files()
        shutil.rmtree(KEPT / name, ignore_errors=True)
        (KEPT / name).mkdir(parents=True)
        for file, text in files.items():
            (KEPT / name / file).write_text(text)


if __name__ == "__main__":
    write(sys.argv[1:] or PLAYS)
