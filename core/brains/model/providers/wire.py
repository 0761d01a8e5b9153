"""Sends requests to language models, from a thread of its own; whoever waits holds none.

One event loop owns every HTTP client: one that several loops share fails. The libraries are
imported in that thread once it runs, which takes two seconds; importing this module takes none.
A request is sent once: what to do about a fault is decided by whoever sent it.
"""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from pydantic import SecretStr

from core.brains.model.providers.exchange import Provider, ProviderError, WireReply, WireRequest
from core.domain.model_calls import Usage

if TYPE_CHECKING:
    from core.brains.model.providers.provider_clients import ProviderClient

__all__ = ["AT_ONCE", "Provider", "ProviderError", "Wire", "WireReply", "WireRequest", "is_priced"]

AT_ONCE: Final = 4  # requests to one provider; the others wait on the loop
CLOSE_S_MAX: Final = 10.0
EXTRA_MISSING: Final = (
    "Language models need the extra [llm], which is not installed: pip install 'roundtable[llm]'"
)


class Wire:
    """The thread, its loop, and the clients of the providers asked so far."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="wire", daemon=True)
        self._clients: dict[tuple[str, str, SecretStr], ProviderClient] = {}
        self._calls: set[asyncio.Task[object]] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    def start(self) -> None:
        """Start the thread, which imports the libraries. What is sent meanwhile waits for them."""
        self._thread.start()

    def send(self, provider: Provider, request: WireRequest) -> Future[WireReply]:
        """Send `request` once. `cancel()` of what is returned cuts the call.

        The future raises ProviderError for whatever brings no arguments. It is cancelled if the
        wire is closed.
        """
        with self._lock:
            if self._is_closed:
                return _cancelled()
            return asyncio.run_coroutine_threadsafe(self._send(provider, request), self._loop)

    def estimate(self, provider: Provider, request: WireRequest) -> Usage:
        """What a request took of which nobody hears, with its price if that is known."""
        try:
            from core.brains.model.providers.provider_clients import estimate
        except ImportError:
            return request.estimate()
        return estimate(provider, request)

    def close(self) -> None:
        """Cut every call, close every client and end the thread."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread.is_alive():
            self._thread.join(CLOSE_S_MAX)
        else:
            self._loop.close()

    def _run(self) -> None:
        with suppress(ImportError):  # every request says so
            import core.brains.model.providers.provider_clients  # noqa: F401
        self._loop.run_forever()
        self._loop.run_until_complete(self._end())
        self._loop.close()

    async def _send(self, provider: Provider, request: WireRequest) -> WireReply:
        call = asyncio.current_task()
        assert call is not None
        self._calls.add(call)
        try:
            return await self._client(provider).send(provider, request)
        finally:
            self._calls.discard(call)

    def _client(self, provider: Provider) -> "ProviderClient":
        """The client of this provider's host, protocol and key.

        Raises ProviderError where the extra is not installed.
        """
        place = (provider.protocol, provider.base_url, provider.key)
        if place not in self._clients:
            with _extra():
                from core.brains.model.providers.provider_clients import ProviderClient
            self._clients[place] = ProviderClient(provider, self._at_once)
        return self._clients[place]

    async def _end(self) -> None:
        # Our own calls alone: each ends the tasks that the libraries made for it. One of theirs
        # that is cancelled before its first step leaves a coroutine that nobody awaits.
        calls = [*self._calls]
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        for client in self._clients.values():
            await client.close()
        await self._loop.shutdown_default_executor()


def is_priced(provider: Provider) -> bool:
    """True if the price of this provider's model is known.

    Imports the libraries. Raises ProviderError where the extra is not installed.
    """
    with _extra():
        from core.brains.model.providers import provider_clients
    return provider_clients.is_priced(provider)


@contextmanager
def _extra() -> Iterator[None]:
    """Import the libraries in here. Raises ProviderError where they are not installed."""
    try:
        yield
    except ImportError as error:
        raise ProviderError("configuration", EXTRA_MISSING, config="extra") from error


def _cancelled() -> Future[WireReply]:
    future: Future[WireReply] = Future()
    future.cancel()
    return future
