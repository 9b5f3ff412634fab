"""Conversations written down as text, and played against a dialect's server end.

    # the first player wins
    + ann tris-lines            ann connects
    < ann WAIT                  the server says
    + bob tris-lines
    < ann READY
    < bob READY
    > ann 4                     ann says
    ! acted {"seat": 0, "action": 4}
    < ann OK
    < bob 0,0,0,0,1,0,0,0,0,
    - bob                       bob's connection is lost
    < ann DISCONNECTED
    x ann                       the server has closed ann's connection
    ~ 5                         five seconds pass

Rules: lines of one peer come in this order and nothing else comes; `…` in a `<` line stands for any text.  `!` names
an event that the journal must have got since the last `!`, with at least these fields.  Blank lines and lines that
begin with `#` say nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardwire.simulation.server import House, Peer
from boardwire.table.events import encode


def text_lines(data: bytes) -> list[str]:
    """What a text protocol's server said, as lines without their ends."""
    lines = data.decode().split("\n")
    assert lines.pop() == "", f"the last line has no end: {data!r}"
    return lines


def text_bytes(text: str) -> bytes:
    """What a text protocol's client says: the line with its end; Python escapes are understood."""
    return text.encode().decode("unicode_escape").encode("latin-1") + b"\n" if "\\x" in text else text.encode() + b"\n"


class Transcript:
    """Plays a transcript; `AssertionError` names the first line that does not hold."""

    def __init__(
        self,
        house: House | None = None,
        read: Callable[[bytes], list[str]] = text_lines,
        write: Callable[[str], bytes] = text_bytes,
    ) -> None:
        self.house = house if house is not None else House(seed=0)
        self.peers: dict[str, Peer] = {}
        self._read = read
        self._write = write
        self._said: dict[str, list[str]] = {}
        self._seen = 0

    def play(self, script: str) -> None:
        """Play all lines, then insist that nobody has said anything more."""
        for number, raw in enumerate(script.splitlines(), 1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            try:
                self._step(line[0], line[1:].strip())
            except AssertionError as error:
                raise AssertionError(f"line {number}, {line!r}: {error}") from None
        for name in self.peers:
            self._gather(name)
            assert not self._said[name], f"at the end, {name} was also told {self._said[name]}"

    def play_file(self, path: Path) -> None:
        """Play a transcript from a file."""
        self.play(path.read_text())

    def _step(self, mark: str, rest: str) -> None:
        name, _, text = rest.partition(" ")
        text = text.strip()
        match mark:
            case "+":
                self.peers[name] = self.house.connect(text)
                self._said[name] = []
            case "-":
                self.peers[name].drop()
            case ">":
                self.peers[name].send(self._write(text))
            case "<":
                self._expect(name, text)
            case "x":
                self._gather(name)
                assert not self._said[name], f"{name} was told {self._said[name]} before it was closed"
                assert self.peers[name].closed, "it is still open"
            case "!":
                self._expect_event(name, text)
            case "~":
                self.house.clock.pass_time(float(name))
            case _:
                raise AssertionError("a line begins with one of + - > < ! x ~ #")

    def _gather(self, name: str) -> None:
        self._said[name] += self._read(self.peers[name].take())

    def _expect(self, name: str, text: str) -> None:
        self._gather(name)
        assert self._said[name], f"{name} was told nothing"
        said = self._said[name].pop(0)
        pattern = ".*".join(map(re.escape, text.split("…")))
        assert re.fullmatch(pattern, said, re.DOTALL), f"{name} was told {said!r}"

    def _expect_event(self, kind: str, text: str) -> None:
        wanted: dict[str, Any] = {"event": kind, **(json.loads(text) if text else {})}
        events = [json.loads(encode(event)) for match in self._matches() for event in self.house.events(match)]
        for index, event in enumerate(events[self._seen :], self._seen + 1):
            if all(event.get(key) == value for key, value in wanted.items()):
                self._seen = index
                return
        raise AssertionError(f"no such event; since the last one there were {events[self._seen :]}")

    def _matches(self) -> list[str]:
        return list(self.house.journal.names())
