"""Exclusive lock on an open file; the system releases it when the process ends."""

from __future__ import annotations

from importlib import import_module
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # a module or None, tested below


def lock(file: IO[str]) -> None:
    """Lock a file for this process; raise `OSError` if another process has locked it."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    msvcrt: Any = import_module("msvcrt")
    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
