"""Middleware for all requests: rate limit, origin check, security headers, errors.

- Requests are limited per address: a burst, then a rate.
- Requests that change state are accepted from programs and from this server's page, not from pages of other sites.
- Responses may not be framed or sniffed, and send no referrer, unless a handler sets another header (`/embed`). The
  web page may load only its own files and connect only to this server. There are no CORS headers, so pages of other
  sites can read nothing, unless their name points to this machine: then they can read public data.
- An exception becomes a 500 response and a log line.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boardwire.api.endpoint import problem_response
from boardwire.api.problem import Problem, over_rate, problem_of
from boardwire.api.rate_limit import TokenBuckets
from boardwire.errors import BoardwireError
from boardwire.logs import peer_throttle
from boardwire.net.client_address import address_key
from boardwire.net.origins import Site
from boardwire.wire.text import decode_header

log = structlog.get_logger("boardwire.api")

REQUEST_BURST: Final = 400
"""Requests that an address may make at once."""
REQUESTS_PER_SECOND: Final = 50.0
"""Requests that an address may make a second, after that."""

REQUEST_COSTS: Final = {"/metrics": 10.0}
"""Cost of a request by path, in requests: collecting the metrics takes 5 ms of the event loop."""

SAFE: Final = ("GET", "HEAD", "OPTIONS")
"""Methods that change no state."""

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "manifest-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
EMBED_POLICY: Final = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
    "base-uri 'none'", "base-uri 'self'"
)
"""Policy of the replay that other sites may frame: it shows public data, has no token and changes nothing. Its path is
one level deeper than the paths of its files, so it needs a base element."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """The guarded application.

    `served` counts responses by status; `site` has the names of this server. Unless `limited`, there is no rate limit.
    """

    def __init__(self, app: ASGIApp, served: Counter[int], *, limited: bool = True, site: Site | None = None) -> None:
        self._app = app
        self._served = served
        self._site = site or Site()
        self._allowances = TokenBuckets(REQUEST_BURST, REQUESTS_PER_SECOND) if limited else None
        self._peer_log = peer_throttle()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def send_guarded(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                self._served[message["status"]] += 1
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._check_request(scope)
            await self._app(scope, receive, send_guarded)
        except Problem as problem:
            await problem_response(problem, scope["path"])(scope, receive, send_guarded)
        except BoardwireError as error:
            await problem_response(problem_of(error), scope["path"])(scope, receive, send_guarded)
        except ClientDisconnect:
            log.debug("a client disconnected before its request was complete", path=scope["path"])
        except Exception:
            log.exception("exception in a request", method=scope["method"], path=scope["path"])
            if has_started:  # too late for an error response
                raise
            fault = Problem(500, "internal server error; see the server's log")
            await problem_response(fault, scope["path"])(scope, receive, send_guarded)

    def _check_request(self, scope: Scope) -> None:
        """Raise `Problem` for a request beyond the rate limit, or a change from a page of another site."""
        request = Request(scope)
        address = request.client
        if (
            self._allowances is not None
            and address is not None
            and not self._allowances.take(address_key(address.host), REQUEST_COSTS.get(scope["path"], 1.0))
        ):
            raise over_rate("requests", self._allowances.limit, 1)
        origins, host = request.headers.getlist("origin"), request.headers.get("host", "")
        if request.method not in SAFE and not self._site.admits(origins, host):
            self._warn_foreign(address.host if address is not None else "", ", ".join(origins), host)
            raise Problem(403, "the request is from a page of another site; if the name is this server's, start the "
                          "server with it as --public-host")  # fmt: skip

    def _warn_foreign(self, peer: str, origin: str, host: str) -> None:
        """Log a request from a foreign page, within the log limit of its address."""
        if (suppressed := self._peer_log.admit(address_key(peer))) is not None:
            log.warning(
                "refused a state-changing request from a page of another site",
                peer=peer, origin=decode_header(origin), host=decode_header(host), suppressed=suppressed,
            )  # fmt: skip
