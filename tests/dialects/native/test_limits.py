"""Limits on the requests of a native client."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.bots.server_bots import ServerBots
from boardwire.dialects.native.session import LINES, LISTS
from boardwire.lobby.quotas import Quotas
from boardwire.simulation.server import SimulatedServer
from boardwire.table.decide import CHAT_LIMIT
from boardwire.table.match import MINUTE

from .visitor import Visitor, opened, pass_time

TOO_MANY = f"too many table requests: at most {Quotas().openings} per minute"
TOO_OFTEN = f"you join and leave too often: at most {Quotas().comings} times per minute"


def bots() -> ServerBots:
    return ServerBots(lambda n: 0, lambda call: None, lambda seconds, call: None)


def test_chat_is_rate_limited() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, _ = opened(server)
    for number in range(LINES.max_requests):
        assert ann.ask("say", text=str(number))["type"] == "step"
    bob.take()
    assert ann.ask("say", text="more") == {"type": "refused", "code": "limit", "reason": LINES.refusal}
    assert bob.take() == []
    assert bob.ask("say", text="I may still talk")["type"] == "step"
    server.clock.pass_time(LINES.seconds)
    ann.take()
    assert ann.ask("say", text="again")["type"] == "step"


def test_the_allowance_is_renewed_only_after_its_period() -> None:
    server = SimulatedServer(seed=0)
    ann, _, _ = opened(server)
    for number in range(LINES.max_requests):
        server.clock.pass_time(LINES.seconds / (LINES.max_requests + 1))
        assert ann.ask("say", text=str(number))["type"] == "step"
    assert ann.ask("say", text="more")["code"] == "limit"


def test_a_line_is_not_longer_than_the_table_allows() -> None:
    ann, bob, _ = opened(SimulatedServer(seed=0))
    assert (
        ann.ask("say", text="x" * (CHAT_LIMIT + 1))["reason"]
        == f"a chat message must have at most {CHAT_LIMIT} characters, not {CHAT_LIMIT + 1}"
    )
    assert ann.ask("say", text="  ")["code"] == "refused"
    assert bob.take() == []
    assert ann.ask("say", text="x" * CHAT_LIMIT)["type"] == "step"


def test_opening_tables_is_rate_limited() -> None:
    server = SimulatedServer(seed=0)
    ann = Visitor(server, "ann")
    for _ in range(Quotas().openings):
        ann.say("open", game="tris")
        ann.say("leave")
    assert ann.ask("find", game="tris") == {"type": "refused", "code": "limit", "reason": TOO_MANY}
    assert len(server.lobby) == 0
    pass_time(server, MINUTE, ann)
    ann.take()
    assert ann.say("find", game="tris")[0]["type"] == "seated"


def test_joins_are_rate_limited() -> None:
    server = SimulatedServer(seed=0)
    ann, bob = Visitor(server, "ann"), Visitor(server, "bob")
    ann.say("open", game="santorini", seats=3)
    for number in range(Quotas().comings):
        bob.say("join" if number % 2 else "watch", match="match-1")
        assert bob.ask("leave")["type"] == "gone"
    ann.take()
    stored = len(server.events("match-1"))
    for request in ({"kind": "join"}, {"kind": "watch"}, {"kind": "resume", "seat": 0}):
        refused = bob.ask(match="match-1", **request)
        assert refused == {"type": "refused", "code": "limit", "reason": TOO_OFTEN}
    assert ann.take() == []
    assert len(server.events("match-1")) == stored
    pass_time(server, MINUTE, ann, bob)
    bob.take()
    assert bob.say("join", match="match-1")[0]["type"] == "seated"


def test_lists_are_rate_limited() -> None:
    server = SimulatedServer(seed=0)
    ann = Visitor(server, "ann")
    for _ in range(LISTS.max_requests):
        assert ann.ask("list")["type"] == "tables"
    assert ann.ask("list") == {"type": "refused", "code": "limit", "reason": LISTS.refusal}
    server.clock.pass_time(LISTS.seconds)
    assert ann.ask("list")["type"] == "tables"


def against(server: SimulatedServer, player: Visitor, **terms: Any) -> str:
    """Let a player begin a match with another person and leave it; return the match."""
    match: str = player.say("open", game="tris", **terms)[0]["state"]["match"]
    Visitor(server, "bob").say("join", match=match)
    player.say("leave")
    player.take()
    return match


def test_the_seats_of_a_player_are_limited() -> None:
    server = SimulatedServer(seed=0, bots=bots())
    ann = Visitor(server, "ann")
    matches = [against(server, ann) for _ in range(Quotas().seats)]
    refused = ann.ask("open", game="tris", bots=["", "random"])
    assert (refused["code"], refused["reason"][:25]) == ("limit", "you have seats in 16 unfi")
    assert ann.ask("join", match="match-1")["code"] == "limit"
    again = Visitor(server, "ann", ann.token)
    assert again.ask("find", game="tris")["code"] == "limit"
    assert len(server.lobby) == Quotas().seats
    assert again.say("resume", match=matches[0], seat=0)[0]["type"] == "seated"
    again.say("resign")
    again.say("leave")
    assert again.say("open", game="tris")[0]["type"] == "seated"


def test_matches_that_ended_without_the_player_do_not_count() -> None:
    server = SimulatedServer(seed=0, bots=bots())
    ann = Visitor(server, "ann")
    for _ in range(Quotas().seats):
        against(server, ann, grace=5.0)
    assert ann.ask("open", game="tris")["code"] == "limit"
    server.clock.pass_time(6)
    assert ann.say("open", game="tris")[0]["type"] == "seated"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"bots": ["", "random", "random"]}, "3 bots for 2 seats"),
        ({"bots": ["random", "random"]}, "bots take every seat"),
        ({"bots": ["random"], "seat": 0}, "requested for you and for a bot"),
        ({"seat": 2}, "no seat 2"),
        ({"seat": -1}, "no seat -1"),
        ({"bots": ["", "clever"]}, "no bot 'clever'"),
        ({"bots": ["", "random"], "seats": 5}, "2 players"),
    ],
)
def test_a_table_where_its_owner_could_not_sit_down_is_not_opened(fields: dict[str, Any], words: str) -> None:
    server = SimulatedServer(seed=0, bots=bots())
    refused = Visitor(server, "ann").ask("open", game="tris", **fields)
    assert (refused["type"], refused["code"]) == ("refused", "refused")
    assert words in refused["reason"]
    assert len(server.lobby) == 0
    assert list(server.journal.unfinished()) == []


def test_a_bot_does_not_take_its_owners_name() -> None:
    server = SimulatedServer(seed=0, bots=bots())
    (seated, _) = Visitor(server, "random bot 2").say("open", game="tris", bots=["", "random"])
    names = [player["name"] for player in seated["state"]["players"]]
    assert names == ["random bot 2", "random bot 2'"]
