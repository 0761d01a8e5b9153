"""Looks at a step tree through everything that uses it; and what must hold of whatever is there."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from typer.testing import CliRunner

from bot.cli.steps.command import FAULTS_EXIT, USAGE_EXIT, app
from core.content.check import NOTE, CheckReport, NoStepsError, check
from core.content.inventory import inventory
from core.content.library import Library
from core.content.models.values import OUTPUT_BYTES_MAX, TITLE_CHARS_MAX, is_step_id
from core.content.step_style import STYLE
from core.domain.steps.playbook import Step, StepFault
from core.store.documents import adapter
from core.taxonomy.catalogue import CATALOGUE
from tests.support.hostile import within
from tests.support.step_trees import Tree, text_of

SECONDS = 10.0
PHASE = "01-requirements"
CANARY = "canary that sings outside of the tree"
CODES = {*CATALOGUE, NOTE, STYLE}


@contextmanager
def planted() -> Iterator[Tree]:
    """An empty flow, and beside the tree a file that nobody may read."""
    with tempfile.TemporaryDirectory() as made:
        outside = Path(made) / "outside"
        outside.mkdir()
        (outside / "01-out.md").write_text(text_of(title=f'"{CANARY}"'))
        tree = Tree(Path(made) / "steps")
        tree.phase(PHASE)
        yield tree


# What must hold of every tree


def look_at(tree: Tree, flow: str = "analysis") -> list[Step | StepFault]:
    """Use everything the tree is used by; say what each file of it became."""
    with within(SECONDS):
        library = Library(tree.root)
        keys = {persona.key for persona in library.personas(flow)}
        found: list[Step | StepFault] = []
        ids: list[str] = []
        for phase in library.phases(flow):
            opened = library.open_phase(flow, phase.key, keys)
            assert len(opened.pinned) == library.count(flow)[phase.key]
            assert (opened.fault is None) == bool(opened.pinned)
            ids += [pinned.step_id for pinned in opened.pinned]
            for pinned in opened.pinned:
                became = pinned.step or pinned.fault
                assert became is not None
                found.append(became)
            for pinned in opened.pinned[:3]:
                again = library.open_step(flow, phase.key, pinned.file, keys)
                assert (again.step, again.fault) == (pinned.step, pinned.fault)
        assert len(ids) == len(set(ids))
        for became in found:
            is_well_formed(became)
        reported(tree.root)
    return found


def is_well_formed(became: Step | StepFault) -> None:
    if isinstance(became, StepFault):
        assert became.code in CODES
        for text in (became.message, became.file, became.value, became.hint):
            assert text is None or (len(text) < 1_000 and "\n" not in text)
            (text or "").encode()
        assert CANARY not in became.message
        return
    assert is_step_id(became.id)
    assert 1 <= len(became.title) <= TITLE_CHARS_MAX
    assert became.title.isprintable() or not set(became.title) & set("\n\r\x00\x1b")
    for name in became.outputs:
        assert Path(name).name == name
        assert len(name.encode()) <= OUTPUT_BYTES_MAX
    assert all(map(is_step_id, became.depends_on))
    assert CANARY not in became.title
    kept = {key: str(value) for key, value in became.extra.items()}
    assert adapter(Step).dump_json(replace(became, extra=kept))  # it goes into the database


def reported(root: Path) -> None:
    """Both commands answer in all their forms, with one of their exit codes."""
    try:
        report = check(root, strict=True)
    except NoStepsError:
        report = CheckReport(0, 0, ())
    else:
        assert len(inventory(root)) >= report.steps
    for finding in (*report.faults, *report.notes):
        assert finding.code in CODES
        assert finding.severity in ("FATAL", "ERROR", "WARNING", "INFO")
    for line in ("check", "check --format json", "list", "list --format json"):
        result = CliRunner().invoke(app, [*line.split(), str(root)])
        assert result.exit_code in (0, FAULTS_EXIT, USAGE_EXIT), line
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert CANARY not in result.output
        result.output.encode()
        if "json" in line and result.exit_code != USAGE_EXIT:
            json.loads(result.stdout)
