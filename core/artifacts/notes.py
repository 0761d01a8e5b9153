"""What is noted at the end of a step's section: its documents, and what is not verified."""

from dataclasses import dataclass, replace

from core.artifacts.markdown import escape
from core.domain.answers import Section


@dataclass(frozen=True, slots=True)
class Documents:
    """The names of a step's documents: those that a line of it quotes, and the others."""

    quoted: tuple[str, ...] = ()
    available: tuple[str, ...] = ()


def with_notes(
    sections: tuple[Section, ...], documents: Documents, concerns: tuple[str, ...]
) -> tuple[Section, ...]:
    """The step's first Markdown section with these notes at its end."""
    place = next((n for n, each in enumerate(sections) if each.file.endswith(".md")), None)
    lines = [*_named("Read for this", documents.quoted), *_named("Available", documents.available)]
    lines += [f"Unverified: {escape(concern)}" for concern in concerns]
    if place is None or not lines:
        return sections
    noted = "\n\n".join(f"_{line}_" for line in lines)
    section = sections[place]
    longer = replace(section, body=f"{section.body.rstrip()}\n\n{noted}\n")
    return (*sections[:place], longer, *sections[place + 1 :])


def _named(what: str, names: tuple[str, ...]) -> list[str]:
    return [f"{what}: {', '.join(escape(name) for name in names)}."] if names else []
