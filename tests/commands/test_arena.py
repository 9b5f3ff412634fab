"""`boardwire arena` and `boardwire rate`, as a user runs them."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boardwire import cli

from .. import fork_server

FILE = """
game = "tris"
games = 4
concurrency = 1
[[participant]]
levels = [1, 5, 10]
"""


def boardwire(*arguments: object, directory: Path) -> subprocess.CompletedProcess[str]:
    return fork_server.boardwire_text(*map(str, arguments), directory=directory)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a finished tournament."""
    found = tmp_path_factory.mktemp("arena")
    (found / "cup.toml").write_text(FILE)
    done = boardwire("arena", "cup.toml", directory=found)
    assert done.returncode == 0, done.stderr
    return found


def test_the_last_line_of_json_is_the_table(place: Path) -> None:
    done = boardwire("arena", "cup.toml", "--json", directory=place)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1] == lines[:-1], "the tournament was over, so there is no match before the participants"
    assert {row["name"] for row in lines[-1]} == {"level 1", "level 5", "level 10"}
    assert all({"played", "won", "drawn", "lost", "elo", "error"} <= set(row) for row in lines[-1])
    assert sum(row["played"] for row in lines[-1]) == 24


def test_reports_are_written(place: Path) -> None:
    flags = ("--html", "r.html", "--csv", "r.csv", "--records", "r.txt")
    done = boardwire("arena", "cup.toml", *flags, directory=place)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("12 matches are already in ")
    assert (place / "r.html").read_text().startswith("<!doctype html>")
    assert (place / "r.csv").read_text().startswith("name,played,")
    assert (place / "r.txt").read_text().count("[Match ") == 12


def test_rate_gives_the_same_figures(place: Path) -> None:
    arena = boardwire("arena", "cup.toml", "--json", directory=place).stdout.splitlines()
    rated = boardwire("rate", "--data", "cup.arena", "--json", directory=place)
    assert rated.returncode == 0, rated.stderr
    assert rated.stdout.splitlines()[-1] == arena[-1]
    assert boardwire("rate", "cup.arena", "--json", directory=place).stdout == rated.stdout


def test_stored_matches_are_listed_and_replayed(place: Path) -> None:
    listed = boardwire("matches", "--data", "cup.arena", "--json", directory=place).stdout.splitlines()
    assert len(listed) == 12
    replayed = boardwire("replay", json.loads(listed[0])["id"], "--data", "cup.arena", "--json", directory=place)
    assert json.loads(replayed.stdout.splitlines()[-1])["event"] == "ended"


def test_the_example_runs(tmp_path: Path) -> None:
    written = boardwire("arena", "init", directory=tmp_path)
    assert written.stdout == "wrote arena.toml; run it with: boardwire arena arena.toml\n"
    text = (tmp_path / "arena.toml").read_text().replace("games = 20 ", "games = 2 ")
    (tmp_path / "arena.toml").write_text(text)
    done = boardwire("arena", "arena.toml", directory=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "10/10" in done.stdout
    again = boardwire("arena", "init", directory=tmp_path)
    assert (again.returncode, again.stderr) == (1, "boardwire: arena.toml already exists; choose another name\n")


def test_a_knockout_prints_its_order_and_json_has_a_line_for_each_match(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(FILE.replace("games = 4", 'games = 2\nformat = "knockout"'))
    done = boardwire("arena", "cup.toml", "--json", directory=tmp_path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    matches = [line for line in lines if isinstance(line, dict) and "match" in line]
    assert sum(row["played"] for row in lines[-1]) == 2 * len(matches)
    again = boardwire("arena", "cup.toml", directory=tmp_path)
    assert again.stdout.splitlines()[-1].startswith("knockout: 1 level ")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_stops_the_tournament_politely(tmp_path: Path, number: signal.Signals, code: int) -> None:
    (tmp_path / "cup.toml").write_text(FILE.replace("games = 4", "games = 20000"))
    command = [sys.executable, "-m", "boardwire", "arena", "cup.toml"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("1/")
    process.send_signal(number)
    out, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (code, "")
    assert out.splitlines()[-1].startswith("stopped; the same command continues with the rest (")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("arena", "none.toml"), 2, "cannot read none.toml: No such file"),
        (("arena", "cup.toml", "--sprt", "elo0=0,elo1=5"), 2, "SPRT compares two participants"),
        (("arena", "cup.toml", "--concurrency", "0"), 2, "must be from 1 to 256"),
        (("arena", "cup.toml", "--csv", "no/such/dir.csv"), 2, "does not exist"),
        (("rate", "cup.toml"), 2, "is not an exported match"),
        (("rate", "--data", "cup.arena", "--anchor", "x"), 2, "no rated match has a player"),
        (("rate", "--data", "cup.arena", "--game", "forza"), 1, "no finished match"),
        (("rate", "--data", "nowhere"), 1, "there are no matches in nowhere"),
        (("rate", "cup.arena", "--data", "x"), 2, "files, --data and --store exclude each other"),
    ],
)
def test_wrong_usage_is_a_sentence(
    place: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(place)
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    error = capsys.readouterr().err
    assert (ended.value.code, words in error) == (code, True), error
    assert "Traceback" not in error
