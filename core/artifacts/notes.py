"""What is noted at the end of a step's section: sources that were read, what is not verified."""

from dataclasses import replace

from core.artifacts.markdown import escape
from core.domain.answers import Section


def with_notes(
    sections: tuple[Section, ...], sources: tuple[str, ...], concerns: tuple[str, ...]
) -> tuple[Section, ...]:
    """The step's first Markdown section with these notes at its end."""
    place = next((n for n, each in enumerate(sections) if each.file.endswith(".md")), None)
    lines = [f"Read for this: {', '.join(escape(name) for name in sources)}."] if sources else []
    lines += [f"Unverified: {escape(concern)}" for concern in concerns]
    if place is None or not lines:
        return sections
    noted = "\n\n".join(f"_{line}_" for line in lines)
    section = sections[place]
    longer = replace(section, body=f"{section.body.rstrip()}\n\n{noted}\n")
    return (*sections[:place], longer, *sections[place + 1 :])
