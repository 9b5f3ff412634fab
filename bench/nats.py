"""Decoding rate of NATS messages: our decoder beside nats-py's parser, if that is installed.

300 bytes is the median size of the messages that two nodes of a cluster exchange for a move.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any, Final

from bench.config import RunConfig
from boardwire.wire.nats import NatsDecoder

PAYLOAD: Final = b"x" * 300
MESSAGE: Final = b"MSG boardwire.node 1 %d\r\n%s\r\n" % (len(PAYLOAD), PAYLOAD)
READS: Final = (1, 8)
"""Messages in one read from the socket."""
SECONDS: Final = 0.3


class _Client:
    """Counts the messages for which nats-py's parser calls back."""

    def __init__(self) -> None:
        self.count = 0

    async def _process_msg(self, *_: Any) -> None:
        self.count += 1


def ours(messages: int) -> float:
    """Return the messages per CPU-second of our decoder."""
    decoder = NatsDecoder()
    data = MESSAGE * messages
    return _rate(lambda: len(decoder.feed(data)))


def theirs(messages: int) -> float:
    """Return the messages per CPU-second of nats-py's parser."""
    parser = import_module("nats.protocol.parser").Parser(_Client())
    data = MESSAGE * messages

    def read() -> int:
        step = parser.parse(data)
        with suppress(StopIteration):  # one step completes the coroutine: it awaits only callbacks that never block
            step.send(None)
        return messages

    return _rate(read)


def _rate(read: Callable[[], int]) -> float:
    count, begin = 0, time.process_time()
    while (now := time.process_time()) < begin + SECONDS:
        for _ in range(100):
            count += read()
    return count / (now - begin)


def run(config: RunConfig) -> None:
    """Print both rates side by side."""
    rivals = {"ours": ours} | ({"nats-py": theirs} if find_spec("nats") else {})
    print("NATS messages of 300 bytes decoded per CPU-second\n")
    for messages in READS:
        rounds: dict[str, list[float]] = {name: [] for name in rivals}
        for _ in range(max(3, config.rounds)):
            for name, rival in rivals.items():
                rounds[name].append(rival(messages))
        line = "   ".join(f"{name} {median(rates):>10,.0f}" for name, rates in rounds.items())
        print(f"{messages} per read:   {line}")
    if len(rivals) == 1:
        print("nats-py is not installed: pip install nats-py")
    print()
