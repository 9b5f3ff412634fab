"""Problem details for HTTP errors (RFC 9457, application/problem+json).

`type` identifies the problem for programs; `title` is the HTTP reason phrase (RFC 9110, 15; RFC 6585 for 429); `detail`
explains this occurrence; `code` is the error code of the native dialect, if there is one.
"""

from __future__ import annotations

from typing import Final

import msgspec

from boardwire.errors import BoardwireError, Illegal, Malformed, Reason, Unavailable

MEDIA: Final = "application/problem+json"

TITLES: Final = {
    400: ("bad-request", "Bad Request"),
    401: ("unauthorized", "Unauthorized"),
    403: ("forbidden", "Forbidden"),
    404: ("not-found", "Not Found"),
    405: ("method-not-allowed", "Method Not Allowed"),
    408: ("request-timeout", "Request Timeout"),
    409: ("conflict", "Conflict"),
    413: ("too-large", "Content Too Large"),
    415: ("unsupported-media-type", "Unsupported Media Type"),
    422: ("invalid", "Unprocessable Content"),
    429: ("too-many-requests", "Too Many Requests"),
    500: ("fault", "Internal Server Error"),
    503: ("unavailable", "Service Unavailable"),
}
"""Error statuses with problem type and title. The phrases of `http.HTTPStatus` differ between Python versions."""


DEFAULT_REASONS: Final = {
    400: Reason.MALFORMED,
    422: Reason.MALFORMED,
    429: Reason.LIMIT,
    500: Reason.FAULT,
    503: Reason.UNAVAILABLE,
}
"""Default reason by status."""


class ProblemInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error. `instance` is the requested path."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Reason | None = None


STATUSES: Final = {Reason.BAD_TOKEN: 401, Reason.LIMIT: 429, Reason.NO_SUCH_MATCH: 404, Reason.NO_SUCH_PLAYER: 404}
"""Status of a refusal by its reason; 409 for all others."""


def problem_of(error: BoardwireError) -> Problem:
    """Return the error response for a `BoardwireError`."""
    if isinstance(error, Malformed | Illegal):
        return Problem(422, str(error), reason=error.reason)
    if isinstance(error, Unavailable):
        return Problem(503, str(error), {"Retry-After": "1"}, error.reason)
    status = STATUSES.get(error.reason, 409)
    headers = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "60"}}.get(status)
    return Problem(status, str(error), headers, error.reason)


def over_rate(requests: str, limit: str, seconds: float) -> Problem:
    """Return the error response for an address over the rate limit of these requests."""
    return Problem(429, f"too many {requests} from your address: {limit}", {"Retry-After": f"{seconds:.0f}"})


class Problem(Exception):
    """An error response, raised by handlers."""

    def __init__(
        self, status: int, detail: str, headers: dict[str, str] | None = None, reason: Reason | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}
        self.reason = reason or DEFAULT_REASONS.get(status)

    def info(self, path: str) -> ProblemInfo:
        """Return the error as a response body."""
        name, title = TITLES[self.status]
        return ProblemInfo(
            type=f"urn:boardwire:problem:{name}",
            title=title,
            status=self.status,
            detail=self.detail,
            instance=path,
            code=self.reason,
        )
