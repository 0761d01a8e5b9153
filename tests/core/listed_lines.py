"""Lines that people type, by topic and kind (`data/*.yaml`), each with the step of its topic."""

from pathlib import Path
from typing import Final

import yaml

DATA: Final = Path(__file__).parent / "data"
STEPS: Final = {
    "problem": "01-01", "users": "01-02", "journey": "01-03", "context": "01-04",
    "quality": "01-05", "features": "01-06", "stories": "01-07", "priorities": "01-08",
    "blast-radius": "02-01",
    "entry-points": "02-02", "risk-zones": "02-03", "impact-summary": "02-04", "options": "03-01",
    "decisions": "03-02", "neighbours": "03-03", "architecture-review": "03-04",
    "modules": "04-01", "contracts": "04-02", "data-flow": "04-03", "failures": "04-04",
    "design-review": "04-05",
}  # fmt: skip


def listed_lines(name: str, *kinds: str) -> list[tuple[str, str]]:
    """The lines of these kinds in a file, each behind its step."""
    topics = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    return [
        (STEPS[topic], line)
        for topic, lines in topics.items()
        for kind in kinds
        for line in lines.get(kind, ())
    ]
