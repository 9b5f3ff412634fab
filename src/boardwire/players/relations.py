"""Follows, blocks and challenges between players.

- A follow is private to its player; a profile shows only how many follow it.
- A blocked player cannot challenge; it gets the same response as if its challenge had been sent.
- A challenge names a private table that the challenger has opened. It expires, and one player has at most
  `MAX_CHALLENGES_SENT` that are not answered.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from boardwire.errors import Reason, Refused
from boardwire.records.records import Row, Transaction

MAX_RELATIONS: Final = 500
"""Players that one player may follow, and that it may block."""
MAX_CHALLENGES_SENT: Final = 10
"""Unanswered challenges of one player."""
CHALLENGE_VALID_SECONDS: Final = 3600.0
"""Time after which a challenge expires."""


class Relation(StrEnum):
    """Relation of a player to another one."""

    FOLLOW = "follow"
    BLOCK = "block"


class Challenge(msgspec.Struct, frozen=True):
    """A challenge to `player`: a seat at a private table, joined with its code."""

    number: int
    player: int
    challenger: int
    name: str
    game: str
    match: str
    code: str
    rated: bool
    at: float
    until: float


_CHALLENGE: Final = (
    "SELECT player_invitations.id, player, challenger, name, game, match, code, rated, player_invitations.created,"
    " until FROM player_invitations JOIN players ON players.id = challenger"
)


def relate(db: Transaction, player: int, other: int, relation: Relation, now: float) -> None:
    """Follow or block another player. A block ends both follows and withdraws the other's challenges."""
    if player == other:
        raise Refused(f"you cannot {relation} yourself")
    (count,) = db.one(
        "SELECT count(*) FROM player_relations WHERE player = ? AND kind = ?", player, relation.value
    ) or (0,)
    if count >= MAX_RELATIONS:
        raise Refused(f"you can {relation} at most {MAX_RELATIONS} players", reason=Reason.LIMIT)
    db.run(
        "INSERT INTO player_relations VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", player, other, relation.value, now
    )
    if relation is Relation.BLOCK:
        unrelate(db, player, other, Relation.FOLLOW)
        unrelate(db, other, player, Relation.FOLLOW)
        db.run("DELETE FROM player_invitations WHERE player = ? AND challenger = ?", player, other)


def unrelate(db: Transaction, player: int, other: int, relation: Relation) -> None:
    """End a follow or a block."""
    db.run("DELETE FROM player_relations WHERE player = ? AND other = ? AND kind = ?", player, other, relation.value)


def related_players(db: Transaction, player: int, relation: Relation) -> list[tuple[int, str]]:
    """Return number and name of the players that a player follows or blocks, sorted by name."""
    rows = db.all(
        "SELECT id, name FROM player_relations JOIN players ON id = other"
        " WHERE player = ? AND player_relations.kind = ? ORDER BY folded",
        player, relation.value,
    )  # fmt: skip
    return [(number, name) for number, name in rows]


def challenge(
    db: Transaction, challenger: int, player: int, game: str, match: str, code: str, *, rated: bool, now: float
) -> Challenge | None:
    """Store a challenge and return it, or return None if the other player has blocked the challenger."""
    if challenger == player:
        raise Refused("you cannot challenge yourself")
    find_block = "SELECT 1 FROM player_relations WHERE player = ? AND other = ? AND kind = ?"
    if db.one(find_block, player, challenger, Relation.BLOCK.value) is not None:
        return None
    db.run("DELETE FROM player_invitations WHERE until < ?", now)
    (open_challenges,) = db.one("SELECT count(*) FROM player_invitations WHERE challenger = ?", challenger) or (0,)
    if open_challenges >= MAX_CHALLENGES_SENT:
        raise Refused(
            f"you can have at most {MAX_CHALLENGES_SENT} open challenges; wait for an answer", reason=Reason.LIMIT
        )
    row = db.one(
        "INSERT INTO player_invitations (player, challenger, game, match, code, rated, created, until)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        player, challenger, game, match, code, int(rated), now, now + CHALLENGE_VALID_SECONDS,
    )  # fmt: skip
    assert row is not None, "an insert returns its row"
    return challenges_since(db, row[0] - 1)[0]


def challenges(db: Transaction, player: int, now: float) -> list[Challenge]:
    """Return the challenges that a player has not answered, newest first."""
    rows = db.all(f"{_CHALLENGE} WHERE player = ? AND until >= ? ORDER BY player_invitations.id DESC", player, now)
    return [_challenge(row) for row in rows]


def challenges_since(db: Transaction, number: int) -> list[Challenge]:
    """Return all challenges after a number, oldest first."""
    rows = db.all(f"{_CHALLENGE} WHERE player_invitations.id > ? ORDER BY player_invitations.id LIMIT 200", number)
    return [_challenge(row) for row in rows]


def last_challenge(db: Transaction) -> int:
    """Return the number of the newest challenge, or 0."""
    row = db.one("SELECT coalesce(max(id), 0) FROM player_invitations")
    return 0 if row is None else int(row[0])


def withdraw(db: Transaction, number: int, player: int) -> None:
    """Remove a challenge that a player received or sent."""
    remove = "DELETE FROM player_invitations WHERE id = ? AND (player = ? OR challenger = ?)"
    if not db.run(remove, number, player, player):
        raise Refused(f"there is no challenge {number}", reason=Reason.NO_SUCH_PLAYER)


def _challenge(row: Row) -> Challenge:
    number, player, challenger, name, game, match, code, rated, at, until = row
    return Challenge(number, player, challenger, name, game, match, code, bool(rated), at, until)
