"""C sources, compiled on demand and called through ctypes.

A compiled library is cached by the hash of its sources, compiler and flags.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path


class NoCompilerError(Exception):
    """There is no C compiler on this machine."""


def compiler() -> str | None:
    """Return the path of the C compiler, or None."""
    return shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc") or shutil.which("clang")


def load(source: Path, *includes: Path, flags: tuple[str, ...] = ("-O3", "-march=native")) -> ctypes.CDLL:
    """Compile a source, unless it is cached, and load it; `includes` are the files that it includes."""
    program = compiler()
    if program is None:
        raise NoCompilerError(f"cannot compile {source.name}: install a C compiler (gcc or clang), or set CC to one")
    total = hashlib.sha256(" ".join((program, *flags)).encode())
    for path in (source, *includes):
        total.update(path.read_bytes())
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boardwire-training"
    made = root / f"{source.stem}-{total.hexdigest()[:16]}.so"
    if not made.exists():
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=root) as scratch:
            built = Path(scratch) / made.name
            folders = {f"-I{path.parent}" for path in includes}
            subprocess.run([program, *flags, *folders, "-shared", "-fPIC", "-o", built, source, "-lm"], check=True)
            built.replace(made)
    return ctypes.CDLL(str(made))
