"""The file of bots for `serve --bots FILE`: engines and Python bots by name.

    [[bots]]
    name = "corner"
    command = "python3 corner.py"      # or: bot = "my_bots:CornerBot"
    games = ["tris"]                   # by default every game of its mode
    seconds = 1.0
    [bots.limits]
    memory_bytes = 268435456

Commands and directories are relative to the file. Everything is checked when the file is read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from boardwire import games
from boardwire.bots.levels import SEARCH
from boardwire.bots.server_bots import BOTS
from boardwire.engines.cage import CageLimits, CageTool
from boardwire.engines.process import START_SECONDS, EngineProcess, Mode
from boardwire.engines.python_bots import python_bot
from boardwire.engines.text_mode import GAMES as TEXT_GAMES
from boardwire.errors import BoardwireError, Malformed, validation_message

MAX_BOT_NAME_LENGTH: Final = 32
DEFAULT_SECONDS: Final = 2.0
"""Default time limit of one decision, short because people wait for it."""
_NAME: Final = re.compile(rf"[a-z][a-z0-9-]{{0,{MAX_BOT_NAME_LENGTH - 1}}}")


class ListedBot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot in the file. It has a `command` or, for a Python bot, `bot = "MODULE:CLASS"`."""

    name: str
    command: str = ""
    bot: str = ""
    games: tuple[str, ...] = ()
    mode: Mode = Mode.JSON
    seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] = DEFAULT_SECONDS
    nodes: Annotated[int, msgspec.Meta(ge=1)] | None = None
    start_seconds: Annotated[float, msgspec.Meta(gt=0, le=600)] = START_SECONDS
    directory: str = ""
    readable: tuple[str, ...] = ()
    limits: CageLimits = CageLimits()

    @property
    def played(self) -> tuple[str, ...]:
        """Names of the games that it plays."""
        return self.games or (TEXT_GAMES if self.mode is Mode.TEXT else games.NAMES)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bots: tuple[ListedBot, ...] = ()


def is_bot_name(text: str) -> bool:
    """Return whether a text can be the name of a listed bot."""
    return _NAME.fullmatch(text) is not None


def load_listing(path: Path) -> tuple[ListedBot, ...]:
    """Read and check a file of bots; raise `Malformed` with the file, the bot and the remedy."""
    try:
        file = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File)
    except OSError as error:
        raise Malformed(f"cannot read the bots in {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise Malformed(f"{path}: {validation_message(error)}") from None
    names: set[str] = set()
    for bot in file.bots:
        try:
            _check_bot(bot, names)
            open_engine(bot, path.parent)
        except BoardwireError as error:
            raise Malformed(f"{path}: bot {bot.name!r}: {error}") from None
        names.add(bot.name)
    return file.bots


def _check_bot(bot: ListedBot, names: set[str]) -> None:
    """Raise `Malformed` if an entry of the file of bots is invalid or its name is taken."""
    if not is_bot_name(bot.name):
        raise Malformed(
            f"the name must have at most {MAX_BOT_NAME_LENGTH} lower-case letters, digits and hyphens, and begin with a"
            " letter"
        )
    if bot.name in (*BOTS, SEARCH):
        raise Malformed("a built-in bot has this name; choose another one")
    if bot.name in names:
        raise Malformed("another bot in the file has this name; choose another one")
    if bool(bot.command) == bool(bot.bot):
        raise Malformed(
            "it has both command and bot; give one" if bot.bot else "it has neither command nor bot; give one"
        )
    for game in bot.games:
        games.game(game)
        if bot.mode is Mode.TEXT and game not in TEXT_GAMES:
            raise Malformed(f"the text mode supports {' and '.join(TEXT_GAMES)}, not {game}; use JSON lines")


def open_engine(bot: ListedBot, base: Path, cage_tool: CageTool | None = None) -> EngineProcess:
    """Return the engine of a listed bot without starting it; `base` is the directory of the file of bots."""
    directory = base / bot.directory if bot.directory else None
    readable: Sequence[Path] = [base / path for path in bot.readable]
    if bot.bot:
        return python_bot(
            bot.name, bot.bot, bot.limits, directory or base, readable=readable, start_seconds=bot.start_seconds,
            cage_tool=cage_tool,
        )  # fmt: skip
    return EngineProcess(
        bot.name, bot.command, bot.limits, mode=bot.mode, base=base, directory=directory, readable=readable,
        start_seconds=bot.start_seconds, cage_tool=cage_tool,
    )  # fmt: skip
