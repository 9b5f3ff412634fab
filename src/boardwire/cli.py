"""The command line `boardwire`: assemble the commands, run one and turn errors into exit codes.

- Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.
- `boardwire --version` imports neither the server nor a database driver: commands import what they need when they run.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import msgspec
from cyclopts import App, CycloptsError

from boardwire import __version__, output
from boardwire.commands.adapt import adapt
from boardwire.commands.analyse import analyse
from boardwire.commands.bot import bot
from boardwire.commands.check import check
from boardwire.commands.check_client import check_client
from boardwire.commands.matches import matches
from boardwire.commands.migrate import migrate
from boardwire.commands.perft import perft
from boardwire.commands.play import play
from boardwire.commands.proxy import proxy
from boardwire.commands.replay import replay
from boardwire.commands.rules import rules
from boardwire.commands.transcript import app as transcript
from boardwire.errors import BoardwireError, Malformed
from boardwire.wire.text import escaped

_SERVE_HELP = """Run a server until SIGTERM or Ctrl-C.

Every setting is also an environment variable (BOARDWIRE_HOST ...) and a key of the TOML file.
"""


def _version() -> str:
    from boardwire.compiled import MODULES, is_compiled

    compiled = [package for package in MODULES if is_compiled(package)]
    return f"{__version__} (compiled: {'all' if len(compiled) == len(MODULES) else ', '.join(compiled) or 'nothing'})"


app = App(
    name="boardwire",
    help="A board-game server that speaks the wire protocols board-game programs already speak.",
    version=_version,
)
for _command in (
    play, bot, check, check_client, proxy, adapt, analyse, rules, perft, matches, replay, migrate,
):  # fmt: skip
    app.command(_command)
app.command(transcript)
# Imported on use and with its help here, because its flags come from `config`, which imports all that has settings:
# 0.8 s of CPU that other commands need not pay.
app.command("boardwire.commands.serve:serve", name="serve", help=_SERVE_HELP)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    output.install()
    if (sys.argv[1:] if arguments is None else arguments) == ["--version"]:
        print(_version())  # without rich, which takes 40 ms to import
        sys.exit(0)
    from rich.console import Console

    try:
        app(
            arguments,
            exit_on_error=False,
            result_action="return_value",
            console=Console(file=output.plain(sys.stdout)),  # help, which has no text of others
            error_console=Console(stderr=True, force_terminal=False),  # quotes the arguments, so it must be escaped
        )
        sys.stdout.flush()
    except CycloptsError:
        sys.exit(2)  # cyclopts has printed the error
    except (Malformed, msgspec.ValidationError) as error:
        _fail(error, 2)
    except BoardwireError as error:
        _fail(error, 1)
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # so that the shell's prompt starts a new line
        sys.exit(130)
    except BrokenPipeError:
        _discard_output()  # `boardwire ... | head`
    except OSError as error:
        _discard_output()
        _fail(error, 1)
    sys.exit(0)


def _discard_output() -> None:
    """Send buffered output to /dev/null: the interpreter would flush it at exit, and print an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(error: Exception, code: int) -> NoReturn:
    print(f"boardwire: {escaped(str(error))}", file=sys.stderr)
    sys.exit(code)
