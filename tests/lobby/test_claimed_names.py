"""Names reserved by guests."""

from __future__ import annotations

from boardwire.lobby.requests import (
    Claim,
    Unclaim,
)
from boardwire.table.guest import Claimed

from ..table.doubles import NotedGuest
from .hall import Hall


def test_a_name_is_claimed_by_one_guest_at_a_time_within_its_scope() -> None:
    hall = Hall()
    ann, bob = NotedGuest(), NotedGuest()
    hall.lobby.do(ann, Claim("Ann", "d"))
    assert ann.take() == [Claimed("Ann")]
    assert hall.do(bob, Claim("ANN", "d")) == ["the name 'ANN' is already taken"]
    assert hall.do(bob, Claim("ann", "other")) == ["Claimed"]
    assert hall.do(ann, Claim("ann", "d")) == ["Claimed"]


def test_a_claim_ends_when_it_is_given_up_changed_or_its_guest_goes() -> None:
    hall = Hall()
    ann = hall.guest(Claim("ann", "d"))
    assert hall.do(ann, Unclaim(), Unclaim()) == []
    assert hall.do(NotedGuest(), Claim("ann", "d")) == ["Claimed"]
    bob = hall.guest(Claim("bob", "d"), Claim("rob", "d"))
    assert hall.do(NotedGuest(), Claim("bob", "d")) == ["Claimed"]
    hall.lobby.disconnected(bob)
    assert hall.do(NotedGuest(), Claim("rob", "d")) == ["Claimed"]
