"""What a figure depends on besides the code: the Python and how it was built, what runs compiled, cores and load."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from collections.abc import Mapping
from typing import Any

from boardwire import compiled


def is_optimised(variables: Mapping[str, Any]) -> bool:
    """Whether a Python with these variables of its build was built with profile-guided optimisation.

    Debian profiles without `--enable-optimizations`, and removes the flag for using a profile from what it installs.
    """
    return "--enable-optimizations" in (variables.get("CONFIG_ARGS") or "") or not variables.get("PGO_PROF_USE_FLAG")


def build(optimised: bool) -> str:
    """How a Python was built, in words."""
    return f"built {'with' if optimised else 'WITHOUT'} profile-guided optimisation"


def conditions() -> str:
    """The lines that belong to every figure."""
    optimised = is_optimised(sysconfig.get_config_vars())
    interpreted = [package for package in compiled.MODULES if not compiled.is_compiled(package)]
    load = " ".join(f"{average:.1f}" for average in os.getloadavg())
    lines = [
        f"{platform.python_implementation()} {platform.python_version()} ({sys.executable}), {build(optimised)}",
        f"load {load}, cores {os.cpu_count()}, {platform.machine()}",
    ]
    if not optimised:
        lines.append(
            "warning: this Python takes a tenth to a seventh more for the same code than Debian's or python.org's; "
            "make the figures that you compare or publish with one of those (docs/operate.md)"
        )
    if interpreted:
        lines.append(f"warning: interpreted, not compiled: {', '.join(interpreted)} (`make core`)")
    return "\n".join(lines)
