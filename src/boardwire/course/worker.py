"""Worker process for one task: reads the task from standard input and writes its result to standard output.

- If the system supports it, a worker has a private loopback interface (`engines.cage.private_loopback`), so that
  programs of teams reach neither the network nor programs of other tasks.
- It exits when its input is closed, even during a task: the course has ended, perhaps by a crash.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import BinaryIO

import msgspec

from boardwire import logs
from boardwire.conformance import language
from boardwire.course import config
from boardwire.course.results import Cell
from boardwire.course.tasks import Workspace, execute
from boardwire.errors import BoardwireError
from boardwire.table.events import encode


class TaskOrder(msgspec.Struct, frozen=True):
    """The task that a worker executes, and its directories."""

    course: str
    task: str
    run: str
    work: str
    files: str


class TaskReply(msgspec.Struct, frozen=True):
    """Cells of a task, and its matches with their events in the journal's encoding; `error` if the task failed."""

    cells: tuple[Cell, ...] = ()
    matches: tuple[tuple[str, tuple[msgspec.Raw, ...]], ...] = ()
    error: str = ""


def main() -> None:
    """Execute one task."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sink = os.dup(1)
    os.dup2(2, 1)  # so that the output of a check is not read as a reply
    logs.configure("error")
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=TaskOrder)
    threading.Thread(target=_exit_at_end, args=(sys.stdin.buffer,), daemon=True).start()
    data = msgspec.json.encode(_reply(order))
    while data:
        data = data[os.write(sink, data) :]
    os._exit(0)  # without waiting for threads of programs that do not end


def _reply(order: TaskOrder) -> TaskReply:
    """Execute a task and return its result; any exception becomes the error of the reply."""
    try:
        course = config.load(order.course)
        language.set_language(course.file.language)
        result = execute(course, order.task, Workspace(Path(order.work), Path(order.files), order.run))
    except BoardwireError as error:
        return TaskReply(error=str(error))
    except Exception as error:  # noqa: BLE001 - the course reports it with the task
        return TaskReply(error=f"{type(error).__name__}: {error}")
    matches = tuple((name, tuple(msgspec.Raw(encode(event)) for event in events)) for name, events in result.matches)
    return TaskReply(result.cells, matches)


def _exit_at_end(source: BinaryIO) -> None:
    while source.read(1):
        pass
    os.killpg(0, signal.SIGKILL)
