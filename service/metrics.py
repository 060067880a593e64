"""Figures for those who watch over a service, in the form Prometheus reads; each application has its own."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prometheus_client.core import Metric

_BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0)
"""Upper bounds of the histogram of a call's time, in seconds."""


class Limits(Protocol):
    """How many calls an endpoint has under way and waiting, and how many may be under way now."""

    @property
    def in_flight(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def limit(self) -> int: ...


class Called(Protocol):
    """An endpoint as one kind of caller sees it."""

    @property
    def label(self) -> str: ...
    @property
    def caller(self) -> str: ...
    @property
    def limiter(self) -> Limits: ...


class Taken(Protocol):
    """What a call was charged for."""

    @property
    def caller(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def input(self) -> int | None: ...
    @property
    def output(self) -> int | None: ...


@dataclass(frozen=True, kw_only=True)
class Load:
    """What the database holds: runs by state, and the rows of those that go on, by state; of all companies together."""

    runs: Mapping[str, int]
    rows: Mapping[str, int]

    @property
    def queue(self) -> int:
        """Return how many rows still wait for their verdicts."""
        return self.rows.get("waiting", 0) + self.rows.get("answered", 0)


class Metrics:
    """Hears of every call, and tells what it heard; nothing in it names a space, a person or a text."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self._registry = CollectorRegistry()
        self._endpoints: Callable[[], Iterable[Called]] = tuple
        where = ("endpoint", "caller")
        self._calls = Counter(
            "flagbook_calls", "Calls that ended, by outcome.", (*where, "outcome"), registry=self._registry
        )
        self._seconds = Histogram(
            "flagbook_call_seconds", "Time of calls.", where, registry=self._registry, buckets=_BUCKETS
        )
        self._tokens = Counter(
            "flagbook_tokens", "Tokens charged for.", ("caller", "model", "kind"), registry=self._registry
        )
        self._registry.register(_Limiters(lambda: self._endpoints()))

    def watch(self, endpoints: Callable[[], Iterable[Called]]) -> None:
        """Tell the limits of these endpoints as well."""
        self._endpoints = endpoints

    def called(self, endpoint: Called, outcome: str, seconds: float) -> None:
        """Note a call that ended: `ok`, `broken_off`, or the code it failed with."""
        self._calls.labels(endpoint.label, endpoint.caller, outcome).inc()
        self._seconds.labels(endpoint.label, endpoint.caller).observe(seconds)

    def charged(self, charge: Taken) -> None:
        """Note the tokens of a call."""
        for kind, tokens in (("input", charge.input), ("output", charge.output)):
            if tokens:
                self._tokens.labels(charge.caller, charge.model, kind).inc(tokens)

    def text(self, load: Load) -> tuple[bytes, str]:
        """Return everything as Prometheus reads it, with its media type."""
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

        stored = CollectorRegistry()
        stored.register(_Stored(load))
        return generate_latest(self._registry) + generate_latest(stored), CONTENT_TYPE_LATEST


class _Limiters:
    def __init__(self, endpoints: Callable[[], Iterable[Called]]) -> None:
        self._endpoints = endpoints

    def collect(self) -> "Iterator[Metric]":
        """Return what each limiter says at this moment."""
        from prometheus_client.core import GaugeMetricFamily

        about = {
            "in_flight": ("flagbook_calls_in_flight", "Calls under way."),
            "waiting": ("flagbook_calls_waiting", "Calls that wait for their turn."),
            "limit": ("flagbook_calls_limit", "Calls that may be under way now; less after a 429."),
        }
        for attribute, (name, text) in about.items():
            gauge = GaugeMetricFamily(name, text, labels=("endpoint", "caller"))
            for each in self._endpoints():
                gauge.add_metric((each.label, each.caller), getattr(each.limiter, attribute))
            yield gauge


class _Stored:
    def __init__(self, load: Load) -> None:
        self._load = load

    def collect(self) -> "Iterator[Metric]":
        """Return what the database holds."""
        from prometheus_client.core import GaugeMetricFamily

        yield GaugeMetricFamily("flagbook_queue_depth", "Rows that wait for their verdicts.", value=self._load.queue)
        for name, text, counts in (
            ("flagbook_rows", "Rows of runs that go on.", self._load.rows),
            ("flagbook_runs", "Runs.", self._load.runs),
        ):
            gauge = GaugeMetricFamily(name, text, labels=("state",))
            for state, count in counts.items():
                gauge.add_metric((state,), count)
            yield gauge
