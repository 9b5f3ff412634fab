"""The HTTP side of a course: what the public, a team and the teacher may see and do, route by route."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.api.api_fixture import Client
from tests.course.stored import MATCH, RUN, START, TOKENS, store_run, write_course

from boardwire.api.app import application
from boardwire.api.context import ApiContext
from boardwire.course import config
from boardwire.course.config import Criterion
from boardwire.course.results import RunInfo
from boardwire.course.site import PUSH_BURST, CourseSite
from boardwire.errors import Malformed
from boardwire.simulation.server import SimulatedServer


class FakeRuns:
    """Runs that are begun and never executed."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Criterion, ...]]] = []
        self.running_tasks = [(RUN, "server/rossi")]

    def begin(self, team: str = "", criteria: Iterable[Criterion] = ()) -> RunInfo:
        if team == "nobody":
            raise Malformed("there is no team 'nobody'")
        self.asked.append((team, tuple(criteria)))
        return RunInfo("20261102-020000-0001", START)

    def request(self, team: str) -> RunInfo | None:
        return self.begin(team) if not self.asked else None


class School:
    """A course with one run, served."""

    def __init__(self, directory: Path, page: Path) -> None:
        self.directory = directory
        self.open_to("private")
        store_run(directory)
        self.runs = FakeRuns()
        self.site = CourseSite(config.load(directory), self.runs)
        server = SimulatedServer()
        self.context = ApiContext(server.lobby, self.site.journal)
        app = application(self.context, page, page, limited=False, endpoints=self.site.endpoints(), index="course.html")
        self.client = Client(app)

    def open_to(self, visibility: str) -> None:
        write_course(self.directory, visibility)

    def ask(self, who: str, method: str, path: str, **fields: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {TOKENS[who]}"} if who in TOKENS else {}
        if who == "a stranger":
            headers = {"Authorization": "Bearer " + "x" * 32}
        return self.client.ask(method, path, headers={**headers, **fields.pop("headers", {})}, **fields)


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    (tmp_path / "course").mkdir()
    found = School(tmp_path / "course", tmp_path / "page")
    yield found
    found.client.close()
    found.context.close()


def statuses(school: School, method: str, path: str, **fields: Any) -> dict[str, int]:
    viewers = ("the public", "a stranger", "rossi", "verdi", "teacher")
    return {who: school.ask(who, method, path, **fields).status_code for who in viewers}


def matrix(public: int, rossi: int, verdi: int, teacher: int) -> dict[str, int]:
    return {"the public": public, "a stranger": 401, "rossi": rossi, "verdi": verdi, "teacher": teacher}


BOTH = ["rossi", "verdi"]
CELL = "/api/course/cells/rossi/server"
FILE = f"/api/course/runs/{RUN}/files/rossi.jsonl"


@pytest.mark.parametrize(
    ("visibility", "path", "wanted"),
    [
        ("private", "/api/course", matrix(200, 200, 200, 200)),
        ("private", "/scoreboard.html", matrix(200, 200, 200, 200)),
        ("private", CELL, matrix(404, 200, 404, 200)),
        ("private", FILE, matrix(404, 200, 404, 200)),
        ("scores", CELL, matrix(403, 200, 403, 200)),
        ("scores", FILE, matrix(404, 200, 404, 200)),
        ("open", CELL, matrix(200, 200, 200, 200)),
        ("open", FILE, matrix(200, 200, 200, 200)),
    ],
)
def test_who_may_read_what(school: School, visibility: str, path: str, wanted: dict[str, int]) -> None:
    school.open_to(visibility)
    assert statuses(school, "GET", path) == wanted


def test_who_may_ask_for_a_run(school: School) -> None:
    assert statuses(school, "POST", "/api/course/push?team=rossi") == matrix(401, 202, 403, 202)
    assert statuses(school, "POST", "/api/course/runs", json={}) == matrix(401, 403, 403, 202)


@pytest.mark.parametrize(
    ("visibility", "public", "team"),
    [("private", [], ["rossi"]), ("scores", BOTH, BOTH), ("open", BOTH, BOTH)],
)
def test_the_scoreboard_shows_the_rows_that_a_viewer_may_see(
    school: School, visibility: str, public: list[str], team: list[str]
) -> None:
    school.open_to(visibility)
    for who, wanted in (("the public", public), ("rossi", team), ("teacher", ["rossi", "verdi"])):
        board = school.ask(who, "GET", "/api/course").json()
        assert sorted(row["team"] for row in board["rows"]) == wanted
        assert len(board["recent"]) == (1 if len(wanted) == 2 else 0)
        assert [task for task in board["running"] if "rossi" not in wanted] == []


def test_the_scoreboard_has_the_number_of_findings_only_where_they_may_be_seen(school: School) -> None:
    school.open_to("scores")
    board = school.ask("rossi", "GET", "/api/course").json()
    found = {row["team"]: row["cells"][0]["findings"] for row in board["rows"]}
    assert found == {"rossi": 1, "verdi": None}
    assert "got OK" not in school.ask("teacher", "GET", "/api/course").text


def test_a_cell_has_section_conversation_hint_replay_and_the_command_to_repeat_it(school: School) -> None:
    detail = school.ask("rossi", "GET", CELL).json()
    (finding,) = detail["cell"]["findings"]
    assert detail["matches"] == [
        {"name": "cells", "against": "", "verdict": "fail", "points": None, "replay": finding["replay"]}
    ]
    assert finding["section"] == "docs/dialects/tris-lines.md, 5"
    assert [line["text"] for line in finding["conversation"]] == ["WAIT", "9"]
    assert set(finding["hint"]) == {"en", "it"}
    assert finding["repeat"] == "boardwire check tris-lines"
    assert finding["transcript"] == "rossi.jsonl"
    steps = school.client.get(f"/api/matches/{finding['replay']}/steps")
    assert steps.status_code == 200
    assert len(steps.json()["steps"]) > 5


@pytest.mark.parametrize("name", [MATCH, "0" * 32, f"{RUN}-x"])
def test_a_replay_cannot_be_read_under_its_own_name_or_a_guessed_one(school: School, name: str) -> None:
    assert school.client.get(f"/api/matches/{name}/steps").status_code == 404


@pytest.mark.parametrize("path", ["/api/matches", "/api/tables", "/api/mine", "/api/organise/tables", "/metrics"])
def test_the_routes_of_a_server_of_tables_are_not_there(school: School, path: str) -> None:
    assert school.client.get(path).status_code == 404


@pytest.mark.parametrize(
    "name", ["secret.txt", "../run.json", "..%2f..%2f..%2foutside.txt", "%2e%2e/run.json", "nothing", "/etc/passwd"]
)
def test_only_files_of_findings_are_sent(school: School, name: str) -> None:
    assert school.ask("teacher", "GET", f"/api/course/runs/{RUN}/files/{name}").status_code == 404


def test_a_file_is_sent_as_plain_text(school: School) -> None:
    answer = school.ask("rossi", "GET", FILE)
    assert answer.text == "transcript of rossi\n"
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_push_begins_a_run_of_its_team_or_lets_it_wait(school: School) -> None:
    first, second = (school.ask("rossi", "POST", "/api/course/push") for _ in range(2))
    assert first.json() == {"team": "rossi", "run": "20261102-020000-0001", "waits": False}
    assert second.json() == {"team": "rossi", "run": None, "waits": True}
    assert school.runs.asked == [("rossi", ())]


def test_pushes_of_a_team_are_limited(school: School) -> None:
    found = [school.ask("rossi", "POST", "/api/course/push").status_code for _ in range(PUSH_BURST + 1)]
    assert found == [202] * PUSH_BURST + [429]
    assert school.ask("verdi", "POST", "/api/course/push").status_code == 202


def test_the_teacher_begins_a_run_of_some_criteria(school: School) -> None:
    wanted = {"team": "verdi", "criteria": ["server"]}
    assert school.ask("teacher", "POST", "/api/course/runs", json=wanted).status_code == 202
    assert school.runs.asked == [("verdi", (Criterion.SERVER,))]
    assert school.ask("teacher", "POST", "/api/course/runs", json={"team": "nobody"}).status_code == 422
    assert school.ask("teacher", "POST", "/api/course/runs", json={"criteria": ["x"]}).status_code == 422


def test_an_unchanged_scoreboard_is_not_sent_again(school: School) -> None:
    first = school.ask("rossi", "GET", "/api/course")
    again = school.ask("rossi", "GET", "/api/course", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = school.ask("verdi", "GET", "/api/course", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200
    school.open_to("open")
    changed = school.ask("rossi", "GET", "/api/course", headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200


def test_a_mistake_in_the_courses_file_leaves_the_last_valid_one(school: School) -> None:
    (school.directory / config.COURSE_FILE).write_text("name = 3")
    board = school.ask("rossi", "GET", "/api/course").json()
    assert (board["course"], board["mistake"]) == ("Programming", "")
    assert "game is missing" in school.ask("teacher", "GET", "/api/course").json()["mistake"]
    school.open_to("scores")
    assert school.ask("teacher", "GET", "/api/course").json()["mistake"] == ""


@pytest.mark.parametrize("token", ["wrong", "x" * 32, "è" * 40])
def test_every_wrong_token_is_refused_with_the_words_of_the_course(school: School, token: str) -> None:
    answer = school.client.ask("GET", "/api/course", headers={"Authorization": f"Bearer {token}".encode()})
    assert answer.status_code == 401
    assert answer.json()["detail"] == "the token does not belong to this course"


def test_a_run_that_cannot_be_read_does_not_hide_the_others(school: School) -> None:
    broken = school.directory / "runs" / "20261103-020000-ffff"
    broken.mkdir()
    (broken / "run.json").write_text("{")
    assert school.ask("teacher", "GET", "/api/course").json()["runs"][0]["id"] == RUN


def test_the_page_without_scripts_shows_what_its_viewer_may_see(school: School) -> None:
    assert "Rossi" not in school.client.get("/scoreboard.html").text
    assert "Rossi &lt;b&gt;" in school.ask("rossi", "GET", "/scoreboard.html").text
    assert school.client.get("/scoreboard.css").headers["content-type"].startswith("text/css")
