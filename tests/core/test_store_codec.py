"""Values to JSON and back: nothing is lost, and the journal keeps references instead of words."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer, Claim, Draft, Scan, Section
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.store.documents import (
    CHARS_MAX,
    CorruptError,
    DocumentCache,
    dump,
    dump_session,
    load,
)
from core.store.repository.journal_entry import dump_event

EVENTS = get_args(on.Event)
RECORDS = get_args(fx.Record)
VALUES = (Answer, Claim, Section, Draft, Scan, Menu, Fault, StepState)
WORDS = "a sentence found nowhere else"
TEXTS = ("", "a", "01-01", WORDS, "{}", 'quote " and \\', "a\nb", "שלום", "🚀\u2028", "\0")
SAMPLES = 25
DRAFT = Draft(
    "New: 1 fact.",
    (Claim("01-01/1", "01-01", "fact", WORDS, ()),),  # type: ignore[arg-type]
    sections=(Section("a.md", "01-01", "Title", WORDS),),  # type: ignore[arg-type]
)


def made(kind: Any, random: Random) -> Any:
    """Any value of that type."""
    if isinstance(kind, NewType):
        return made(kind.__supertype__, random)
    if is_dataclass(kind):
        return _dataclass(kind, random)  # type: ignore[arg-type]
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return random.choice(args)
    if origin in (Union, UnionType):
        return made(random.choice(args), random)
    if origin is tuple:
        inner = args if args[-1] is not Ellipsis else args[:1] * random.randrange(3)
        return tuple(made(each, random) for each in inner)
    if origin is Mapping:
        return {made(args[0], random): made(args[1], random) for _ in range(random.randrange(3))}
    return _PLAIN[kind](random)


_PLAIN: Mapping[Any, Any] = {
    str: lambda random: random.choice(TEXTS),
    Any: lambda random: random.choice(TEXTS),
    object: lambda random: random.choice(TEXTS),  # front matter we do not know, as it is stored
    int: lambda random: random.choice((0, 1, -7, 10**12)),
    float: lambda random: random.choice((0.0, 1.5, 1_800_000_000.000001)),
    bool: lambda random: random.choice((True, False)),
    NoneType: lambda random: None,
}


def _dataclass(kind: type[Any], random: Random) -> Any:
    hints = get_type_hints(kind)
    return kind(**{field.name: made(hints[field.name], random) for field in fields(kind)})


@pytest.mark.parametrize("kind", [*EVENTS, *RECORDS, *fx.EFFECTS.values(), *VALUES])
def test_every_value_comes_back_as_it_was(kind: type[Any]) -> None:
    random = Random(kind.__name__)
    for _ in range(SAMPLES):
        value = made(kind, random)
        assert load(kind, dump(value)) == value


def test_a_session_comes_back_without_what_has_rows_of_its_own() -> None:
    random = Random(7)
    for _ in range(SAMPLES):
        session: Session = made(Session, random)
        stored = replace(session, course=replace(session.course, steps=()), version=0)
        assert load(Session, dump_session(session)) == stored


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_can_be_written_into_the_journal(kind: type[Any]) -> None:
    random = Random(kind.__name__)
    for _ in range(SAMPLES):
        assert dump_event(made(kind, random)).startswith("{")


@pytest.mark.parametrize(
    "event",
    [
        on.MessagePosted("U", 1.0, "C", "1.1", "1.0", WORDS, WORDS),  # type: ignore[arg-type]
        on.MessageEdited("U", 1.0, "C", "1.1", "1.2", WORDS),  # type: ignore[arg-type]
        on.SessionRequested("U", 1.0, "s", "r", WORDS, "T", "C", "Title", WORDS),  # type: ignore[arg-type]
        on.BrainReplied(1.0, "t", "01-01", DRAFT, (), DRAFT.sections),  # type: ignore[arg-type]
        on.PostRefused(1.0, "PostCard", "x", WORDS),
    ],
)
def test_the_journal_refers_to_words_and_addresses_and_does_not_repeat_them(
    event: on.Event,
) -> None:
    assert WORDS not in dump_event(event, is_answer=True)


def test_what_is_as_usual_is_not_written() -> None:
    assert dump(fx.PaintCard()) == "{}"


def test_the_same_text_is_the_same_value_and_a_torn_one_is_seen() -> None:
    memory = DocumentCache(Claim, 2)
    docs = [dump(Claim(f"01-01/{number}", "01-01", "fact", "x", ())) for number in range(5)]  # type: ignore[arg-type]
    first = memory.load(docs[0])
    assert memory.load(docs[0]) is first
    assert [memory.load(doc).id for doc in docs] == [f"01-01/{number}" for number in range(5)]
    assert memory.load(docs[0]) == first
    with pytest.raises(CorruptError):
        memory.load(docs[0][:-1])


def test_what_was_written_is_not_parsed_again_unless_it_is_long() -> None:
    memory = DocumentCache(Claim, 2)
    short, long = (Claim("01-01/1", "01-01", "fact", text, ()) for text in ("x", "x" * CHARS_MAX))  # type: ignore[arg-type]
    for claim in (short, long):
        memory.keep(dump(claim), claim)
    assert memory.load(dump(short)) is short
    assert memory.load(dump(long)) == long
    assert memory.load(dump(long)) is not long
