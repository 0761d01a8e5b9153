"""How calls wait, how they are cut, and what is left when the wire closes."""

import gc
import threading
from concurrent.futures import CancelledError, Future, wait
from time import monotonic, sleep

import pytest

from core.brains.model.providers.wire import ProviderError, WireReply
from tests.core.model.provider_server import (
    WAIT_S_MAX,
    Answer,
    Asked,
    ProviderServer,
    called,
    provider_at,
    provider_server,
    started_wire,
    wire_request,
)

HANGING = Answer(way="hang")


@pytest.fixture
def server():  # type: ignore[no-untyped-def]
    with provider_server(lambda asked: HANGING) as server:
        yield server


@pytest.mark.parametrize("protocol", ["openai-chat", "openai", "anthropic"])
def test_a_cancelled_call_is_cut_at_the_provider(server: ProviderServer, protocol: str) -> None:
    with started_wire() as wire:
        call = wire.send(provider_at(server.url, protocol), wire_request())
        assert server.waiting.acquire(timeout=WAIT_S_MAX)
        assert call.cancel()
        assert server.hung_up.acquire(timeout=WAIT_S_MAX)
        assert call.cancelled()


def test_fifty_hanging_calls_hold_no_thread_and_four_are_sent(server: ProviderServer) -> None:
    with started_wire() as wire:
        provider = provider_at(server.url)
        first = wire.send(provider, wire_request())
        assert server.waiting.acquire(timeout=WAIT_S_MAX)
        threads = threading.active_count()
        calls = [first, *(wire.send(provider, wire_request(id=f"row-{n}")) for n in range(49))]
        for _ in range(3):
            assert server.waiting.acquire(timeout=WAIT_S_MAX)
        assert not server.waiting.acquire(timeout=0.3), "a fifth is sent"
        assert threading.active_count() == threads
        # A slot that becomes free goes to the next; another provider has slots of its own.
        first.cancel()
        assert server.waiting.acquire(timeout=WAIT_S_MAX)
        with provider_server(called()) as other:
            assert wire.send(provider_at(other.url), wire_request()).result(WAIT_S_MAX).arguments
        calls[-1].cancel()  # one that waits for a slot
        assert calls[-1].cancelled()
    assert all(call.cancelled() for call in calls)


def test_closing_cuts_every_call_and_ends_the_thread(server: ProviderServer) -> None:
    threads = threading.active_count()
    with started_wire() as wire:
        calls = [wire.send(provider_at(server.url), wire_request()) for _ in range(6)]
        for _ in range(4):
            assert server.waiting.acquire(timeout=WAIT_S_MAX)
        wire.close()
        assert threading.active_count() == threads
        done, _ = wait(calls, timeout=WAIT_S_MAX)
        assert len(done) == 6
        with pytest.raises(CancelledError):
            calls[0].result()
        for _ in range(4):
            assert server.hung_up.acquire(timeout=WAIT_S_MAX)
        assert wire.send(provider_at(server.url), wire_request()).cancelled()
        wire.close()  # once more is no fault


def test_a_wire_that_closes_while_its_calls_still_connect_leaves_nothing(
    server: ProviderServer,
) -> None:
    with started_wire() as wire:
        wire.send(provider_at(server.url), wire_request())
        assert server.waiting.acquire(timeout=WAIT_S_MAX)  # all is loaded
    for n in range(20):  # about every fifth hits the moment in which a connection begins
        with started_wire() as wire:
            calls = [wire.send(provider_at(server.url), wire_request()) for _ in range(4)]
            sleep(0.002 + n / 1500)
        assert all(call.cancelled() for call in calls)
    # A coroutine that nobody awaits is a warning when it is collected, and so a failure here.
    gc.collect()


def test_a_wire_that_closes_while_it_still_loads_leaves_nothing(server: ProviderServer) -> None:
    with started_wire() as wire:
        call = wire.send(provider_at(server.url), wire_request())
    assert call.cancelled()


def test_the_deadline_is_of_the_call_and_not_of_the_wait_for_a_slot(
    server: ProviderServer,
) -> None:
    provider = provider_at(server.url)
    server.script = called()
    with started_wire(at_once=1) as wire:
        assert wire.send(provider, wire_request()).result(WAIT_S_MAX)  # all is loaded and open
        server.script = lambda asked: HANGING
        begun = monotonic()
        calls = [wire.send(provider, wire_request(deadline_s=0.5)) for _ in range(3)]
        for call in calls:
            with pytest.raises(ProviderError, match="timed out"):
                call.result(WAIT_S_MAX)
        assert monotonic() - begun >= 1.5
    assert len(server.asked) <= 4  # on a busy machine a deadline may end before it connects


def test_calls_side_by_side_get_their_own_replies(server: ProviderServer) -> None:
    def echo(asked: Asked) -> Answer:
        return called({"id": asked.headers["x-roundtable-request"]})(asked)

    server.script = echo
    with started_wire() as wire:
        calls: dict[str, Future[WireReply]] = {
            f"row-{n}": wire.send(provider_at(server.url), wire_request(id=f"row-{n}"))
            for n in range(60)
        }
        assert {n: call.result(WAIT_S_MAX).arguments["id"] for n, call in calls.items()} == {
            n: n for n in calls
        }
