"""What went wrong with a request, as RFC 9457 tells it (application/problem+json).

`type` is a name of ours that a program can compare; `title` is the words that HTTP itself has for the status
(RFC 9110, 15; RFC 6585 for 429); `detail` says what was wrong with this request, and what would be right; `code` is the
reason that the native dialect would give for it, where there is one.
"""

from __future__ import annotations

from typing import Final

import msgspec

from boardwire.errors import Reason

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
"""Every status an error can have, with its type's name and its title.  The standard library's words are not the same in
every Python."""


USUAL: Final = {
    400: Reason.MALFORMED,
    422: Reason.MALFORMED,
    429: Reason.LIMIT,
    500: Reason.FAULT,
    503: Reason.UNAVAILABLE,
}
"""The reason of a status where no other is given."""


class ProblemInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error.  `instance` is the path that was asked for."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Reason | None = None


class Problem(Exception):
    """A request that is answered with an error."""

    def __init__(
        self, status: int, detail: str, headers: dict[str, str] | None = None, reason: Reason | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}
        self.reason = reason or USUAL.get(status)

    def info(self, path: str) -> ProblemInfo:
        """The error as it is sent."""
        name, title = TITLES[self.status]
        return ProblemInfo(
            type=f"urn:boardwire:problem:{name}",
            title=title,
            status=self.status,
            detail=self.detail,
            instance=path,
            code=self.reason,
        )
