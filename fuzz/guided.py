"""One target under atheris: `python -m fuzz.guided TARGET [LIBFUZZER-ARGUMENT ...]`.

Only a target's own packages are instrumented, function by function after the import: instrumenting all of boardwire
would take 20 seconds before the first input.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Final

import atheris

from fuzz.targets import TARGETS

SCOPES: Final = {
    "nats": ("boardwire.wire.nats",),
    "fragments": ("boardwire.cluster.transport.fragments",),
    "envelope": ("boardwire.cluster.transport.messages",),
    "http": ("boardwire.net", "h11"),
    "match-import": ("boardwire.api.match_file",),
    "transcript": ("boardwire.proxy.transcript",),
}


def scope(target: str) -> tuple[str, ...]:
    """Return the packages whose coverage guides a target."""
    package = target.rpartition("-")[0].partition(".")[0].replace("-", "_")
    return SCOPES.get(target) or ("boardwire.wire", f"boardwire.dialects.{package}")


def functions(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the functions and methods that a module defines."""
    for value in vars(module).values():
        if getattr(value, "__module__", "") != module.__name__:
            continue
        for member in vars(value).values() if isinstance(value, type) else (value,):
            found = member.fget if isinstance(member, property) else member
            if isinstance(found, FunctionType):
                yield found


def main() -> None:
    """Fuzz until libFuzzer ends the process."""
    target = sys.argv.pop(1)
    for name, module in list(sys.modules.items()):
        if any(name == prefix or name.startswith(f"{prefix}.") for prefix in scope(target)):
            for function in functions(module):
                atheris.instrument_func(function)
    atheris.Setup(sys.argv, TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
