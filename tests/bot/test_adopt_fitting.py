"""Of which flow a folder is, and which of it finds no place in the step tree that is here."""

import pytest

from bot.cli.adopt.plan import KINDS, Kind, fit
from core.artifacts.files.meta import Acceptance, Meta, Owner
from core.content.library import Library, default_steps_dir
from tests.support.fakes import CHANNEL, TEAM

LIBRARY = Library(default_steps_dir())


def meta(*phases: str, steps: tuple[str, ...] = ()) -> Meta:
    return Meta(
        "item", "Item", "slack", Owner(TEAM, CHANNEL), "2026-03-01T09:00:00+00:00",
        phases_completed=phases, steps_completed=steps,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "files", "kind"),
    [
        (meta("00-quick-scan"), (), "analysis"),
        (meta("01-vision"), (), "classic"),
        (meta("01-vision-council"), (), "party"),
        (meta(), ("requirements-spec.md",), "analysis"),
        (meta(), ("adr-007.md",), "analysis"),
        (meta(), ("project-brief.md", "state.json"), "party"),
        (meta(), (), "analysis"),
        (meta("99-nobody"), ("notes.md",), "analysis"),
    ],
)
def test_a_folder_is_of_the_flow_that_most_of_it_is_of(
    found: Meta, files: tuple[str, ...], kind: Kind
) -> None:
    assert fit(found, files, LIBRARY, None).kind == kind


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_names_the_flow_is_believed(kind: Kind) -> None:
    found = fit(meta("00-quick-scan"), (), LIBRARY, kind)
    assert (found.kind, found.mode) == (kind, "" if kind == "analysis" else kind)
    assert found.flow == ("analysis" if kind == "analysis" else "inception")


def test_where_it_goes_on_is_the_first_phase_that_is_not_done() -> None:
    assert fit(meta("00-quick-scan", "02-impact-analysis"), (), LIBRARY, None).goes_on_at == (
        "01-requirements"
    )
    phases = tuple(phase.key for phase in LIBRARY.phases("analysis"))
    assert fit(meta(*phases), (), LIBRARY, None).goes_on_at is None


def test_decisions_and_files_of_ours_need_no_word() -> None:
    accepted = {"00-quick-scan": Acceptance("Priya", "")}
    found = Meta(
        "item", "Item", "slack", Owner(TEAM, CHANNEL), "", phases_completed=("00-quick-scan",),
        acceptance=accepted,
    )  # fmt: skip
    files = ("meta.json", "state.json", "quick-scan.md", "adr-001.md", "reports/step.md")
    assert fit(found, files, LIBRARY, None).notes == (
        "reports/step.md: no step writes it; it stays as it is",
    )
