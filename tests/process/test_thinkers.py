"""The processes in which a real server's bots think: they end with it, however it ends."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from .test_serve import SECONDS, serving, tris

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="children are read from /proc")


def children(pid: int) -> set[int]:
    """The processes that a process has started and that live."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == pid and state != "Z":
            found.add(int(stat.parent.name))
    return found


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_bot_plays_on_when_its_process_is_killed_and_no_process_outlives_the_server() -> None:
    with serving(*tris(), "--fill", "0.1", "--bot", "search:8") as server, closing(server.connect()) as player:
        assert player.line() == "WAIT"
        assert player.line() == "READY"
        player.send("4")
        assert player.line() == "OK"
        assert player.line().count("2") == 1, "the bot has moved"
        (worker,) = children(server.process.pid)
        assert os.getpriority(os.PRIO_PROCESS, worker) > 0, "it is nice to others"
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: not lives(worker))
        board = server.connect()  # someone else comes, and its bot needs a process as well
        assert (board.line(), board.line()) == ("WAIT", "READY")
        board.send("0")
        assert board.line() == "OK"
        assert board.line().count("2") == 1
        board.close()
        (worker,) = children(server.process.pid)
        code, _, _ = server.stop(signal.SIGTERM)
        assert code == 0
        assert not lives(worker)


def test_no_process_outlives_a_server_that_is_killed() -> None:
    with serving(*tris(), "--fill", "0.1", "--bot", "search:8") as server, closing(server.connect()) as player:
        assert (player.line(), player.line()) == ("WAIT", "READY")
        player.send("4")
        assert (player.line(), player.line().count("2")) == ("OK", 1)
        (worker,) = children(server.process.pid)
        server.process.kill()
        server.process.wait()
        wait_for(lambda: not lives(worker))
