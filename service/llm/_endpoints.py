"""All endpoints of a process: one limiter for each address, key and kind of caller."""

from dataclasses import dataclass
from typing import Literal

from service.llm._clients import Clients, address_of
from service.llm._endpoint import Endpoint, Meter, Patience
from service.llm._limiter import Limiter, Roof

Caller = Literal["assistants", "judge", "embedder"]


class Endpoints:
    """Hands out endpoints; the same address, key and caller get the same one, and so share its limiter.

    Judge and assistants of one address and key have room for `together` calls, if that is not 0; the judge goes first.
    """

    def __init__(
        self,
        *,
        timeout_s: float = 120.0,
        retry_budget_s: float = 300.0,
        reply_tokens: int = 4096,
        meter: Meter | None = None,
        together: int = 0,
    ) -> None:
        self._patience = Patience(timeout_s=timeout_s, retry_budget_s=retry_budget_s, reply_tokens=reply_tokens)
        self._meter = meter
        self._clients: dict[tuple[str, str | None], Clients] = {}
        self._open: dict[tuple[str, str | None, Caller], Endpoint] = {}
        self._roofs: dict[tuple[str, str | None], Roof] = {}
        self._together = together or None

    def open(self, base_url: str | None, api_key_env: str | None, *, caller: Caller, concurrency: int = 16) -> Endpoint:
        """Return an endpoint; `concurrency` calls may be under way (the widest asked for counts).

        `base_url` None means OPENAI_BASE_URL, else OpenAI; `api_key_env` None or "" an endpoint that needs no key.
        Raise `KeyMissing` when the variable is not set.
        """
        place = address_of(base_url), api_key_env or None
        if place not in self._clients:
            self._clients[place] = Clients(*place)
        key = (*place, caller)
        if key not in self._open:
            self._open[key] = Endpoint(
                self._clients[place],
                self._limiter(place, caller, concurrency),
                self._patience,
                caller=caller,
                meter=self._meter,
            )
        self._open[key].limiter.widen(concurrency)
        return self._open[key]

    def opened(self) -> list[Endpoint]:
        """Return the endpoints opened so far."""
        return list(self._open.values())

    def _limiter(self, place: tuple[str, str | None], caller: Caller, most: int) -> Limiter:
        if caller == "embedder":  # its calls are short, and what is asked or judged often waits for them
            return Limiter(most)
        return Limiter(most, self._roofs.setdefault(place, Roof(self._together)), first=caller == "judge")

    def lane(self, caller: Caller) -> "Lane":
        """Return the endpoints as one kind of caller opens them."""
        return Lane(self, caller)

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        for clients in self._clients.values():
            await clients.aclose()


@dataclass(frozen=True)
class Lane:
    """Endpoints for one kind of caller; what a kit lends to assistants."""

    endpoints: Endpoints
    caller: Caller

    def open(self, base_url: str | None, api_key_env: str | None, *, concurrency: int) -> Endpoint:
        """Return an endpoint of this lane."""
        return self.endpoints.open(base_url, api_key_env, caller=self.caller, concurrency=concurrency)
