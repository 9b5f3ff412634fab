"""A bare room server for Tris: picows, msgspec and rules in a dictionary; no storage, lobby, clock or coming back.

It is what someone who needs nothing else writes in an afternoon, and about the least that a Python server can do for
a move.  Whoever comes sits down beside whoever waits.  Run by a Python that has picows: `python room.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec
import uvloop

picows: Any = import_module("picows")  # is not part of our own environment

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


AGAIN = -1
"""Instead of a cell: begin the next match, after the end of one."""


class Act(msgspec.Struct, tag_field="type", tag="act"):
    """A player's move."""

    cell: int


class Begun(msgspec.Struct, tag_field="type", tag="begun"):
    """Both are there."""

    seat: int


class Step(msgspec.Struct, tag_field="type", tag="step"):
    """A move was made."""

    cell: int
    seat: int
    board: list[int | None]
    turn: int
    winner: int | None


class Refused(msgspec.Struct, tag_field="type", tag="refused"):
    """It was not."""

    reason: str


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Act).decode
TEXT, CLOSE = picows.WSMsgType.TEXT, picows.WSMsgType.CLOSE


class Room:
    """A match: a board and two transports."""

    def __init__(self) -> None:
        self.board: list[int | None] = [None] * 9
        self.turn = 0
        self.winner: int | None = None
        self.seats: list[Any] = []

    def act(self, seat: int, cell: int) -> None:
        if cell == AGAIN and (self.winner is not None or self.turn == 9):
            self.board, self.turn, self.winner = [None] * 9, 0, None
            self.tell(Step(cell, seat, self.board, 0, None))
            return
        board = self.board
        if seat != self.turn % 2 or self.winner is not None or not 0 <= cell < 9 or board[cell] is not None:
            self.seats[seat].send(TEXT, encode(Refused("this is no legal move")))
            return
        board[cell] = seat
        self.turn += 1
        if any(board[a] == board[b] == board[c] == seat for a, b, c in LINES):
            self.winner = seat
        self.tell(Step(cell, seat, board, self.turn, self.winner))

    def tell(self, step: Step) -> None:
        told = encode(step)
        for transport in self.seats:
            transport.send(TEXT, told)


class Player(picows.WSListener):  # type: ignore[misc]  # it has no types
    """One connection."""

    waiting: Room | None = None

    def on_ws_connected(self, transport: Any) -> None:
        self.room, Player.waiting = Player.waiting or Room(), None
        self.seat = len(self.room.seats)
        self.room.seats.append(transport)
        if self.seat == 0:
            Player.waiting = self.room
        else:
            for seat, player in enumerate(self.room.seats):
                player.send(TEXT, encode(Begun(seat)))

    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        if frame.msg_type == TEXT:
            self.room.act(self.seat, decode(frame.get_payload_as_bytes()).cell)
        elif frame.msg_type == CLOSE:
            transport.disconnect()


async def main() -> None:
    """Serve on a free port until killed."""
    server = await picows.ws_create_server(lambda request: Player(), "127.0.0.1", 0, backlog=4096)
    print(f"listening http 127.0.0.1:{server.sockets[0].getsockname()[1]}\nready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
