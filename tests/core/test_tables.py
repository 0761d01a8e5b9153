"""The tables of the taxonomy are made of nothing but what stands in their modules.

They are made while the modules are loaded. Here that happens while a test runs, so that mutation
testing sees it too.
"""

from collections.abc import Iterable
from dataclasses import asdict
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any

from core.taxonomy import catalogue, classification, handling
from core.taxonomy.observation import Observation
from core.taxonomy.rows import Row


def made_again(module: ModuleType) -> Any:
    """The module from its source once more, beside the one in use."""
    assert module.__spec__ is not None
    assert module.__spec__.loader is not None
    fresh = module_from_spec(module.__spec__)
    module.__spec__.loader.exec_module(fresh)
    return fresh


def written(rows: Iterable[Row[Any]]) -> list[tuple[object, ...]]:
    """Everything of the rows but their functions."""
    return [
        (row.name, row.gives, row.source, row.words, row.exit_codes, row.http, row.violations)
        for row in rows
    ]


def asked(rows: Iterable[Row[Any]]) -> list[list[bool]]:
    """What the rows say where their functions decide."""
    seen = (
        *(Observation(), Observation(exit_code=1), Observation(error_type="OddError")),
        *(Observation(violation="x"), Observation(validation_errors=("x",))),
        *(Observation(config=True), Observation(fixable=True), Observation(missing_input=True)),
        *(Observation(attempts=9), Observation(message="lint", clean_before=True)),
    )
    return [[row.holds(one) for one in seen] for row in rows]


def test_the_tables_are_the_same_whenever_they_are_made() -> None:
    ways, again = made_again(handling), made_again(classification)
    tables: list[tuple[Iterable[Row[Any]], Iterable[Row[Any]]]] = [
        (classification.tree(), again.tree()),
        (classification.beyond(), again.beyond()),
        (handling.detection(), ways.detection()),
        ((handling.in_doubt(),), (ways.in_doubt(),)),
        *((rows, again.RETRYABLE[key]) for key, rows in classification.RETRYABLE.items()),
        *((rows, ways.ROUTES[key]) for key, rows in handling.ROUTES.items()),
    ]
    for one, other in tables:
        assert written(one) == written(other)
        assert asked(one) == asked(other)


def test_the_catalogue_is_the_same_whenever_it_is_made() -> None:
    fresh = made_again(catalogue).CATALOGUE
    assert list(fresh) == list(catalogue.CATALOGUE)
    for code, entry in catalogue.CATALOGUE.items():
        assert asdict(fresh[code]) == asdict(entry)
