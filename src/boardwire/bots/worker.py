"""A worker process that runs engines: it reads questions from standard input and writes replies to standard output.

- It runs at low priority if the system has `nice`.
- It exits when its input is closed, even during a search: the server has ended, perhaps by a crash.
- An exception in an engine becomes a fault in the reply. An engine that hangs is killed by the system's alarm or, where
  there is none (Windows), by the server.
- It ignores signals to the process group, so that it can answer its questions while the server stops.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from random import Random
from time import monotonic
from typing import BinaryIO, Final

from boardwire.bots.engines import engine
from boardwire.bots.levels import consider
from boardwire.bots.worker_messages import (
    Halt,
    Question,
    Reply,
    decode_past,
    decode_question,
    encode_result,
    frame,
    read_request,
)

NICENESS: Final = 15
HANG_GRACE_SECONDS: Final = 10.0
"""Seconds after the time limit until an engine counts as hung."""
DEFAULT_SEARCH_SECONDS: Final = 60.0
"""Time limit in seconds of a search whose question has none."""


class Worker:
    """A worker process: it reads questions in one thread and searches in another."""

    def __init__(self, source: BinaryIO, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
        self._halted = -1

    def run(self) -> None:
        """Answer questions until the input is closed."""
        threading.Thread(target=self._read_requests, daemon=True).start()
        while True:
            question = self._questions.get()
            seconds = question.level.seconds or DEFAULT_SEARCH_SECONDS
            _set_alarm(seconds + HANG_GRACE_SECONDS)
            reply = self._think(question, monotonic() + seconds)
            _set_alarm(0)
            _send(self._sink, reply)

    def _read_requests(self) -> None:
        """Queue questions until the input ends, then exit."""
        while (request := read_request(self._source.read)) is not None:
            if isinstance(request, Halt):
                self._halted = max(self._halted, request.number)
            else:
                self._questions.put(request)
        os._exit(0)

    def _think(self, question: Question, end: float) -> Reply:
        """Search a question until `end`; an exception becomes a fault in the reply."""
        number = question.number
        try:
            view, decision = decode_question(question)
            random_below = Random(question.seed).randrange
            result = consider(
                engine(question.game), view, decision, random_below, question.level,
                lambda: self._halted >= number or monotonic() >= end, decode_past(question),
            )  # fmt: skip
            return encode_result(number, result)
        except Exception as error:  # noqa: BLE001 - the server must get an answer
            return Reply(number, fault=f"{type(error).__name__}: {error}")


def _set_alarm(seconds: float) -> None:
    """Kill this process after `seconds`; 0: never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _send(sink: int, reply: Reply) -> None:
    """Write a reply. If the reader is gone, exit without a traceback."""
    try:
        os.write(sink, frame(reply))
    except BrokenPipeError:
        os._exit(0)


def main() -> None:
    """Run a worker process."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    sink = os.dup(1)
    os.dup2(2, 1)  # to standard error: what an engine prints must not be read as a reply
    _send(sink, Reply(0))  # ready
    Worker(sys.stdin.buffer, sink).run()


if __name__ == "__main__":
    main()
