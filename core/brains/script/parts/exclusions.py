"""What leaves something out: a later time, another place, somebody else's job, a part nobody gets.

Its forms are rows of `steps/brains/exclusions.yaml`.
"""

from typing import Final

from core.brains import lexicon

_ROWS: Final = lexicon.table("exclusions")
_GOES_FIRST: Final = lexicon.compiled(_ROWS["goes-first"])
_FORMS: Final = (
    lexicon.compiled(
        [f"(?:{row})" for row in _ROWS["says"]],
        unless=lambda match: match["version"] and match.after.startswith(" of"),  # of a thing
    ),
    lexicon.compiled(
        [f"(?:{row})" for row in _ROWS["declines"]],
        unless=lambda match: _GOES_FIRST.search(match.after),  # if time runs short
    ),
    lexicon.compiled(_ROWS["no-part"]),
)


def leaves_out(line: str) -> bool:
    """Whether a line, without the words that only lead to it, leaves something out."""
    return any(form.search(line) for form in _FORMS)
