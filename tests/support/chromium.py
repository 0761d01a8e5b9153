"""Which browser the page is looked at with, and how it is started: for the bench and the tests."""

import os
import shutil
from pathlib import Path
from typing import Final

FLAGS: Final = (
    "--no-sandbox",  # it may be started as root
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container's is small, and a full one ends the page
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def chromium() -> str | None:
    """The path of the browser, if there is one: Debian's, or what `ROUNDTABLE_CHROMIUM` names."""
    named = os.environ.get("ROUNDTABLE_CHROMIUM", "/usr/bin/chromium")
    return named if Path(named).exists() else shutil.which("chromium")
