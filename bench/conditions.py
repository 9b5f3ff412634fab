"""Conditions that affect every figure: the Python build, compiled modules, cores and load."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from collections.abc import Mapping
from typing import Any

from boardwire import compiled


def is_optimised(variables: Mapping[str, Any]) -> bool:
    """Return whether these `sysconfig` variables are of a build with profile-guided optimisation.

    Debian profiles without `--enable-optimizations` and clears PGO_PROF_USE_FLAG in the installed variables.
    """
    return "--enable-optimizations" in (variables.get("CONFIG_ARGS") or "") or not variables.get("PGO_PROF_USE_FLAG")


def build(optimised: bool) -> str:
    """Describe how a Python was built."""
    return f"built {'with' if optimised else 'WITHOUT'} profile-guided optimisation"


def conditions() -> str:
    """Return the lines to publish with every figure."""
    optimised = is_optimised(sysconfig.get_config_vars())
    interpreted = [package for package in compiled.MODULES if not compiled.is_compiled(package)]
    load = " ".join(f"{average:.1f}" for average in os.getloadavg())
    lines = [
        f"{platform.python_implementation()} {platform.python_version()} ({sys.executable}), {build(optimised)}",
        f"load {load}, cores {os.cpu_count()}, {platform.machine()}",
    ]
    if not optimised:
        lines.append(
            "warning: this Python takes a tenth to a seventh more CPU time than Debian's or python.org's; "
            "use one of those for figures that you compare or publish (docs/operate.md)"
        )
    if interpreted:
        lines.append(f"warning: interpreted, not compiled: {', '.join(interpreted)} (`make core`)")
    return "\n".join(lines)
