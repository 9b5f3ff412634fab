"""What a proxy costs: memory over a long conversation, a thousand connections, and the delay that it adds.

    .venv/bin/python -m bench.proxy --messages 1000000 --connections 1000

The conversation is one that the page of santorini-lobby allows for ever: the server pings, the client answers.  The
server is a process of its own, and so is the proxy.  The delay is that of a ping and its answer, there and back, with
the proxy and without it, in turns; a message passes the proxy once, so it is delayed by half of the difference.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

BURST = 500
"""Pings that are under way at a time in the long conversation."""
TRIPS = 2000
"""Pings that are timed in one go, one after the other."""
ROUNDS = 5


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The client's end is the driver, so the server merely says what it hears."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def _memory(pid: int) -> float:
    """Megabytes that a process holds."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


async def _talk(port: int, line: bytes, count: int, marks: Sequence[int], pid: int) -> list[tuple[int, float]]:
    """Say a line so often, and hear as many; how much memory the proxy held at some of them."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    told: list[tuple[int, float]] = []
    heard = 0
    while 2 * heard < count:
        writer.write(line * BURST)
        await writer.drain()
        await reader.readexactly(len(line) * BURST)
        heard += BURST
        if len(told) < len(marks) and 2 * heard >= marks[len(told)]:
            await asyncio.sleep(1.0)  # what waits to be looked at is not what is kept
            told.append((2 * heard, _memory(pid)))
    writer.close()
    return told


async def _delays(port: int, line: bytes) -> list[float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found = []
    for _ in range(TRIPS):
        began = time.perf_counter()
        writer.write(line)
        await reader.readexactly(len(line))
        found.append(time.perf_counter() - began)
    writer.close()
    return found


async def _many(port: int, line: bytes, count: int) -> int:
    """Open this many connections at a time, and say something on each; how many were answered."""
    ends = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    answered = 0
    for _, writer in ends:
        writer.write(line)
    for reader, _ in ends:
        answered += await reader.readexactly(len(line)) == line
    for _, writer in ends:
        writer.close()
    return answered


async def measure(messages: int, connections: int) -> None:
    """Print the figures."""
    line = b'{"type":"PING","content":{}}\n'
    server = subprocess.Popen([sys.executable, "-m", "bench.proxy", "--serve"], stdout=subprocess.PIPE, text=True)
    proxy = None
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        program = str(Path(sys.executable).parent / "boardwire")
        command = [program, "proxy", "santorini-lobby", "--quiet", "--listen", "0",
                   "--connect", f"127.0.0.1:{port}"]  # fmt: skip
        proxy = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert proxy.stdout is not None
        own = int(proxy.stdout.readline().rpartition(":")[2])
        print(f"proxy: {_memory(proxy.pid):.1f} MB before anybody comes", flush=True)
        direct: list[float] = []
        passed: list[float] = []
        for _ in range(ROUNDS):
            direct += await _delays(port, line)
            passed += await _delays(own, line)
        for name, found in (("direct", direct), ("by the proxy", passed)):
            tail = quantiles(found, n=100)
            print(
                f"there and back, {name}: p50 {median(found) * 1000:.3f} ms, p99 {tail[98] * 1000:.3f} ms", flush=True
            )
        added = (median(passed) - median(direct)) / 2 * 1000
        print(f"added to a message: p50 {added:.3f} ms", flush=True)
        answered = await _many(own, line, connections)
        print(f"{answered} of {connections} connections answered, {_memory(proxy.pid):.1f} MB", flush=True)
        marks = [mark for mark in (messages // 10, messages // 2, messages) if mark]
        for count, held in await _talk(own, line, messages, marks, proxy.pid):
            print(f"{count} messages on one connection: {held:.1f} MB", flush=True)
    finally:
        for process in (proxy, server):
            if process is not None:
                process.terminate()
                process.wait()


def main() -> None:
    """Measure, or be the server that is measured with."""
    parser = argparse.ArgumentParser(description="What a proxy costs.")
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--serve", action="store_true")
    arguments = parser.parse_args()
    asyncio.run(_serve() if arguments.serve else measure(arguments.messages, arguments.connections))


if __name__ == "__main__":
    main()
