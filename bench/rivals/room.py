"""Bare Tris room server with picows and msgspec: no storage, lobby, clock or reconnects.

It does about the least that a Python server can do for a move. A new player joins the waiting one, or waits. Run it
with a Python that has picows: `python room.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec
import uvloop

picows: Any = import_module("picows")  # not a dependency of boardwire, so mypy must not look for it

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
REMATCH = -1
"""Value of `cell` that starts the next match after the end of one."""


class Act(msgspec.Struct, tag_field="type", tag="act"):
    """A player's move."""

    cell: int


class Begun(msgspec.Struct, tag_field="type", tag="begun"):
    """Notification that both players are connected."""

    seat: int


class Step(msgspec.Struct, tag_field="type", tag="step"):
    """Notification of a move."""

    cell: int
    seat: int
    board: list[int | None]
    turn: int
    winner: int | None


class Refused(msgspec.Struct, tag_field="type", tag="refused"):
    """Refusal of a move."""

    reason: str


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Act).decode
TEXT, CLOSE = picows.WSMsgType.TEXT, picows.WSMsgType.CLOSE


class Room:
    """Match between two connections."""

    def __init__(self) -> None:
        self.board: list[int | None] = [None] * 9
        self.turn = 0
        self.winner: int | None = None
        self.seats: list[Any] = []

    def act(self, seat: int, cell: int) -> None:
        if cell == REMATCH and (self.winner is not None or self.turn == 9):
            self.board, self.turn, self.winner = [None] * 9, 0, None
            self.broadcast(Step(cell, seat, self.board, 0, None))
            return
        board = self.board
        if seat != self.turn % 2 or self.winner is not None or not 0 <= cell < 9 or board[cell] is not None:
            self.seats[seat].send(TEXT, encode(Refused("illegal move")))
            return
        board[cell] = seat
        self.turn += 1
        if any(board[a] == board[b] == board[c] == seat for a, b, c in LINES):
            self.winner = seat
        self.broadcast(Step(cell, seat, board, self.turn, self.winner))

    def broadcast(self, step: Step) -> None:
        message = encode(step)
        for transport in self.seats:
            transport.send(TEXT, message)


class Player(picows.WSListener):  # type: ignore[misc]  # picows has no type annotations
    """Connection of one player."""

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
