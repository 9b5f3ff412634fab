"""The cage of an engine: its limits, and the command line that applies them with the system's programs.

Theory of operation:

- A command is started by a chain of system programs, each of which executes the next one: `bwrap` (bubblewrap) creates
  the namespaces and the file system, `prlimit` sets the resource limits, and `setpriv` drops root's privileges. Nothing
  runs between fork and exec in this process, so a server with threads can start an engine safely.
- With bubblewrap the engine has no network, sees no other process and dies with all its descendants, because they are
  in a separate process namespace. It sees the system's programs and its own directory, both read-only, and an empty
  `/tmp`.
- Without bubblewrap, `unshare` creates the namespaces, and Landlock (`landlock.py`) restricts the files. Without
  `unshare`, the engine has its own session, and its descendants are found in `/proc`; on systems other than Linux that
  is all. `cage_command` returns the active protections.
- If boardwire runs as root, every engine runs under its own user id: limits on processes do not apply to root.
- Resource limits are per process; the sum over all processes of an engine is watched (`caged_process.py`).
- A network program (`NetworkAccess.SHARED`) has the network of the process that starts it. If that process was started
  with `private_loopback`, this is a loopback interface that the machine's other programs cannot reach.
- A build may write to its own directory (`writable`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import cache
from glob import glob
from pathlib import Path
from typing import Final

import msgspec

from boardwire.engines import landlock
from boardwire.engines.command import SYSTEM_DIRECTORIES, ResolvedCommand, is_root

SYSTEM_FILES: Final = (
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
    "/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/etc/java*", "/etc/python3*", "/etc/nsswitch.conf", "/etc/mono",
    "/etc/ghc*",
)  # fmt: skip
"""Files of /etc that runtimes read; the others may contain secrets."""
PRIVATE_TMP: Final = "/tmp"
"""Directory that an engine may write to in the file system created by bubblewrap."""
NAMESPACED_LIMITS: Final = (5, 14)
"""Linux version from which the processes of each user namespace are counted separately."""
FIRST_USER_ID: Final = 1_500_000_000
"""First user id for the engines of a server that runs as root; usual systems do not assign ids in this range."""


class CageLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits of one engine.

    - `cpu_seconds`: CPU time of all its processes together; the engine is restarted between matches in good time.
    - `memory_bytes`: data of each process, and resident memory of all processes together.
    - `processes`: processes and threads together. A Java virtual machine has 20 to 40 threads.
    - `open_files`: file descriptors of each process.
    - `file_bytes`: size of a file, and of its `/tmp` as a whole.
    - `output_bytes`: bytes written for one decision, to standard output and standard error together.
    - `niceness`: priority, from 0 (that of boardwire) to 19.
    """

    cpu_seconds: int = 3600
    memory_bytes: int = 1 << 30
    processes: int = 128
    open_files: int = 256
    file_bytes: int = 64 << 20
    output_bytes: int = 1 << 20
    niceness: int = 0

    def __post_init__(self) -> None:
        for field in ("cpu_seconds", "memory_bytes", "processes", "open_files", "file_bytes", "output_bytes"):
            if getattr(self, field) < 1:
                raise ValueError(f"{field} must be at least 1, not {getattr(self, field)}")
        if not 0 <= self.niceness <= 19:
            raise ValueError(f"niceness must be from 0 to 19, not {self.niceness}")


class Protection(StrEnum):
    """A protection that is active for an engine."""

    SESSION = "own session"
    LIMITS = "resource limits"
    OWN_USER = "own user id"
    PROCESSES = "own process namespace"
    NO_NETWORK = "no network"
    FILES = "its own read-only files"


class NetworkAccess(StrEnum):
    """The network of a program in a cage."""

    NONE = "none"
    SHARED = "shared"
    """The network of the process that starts it."""


class CageTool(StrEnum):
    """System tool that isolates the processes of a cage; SESSION stands for none."""

    BUBBLEWRAP = "bubblewrap"
    UNSHARE = "unshare"
    SESSION = "session"


def cage_command(
    program: ResolvedCommand,
    limits: CageLimits,
    cage_tool: CageTool,
    scratch: str,
    user: int | None,
    network: NetworkAccess = NetworkAccess.NONE,
    writable: Path | None = None,
) -> tuple[list[str], tuple[Protection, ...]]:
    """Return the command that runs a program in a cage, and the active protections.

    `scratch` is the directory that the program may write to, `user` the user id under which it runs.
    """
    argv, protections = list(program.argv), [Protection.SESSION]
    if user is not None:
        argv = [*_setpriv_command(user), *argv]
        protections.append(Protection.OWN_USER)
    if shutil.which("prlimit"):
        is_counted_alone = user is not None or (
            cage_tool is not CageTool.SESSION and _kernel_version() >= NAMESPACED_LIMITS
        )
        argv = [*_prlimit_command(limits, 0 if is_counted_alone else _own_threads()), *argv]
        protections.append(Protection.LIMITS)
    if cage_tool is not CageTool.SESSION:
        protections.append(Protection.PROCESSES)
        if network is NetworkAccess.NONE:
            protections.append(Protection.NO_NETWORK)
    if cage_tool is CageTool.BUBBLEWRAP:
        argv = [*_bubblewrap_command(program, limits.file_bytes, network, writable), *argv]
        protections.append(Protection.FILES)
    elif has_landlock():
        argv = [*_landlock_command(program, str(writable or scratch), network), *argv]
        protections.append(Protection.FILES)
    return ([*_unshare_command(network), *argv] if cage_tool is CageTool.UNSHARE else argv), tuple(protections)


def private_loopback(argv: Sequence[str]) -> tuple[list[str], bool]:
    """Return the command that runs one of our programs with a private loopback interface, and True.

    The program sees the same files as this process. Without bubblewrap, return the command unchanged, and False: then
    network programs can reach everything that this process can reach.
    """
    if best_cage_tool() is not CageTool.BUBBLEWRAP:
        return list(argv), False
    # root keeps its capabilities, because it builds the cages of other programs inside
    capabilities = ["--cap-add", "ALL"] if is_root() else []
    wrapper = ["bwrap", "--unshare-net", "--unshare-pid", "--die-with-parent", *capabilities, "--dev-bind", "/", "/"]
    return [*wrapper, "--proc", "/proc", "--", *argv], True


@cache
def best_cage_tool() -> CageTool:
    """Return the best tool that works on this system; the result is cached."""
    if shutil.which("prlimit") and os.path.isdir("/proc/self"):
        return next((tool for tool in (CageTool.BUBBLEWRAP, CageTool.UNSHARE) if can_use(tool)), CageTool.SESSION)
    return CageTool.SESSION


def can_use(tool: CageTool) -> bool:
    """Return whether a cage can be built with this tool, by trying it."""
    match tool:
        case CageTool.BUBBLEWRAP:
            return _succeeds([*_bubblewrap_command(ResolvedCommand(("/",), Path("/usr")), 1 << 20), "true"])
        case CageTool.UNSHARE:
            return _succeeds([*_unshare_command(), "true"])
        case CageTool.SESSION:
            return True


def _succeeds(argv: Sequence[str]) -> bool:
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(argv, capture_output=True, timeout=10, check=False).returncode == 0
    return False


def _bubblewrap_command(
    program: ResolvedCommand,
    file_bytes: int,
    network: NetworkAccess = NetworkAccess.NONE,
    writable: Path | None = None,
) -> list[str]:
    """Return the bubblewrap command: private namespaces, and only the directories that the program needs."""
    argv = ["bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if network is NetworkAccess.NONE:
        argv.append("--unshare-net")
    if is_root():
        argv += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        argv += ["--unshare-user", "--disable-userns"] if _can_disable_userns() else ["--unshare-user"]
    argv += ["--die-with-parent", "--hostname", "engine"]
    for path in SYSTEM_DIRECTORIES:
        argv += ["--ro-bind-try", path, path]
    for path in (file for pattern in SYSTEM_FILES for file in glob(pattern)):
        argv += [*_parent_arguments(Path(path)), "--ro-bind", path, path]
    argv += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    argv += ["--perms", "1777", "--size", str(file_bytes), "--tmpfs", PRIVATE_TMP]
    for readable in program.readable:
        argv += [*_parent_arguments(readable), "--ro-bind", str(readable), str(readable)]
    if writable is not None:
        argv += [*_parent_arguments(writable), "--bind", str(writable), str(writable)]
    return [*argv, "--remount-ro", "/", "--chdir", str(program.directory), "--"]


def _parent_arguments(path: Path) -> Iterator[str]:
    """Yield the arguments that create the parents of a path; those that bubblewrap creates by itself are private."""
    for parent in reversed(path.parents[:-1]):
        yield from ("--dir", str(parent))


@cache
def _can_disable_userns() -> bool:
    """Return whether this bubblewrap (0.8 or later) can forbid further user namespaces in the cage."""
    return _succeeds(["bwrap", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "--", "true"])


def _unshare_command(network: NetworkAccess = NetworkAccess.NONE) -> list[str]:
    user = [] if is_root() else ["--user", "--map-current-user"]
    net = ["--net"] if network is NetworkAccess.NONE else []
    return ["unshare", *user, *net, "--ipc", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc", "--"]


@cache
def has_landlock() -> bool:
    """Return whether the kernel can restrict the files of a program (Landlock)."""
    return sys.platform == "linux" and landlock.abi() > 0


def _landlock_command(program: ResolvedCommand, scratch: str, network: NetworkAccess) -> list[str]:
    files = [file for pattern in SYSTEM_FILES for file in glob(pattern)]
    readable = [*SYSTEM_DIRECTORIES, *files, *map(str, program.readable)]
    tcp = [landlock.TCP_FLAG] if network is NetworkAccess.SHARED else []
    return [sys.executable, "-I", "-S", landlock.__file__, *tcp, scratch, *readable, "--"]


def _kernel_version() -> tuple[int, ...]:
    """Return the kernel version, for example (6, 1)."""
    return tuple(int(part) for part in re.findall(r"[0-9]+", os.uname().release)[:2])


def _own_threads() -> int:
    """Return the number of processes and threads that this user has now."""
    count = 0
    for path in glob("/proc/[0-9]*"):
        with suppress(OSError):
            if os.stat(path).st_uid == os.getuid():
                count += len(os.listdir(f"{path}/task"))
    return count


def _prlimit_command(limits: CageLimits, other_threads: int) -> list[str]:
    """Return the command that sets the limits; `other_threads` are those of the user that count too."""
    return [
        "prlimit", f"--cpu={limits.cpu_seconds}:{limits.cpu_seconds + 1}", f"--data={limits.memory_bytes}",
        f"--nproc={limits.processes + other_threads}", f"--nofile={limits.open_files}", f"--fsize={limits.file_bytes}",
        "--core=0", "--",
    ]  # fmt: skip


def _setpriv_command(user: int) -> list[str]:
    return [
        "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs", "--inh-caps=-all",
        "--bounding-set=-all", "--",
    ]  # fmt: skip


_user_numbers = iter(range(1 << 62))
_user_offset: Final = int.from_bytes(os.urandom(4))
"""Random, so that processes with the same process id in different namespaces use different user ids."""


def own_user() -> int | None:
    """Return a user id that other engines very probably do not use; None unless root, who alone can assign one."""
    if not is_root() or shutil.which("setpriv") is None:
        return None
    return FIRST_USER_ID + (os.getpid() + _user_offset) % 400_000 * 1000 + next(_user_numbers) % 1000
