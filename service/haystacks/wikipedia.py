"""Wikipedia articles as a haystack, drawn by a seed through the public API."""

import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.errors import HaystackEmpty, HaystackNotFetched
from service.haystacks._gathered import Gathered, joined
from service.haystacks._web import Web

_HIGHEST_ID = 1_000_000
"""Page ids are drawn up to here: every larger Wikipedia has given them out, and the oldest articles are the longest."""
_LANGUAGE = re.compile(r"[a-z]{2,12}(-[a-z]{2,12})*")
_AT_ONCE = 50
_MOST_DRAWS = 200
_SHORTEST = 4_000
"""Bytes of an article's source; shorter ones are stubs."""
_API: dict[str, str | int] = {"action": "query", "format": "json", "formatversion": 2}


@dataclass(frozen=True, kw_only=True)
class Wikipedia:
    """`count` articles of a language, drawn by `seed`; the same seed finds the same articles.

    `url` is the API with `{language}` in it. What was found is named with its revision in `about`.
    """

    web: Web
    url: str
    language: str = "en"
    seed: int = 0
    count: int = 20

    async def gather(self) -> Gathered:
        """Return the articles as plain text; raise `HaystackNotFetched` or `HaystackEmpty`."""
        if not _LANGUAGE.fullmatch(self.language):
            raise HaystackEmpty(problem=f"“{self.language}” is no language code such as en or de")
        url = self.url.format(language=self.language)
        articles: list[dict[str, Any]] = []
        draw = random.Random(f"wikipedia {self.seed}")  # noqa: S311 - a sample, no secret
        for _ in range(_MOST_DRAWS):
            if len(articles) >= self.count:
                break
            ids = draw.sample(range(1, _HIGHEST_ID), _AT_ONCE)
            for page in await self._worthwhile(url, ids):
                if len(articles) < self.count and (text := await self._text(url, page["pageid"])):
                    articles.append({**page, "text": text})
        if len(articles) < self.count:
            raise HaystackEmpty(problem=f"only {len(articles)} of {self.count} articles were found at {url}")
        named = [{"title": page["title"], "pageid": page["pageid"], "revision": page["lastrevid"]} for page in articles]
        return Gathered(
            text=joined(f"{page['title']}\n\n{page['text']}" for page in articles),
            about={"source": "wikipedia", "language": self.language, "seed": self.seed, "articles": named},
        )

    async def _worthwhile(self, url: str, ids: list[int]) -> list[dict[str, Any]]:
        reply = await self._ask(url, {"prop": "info", "pageids": "|".join(map(str, ids))})
        found = [page for page in reply.get("pages", []) if _is_article(page)]
        return sorted(found, key=lambda page: ids.index(page["pageid"]))

    async def _text(self, url: str, pageid: int) -> str:
        wanted: dict[str, str | int] = {
            "prop": "extracts",
            "explaintext": 1,
            "exsectionformat": "plain",
            "pageids": pageid,
        }
        reply = await self._ask(url, wanted)
        pages: list[dict[str, Any]] = reply.get("pages", [])
        lines = pages[0].get("extract", "").splitlines() if pages else []
        return "\n\n".join(line for line in lines if line.strip())

    async def _ask(self, url: str, wanted: Mapping[str, str | int]) -> dict[str, Any]:
        params = {**_API, **wanted}
        try:
            reply = json.loads(await self.web.get(url, params))
            query: dict[str, Any] = reply["query"]
        except (ValueError, KeyError, TypeError) as error:
            self.web.forget(url, params)
            raise HaystackNotFetched(url=url, problem="the reply is not one of Wikipedia's API") from error
        return query


def _is_article(page: Mapping[str, Any]) -> bool:
    stays = not page.get("missing") and not page.get("redirect") and page.get("ns") == 0
    return stays and page.get("length", 0) >= _SHORTEST
