"""`make play`: compiling beside a server."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]

COMPILE = """
import subprocess, sys
from scripts import environment, play
import hatch_build

environment.pip = lambda *requirements: print("pip", file=sys.stderr)
hatch_build.outdated_packages = lambda: []

def compile_packages():
    print("compiling", file=sys.stderr, flush=True)
    subprocess.run([sys.executable, "-c", {compiler!r}])
    print("compiled", file=sys.stderr, flush=True)

hatch_build.compile_packages = compile_packages
play.main(["--compile"])
"""

ENDLESS = """
import sys, tempfile, time

tempfile.mkdtemp()
print("running", file=sys.stderr, flush=True)
time.sleep(60)
"""


def compiling(compiler: str, scratch: Path) -> subprocess.Popen[str]:
    """Start the background compiler with a `compiler` written in Python."""
    return subprocess.Popen(
        [sys.executable, "-c", COMPILE.format(compiler=compiler)],
        cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    )  # fmt: skip


def has_processes(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_compiler_says_what_it_does_and_that_it_is_done(tmp_path: Path) -> None:
    child = compiling("", tmp_path)
    assert child.stderr is not None
    lines = [child.stderr.readline().strip() for _ in range(5)]
    assert child.wait(60) == 0
    assert lines[1:4] == ["pip", "compiling", "compiled"]
    assert "in the background" in lines[0]
    assert "bots use it from their next move on" in lines[4]
    assert list(tmp_path.iterdir()) == []
    child.communicate()


def test_the_compiler_ends_with_the_server_and_leaves_nothing(tmp_path: Path) -> None:
    child = compiling(ENDLESS, tmp_path)
    assert child.stderr is not None
    assert child.stdin is not None
    while child.stderr.readline().strip() != "running":
        pass
    child.stdin.close()  # which the end of the server does
    child.wait(30)
    assert child.stderr.read() == ""
    child.stderr.close()
    end = time.monotonic() + 30
    while has_processes(child.pid):  # until init has reaped the compiler
        assert time.monotonic() < end
        time.sleep(0.01)
    assert list(tmp_path.iterdir()) == []
