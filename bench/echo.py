"""Bare uvloop echo server: the upper bound for a line-based server on this machine."""

from __future__ import annotations

import asyncio
from typing import cast

import uvloop


class Echo(asyncio.Protocol):
    """Sends all received bytes back."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


async def main() -> None:
    """Serve on a free port until killed."""
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=4096)
    print(f"listening echo 127.0.0.1:{server.sockets[0].getsockname()[1]}\nready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
