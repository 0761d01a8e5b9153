"""What was found, in the words that people are told."""

from core.secrets import LABELS, find


def kinds_of(*texts: str) -> tuple[str, ...]:
    """The kinds of credential in these texts, in words, each once."""
    found = (one for text in texts if text for one in find(text))
    return tuple(dict.fromkeys(LABELS.get(one.kind, one.kind) for one in found))
