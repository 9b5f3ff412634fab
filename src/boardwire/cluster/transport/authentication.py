"""Authentication of what nodes send each other over NATS.

- A sealed payload is a message authentication code (tag) and the data. The key belongs to the cluster: the database
  makes it, and only nodes that may read the database know it.
- The tag covers the name of the addressee, so a payload for one node cannot be replayed to another. Replays to the
  same node are caught by the numbers of the envelopes (`outbox.py`).
- A payload with a wrong tag is dropped before it is parsed. It costs one hash and is counted.

The tag is keyed BLAKE2b (RFC 7693), which needs no HMAC construction around it: 1.2 us for 300 bytes where HMAC-SHA256
takes 2.6 us (CPython 3.11.2, loaded machine).
"""

from __future__ import annotations

from hashlib import blake2b
from hmac import compare_digest
from typing import Final

TAG_BYTES: Final = 16
MIN_KEY_BYTES: Final = 32


class Authenticator:
    """Authenticates what one node sends, and verifies what arrives for it."""

    def __init__(self, key: bytes, name: str) -> None:
        if not MIN_KEY_BYTES <= len(key) <= blake2b.MAX_KEY_SIZE:
            raise ValueError(
                f"the cluster key has {len(key)} bytes; it must have {MIN_KEY_BYTES} to {blake2b.MAX_KEY_SIZE}"
            )
        self._key = key
        self._name = name
        self.rejected = 0
        """Payloads dropped because their tag is wrong."""

    def seal(self, addressee: str, data: bytes) -> bytes:
        """Return the payload for a node."""
        return self._tag(addressee, data) + data

    def open(self, payload: bytes) -> bytes | None:
        """Return the data of a payload for this node, or None if the tag is wrong."""
        data = payload[TAG_BYTES:]
        if compare_digest(self._tag(self._name, data), payload[:TAG_BYTES]):
            return data
        self.rejected += 1
        return None

    def _tag(self, addressee: str, data: bytes) -> bytes:
        return blake2b(addressee.encode() + b"\0" + data, digest_size=TAG_BYTES, key=self._key).digest()
