"""Commands of engines: their words, directories and readable files."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.engines.command import resolve
from boardwire.errors import Malformed

from .scripts import share


def test_files_of_a_command_are_found_and_its_directory_is_theirs(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "engine.py").touch()
    found = resolve("/usr/bin/python3 mine/engine.py --depth 3", tmp_path)
    assert found.argv == ("/usr/bin/python3", str(tmp_path / "mine" / "engine.py"), "--depth", "3")
    assert found.directory == tmp_path / "mine"
    assert found.readable == (tmp_path / "mine",)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", "is empty"),
        ("'open quote", "cannot parse the command"),
        ("no-such-program-anywhere", "there is no program 'no-such-program-anywhere'"),
        ("./missing", "there is no program"),
        ("./plain", "is not executable"),
    ],
)
def test_a_command_that_cannot_be_started_is_named(command: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    share(tmp_path)
    with pytest.raises(Malformed, match=words):
        resolve(command, tmp_path)


def test_a_directory_is_where_relative_words_begin(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "engine.py").touch()
    found = resolve("/usr/bin/python3 engine.py", directory=tmp_path / "mine")
    assert found.argv[1] == str(tmp_path / "mine" / "engine.py")
    assert found.directory == tmp_path / "mine"


def test_words_that_are_no_files_stay_as_they_are(tmp_path: Path) -> None:
    words = ["/usr/bin/python3", "-c", "print('a b')", "missing.py", "x" * 5000, "a\0b"]
    assert resolve(words, tmp_path).argv == tuple(words)


def test_an_interpreter_outside_of_the_system_can_be_read(tmp_path: Path) -> None:
    program = tmp_path / "node-20" / "bin" / "node"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "engine.js").touch()
    found = resolve(f"{program} mine/engine.js", tmp_path)
    assert found.directory == tmp_path / "mine"
    assert set(found.readable) == {tmp_path / "mine", tmp_path / "node-20"}


def test_an_engine_beside_everything_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "engine.py").touch()
    with pytest.raises(Malformed, match="a separate directory"):
        resolve("/usr/bin/python3 engine.py", tmp_path)


def test_shims_of_version_managers_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("shims", "real"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool").touch(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims'}:{tmp_path / 'real'}")
    assert resolve("tool", tmp_path).argv == (str(tmp_path / "real" / "tool"),)
