"""Real git repositories for tests: made commit by commit, and mirrored as the bot does it."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import yaml

from core.repositories.declared import Repository, read
from core.repositories.mirror import Mirror
from core.repositories.search import GitSearch
from tests.support.fakes import CHANNEL, TEAM

HERMETIC: Final = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "c",
    "GIT_COMMITTER_EMAIL": "c@example.org",
}
BEGUN: Final = 1_750_000_000
DAY_S: Final = 86_400


def git(folder: Path, *arguments: str, **environment: str) -> str:
    """What git writes, run as a developer would."""
    run = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**HERMETIC, **environment},
        check=True,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return run.stdout.strip()


class Remote:
    """A repository that somebody works in."""

    def __init__(self, folder: Path, files: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet", "-b", "main")
        self._commits = 0
        if files is not None:
            self.commit(files)

    def commit(self, files: Mapping[str, str], by: str = "Ana Ruiz") -> str:
        """A day later somebody changes these files."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        self._commits += 1
        date = f"{BEGUN + self._commits * DAY_S} +0000"
        who = {"GIT_AUTHOR_NAME": by, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        git(self.folder, "add", "-A", **who)
        git(
            self.folder,
            "commit",
            "--quiet",
            "--allow-empty",
            "-m",
            f"change {self._commits}",
            **who,
        )
        return git(self.folder, "rev-parse", "HEAD")


def declared(url: str | Path, **fields: object) -> Repository:
    """A repository that the harness's channel may see."""
    row = {"url": str(url), "channels": [f"{TEAM}/{CHANNEL}"], **fields}
    (repository,) = read(yaml.safe_dump({"shop": row}))
    return repository


def mirrored(url: str | Path, root: Path, **fields: object) -> tuple[GitSearch, Mirror]:
    """A search over the mirror of that repository, fetched once."""
    search = GitSearch((declared(url, **fields),), root)
    (mirror,) = search.mirrors
    mirror.fetch()
    return search, mirror
