"""Where a credential was, and what is to be done about it, in words for a record."""

from collections.abc import Mapping
from typing import Any, Final

LOG_LINE: Final = "a log line"
DRAFT: Final = "draft"  # followed by the step it is for
# Where a credential was: what to call that place, and the first thing to do there.
PLACES: Final[Mapping[str, tuple[str, str]]] = {
    "answer": ("an answer", "delete the message"),
    "edit": ("an edited message", "delete the message"),
    "old text": ("the old text of an edited message", "delete the message"),
    "sentence": ("a sentence in a form", "give it again without the credential"),
    "file name": ("the name of a file", "delete the message"),
    DRAFT: ("what a persona wrote", "look for where the persona has it from"),
    LOG_LINE: (LOG_LINE, "look for what logged it"),
}


def place_of(where: str) -> dict[str, Any]:
    """Where a credential was found, and what to do about it there; a file, if it has no row."""
    kind = DRAFT if where.startswith(f"{DRAFT} ") else where
    name, first = PLACES.get(kind, (where, "take it out of the file"))
    steps = (first, "rotate the credential", "redact and resume, or cancel")
    return {"location": name, "remediation_steps": steps}
