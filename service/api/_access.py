"""Who may come in: the token, the name the service is addressed by, and the site a request comes from."""

import hmac
import ipaddress
from collections.abc import Mapping
from hashlib import sha256
from urllib.parse import quote, urlsplit

from service.errors import HostRefused, OriginRefused, ServiceError, TokenMissing, TokenRequired
from service.settings import Settings

COOKIE = "flagbook_login"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
METRICS = "/metrics"
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/login"})


def check_start(settings: Settings) -> None:
    """Raise `TokenRequired` when the service would be reachable from other machines without a token."""
    if not is_loopback(settings.host) and token_of(settings) is None:
        raise TokenRequired(host=settings.host or "every address")


def check_metrics(settings: Settings) -> None:
    """Raise `TokenRequired` when a worker's figures could be seen from other machines without a token."""
    if not settings.metrics_token:
        check_start(settings)


def login_path(settings: Settings) -> str:
    """Return the path a person opens first: with a token, the link that logs the browser in."""
    token = token_of(settings)
    return "/" if token is None else f"/login?token={quote(token, safe='')}"


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach `host`."""
    if host.lower() in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def token_of(settings: Settings) -> str | None:
    """Return the token; an empty one is none."""
    return (settings.token.get_secret_value().strip() or None) if settings.token else None


def same_token(settings: Settings, given: str) -> bool:
    """Compare in constant time, so that the time taken says nothing about the token."""
    token = token_of(settings)
    return token is not None and hmac.compare_digest(given.encode(), token.encode())


def cookie_value(token: str) -> str:
    """Return what the browser keeps instead of the token itself; it proves the login and cannot be turned back."""
    return hmac.new(token.encode(), b"flagbook login cookie", sha256).hexdigest()


def find_refusal(
    settings: Settings, method: str, path: str, headers: Mapping[str, str], cookies: Mapping[str, str]
) -> ServiceError | None:
    """Return why a request is not let in, or None; `headers` are looked up by lower-case name."""
    host = headers.get("host", "")
    if not _is_our_name(settings, host):
        return HostRefused(host=host)
    if method not in SAFE_METHODS and (origin := _foreign_origin(settings, host, headers)):
        return OriginRefused(origin=origin)
    if path in OPEN_PATHS or path.startswith("/static/"):
        return None
    if path == METRICS and settings.metrics_token:
        allowed = _carries_metrics_token(settings, headers) or _carries_service_token(settings, headers, cookies)
    else:
        allowed = _carries_token(settings, headers, cookies)
    return None if allowed else TokenMissing()


def _is_our_name(settings: Settings, host: str) -> bool:
    """Refuse names an attacker can point at this machine (DNS rebinding).

    A bare address cannot be rebound, so a service on the network answers to its addresses without further settings.
    """
    name = _hostname(host)
    if name in LOOPBACK_NAMES or name in _own_names(settings):
        return True
    return not is_loopback(settings.host) and _is_address(name)


def _own_names(settings: Settings) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in (settings.host, *settings.allowed_hosts) if name.strip())


def _foreign_origin(settings: Settings, host: str, headers: Mapping[str, str]) -> str:
    """Return the site a browser says the request comes from, unless it is our own; programs send neither header."""
    origin = headers.get("origin")
    if origin is not None and not _same_site(settings, host, origin):
        return origin or "unknown"
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        return origin or "another site"
    return ""


def _same_site(settings: Settings, host: str, origin: str) -> bool:
    """Compare host and port; behind a proxy that rewrites Host, the declared names count as well."""
    place = origin.lower().partition("://")[2]
    declared = {name.strip().lower() for name in settings.allowed_hosts}
    return place == host.lower() or _hostname(place) in declared


def _carries_token(settings: Settings, headers: Mapping[str, str], cookies: Mapping[str, str]) -> bool:
    return token_of(settings) is None or _carries_service_token(settings, headers, cookies)


def _carries_service_token(settings: Settings, headers: Mapping[str, str], cookies: Mapping[str, str]) -> bool:
    token = token_of(settings)
    if token is None:
        return False
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and same_token(settings, given.strip()):
        return True
    return hmac.compare_digest(cookies.get(COOKIE, "").encode(), cookie_value(token).encode())


def _carries_metrics_token(settings: Settings, headers: Mapping[str, str]) -> bool:
    """Say whether a request may see the figures alone; without that token nothing is opened by it."""
    token = settings.metrics_token.get_secret_value().strip() if settings.metrics_token else ""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return bool(token) and scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
