"""What every effect's class says of itself: its lane, its rank there, and what replaces it.

A session has one visible lane, drained in order, and one lane of work (files) beside it; brains are
asked side by side. A class that leaves out one of these fails where it is imported.
"""

from string import Formatter
from typing import Any, ClassVar, Final, Literal

Lane = Literal["visible", "work", "brain"]
Rank = Literal[0, 1, 2]

IN_ORDER: Final = 0  # posts, work and requests: one after the other
AFTER_POSTS: Final = 1  # edits and reactions: nobody waits for them
LAST: Final = 2  # the card, which shows the latest anyway


class Effect:
    """Base of all effects. Subclasses are frozen dataclasses, declared like this:

        @dataclass(frozen=True)
        class PaintStep(Effect, lane="visible", rank=AFTER_POSTS, key="step:{step}"):
            step: StepId

    `key`: an effect replaces the untried one of its session with the same key; fields of the class
    in braces; None: nothing is replaced. `edit_key`: the same, for a message that may be a post or
    an edit: it holds while the row waits as an edit. `is_needed`: people have to see it for the
    session to go on. No `slots=True`, which would make each class a second time, without its
    keywords.

    Raises `TypeError` where the class is made: a keyword is missing, a key names no field, or the
    name is taken.
    """

    lane: ClassVar[Lane]
    rank: ClassVar[Rank]
    key: ClassVar[str | None]
    edit_key: ClassVar[str | None]
    is_needed: ClassVar[bool]

    def __init_subclass__(
        cls,
        *,
        lane: Lane,
        rank: Rank,
        key: str | None,
        edit_key: str | None = None,
        is_needed: bool = False,
    ) -> None:
        if cls.__name__ in EFFECTS:
            raise TypeError(f"there is an effect {cls.__name__} already")
        _check_fields(cls, key or "")
        _check_fields(cls, edit_key or "")
        cls.lane, cls.rank, cls.key = lane, rank, key
        cls.edit_key, cls.is_needed = edit_key, is_needed
        EFFECTS[cls.__name__] = cls

    def coalescing_key(self) -> str | None:
        """The key of this effect's row; None: no later effect replaces it."""
        return self._filled(self.key)

    def coalescing_key_as_edit(self) -> str | None:
        """The key of its row while it waits as an edit of a message that stands."""
        return self._filled(self.edit_key)

    def _filled(self, key: str | None) -> str | None:
        return key.format(**vars(self)) if key is not None else None


EFFECTS: Final[dict[str, type[Effect]]] = {}
"""Every effect by its name, which is what its outbox rows are called."""


def _check_fields(cls: type[Any], key: str) -> None:
    fields = {field for _, field, _, _ in Formatter().parse(key) if field is not None}
    if unknown := fields - set(cls.__annotations__):
        raise TypeError(f"{cls.__name__} has no field {', '.join(sorted(unknown))} for its key")
