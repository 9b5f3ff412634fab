"""A tris-lines server for tests of the checks, with faults of real programs."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from .judging import Serving

LINES: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Faults(msgspec.Struct, frozen=True):
    """Faults of the server; none by default."""

    silent_after_reset: bool = False
    """Close the other connection without DISCONNECTED if the first was reset."""
    strict_lf: bool = False
    """Treat the CR of a CR LF as part of the move."""
    board_prefix: str = ""
    """Text before each board line."""
    takes_occupied: bool = False
    """Accept a move to an occupied cell."""
    refuses_corner: bool = False
    """Refuse a move to cell 8."""
    same_player_again: bool = False
    """Let the first player move twice."""
    queues_moves: bool = False
    """Keep a move that was sent out of turn, and play it later."""
    no_diagonals: bool = False
    """Ignore diagonals."""
    no_columns: bool = False
    """Ignore columns."""
    result_to_winner_only: bool = False
    """Send the result to the winner only."""
    swapped_result: bool = False
    """Send the winner a loss."""
    draw_is_a_win: bool = False
    """Send a win to the player who fills the board."""


class _Player:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.moves: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.was_reset = False
        self._reader = reader

    async def read(self) -> None:
        """Queue lines; None at the end of the connection."""
        try:
            while line := await self._reader.readline():
                self.moves.put_nowait(line)
        except ConnectionResetError:
            self.was_reset = True
        self.moves.put_nowait(None)

    def say(self, line: str) -> None:
        if not self.writer.is_closing():
            self.writer.write(line.encode() + b"\n")


def tris_server(faults: Faults) -> Serving:
    """Return a server that pairs connections in their order."""
    waiting: list[_Player] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        player = _Player(reader, writer)
        reading = asyncio.create_task(player.read())
        while waiting and waiting[0].writer.is_closing():
            waiting.pop()
        if not waiting:
            waiting.append(player)
            player.say("WAIT")
            await reading
            if player in waiting:
                waiting.remove(player)
                writer.close()
            return
        first = waiting.pop()
        for one in (first, player):
            one.say("READY")
        await _play(first, player, faults)
        for one in (first, player):
            one.writer.close()

    return serve


def _has_line(board: list[int], mark: int, faults: Faults) -> bool:
    known = LINES[: 3 if faults.no_columns else 6] + (() if faults.no_diagonals else LINES[6:])
    return any(all(board[cell] == mark for cell in line) for line in known)


async def _play(first: _Player, second: _Player, faults: Faults) -> None:
    board, players, turn = [0] * 9, (first, second), 0
    while True:
        mover, other = players[turn % 2], players[1 - turn % 2]
        line = await _next_move(mover, other, faults)
        gone = mover if line is None else other if line == b"" else None
        if gone is not None:
            left = other if gone is mover else mover
            if not (gone.was_reset and faults.silent_after_reset):
                left.say("DISCONNECTED")
            return
        assert line is not None
        cell = _cell(line, faults)
        legal = cell is not None and (board[cell] == 0 or faults.takes_occupied)
        if cell is None or not legal or (faults.refuses_corner and cell == 8):
            mover.say("KO")
            continue
        mark = turn % 2 + 1
        board[cell] = mark
        board_line = faults.board_prefix + "".join(f"{one}," for one in board)
        won, full = _has_line(board, mark, faults), 0 not in board
        if won or full:
            good, bad = ("W", "L") if won or faults.draw_is_a_win else ("P", "P")
            if faults.swapped_result and won:
                good, bad = "L", "W"
            mover.say(good)
            if not faults.result_to_winner_only:
                other.say(board_line + bad)
            return
        mover.say("OK")
        other.say(board_line)
        turn += 2 if faults.same_player_again and turn == 0 else 1
        if not faults.queues_moves:
            following = players[turn % 2]
            while not following.moves.empty() and (early := following.moves.get_nowait()) is None:
                following.moves.put_nowait(early)
                break


async def _next_move(mover: _Player, other: _Player, faults: Faults) -> bytes | None:
    """Return the mover's line, None if the mover has left, or b"" if the other has."""
    while True:
        mine = asyncio.create_task(mover.moves.get())
        theirs = asyncio.create_task(other.moves.get())
        done, late = await asyncio.wait({mine, theirs}, return_when=asyncio.FIRST_COMPLETED)
        for task in late:
            task.cancel()
        if theirs in done:
            early = theirs.result()
            if mine in done:
                mover.moves.put_nowait(mine.result())
            if early is None:
                return b""
            if faults.queues_moves:
                mover_line = await mover.moves.get()
                other.moves.put_nowait(early)
                return mover_line
            continue
        return mine.result()


def _cell(line: bytes, faults: Faults) -> int | None:
    text = line.removesuffix(b"\n")
    text = text if faults.strict_lf else text.removesuffix(b"\r")
    return int(text) if text.isdigit() and len(text) == 1 and text != b"9" else None
