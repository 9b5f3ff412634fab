"""Commands of engines: the program, its working directory, and the files that it may read.

- A command is a line or a list of words; it is not passed to a shell.
- Words that name existing files become absolute paths, because the engine's working directory is its own.
- An engine may read its directory, the files that its command names, and the installation of its interpreter if that is
  outside the system's directories.
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from boardwire.errors import Malformed

SYSTEM_DIRECTORIES: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu",
)  # fmt: skip
"""Directories with programs and libraries, which every engine may read."""


class ResolvedCommand(msgspec.Struct, frozen=True):
    """A command with absolute paths, its working directory, and the files it may read besides the system's."""

    argv: tuple[str, ...]
    directory: Path
    readable: tuple[Path, ...] = ()


def resolve(
    command: str | Sequence[str], base: Path | None = None, directory: Path | None = None, readable: Sequence[Path] = ()
) -> ResolvedCommand:
    """Resolve a command.

    Words that name existing files are relative to `directory` or, without it, to `base`, the current directory by
    default. Without `directory`, the working directory is that of the first such file, so that an engine can read the
    files beside its program. Raises `Malformed` if the program does not exist.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise Malformed(f"cannot parse the command {command!r}: {error}") from None
    if not words or not words[0]:
        raise Malformed("the engine's command is empty")
    start = (directory or base or Path.cwd()).absolute()
    if not start.is_dir():
        raise Malformed(f"the engine's directory {start} does not exist")
    program = find_program(words[0], start)
    argv, paths = [str(program)], [] if _is_system(program) else [program]
    for word in words[1:]:
        path = start / word
        if not word.startswith("-") and _path_exists(path):
            argv.append(os.path.normpath(path))
            paths.append(path)
        else:
            argv.append(word)
    home = directory.absolute() if directory else next(map(_directory_of, _program_last(paths, program)), start)
    if home == Path("/") or (home == Path.home() and directory is None):
        raise Malformed(f"the engine is in {home} and could read everything there; move it to a separate directory")
    seen = [
        home,
        *map(_directory_or_file, paths),
        *_installation_directories(program),
        *(path.absolute() for path in readable),
    ]
    return ResolvedCommand(tuple(argv), home, _outermost_paths(path for path in seen if not _is_system(path)))


def _outermost_paths(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the paths without those inside another one."""
    outermost: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(outer) for outer in outermost):
            outermost.append(path)
    return tuple(outermost)


class MissingProgram(Malformed):
    """The program of a command does not exist."""


def find_program(word: str, start: Path) -> Path:
    """Return the file of a program: from the search path or, if the word has a slash, relative to `start`.

    Raises `MissingProgram` if there is none, `Malformed` if it is not executable.
    """
    program = start / word if "/" in word else shutil.which(word, path=_search_path())
    if program is None:
        raise MissingProgram(
            f"there is no program {word!r} in the search path; write ./{word} for one in the current directory"
        )
    if not os.path.isfile(program):
        raise MissingProgram(f"there is no program {str(program)!r}")
    if not os.access(program, os.X_OK):
        raise Malformed(f"the program {str(program)!r} is not executable; run chmod +x on it, or name its interpreter")
    return Path(os.path.normpath(Path(program).absolute()))


def _search_path() -> str:
    """Return the search path without shims of version managers, which need their manager outside the cage."""
    return os.pathsep.join(part for part in os.get_exec_path() if Path(part).name != "shims")


def _program_last(paths: Sequence[Path], program: Path) -> Iterator[Path]:
    """Yield the named files with the program last, because it may be an interpreter."""
    yield from (path for path in paths if path != program)
    if program in paths:
        yield program


def _path_exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that is too long or has a null character
        return False


def _directory_of(path: Path) -> Path:
    path = Path(os.path.normpath(path))
    return path if path.is_dir() else path.parent


def _directory_or_file(path: Path) -> Path:
    return Path(os.path.normpath(path))


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(root) for root in SYSTEM_DIRECTORIES)


def _installation_directories(program: Path) -> Iterator[Path]:
    """Yield the directories of an interpreter that is installed outside the system's directories."""
    for path in (program, program.resolve()):
        if path.parent.name == "bin" and not _is_system(path):
            yield path.parent.parent
    if (program.parent.parent / "pyvenv.cfg").is_file():
        with suppress(OSError):
            for line in (program.parent.parent / "pyvenv.cfg").read_text().splitlines():
                key, _, value = line.partition("=")
                if key.strip() == "home" and (home := Path(value.strip())).name == "bin" and not _is_system(home):
                    yield home.parent


def find_unreadable(program: ResolvedCommand) -> Path | None:
    """Return a file of an engine that other users cannot read, or None; only root runs engines as another user."""
    if not is_root():
        return None
    return next((path for path in (*program.readable, *map(Path, program.argv)) if _is_private(path)), None)


def _is_private(path: Path) -> bool:
    with suppress(OSError, ValueError):
        needed = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0)
        return path.is_absolute() and path.stat().st_mode & needed != needed
    return False


def is_root() -> bool:
    """Return whether this process runs as root."""
    return os.geteuid() == 0
