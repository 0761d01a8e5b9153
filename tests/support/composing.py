"""The text of an artifact from its sections, for tests that need nothing else of it."""

from collections.abc import Sequence

from core.artifacts.compose.layouts import compose_file
from core.domain.answers import Section


def compose(
    file: str, title: str, slug: str, sections: Sequence[Section], existing: str | None
) -> str:
    return compose_file(file, title, slug, sections, existing).text
