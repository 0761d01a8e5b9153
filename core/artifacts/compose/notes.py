"""What is added to the end of a step's section: its documents, what is not verified, and what an
elaboration came to.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.artifacts.document import tree, words
from core.artifacts.document.codec import extended
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks, Span
from core.domain.answers import Draft, ReadRequest, Section
from core.domain.lines import in_force, is_lapsed

ELABORATION = "Elaboration"


@dataclass(frozen=True, slots=True)
class Documents:
    """The names of a step's documents: those that a line of it quotes, and the others."""

    quoted: tuple[str, ...] = ()
    available: tuple[str, ...] = ()


def with_notes(
    sections: tuple[Section, ...],
    documents: Documents,
    concerns: tuple[str, ...],
    lapsed: Iterable[str] = (),
) -> tuple[Section, ...]:
    """The step's first Markdown section with these notes at its end."""
    lines = [*_named("Read for this", documents.quoted), *_named("Available", documents.available)]
    lines += [f"Unverified: {concern}" for concern in concerns]
    lines += lapsed
    notes = tree.joined(tree.paragraph(Span(one_line(line), "_")) for line in lines)
    return _with_blocks(sections, notes)


def lapsed_lines(request: ReadRequest, draft: Draft) -> Iterator[str]:
    """What people sorted, and nobody says any more; its words went with the answer."""
    sorts = words.mapping("sorts")
    for correction in in_force(request.corrections):
        is_own = correction.step == request.step.id and correction.sort in sorts
        if is_own and is_lapsed(correction, request.answers, draft.claims):
            by = one_line(request.names.get(correction.by, "")) or words.text("someone")
            yield words.text("lapsed").format(by, sorts[correction.sort]) + "."


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


def _named(label: str, names: tuple[str, ...]) -> list[str]:
    return [f"{label}: {', '.join(names)}."] if names else []
