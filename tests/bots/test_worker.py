"""The process in which search bots think."""

from __future__ import annotations

import subprocess

from boardwire.bots.levels import Level
from boardwire.bots.pool import COMMAND
from boardwire.bots.worker_messages import encode_question, frame
from boardwire.games import tris

SECONDS = 60.0
"""Time that a loaded machine may take for anything here."""


def worker() -> subprocess.Popen[bytes]:
    return subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)


def test_a_worker_whose_parent_reads_no_reply_ends_quietly() -> None:
    position = tris.new(tris.Options(), 2)
    decision = tris.pending(position)
    assert decision is not None
    question = encode_question(1, "tris", tris.view(position, 0), decision, Level(1, seconds=1.0), 1)
    with worker() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(4), "it is ready"
        process.stdout.close()
        process.stdin.write(frame(question))  # the pipe stays open: only the reader of replies is gone
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == b""


def test_a_worker_whose_parent_is_gone_before_it_is_ready_ends_quietly() -> None:
    with worker() as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == b""
