"""Dates by which something has to be there, in the words they were said in."""

from core.brains import lexicon
from core.brains.script.parts.phrases import is_short, on_one_line, trimmed


def deadline_in(text: str) -> str:
    """The date of "before October", "by end of March", "bis 3. Mai"; "" where there is none."""
    match = lexicon.pattern("deadline").search(on_one_line(text)) if is_short(text) else None
    return trimmed(next(filter(None, match.groupdict().values()))) if match else ""
