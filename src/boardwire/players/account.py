"""A player's account, its roles, and the scopes of its tokens.

- A **role** says what a player may do on this server; every account has `player`. Each role includes those before it.
- A **scope** says what a token may do for its player. The token of a session has every scope; an API token has those
  that it was created with, and never more than the roles of its player allow.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import Final

import msgspec

from boardwire.errors import Malformed
from boardwire.wire.text import escaped, printable

MAX_NAME_LENGTH: Final = 24
"""Longest name of an account in characters."""
GUEST_SUFFIX: Final = " (guest)"
"""Suffix for the name of a guest if the name belongs to an account."""
DELETED_NAME: Final = "deleted player"
"""Name under which the matches of a deleted account are shown, with the number of the seat."""

RESERVED_NAMES: Final = frozenset({
    "admin", "administrator", "boardwire", "console", "greedy", "guest", "moderator", "operator", "organiser", "random",
    "root", "search", "server", "system",
})  # fmt: skip
"""Names that no player may claim, compared without punctuation, spaces and trailing digits.

They stand for the operator, for the author of an act in the audit log, and for bots.
"""
_RESERVED_ENDS: Final = re.compile(r"(^|[^a-z])bots?\W*\d*$|\(guest\)$")
"""Endings of the names of bots (`level 3 bot`) and guests (`GUEST_SUFFIX`)."""
_RESERVED_STARTS: Final = ("player:", "guest:", "name:", "search:")
"""Prefixes of the subjects of bans, and of bots with a level."""
_SCRIPTS: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})
"""Scripts with letters that look like those of another one; Unicode character names begin with them."""


class Role(StrEnum):
    """What a player may do on this server."""

    PLAYER = "player"
    ORGANISER = "organiser"
    MODERATOR = "moderator"
    ADMIN = "admin"

    @property
    def included(self) -> frozenset[Role]:
        """The role and those that it includes."""
        order = list(Role)
        return frozenset(order[: order.index(self) + 1])


class Scope(StrEnum):
    """What a token may do for its player."""

    PLAY = "play"
    ORGANISE = "organise"
    ADMIN = "admin"


ALL_SCOPES: Final = frozenset(Scope)
SCOPE_ROLES: Final = {Scope.PLAY: Role.PLAYER, Scope.ORGANISE: Role.ORGANISER, Scope.ADMIN: Role.MODERATOR}
"""Role that a player needs before one of its tokens may have a scope."""


class Kind(StrEnum):
    """Kind of player: people and programs are rated apart."""

    PERSON = "person"
    PROGRAM = "program"
    BOT = "bot"
    """A bot of the server: it is rated, and its name is not claimed."""


class Account(msgspec.Struct, frozen=True):
    """A player with a claimed name."""

    id: int
    name: str
    kind: Kind = Kind.PERSON
    role: Role = Role.PLAYER
    created: float = 0.0

    @property
    def roles(self) -> frozenset[Role]:
        """All roles that the player has."""
        return self.role.included


def fold_name(name: str) -> str:
    """Return the form of a name by which names are compared: without case and typographic variants."""
    plain = " ".join(name.split())
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain).casefold())


def checked_name(text: str) -> str:
    """Return the stored form of a name; raise `Malformed` if no account can have it."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name or len(name) > MAX_NAME_LENGTH:
        raise Malformed(f"a name must have 1 to {MAX_NAME_LENGTH} characters; this one has {len(name)}")
    if name != printable(name) or not any(character.isalnum() for character in name):
        raise Malformed(f"the name {printable(name)!r} must have a letter or digit and no control characters")
    if not set(name).isdisjoint("/?#%\\"):
        raise Malformed(f"the name {name!r} contains one of the characters / ? # % \\, which URLs reserve")
    if fold_name(name).startswith(DELETED_NAME):
        raise Malformed(f"the name {name!r} is reserved; choose another one")
    return name


def claimable_name(text: str) -> str:
    """Return the stored form of a name; raise `Malformed` if no player may claim it.

    The operator's accounts, created on the command line or for listed programs, need only a `checked_name`.
    """
    name = checked_name(text)
    if name != escaped(name):
        raise Malformed(f"the name {escaped(name)!r} contains invisible characters")
    plain = fold_name(name)
    letters = "".join(filter(str.isalnum, plain)).rstrip("0123456789")
    if letters in RESERVED_NAMES or plain.startswith(_RESERVED_STARTS) or _RESERVED_ENDS.search(plain):
        raise Malformed(f"the name {name!r} is reserved; choose another one")
    words = {unicodedata.name(letter, "").partition(" ")[0] for letter in plain if letter.isalpha()}
    scripts = sorted(words & _SCRIPTS)
    if len(scripts) > 1:
        mixed = " and ".join(script.title() for script in scripts)
        raise Malformed(f"the name {name!r} mixes {mixed} letters, which look alike; use one script")
    return name
