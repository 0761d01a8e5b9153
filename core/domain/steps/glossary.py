"""Words that a step tree explains to people who ask for them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A word, its other names, and a sentence that says what it means."""

    name: str
    means: str
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also)


Terms = tuple[Term, ...]
"""A glossary, in the order of its file. No two have a name in common."""


def folded(name: str) -> str:
    """A name as it is compared: its case and the width of its gaps do not count."""
    return " ".join(name.casefold().split())
