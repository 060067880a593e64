"""Who may come in."""

import pytest

from service.api import check_start, login_path
from service.errors import TokenRequired
from service.settings import Settings

TOKEN = "a-long-random-text"
CROSS_SITE = [
    {"origin": "http://evil.example"},
    {"origin": "http://localhost:9999"},
    {"origin": "null"},
    {"origin": ""},
    {"origin": "http://["},
    {"origin": "localhost:8300"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "http://evil.example", "sec-fetch-site": "same-origin"},
]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "flagbook.bank.example", ""])
def test_the_service_does_not_start_for_others_without_a_token(host):
    """Any address but loopback needs FLAGBOOK_TOKEN; an empty one is none."""
    with pytest.raises(TokenRequired, match="FLAGBOOK_TOKEN"):
        check_start(Settings(host=host))
    with pytest.raises(TokenRequired):
        check_start(Settings(host=host, token=""))
    check_start(Settings(host=host, token=TOKEN))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.53"])
def test_this_machine_alone_needs_no_token(host):
    """Loopback starts as it is."""
    check_start(Settings(host=host))
    assert login_path(Settings(host=host)) == "/"


@pytest.mark.parametrize("host", ["localhost:8300", "127.0.0.1", "[::1]:8300", "LOCALHOST"])
def test_the_names_of_this_machine_are_answered(client, host):
    """Every spelling of loopback, with or without a port."""
    assert client.get("/api/v1/runs", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8300", "10.0.0.1", "", "[", "a@evil.example"])
@pytest.mark.parametrize("path", ["/api/v1/runs", "/healthz", "/"])
def test_other_names_are_refused(client, host, path):
    """A name that somebody points at this machine (DNS rebinding) gets nothing."""
    reply = client.get(path, headers={"host": host})
    assert (reply.status_code, reply.json()["code"]) == (403, "host_refused")


@pytest.mark.parametrize(("host", "status"), [("flagbook.bank.example", 200), ("evil.example", 403)])
def test_further_names_can_be_declared(connect, host, status):
    """FLAGBOOK_ALLOWED_HOSTS adds names."""
    client = connect(allowed_hosts=("Flagbook.bank.example",))
    assert client.get("/api/v1/runs", headers={"host": host}).status_code == status


def test_a_service_on_the_network_answers_to_its_addresses(connect):
    """A bare address cannot be rebound, a name can."""
    client = connect(host="0.0.0.0", token=TOKEN)
    auth = {"authorization": f"Bearer {TOKEN}"}
    assert client.get("/api/v1/runs", headers={"host": "10.1.2.3:8300", **auth}).status_code == 200
    assert client.get("/api/v1/runs", headers={"host": "evil.example", **auth}).status_code == 403


@pytest.mark.parametrize("headers", CROSS_SITE)
def test_other_sites_cannot_post(client, runs, headers):
    """A form or script on another page changes nothing."""
    reply = client.post("/api/v1/runs", files={"file": ("b.xlsx", b"PK")}, headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (403, "origin_refused")
    assert client.delete("/api/v1/runs/r1", headers=headers).status_code == 403
    assert runs.asked == []
    assert "r1" in runs.known


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://localhost:8300", "sec-fetch-site": "same-origin"},
        {"origin": "http://LOCALHOST:8300"},
        {"sec-fetch-site": "none"},
    ],
)
def test_our_own_page_and_programs_can_post(client, headers):
    """The page says it is the same site; programs say nothing."""
    assert client.post("/api/v1/runs/r1/cancel", headers=headers).status_code == 200


def test_a_proxy_may_rewrite_the_host(connect):
    """Behind a proxy the browser's origin is a declared name."""
    client = connect(allowed_hosts=("flagbook.bank.example",))
    own = {"origin": "https://flagbook.bank.example"}
    assert client.post("/api/v1/runs/r1/cancel", headers=own).status_code == 200


@pytest.mark.parametrize("headers", CROSS_SITE)
def test_reading_is_not_posting(client, headers):
    """A link on another page may be followed."""
    assert client.get("/api/v1/runs", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": "Bearer ü".encode()},
        {"cookie": f"flagbook_login={TOKEN}"},
    ],
)
def test_a_token_that_is_set_is_asked_for(connect, headers):
    """Nothing is shown without it, and a wrong one is no help."""
    client = connect(token=TOKEN)
    for path in ("/api/v1/runs", "/api/v1/openapi.json", "/api/v1/nowhere"):
        reply = client.get(path, headers=headers)
        assert (reply.status_code, reply.json()["code"]) == (401, "token_missing")
        assert reply.headers["www-authenticate"].startswith("Bearer")


def test_the_token_opens_the_service(connect):
    """As a bearer token, in any case of the word."""
    client = connect(token=TOKEN)
    for scheme in ("Bearer", "bearer"):
        assert client.get("/api/v1/runs", headers={"authorization": f"{scheme} {TOKEN}"}).status_code == 200


def test_the_sign_of_life_needs_no_token(connect):
    """A watchdog asks without one."""
    reply = connect(token=TOKEN).get("/healthz")
    assert (reply.status_code, reply.json()["status"]) == (200, "ok")


def test_the_login_link_sets_a_cookie_and_goes_to_the_page(connect):
    """The cookie opens the service, cannot be read by scripts, is not sent by other sites and is not the token."""
    settings = Settings(token=TOKEN)
    client = connect(token=TOKEN)
    reply = client.get(login_path(settings), follow_redirects=False)
    cookie = reply.headers["set-cookie"]
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert client.get("/api/v1/runs").status_code == 200


def test_the_login_form_does_the_same(connect):
    """The form keeps the token out of the address."""
    client = connect(token=TOKEN)
    assert client.post("/login", data={"token": f" {TOKEN} "}, follow_redirects=False).status_code == 303
    assert client.get("/api/v1/runs").status_code == 200


def test_a_login_link_in_a_mail_goes_on_by_itself(connect):
    """A redirect that began on another site would lose the strict cookie; a page of ours does not."""
    reply = connect(token=TOKEN).get(f"/login?token={TOKEN}", headers={"sec-fetch-site": "cross-site"})
    assert reply.status_code == 200
    assert 'content="0; url=/"' in reply.text


def test_a_wrong_login_is_refused(connect):
    """No cookie, and the reason."""
    reply = connect(token=TOKEN).get("/login?token=guess")
    assert reply.status_code == 401
    assert "set-cookie" not in reply.headers


def test_a_token_with_any_characters_survives_the_link(connect):
    """What a person thinks up is quoted in the link."""
    token = "a&b=c #%ü"
    client = connect(token=token)
    assert client.get(login_path(Settings(token=token)), follow_redirects=False).status_code == 303


def test_without_a_token_logging_in_just_goes_on(client):
    """An old link does no harm."""
    reply = client.get("/login?token=old", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
