"""`make play`: build the page, start a server, compile in the background: `python -m scripts.play [FLAGS of serve]`.

- If the build of the page fails, the server starts without it, since it still serves every protocol.
- The server replaces this process, so that it receives signals and returns its own exit code. It interprets packages
  that are not compiled yet; its bot workers switch to compiled ones as they become available (`compiled.py`,
  `PendingBuilds`).
- The compiler is a child at low priority that ends with the server: its standard input is a pipe whose other end only
  the server holds, so that even a killed server closes it.
- The child first installs mypy, which playing does not need.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import monotonic
from typing import Final

import hatch_build

from scripts import environment

NICENESS: Final = 10
COMPILE: Final = "--compile"
"""Argument with which the child runs this module."""


def main(arguments: list[str]) -> None:
    """Build the page, start the compiler if a package is outdated, and become a server."""
    if arguments == [COMPILE]:
        compile_until_end_of_input()
        return
    try:
        hatch_build.build()
    except (OSError, SystemExit, subprocess.CalledProcessError) as error:
        _say(f"cannot build the page; the server starts without it: {error}")
    if hatch_build.outdated_packages() and not os.environ.get("BOARDWIRE_INTERPRETED"):
        if hatch_build.wants_compiled():
            _start_compiler()
        else:
            _say("no C compiler found: the rules and the bots are interpreted, which is slower")
    boardwire = Path(sys.executable).with_name("boardwire")
    os.execv(boardwire, [str(boardwire), "serve", *arguments])


def _start_compiler() -> None:
    read, write = os.pipe()
    os.set_inheritable(write, True)  # to survive execv; children of the server close it
    subprocess.Popen(
        [sys.executable, "-m", "scripts.play", COMPILE],
        cwd=hatch_build.ROOT,
        stdin=read,
        start_new_session=True,  # so that Ctrl-C reaches only the server
    )
    os.close(read)


def compile_until_end_of_input() -> None:
    """Install the compiler and compile; stop at the end of standard input."""
    os.nice(NICENESS)
    signal.signal(signal.SIGTERM, lambda number, frame: None)  # not SIG_IGN, which the compilers would inherit
    scratch = tempfile.mkdtemp(prefix="boardwire-")
    tempfile.tempdir = os.environ["TMPDIR"] = scratch  # for all compilers, so that they leave no files
    threading.Thread(target=_stop_at_end_of_input, args=(scratch,), daemon=True).start()
    started = monotonic()
    _say("compiling in the background; until that is done, bots think more slowly")
    try:
        environment.pip(*hatch_build.compiler_requirements())
        hatch_build.compile_packages()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if hatch_build.outdated_packages():
        _say("some packages could not be compiled; try again with `make core`")
    else:
        _say(f"compiled everything in {monotonic() - started:.0f} s: bots use it from their next move on, the server "
             "from its next start on")  # fmt: skip


def _stop_at_end_of_input(scratch: str) -> None:
    """Wait for the end of the server, then end the compilers, which are in this process group, and this process."""
    os.read(0, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the compilers fail in the main thread, as expected
    os.killpg(0, signal.SIGTERM)
    shutil.rmtree(scratch, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)  # also ends compilers that were started meanwhile


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
