"""Our server of tris-lines: python3 server.py PORT. It pairs clients and begins matches; moves are still to do."""

import asyncio
import sys


class Server:
    """Pairs clients in the order in which they come."""

    def __init__(self):
        self.waiting = None

    async def serve(self, reader, writer):
        if self.waiting is None:
            self.waiting = writer
            writer.write(b"WAIT\n")
        else:
            first, self.waiting = self.waiting, None
            for player in (first, writer):
                player.write(b"READY\n")
        try:
            async for line in reader:
                self.receive(writer, line.strip())
        except (OSError, ValueError):
            pass  # reset, or a line that is too long
        finally:
            if self.waiting is writer:
                self.waiting = None
            writer.close()

    def receive(self, writer, line):
        """Handle a line of a client."""
        # To do: the board, whose turn it is, OK, KO, W, P, L, and DISCONNECTED to the other when a client leaves.


async def main():
    server = await asyncio.start_server(Server().serve, "127.0.0.1", int(sys.argv[1]))
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
