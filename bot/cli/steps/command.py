"""`roundtable steps`: what is wrong with the step files, which there are, and a copy to change."""

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from itertools import groupby
from math import floor
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import typer

from bot.cli.printing import FormatOption, print_answer
from bot.cli.steps import copying, listing
from bot.views.kit.names import counted
from bot.views.kit.terminal import echo
from core.content.check import CheckReport, Finding, NoStepsError, check
from core.content.inventory import inventory, party_phases
from core.content.library import default_steps_dir
from core.content.models.values import value_shown
from core.content.questions import ALIKE_FROM
from core.content.step_style import Measured
from core.content.style import STANDARD_QUESTIONS_MAX, FlowMeasures, StepMeasures
from core.domain.steps.playbook import SECTION_OF_DEPTH

Found = TypeVar("Found")
Format = Literal["human", "json", "github"]

FAULTS_EXIT: Final = 1
USAGE_EXIT: Final = 2
CELL: Final = len("words  ask  ease")
PLACED_BY_FIELD: Final = "ERR-RT-002"  # one message for a whole file; the field says where in it
FINDING_KEYS: Final = ("code", "severity", "file", "field", "value", "message")

app = typer.Typer(
    name="steps",
    help="Check, list and copy the step files.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Directory = Annotated[
    Path | None,
    typer.Argument(
        metavar="DIR",
        envvar="ROUNDTABLE_STEPS_DIR",
        help="A flow's folder, or the folder above it. Without it: the steps Roundtable uses.",
        show_default=False,
    ),
]


@app.command("check")
def check_command(
    directory: Directory = None,
    form: Annotated[
        Format, typer.Option("--format", help="How to print what was found.")
    ] = "human",
    strict: Annotated[
        bool, typer.Option("--strict", help="Measure how the steps read, and ask for better.")
    ] = False,
) -> None:
    """Report every fault of every step file at once. Exit 1 if there is any."""
    where = directory or default_steps_dir()
    report = _or_exit(partial(check, strict=strict), where)
    match form:
        case "human":
            lines = _human(report)
        case "json":
            lines = iter([_json(report)])
        case "github":
            lines = _github(report, where)
    for line in lines:
        echo(line)
    if report.faults:
        raise typer.Exit(FAULTS_EXIT)


@app.command("list")
def list_command(
    directory: Directory = None,
    form: FormatOption = "human",
) -> None:
    """List every step with its phase, persona, depth and outputs, and every phase of a party."""
    where = directory or default_steps_dir()
    steps, phases = _or_exit(inventory, where), _or_exit(party_phases, where)
    print_answer(form, listing.lines(steps, phases), lambda: listing.data(steps, phases))


@app.command("copy")
def copy_command(
    to: Annotated[
        Path, typer.Argument(metavar="TO", help="A folder that is not there yet, or is empty.")
    ],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="DIR",
            envvar="ROUNDTABLE_STEPS_DIR",
            help="Another step tree. Without it: the steps Roundtable uses.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Copy the step tree into a folder of your own, to change it there."""
    where = source or default_steps_dir()
    _or_exit(inventory, where)
    try:
        copied = copying.copy(where, to)
    except copying.CannotCopyError as why:
        echo(str(why), err=True)
        raise typer.Exit(USAGE_EXIT) from None
    echo(f"{counted(copied, 'file')} copied to {to}.")
    echo(f"To use them: export ROUNDTABLE_STEPS_DIR={shlex.quote(str(to.resolve()))}")


def _or_exit(ask: Callable[[Path], Found], where: Path) -> Found:
    try:
        return ask(where)
    except NoStepsError as why:
        echo(str(why), err=True)
        raise typer.Exit(USAGE_EXIT) from None


# Check


def _human(report: CheckReport) -> Iterator[str]:
    faults = [(fault, True) for fault in report.faults]
    findings = [*faults, *((note, False) for note in report.notes)]
    findings.sort(key=lambda pair: pair[0].file)
    for file, group in groupby(findings, key=lambda pair: pair[0].file):
        yield value_shown(file)
        for finding, is_fault in group:
            yield f"  {finding.code if is_fault else 'note'}  {finding.message}"
            if advice := _advice(finding):
                yield f"      {advice}"
        yield ""
    for flow in report.measures:
        yield from _table(flow)
        yield ""
    yield _summary(report)


def _advice(finding: Finding) -> str:
    """What would be right; and where, if the message does not say it."""
    if finding.line is not None:
        return f"line {finding.line}: {finding.hint or 'a value is missing'}"
    if finding.code != PLACED_BY_FIELD or not finding.field:
        return finding.hint or ""
    written = "missing" if finding.value is None else f"'{finding.value}'"
    return f"{value_shown(finding.field)} is {written}: {finding.hint}"


def _table(flow: FlowMeasures) -> Iterator[str]:
    """Words, numbered questions and reading ease of each step's three depths."""
    width = max((len(_named(step)) for step in flow.steps), default=0)
    depths = "".join(f"  {f'{name.split()[0]}':<{CELL}}" for name in SECTION_OF_DEPTH.values())
    yield f"{value_shown(flow.flow):<{width}}{depths}  Short".rstrip()
    titles = f"  {'words  ask  ease':<{CELL}}" * len(SECTION_OF_DEPTH)
    yield f"{'':<{width}}{titles}".rstrip()
    for step in flow.steps:
        cells = "".join(f"  {_cell(step.of(name))}" for name in SECTION_OF_DEPTH.values())
        yield f"{_named(step):<{width}}{cells}  {'yes' if step.short else ''}".rstrip()
    near = f" ({' and '.join(flow.closest)})" if flow.closest else ""
    yield (
        f"{flow.standard_questions} standard questions of at most {STANDARD_QUESTIONS_MAX}; "
        f"{flow.short} for the short path; "
        f"nearest likeness {flow.likeness:.2f} of less than {ALIKE_FROM:.2f}{near}."
    )


def _named(step: StepMeasures) -> str:
    return f"{step.id}  {value_shown(step.title)}"


def _cell(section: Measured) -> str:
    ease = "–" if section.ease is None else str(floor(section.ease))
    return f"{section.words or '–':>5}  {section.questions or '–':>3}  {ease:>4}"


def _summary(report: CheckReport) -> str:
    read = f"{counted(report.files, 'file')}, {counted(report.steps, 'step')}: "
    faults = counted(len(report.faults), "fault") if report.faults else "all is well"
    notes = f", {counted(len(report.notes), 'note')}" if report.notes else ""
    return f"{read}{faults}{notes}."


def _json(report: CheckReport) -> str:
    report_data: dict[str, object] = {
        "files": report.files,
        "steps": report.steps,
        "faults": [_finding_data(fault) for fault in report.faults],
    }
    if report.notes:
        report_data["notes"] = [_finding_data(note) for note in report.notes]
    return json.dumps(report_data, indent=2)


def _finding_data(finding: Finding) -> dict[str, str | int | None]:
    """Its fields; the line where one is known."""
    everything = asdict(finding)
    keys = FINDING_KEYS if finding.line is None else (*FINDING_KEYS, "line")
    return {key: everything[key] for key in keys}


def _github(report: CheckReport, where: Path) -> Iterator[str]:
    for finding in report.faults:
        yield _annotation("warning" if finding.severity == "WARNING" else "error", finding, where)
    for finding in report.notes:
        yield _annotation("notice", finding, where)
    yield _summary(report)


def _annotation(level: str, finding: Finding, where: Path) -> str:
    """One workflow command. GitHub wants paths from the top of the checkout, which is here."""
    path = (where / finding.file).resolve()
    checkout = Path.cwd()
    file = str(path.relative_to(checkout)) if path.is_relative_to(checkout) else str(path)
    advice = _advice(finding)
    text = f"{finding.message} ({advice})" if advice else finding.message
    line = f",line={finding.line}" if finding.line is not None else ""
    return f"::{level} file={_property(file)}{line},title={_property(finding.code)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
