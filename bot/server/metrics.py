"""Figures about the bot for Prometheus, on a port of their own.

What is stored is counted when somebody asks; the rest is counted as it happens. No label names a
person, a channel or a workspace. Only where `ROUNDTABLE_METRICS_PORT` is set is any of it loaded.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.web_api.api_errors import Failure
from core.store.queries.figures import Figures

ACK_BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
KIND_CHARS_MAX: Final = 40
OTHER: Final = "other"

log = structlog.get_logger(__name__)


class Metrics:
    """`figures` counts what is stored; `process` tells gauges of this process by their names."""

    def __init__(
        self, figures: Callable[[], Figures], process: Callable[[], Mapping[str, float]]
    ) -> None:
        self.registry = CollectorRegistry()
        self._events = Counter(
            "roundtable_requests_total",
            "Requests of Slack by kind and HTTP status of the acknowledgement",
            ("kind", "status"),
            registry=self.registry,
        )
        self._acks = Histogram(
            "roundtable_ack_seconds",
            "From a request to its acknowledgement, the commit included",
            buckets=ACK_BUCKETS_S,
            registry=self.registry,
        )
        self._calls = Counter(
            "roundtable_slack_calls_total",
            "Calls of Slack's Web API by method and outcome",
            ("method", "outcome"),
            registry=self.registry,
        )
        self.registry.register(_Gauges(figures, process))

    def acknowledged(self, body: Mapping[str, Any], status: int, seconds: float) -> None:
        """Count a request of Slack and how long it waited for its acknowledgement."""
        self._events.labels(kind_of(body), str(status)).inc()
        self._acks.observe(seconds)

    def called(self, method: str, answer: Mapping[str, Any] | Failure) -> None:
        """Count a call of Slack's Web API."""
        outcome = "ok" if isinstance(answer, Mapping) else type(answer).__name__.lower()
        self._calls.labels(method, outcome).inc()

    def serve(self, host: str, port: int) -> Callable[[], None]:
        """Serve `/metrics` in a thread of its own; what is returned ends it. Raises `OSError`."""
        server, thread = start_http_server(port, host, self.registry)

        def end() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return end


def kind_of(body: Mapping[str, Any]) -> str:
    """What kind of request it is: the event's type, the form's, or "command"."""
    event = body.get("event")
    kind = event.get("type") if isinstance(event, Mapping) else body.get("type")
    if kind is None and "command" in body:
        return "command"
    if not isinstance(kind, str) or not kind.isascii() or len(kind) > KIND_CHARS_MAX:
        return OTHER
    return kind if kind.replace("_", "").isalnum() else OTHER


class _Gauges(Collector):
    def __init__(
        self, figures: Callable[[], Figures], process: Callable[[], Mapping[str, float]]
    ) -> None:
        self._figures = figures
        self._process = process

    def describe(self) -> Iterable[Metric]:
        """Nothing: it would be counted once before anybody asks."""
        return ()

    def collect(self) -> Iterator[Metric]:
        for name, value in self._process().items():
            yield GaugeMetricFamily(f"roundtable_{name}", name.replace("_", " "), value=value)
        try:
            stored = self._figures()
        except Exception:  # the other figures are asked for all the more when it does not respond
            log.warning("metrics.incomplete", exc_info=True)
            return
        yield _by("sessions", "Sessions by status", "status", stored.sessions)
        yield _by("outbox_rows", "Rows of the outbox by lane", "lane", stored.rows)
        yield _by("faults", "Faults ever recorded by code", "code", stored.faults)
        yield _one("outbox_parked_rows", "Rows that wait for somebody", stored.parked)
        yield _one("outbox_oldest_due_seconds", "Since the oldest row is due", stored.oldest_due_s)


def _by(name: str, meaning: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = GaugeMetricFamily(f"roundtable_{name}", meaning, labels=(label,))
    for value, count in counts.items():
        family.add_metric((value,), count)
    return family


def _one(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"roundtable_{name}", meaning, value=value)
