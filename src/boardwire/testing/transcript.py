"""Transcripts: conversations as text, played against the server end of a dialect.

    # the first player wins
    + ann tris-lines            ann connects
    < ann WAIT                  the server sends
    + bob tris-lines
    < ann READY
    < bob READY
    > ann 4                     ann sends
    ! acted {"seat": 0, "action": 4}
    < ann OK
    < bob 0,0,0,0,1,0,0,0,0,
    - bob                       bob's connection is lost
    < ann DISCONNECTED
    x ann                       the server has closed ann's connection
    ~ 5                         five seconds pass

- The lines of one connection must come in this order, without any others in between.
- `…` in a `<` line matches any text.
- `!` requires an event in the journal since the last `!`, with at least these fields.
- Blank lines and lines that begin with `#` are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.table.events import encode


def text_lines(data: bytes) -> list[str]:
    """Split the output of a text protocol into lines; fail if the last line is incomplete."""
    lines = data.decode().split("\n")
    assert lines.pop() == "", f"the last line is incomplete: {data!r}"
    return lines


def text_bytes(text: str) -> bytes:
    """Encode a line of a text protocol; `\\xNN` escapes are decoded."""
    return text.encode().decode("unicode_escape").encode("latin-1") + b"\n" if "\\x" in text else text.encode() + b"\n"


class Transcript:
    """Plays transcripts; `AssertionError` names the first line that fails."""

    def __init__(
        self,
        server: SimulatedServer | None = None,
        read: Callable[[bytes], list[str]] = text_lines,
        write: Callable[[str], bytes] = text_bytes,
    ) -> None:
        self.server = server if server is not None else SimulatedServer(seed=0)
        self.peers: dict[str, SimulatedConnection] = {}
        self._read = read
        self._write = write
        self._received: dict[str, list[str]] = {}
        self._checked_events = 0
        """Number of events up to the last one that a `!` line has found."""

    def play(self, script: str) -> None:
        """Play all lines, then check that the server has sent nothing more."""
        for number, raw in enumerate(script.splitlines(), 1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            try:
                self._step(line[0], line[1:].strip())
            except AssertionError as error:
                raise AssertionError(f"line {number}, {line!r}: {error}") from None
        for name in self.peers:
            self._collect(name)
            assert not self._received[name], f"at the end, {name} also received {self._received[name]}"

    def play_file(self, path: Path) -> None:
        """Play a transcript from a file."""
        self.play(path.read_text())

    def _step(self, mark: str, rest: str) -> None:
        """Play one line of a transcript, given its mark and the rest."""
        name, _, text = rest.partition(" ")
        text = text.strip()
        match mark:
            case "+":
                self.peers[name] = self.server.connect(text)
                self._received[name] = []
            case "-":
                self.peers[name].drop()
            case ">":
                self.peers[name].send(self._write(text))
            case "<":
                self._expect(name, text)
            case "x":
                self._collect(name)
                assert not self._received[name], f"{name} received {self._received[name]} before the close"
                assert self.peers[name].closed, f"the connection of {name} is still open"
            case "!":
                self._expect_event(name, text)
            case "~":
                self.server.clock.pass_time(float(name))
            case _:
                raise AssertionError(f"a line must begin with one of + - > < ! x ~ #, not with {mark!r}")

    def _collect(self, name: str) -> None:
        self._received[name] += self._read(self.peers[name].take())

    def _expect(self, name: str, text: str) -> None:
        self._collect(name)
        assert self._received[name], f"{name} received nothing"
        received = self._received[name].pop(0)
        pattern = ".*".join(map(re.escape, text.split("…")))
        assert re.fullmatch(pattern, received, re.DOTALL), f"{name} received {received!r}"

    def _expect_event(self, kind: str, text: str) -> None:
        expected: dict[str, Any] = {"event": kind, **(json.loads(text) if text else {})}
        events = [json.loads(encode(event)) for match in self._matches() for event in self.server.events(match)]
        for index, event in enumerate(events[self._checked_events :], self._checked_events + 1):
            if all(event.get(key) == value for key, value in expected.items()):
                self._checked_events = index
                return
        raise AssertionError(f"no such event; the events since the last '!' are {events[self._checked_events :]}")

    def _matches(self) -> list[str]:
        return list(self.server.journal.names())
