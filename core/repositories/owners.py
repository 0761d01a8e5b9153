"""Who owns a file, as CODEOWNERS says. Pure."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final

PLACES: Final = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
RULES_MAX: Final = 1_000
STARS_MAX: Final = 4  # more would make matching slow


def owners_of(path: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """The owners of a path, by the last rule that fits. `files`: what was read of `PLACES`."""
    text = next((files[place] for place in PLACES if place in files), "")
    owners: tuple[str, ...] = ()
    for line in text.splitlines()[:RULES_MAX]:
        pattern, *names = line.partition("#")[0].split() or [""]
        if pattern and not pattern.startswith("[") and _fits(pattern, path):
            owners = tuple(names)
    return owners


def _fits(pattern: str, path: str) -> bool:
    if pattern.count("*") > STARS_MAX:
        return False
    anchored = "/" in pattern.rstrip("/")
    bare = pattern.lstrip("/").replace("**/", "*").replace("**", "*")
    glob = f"{bare}*" if bare.endswith("/") else bare
    if anchored:
        return fnmatchcase(path, glob) or fnmatchcase(path, f"{glob}/*")
    return any(fnmatchcase(tail, glob) or fnmatchcase(tail, f"{glob}/*") for tail in _tails(path))


def _tails(path: str) -> list[str]:
    """The path, and what is left of it without its first folders."""
    parts = path.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]
