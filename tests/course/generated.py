"""Generator of classes: teams whose programs are correct, faulty in a known way, crashing or hostile.

    python -m tests.course.generated DIRECTORY 50      # writes a course of fifty teams

Every kind says which criteria its fault must show in; in all others, nothing may be found.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from boardwire.course.config import Criterion

EXAMPLE: Final = Path(__file__).parents[2] / "src" / "boardwire" / "course" / "example" / "teams"
CLIENT: Final = (EXAMPLE / "rossi" / "client.py").read_text("utf-8")
SERVER: Final = (EXAMPLE / "verdi" / "server.py").read_text("utf-8")

B, S, C = Criterion.BUILD, Criterion.SERVER, Criterion.CLIENT
SR, CR = Criterion.SERVER_RESILIENCE, Criterion.CLIENT_RESILIENCE
SM, CM, T = Criterion.SERVER_MATCHES, Criterion.CLIENT_MATCHES, Criterion.TOURNAMENT


class TeamKind(NamedTuple):
    """A kind of team: its programs, its build, and the criteria in which its fault shows."""

    name: str
    client: str = CLIENT
    server: str = SERVER
    build: str = "python3 -m py_compile client.py server.py"
    shows: frozenset[Criterion] = frozenset()
    may_show: frozenset[Criterion] = frozenset()
    """Criteria in which the fault shows in some runs: it depends on what is played."""


def changed(program: str, old: str, new: str) -> str:
    """Return a program with a fault."""
    assert old in program, f"the example has no {old!r} any more"
    return program.replace(old, new)


def shown(*criteria: Criterion) -> frozenset[Criterion]:
    return frozenset(criteria)


_HOSTILE_START: Final = """
import os, socket, threading, time
for path in ("/etc/passwd", "../../../course.toml", "../../course.toml", os.path.expanduser("~/.bashrc")):
    try:
        open(path, "a").write("hostile")
    except OSError:
        pass
try:
    os.kill(-1, 9)
except OSError:
    pass
for port in range(1, 65536, 97):
    try:
        socket.create_connection(("127.0.0.1", port), 0.01).sendall(b"x" * 100)
    except OSError:
        pass
"""
_FORK_BOMB: Final = """
import os
for _ in range(100000):
    try:
        os.fork()
    except OSError:
        pass
"""
_MEMORY_HOG: Final = "hoard = []\nwhile True:\n    hoard.append(bytearray(1 << 24))\n"
_SPIN: Final = "while True:\n    print('x' * 1000, flush=True)\n"

KINDS: Final = {
    one.name: one
    for one in (
        TeamKind("correct"),
        TeamKind(
            "framing", changed(CLIENT, "        *lines, data = data.split(b\"\\n\")\n        for line in lines:\n",
                               "        lines, data = [data], b\"\"\n        for line in lines:\n"),
            shows=shown(C), may_show=shown(CR, CM, T),
        ),
        TeamKind(
            "hangs", changed(CLIENT, "        if not more:\n            return\n",
                             "        if not more:\n            __import__('time').sleep(0.1)\n            continue\n"),
            shows=shown(C, CR),
        ),
        TeamKind(
            "occupied-cells", shows=shown(S),
            server=changed(SERVER, "if move is None or self.board[int(move[1])]:", "if move is None:"),
        ),
        TeamKind(
            "no-diagonals", server=changed(SERVER, ", (0, 4, 8), (2, 4, 6))", ")"), shows=shown(S),
            may_show=shown(SR, SM),
        ),
        TeamKind(
            "silent-leave", server=changed(SERVER, '.say("DISCONNECTED")', ""), shows=shown(S),
        ),
        TeamKind(
            "swapped-result", server=changed(SERVER, 'self.end("W", f"{shown}L")', 'self.end("L", f"{shown}W")'),
            shows=shown(S, SM), may_show=shown(SR),
        ),
        TeamKind(
            "dies-when-left", server=changed(SERVER, "        if not self.is_over:\n            self.is_over = True\n",
                                      "        if not self.is_over:\n            __import__('os')._exit(3)\n"),
            shows=shown(S, SR),
        ),
        TeamKind("no-build", build="python3 -c 'import sys; sys.exit(2)'", shows=shown(B, S, C, SR, CR, SM, CM, T)),
        TeamKind("no-port", server="import time\ntime.sleep(1000)\n", shows=shown(S, SR, SM)),
        TeamKind("no-connection", client="import time\ntime.sleep(1000)\n", shows=shown(C, CR, CM, T)),
        TeamKind("client-ends", client="print('no')\n", shows=shown(C, CR, CM, T)),
        TeamKind(
            "client-crashes", changed(CLIENT, "            board[cell] = mark\n", "            os.abort()\n")
            .replace("import random", "import os\nimport random"), shows=shown(C, CR, CM, T),
        ),
        TeamKind("server-ends", server="raise SystemExit(1)\n", shows=shown(S, SR, SM)),
        TeamKind("fork-bomb", client=_FORK_BOMB, server=_FORK_BOMB, shows=shown(S, C, SR, CR, SM, CM, T)),
        TeamKind("memory-hog", client=_MEMORY_HOG, server=_MEMORY_HOG, shows=shown(S, C, SR, CR, SM, CM, T)),
        TeamKind("spins", client=_SPIN, server=_SPIN, shows=shown(S, C, SR, CR, SM, CM, T)),
        TeamKind("attacks", client=_HOSTILE_START + CLIENT, server=_HOSTILE_START + SERVER),
    )
}  # fmt: skip
FIFTY: Final = (
    *["correct"] * 30, *(name for name in KINDS if name != "correct"), "framing", "hangs", "occupied-cells",
)  # fmt: skip


def write_course(directory: Path, kinds: Sequence[str], *, concurrency: int = 2, timing: str = "") -> dict[str, str]:
    """Write a course with a team of each kind; return the kind of each team."""
    lines = [
        'name = "Generated"', 'game = "tris"', 'protocol = "tris-lines"', f"concurrency = {concurrency}",
        "[limits]", "cpu_seconds = 20", "memory_bytes = 268435456", "processes = 32", "niceness = 5", "[timing]",
        timing,
    ]  # fmt: skip
    found = {}
    for number, name in enumerate(kinds, 1):
        kind, team = KINDS[name], f"t{number:02}-{name}"
        home = directory / "teams" / team
        home.mkdir(parents=True)
        (home / "client.py").write_text(kind.client, "utf-8")
        (home / "server.py").write_text(kind.server, "utf-8")
        lines += [
            "[[team]]", f'name = "{team}"', f'directory = "teams/{team}"', f'build = "{kind.build}"',
            'server.run = "python3 server.py {port}"', 'client.run = "python3 client.py {host} {port}"',
        ]  # fmt: skip
        found[team] = name
    (directory / "course.toml").write_text("\n".join(lines) + "\n", "utf-8")
    return found


def main() -> None:
    """Write a course of as many teams as asked for, the first of `FIFTY`, and print its kinds."""
    directory, count = Path(sys.argv[1]), int(sys.argv[2])
    chosen = FIFTY[: count - count // 2] + FIFTY[30 : 30 + count // 2] if count < len(FIFTY) else FIFTY
    for team, kind in write_course(directory, chosen[:count]).items():
        print(team, kind)


if __name__ == "__main__":
    main()
