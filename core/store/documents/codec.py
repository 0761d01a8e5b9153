"""Values to JSON and back, by pydantic; the domain knows nothing of it."""

from typing import Any, Final, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from core.domain import events
from core.domain.ids import MenuId, SessionId
from core.domain.session import Menu, Session

T = TypeVar("T")

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


def dump_session(session: Session) -> str:
    """The session without what has columns or rows of its own."""
    doc = adapter(Session).dump_json(session, exclude={"steps", "version"}, exclude_defaults=True)
    return doc.decode()


def dump_menu(menu: Menu) -> str:
    """The menu without what has columns of its own."""
    doc = adapter(Menu).dump_json(menu, exclude={"id", "session"}, exclude_defaults=True)
    return doc.decode()


def load_menu(menu: MenuId, session: SessionId, doc: str) -> Menu:
    """The menu of a row. Raises `CorruptError` for what is no menu."""
    try:
        fields = {**from_json(doc), "id": menu, "session": session}
        value: Menu = adapter(Menu).validate_python(fields)
    except (ValueError, TypeError) as error:
        raise CorruptError(Menu, doc) from error
    return value


EVENTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(events.Event)}

# What a step file holds beside its name stands in `contents`, by its digest.
_OF_FILE: Final = {
    "title", "persona", "depth", "outputs", "file", "phase", "depends_on", "skip_if", "short",
    "sources", "reads", "needs", "body", "sections", "extra",
}  # fmt: skip

# What people said and what files held stands in rows of its own; the journal refers to it.
_BY_REFERENCE: dict[str, Any] = {
    "MessagePosted": {"text", "files", "permalink"},
    "MessageEdited": {"text", "was"},
    "SecretFound": {"said"},
    "Consulted": {"contribution": {"text", "claims"}},
    "SessionRequested": {"text", "respond_to", "seed"},
    "BrainReplied": {"draft", "elsewhere"},
    "FlowOpened": {"respond_to"},
    "ThreadRead": {"found": {"__all__": {"text", "files", "permalink"}}},
    "PostRefused": {"respond_to"},
    "PhaseOpened": {"files": {"__all__": {"step": _OF_FILE}}},
    "StepOpened": {"file": {"step": _OF_FILE}},
}


def _without(name: str) -> dict[str, Any]:
    kept_elsewhere = _BY_REFERENCE.get(name, {})
    if isinstance(kept_elsewhere, set):
        return _COLUMNS | dict.fromkeys(kept_elsewhere, True)
    return {**_COLUMNS, **kept_elsewhere}


_COLUMNS: Final[dict[str, Any]] = {"at": True, "by": True}  # the journal has them beside


def dump_event(event: events.Event) -> str:
    """The event without what other columns and rows hold."""
    kind = type(event)
    excluded = _WITHOUT[kind.__name__]
    return adapter(kind).dump_json(event, exclude=excluded, exclude_defaults=True).decode()


_WITHOUT: Final = {name: _without(name) for name in EVENTS}
