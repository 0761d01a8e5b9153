"""A session's export: its folder as a zip, its report as Markdown or HTML, or all three."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from core.artifacts.reporting.gathering import Gatherer
from core.artifacts.reporting.report import Report
from core.domain.ids import EXPORTS, Export, SessionId

File: TypeAlias = tuple[str, bytes]  # its name, what is in it


def exported(gatherer: Gatherer, session: SessionId, wanted: Export) -> tuple[File, ...]:
    """The files, in the order in which they are shown.

    Raises `Gone` for a session that is not there.
    """
    kinds = EXPORTS if wanted == "all" else (wanted,)
    slug = gatherer.reader.load(session).slug
    report = gatherer.report(session) if set(kinds) & set(_WRITERS) else None

    def written(kind: Export) -> bytes:
        if kind in _WRITERS and report is not None:
            return _WRITERS[kind](report).encode()
        return gatherer.folder.zip(slug, gatherer.lost(session))

    return tuple((f"{slug}.{ENDINGS[kind]}", written(kind)) for kind in kinds)


def _markdown(report: Report) -> str:
    from core.artifacts.reporting.writing import markdown_of

    return markdown_of(report)


def _html(report: Report) -> str:
    from core.artifacts.reporting.paper import html_of

    return html_of(report)


ENDINGS: Final[Mapping[str, str]] = {"zip": "zip", "markdown": "md", "html": "html"}
_WRITERS: Final[Mapping[str, Callable[[Report], str]]] = {"markdown": _markdown, "html": _html}
