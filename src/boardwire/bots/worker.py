"""A process that thinks: questions come in by its standard input, replies go out by its standard output.

Rules:

- It is nice to everybody else on the machine.
- It ends when its input does, whatever it is doing: whoever started it has gone, perhaps without a word.
- Nothing that an engine does wrong is more than a fault in the reply; an engine that never comes back is ended by the
  system's own alarm.
- Signals to the group are for who started it: it does not end by them before its questions are answered.
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
from boardwire.bots.worker_messages import Halt, Question, Reply, answer, frame, read_asked, understand

NICENESS: Final = 15
GRACE: Final = 10.0
"""Seconds after which an engine that was to stop is taken for hung."""
STOPS_ANYWAY: Final = 60.0
"""Seconds that a thought takes at most where the question names none."""


class Worker:
    """Reads in one thread, thinks in another."""

    def __init__(self, source: BinaryIO, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
        self._halted = -1

    def run(self) -> None:
        """Answer questions until there is nobody to ask any."""
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            question = self._questions.get()
            seconds = question.level.seconds or STOPS_ANYWAY
            signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)
            reply = self._think(question, monotonic() + seconds)
            signal.setitimer(signal.ITIMER_REAL, 0)
            _send(self._sink, reply)

    def _read(self) -> None:
        while (asked := read_asked(self._source.read)) is not None:
            if isinstance(asked, Halt):
                self._halted = max(self._halted, asked.number)
            else:
                self._questions.put(asked)
        os._exit(0)

    def _think(self, question: Question, end: float) -> Reply:
        number = question.number
        try:
            view, decision = understand(question)
            luck = Random(question.seed).randrange
            thought = consider(
                engine(question.game), view, decision, luck, question.level,
                lambda: self._halted >= number or monotonic() >= end,
            )  # fmt: skip
            return answer(number, thought)
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
            return Reply(number, fault=f"{type(error).__name__}: {error}")


def _send(sink: int, reply: Reply) -> None:
    """Write a reply.  If the reader is gone, the process ends without a traceback: there is nobody to tell."""
    try:
        os.write(sink, frame(reply))
    except BrokenPipeError:
        os._exit(0)


def main() -> None:
    """Serve as a worker."""
    os.nice(NICENESS)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sink = os.dup(1)
    os.dup2(2, 1)  # what an engine prints must not be taken for a reply
    _send(sink, Reply(0))  # ready
    Worker(sys.stdin.buffer, sink).run()


if __name__ == "__main__":
    main()
