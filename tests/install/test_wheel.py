"""The wheel alone, in a clean environment: no Node, no compiler, no checkout (`scripts/check_wheel.py`)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from scripts.check_wheel import SECONDS, THREE_DIALECTS, Environment
from tests.installed import built, environment

from scripts import check_wheel

pytestmark = pytest.mark.install

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["pure", "compiled"])
def wheel(request: pytest.FixtureRequest) -> Path:
    found = built().pure if request.param == "pure" else built().compiled
    if found is None:
        pytest.skip("nothing is compiled here; `make core` does it")
    return found


@pytest.fixture
def installed(wheel: Path) -> Environment:
    return environment(wheel)


def test_the_wheel_contains_the_page_and_the_documents_and_no_test(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for page in (ROOT / "docs").rglob("*.md"):
        assert f"boardwire/{page.relative_to(ROOT).as_posix()}" in names
    assert "boardwire/api/page/index.html" in names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"boardwire"}
    assert not [name for name in names if "test_" in name or name.endswith((".ts", ".svelte"))]


def test_it_is_small(installed: Environment, wheel: Path) -> None:
    print(check_wheel.check_sizes(wheel, installed))


def test_it_knows_whether_it_is_compiled(installed: Environment, wheel: Path) -> None:
    expected = "nothing" if wheel == built().pure else "all"
    assert check_wheel.check_commands(installed).endswith(f"(compiled: {expected})")


def test_it_serves_the_page_a_match_over_three_dialects_and_a_check(installed: Environment, tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    listen = (f"--listen={name}=0" for name in ("tris-lines", *THREE_DIALECTS))
    with installed.serving(*data, "--http", "0", *listen) as addresses:
        check_wheel.check_page(addresses["http"])
        check_wheel.check_match(installed, addresses)
        check_wheel.check_server(installed, addresses["tris-lines"])
    check_wheel.check_journal(installed, data)


def test_its_programs_find_neither_node_nor_a_compiler(installed: Environment) -> None:
    for program in ("node", "cc", "gcc", "git"):
        assert shutil.which(program, path=installed.variables["PATH"]) is None


def test_uvx_runs_it(wheel: Path) -> None:
    uvx = shutil.which("uvx", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert uvx is not None, "make test-install installs uv"
    command = [uvx, "--python", sys.executable, "--from", str(wheel), "boardwire", "rules"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    assert "santorini" in done.stdout
