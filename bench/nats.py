"""NATS: messages that one core decodes, with our decoder and with nats-py's parser (where it is installed).

A message of 300 bytes is the median of what two nodes of a cluster exchange for one move; reads bring one or several.
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
"""Messages in one read of the socket."""
SECONDS: Final = 0.3


class _Client:
    """The callbacks that nats-py's parser calls; they count messages."""

    def __init__(self) -> None:
        self.count = 0

    async def _process_msg(self, *_: Any) -> None:
        self.count += 1


def ours(messages: int) -> float:
    """Return how many messages a second our decoder reads."""
    decoder = NatsDecoder()
    data = MESSAGE * messages
    return _rate(lambda: len(decoder.feed(data)))


def theirs(messages: int) -> float:
    """Return how many messages a second nats-py's parser reads."""
    parser = import_module("nats.protocol.parser").Parser(_Client())
    data = MESSAGE * messages

    def read() -> int:
        step = parser.parse(data)
        with suppress(StopIteration):  # the parser awaits only its callbacks, which never wait
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
        told = "   ".join(f"{name} {median(rates):>10,.0f}" for name, rates in rounds.items())
        print(f"{messages} in a read:   {told}")
    if len(rivals) == 1:
        print("nats-py is not installed: pip install nats-py")
    print()
