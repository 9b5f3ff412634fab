"""Engines for tests: short Python programs in a directory that every user may read."""

import stat
import sys
from pathlib import Path
from textwrap import dedent

PYTHON = sys.executable

PRELUDE = """
import json, os, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def asked():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="ready", name="test")
        elif message["type"] == "choose":
            yield message
"""

FIRST = """
for question in asked():
    say(type="choice", id=question["id"], number=0)
"""
"""Plays the first choice."""


def write(directory: Path, body: str, name: str = "engine.py") -> str:
    """Write an engine and return its command; `body` follows `PRELUDE`."""
    directory.mkdir(exist_ok=True)
    path = directory / name
    path.write_text(PRELUDE + dedent(body))
    share(directory)
    return f"/usr/bin/python3 -S -E {path}"


def share(directory: Path) -> None:
    """Let every user read a directory: engines of root have a user id of their own."""
    for path in (directory, *directory.rglob("*")):
        path.chmod(path.stat().st_mode | stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0))
