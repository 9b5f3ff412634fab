"""What went wrong with a request, as RFC 9457 tells it (application/problem+json).

`type` is a name of ours that a program can compare; `title` is the same for every problem of a type; `detail` is a
sentence about this one.
"""

from __future__ import annotations

from typing import Final

import msgspec

MEDIA: Final = "application/problem+json"

TITLES: Final = {
    400: ("bad-request", "The request cannot be read"),
    403: ("forbidden", "You may not do that"),
    404: ("not-found", "There is no such thing"),
    405: ("method-not-allowed", "That cannot be done with it"),
    408: ("request-timeout", "The request took too long to come"),
    409: ("conflict", "Not as it stands now"),
    413: ("too-large", "The request is too large"),
    415: ("unsupported-media-type", "That is not a kind of file we can read"),
    422: ("invalid", "The request says something that cannot be"),
    429: ("too-many-requests", "Too many requests from your address"),
    500: ("fault", "The server made a mistake"),
    503: ("unavailable", "Not at the moment"),
}
"""Every status an error can have, with the name of its type and its title."""


class ProblemInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An error.  `instance` is the path that was asked for."""

    type: str
    title: str
    status: int
    detail: str
    instance: str


class Problem(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}

    def info(self, path: str) -> ProblemInfo:
        """The error as it is sent."""
        name, title = TITLES[self.status]
        return ProblemInfo(
            type=f"urn:boardwire:problem:{name}",
            title=title,
            status=self.status,
            detail=self.detail,
            instance=path,
        )
