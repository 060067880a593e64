"""Documents of cells: built in threads, so few at a time that they fit into memory, and never stored."""

import asyncio
import hashlib
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from flags.niah import SYNTHETIC, Corpora, NiahError, Spec, Trial, discover_tasks, make, overhead, prompt
from service.errors import NiahCorpusChanged, niah_problem
from service.store import Store

OPEN_TOKENS = 4_000_000
"""So many tokens of documents may be open at the same time: some 25 bytes each in prompt, request and copies."""
_AT_ONCE = 2
_KEPT = 2


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A cell ready to be asked: its trial, the message to send, its tokens, and the hash of the message."""

    trial: Trial
    prompt: str
    tokens: int
    sha256: str


class Room:
    """Lets documents in as long as their tokens together stay below a limit, in the order they came.

    A document longer than the limit is let in alone.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def hold(self, tokens: int) -> AsyncIterator[None]:
        """Wait for room and keep it."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((tokens, turn))
        self._let_in()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._open -= tokens
            self._let_in()

    def _let_in(self) -> None:
        while self._waiting:
            tokens, turn = self._waiting[0]
            if not turn.done():
                if self._open and self._open + tokens > self._limit:
                    return
                self._open += tokens
                turn.set_result(None)
            self._waiting.popleft()


class Builder:
    """Builds the documents of a process; corpora are read from the store when a cell first names them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._reading = asyncio.Lock()
        self._corpora: OrderedDict[tuple[str, str], Corpora] = OrderedDict()
        self.room = Room(OPEN_TOKENS)

    async def build(self, spec: Spec, company: str, hashes: dict[str, str]) -> Asked:
        """Return a cell ready to be asked; `hashes` say which text each corpus was when the run began.

        Raise `NiahProblem` for a document that cannot be built.
        """
        corpora = await self._opened(spec, company, hashes)
        async with self._turns:
            try:
                return await asyncio.to_thread(_built, spec, corpora)
            except NiahError as error:
                raise niah_problem(error) from None

    async def _opened(self, spec: Spec, company: str, hashes: dict[str, str]) -> Corpora:
        name = spec.haystack if discover_tasks()[spec.task].has_filler else SYNTHETIC
        async with self._reading:
            key = (company, hashes.get(name, "") if name != SYNTHETIC else "")
            found = self._corpora.pop(key, None) or await self._read(company, name, hashes)
            self._corpora[key] = found
            while len(self._corpora) > _KEPT:
                self._corpora.popitem(last=False)
        return found

    async def _read(self, company: str, name: str, hashes: dict[str, str]) -> Corpora:
        from service.llm import open_tokenizer

        tokenizer = await asyncio.to_thread(open_tokenizer)
        if name == SYNTHETIC:
            return Corpora(tokenizer)
        known = await self._store.corpora.get(company, name)
        text = await self._store.corpora.text(company, name) if known else None
        if known is None or text is None or known.sha256 != hashes.get(name):
            raise NiahCorpusChanged(name=name)
        return Corpora(tokenizer, {name: text})


def _built(spec: Spec, corpora: Corpora) -> Asked:
    trial = make(spec, corpora)
    message = prompt(trial)
    tokens = trial.tokens + overhead(trial, corpora)
    return Asked(trial=trial, prompt=message, tokens=tokens, sha256=hashlib.sha256(message.encode()).hexdigest())


def without_document(asked: Asked) -> Trial:
    """Return the trial as scorers need it."""
    return replace(asked.trial, document="")
