"""The gate in front of the lobby: banned and muted guests, draining nodes, announcements."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.errors import Reason
from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.requests import (
    Attend,
    Depart,
    Enter,
    Introduce,
    Open,
    Reclaim,
    Rematch,
    Resume,
    Seek,
    Survey,
    Watch,
)
from boardwire.moderation.acts import Act, ActKind
from boardwire.moderation.gate import Gate
from boardwire.moderation.sanctions import Sanctions
from boardwire.table.commands import Act as Move
from boardwire.table.commands import Chat, Join, Resign
from boardwire.table.events import Player
from boardwire.table.guest import Announced, Guest, Notification, Refusal

TOKEN = "t" * 24
SEEK = Seek("tris", 2, Player("ann", "native"))
WAYS_TO_A_TABLE = [
    SEEK, Enter("m", Player("ann")), Open(SEEK), Attend("tris", "native"), Rematch(), Resume("m", 0, ""),
    Reclaim(Player("ann")), Watch("m"),
]  # fmt: skip


class Door:
    """A gate whose lobby only notes what it gets."""

    def __init__(self, *acts: Act) -> None:
        self.done: list[Any] = []
        self.heard: list[Notification] = []
        self.now = 100.0
        self.sanctions = Sanctions(acts)
        self.gate = Gate(self, self.sanctions, lambda: self.now)
        self.guest = Guest(self.heard.append, "203.0.113.7")

    def do(self, guest: Guest, request: Any) -> None:
        self.done.append(request)

    def disconnected(self, guest: Guest) -> None:
        self.done.append("disconnected")

    def ask(self, request: Any) -> Reason | None:
        """Make a request; gives why it was refused."""
        self.heard.clear()
        self.gate.do(self.guest, request)
        refusals = [one.reason.reason for one in self.heard if isinstance(one, Refusal)]
        return refusals[0] if refusals else None


def act(kind: ActKind, target: str = "", until: float = 0.0, reason: str = "") -> Act:
    return Act(number=1, at=0.0, by="moderator", kind=kind, target=target, until=until, reason=reason)


@pytest.mark.parametrize("request_", WAYS_TO_A_TABLE, ids=lambda one: type(one).__name__)
def test_a_banned_guest_gets_to_no_table(request_: Any) -> None:
    door = Door(act(ActKind.BAN, "guest:KEY", until=200.0, reason="insults"))
    door.guest.key = "KEY"
    assert door.ask(request_) is Reason.BANNED
    assert str(door.heard[0].reason) == "you are banned on this server for 2 minutes: insults"
    assert door.done == []
    door.now = 200.0
    assert door.ask(request_) is None
    assert door.done == [request_]


def test_a_banned_player_is_recognised_by_the_key_of_its_account() -> None:
    door = Door(act(ActKind.BAN, "player:7"))
    door.guest.key = "player:7"
    assert door.ask(SEEK) is Reason.BANNED
    assert door.gate.is_banned(door.guest)
    door.guest.key = "player:70"
    assert door.ask(SEEK) is None
    assert not door.gate.is_banned(door.guest)


def test_a_guest_cannot_call_itself_a_banned_or_unbanned_player_by_its_key() -> None:
    """The hash of a token never begins with `player:`, so no guest key is taken for an account."""
    door = Door(act(ActKind.BAN, f"guest:{token_hash(TOKEN)}"))
    assert door.ask(Introduce(TOKEN, "ann")) is Reason.BANNED
    assert door.ask(Introduce("u" * 24, "ann")) is None


def test_a_banned_player_is_recognised_in_its_own_program() -> None:
    """Programs of the published protocols have no token: the entrance names their account in the request."""
    door = Door(act(ActKind.BAN, "player:7"))
    program = Player("robot", "tris-lines", account=7)
    for request in (Seek("tris", 2, program), Enter("m", program), Open(Seek("tris", 2, program)), Join(program)):
        assert door.ask(request) is Reason.BANNED
    assert door.ask(Seek("tris", 2, Player("robot", "tris-lines", account=8))) is None


def test_what_leads_to_no_table_passes_for_a_banned_guest() -> None:
    door = Door(act(ActKind.BAN, "guest:KEY"))
    door.guest.key = "KEY"
    for request in (Depart(), Survey(), Move(0, (1,)), Resign(0)):
        assert door.ask(request) is None
    assert len(door.done) == 4
    door.gate.disconnected(door.guest)
    assert door.done[-1] == "disconnected"


@pytest.mark.parametrize("target", ["guest:KEY", "address:203.0.113.0/24"])
def test_a_muted_guest_plays_but_does_not_chat(target: str) -> None:
    door = Door(act(ActKind.MUTE, target, until=101.0))
    door.guest.key = "KEY"
    assert door.ask(Chat(0, "hello")) is Reason.MUTED
    assert str(door.heard[0].reason) == "you are muted on this server for less than a minute"
    assert door.ask(SEEK) is None
    door.now = 101.0
    assert door.ask(Chat(0, "hello")) is None


def test_a_draining_node_gives_no_new_seats_and_lets_players_return() -> None:
    door = Door()
    door.gate.drain_reason = "this server stops soon"
    refused = [type(one) for one in WAYS_TO_A_TABLE if door.ask(one) is Reason.UNAVAILABLE]
    assert refused == [Seek, Enter, Open, Attend, Rematch]
    assert door.ask(Join(Player("ann"))) is Reason.UNAVAILABLE


def test_a_guest_that_introduces_itself_gets_the_announcement() -> None:
    door = Door(act(ActKind.ANNOUNCE, reason="restart at nine", until=150.0))
    door.ask(Introduce(TOKEN, "ann"))
    assert door.heard == [Announced(1, "restart at nine", 150.0)]
    door.ask(SEEK)
    assert door.heard == []
