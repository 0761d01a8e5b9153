"""Packed rows: nothing is lost, damage is known as such, and the dictionary is what it was."""

import hashlib
import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain import effects as fx
from core.domain.effects import EFFECTS
from core.store import packing
from core.store.came import NAMES, Came, came_of
from core.store.codec import CorruptError, load
from core.store.dictionary import FIRST
from core.store.packing import PackingError, as_change, changed_back, packed, plain

ROW = json.dumps({"id": "01-01/1", "step": "01-01", "kind": "fact", "text": "It is late. " * 5})


@given(st.text())
def test_every_text_comes_back(text: str) -> None:
    assert plain(packed(text)) == text


@given(st.text(), st.text())
def test_what_is_nearly_the_same_comes_back(text: str, other: str) -> None:
    assert changed_back(as_change(text, other), other) == text


def test_a_row_becomes_much_smaller_and_a_short_one_stays_text() -> None:
    found = packed(ROW)
    assert isinstance(found, bytes)
    assert len(found) < len(ROW) / 2
    assert packed("[]") == "[]"


def test_a_change_costs_what_has_changed() -> None:
    random = Random(1)
    text = " ".join(f"{random.random()}" for _ in range(300))
    assert len(as_change(text.replace("1", "2", 1), text)) < 80


@pytest.mark.parametrize(
    "doc",
    [
        b"",
        b"\x7f" + bytes(packed(ROW))[1:] if isinstance(packed(ROW), bytes) else b"",
        bytes(packed(ROW))[:-4] if isinstance(packed(ROW), bytes) else b"",
        b"\x01nonsense",
        as_change(ROW, "the other one"),
    ],
    ids=["empty", "of a later version", "cut off", "overwritten", "without its other half"],
)
def test_what_cannot_be_unpacked_is_a_damaged_row(doc: bytes) -> None:
    with pytest.raises(PackingError):
        plain(doc)
    with pytest.raises(CorruptError) as caught:
        load(fx.PaintCard, doc)
    assert caught.value.doc == repr(doc)


def test_a_dictionary_is_never_changed() -> None:
    """Rows that were written with it are in databases. A better one gets another number."""
    assert packing.DICTIONARIES == {1: FIRST}
    assert hashlib.sha256(FIRST).hexdigest()[:16] == "7c9ffd7478d6c072"


def test_the_dictionary_fits_into_the_window_with_a_row() -> None:
    assert len(FIRST) <= 12 * 1024


def test_every_effect_has_a_number_and_keeps_it() -> None:
    assert set(NAMES) == set(EFFECTS)
    assert len(NAMES) == len(set(NAMES)) < 256
    assert (NAMES[0], NAMES[21], NAMES[39]) == ("PostCard", "Mark", "ReadThread")


def test_what_came_of_an_event_is_read_as_bytes_and_as_the_text_of_before() -> None:
    came = Came.read(came_of("{}", (fx.PaintCard(), fx.PaintCard()), "2f2a7d"))
    assert came.conditions == "2f2a7d"
    assert came.effects == ("PaintCard", "PaintCard")
    before = Came.read(f"{came.session} 2f2a7dd8 PaintCard PaintCard")
    assert (before.session, before.effects) == (came.session, came.effects)
    assert before.conditions == "2f2a7dd8"
