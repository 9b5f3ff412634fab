"""The tutorials of docs/tutorials work as printed."""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardwire.config import Settings
from boardwire.course.config import TEACHER, load
from boardwire.course.results import read_results, scoreboard
from boardwire.node import Node

TUTORIALS = Path(__file__).parents[1] / "docs" / "tutorials"
CLIENTS = {
    "python": ("client.py", sys.executable),
    "java": ("Client.java", "java"),
    "javascript": ("client.mjs", "node"),
}
SECONDS = 60


def block(page: str, language: str, number: int = 0) -> str:
    """Return a code block of a tutorial."""
    text = (TUTORIALS / page).read_text("utf-8")
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return found[number]


@pytest.fixture
def port() -> Iterator[int]:
    """The tris-lines port of a server in another thread."""
    served: list[int] = []
    ready, done = threading.Event(), threading.Event()

    async def serve() -> None:
        node = Node(Settings(data=":memory:", http="off", listen=("tris-lines=0",)), asyncio.get_running_loop())
        await node.start(say=lambda line: None)
        served.append(node.ports["tris-lines"])
        ready.set()
        await asyncio.to_thread(done.wait)
        await node.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(SECONDS)
    yield served[0]
    done.set()
    thread.join(SECONDS)


@pytest.mark.parametrize("language", CLIENTS)
def test_the_client_plays_a_match_against_that_in_python(language: str, port: int, tmp_path: Path) -> None:
    started = []
    for name in (language, "python"):
        file, program = CLIENTS[name]
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
        (tmp_path / file).write_text(block("client.md", name))
        command = [program, str(tmp_path / file), "127.0.0.1", str(port)]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    results = {process.communicate(timeout=SECONDS)[0].strip() for process in started}
    assert results in ({"won", "lost"}, {"drawn"})


@pytest.mark.parametrize("language", CLIENTS)
def test_the_client_has_fewer_than_a_hundred_lines(language: str) -> None:
    assert 30 < block("client.md", language).count("\n") < 100


def test_the_bot_of_the_tutorial_beats_a_random_one(tmp_path: Path) -> None:
    (tmp_path / "corner.py").write_text(block("bot.md", "python"))
    (tmp_path / "strength.py").write_text(block("bot.md", "python", 1))
    command = [sys.executable, "strength.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=True)
    won, lost = (int(re.findall(rf"{word}=(\d+)", done.stdout)[0]) for word in ("won", "lost"))
    assert won > 3 * lost


def test_the_bot_of_the_tutorial_plays_over_the_wire(port: int, readable_path: Path) -> None:
    (readable_path / "corner.py").write_text(block("bot.md", "python"))
    flags = ["tris", "--dialect", "tris-lines", "--connect", f"127.0.0.1:{port}", "--games", "2", "--bot"]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "boardwire", "bot", *flags, bot], cwd=readable_path, stdout=subprocess.PIPE
        )
        for bot in ("random", "corner:CornerBot")
    ]
    for process in started:
        process.communicate(timeout=SECONDS)
    assert [process.returncode for process in started] == [0, 0]


# --- the course -----------------------------------------------------------------------------------------------------

COURSE = "course.md"


def boardwire(line: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run a printed command of boardwire."""
    words = shlex.split(line)
    assert words[0] == "boardwire", line
    command = [sys.executable, "-m", "boardwire", *words[1:]]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=600, check=True)


def test_the_example_of_the_course_is_valid(tmp_path: Path) -> None:
    init, check, _ = block(COURSE, "sh", 1).splitlines()
    boardwire(init, tmp_path)
    assert "a run has 17 tasks" in boardwire(check, tmp_path).stdout


@pytest.mark.slow
def test_a_teacher_gets_a_scoreboard_with_the_faults_in_their_cells(tmp_path: Path) -> None:
    for line in (*block(COURSE, "sh", 1).splitlines(), *block(COURSE, "sh", 5).splitlines()):
        boardwire(line, tmp_path)
    assert "Team Neri" in (tmp_path / "scores.html").read_text("utf-8")
    course = load(tmp_path / "class")
    board = scoreboard(read_results(course.directory), course, TEACHER)
    found = {(row.team, cell.criterion) for row in board.rows for cell in row.cells if cell.findings}
    assert found == {("neri", "server"), ("bianchi", "client"), ("bianchi", "client-resilience")}
    assert {row.team for row in board.rows} == {"rossi", "bianchi", "verdi", "neri"}
    repeat = next(
        cell.findings[0].repeat for row in board.rows if row.team == "neri" for cell in row.cells if cell.findings
    )
    assert "boardwire check tris-lines" in repeat


def test_every_command_of_the_course_exists(tmp_path: Path) -> None:
    pages = [(TUTORIALS / COURSE).read_text("utf-8"), (TUTORIALS.parent / "it" / "corso.md").read_text("utf-8")]
    printed = {name for page in pages for name in re.findall(r"boardwire course ([a-z]+)", page)}
    told = boardwire("boardwire course --help", tmp_path).stdout
    assert printed == {"init", "check", "run", "serve", "token", "export", "why", "template"}
    assert all(re.search(rf"^│ {name} ", told, re.MULTILINE) for name in printed)
