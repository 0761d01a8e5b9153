"""The door: what people send is scanned for credentials before anything else happens with it.

What comes in is either as it was, or a `SecretFound` that holds only what is left without them.
"""

from collections.abc import Collection
from dataclasses import replace

from core.domain import events as on
from core.domain.answers import SharedFile
from core.domain.session.start import EarlierStatement
from core.secrets import kinds_of, redact


def scan_event(event: on.Event) -> on.Event:
    """The event itself; a `SecretFound` in its place where somebody sent a credential."""
    match event:
        case on.SessionRequested():
            return _started(event)
        case on.MessagePosted():
            return _posted(event)
        case on.MessageEdited():
            return _edited(event)
        case on.DifferenceGiven() | on.DifferenceSettled() | on.DeciderNamed() | on.ChoiceMade():
            return _reasoned(event)
        case on.LinesSorted():
            return _sorted(event)
        case _:
            return event


def _started(event: on.SessionRequested) -> on.Event:
    kinds = kinds_of(event.title, event.text)
    if not kinds:
        return event
    request = replace(event, title=redact(event.title), text=redact(event.text))
    return on.SecretFound(event.by, event.at, "title", kinds, request)


def _posted(event: on.MessagePosted) -> on.Event:
    in_text = kinds_of(event.text)
    in_names = kinds_of(*(name for file in event.files for name in (file.name, file.permalink)))
    if not in_text and not in_names:
        return event
    files = tuple(_renamed(file) for file in event.files)
    message = replace(event, text=redact(event.text), files=files)
    where = "answer" if in_text else "file name"
    return on.SecretFound(event.by, event.at, where, in_text or in_names, message)  # type: ignore[arg-type]


def _edited(event: on.MessageEdited) -> on.Event:
    now, before = kinds_of(event.text), kinds_of(event.was)
    if not now and not before:
        return event
    message = replace(event, text=redact(event.text), was="")
    where = "edit" if now else "old text"
    return on.SecretFound(event.by, event.at, where, now or before, message)  # type: ignore[arg-type]


def without_credentials(statements: Collection[EarlierStatement]) -> tuple[EarlierStatement, ...]:
    """What was said elsewhere, and came in beside the door: only what holds no credential."""
    return tuple(
        statement
        for statement in statements
        if not kinds_of(
            statement.text,
            *(part for file in statement.files for part in (file.name, file.permalink)),
        )
    )


def _reasoned(
    event: on.DifferenceGiven | on.DifferenceSettled | on.DeciderNamed | on.ChoiceMade,
) -> on.Event:
    kinds = kinds_of(event.reason)
    if not kinds:
        return event
    reasoned = replace(event, reason=redact(event.reason))
    return on.SecretFound(event.by, event.at, "sentence", kinds, reasoned)


def _sorted(event: on.LinesSorted) -> on.Event:
    """Lines were scanned when they were said; why both of two hold was typed just now."""
    kinds = kinds_of(*(line.why for line in event.corrections))
    if not kinds:
        return event
    clean = tuple(replace(line, why=redact(line.why)) for line in event.corrections)
    redacted = replace(event, corrections=clean)
    return on.SecretFound(event.by, event.at, "sentence", kinds, redacted)


def _renamed(file: SharedFile) -> SharedFile:
    """A link repeats the file's name."""
    if not kinds_of(file.name, file.permalink):
        return file
    return SharedFile(redact(file.name), "")
