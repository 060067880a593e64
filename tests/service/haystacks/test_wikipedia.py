"""Articles are drawn by a seed, fetched once, and named with their revision."""

import pytest
from aiohttp import web

from service.errors import HaystackEmpty, HaystackNotFetched
from service.haystacks import Web, Wikipedia


def wiki(query):
    """A Wikipedia where every third page is an article, others are redirects, stubs, or missing."""
    ids = [int(each) for each in query["pageids"].split("|")]
    if query["prop"] == "extracts":
        text = f"Article {ids[0]} begins.\nIt goes on   here.\n\n\n\nHistory\nLong ago."
        return web.json_response({"query": {"pages": [{"pageid": ids[0], "extract": text}]}})
    pages = [page(each) for each in ids]
    return web.json_response({"query": {"pages": pages}})


def page(pageid):
    """What the API says of a page."""
    told = {"pageid": pageid, "ns": 0, "title": f"Title {pageid}", "lastrevid": pageid + 1, "length": 9000}
    if pageid % 3 == 0:
        return told
    others = ({"redirect": True}, {"length": 10}, {"ns": 1}, {"missing": True})
    return {**told, **others[pageid % 4]}


def source(stub, tmp_path, **more):
    """Three articles of the stand-in."""
    return Wikipedia(web=Web(folder=tmp_path / "fetched", pause_s=0), url=stub.url, count=3, **more)


async def test_the_same_seed_finds_the_same_articles(stub, tmp_path):
    """Only articles of some length count; each is named with its revision, and its paragraphs are kept apart."""
    stub.reply = wiki
    first = await source(stub, tmp_path / "a", seed=7).gather()
    again = await source(stub, tmp_path / "b", seed=7).gather()
    other = await source(stub, tmp_path / "c", seed=8).gather()
    assert first == again
    assert first.text != other.text
    articles = first.about["articles"]
    assert [each["pageid"] % 3 for each in articles] == [0, 0, 0]
    assert articles[0] == {
        "title": f"Title {articles[0]['pageid']}",
        "pageid": articles[0]["pageid"],
        "revision": articles[0]["pageid"] + 1,
    }
    begins = (
        f"Title {articles[0]['pageid']}\n\nArticle {articles[0]['pageid']} begins.\n\nIt goes on here.\n\nHistory\n\n"
    )
    assert first.text.startswith(begins)


async def test_what_was_fetched_is_not_asked_for_again(stub, tmp_path):
    """A second gathering reads the replies from disk; one that was damaged there is asked for again."""
    stub.reply = wiki
    first = await source(stub, tmp_path).gather()
    asked = len(stub.asked)
    assert await source(stub, tmp_path).gather() == first
    assert len(stub.asked) == asked
    damaged = min((tmp_path / "fetched").iterdir())
    damaged.write_bytes(damaged.read_bytes()[:-5])
    assert await source(stub, tmp_path).gather() == first
    assert len(stub.asked) == asked + 1


async def test_a_language_is_part_of_the_address_and_nothing_else_is(stub, tmp_path):
    """`de` asks the German Wikipedia; what is no language code is refused before anything is asked."""
    stub.reply = wiki
    found = await source(stub, tmp_path, language="de").gather()
    assert found.about["language"] == "de"
    with pytest.raises(HaystackEmpty, match="no language code"):
        await source(stub, tmp_path, language="evil.example/#").gather()


async def test_too_few_articles_are_an_error_not_a_short_haystack(stub, tmp_path, monkeypatch):
    """Where a Wikipedia has nothing under the drawn ids, that is said with the numbers."""
    monkeypatch.setattr("service.haystacks.wikipedia._MOST_DRAWS", 2)
    stub.reply = lambda query: web.json_response({"query": {"pages": []}})
    with pytest.raises(HaystackEmpty, match="only 0 of 3 articles"):
        await source(stub, tmp_path).gather()


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (lambda query: web.Response(status=403), "status 403"),
        (lambda query: web.Response(text="<html>Sign in to the proxy</html>"), "not one of Wikipedia's API"),
        (lambda query: web.json_response({"error": {"code": "maxlag"}}), "not one of Wikipedia's API"),
        (lambda query: web.Response(status=503, headers={"Retry-After": "0"}), "status 503"),
    ],
)
async def test_a_reply_that_is_none_is_named(stub, tmp_path, reply, problem):
    """The address and the cause are told, and a bad reply is not kept."""
    stub.reply = reply
    with pytest.raises(HaystackNotFetched, match=problem):
        await source(stub, tmp_path).gather()
    stub.reply = wiki
    assert (await source(stub, tmp_path).gather()).text


async def test_a_busy_server_is_asked_again(stub, tmp_path):
    """A 429 and a broken connection pass."""
    replies = [web.Response(status=429, headers={"Retry-After": "0"}), web.Response(status=502)]
    stub.reply = lambda query: replies.pop() if replies else wiki(query)
    assert (await source(stub, tmp_path).gather()).text


async def test_a_closed_door_is_an_error_with_the_address(tmp_path):
    """Inside a closed network nothing answers; the sentence says what to do instead."""
    closed = Wikipedia(web=Web(folder=tmp_path, pause_s=0), url="http://127.0.0.1:9/{language}/api")
    with pytest.raises(HaystackNotFetched, match=r"127\.0\.0\.1:9/en/api .*niah corpus add"):
        await closed.gather()


async def test_a_reply_without_end_is_cut_off(stub, tmp_path, monkeypatch):
    """A reply larger than the limit is not read to its end."""
    monkeypatch.setattr("service.haystacks._web._LARGEST", 1000)
    stub.reply = lambda query: web.Response(text="x" * 5000)
    with pytest.raises(HaystackNotFetched, match="larger than"):
        await source(stub, tmp_path).gather()
