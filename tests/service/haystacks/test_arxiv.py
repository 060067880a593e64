"""Abstracts are taken in the order of their dates."""

import pytest
from aiohttp import web

from service.errors import HaystackEmpty, HaystackNotFetched
from service.haystacks import Arxiv, Web

HELD = 130


def feed(query):
    """A page of an archive that holds 130 papers."""
    start, most = int(query["start"]), int(query["max_results"])
    papers = range(start, min(start + most, HELD))
    entry = (
        "<entry><id>http://arxiv.example/{0}</id><title>On\n  {0}</title><summary> We study {0}.\n</summary></entry>"
    )
    entries = "".join(entry.format(number) for number in papers)
    return web.Response(text=f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>')


def source(stub, tmp_path, count):
    """The stand-in's archive."""
    return Arxiv(web=Web(folder=tmp_path, pause_s=0), url=stub.url.format(language="en"), count=count)


async def test_titles_and_abstracts_become_paragraphs_in_order(stub, tmp_path):
    """As many as asked for, over pages, each paper named."""
    stub.reply = feed
    found = await source(stub, tmp_path, 105).gather()
    assert found.text.startswith("On 0\n\nWe study 0.\n\nOn 1\n\nWe study 1.")
    assert len(found.about["papers"]) == 105
    assert found.about["papers"][104] == "http://arxiv.example/104"
    assert [query["start"] for query in stub.asked] == ["0", "100"]


async def test_an_archive_that_holds_too_few_is_an_error(stub, tmp_path):
    """Nothing is repeated to fill up."""
    stub.reply = feed
    with pytest.raises(HaystackEmpty, match="only 130 of 500"):
        await source(stub, tmp_path, 500).gather()


@pytest.mark.parametrize(
    "text", ["sorry", '<!DOCTYPE x [<!ENTITY a "b">]><feed xmlns="http://www.w3.org/2005/Atom">&a;</feed>']
)
async def test_what_is_no_feed_is_refused(stub, tmp_path, text):
    """Neither text nor entities are read."""
    stub.reply = lambda query: web.Response(text=text)
    with pytest.raises(HaystackNotFetched, match="not an Atom feed"):
        await source(stub, tmp_path, 1).gather()
