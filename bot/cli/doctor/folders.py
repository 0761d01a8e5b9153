"""Where the bot writes: its folder of artifacts and the one for forensics below it."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.cli.doctor.settings import Setup
from bot.views.kit.names import counted
from core.artifacts.files.folder import FORENSICS as FORENSICS_DIR
from core.content import files

LINKS_SHOWN_MAX: Final = 5
TRIAL: Final = "a temporary file, written and removed; of a missing folder, the one above it"

ARTIFACTS: Final = DoctorCheck("artifacts folder", "folders", TRIAL)
LINKS: Final = DoctorCheck("links", "folders", "the entries of the artifacts folder")
FORENSICS: Final = DoctorCheck("forensics folder", "folders", TRIAL)


def checks(setup: Setup) -> Iterator[Check]:
    if unusable := setup.unusable("ROUNDTABLE_ARTIFACTS_DIR"):
        yield from (question.unasked(unusable) for question in (ARTIFACTS, LINKS, FORENSICS))
        return
    if setup.settings.has_files_in_rows:
        yield from (question.ok("rows of the database") for question in (ARTIFACTS, FORENSICS))
        return
    root = setup.settings.artifacts_dir
    yield _writable(ARTIFACTS, root)
    yield _links(root)
    yield _writable(FORENSICS, root / FORENSICS_DIR)


def may_write(folder: Path) -> bool:
    """True if something can be made in this folder, as far as its rights say."""
    effective = os.access in os.supports_effective_ids
    return files.is_directory(folder) and os.access(
        folder, os.W_OK | os.X_OK, effective_ids=effective
    )


def _nearest(path: Path) -> Path:
    """`path`, or the first above it that is there."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` follows links
    return next(parent for parent in (absolute, *absolute.parents) if files.is_there(parent))


def _writable(question: DoctorCheck, path: Path) -> Check:
    above = _nearest(path)
    if not files.is_there(path):
        if may_write(above):
            return question.ok(f"{path} is not there yet; the bot makes it")
        return question.fail(f"{path} cannot be made in {above}", REMEDIES["folder"])
    if not files.is_directory(path):
        state = "a link to nothing" if files.is_link(path) else "no folder"
        return question.fail(f"{path} is {state}", REMEDIES["folder"])
    try:
        with NamedTemporaryFile(prefix=".doctor-", dir=path) as trial:
            trial.write(b"\n")
            trial.flush()
    except OSError as error:
        return question.fail(f"{path} cannot be written to: {error.strerror}", REMEDIES["folder"])
    return question.ok(f"{path}{_target(path)}")


def _target(path: Path) -> str:
    return f" (a link to {os.path.realpath(path)})" if files.is_link(path) else ""


def _children(path: Path) -> list[Path]:
    return list(files.children(path)) if files.is_directory(path) else []


def _links(root: Path) -> Check:
    inside = [path for path in files.children(root) if not path.name.startswith("_")]
    below = [path for path in inside if not files.is_link(path) for path in _children(path)]
    links = [str(path.relative_to(root)) for path in (*inside, *below) if files.is_link(path)]
    if not links:
        return LINKS.ok("none")
    some = ", ".join(links[:LINKS_SHOWN_MAX]) + (", …" if len(links) > LINKS_SHOWN_MAX else "")
    remedy = f"Put the folders themselves there; the bot follows no links: {some}"
    return LINKS.warn(f"{counted(len(links), 'link')} in {root}", remedy)
