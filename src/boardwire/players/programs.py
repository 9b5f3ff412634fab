"""Programs that the operator assigns to players, for dialects without passwords.

A file lists them; each entry has one criterion by which the server recognises the program:

    [[program]]
    player = "deep-tris"
    port = 7102               # it connects to this port, which `--listen` opens for it alone

    [[program]]
    player = "red"
    address = "10.0.0.7"      # it connects from this address or network

    [[program]]
    player = "blue"
    secret = "-x7f2k9q"       # it logs in as `blue-x7f2k9q`; the table shows `blue`

`dialect` restricts an entry to one dialect.
"""

from __future__ import annotations

import hmac
import tomllib
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final

import msgspec

from boardwire.errors import Malformed, validation_message
from boardwire.players.account import checked_name

MIN_SECRET_LENGTH: Final = 6
"""Shortest secret suffix of a name; some protocols allow names of 15 characters."""


class Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program: its player, and the criterion by which it is recognised."""

    player: str
    port: int = 0
    address: str = ""
    secret: str = ""
    dialect: str = ""

    def matches(self, dialect: str, name: str, address: str, port: int) -> bool:
        """Return whether a client of this dialect, name, address and port is the program."""
        if self.dialect not in ("", dialect) or not dialect or dialect == "native":
            return False
        if self.secret:
            return hmac.compare_digest(f"{self.player}{self.secret}".encode(), name.encode("utf-8", "replace"))
        return self.port == port if self.port else _is_in(address, self.address)


class ProgramList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the file of programs."""

    program: tuple[Program, ...] = ()


def load_programs(file: Path) -> Sequence[Program]:
    """Read the file; raise `Malformed` naming the invalid entry."""
    try:
        listed = msgspec.convert(tomllib.loads(file.read_text("utf-8")), ProgramList)
    except OSError as error:
        raise Malformed(f"cannot read {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{file} is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise Malformed(f"{file}: {validation_message(error)}") from None
    for program in listed.program:
        try:
            _check(program)
        except (Malformed, ValueError) as error:
            raise Malformed(f"{file}: program {program.player!r}: {error}") from None
    return listed.program


def _check(program: Program) -> None:
    """Raise `Malformed` unless a program has a valid name and exactly one valid way to identify it."""
    name = checked_name(program.player)
    if name != program.player:
        raise Malformed(f"the name must be {name!r}, without leading, trailing or repeated spaces")
    if sum(map(bool, (program.port, program.address, program.secret))) != 1:
        raise Malformed("set exactly one of port, address and secret")
    if program.secret and len(program.secret) < MIN_SECRET_LENGTH:
        raise Malformed(f"the secret has {len(program.secret)} characters; the minimum is {MIN_SECRET_LENGTH}")
    if program.dialect == "native":
        raise Malformed("native clients log in with tokens; give the program an API token instead")
    if not 0 <= program.port < 65536:
        raise Malformed(f"{program.port} is not a port from 1 to 65535")
    if program.address:
        ip_network(program.address)


def _is_in(address: str, network: str) -> bool:
    try:
        return ip_address(address) in ip_network(network)
    except ValueError:  # the key of the client is not an IP address: unknown, or a whole network
        return address == network
