"""Programs in a cage that talk over TCP."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from boardwire.engines.cage import CageLimits, CageTool, NetworkAccess, Protection, best_cage_tool, private_loopback
from boardwire.engines.network_program import LOG_TAIL_BYTES, NetworkProgram
from boardwire.errors import Malformed

needs_bubblewrap = pytest.mark.skipif(
    best_cage_tool() is not CageTool.BUBBLEWRAP, reason="bubblewrap cannot be used here"
)
LIMITS = CageLimits(cpu_seconds=20, memory_bytes=1 << 28, processes=16)
WAIT_SECONDS = 20.0
TRY_PORTS = """
import socket, sys
for port in map(int, sys.argv[1:]):
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as one:
            print(port, one.recv(10).decode(), flush=True)
    except OSError as error:
        print(port, "closed", flush=True)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    directory = tmp_path / "team"
    directory.mkdir()
    directory.chmod(0o755)
    return directory


def started(home: Path, text: str, *arguments: object, **options: Any) -> NetworkProgram:
    (home / "program.py").write_text(text)
    return NetworkProgram(["python3", "program.py", *map(str, arguments)], LIMITS, home, **options)


def answered(listening: socket.socket, words: bytes) -> None:
    listening.settimeout(WAIT_SECONDS)
    one, _ = listening.accept()
    one.sendall(words)
    one.close()


def printed(program: NetworkProgram) -> list[str]:
    assert program.wait(WAIT_SECONDS)
    program.stop()
    return program.log().splitlines()


def test_a_program_reaches_the_network_of_its_parent(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as ours:
        program = started(home, TRY_PORTS, ours.getsockname()[1])
        answered(ours, b"hello")
        assert printed(program) == [f"{ours.getsockname()[1]} hello"]
        assert Protection.NO_NETWORK not in program.protections


@needs_bubblewrap
def test_a_program_that_is_alone_on_its_network_reaches_one_port_only(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as ours:
        other = ours.getsockname()[1]
        program = started(home, TRY_PORTS, 40000, other, served_port=40000)
        assert program.listening is not None
        answered(program.listening, b"hello")
        assert printed(program) == ["40000 hello", f"{other} closed"]


@needs_bubblewrap
def test_a_build_has_no_network_and_may_write_to_its_directory(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as ours:
        text = f"{TRY_PORTS}\nopen('made', 'w').write('x')\n"
        program = started(home, text, ours.getsockname()[1], network=NetworkAccess.NONE, writable=home)
        assert printed(program) == [f"{ours.getsockname()[1]} closed"]
    assert (home / "made").read_text() == "x"


def test_arguments_stay_as_they_are_even_if_files_have_their_names(home: Path) -> None:
    (home / "part").mkdir()
    assert printed(started(home, "import sys; print(*sys.argv)", "part", "x")) == ["program.py part x"]


def test_only_the_end_of_what_it_prints_is_kept(home: Path) -> None:
    program = started(home, "print('x' * 1000000); print('end')")
    assert printed(program)[-1] == "end"
    assert len(program.log()) <= LOG_TAIL_BYTES
    assert program.exit_status == 0


def test_its_standard_input_is_a_file_or_empty(home: Path) -> None:
    (home / "keys.txt").write_text("one\ntwo\n")
    text = "import sys; print(sys.stdin.read().split())"
    assert printed(started(home, text, typed=home / "keys.txt")) == ["['one', 'two']"]
    assert printed(started(home, text)) == ["[]"]
    with pytest.raises(Malformed, match=r"cannot read .*nothing\.txt"):
        started(home, text, typed=home / "nothing.txt")


def test_stopping_ends_every_descendant(home: Path) -> None:
    text = "import os, time\nos.fork()\nprint(os.getpid(), flush=True)\ntime.sleep(1000)"
    program = started(home, text)
    end = time.monotonic() + WAIT_SECONDS
    while len(program.log().split()) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    program.stop()
    program.stop()
    assert program.has_ended
    assert program.exit_status == -9


@needs_bubblewrap
def test_a_private_loopback_is_up_and_apart_from_ours() -> None:
    with socket.create_server(("127.0.0.1", 0)) as ours:
        script = (
            "import socket\n"
            "with socket.create_server(('127.0.0.1', 0)) as own: socket.create_connection(own.getsockname()).close()\n"
            f"try: socket.create_connection(('127.0.0.1', {ours.getsockname()[1]}), 5)\n"
            "except ConnectionRefusedError: print('apart')\n"
        )
        argv, is_private = private_loopback([sys.executable, "-c", script])
        assert is_private
        assert subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60).stdout == "apart\n"
