"""Network programs in the arena: clients that connect to us, and servers to which we connect, in real processes."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boardwire.arena.config import check
from boardwire.arena.runner import run
from boardwire.store.archive import Archive
from boardwire.table.match import fold

from .. import fork_server

BOARDWIRE = f"{sys.executable} -m boardwire"


def client(game: str, dialect: str, bot: str = "greedy", **keys: Any) -> dict[str, Any]:
    command = (
        f"{BOARDWIRE} bot {game} --dialect {dialect} --connect {{host}}:{{port}} --bot {bot} --players {{players}}"
    )
    return {"name": f"{bot} by {dialect}", "dialect": dialect, "listen": 0, "run": command, **keys}


@contextmanager
def server(*flags: str) -> Iterator[int]:
    """A server of ours that fills its tables with bots; the port of its dialect."""
    process = fork_server.Process("serve", "--data", ":memory:", "--http", "off", *flags, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        found = re.search(r":(\d+)$", process.stdout.readline())
        assert found is not None
        yield int(found[1])
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_clients_of_two_protocols_and_a_level_meet(tmp_path: Path) -> None:
    participants = [client("santorini", "santorini-lobby"), client("santorini", "santorini-actions"), {"levels": [3]}]
    one = check({"game": "santorini", "participant": participants}, tmp_path)
    table = run(one)
    assert [row.played for row in table.standings] == [4, 4, 4]
    assert all(not row.losses for row in table.standings)
    with Archive(one.data) as archive:
        matches = [fold(archive.events(name)) for name in archive.names()]
    seats = {(player.name, player.dialect, player.bot) for match in matches for player in match.players if player}
    assert seats == {
        ("greedy by santorini-lobby", "santorini-lobby", ""),
        ("greedy by santorini-actions", "santorini-actions", ""),
        ("level 3", "native", "search:3"),
    }


def test_a_client_that_does_not_come_or_answers_too_late_forfeits(tmp_path: Path) -> None:
    absent = {"name": "absent", "dialect": "tris-lines", "listen": 0, "run": f"{sys.executable} -c 'exit(\"gone\")'"}
    late = client("tris", "tris-lines", "random", name="late", budget={"seconds": 0.001})
    late["run"] = (
        f"{sys.executable} -c 'import socket,time; s=socket.create_connection((\"{{host}}\",{{port}})); time.sleep(60)'"
    )
    one = check({"game": "tris", "participant": [absent, late, {"levels": [3]}], "format": "gauntlet"}, tmp_path)
    table = run(one)
    assert {row.name: row.losses for row in table.standings} == {"absent": {"start": 4}, "late": {}, "level 3": {}}
    other = check({"game": "tris", "participant": [late, {"levels": [3]}]}, tmp_path, data=str(tmp_path / "late"))
    assert {row.name: row.losses for row in run(other).standings} == {"late": {"time": 2}, "level 3": {}}


def test_a_server_plays_and_the_match_is_recorded(tmp_path: Path) -> None:
    with server("--fill", "0.2", "--bot", "search:5", "--listen", "forza-lines=0") as port:
        host = {"name": "host", "dialect": "forza-lines", "connect": f"127.0.0.1:{port}"}
        one = check({"game": "forza", "participant": [host, {"levels": [2]}]}, tmp_path)
        table = run(one)
    assert {row.name: row.played for row in table.standings} == {"host": 2, "level 2": 2}
    with Archive(one.data) as archive:
        matches = [fold(archive.events(name)) for name in archive.names()]
    assert all(match.moves >= 7 and match.outcome is not None for match in matches)


def test_a_client_with_limits_plays_in_a_cage(tmp_path: Path) -> None:
    directory = Path(__file__).parents[2] / "src" / "boardwire" / "course" / "example" / "teams" / "rossi"
    shutil.copytree(directory, tmp_path / "client")
    limited = {
        "name": "limited", "dialect": "tris-lines", "listen": 0, "run": "python3 client.py {host} {port}",
        "directory": "client", "limits": {"cpu_seconds": 20},
    }  # fmt: skip
    table = run(check({"game": "tris", "participant": [limited, {"levels": [1]}]}, tmp_path))
    assert [row.played for row in table.standings] == [2, 2]
    assert all(not row.losses for row in table.standings)
