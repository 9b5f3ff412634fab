"""Cost of the proxy: memory over a long conversation and with many connections, and added latency.

    .venv/bin/python -m bench.proxy --messages 1000000 --connections 1000

- The conversation is santorini-lobby's heartbeat, which its specification allows without limit: PING and its answer.
- The server and the proxy are separate processes; this process is the client.
- Latency is the round trip of a PING, with and without the proxy in turns. The proxy delays each of the two messages by
  half of the difference.
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
"""Pings in flight during the long conversation."""
TRIPS = 2000
"""Pings that are timed per round, one after the other."""
ROUNDS = 5


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Echo all data, so that the driver can be both ends of the conversation."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def _memory(pid: int) -> float:
    """Return the resident memory of a process in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


async def _exchange(port: int, line: bytes, count: int, marks: Sequence[int], pid: int) -> list[tuple[int, float]]:
    """Exchange `count` messages; return the proxy's memory after each number of messages in `marks`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    measured: list[tuple[int, float]] = []
    echoed = 0
    while 2 * echoed < count:
        writer.write(line * BURST)
        await writer.drain()
        await reader.readexactly(len(line) * BURST)
        echoed += BURST
        if len(measured) < len(marks) and 2 * echoed >= marks[len(measured)]:
            await asyncio.sleep(1.0)  # let the proxy work off its queues: only lasting memory counts
            measured.append((2 * echoed, _memory(pid)))
    writer.close()
    return measured


async def _round_trips(port: int, line: bytes) -> list[float]:
    """Return the seconds of round trips on one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found = []
    for _ in range(TRIPS):
        began = time.perf_counter()
        writer.write(line)
        await reader.readexactly(len(line))
        found.append(time.perf_counter() - began)
    writer.close()
    return found


async def _answered_connections(port: int, line: bytes, count: int) -> int:
    """Open connections at the same time and send a line on each; return how many were answered."""
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
    """Start server and proxy, and print the figures."""
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
        proxy_port = int(proxy.stdout.readline().rpartition(":")[2])
        print(f"proxy: {_memory(proxy.pid):.1f} MB before the first connection", flush=True)
        direct: list[float] = []
        passed: list[float] = []
        for _ in range(ROUNDS):
            direct += await _round_trips(port, line)
            passed += await _round_trips(proxy_port, line)
        for name, found in (("direct", direct), ("through the proxy", passed)):
            tail = quantiles(found, n=100)
            print(f"round trip, {name}: p50 {median(found) * 1000:.3f} ms, p99 {tail[98] * 1000:.3f} ms", flush=True)
        added = (median(passed) - median(direct)) / 2 * 1000
        print(f"added per message: p50 {added:.3f} ms", flush=True)
        answered = await _answered_connections(proxy_port, line, connections)
        print(f"{answered} of {connections} connections answered, {_memory(proxy.pid):.1f} MB", flush=True)
        marks = [mark for mark in (messages // 10, messages // 2, messages) if mark]
        for count, held in await _exchange(proxy_port, line, messages, marks, proxy.pid):
            print(f"{count} messages on one connection: {held:.1f} MB", flush=True)
    finally:
        for process in (proxy, server):
            if process is not None:
                process.terminate()
                process.wait()


def main() -> None:
    """Measure the proxy, or run the echo server behind it."""
    parser = argparse.ArgumentParser(description="Measure the cost of the proxy.")
    parser.add_argument("--messages", type=int, default=1_000_000, help="messages of the long conversation")
    parser.add_argument("--connections", type=int, default=1000, help="concurrent connections")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    asyncio.run(_serve() if arguments.serve else measure(arguments.messages, arguments.connections))


if __name__ == "__main__":
    main()
