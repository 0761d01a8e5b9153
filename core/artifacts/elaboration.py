"""The part of a section that an elaboration leaves: who said what, and what stayed open."""

from dataclasses import replace

from core.artifacts.markdown import escape
from core.domain.answers import Section

HEADING = "### Elaboration"


def with_elaboration(sections: tuple[Section, ...], lines: tuple[str, ...]) -> tuple[Section, ...]:
    """The step's first Markdown section with these lines at its end."""
    place = next((n for n, each in enumerate(sections) if each.file.endswith(".md")), None)
    if place is None or not lines:
        return sections
    listed = "\n".join(f"- {escape(line)}" for line in lines)
    section = sections[place]
    longer = replace(section, body=f"{section.body.rstrip()}\n\n{HEADING}\n\n{listed}\n")
    return (*sections[:place], longer, *sections[place + 1 :])
