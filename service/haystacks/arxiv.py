"""Abstracts from arXiv as a haystack, through its public API."""

from dataclasses import dataclass
from typing import Any

from service.errors import HaystackEmpty, HaystackNotFetched
from service.haystacks._gathered import Gathered, joined
from service.haystacks._web import Web

_ATOM = {"a": "http://www.w3.org/2005/Atom"}
_QUERY = "cat:cs.CL OR cat:cs.LG"
_AT_ONCE = 100
PAUSE_S = 3.0
"""What arXiv asks for between two calls, in seconds."""


@dataclass(frozen=True, kw_only=True)
class Arxiv:
    """The first `count` abstracts on language and learning by date, so that the same count finds the same ones."""

    web: Web
    url: str
    count: int = 20

    async def gather(self) -> Gathered:
        """Return titles and abstracts; raise `HaystackNotFetched` or `HaystackEmpty`."""
        papers: list[dict[str, str]] = []
        while len(papers) < self.count:
            found = await self._page(len(papers))
            papers += found
            if not found:
                raise HaystackEmpty(problem=f"only {len(papers)} of {self.count} abstracts were found at {self.url}")
        papers = papers[: self.count]
        return Gathered(
            text=joined(f"{paper['title']}\n\n{paper['summary']}" for paper in papers),
            about={"source": "arxiv", "query": _QUERY, "papers": [paper["id"] for paper in papers]},
        )

    async def _page(self, start: int) -> list[dict[str, str]]:
        from defusedxml import DefusedXmlException
        from defusedxml.ElementTree import ParseError, fromstring

        wanted: dict[str, str | int] = {
            "search_query": _QUERY,
            "sortBy": "submittedDate",
            "sortOrder": "ascending",
            "start": start,
            "max_results": _AT_ONCE,
        }
        try:
            feed = fromstring(await self.web.get(self.url, wanted))
        except (ParseError, DefusedXmlException) as error:
            self.web.forget(self.url, wanted)
            raise HaystackNotFetched(url=self.url, problem="the reply is not an Atom feed") from error
        return [_paper(entry) for entry in feed.findall("a:entry", _ATOM)]


def _paper(entry: Any) -> dict[str, str]:
    parts = {name: entry.findtext(f"a:{name}", "", _ATOM) for name in ("id", "title", "summary")}
    return {name: " ".join(text.split()) for name, text in parts.items()}
