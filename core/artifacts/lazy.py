"""Composing sections and files, for whoever does so only now and then: loaded when it is asked.

What composes is thirty modules, which a program that only looks at a bot never needs.
"""

from typing import TYPE_CHECKING

from core.domain.answers import ClaimKind, Draft, ReadRequest, Scan, Section
from core.domain.session import Session
from core.ports import Directory, SessionReader

if TYPE_CHECKING:
    from core.artifacts.compose.stance_files import Voices


def sections(request: ReadRequest, draft: Draft) -> tuple[Section, ...]:
    """The step's part of each of its files."""
    from core.artifacts.compose.layouts import sections as composed_of

    return composed_of(request, draft)


def rests_on(file: str) -> frozenset[ClaimKind]:
    """The kinds of other steps' claims that a file shows."""
    from core.artifacts.compose.layouts import rests_on as kinds_of

    return kinds_of(file)


def voices_in(reader: SessionReader, directory: Directory, session: Session) -> "Voices":
    """What people think of each other's answers, by the file that shows it."""
    from core.artifacts.compose.stance_files import voices_in as found

    return found(reader, directory, session)


def composed(
    file: str,
    session: Session,
    sections: tuple[Section, ...],
    existing: str | None,
    voices: "Voices",
) -> str:
    """The file as it is to be, with what people think of each other's answers."""
    from core.artifacts.compose.stance_files import composed as with_voices

    return with_voices(file, session, sections, existing, voices)


def scan_in(text: str) -> Scan:
    """What `quick-scan.md` says of the size."""
    from core.artifacts.compose.analysis.quick_scan import parse_quick_scan

    return parse_quick_scan(text)


def with_old_end(file: str, sections: tuple[Section, ...], existing: str) -> str:
    """A file that was taken up keeps what stood at its end: what it gathers is in no row."""
    from core.artifacts.render.page import with_old_end as with_it

    known = frozenset(section.step for section in sections)
    return with_it(existing, known) if file.endswith(".md") else existing


def load() -> None:
    """All of it at once, so that the first answer waits no longer than the next."""
    import core.artifacts.compose.stance_files  # noqa: F401
