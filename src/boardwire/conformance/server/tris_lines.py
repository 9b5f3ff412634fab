"""Checks of tris-lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardwire.conformance.server.check import QUIET_SECONDS, Check, Failed, Probe, Wire, baseline, stage, unexpected


async def _expect(wire: Wire, line: str) -> None:
    received = await wire.receive(line)
    if received != line.encode():
        raise unexpected(received, line)


MAX_OTHER_PLAYERS: Final = 3
"""Limit of the other players who may wait before a check."""


async def _has_left(wire: Wire) -> bool:
    """Return whether the opponent has left; some servers notice this only when the next player connects."""
    try:
        return await wire.next_within(QUIET_SECONDS) == b"DISCONNECTED"
    except Failed:
        return True


@stage
async def _first(probe: Probe) -> Wire:
    """Return a player who waits for an opponent.

    Players who waited before are paired with earlier connections of this check, which stay open.
    """
    probe.enter_queue()
    for _ in range(MAX_OTHER_PLAYERS):
        wire = await probe.connect()
        if (received := await wire.receive("WAIT")) == b"WAIT":
            return wire
        if received != b"READY":
            raise unexpected(received, "WAIT")
        if not probe.alone and not await _has_left(wire):
            raise probe.other_player("got READY without WAIT before it")
    first = await probe.connect()
    await _expect(first, "WAIT")
    return first


@stage
async def _pair(probe: Probe) -> tuple[Wire, Wire]:
    """Return two opponents. The protocol has no names: only a move that both see confirms the pair (`_move`)."""
    probe.ours = False
    first = await _first(probe)
    second = await probe.connect()
    await _expect(first, "READY")
    await _expect(second, "READY")
    return first, second


@stage
async def _move(mover: Wire, other: Wire, cell: int, answer: str, board: str) -> None:
    await mover.send(b"%d\n" % cell)
    await _expect(mover, answer)
    await _expect(other, board)
    mover.probe.ours = True


class _Match:
    """A match with its board, so that each mark is checked with the board after it."""

    def __init__(self, first: Wire, second: Wire) -> None:
        self.players = first, second
        self._board = ["0"] * 9
        self._moves = 0

    async def mark(self, cell: int, answer: str = "OK", outcome: str = "") -> None:
        """Mark a cell for the player to move; both players see it."""
        turn = self._moves % 2
        self._moves += 1
        self._board[cell] = str(turn + 1)
        await _move(self.players[turn], self.players[1 - turn], cell, answer, ",".join(self._board) + f",{outcome}")

    async def play(self, cells: Sequence[int], answer: str, outcome: str) -> None:
        """Mark cells; the last one ends the match."""
        for cell in cells[:-1]:
            await self.mark(cell)
        await self.mark(cells[-1], answer, outcome)

    async def expect_close(self) -> None:
        """Check that both connections are closed."""
        for wire in self.players:
            await wire.expect_close()


async def first_waits(probe: Probe) -> None:
    await _first(probe)


async def both_are_ready(probe: Probe) -> None:
    await _pair(probe)


async def second_never_waits(probe: Probe) -> None:
    _, second = await _pair(probe)
    await second.expect_silence()


async def ok_and_board(probe: Probe) -> None:
    match = _Match(*await _pair(probe))
    await match.mark(4)
    await match.mark(0)


async def taken_cell(probe: Probe) -> None:
    match = _Match(*await _pair(probe))
    first, second = match.players
    await match.mark(4)
    await second.send(b"4\n")
    await _expect(second, "KO")
    await first.expect_silence()
    await match.mark(8)


async def bad_index(probe: Probe) -> None:
    first, second = await _pair(probe)
    for bad in (b"9\n", b"-1\n", b"x\n", b"\n"):
        await first.send(bad)
        await _expect(first, "KO")
    await second.expect_silence()


async def out_of_turn(probe: Probe) -> None:
    match = _Match(*await _pair(probe))
    _, second = match.players
    await second.send(b"0\n")
    await second.expect_silence()
    await match.mark(4)
    await second.expect_silence()
    await match.mark(1)


async def win(probe: Probe) -> None:
    match = _Match(*await _pair(probe))
    await match.play((0, 3, 1, 4, 2), "W", "L")
    await match.expect_close()


LINES: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


async def every_line(probe: Probe) -> None:
    """Play a match for each line; the opponent marks two cells off the line."""
    for line in LINES:
        match = _Match(*await _pair(probe))
        others = [cell for cell in range(9) if cell not in line]
        await match.play((line[0], others[0], line[1], others[1], line[2]), "W", "L")
        for wire in match.players:
            await wire.leave()


async def draw(probe: Probe) -> None:
    match = _Match(*await _pair(probe))
    await match.play((0, 1, 2, 4, 3, 5, 7, 6, 8), "P", "P")
    await match.expect_close()


async def ninth_mark_wins(probe: Probe) -> None:
    await _Match(*await _pair(probe)).play((0, 1, 2, 3, 4, 6, 5, 7, 8), "W", "L")


async def leaving_on_own_turn(probe: Probe) -> None:
    first, second = await _pair(probe)
    first.close()
    await _expect(second, "DISCONNECTED")
    await second.expect_close()


async def leaving_on_the_others_turn(probe: Probe) -> None:
    first, second = await _pair(probe)
    second.close()
    await _expect(first, "DISCONNECTED")
    await first.expect_close()


async def leaving_by_reset(probe: Probe) -> None:
    first, second = await _pair(probe)
    first.close(reset=True)
    await _expect(second, "DISCONNECTED")


async def line_ends(probe: Probe) -> None:
    """Check, in two matches, that a move gets the same replies if it ends with LF and with CR LF."""
    async with baseline("a line that ends with LF"):
        first, second = await _pair(probe)
        await first.send(b"4\n")
        answer, board = await first.receive("OK"), await second.receive("a board")
        if answer != b"OK":
            raise unexpected(answer, "OK")
        await second.expect_silence()
    first, second = await _pair(probe)
    await first.send(b"4\r\n")
    await _expect(first, "OK")
    await _expect(second, board.decode(errors="replace"))
    probe.ours = True
    await first.expect_silence()  # a server that takes the LF for an empty line would send KO


async def several_games(probe: Probe) -> None:
    first, second = _Match(*await _pair(probe)), _Match(*await _pair(probe))
    await second.mark(4)
    probe.ours = False  # the first pair is not confirmed yet
    await first.mark(0)


CHECKS: Final = (
    Check("the first client gets WAIT", "2", first_waits),
    Check("both clients get READY", "2", both_are_ready),
    Check("the second client gets READY and nothing else", "2", second_never_waits),
    Check("a valid move gets OK, and the other player the board", "2", ok_and_board),
    Check("an occupied cell gets KO, and the other player nothing", "5", taken_cell),
    Check("input that is not a cell gets KO", "5", bad_index),
    Check("a move out of turn gets no answer and is not played later", "6.2", out_of_turn),
    Check("the winner gets W, the loser the board with L, both are closed", "3", win),
    Check("every row, column and diagonal wins", "3", every_line),
    Check("a draw: P, the board with P, both are closed", "6.4", draw),
    Check("a ninth mark that makes a line wins", "6.3", ninth_mark_wins),
    Check("a player who leaves on its turn: DISCONNECTED to the other, then the end", "5", leaving_on_own_turn),
    Check("a player who leaves on the other's turn: DISCONNECTED at once", "6.5", leaving_on_the_others_turn),
    Check("a reset is a disconnection too", "5", leaving_by_reset),
    Check("lines may end with CR LF", "1", line_ends),
    Check("several matches at once", "6.1", several_games),
)
