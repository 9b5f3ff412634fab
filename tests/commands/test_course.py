"""`boardwire course`: what its commands print, write and refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.course.stored import RUN, store_run, write_course

from boardwire.commands import course as commands
from boardwire.errors import Malformed, Unavailable


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    directory = tmp_path / "course"
    directory.mkdir()
    write_course(directory, "scores")
    store_run(directory)
    return directory


@pytest.mark.parametrize("kind", ["html", "json"])
def test_an_export_follows_the_visibility_unless_findings_are_asked_for(stored: Path, kind: str) -> None:
    page = stored / "page"

    def export(*, findings: bool) -> None:
        if kind == "html":
            commands.export(stored, html=page, findings=findings)
        else:
            commands.export(stored, json=page, findings=findings)

    export(findings=False)
    assert "verdi" in page.read_text()
    assert "got OK" not in page.read_text()
    export(findings=True)
    assert page.read_text().count("got OK") == 2


def test_the_links_of_an_exported_page_are_relative_to_the_course(stored: Path) -> None:
    commands.export(stored, html=stored / "page.html", findings=True)
    text = (stored / "page.html").read_text()
    assert f'href="runs/{RUN}/files/rossi.jsonl"' in text
    assert str(stored) not in text


def test_an_export_into_a_directory_that_does_not_exist_is_refused(stored: Path) -> None:
    with pytest.raises(Unavailable, match=r"the directory .*nowhere does not exist"):
        commands.export(stored, csv=stored / "nowhere" / "grades.csv")


def test_a_private_export_warns_that_it_shows_no_team(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_course(stored, "private")
    commands.export(stored, html=stored / "page.html")
    assert "visibility is private" in capsys.readouterr().err


def test_an_export_before_the_first_run_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_course(tmp_path, "scores")
    commands.export(tmp_path)
    told = capsys.readouterr()
    assert "no run is stored" in told.err
    assert told.out.startswith("team,title,points")


def test_check_warns_about_a_command_whose_program_does_not_exist(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "team").mkdir()
    (tmp_path / "course.toml").write_text(
        'name = "c"\ngame = "tris"\nprotocol = "tris-lines"\n[[team]]\nname = "uno"\ndirectory = "team"\n'
        'server.run = "nosuchprogram {port}"\nclient.run = "sh {port}"\n'
    )
    commands.check(tmp_path)
    told = capsys.readouterr()
    assert "warning: team uno: server: there is no program 'nosuchprogram'" in told.err
    assert "client" not in told.err
    assert "1 team\n" in told.out


def test_a_token_is_made_for_a_team_of_the_course_only(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands.token("rossi", course=stored)
    assert 'token_hash = "' in capsys.readouterr().out
    with pytest.raises(Malformed, match="there is no team 'rosi'"):
        commands.token("rosi", course=stored)
    monkeypatch.chdir(stored)
    with pytest.raises(Malformed, match="there is no team 'rosi'"):
        commands.token("rosi")
    monkeypatch.chdir(stored.parent)
    commands.token("rosi")
    assert "the team's name is not checked" in capsys.readouterr().err
