"""Messages above the payload limit of NATS: split into fragments and reassembled.

NATS keeps the order of what one node sends to another and may lose some of it. A message is complete when its
fragments have arrived one after the other; it is discarded when one is missing, when it grows beyond
`MAX_MESSAGE_BYTES`, or when it is still incomplete after `EXPIRY_SECONDS`. Message numbers of a sender always
increase, even across restarts, so a replayed fragment is ignored. One message per sender is in progress at a time, and
senders are members of the cluster (`authentication.py`), so memory is bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

MARK: Final = b"piece "
"""Prefix of a fragment; then follow sender, message number, index, fragment count and a line feed."""
HEADER_BYTES: Final = 256
"""Room reserved for that header in each fragment."""
MAX_MESSAGE_BYTES: Final = 32 * 1024 * 1024
"""Largest message that is reassembled; the longest match (10,000 events) takes about a tenth."""
EXPIRY_SECONDS: Final = 10.0
"""How long an incomplete message is kept; its sender has sent all fragments in one go."""


def split(sender: str, number: int, message: bytes, max_bytes: int) -> list[bytes]:
    """Split message `number` of a sender into payloads of at most `max_bytes`; a message that fits is not changed."""
    if len(message) <= max_bytes:
        return [message]
    size = max_bytes - HEADER_BYTES
    count = -(-len(message) // size)
    return [
        b"%b%b %d %d %d\n%b" % (MARK, sender.encode(), number, index, count, message[index * size : (index + 1) * size])
        for index in range(count)
    ]


class _Header(NamedTuple):
    sender: bytes
    number: int
    position: int
    total: int


class _Incomplete(NamedTuple):
    fragments: list[bytes]
    size: int
    since: float


class Reassembly:
    """Incomplete messages, by sender. `now` is a monotonic clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._incomplete: dict[bytes, _Incomplete] = {}
        self._latest: dict[bytes, int] = {}
        """The number of the newest message of each sender."""

    def __len__(self) -> int:
        return sum(message.size for message in self._incomplete.values())

    def feed(self, payload: bytes) -> bytes | None:
        """Return the message that this payload completes, or None."""
        if not payload.startswith(MARK):
            return payload
        head, _, fragment = payload[len(MARK) :].partition(b"\n")
        header = _parse(head)
        if header is None:
            return None
        latest = self._latest.get(header.sender, -1)
        if header.number < latest or (header.number == latest and header.position == 0):
            return None  # a replay
        self._latest[header.sender] = header.number
        now = self._now()
        former = self._incomplete.pop(header.sender, None)
        if former is None or header.number > latest or now - former.since > EXPIRY_SECONDS:
            former = _Incomplete([], 0, now)
        size = former.size + len(fragment)
        if len(former.fragments) != header.position or size > MAX_MESSAGE_BYTES:
            return None
        former.fragments.append(fragment)
        if len(former.fragments) == header.total:
            return b"".join(former.fragments)
        self._incomplete[header.sender] = _Incomplete(former.fragments, size, former.since)
        return None

    def expire(self) -> None:
        """Discard messages that have been incomplete for too long."""
        oldest = self._now() - EXPIRY_SECONDS
        for sender in [sender for sender, message in self._incomplete.items() if message.since < oldest]:
            del self._incomplete[sender]


def _parse(head: bytes) -> _Header | None:
    sender, *numbers = head.split(b" ")
    if len(numbers) != 3 or not all(number.isdigit() for number in numbers) or len(head) > HEADER_BYTES:
        return None
    return _Header(sender, *map(int, numbers))
