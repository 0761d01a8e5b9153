"""Values to JSON and back, by pydantic; the domain knows nothing of it.

The same text is the same value, and is parsed once: every event reads its session and all steps of
its phase, and changes one; a reading is given every answer and claim of a session, of which it adds
a few. Only the text says what a row holds, so that one that somebody else wrote, or that can no
longer be read, is seen at once.
"""

from typing import Any, Final, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from core.domain.answers import Answer, Claim
from core.domain.ids import MenuId, RunId, SessionId
from core.domain.lines import Correction
from core.domain.party.contributions import Contribution
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.stances import Settlement, Stance

T = TypeVar("T")

CHARS_MAX: Final = 8_000  # of a text that is cached; few are longer, and they would fill the memory

_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def adapter(kind: Any) -> TypeAdapter[Any]:
    """Made once per type: making one costs as much as a thousand uses."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def dump(value: Any, kind: Any = None) -> str:
    return adapter(kind or type(value)).dump_json(value, exclude_defaults=True).decode()


class CorruptError(Exception):
    """A stored row says nothing (ERR-DATA-001). `doc` is the row as it was found, `row` its number
    in the outbox if it stood there."""

    def __init__(self, kind: Any, doc: object, row: int | None = None) -> None:
        super().__init__(f"a stored {getattr(kind, '__name__', kind)} cannot be read")
        self.what = str(getattr(kind, "__name__", kind))
        self.doc = doc if isinstance(doc, str) else repr(doc)
        self.row = row


def load(kind: type[T], doc: str) -> T:
    """The value of a stored document. Raises `CorruptError` for what is no such value."""
    try:
        value: T = adapter(kind).validate_json(doc)
    except ValidationError as error:
        raise CorruptError(kind, doc) from error
    return value


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
        """The value of a stored document. Raises `CorruptError` for what is no such value."""
        value = self._new.get(doc)
        if value is None:
            value = self._old.get(doc)
            if value is None:
                value = load(self._kind, doc)
            self.keep(doc, value)
        return value

    def keep(self, doc: str, value: T) -> None:
        """Cache what was just written as this text: it will be read again."""
        if len(doc) > CHARS_MAX:
            return
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[doc] = value


SESSIONS: Final = DocumentCache(Session, 128)
STATES: Final = DocumentCache(StepState, 1024)
ANSWERS: Final = DocumentCache(Answer, 512)
CLAIMS: Final = DocumentCache(tuple[Claim, ...], 512)  # of a step
STANCES: Final = DocumentCache(Stance, 128)
SETTLEMENTS: Final = DocumentCache(Settlement, 128)
CORRECTIONS: Final = DocumentCache(Correction, 128)
CONTRIBUTIONS: Final = DocumentCache(Contribution, 128)

# ── sessions and menus: part of them stands in columns ──


def dump_session(session: Session) -> str:
    """The session without what has columns or rows of its own."""
    return dump(session.stored_as(0, ()))


def session_of_columns(*, run: str | None = None, damage: str, **columns: Any) -> Session:
    """What is left of a session whose document cannot be read: enough to halt and to list it."""
    seed = f"{columns['id']}:{columns['version']}"
    return Session(
        run=RunId(run or ""), text="", seed=seed, created_at="", damage=damage, **columns
    )


def is_of_columns(session: Session) -> bool:
    """True for what is left of one whose document cannot be read: no other has no beginning."""
    return not session.created_at


def dump_menu(menu: Menu) -> str:
    """The menu without what has columns of its own."""
    doc = adapter(Menu).dump_json(menu, exclude={"id", "session", "state"}, exclude_defaults=True)
    return doc.decode()


def load_menu(menu: MenuId, session: SessionId, state: str, doc: str) -> Menu:
    """The menu of a row. Raises `CorruptError` for what is no menu."""
    try:
        fields = {**from_json(doc), "id": menu, "session": session, "state": state}
        value: Menu = adapter(Menu).validate_python(fields)
    except (ValueError, TypeError) as error:
        raise CorruptError(Menu, doc) from error
    return value
