"""Python bots by `MODULE:CLASS`, in this process or as engines.

- A bot class has the interface of `boardwire.bots.Bot` and a constructor without arguments.
- `load_bot` imports a bot into this process: for the arena in one process, and for tests.
- `python_bot` runs a bot as an engine, in a cage like any other (`bot_engine.py` is the program of that process).
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

import boardwire
from boardwire.bots.bot import Bot
from boardwire.engines.cage import CageLimits
from boardwire.engines.process import EngineProcess
from boardwire.errors import Malformed

PROGRAM: Final = "boardwire.engines.bot_engine"
"""Module that runs as the engine's program; no other module imports it."""


def is_python_bot(text: str) -> bool:
    """Return whether a text has the form `MODULE:CLASS`, for example `my_bots:CornerBot`."""
    module, colon, name = text.partition(":")
    return bool(colon) and name.isidentifier() and all(part.isidentifier() for part in module.split("."))


def load_bot(spec: str, directory: Path | None = None) -> Bot:
    """Import `MODULE:CLASS` and return an instance; `directory` (by default the current one) is searched first.

    Raises `Malformed` if the module or class does not exist, or lacks the interface of a bot.
    """
    if not is_python_bot(spec):
        raise Malformed(f"{spec!r} is not of the form MODULE:CLASS, for example my_bots:CornerBot")
    module_name, _, class_name = spec.partition(":")
    path = str(directory or Path.cwd())
    if path not in sys.path:
        sys.path.insert(0, path)
    try:
        bot = getattr(import_module(module_name), class_name)()
    except ModuleNotFoundError as error:
        raise Malformed(f"{spec}: there is no module {error.name!r} in {path} or on Python's path") from error
    except AttributeError as error:
        raise Malformed(f"{spec}: {error}") from error
    except Exception as error:
        raise Malformed(f"cannot load {spec}: {type(error).__name__}: {error}") from error
    if not callable(getattr(bot, "choose", None)):
        raise Malformed(f"{spec} has no method `choose`; every bot needs one (docs/bots.md, Write one)")
    if not isinstance(getattr(bot, "name", None), str):
        raise Malformed(f"{spec} has no attribute `name`; every bot needs one (docs/bots.md, Write one)")
    return cast("Bot", bot)


def python_bot(
    name: str, spec: str, limits: CageLimits | None = None, directory: Path | None = None, **settings: Any
) -> EngineProcess:
    """Return an engine that runs `MODULE:CLASS` of a directory; `settings` are passed to `EngineProcess`."""
    if not is_python_bot(spec):
        raise Malformed(f"{spec!r} is not of the form MODULE:CLASS, for example my_bots:CornerBot")
    home = (directory or Path.cwd()).absolute()
    command = (sys.executable, "-P", "-m", PROGRAM, str(home), spec)
    package = Path(boardwire.__file__).parent.parent
    readable = (package, Path(sys.prefix), Path(sys.base_prefix), *settings.pop("readable", ()))
    return EngineProcess(name, command, limits, directory=home, readable=readable, **settings)
