"""`meta.json` may hold anything: it is read, or said to be corrupt and kept, and never lost."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.artifacts.files.folder import Folder
from core.artifacts.files.meta import (
    BAD_OVERRIDES,
    BAD_STEPS,
    CORRUPT,
    Acceptance,
    AnalysisStatus,
    Meta,
    MetaFound,
    Owner,
    meta_in,
    meta_text,
)
from core.domain.events import FlowOpened, FolderFound
from core.domain.ids import Slug
from core.store.repository.journal_entry import dump_event
from core.taxonomy.catalogue import CATALOGUE
from tests.support.hostile import DEEP, NO_JSON, ODD_JSON, json_bytes, json_texts, within

SLUG = Slug("item")
NOW = datetime(2026, 3, 1, tzinfo=UTC)
META = Meta(
    slug=SLUG,
    title="Item",
    source="slack",
    owner=Owner("T1", "C1"),
    created_at="2026-03-01T09:00:00Z",
    steps_completed=("00-01",),
    acceptance={"00-quick-scan": Acceptance("U1", "2026-03-01T10:00:00Z")},
)
NAMES = (
    *("slug", "title", "source", "owner", "team", "channel", "created_at", "analysis_status"),
    *("phases_completed", "steps_completed", "depth_overrides", "acceptance", "by", "at"),
)
KEYS = st.sampled_from(NAMES)
VALUES = st.sampled_from(ODD_JSON) | st.sampled_from(ODD_JSON) | json_texts(KEYS)


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def strict(text: str) -> Any:
    """As a reader of another language reads it: no NaN, no Infinity."""

    def refused(constant: str) -> object:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refused)


def is_well_formed(meta: Meta) -> bool:
    """What the type says, at run time, in characters that can be stored."""
    texts = [meta.slug, meta.title, meta.source, meta.owner.team, meta.owner.channel]
    texts += [meta.created_at, *meta.phases_completed, *meta.steps_completed]
    texts += [part for pair in meta.depth_overrides.items() for part in pair]
    for phase, accepted in meta.acceptance.items():
        texts += [phase, accepted.by, accepted.at]
    for text in texts:
        assert isinstance(text, str)
        text.encode()
    return meta.analysis_status in get_args(AnalysisStatus)


def found_in(content: bytes, root: Path) -> tuple[MetaFound, Path]:
    folder, place = Folder(root), root / SLUG
    folder.delete(SLUG)
    folder.prepare(SLUG)
    (place / "meta.json").write_bytes(content)
    return folder.read_meta(SLUG, NOW), place


@given(json_bytes(KEYS))
def test_any_file_is_read_or_kept_as_corrupt(root: Path, content: bytes) -> None:
    with within(10):
        found, place = found_in(content, root)
    assert set(found.faults) <= CATALOGUE.keys()
    if found.state == "corrupt":
        assert (found.meta, found.faults) == (None, (CORRUPT,))
        assert found.kept_as is not None
        assert found.kept_as.startswith("meta.json.corrupt-")
        assert [path.name for path in place.iterdir()] == [found.kept_as]
        assert (place / found.kept_as).read_bytes() == content
    else:
        assert found.state == "ok"
        assert found.meta is not None
        assert is_well_formed(found.meta)
        assert set(found.faults) <= {BAD_STEPS, BAD_OVERRIDES}
        assert (place / "meta.json").read_bytes() == content


@given(json_bytes(KEYS))
def test_whatever_lies_there_what_is_written_is_valid_and_comes_back(
    root: Path, content: bytes
) -> None:
    folder, place = Folder(root), root / SLUG
    found_in(content, root)
    with within(10):
        folder.write_meta(SLUG, META)
    written = strict((place / "meta.json").read_text("ascii"))
    assert written["steps_completed"] == ["00-01"]
    assert folder.read_meta(SLUG, NOW) == MetaFound("ok", META)


@pytest.mark.parametrize("value", [*ODD_JSON, *NO_JSON], ids=lambda value: value[:20])
def test_a_documented_key_with_any_odd_value_is_put_right(value: str) -> None:
    for key in NAMES:
        pair = f'{{"{key}": {value}}}'
        for text in (pair, f'{{"{key}": [{value}]}}', f'{{"{key}": {{"x": {value}}}}}'):
            goes_into_the_journal(text)
        goes_into_the_journal(f'{{"acceptance": {{"x": {pair}}}, "owner": {pair}}}')


def goes_into_the_journal(text: str) -> None:
    found = meta_in(text)
    if found is None:
        return
    assert found.meta is not None
    assert is_well_formed(found.meta)
    steps, phases = found.meta.steps_completed, found.meta.phases_completed
    overrides = tuple(found.meta.depth_overrides.items())
    seen = FolderFound("ours", steps, phases, overrides, found.faults)  # type: ignore[arg-type]
    assert dump_event(FlowOpened(0.0, None, (), seen))


@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_whatever_the_documented_keys_hold_it_is_put_right(values: Mapping[str, str]) -> None:
    pairs = (f"{json.dumps(key)}: {value}" for key, value in values.items())
    goes_into_the_journal(f"{{{', '.join(pairs)}}}")


@given(st.dictionaries(st.text(min_size=1), json_texts(deep=False), max_size=3))
def test_keys_of_others_stay_or_the_file_is_corrupt(values: Mapping[str, str]) -> None:
    text = f"{{{', '.join(f'{json.dumps(key)}: {value}' for key, value in values.items())}}}"
    if meta_in(text) is None:
        return
    once = meta_text(META, text)
    kept = strict(once)
    assert set(kept) >= set(values) - {"slug", "title", "source", "owner"}
    assert meta_text(META, once) == once


@pytest.mark.parametrize("levels", [*DEEP, *range(880, 1_000, 15)])
@pytest.mark.parametrize("kind", ["list", "object"])
def test_however_deep_it_nests_it_is_read_and_written_or_corrupt(
    root: Path, levels: int, kind: str
) -> None:
    opened, closed = ("[", "]") if kind == "list" else ('{"a":', "}")
    deep = opened * levels + "1" + closed * levels
    for content in (f'{{"tracker": {deep}}}', f'{{"depth_overrides": {{"x": {deep}}}}}', deep):
        found, _ = found_in(content.encode(), root)
        assert found.state in ("ok", "corrupt")
        found_in(content.encode(), root)
        Folder(root).write_meta(SLUG, META)
        assert Folder(root).read_meta(SLUG, NOW).meta == META


# What was found that way


def test_a_number_that_no_reader_holds_is_corrupt_and_never_written_back_as_infinity() -> None:
    assert meta_in('{"tracker": 1e999}') is None
    assert meta_in('{"tracker": [-1e999]}') is None
    assert meta_in('{"tracker": 1e308}') is not None
    assert strict(meta_text(META, '{"tracker": 1e999}'))["title"] == "Item"


def test_half_a_character_in_a_key_of_ours_becomes_a_question_mark() -> None:
    found = meta_in(r'{"steps_completed": ["\ud800"], "depth_overrides": {"\udfff": "\ud800"}}')
    assert found is not None
    assert found.meta is not None
    assert found.meta.steps_completed == ("?",)
    assert found.meta.depth_overrides == {"?": "?"}


def test_half_a_character_in_a_key_of_others_stays_as_it_is() -> None:
    assert strict(meta_text(META, r'{"tracker": "\ud800"}'))["tracker"] == "\ud800"
