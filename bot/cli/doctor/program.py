"""What is installed: the brain that answers, and the versions to name in a report."""

import platform
import sqlite3
from collections.abc import Iterator
from importlib.metadata import version
from typing import Final

from bot.cli.doctor.check import Check, DoctorCheck
from core.brains.script import brain
from core.brains.script.brain import Scripted

BRAIN: Final = DoctorCheck("brain", "brain", "loading its rules")
VERSIONS: Final = DoctorCheck("versions", "program", "what is installed")
LIBRARIES: Final = ("slack-bolt", "slack-sdk")


def checks() -> Iterator[Check]:
    if brain.name_of(Scripted()):
        yield BRAIN.ok("scripted; no model, no key is needed")
    else:
        yield BRAIN.fail("its rules cannot be loaded", "Install Roundtable anew.")
    libraries = [f"{name} {version(name)}" for name in ("roundtable", *LIBRARIES)]
    interpreter = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    yield VERSIONS.ok(", ".join([*interpreter, *libraries]))
