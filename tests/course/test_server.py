"""The HTTP side of a course."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from boardwire.course import config
from boardwire.course.config import Course, new_token
from boardwire.course.results import read_results
from boardwire.course.server import seconds_until

from .test_runner import example, needs_cages

TEAM_TOKEN, TEAM_HASH = new_token()
OTHER_TOKEN, OTHER_HASH = new_token()
TEACHER_TOKEN, TEACHER_HASH = new_token()


def with_tokens(directory: Path) -> Course:
    """Return the example with two teams, tokens, and pushes that only build."""
    course = example(directory, "rossi", "verdi")
    file = course.directory / "course.toml"
    text = file.read_text("utf-8").replace("[schedule]", f'teacher_token_hash = "{TEACHER_HASH}"\n[schedule]')
    text = text.replace(
        '# push = ["build", "server", "client", "server-resilience", "client-resilience"]', 'push = ["build"]'
    )
    for team, stored in (("rossi", TEAM_HASH), ("verdi", OTHER_HASH)):
        text = text.replace(f'directory = "teams/{team}"\n', f'directory = "teams/{team}"\ntoken_hash = "{stored}"\n')
    file.write_text(text, "utf-8")
    return config.load(course.directory)


@contextmanager
def serving(course: Course) -> Iterator[str]:
    command = [sys.executable, "-m", "boardwire", "course", "serve", str(course.directory), "--listen", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.fullmatch(r"listening http (\S+)\n", process.stdout.readline())
        assert found is not None
        assert process.stdout.readline() == "ready\n"
        yield f"http://{found[1]}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert process.returncode == 0


def ask(url: str, token: str = "", method: str = "GET") -> tuple[int, bytes]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(url, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


@needs_cages
def test_a_push_begins_a_run_of_the_tokens_team(tmp_path: Path) -> None:
    course = with_tokens(tmp_path)
    with serving(course) as url:
        push = f"{url}/api/course/push"
        assert ask(push, "", "POST")[0] == 401
        assert ask(f"{push}?team=verdi", TEAM_TOKEN, "POST")[0] == 403
        assert ask(push, TEACHER_TOKEN, "POST")[0] == 422
        assert ask(f"{push}?team=nobody", TEACHER_TOKEN, "POST")[0] == 422
        assert ask(push, TEAM_TOKEN, "GET")[0] == 405
        answers = [msgspec.json.decode(ask(push, TEAM_TOKEN, "POST")[1]) for _ in range(2)]
        assert [answer["waits"] for answer in answers] == [False, True]
    (run,) = read_results(course.directory)
    assert (run.info.team, run.info.cause, run.info.tasks) == ("rossi", "push", ("build/rossi",))


def test_the_next_night_is_today_or_tomorrow() -> None:
    assert seconds_until("02:00", datetime(2026, 11, 1, 1, 59, 30)) == 30
    assert seconds_until("02:00", datetime(2026, 11, 1, 2, 0)) == 24 * 3600


def test_a_course_without_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "boardwire", "course", "serve", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"boardwire: {tmp_path / 'course.toml'} does not exist; ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("language", ["java", "python"])
def test_a_template_is_a_course_of_one_team(tmp_path: Path, language: str) -> None:
    command = [sys.executable, "-m", "boardwire", "course", "template", language, str(tmp_path / "repository")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60)
    assert [team.name for team in config.load(tmp_path / "repository").teams] == ["me"]
    assert (tmp_path / "repository" / ".gitlab-ci.yml").exists()
