"""Restrict a program's files with Landlock (Linux 5.13 and later), then execute it.

This file is run as a separate program, before the engine, if bubblewrap cannot be used:

    python -I -S landlock.py [--tcp] SCRATCH READABLE ... -- COMMAND ...

The command and its descendants may read and execute below the READABLE paths, do everything below SCRATCH, and use
harmless devices. Everything else is denied: other files, TCP (from ABI 4, unless --tcp is given), signals to and
abstract sockets of other programs (from ABI 6). This file imports nothing from boardwire, because that would take
100 ms.
"""

import ctypes
import os
import shutil
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of the system calls, which are the same on all architectures."""
PR_SET_NO_NEW_PRIVS = 38
VERSION_FLAG = 1
RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
"""Rights that are valid for files; the others are for directories only."""
FS_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
NET_RIGHTS = 3  # bind and connect by TCP
SCOPES = 3  # abstract sockets and signals

WRITABLE_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
READABLE_DEVICES = ("/dev/random", "/dev/urandom")
PROCESS_FILES = "/proc"
TCP_FLAG = "--tcp"


class RulesetAttributes(ctypes.Structure):
    """`landlock_ruleset_attr`: the rights that a ruleset handles, and so denies unless a rule allows them."""

    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class PathBeneath(ctypes.Structure):
    """`landlock_path_beneath_attr`: a rule that allows rights below a path."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def abi() -> int:
    """Return the Landlock version of the kernel, or 0 if it has none."""
    try:
        return max(0, int(_libc().syscall(CREATE_RULESET, None, 0, VERSION_FLAG)))
    except (OSError, AttributeError):  # macOS and Windows have no `syscall` function
        return 0


def restrict(scratch: str, readable: list[str], *, tcp: bool = False) -> None:
    """Restrict this process and its descendants; raise `OSError` if that fails.

    They may write below `scratch`, read and execute below `readable`, and use TCP only if `tcp` is true.
    """
    version = abi()
    rights = FS_RIGHTS_BY_ABI[min(version, max(FS_RIGHTS_BY_ABI))]
    attributes = RulesetAttributes(rights, NET_RIGHTS if version >= 4 and not tcp else 0, SCOPES if version >= 6 else 0)
    # The kernel refuses a larger structure than the one of its version: `net` was added in 4, `scoped` in 6.
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = _system_call(CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(size), 0)
    for path in (*readable, *READABLE_DEVICES, PROCESS_FILES):
        _allow_path(ruleset, path, (EXECUTE | READ_FILE | READ_DIR) & rights)
    for path in WRITABLE_DEVICES:
        _allow_path(ruleset, path, (READ_FILE | WRITE_FILE | TRUNCATE) & rights)
    _allow_path(ruleset, scratch, rights)
    if _libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    _system_call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow_path(ruleset: int, path: str, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        allowed = rights if os.path.isdir(path) else rights & FILE_RIGHTS
        rule = PathBeneath(allowed, parent)
        _system_call(ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _system_call(number: int, *arguments: object) -> int:
    result = int(_libc().syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result


def main(arguments: list[str]) -> None:
    """Restrict this process and execute the command."""
    tcp = arguments[0] == TCP_FLAG
    separator = arguments.index("--")
    scratch, *readable = arguments[tcp:separator]
    command = arguments[separator + 1 :]
    # Resolved before the restriction: afterwards Python may be unable to read its library, which os.execvp imports.
    program = shutil.which(command[0]) or command[0]
    restrict(scratch, readable, tcp=tcp)
    os.execv(program, command)


if __name__ == "__main__":
    main(sys.argv[1:])
