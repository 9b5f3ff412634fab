"""The library as docs/library.md tells it: its code runs, it names what is public, and no one is told to use more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from structlog.testing import capture_logs
from tests.extras import imported

import boardwire

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
TOLD = re.findall(r"^\| `(boardwire[\w.]*)` \|", PAGE, re.MULTILINE)
NOTATION = "boardwire.games.santorini.line"
"""The notation of one game, which not every game has."""
PACKAGES = sorted(
    ".".join(path.parent.relative_to(ROOT / "src").parts)
    for path in [*ROOT.glob("src/boardwire/__init__.py"), *ROOT.glob("src/boardwire/*/__init__.py")]
)


def public_modules(module: ModuleType) -> Iterator[str]:
    """The modules that `__all__` names, of this one and of those below it."""
    if hasattr(module, "__path__"):
        for name in module.__all__:
            found = getattr(module, name) if hasattr(module, name) else imported(f"{module.__name__}.{name}")
            if found is None:
                yield f"{module.__name__}.{name}"
            elif isinstance(found, ModuleType):
                yield found.__name__
                yield from public_modules(found)


def imports(code: str) -> Iterator[tuple[str, str]]:
    """What of ours a program imports: module and name."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "boardwire":
            yield from ((str(node.module), alias.name) for alias in node.names)


def is_public(module: str, name: str) -> bool:
    if module not in ("boardwire", *TOLD):
        return False
    found = imported(module)
    if found is None:
        pytest.skip(f"{module} needs an extra that is not installed")
    return name in found.__all__ if hasattr(found, "__all__") else not name.startswith("_")


def test_the_code_of_the_page_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        with capture_logs():
            exec(compile(block, "docs/library.md", "exec"), names)
        expected = re.findall(r"^ *print\(.*\)  # (.*)$", block, re.MULTILINE)
        printed = dict.fromkeys(capsys.readouterr().out.splitlines())  # what a loop prints again counts once
        assert list(printed) == expected


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_what_of_it_is_public(package: str) -> None:
    module = imported(package)
    if module is None:
        pytest.skip(f"{package} needs an extra that is not installed")
    assert module.__all__ == sorted(module.__all__, key=lambda name: (not name.isupper(), name.islower(), name))
    for name in module.__all__:
        assert hasattr(module, name) or find_spec(f"{package}.{name}") is not None


def test_the_page_names_every_public_module() -> None:
    assert sorted(TOLD) == sorted([*public_modules(boardwire), NOTATION])


@pytest.mark.parametrize("program", [*ROOT.glob("examples/*.py")], ids=lambda path: path.name)
def test_an_example_uses_only_what_is_public(program: Path) -> None:
    assert [each for each in imports(program.read_text()) if not is_public(*each)] == []


def test_the_page_uses_only_what_is_public() -> None:
    used = [each for block in BLOCKS for each in imports(block)]
    assert len(used) > 10
    assert [each for each in used if not is_public(*each)] == []


def test_what_is_private_is_known_as_such() -> None:
    assert not is_public("boardwire.lobby.lobby", "Lobby")
    assert not is_public("boardwire.games", "import_module")
    assert not is_public("boardwire.node", "_serve")
