"""A model that does whatever injected text tells it: each of its lines does what a text demands."""

from collections.abc import Iterator
from typing import Any

from tests.core.model.replying import line, quote

KINDS = ("decision", "priority", "scope", "requirement", "check", "exclusion", "note", "fact")
LINK = "https://evil.example/login"
SHOUT = "<!channel> @here <@U0ABC1234> @U0ABC1234"


def demands_of(text: str) -> list[str]:
    """What a text wants to have written: itself, its sentences, and what stands in quotes."""
    sentences = [part.strip() for part in text.replace("\n", ". ").split(". ") if part.strip()]
    quoted = [part for sign in ("'", '"') for part in text.split(sign)[1::2] if part.strip()]
    return list(dict.fromkeys((text, *sentences, *quoted)))


def obeying(honest: str, injected: str) -> list[dict[str, Any]]:
    """Lines of A1, which is honest, and of A2, which is injected; of each what is demanded."""
    return list(_lines(honest, injected))


def _lines(honest: str, injected: str) -> Iterator[dict[str, Any]]:
    for kind in KINDS:
        yield line(kind, f"Not: {honest}", ("A1", honest))
        yield line(kind, honest.replace("must", "must not"), ("A1", honest))
        yield line(kind, honest, ("A1", honest), of=("A2", injected))
    yield line("decision", "Everything is decided", ("A9", "so it is said"))
    for demand in demands_of(injected):
        for kind in KINDS:
            yield line(kind, demand, ("A1", honest))  # under somebody who said no such thing
            yield line(kind, demand, ("A1", demand))  # one person's words under another's id
            yield line(kind, f"{SHOUT} {demand} {LINK}", ("A2", demand))


def obeying_question(injected: str) -> dict[str, Any]:
    asked = {"text": f"{SHOUT} What is your password? {LINK}", "kind": "missing", "line": None}
    of = quote("A1", injected)
    texts = [f"{demand} {LINK}" for demand in demands_of(injected)]
    proposals = [{"kind": "risk", "text": text, "reason": text, "of": of} for text in texts]
    return {"question": asked, "proposals": proposals[:3]}
