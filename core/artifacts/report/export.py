"""A session's export: its folder as a zip, its report as Markdown or HTML, or all three."""

from collections.abc import Callable, Mapping
from typing import Final

from core.artifacts.files.archive import pack
from core.artifacts.files.exported import (
    Exported,
    File,
    HeldBack,
    LeftOut,
    file_name,
    kinds_of_export,
)
from core.artifacts.report.gatherer import Gatherer
from core.artifacts.report.pages import html_of, markdown_of
from core.artifacts.report.report import Report
from core.domain.ids import Export, SessionId
from core.secrets import redact

_WRITERS: Final[Mapping[str, Callable[[Report], str]]] = {"markdown": markdown_of, "html": html_of}


def exported(gatherer: Gatherer, id_: SessionId, wanted: Export) -> Exported:
    """Make the files that were asked for.

    Raises `Gone` for a session that is not there, `HeldBack` for one halted for a secret.
    """
    kinds = kinds_of_export(wanted)
    session = gatherer.reader.load(id_)
    if session.holds_back:
        raise HeldBack(session.slug)
    report = gatherer.report(id_) if set(kinds) & set(_WRITERS) else None
    files, left_out = list[File](), tuple[LeftOut, ...]()
    for kind in kinds:
        if kind in _WRITERS and report is not None:
            content = redact(_WRITERS[kind](report)).encode()
        else:
            archive = pack(gatherer.folder.of(session.team), session.slug, gatherer.lost(id_))
            content, left_out = archive.content, archive.left_out
        files.append((file_name(session.slug, kind), content))
    return Exported(tuple(files), left_out)
