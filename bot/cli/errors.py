"""`roundtable errors`: every code there is, and why an error is taken as it is."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from typing import Annotated, BinaryIO, Final

import typer

from bot.cli.printing import Format, FormatOption, print_answer
from bot.views.kit.terminal import echo
from core.taxonomy.catalogue import CATALOGUE, CatalogueEntry
from core.taxonomy.classification import classify
from core.taxonomy.handling import handle
from core.taxonomy.observation import FaultyObservationError, Observation, observation

FAULTY_EXIT: Final = 2
ENTRY_KEYS: Final = (
    "code", "title", "group", "severity", "message", "log", "to_agents", "user_visible", "recovery",
    "handling", "category", "kind", "retryable", "routing", "impact", "source",
)  # fmt: skip

app = typer.Typer(
    name="errors",
    help="List the error codes, or explain how an error is taken.",
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def errors(
    context: typer.Context,
    form: FormatOption = "human",
) -> None:
    """List every error code with its words and what comes of it."""
    context.obj = form
    if context.invoked_subcommand:
        return
    entries = CATALOGUE.values()
    lines = chain.from_iterable(map(_entry, entries))
    print_answer(form, lines, lambda: list(map(_entry_data, entries)))


@app.command("classify")
def classify_command(
    context: typer.Context,
    form: Annotated[
        Format | None, typer.Option("--format", help="How to print it.", show_default="human")
    ] = None,
) -> None:
    """Read observations from standard input, one JSON object a line, and say what each is.

    Faulty lines are named on standard error after the others are answered; exit 2 if there is any.
    """
    faults: list[str] = []
    stream = typer.get_binary_stream("stdin")
    for number, observed in _observations(stream, faults):
        answer = explained(observed)
        if (form or context.obj) == "json":
            echo(json.dumps(answer))
        else:
            echo("\n".join(_answer(number, answer)))
    for fault in faults:
        echo(fault, err=True)
    if faults:
        raise typer.Exit(FAULTY_EXIT)


def explained(observed: Observation) -> dict[str, object]:
    """Both answers to one observation, and the rows that decided."""
    classified, handled = classify(observed), handle(observed)
    return {
        "category": classified.category,
        "kind": classified.kind,
        "retryable": classified.retryable,
        "handling": handled.handling,
        "routing": handled.routing,
        "delay_s": handled.delay_s,
        "classified_by": classified.classified_by,
        "signature": observed.signature if classified.category else None,
        "matched": [*classified.matched, *handled.matched],
    }


# Reading


def _observations(stream: BinaryIO, faults: list[str]) -> Iterator[tuple[int, Observation]]:
    """Those that can be read. What is wrong with the others goes to `faults`, never a value."""
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            yield number, observation(_parsed(line))
        except FaultyObservationError as why:
            faults += [f"line {number}: {fault}" for fault in why.faults]


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise FaultyObservationError(["not UTF-8"]) from None
    except (ValueError, RecursionError):  # a number of ten thousand digits is a ValueError too
        raise FaultyObservationError(["not JSON"]) from None


# Printing


def _entry_data(entry: CatalogueEntry) -> dict[str, object]:
    everything = {**asdict(entry), "kind": entry.kind, "retryable": entry.retryable}
    return {key: everything[key] for key in ENTRY_KEYS}


def _entry(entry: CatalogueEntry) -> Iterator[str]:
    route = f"{entry.routing}, then {entry.then}" if entry.then else entry.routing
    yield f"{entry.code}  {entry.severity}  {entry.title}"
    yield f"  {entry.handling}, {entry.category}, {route}"
    if entry.message:
        yield f"  “{entry.message}”"
    yield f"  {entry.recovery}"
    yield ""


def _answer(number: int, answer: dict[str, object]) -> Iterator[str]:
    if answer["category"] is None:
        yield f"line {number}: no error; {answer['routing']}"
        return
    again = "retryable" if answer["retryable"] else "not retryable"
    wait = "" if answer["delay_s"] is None else f" in {answer['delay_s']:g} s"
    yield f"line {number}: {answer['category']} ({answer['kind']}, {again})"
    yield f"  {answer['handling']}: {answer['routing']}{wait}"
    yield f"  classified by the {answer['classified_by']}; signature {answer['signature']}"
    matched = answer["matched"]
    assert isinstance(matched, list)
    yield from (f"  - {row}" for row in matched)
