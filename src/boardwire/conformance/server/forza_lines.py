"""Checks of forza-lines."""

from __future__ import annotations

from typing import Final

from boardwire.conformance.server.check import Check, Probe, Wire, fills_table, fresh_names, stage, unexpected
from boardwire.errors import Reason

FLOOR: Final = "+-1-2-3-4-5-6-7-+"
EMPTY: Final = ("| . . . . . . . |",) * 6


async def _expect(wire: Wire, *lines: str) -> None:
    for line in lines:
        received = await wire.receive(line)
        if received != line.encode():
            raise unexpected(received, line)


async def _expect_word(wire: Wire, *words: str) -> None:
    """Receive a line that begins with these words; the rest is free text."""
    received = await wire.receive(" ".join(words))
    if received.split()[: len(words)] != [word.encode() for word in words]:
        raise unexpected(received, " ".join(words))


@stage
async def _connect(probe: Probe) -> Wire:
    wire = await probe.connect()
    await _expect_word(wire, "HELLO")
    return wire


@fills_table
async def _pair(probe: Probe) -> tuple[Wire, Wire]:
    """Return two opponents, RED first, who have received START and the first TURN."""
    probe.enter_queue()
    names, wires = fresh_names(2), [await _connect(probe), await _connect(probe)]
    for wire, name in zip(wires, names, strict=True):
        await wire.send(f"{name}\n".encode())
        await _expect_word(wire, "WELCOME")
        if wire is wires[0]:
            await wire.expect_no_opponent()
    for wire, colour, other in zip(wires, ("RED", "YELLOW"), reversed(names), strict=True):
        await _expect(wire, f"START {colour} {other}", *EMPTY, FLOOR, "TURN RED")
    return wires[0], wires[1]


@stage
async def _disc(mover: Wire, other: Wire, colour: str, column: int, rows: tuple[str, ...], *after: str) -> None:
    """Drop a disc; both players receive it, the board, and the lines that follow."""
    await mover.send(b"%d\n" % column)
    for wire in (mover, other):
        await _expect(wire, f"DROP {colour} {column}", *rows, FLOOR, *after)


@stage
async def _over(red: Wire, yellow: Wire, first: str, second: str) -> None:
    """Check the results of RED and YELLOW and that both connections are closed."""
    for wire, end in ((red, first), (yellow, second)):
        await _expect_word(wire, end)
        await wire.expect_close()


class _Match:
    """A match with its board, so that each disc is checked with the board after it."""

    def __init__(self, red: Wire, yellow: Wire) -> None:
        self.players = red, yellow
        self._columns: list[list[str]] = [[] for _ in range(7)]
        self.moves = 0

    def _rows(self) -> tuple[str, ...]:
        heights = range(5, -1, -1)
        return tuple(
            f"| {' '.join(column[at] if at < len(column) else '.' for column in self._columns)} |" for at in heights
        )

    async def drop(self, column: int, *, last: bool = False) -> None:
        """Drop a disc for the player to move; both players see it."""
        colour, following = ("RED", "YELLOW") if self.moves % 2 == 0 else ("YELLOW", "RED")
        self._columns[column - 1].append(colour[0])
        mover, other = self.players[self.moves % 2], self.players[1 - self.moves % 2]
        self.moves += 1
        after = () if last else (f"TURN {following}",)
        await _disc(mover, other, colour, column, self._rows(), *after)

    async def play(self, columns: tuple[int, ...]) -> None:
        """Drop discs; the last one ends the match."""
        for number, column in enumerate(columns, 1):
            await self.drop(column, last=number == len(columns))


COLUMN: Final = (2, 3, 2, 5, 2, 1, 2)
RISING: Final = (5, 5, 3, 4, 2, 4, 3, 5, 5, 1, 4)
FALLING: Final = (3, 2, 2, 2, 5, 4, 4, 3, 2, 4, 3)
"""Matches that RED wins: vertically, and on either diagonal."""
FULL: Final = (
    1, 4, 2, 5, 5, 2, 3, 3, 1, 1, 1, 3, 1, 3, 3, 4, 1, 2, 4, 3, 4, 4, 7, 7, 4, 6, 6, 7, 2, 2, 2, 7, 7, 7, 6, 5, 5, 5,
    5, 6, 6, 6,
)  # fmt: skip
"""A match that fills the board without four in a row."""


async def _plays(probe: Probe, columns: tuple[int, ...], first: str, second: str) -> None:
    """Play a whole match and check its results."""
    match = _Match(*await _pair(probe))
    await match.play(columns)
    await _over(*match.players, first, second)


async def lines(probe: Probe) -> None:
    for columns in (COLUMN, RISING, FALLING):
        await _plays(probe, columns, "WON", "LOST")


async def draw(probe: Probe) -> None:
    await _plays(probe, FULL, "DRAWN", "DRAWN")


async def full_column(probe: Probe) -> None:
    match = _Match(*await _pair(probe))
    red, yellow = match.players
    for _ in range(6):
        await match.drop(1)
    await red.send(b"1\n")
    await _expect_word(red, "NO", Reason.ILLEGAL)
    await yellow.expect_silence()
    await match.drop(2)


async def names(probe: Probe) -> None:
    wire = await _connect(probe)
    for bad in (b"\n", b"x" * 21 + b"\n"):
        await wire.send(bad)
        await _expect_word(wire, "NO", Reason.MALFORMED)
    probe.enter_queue()
    await wire.send(f"{fresh_names(1)[0]}\n".encode())
    await _expect_word(wire, "WELCOME")
    await wire.expect_no_opponent()


async def start(probe: Probe) -> None:
    await _pair(probe)


async def discs(probe: Probe) -> None:
    match = _Match(*await _pair(probe))
    await match.drop(4)
    await match.drop(1)


async def no_column(probe: Probe) -> None:
    red, yellow = await _pair(probe)
    for bad in (b"0\n", b"8\n", b"x\n", b"\n"):
        await red.send(bad)
        await _expect_word(red, "NO", Reason.MALFORMED)
    await yellow.expect_silence()


async def out_of_turn(probe: Probe) -> None:
    red, yellow = await _pair(probe)
    await yellow.send(b"4\n")
    await _expect_word(yellow, "NO", Reason.NOT_YOUR_TURN)
    await red.expect_silence()


async def talk(probe: Probe) -> None:
    for speaker, colour in zip(players := await _pair(probe), ("RED", "YELLOW"), strict=True):
        await speaker.send(b"say good luck\n")
        for wire in players:
            await _expect(wire, f"SAID {colour} good luck")


async def win(probe: Probe) -> None:
    await _plays(probe, (1, 7, 2, 6, 3, 5, 4), "WON", "LOST")


async def resigning(probe: Probe) -> None:
    red, yellow = await _pair(probe)
    await yellow.send(b"RESIGN\n")
    await _expect_word(yellow, "LOST")
    await _expect_word(red, "WON")


async def leaving(probe: Probe) -> None:
    red, yellow = await _pair(probe)
    red.close()
    await _expect_word(yellow, "BROKEN_OFF")
    await yellow.expect_close()


CHECKS: Final = (
    Check("an invalid name gets NO, and may be sent again", "3", names),
    Check("both get their colour, the other's name, the board and the turn", "3", start),
    Check("a disc is told to both, with the board and the next turn", "2.2", discs),
    Check("input that is not a column gets NO malformed, and the other player nothing", "5", no_column),
    Check("a column out of turn gets NO not-your-turn, and the other player nothing", "5", out_of_turn),
    Check("talk is told to both", "2.2", talk),
    Check("a full column gets NO illegal, and the other player nothing", "5", full_column),
    Check("four in a row win, and both are closed", "4", win),
    Check("so do four in a column and on a diagonal", "4", lines),
    Check("a full board without four in a row is drawn", "2.2", draw),
    Check("a player who resigns loses, also out of turn", "2.1", resigning),
    Check("a player who leaves: BROKEN_OFF to the other, then the end", "6", leaving),
)
