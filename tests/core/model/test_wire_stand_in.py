"""The wire asks the stand-in provider: what each of its faults is called, in all protocols."""

from collections.abc import Iterator

import pytest

from bot.devtools.provider import KINDS, PERSONALITIES, StandIn, StandInFault
from core.brains.model.providers.wire import Provider, ProviderError, Wire
from tests.core.model.provider_server import MODELS, WAIT_S_MAX, ask, provider_at

CONFIGURATION = {"401", "402", "403", "404", "insufficient-quota"}
TRANSIENT = {
    *("408", "429", "500", "502", "503", "504", "529", "quota-exceeded"),
    *("cut-body", "reset", "hang"),
}
PERMANENT = {"301", "302", "307", "308", "400", "409", "413", "422"}
FLAWS = {
    "not-json": "",
    "huge": "too-long",
    "empty": "empty",
    "cut-at-max-tokens": "cut",
    "refusal": "refused",
}
HARMLESS = {"slow-body", "200-kB", "in-content", "no-usage", "wrong-schema", "cannot-tell"}


@pytest.fixture(scope="module")
def stand_in() -> Iterator[StandIn]:
    with StandIn(PERSONALITIES["lazy"]) as stand_in:
        yield stand_in


@pytest.fixture(params=list(MODELS))
def provider(request: pytest.FixtureRequest, stand_in: StandIn) -> Provider:
    stand_in.faults.clear()
    return provider_at(stand_in.url, request.param)


def kind_of(kind: str) -> str:
    """What the wire calls that fault."""
    for name, kinds in (
        ("configuration", CONFIGURATION),
        ("transient", TRANSIENT),
        ("permanent", PERMANENT),
        ("overflow", {"context-too-long"}),
        ("misaligned", {"refusal"}),
    ):
        if kind in kinds:
            return name
    return "unexpected"


@pytest.mark.parametrize("kind", sorted({*KINDS} - HARMLESS - {"refused"}))
def test_each_fault_has_its_name_and_is_met_once(
    wire: Wire, stand_in: StandIn, provider: Provider, kind: str
) -> None:
    stand_in.forget()
    stand_in.faults.add(StandInFault(kind, seconds=60.0))
    with pytest.raises(ProviderError) as caught:
        ask(wire, provider, deadline_s=1.5 if kind == "hang" else WAIT_S_MAX)
    assert (caught.value.kind, caught.value.flaw) == (kind_of(kind), FLAWS.get(kind, ""))
    assert len(stand_in.requests) == 1


def test_a_connection_that_is_refused_is_transient(wire: Wire) -> None:
    with StandIn() as stand_in:
        stand_in.faults.add(StandInFault("refused", seconds=60.0))
        for _ in range(2):  # the first is reset
            with pytest.raises(ProviderError) as caught:
                ask(wire, provider_at(stand_in.url))
            assert caught.value.kind == "transient"
        assert len(stand_in.requests) == 1


@pytest.mark.filterwarnings("ignore:Failed to extract usage")
@pytest.mark.parametrize("kind", sorted(HARMLESS))
def test_what_only_looks_like_trouble_brings_arguments(
    wire: Wire, stand_in: StandIn, provider: Provider, kind: str
) -> None:
    stand_in.faults.add(StandInFault(kind, seconds=0.2))
    reply = ask(wire, provider)
    assert reply.arguments
    assert reply.usage.tokens > 0
    assert reply.usage.is_estimate == (kind == "no-usage")


@pytest.mark.parametrize("personality", ["lazy", "thoughtful"])
def test_a_stand_ins_arguments_arrive_whole(
    wire: Wire, stand_in: StandIn, provider: Provider, personality: str
) -> None:
    stand_in.personality = PERSONALITIES[personality]
    assert set(ask(wire, provider).arguments) == {"lines", "cannot_tell"}
