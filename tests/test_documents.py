"""What the documents say is so: the code runs, the links lead somewhere, commands and ports are the program's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardwire import dialects
from boardwire.commands.app import app

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")], key=str)
README = (ROOT / "README.md").read_text()


def test_the_readme_names_every_dialect_with_its_port() -> None:
    listed = dict(re.findall(r"^\| \[([\w-]+)\]\([^)]*\) \| .* \| (\d+) \|$", README, re.MULTILINE))
    usual = {name: str(dialects.dialect(name).port) for name in dialects.DEFAULT_DIALECTS if "/" not in name}
    assert listed == usual


def test_the_readme_calls_commands_that_there_are() -> None:
    commands = set(re.findall(r"\bboardwire (\w+)", README))
    assert {"play", "matches", "replay"} <= commands
    assert commands <= {name for name in app if not name.startswith("-")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_has_merge_markers(page: Path) -> None:
    assert re.findall(r"^(?:<{7}|={7}|>{7})(?: .*)?$", page.read_text(), re.MULTILINE) == []


def test_contributing_and_the_makefile_know_the_same_targets() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    told = set(re.findall(r"`make ([a-z-]+)`", (ROOT / "CONTRIBUTING.md").read_text()))
    assert told <= targets
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert targets <= set(phony.split()) <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def test_the_index_of_the_site_lists_every_document() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    blocks = re.findall(r"^```\{toctree\}\n(.*?)^```$", index, re.M | re.S)
    listed = {line for block in blocks for line in block.split()}
    folders = {line.removesuffix("*") for block in blocks if ":glob:" in block for line in block.split()}
    found = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in ROOT.glob("docs/**/*.md")}
    listed |= {name for name in found if name.rpartition("/")[0] + "/" in folders}
    assert found - {"index"} <= listed
