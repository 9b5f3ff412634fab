"""Messages that are larger than the bus carries: sent in pieces, and put together again.

The bus keeps the order of what one node says to another, and may lose some of it: a message is whole when its pieces
have come one after the other, and given up when one of them is missing.
"""

from __future__ import annotations

from typing import Final

MARK: Final = b"piece "
"""How a piece begins: then come who sent it, its number and how many there are, and a line feed."""
ROOM: Final = 256
"""Bytes that are left for that."""


def parcelled(sender: str, message: bytes, most: int) -> list[bytes]:
    """A message as what is sent of it: nothing of that is longer than `most`."""
    if len(message) <= most:
        return [message]
    size = most - ROOM
    count = -(-len(message) // size)
    return [
        b"%b%b %d %d\n%b" % (MARK, sender.encode(), number, count, message[number * size : (number + 1) * size])
        for number in range(count)
    ]


class Parcels:
    """What has come of messages in pieces, by who sends them."""

    def __init__(self) -> None:
        self._found: dict[bytes, list[bytes]] = {}

    def whole(self, data: bytes) -> bytes | None:
        """The message that is whole with this; None: not yet, or never."""
        if not data.startswith(MARK):
            return data
        head, _, piece = data[len(MARK) :].partition(b"\n")
        sender, number, count = head.rsplit(b" ", 2)
        found = self._found.pop(sender, [])
        if int(number) == 0:
            found = []
        elif len(found) != int(number):
            return None
        found.append(piece)
        if len(found) == int(count):
            return b"".join(found)
        self._found[sender] = found
        return None
