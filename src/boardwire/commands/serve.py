"""`boardwire serve`: run a server."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from boardwire import config
from boardwire.commands.arguments import find_dialect
from boardwire.errors import Malformed


def _with_setting_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one flag per setting of `config`, and `--config`. A flag that is not given is None."""
    flags: list[tuple[str, Any, Parameter]] = []
    for setting in config.SETTINGS.values():
        value = list[str] if setting.is_list else bool if isinstance(setting.default, bool) else str
        parameter = Parameter(setting.flag, help=setting.description, metavar=setting.kind.shape or None, negative="",
                              show_default=setting.default_text or False)  # fmt: skip
        flags.append((setting.name, value | None, parameter))
    flags.append(("config", Path | None, Parameter(help="TOML file with any of these settings.", metavar="FILE")))
    command.__dict__["__signature__"] = inspect.Signature([
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[value, parameter])
        for name, value, parameter in flags
    ])  # fmt: skip
    return command


@_with_setting_flags
def serve(**flags: Any) -> None:
    """Run a server. `cli.py` has the help, because this module imports every part of the server for its settings."""
    from boardwire import logs, node

    settings = config.load(flags, os.environ, flags.pop("config", None))
    for text in settings.listen:
        if not find_dialect(config.parse_listen(text)[0]).game:
            raise Malformed(f"--listen {text!r}: this dialect uses the HTTP port; use --http PORT")
    logs.configure(settings.log)
    node.run(settings)
