"""Selection of the Pythons to measure."""

import sys
from pathlib import Path

import pytest
from bench.pythons import candidates, describe, environment


def test_the_newest_patch_release_of_pyenv_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for release in ("3.12.9", "3.12.10", "3.11.7"):
        folder = tmp_path / "versions" / release / "bin"
        folder.mkdir(parents=True)
        (folder / f"python{release.rpartition('.')[0]}").touch()
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [path.parts[-3] for path in candidates("3.12")] == ["3.12.10", "3.12.9"]
    assert candidates("3.14") == []


def test_a_python_reports_its_release() -> None:
    described = describe(Path(sys.executable))
    assert described is not None
    assert described[0] == sys.version.split()[0]


def test_a_program_that_is_not_a_python_is_skipped(tmp_path: Path) -> None:
    program = tmp_path / "python3.14"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    assert describe(program) is None


def test_the_running_python_uses_its_own_environment() -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    assert environment(version, Path("/none")) == Path(sys.executable)
