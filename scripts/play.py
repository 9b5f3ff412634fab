"""`make play`: build the page, start a server, compile in the background: `python -m scripts.play [FLAGS of serve]`.

- A server without a page still serves every protocol, so a failed build of the page is no reason not to start.
- The server runs in this process, so that signals and its exit code are its own. It interprets what is not compiled
  yet; its bot workers switch over as packages are compiled (`compiled.py`, `PendingBuilds`).
- The compiler is a child at low priority that ends with the server: its standard input is a pipe whose other end only
  the server holds, so even a killed server closes it.
- The child installs mypy first, which playing does not need.
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
    """Build the page, start the compiler if there is something to compile, and become a server."""
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
    os.set_inheritable(write, True)  # over execv; the server's own children close it
    subprocess.Popen(
        [sys.executable, "-m", "scripts.play", COMPILE],
        cwd=hatch_build.ROOT,
        stdin=read,
        start_new_session=True,  # Ctrl-C is for the server
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
        _say("not everything was compiled; `make core` tries again")
    else:
        _say(f"compiled everything in {monotonic() - started:.0f} s: bots use it from their next move on, the server "
             "from its next start on")  # fmt: skip


def _stop_at_end_of_input(scratch: str) -> None:
    """Wait for the end of the server, then end the compilers, which are in this process group, and this process."""
    os.read(0, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the compilers fail in the main thread, as expected
    os.killpg(0, signal.SIGTERM)
    shutil.rmtree(scratch, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)  # a compiler that was started meanwhile, too


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
