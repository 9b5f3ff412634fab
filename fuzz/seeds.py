"""Write the first inputs of every target without any into the corpus: `make seeds`.

They are recorded from boardwire itself: both sides of whole matches of every dialect, exported matches, transcripts,
envelopes.  Conversations are cut to `MAX_BYTES`, because libFuzzer tries short inputs more often.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from soak.recordings import recordings

from boardwire import dialects, games
from boardwire.api import match_file as records
from boardwire.dialects.dialect import Answer, Ask, ClientOptions
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.wire.nats import publish
from fuzz.targets import TARGETS

CORPUS: Final = Path(__file__).parent / "corpus"
MAX_BYTES: Final = 3_000
ENVELOPES: Final = Path(__file__).parents[1] / "tests" / "cluster" / "transport" / "envelopes_1.txt"


class _Listener(SimulatedClient):
    """SimulatedClient that records both directions."""

    def __init__(self, *arguments: Any) -> None:
        self.heard = b""
        self.said = b""
        super().__init__(*arguments)

    def receive(self, data: bytes) -> None:
        self.heard += data
        super().receive(data)

    def write(self, data: bytes) -> None:
        self.said += data
        super().write(data)


def _match(name: str, seed: int) -> tuple[SimulatedServer, list[_Listener]]:
    """Play a match of two clients to its end."""
    server, luck = SimulatedServer(seed=seed), Random(seed)

    def choose(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            client.talk.tell(Answer(luck.choice(list(notification.decision.choices))))

    clients = [_Listener(name, choose, ClientOptions(f"p{seed}{number}"), server.clock) for number in range(2)]
    pairs = []
    for client in clients:
        pairs.append((client, server.connect(name)))
        play_together(server, pairs)
    return server, clients


def seeds() -> Iterator[tuple[str, bytes]]:
    """Yield every first input with its target."""
    exported: dict[str, bytes] = {}
    for name in dialects.DIALECT_PACKAGES:
        place = name.replace("/", ".")
        for seed in range(2):
            server, clients = _match(name, seed)
            for client in clients:
                yield f"{place}-requests", client.said[:MAX_BYTES]
                yield f"{place}-replies", client.heard[:MAX_BYTES]
            game = dialects.dialect(name).game
            exported.setdefault(game, records.write_json(records.record_of(server.events())))
    for game in games.NAMES:
        if game in exported:
            yield "match-import", exported[game]
    for said in recordings("native"):
        yield "native-requests", b"".join(said)[:MAX_BYTES]
    for request in recordings("http"):
        yield "http", b"".join(request)
    yield "http", b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    yield "transcript", b"# boardwire transcript: tris-lines\n+ 1 tris-lines\n< 1 WAIT\n~ 0.5\n> 1 4\n= 34 0d 0a\nx 1\n"
    yield "nats", b'INFO {"max_payload":1048576,"connect_urls":["127.0.0.1:4222"]}\r\nPONG\r\n-ERR \'no\'\r\n'
    yield "nats", b"MSG boardwire.c.one 1 5\r\nhello\r\nPING\r\n+OK\r\n" + publish(b"a", b"b")
    yield "fragments", b"piece a 1 0 2\nfirst\xffpiece a 1 1 2\nsecond\xffpiece b 1 0 1\n\xffwhole"
    for line in ENVELOPES.read_text().splitlines():
        yield "envelope", bytes.fromhex(line.split()[1])


def main() -> None:
    """Write the first inputs of targets that have none."""
    missing = TARGETS.keys() - {path.name for path in CORPUS.iterdir()}
    for target, data in seeds() if missing else ():
        if target not in missing:
            continue
        directory = CORPUS / target
        directory.mkdir(parents=True, exist_ok=True)
        (directory / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)
    assert {path.name for path in CORPUS.iterdir()} == TARGETS.keys()


if __name__ == "__main__":
    main()
