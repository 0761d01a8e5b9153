"""The repositories of a play: made of the files that it names, and mirrored before the bot starts.

Each has one commit, the same whenever it is made, so that its name in an artifact stays the same.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import yaml

from core.repositories.declared import read
from core.repositories.mirror import Mirror

Files = Mapping[str, str]
WHEN: Final = "1767261600 +0000"  # 2026-01-01
_ENVIRONMENT: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Robin Example",
    "GIT_AUTHOR_EMAIL": "robin@example.com",
    "GIT_AUTHOR_DATE": WHEN,
    "GIT_COMMITTER_NAME": "Robin Example",
    "GIT_COMMITTER_EMAIL": "robin@example.com",
    "GIT_COMMITTER_DATE": WHEN,
}
WEB: Final = "https://git.example.com/{name}"


def environment(repositories: Mapping[str, Files], folder: Path, channel: str) -> dict[str, str]:
    """The settings of a bot whose channel may see them; nothing without a repository.

    Raises `OSError` and `subprocess.CalledProcessError` where git is not there or does not do it.
    """
    if not repositories:
        return {}
    rows = {
        name: {
            "url": str(_made(folder / name, files)),
            "channels": [channel],
            "web": WEB.format(name=name),
        }
        for name, files in repositories.items()
    }
    setting, mirrors = yaml.safe_dump(rows), folder / "mirrors"
    for repository in read(setting):
        Mirror(repository, mirrors).fetch()
    return {"ROUNDTABLE_REPOSITORIES": setting, "ROUNDTABLE_MIRRORS_DIR": str(mirrors)}


def _made(folder: Path, files: Files) -> Path:
    """The folder of a new repository."""
    for name, text in files.items():
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            raise OSError(f"{name} leads out of the repository")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _git(folder, "init", "--quiet", "--template=", "-b", "main")
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "-m", "As the play has it")
    return folder


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(  # noqa: S603 (the program is git, its arguments are ours)
        ["git", *arguments],  # noqa: S607
        cwd=folder,
        env={**os.environ, **_ENVIRONMENT},
        check=True,
    )
