"""Values by what they are stored as: the same bytes are the same value, and are parsed once.

Every event reads its session and all steps of its phase, and changes one; a reading is given every
answer and claim of a session, of which it adds a few. Only the text says what a row holds, so that
one that somebody else wrote, or that can no longer be read, is seen at once.
"""

from typing import Final, Generic, TypeVar

from core.domain.answers import Answer, Claim, Section
from core.domain.session import Session, StepState
from core.store.documents.codec import load

T = TypeVar("T")

CHARS_MAX: Final = 8_000  # of a text; few are longer, and they would fill the memory


class DocumentCache(Generic[T]):
    """The values of one kind that were used last: at least `most`, at most twice as many.

    Two generations instead of an order: whoever finds a value in the older one takes it along.
    Threads may meet here; all that they can lose is a value, which is parsed again.
    """

    def __init__(self, kind: type[T], most: int) -> None:
        self._kind = kind
        self._most = most
        self._new: dict[str, T] = {}
        self._old: dict[str, T] = {}

    def load(self, doc: str) -> T:
        """Raises `core.store.documents.codec.CorruptError` for what is no such value."""
        found = self._new.get(doc)
        if found is None:
            found = self._old.get(doc)
            if found is None:
                found = load(self._kind, doc)
            self.keep(doc, found)
        return found

    def keep(self, doc: str, value: T) -> None:
        """What was just written as this text: it will be read again."""
        if len(doc) > CHARS_MAX:
            return
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[doc] = value


SESSIONS: Final = DocumentCache(Session, 128)
STATES: Final = DocumentCache(StepState, 1024)
ANSWERS: Final = DocumentCache(Answer, 512)
CLAIMS: Final = DocumentCache(tuple[Claim, ...], 512)  # of a step
SECTIONS: Final = DocumentCache(Section, 512)
