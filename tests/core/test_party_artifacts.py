"""What a party leaves behind: the same shape as classic, the same bytes whoever was faster."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from core.artifacts.compose.inception.context import DiscoveryContext
from core.brains.script.performing import consult
from core.domain import effects as fx
from core.runtime.outbox_worker import OutboxWorker
from core.store.repository.outbox import WaitingRow
from tests.support.artifact_checker_formats import against
from tests.support.harness import Harness

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "discovery-context.schema.json").read_text())
ANSWER = (
    "1: Developers who drive payments through the API. 2: Half of the payments that fail are paid. "
    "Database: PostgreSQL, because the team runs it already. It must never store card numbers."
)
MORE = "Orders (id, total, state) are kept for ten years."
COUNCILS = ("01-vision-council", "02-stack-debate", "03-blueprint")
ORDERS = list(permutations(range(3)))


@dataclass
class InOrder:
    """A worker whose brains finish in an order of the test's own."""

    outbox_worker: OutboxWorker
    order: Sequence[int]
    finished: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> object:
        return getattr(self.outbox_worker, name)

    def brains_due(self, session: Any) -> tuple[tuple[WaitingRow, ...], float | None]:
        rows, later = self.outbox_worker.brains_due(session)
        if len(rows) == len(self.order):
            rows = tuple(rows[number] for number in self.order)
        return rows, later

    def read(self, row: WaitingRow) -> None:
        if isinstance(row.effect, fx.Consult):
            self.finished.append(row.effect.persona)
        self.outbox_worker.read(row)


def played(place: Path, mode: str, order: Sequence[int] = ()) -> Harness:
    """A whole inception, answered in the same words."""
    place.mkdir(exist_ok=True)
    table = Harness(place, table=consult)
    table.outbox_worker = InOrder(table.outbox_worker, order)  # type: ignore[assignment]
    table.start(title="A plugin that retries failed payments", flow="inception", mode=mode)
    while table.session.status in ("asking", "choosing"):
        if table.session.status == "asking":
            table.say(ANSWER)
            table.say(MORE)
        else:
            table.forward()
    assert table.session.status == "completed"
    assert table.codes == []
    return table


def bytes_of(table: Harness) -> dict[str, bytes]:
    files = table.folder().iterdir()
    return {path.name: path.read_bytes() for path in files if path.is_file()}


def debate(table: Harness) -> list[tuple[str, str, str]]:
    """Who said what, in the order in which it was delivered, over all councils."""
    every = (table.runtime.reader.contributions(table.id, key) for key in COUNCILS)  # type: ignore[arg-type]
    return [(each.persona, each.want, each.text) for council in every for each in council]


def counts(table: Harness) -> dict[str, int]:
    return {each.phase: each.messages for each in table.session.party.records}


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> Harness:
    return played(tmp_path_factory.mktemp("party"), "party")


@pytest.fixture(scope="module")
def undisturbed(party: Harness) -> tuple[dict[str, bytes], list[tuple[str, str, str]], Any]:
    return bytes_of(party), debate(party), counts(party)


def shape(model: BaseModel) -> dict[str, Any]:
    """The fields of a model and of whatever it holds, recursively; of lists, of all its members."""
    return {name: _shape(getattr(model, name)) for name in type(model).model_fields}


def _shape(value: object) -> Any:
    if isinstance(value, BaseModel):
        return shape(value)
    if isinstance(value, list | tuple):
        return [_shape(each) for each in value if isinstance(each, BaseModel)][:1]
    return ""


def same(one: Any, other: Any) -> bool:
    """True if two shapes agree wherever both hold something."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return all(same(left, right) for left, right in zip(one, other, strict=False))
    return type(one) is type(other) or not one or not other


def test_both_modes_give_the_same_context_field_by_field(
    party: Harness, undisturbed: tuple[dict[str, bytes], Any, Any], tmp_path: Path
) -> None:
    texts = {
        "party": undisturbed[0]["discovery-context.json"].decode(),
        "classic": bytes_of(played(tmp_path, "classic"))["discovery-context.json"].decode(),
    }
    models = {}
    for mode, text in texts.items():
        assert list(against(SCHEMA, json.loads(text))) == []
        models[mode] = DiscoveryContext.model_validate_json(text)
        assert json.loads(text)["mode"] == mode
    assert same(shape(models["party"]), shape(models["classic"]))
    assert json.loads(texts["party"]).keys() == json.loads(texts["classic"]).keys()


def test_a_party_that_is_run_twice_gives_the_same_bytes(
    undisturbed: tuple[dict[str, bytes], Any, Any], tmp_path: Path
) -> None:
    again = played(tmp_path, "party")
    assert bytes_of(again) == undisturbed[0]
    assert len(undisturbed[0]) == 10


@pytest.mark.parametrize("order", ORDERS[1:])
def test_whoever_is_faster_changes_neither_words_nor_order_nor_counts(
    undisturbed: tuple[Any, Any, Any], tmp_path: Path, order: tuple[int, ...]
) -> None:
    table = played(tmp_path, "party", order)
    members = ("product-analyst", "domain-researcher", "technical-scout")
    assert table.outbox_worker.finished[:3] == [members[number] for number in order]  # type: ignore[attr-defined]
    assert (bytes_of(table), debate(table), counts(table)) == undisturbed
    for want in ("interpretation", "cross-question", "position"):
        assert tuple(who for who, what, _ in debate(table) if what == want) == members
