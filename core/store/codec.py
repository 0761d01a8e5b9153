"""Values to JSON and back, by pydantic; the domain knows nothing of it."""

from typing import Any, Final, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError

from core.domain import effects, events
from core.domain.session import Session

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
    """Raises `CorruptError` for what is no such value."""
    try:
        found: T = adapter(kind).validate_json(doc)
    except ValidationError as error:
        raise CorruptError(kind, doc) from error
    return found


def dump_session(session: Session) -> str:
    """The session without what has columns or rows of its own."""
    doc = adapter(Session).dump_json(session, exclude={"steps", "version"}, exclude_defaults=True)
    return doc.decode()


EVENTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(events.Event)}
EFFECTS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *get_args(effects.Visible),
        *get_args(effects.Work),
        effects.ReadAnswers,
        effects.Speak,
        effects.Diagnose,
        effects.Consult,
        effects.MergeQuestions,
        effects.ReadThread,
    )
}

# What a step file holds beside its name stands in `contents`, by its digest.
_OF_FILE: Final = {
    "title", "persona", "depth", "outputs", "file", "phase", "depends_on", "skip_if", "short",
    "sources", "body", "sections", "extra",
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


def dump_event(event: events.Event) -> str:
    kind = type(event)
    excluded = _BY_REFERENCE.get(kind.__name__)
    return adapter(kind).dump_json(event, exclude=excluded, exclude_defaults=True).decode()
