"""A tris-lines server, with any number of matches at a time: python3 server.py PORT."""

import asyncio
import re
import sys

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MOVE = re.compile(rb"[ \t]*[+]?0{0,8}([0-8])[ \t]*")
MAX_LINE_BYTES = 4096
MAX_REFUSALS = 500


class Player:
    """A client: its connection and its match."""

    def __init__(self, writer):
        self.writer = writer
        self.match = None
        self.refusals = 0

    def say(self, line):
        if not self.writer.is_closing():
            self.writer.write(line.encode() + b"\n")


class Match:
    """A match of two players; the first moves first."""

    def __init__(self, first, second):
        self.players = (first, second)
        self.board = [0] * 9
        self.turn = 0
        self.is_over = False
        for player in self.players:
            player.match = self
            player.say("READY")

    def receive(self, player, line):
        """Handle a line of a player."""
        mover, other = self.players[self.turn], self.players[1 - self.turn]
        if self.is_over or player is not mover:
            return
        move = MOVE.fullmatch(line)
        if move is None or self.board[int(move[1])]:
            mover.say("KO")
            mover.refusals += 1
            if mover.refusals >= MAX_REFUSALS:
                self.leave(mover)
            return
        mover.refusals = 0
        mark = self.turn + 1
        self.board[int(move[1])] = mark
        shown = "".join(f"{cell}," for cell in self.board)
        if any(all(self.board[cell] == mark for cell in line) for line in LINES):
            self.end("W", f"{shown}L")
        elif 0 not in self.board:
            self.end("P", f"{shown}P")
        else:
            mover.say("OK")
            other.say(shown)
            self.turn = 1 - self.turn

    def end(self, word, shown):
        """Tell both players the result, and close."""
        self.players[self.turn].say(word)
        self.players[1 - self.turn].say(shown)
        self.is_over = True
        for player in self.players:
            close(player)

    def leave(self, player):
        """A player has left: the other is told, and the match is over."""
        if not self.is_over:
            self.is_over = True
            self.players[1 - self.players.index(player)].say("DISCONNECTED")
            for participant in self.players:
                close(participant)


def close(player):
    """Close our side after what was written; the client closes the other side."""
    if not player.writer.is_closing() and player.writer.can_write_eof():
        player.writer.write_eof()


class Server:
    """Pairs clients in the order in which they come."""

    def __init__(self):
        self.waiting = None

    async def serve(self, reader, writer):
        player = Player(writer)
        if self.waiting is None:
            self.waiting = player
            player.say("WAIT")
        else:
            first, self.waiting = self.waiting, None
            Match(first, player)
        try:
            async for line in read_lines(reader):
                if player.match is not None:
                    player.match.receive(player, line)
        except OSError:
            pass  # a reset is a way to leave
        finally:
            if self.waiting is player:
                self.waiting = None
            if player.match is not None:
                player.match.leave(player)
            writer.close()


async def read_lines(reader):
    """Yield lines that end with LF, CR LF or CR; a line that is too long ends the connection."""
    data, after_cr = b"", False
    while more := await reader.read(4096):
        if after_cr and more.startswith(b"\n"):
            more = more[1:]
        after_cr = more.endswith(b"\r") if more else after_cr
        data += more
        *lines, data = re.split(rb"\r\n|\n|\r", data)
        for line in lines:
            if len(line) > MAX_LINE_BYTES:
                return
            yield line
        if len(data) > MAX_LINE_BYTES:
            return


async def main():
    server = await asyncio.start_server(Server().serve, "127.0.0.1", int(sys.argv[1]))
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
