"""The course directory."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from boardwire.course.config import Criterion, Role, Schedule, check, load, new_token, viewer_of
from boardwire.errors import Malformed

BASE = Path(__file__).parents[1]
TEAM = {
    "name": "rossi", "protocol": "tris-lines", "directory": "course",
    "client": {"run": "python3 client.py {host} {port}"},
}  # fmt: skip
COURSE: dict[str, Any] = {"name": "Tris", "game": "tris", "team": [TEAM]}


def course(**changes: Any) -> dict[str, Any]:
    return {**COURSE, **changes}


def team(**changes: Any) -> dict[str, Any]:
    return course(team=[{**TEAM, **changes}])


def test_a_course_has_its_teams_and_the_default_criteria() -> None:
    found = check(COURSE, BASE)
    assert [one.name for one in found.teams] == ["rossi"]
    assert [one.name for one in found.criteria] == list(Criterion)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (course(nmae="x"), r"unknown key 'nmae' \(did you mean 'name'\?\)"),
        (course(game="triss"), r"unknown game \(did you mean 'tris'\?\)"),
        (course(language="fr"), "language = 'fr': must be en or it"),
        (course(games=3), "games = 3: must be even"),
        (course(concurrency=0), "concurrency = 0: must be from 1 to 64"),
        (course(schedule={"nightly": "2 o'clock"}), "write a time like 02:00"),
        (course(timing={"wait": 0}), "timing.wait = 0: must be more than 0"),
        (course(timing={"wiat": 1}), r"unknown key 'wiat' in timing \(did you mean 'wait'\?\)"),
        (course(team=[]), "the course has no teams"),
        (course(team=3), "team: expected array, got int"),
        (course(team=["rossi"]), r"team\[0\]: expected object, got str"),
        (course(criterion=[{"name": "servr"}]), r"criterion 'servr' \(did you mean 'server'\?\)"),
        (course(teams="nothing.csv"), r"nothing\.csv does not exist"),
        (course(visibility="open to all"), "visibility = 'open to all'.*: must be private, scores or open"),
        (course(pick="first"), "pick = 'first'.*: must be best or last"),
        (course(schedule={"push": ["servr"]}), r"schedule.push: 'servr' \(did you mean 'server'\?\)"),
        (course(criterion=[{"name": "server", "weight": "x"}]), "criterion server: weight: expected float, got str"),
        (course(level=[{"name": "good"}]), "level good: at is missing"),
        (course(team=[{"protocol": "tris-lines"}]), "team 1: name is missing"),
        ({"game": "tris", "team": [TEAM]}, "^name is missing"),
        (team(token_hash="0Ab-_" * 6), "team rossi: token_hash is not the hash of a token"),
        (course(teacher_token_hash=new_token()[0]), "copy the whole line that `boardwire course token --teacher`"),
        (course(criterion=[{"name": "server", "deadline": "2026-12-01T00:00:00"}]), "the deadline needs an offset"),
        (course(criterion=[{"name": "server"}, {"name": "server"}]), "criterion server occurs twice"),
        (course(criterion=[{"name": "server", "none": 0.5, "full": 0.5}]), "must be less than full"),
        (course(team=[TEAM, TEAM]), "teams rossi and rossi have the same name"),
        (team(name="Rossi"), "team Rossi: the name must have 1 to 32 lower-case letters"),
        (team(protocol="forza-lines"), "team rossi: forza-lines is for forza; protocols for tris are tris-lines"),
        (team(protocol=""), "protocol is missing"),
        (team(client={}), "client: needs exactly one of run, jar, image, listen; it has none"),
        (team(client={"run": "a {port}", "jar": "b"}), "it has run and jar"),
        (team(client={"address": "a:1"}), "client: needs exactly one of"),
        (team(client={"run": "a {prot}"}), "unknown placeholder {prot}"),
        (team(client={"run": "a"}), "lacks the placeholder"),
        (team(client={"run": "a '{port}"}), "cannot parse the command .*No closing quotation"),
        (team(client={"rnu": "a"}), r"unknown key 'rnu' in team rossi client \(did you mean 'run'\?\)"),
        (team(server={"address": "example.org"}), "write HOST:PORT"),
        (team(directory="nowhere"), "nowhere does not exist"),
        (team(directory=""), "directory is missing"),
        (team(directory="."), "contains the course"),
        (team(directory="course/.."), "contains the course"),
        (team(title="a\x1bb"), "printable"),
        (team(limits={}), "unknown key 'limits' in team rossi"),
    ],
)
def test_what_is_wrong_in_a_course_is_named(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        check(raw, BASE)


def test_teams_come_from_a_csv_file(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text('name = "c"\ngame = "tris"\nprotocol = "tris-lines"\nteams = "teams.csv"\n')
    rows = "name,title,server.address,client.listen\nuno,Gruppo Uno,127.0.0.1:7002,\n\ndue,,,7301\n"
    (tmp_path / "teams.csv").write_text("\ufeff" + rows)
    uno, due = load(tmp_path).teams
    assert (uno.title, uno.protocol, uno.client) == ("Gruppo Uno", "tris-lines", None)
    assert uno.server is not None
    assert uno.server.address == "127.0.0.1:7002"
    assert due.client is not None
    assert due.client.listen == 7301


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("name;title\nuno;Uno\n", "use commas"),
        ("title\nUno\n", "row 2: name is missing"),
        ("name,colour\na,red\n", "unknown key 'colour' in teams.csv, row 2"),
        ("name\na,b\n", "row 2: 2 cells, but the header has 1"),
        ("name,client.listen\na,x\n", "row 2: client.listen: expected int, got str"),
    ],
)
def test_a_wrong_csv_file_is_named_with_its_row(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "course.toml").write_text('name = "c"\ngame = "tris"\nprotocol = "tris-lines"\nteams = "teams.csv"\n')
    (tmp_path / "teams.csv").write_text(text)
    with pytest.raises(Malformed, match=words):
        load(tmp_path)


def test_a_directory_without_a_course_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="boardwire course init"):
        load(tmp_path)


def test_a_file_of_another_encoding_says_how_to_save_it(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_bytes('name = "Università"'.encode("latin-1"))
    with pytest.raises(Malformed, match="save the file as UTF-8"):
        load(tmp_path)


def test_the_example_shows_the_default_of_pushes() -> None:
    text = (files("boardwire.course") / "example" / "course.toml").read_text("utf-8")
    (shown,) = (line.removeprefix("# ") for line in text.splitlines() if line.startswith("# push = "))
    assert tomllib.loads(shown)["push"] == list(Schedule().push)


def test_a_token_opens_its_viewer_and_an_unknown_one_none() -> None:
    token, stored = new_token()
    teacher, teacher_stored = new_token()
    found = check({**team(token_hash=stored), "teacher_token_hash": teacher_stored}, BASE)
    assert token not in repr(found)
    viewer = viewer_of(found, token)
    assert viewer is not None
    assert (viewer.role, viewer.team) == (Role.TEAM, "rossi")
    teacher_viewer = viewer_of(found, teacher)
    assert teacher_viewer is not None
    assert teacher_viewer.role is Role.TEACHER
    public = viewer_of(found, "")
    assert public is not None
    assert public.role is Role.PUBLIC
    assert viewer_of(found, "guess") is None


def test_limits_that_are_not_given_stay_those_of_a_course() -> None:
    found = check(course(limits={"memory_bytes": 1 << 20}), BASE)
    assert (found.file.limits.memory_bytes, found.file.limits.cpu_seconds) == (1 << 20, 120)
