"""The command line `boardwire`: runs a command and converts errors to exit codes.

- Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.
- `boardwire --version` imports neither cyclopts nor rich; `--help` imports the commands (`commands/app.py`), which
  import their dependencies when they run. A test counts the modules.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from boardwire import output
from boardwire.commands.version import version
from boardwire.errors import BoardwireError, Malformed
from boardwire.wire.text import escaped


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    output.install()
    if (sys.argv[1:] if arguments is None else arguments) == ["--version"]:
        print(version())
        sys.exit(0)
    import msgspec
    from cyclopts import CycloptsError
    from rich.console import Console

    from boardwire.commands.app import app

    try:
        app(
            arguments,
            exit_on_error=False,
            result_action="return_value",
            console=Console(file=output.plain(sys.stdout)),  # for the help, which quotes no untrusted text
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
        _discard_output()
        sys.exit(1)  # in `boardwire check ... | head -1`, a verdict that was not printed must not count as a pass
    except OSError as error:
        _discard_output()
        _fail(error, 1)
    sys.exit(0)


def _discard_output() -> None:
    """Redirect buffered output to /dev/null: the interpreter would flush it at exit and print an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(error: Exception, code: int) -> NoReturn:
    print(f"boardwire: {escaped(str(error))}", file=sys.stderr)
    sys.exit(code)
