"""What is added to the end of a step's section: its documents, what is not verified, and what an
elaboration came to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.artifacts.document import tree
from core.artifacts.document.codec import extended
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks, Span
from core.domain.answers import Section

ELABORATION = "Elaboration"


@dataclass(frozen=True, slots=True)
class Documents:
    """The names of a step's documents: those that a line of it quotes, and the others."""

    quoted: tuple[str, ...] = ()
    available: tuple[str, ...] = ()


def with_notes(
    sections: tuple[Section, ...], documents: Documents, concerns: tuple[str, ...]
) -> tuple[Section, ...]:
    """The step's first Markdown section with these notes at its end."""
    lines = [*_named("Read for this", documents.quoted), *_named("Available", documents.available)]
    lines += [f"Unverified: {concern}" for concern in concerns]
    notes = tree.joined(tree.paragraph(Span(one_line(line), "_")) for line in lines)
    return _with_blocks(sections, notes)


def with_elaboration(sections: tuple[Section, ...], lines: Sequence[str]) -> tuple[Section, ...]:
    """The step's first Markdown section with who said what in an elaboration at its end."""
    items = tree.listing(tree.item(one_line(line)) for line in lines)
    return _with_blocks(sections, tree.titled(ELABORATION, items))


def _with_blocks(sections: tuple[Section, ...], blocks: Blocks) -> tuple[Section, ...]:
    place = next((n for n, part in enumerate(sections) if part.file.endswith(".md")), None)
    if place is None or not blocks:
        return sections
    section = sections[place]
    longer = replace(section, body=extended(section.body, blocks))
    return (*sections[:place], longer, *sections[place + 1 :])


def _named(what: str, names: tuple[str, ...]) -> list[str]:
    return [f"{what}: {', '.join(names)}."] if names else []
