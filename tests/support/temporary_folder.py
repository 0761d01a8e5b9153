"""Where the tests put their files: in memory, where this machine has room for them there.

Every answer is a commit that waits for the disk, and a suite gives some ten thousand answers. In
memory the same code asks the same of the system, and is told at once that it is done: what a disk
would lose when the power fails, no test can see anyway. A `TMPDIR` that is set is used as it is.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

IN_MEMORY: Final = Path("/dev/shm")
ROOM_BYTES_MIN: Final = 1 << 30  # in a container there are often no more than 64 MB


def move_in() -> None:
    """For this process and all it starts."""
    if "TMPDIR" not in os.environ and _fit(IN_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(IN_MEMORY)


def _fit(place: Path) -> bool:
    """True if programs can be put there as well, as some tests do."""
    if not os.access(place, os.W_OK) or shutil.disk_usage(place).free < ROOM_BYTES_MIN:
        return False
    return not os.statvfs(place).f_flag & os.ST_NOEXEC
