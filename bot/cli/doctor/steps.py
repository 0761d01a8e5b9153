"""The step tree: how many of its files are of no use, and who sits at the table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.cli.doctor.settings import Setup
from bot.views.kit.names import counted
from core.content import files
from core.content.check import NoStepsError, check
from core.content.library import Library, default_steps_dir
from core.domain.steps.playbook import AGENT_FILE, BUILT_IN, AgentFile
from core.runtime.preflight import documents_named

FLOW: Final = "analysis"
TREE: Final = DoctorCheck("step tree", "steps", "roundtable steps check")
AGENT: Final = DoctorCheck("agent file", "steps", f"reading {FLOW}/{AGENT_FILE}")
DOCUMENTS: Final = DoctorCheck("documents", "steps", "the sources that steps name")
BUILT_IN_LEAD: Final = f"the {len(BUILT_IN)} built-in personas lead"


def checks(setup: Setup) -> Iterator[Check]:
    if unusable := setup.unusable("ROUNDTABLE_STEPS_DIR"):
        yield from (question.unasked(unusable) for question in (TREE, AGENT, DOCUMENTS))
        return
    root = setup.settings.steps_dir or default_steps_dir()
    if not files.is_directory(root / FLOW):
        yield TREE.fail(f"{root} has no folder {FLOW}/ in it", REMEDIES["step-tree"])
        yield AGENT.unasked("there is no step tree")
        yield DOCUMENTS.unasked("there is no step tree")
        return
    yield _tree(root)
    yield _agent(root)
    yield _documents(root)


def _tree(root: Path) -> Check:
    """What `steps check` finds. The bot goes on without a faulty step, so it is no failure."""
    try:
        report = check(root)
    except NoStepsError:
        return TREE.fail(f"{root} holds no steps", REMEDIES["step-tree"])
    summary = f"{counted(report.files, 'file')}, {counted(report.steps, 'step')}"
    if not report.steps:
        return TREE.fail(summary, REMEDIES["step-tree"])
    if report.faults:
        faults = counted(len(report.faults), "fault")
        return TREE.warn(f"{summary}, {faults}", "roundtable steps check")
    return TREE.ok(summary)


def _documents(root: Path) -> Check:
    """A session asks for each that its folder lacks, so naming one is no fault."""
    documents = documents_named(Library(root).step_files(FLOW))
    if not documents:
        return DOCUMENTS.ok("no step names one")
    listed = ", ".join(f"{name} ({step})" for name, step in documents)
    return DOCUMENTS.ok(
        f"{counted(len(documents), 'document')}: {listed}; a session asks for what it lacks"
    )


def _agent(root: Path) -> Check:
    agent = Library(root).inspect_agent(FLOW)
    if isinstance(agent, AgentFile):
        people = counted(len(agent.personas), "persona")
        return AGENT.ok(f"{agent.name}: {people}, {counted(len(agent.phases), 'phase')}")
    fault = f"{agent[0].message}; {BUILT_IN_LEAD}"
    return AGENT.warn(fault, f"Put {FLOW}/{AGENT_FILE} right: roundtable steps check")
