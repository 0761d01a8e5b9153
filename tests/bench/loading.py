"""Row 10: a large tree of step files loaded and checked, beside libyaml's loader alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import yaml

from core import patterns
from core.content.check import check
from core.content.library import default_steps_dir
from core.domain.steps.playbook import AGENT_FILE
from tests.bench.arena import Arena
from tests.bench.figures import Figure, Subject
from tests.bench.pairs import mean_s, medians_ratio
from tests.bench.size import Size

FLOW: Final = "analysis"
PHASES_MAX: Final = 100  # their names begin with two digits
FENCE: Final = "---\n"
FIRST: Final = "00-00"
NOTHING: Final = "\0"

CHECKING: Final = Subject(
    10,
    "step files loaded and checked ÷ the same read and their YAML by CSafeLoader alone",
    "×",
    "≤",
    2.0,
    1.3,
)

_STEP_ID: Final = patterns.compile(r'"[0-9]{2}-[0-9]{2}"')


def checking(arena: Arena, size: Size) -> Figure:
    """It holds only if every file becomes a step and none has a fault."""
    root = arena.folder / "steps" / FLOW
    paths = planted(root, size.step_files)
    ratio = medians_ratio(
        lambda: mean_s(check, [root]), lambda: mean_s(_yaml_alone, [paths]), size.checks
    )
    report = check(root)
    return CHECKING.measured(ratio, sound=report.steps == len(paths) and not report.faults)


def _yaml_alone(paths: Sequence[Path]) -> None:
    for path in paths:
        front = path.read_text("utf-8").split(FENCE, 2)[1]
        yaml.load(front, yaml.CSafeLoader)


def planted(
    root: Path, many: int, phases: int = PHASES_MAX, leaving_out: str = NOTHING
) -> list[Path]:
    """So many files: the shipped steps again and again, each time under an id of its own.

    What waits for another step waits for the very first. `leaving_out`: steps that name it.
    """
    shipped = default_steps_dir() / FLOW
    every = [path.read_text("utf-8") for path in sorted(shipped.glob("*/*.md"))]
    texts = [text for text in every if leaving_out not in text]
    root.mkdir(parents=True)
    (root / AGENT_FILE).write_bytes((shipped / AGENT_FILE).read_bytes())
    in_phase = -(-many // phases)
    paths = []
    for number in range(many):
        phase, place = divmod(number, in_phase)
        path = root / f"{phase:02}-bench" / f"{place:02}-step.md"
        path.parent.mkdir(exist_ok=True)
        text = _STEP_ID.sub(f'"{FIRST}"', texts[number % len(texts)])
        path.write_text(text.replace(FIRST, f"{phase:02}-{place:02}", 1), "utf-8")
        paths.append(path)
    return paths
