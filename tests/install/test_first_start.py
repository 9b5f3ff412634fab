"""`make play` in a fresh checkout: the page first, the compiler in the background."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.install

ROOT = Path(__file__).parents[2]
SECONDS = 300
"""Time limit on a machine that is slow and busy; `make play` needs less than 45 s on a quiet one with two cores."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files of this checkout, as a clone of the next commit would have them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / name)
    return tmp_path


@contextmanager
def playing(checkout: Path) -> Iterator[tuple[str, float, Path]]:
    """Run `make play`; yield the page's address, the seconds until it was served, and the file of its messages."""
    flags = "--data :memory: --http 0 --listen tris-lines=0"
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("BOARDWIRE_", "MAKE"))}
    log = checkout / "messages"
    started = time.monotonic()
    with log.open("w") as messages, subprocess.Popen(
        ["make", "play", f"PYTHON={getattr(sys, '_base_executable', sys.executable)}", f"ARGS={flags}"],
        cwd=checkout, stdout=subprocess.PIPE, stderr=messages, text=True, env=variables, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            address = ""
            for line in process.stdout:
                if line.startswith("listening http"):
                    address = f"http://{line.split()[2]}/"
                if line == "ready\n":
                    break
            assert address, log.read_text()
            with urlopen(address, timeout=SECONDS) as page:
                assert b"<html" in page.read()
            yield address, time.monotonic() - started, log
            os.killpg(process.pid, signal.SIGINT)  # Ctrl-C reaches make and the server
            process.communicate(timeout=SECONDS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def test_the_page_is_served_before_anything_is_compiled_and_every_wait_is_named(checkout: Path) -> None:
    with playing(checkout) as (_, seconds, log):
        first = log.read_text()
        assert list(checkout.glob("src/boardwire/**/_built")) == []
    assert seconds < SECONDS
    for words in ("creating a virtual environment", "installing boardwire", "installed in", "building the page",
                  "built the page in"):  # fmt: skip
        assert words in first
    packages = {path.name.partition("-")[0] for path in checkout.glob(".venv/lib/*/site-packages/*.dist-info")}
    assert "cyclopts" in packages
    assert not {"pytest", "ruff", "playwright", "psycopg"} & packages, "playing does not need them"
    with playing(checkout) as (_, again, log):
        assert "installing boardwire" not in log.read_text()
        assert "building" not in log.read_text()
    print(f"the page was served after {seconds:.1f} s, the second time after {again:.1f} s")
    assert again < seconds
