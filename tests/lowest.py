"""The lowest version of everything Roundtable needs, as `make lowest` installs it.

`python -m tests.lowest` prints one line for pip's `--constraint` per dependency of pyproject.toml.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parent.parent / "pyproject.toml"
BOUND: Final = re.compile(r"(?P<name>[\w-]+)>=(?P<version>[\d.]+)")


def bounds() -> Iterator[tuple[str, str]]:
    """Name and lower bound of each dependency, the demo's too. Every one has to have one."""
    project = tomllib.loads(PROJECT.read_text())["project"]
    for line in (*project["dependencies"], *project["optional-dependencies"]["demo"]):
        found = BOUND.fullmatch(line)
        assert found, f"{line} has no lower bound"
        yield found["name"], found["version"]


if __name__ == "__main__":
    sys.stdout.write("".join(f"{name}=={version}\n" for name, version in bounds()))
