"""Wheels of this checkout, and environments with nothing but one of them."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from scripts.check_wheel import Environment

from boardwire import compiled
from scripts import distributions


class Distributions(NamedTuple):
    """What is published."""

    source: Path
    pure: Path
    compiled: Path | None
    """None: nothing is compiled in this checkout, and compiling takes minutes (`make core`)."""


@cache
def built() -> Distributions:
    """Build everything, once in a process. `BOARDWIRE_DIST` names a folder in which that was done before."""
    if (found := os.environ.get("BOARDWIRE_DIST")) is not None:
        folder = Path(found)
        ours = folder.glob(f"*-cp{sys.version_info.major}{sys.version_info.minor}-*.whl")
        return Distributions(next(folder.glob("*.tar.gz")), next(folder.glob("*-none-any.whl")), next(ours, None))
    folder = _scratch()
    source = distributions.source_distribution(folder)
    pure = distributions.pure_wheel(distributions.unpack(source, _scratch()), folder)
    fresh = all(map(compiled.is_fresh, compiled.MODULES))
    return Distributions(
        source, pure, distributions.build_compiled_wheel(distributions.ROOT, folder) if fresh else None
    )


@cache
def environment(wheel: Path) -> Environment:
    """Return an environment with a wheel, made once in a process."""
    return Environment(wheel, _scratch())


def _scratch() -> Path:
    folder = tempfile.mkdtemp(prefix="boardwire-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
