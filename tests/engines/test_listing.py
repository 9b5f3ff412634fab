"""The file that lists bots: everything wrong with it is said when it is read."""

import re
from pathlib import Path

import pytest

from boardwire import games
from boardwire.engines.cage import CageLimits
from boardwire.engines.listing import load_listing
from boardwire.errors import Malformed

SPECIFICATION = Path(__file__).parents[2] / "docs" / "engines.md"
FILE = """
[[bots]]
name = "corner"
command = "/usr/bin/python3 engine.py"
games = ["tris"]
seconds = 0.5
limits = { memory_bytes = 100000000, processes = 8 }

[[bots]]
name = "texter"
command = "/usr/bin/python3 engine.py"
mode = "text"

[[bots]]
name = "mine"
bot = "my_bots:CornerBot"
"""


def test_the_file_of_the_specification_is_read(tmp_path: Path) -> None:
    [example] = re.findall(r"^```toml\n(.*?)^```", SPECIFICATION.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "engines" / "corner").mkdir(parents=True)
    (tmp_path / "engines" / "mine").mkdir()
    (tmp_path / "engines" / "corner" / "corner.py").touch()
    assert [bot.name for bot in load_listing(written(tmp_path, example))] == ["corner", "mine"]


def written(directory: Path, text: str) -> Path:
    (directory / "engine.py").touch()
    path = directory / "bots.toml"
    path.write_text(text)
    return path


def test_bots_have_their_games_and_limits(tmp_path: Path) -> None:
    corner, texter, mine = load_listing(written(tmp_path, FILE))
    assert corner.played == ("tris",)
    assert corner.limits == CageLimits(memory_bytes=100_000_000, processes=8)
    assert texter.played == ("santorini", "forza")
    assert mine.played == games.NAMES


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bots = 3", "array"),
        ("[[bots]", "bots.toml"),
        ("[[bots]]\ncommand = 'true'", "missing required field name"),
        ("[[bots]]\nname = 'a'\nkommand = 'true'", "unknown field kommand"),
        ("[[bots]]\nname = 'a'", "neither command nor bot; give one"),
        ("[[bots]]\nname = 'a'\ncommand = 'true'\nbot = 'a:B'", "both command and bot; give one"),
        ("[[bots]]\nname = 'greedy'\ncommand = 'true'", "built-in"),
        ("[[bots]]\nname = 'A B'\ncommand = 'true'", "lower-case letters"),
        (
            "[[bots]]\nname = 'a'\ncommand = 'true'\n[[bots]]\nname = 'a'\ncommand = 'true'",
            "another bot in the file has this name",
        ),
        ("[[bots]]\nname = 'a'\ncommand = 'no-such-program-here'", "there is no program"),
        ("[[bots]]\nname = 'a'\ncommand = 'true'\ngames = ['chess']", "no game called 'chess'"),
        ("[[bots]]\nname = 'a'\ncommand = 'true'\nmode = 'text'\ngames = ['tris']", "not tris"),
        ("[[bots]]\nname = 'a'\ncommand = 'true'\nseconds = 0", "seconds"),
        ("[[bots]]\nname = 'a'\ncommand = 'true'\nlimits = { processes = 0 }", "processes must be at least 1"),
        ("[[bots]]\nname = 'a'\nbot = 'not a class'", "MODULE:CLASS"),
        ("[[bots]]\nname = 'a'\ncommand = 'true'\ndirectory = 'missing'", "does not exist"),
    ],
)
def test_a_fault_of_the_file_is_named(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=words):
        load_listing(written(tmp_path, text))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot read the bots"):
        load_listing(tmp_path / "nothing.toml")
