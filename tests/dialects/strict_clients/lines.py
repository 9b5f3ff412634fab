"""Programs that speak plain lines: a console of tris-lines, and a person with `nc` at forza-lines."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from .client import BROKEN_OFF, DRAWN, LOST, WON, StrictClient


class Lines(StrictClient):
    """A program that compares whole lines."""

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        super().__init__(name, seats, luck)
        self._buffer = ""
        self._left: list[int] = []

    def decode(self, data: bytes) -> Iterable[str]:
        *lines, self._buffer = (self._buffer + data.decode()).split("\n")
        return lines

    def say(self, line: object) -> None:
        self._out += f"{line}\n".encode()

    def try_next(self) -> None:
        """Another number; the program knows nothing of the rules."""
        if self._left:
            self.say(self._left.pop())
        else:
            self.dies("no move is taken")

    def move(self, numbers: range) -> None:
        """It is its turn."""
        self._left = self.luck.sample(numbers, len(numbers))
        self.try_next()


class Tris(Lines):
    """The first player is the one who was told to wait; unknown lines make it hang."""

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        super().__init__(name, seats, luck)
        self._first = self._ready = False

    def hear(self, line: str) -> None:
        match line:
            case "WAIT" if not self._ready:
                self._first = True
            case "READY" if not self._ready:
                self._ready = True
                if self._first:
                    self.move(range(9))
            case "OK":
                pass
            case "KO":
                self.try_next()
            case "W":
                self.ends(WON)
            case "P":
                self.ends(DRAWN)
            case "DISCONNECTED":
                self.ends(BROKEN_OFF)
            case _:
                self._board(line)

    def _board(self, line: str) -> None:
        fields = line.split(",")
        if len(fields) != 10 or not all(one in ("0", "1", "2") for one in fields[:9]) or not self._ready:
            self.dies(f"no such line: {line!r}")
        elif fields[9]:
            self.ends({"L": LOST, "P": DRAWN}.get(fields[9], ""))
        else:
            self.move(range(9))


class Forza(Lines):
    """It goes by the first word of each line."""

    colour = ""

    def hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "HELLO":
                self.say(self.name)
            case "START":
                self.colour = rest.split(" ")[0]
            case "TURN" if rest == self.colour:
                self.move(range(1, 8))
            case "NO":
                self.try_next()
            case "WON" | "LOST" | "DRAWN":
                self.ends({"WON": WON, "LOST": LOST, "DRAWN": DRAWN}[word])
            case "BROKEN_OFF":
                self.ends(BROKEN_OFF)
