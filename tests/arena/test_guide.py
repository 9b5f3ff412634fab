"""The guide's programs and files run as they are printed, with fewer matches."""

import re
import subprocess
import sys
from pathlib import Path

GUIDE = (Path(__file__).parents[2] / "docs" / "arena.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_the_gauntlet_of_the_guide_is_played(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(blocks("python")[0])
    (tournament,) = blocks("toml")
    (tmp_path / "gauntlet.toml").write_text(tournament.replace("games = 40", "games = 2"))
    command = [sys.executable, "-m", "boardwire", "arena", "gauntlet.toml", "--html", "report.html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "10/10" in done.stdout
    assert "forfeits" not in done.stdout
    assert (tmp_path / "report.html").exists()


def test_the_python_of_the_guide_runs() -> None:
    exec(compile(blocks("python")[1], "docs/arena.md", "exec"), {})
