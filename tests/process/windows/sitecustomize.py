"""Imported by Python at its start if this folder is in PYTHONPATH: hides what Windows does not have.

Modules, functions and constants of POSIX are gone, the event loop watches neither signals nor sockets, and `msvcrt`
locks files. `sys.platform` stays, since the standard library itself depends on it.
"""

import asyncio
import asyncio.unix_events
import fcntl
import os
import select
import signal
import sys
import types
from typing import Any, NoReturn

HIDDEN = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "uvloop")


def _missing(*arguments: object) -> NoReturn:
    raise NotImplementedError


def _locking(file: int, mode: int, count: int, flock: Any = fcntl.flock) -> None:
    assert (mode, count) == (2, 1)
    flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


for _name in HIDDEN:
    sys.modules[_name] = None  # type: ignore[assignment]  # an import of it fails
for _name in (
    "O_DIRECTORY", "O_NOFOLLOW", "fork", "getegid", "geteuid", "getgid", "getpgid", "getuid", "killpg", "nice",
    "sched_getaffinity", "setpriority", "sysconf", "wait4",
):  # fmt: skip
    delattr(os, _name)
for _name in ("SIGHUP", "SIGXCPU", "SIGUSR1", "setitimer", "alarm"):
    delattr(signal, _name)
del select.poll, select.epoll
for _loop in (asyncio.SelectorEventLoop, asyncio.unix_events._UnixSelectorEventLoop):
    for _name in ("add_reader", "add_writer", "add_signal_handler"):
        setattr(_loop, _name, _missing)
sys.modules["msvcrt"] = _msvcrt = types.ModuleType("msvcrt")
vars(_msvcrt).update(LK_NBLCK=2, locking=_locking)
