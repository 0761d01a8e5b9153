"""The files that hold our words in artifacts and in reports, as tests compare them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

_ROOT: Final = Path(__file__).parents[2] / "core" / "artifacts"
OURS: Final[dict[str, Any]] = yaml.safe_load((_ROOT / "document" / "words.yaml").read_text())
OF_REPORTS: Final[dict[str, Any]] = yaml.safe_load((_ROOT / "report" / "words.yaml").read_text())


def phrases(value: Any = OURS) -> Iterator[str]:
    """All texts, in the order of the file."""
    if isinstance(value, str):
        yield value
        return
    for part in value.values() if isinstance(value, dict) else value:
        yield from phrases(part)
