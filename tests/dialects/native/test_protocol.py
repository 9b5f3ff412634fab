"""The arcs match the server's behaviour and the specification."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from boardwire.dialects.native.protocol import (
    ARCS,
    ASKED,
    CONNECTED,
    LOBBY,
    OVER,
    STATES,
    UNASKED,
    WAITING,
    WATCHING,
)
from boardwire.dialects.protocol import END, START, Arc
from boardwire.simulation.server import SimulatedServer
from boardwire.wire.websocket import Close, Ping, encode_close, encode_pong

from .visitor import MASK, Visitor

PAGE = Path(__file__).parents[3] / "docs" / "dialects" / "native.md"

IN_VAIN: dict[str, dict[str, Any]] = {
    "join": {"match": "nowhere"}, "watch": {"match": "nowhere"}, "resume": {"match": "nowhere", "seat": 0},
    "act": {"seq": 1, "action": 0}, "say": {"text": "x"}, "leave": {}, "sync": {}, "undo": {}, "rematch": {},
}  # fmt: skip


BOTH = "both agree to a draw"


class Party:
    """A connection, with the state that its client infers."""

    def __init__(self, walk: Walk, token: str = "") -> None:
        self.walk = walk
        self.visitor = Visitor(walk.server)
        self.token = token
        self.state = START
        self.seat: int | None = None
        self.match: dict[str, Any] = {}
        self.note("upgrades to a WebSocket")

    def say(self, kind: str, what: str = "", **fields: Any) -> None:
        """Send a request; `what` is its name in the table."""
        self.note(what or kind, self.visitor.say(kind, **fields))

    def note(self, what: str, replies: list[Any] | None = None) -> None:
        """Check that the replies are an arc of the table, and follow it."""
        source, kinds = self.state, []
        for reply in self.visitor.take() if replies is None else replies:
            if isinstance(reply, Ping):
                self.visitor.peer.send(encode_pong(b"", MASK))
                continue
            kinds.append("close" if isinstance(reply, Close) else reply["type"])
            self._learn(reply)
        if source == START:
            self.state = CONNECTED
        arc = Arc(source, what, ", ".join(kind for kind, _ in groupby(kinds)), self.state)
        assert arc in ARCS, arc
        self.walk.seen.add(arc)

    def skip(self) -> None:
        """Drain the input without checks."""
        for reply in self.visitor.take():
            if isinstance(reply, Ping):
                self.visitor.peer.send(encode_pong(b"", MASK))

    def _learn(self, reply: Any) -> None:
        if isinstance(reply, Close):
            self.state = END
            return
        kind = reply["type"]
        if kind == "welcome":
            self.token, self.state = reply["token"], LOBBY
        elif kind == "gone":
            self.state, self.seat, self.match = LOBBY, None, {}
        elif kind == "seated":
            self.seat = reply["seat"]
        if "state" in reply:
            self.match = reply["state"]
            self.state = self._phase()

    def _phase(self) -> str:
        if self.seat is None:
            return WATCHING
        if self.match["status"] != "playing":
            return WAITING if self.match["status"] == "waiting" else OVER
        return ASKED if "choices" in self.match["asked"] else UNASKED


class Walk:
    """ann and bob play, eve watches; every step must be an arc of the table."""

    def __init__(self, seed: int) -> None:
        self.server = SimulatedServer(seed=seed)
        self.seen: set[Arc] = set()
        self._random = Random(seed)
        self.game = self._random.choice(("santorini", "forza"))
        self.offered = ""
        self.ann, self.bob, self.eve = (Party(self) for _ in range(3))
        for party, name in ((self.ann, "ann"), (self.bob, "bob"), (self.eve, "eve")):
            party.say("list", "anything but hello")
            self._close(party, 0.02)
            if party.state != END:
                party.say("hello", name=name)

    def run(self) -> None:
        ann, bob, eve = self.ann, self.bob, self.eve
        parties = (ann, bob, eve)
        if END in (ann.state, bob.state, eve.state):
            return
        ann.say("list")
        ann.say("hello", name="ann")
        kind = self._random.choice(list(IN_VAIN))
        ann.say(kind, "sends a request that fails or needs a table", **IN_VAIN[kind])
        self._close(bob, 0.03)
        ann.say("open", game="tris")
        ann.say("leave")
        ann.say("open", game=self.game, seat=self._random.choice((0, 1)))
        eve.say("watch", match=ann.match["match"])
        ann.say("say", "a player chats", text="hello?")
        ann.say("act", "act, resign, undo or rematch", seq=2, action={"type": "done"})
        eve.note("something happens")
        self._close(ann, 0.03)
        if END in (ann.state, bob.state):
            return
        bob.say("join", "find, pair or join", match=ann.match["match"])
        ann.note("the last seat is taken")
        eve.note("something happens")
        while not any(party.state == END for party in parties) and len(self.seen) < len(ARCS):
            if not self._step(parties):
                return

    def _step(self, parties: tuple[Party, ...]) -> bool:
        ann, bob, eve = parties
        one, other = self._random.sample((ann, bob), 2)
        if eve.state == WATCHING and self._random.random() < 0.05:
            eve.say("resign", "sends a request that needs a seat")
        chance = self._random.random()
        if OVER in (ann.state, bob.state):
            return self._after(one, other, eve)
        if chance < 0.004:
            self._close(one, 1.0)
        elif chance < 0.01:
            one.say("resign")
            other.note("the other resigns")
        elif chance < 0.05:
            one.say("find", "requests another table", game="tris")
            return True
        elif chance < 0.1:
            one.say("say", "a player chats, leaves or returns", text="hm")
            other.note("a player chats, leaves or returns")
            self.server.clock.pass_time(3)
            one.skip()
            other.skip()
            eve.skip()
        elif chance < 0.12 and self.game == "forza" and one.match.get("moves", 0) > 1 and not self._has_offered(one):
            for party, answer in ((one, True), (other, self._random.random() < 0.5)):
                party.say(
                    "draw", "a player offers or declines a draw" if party is one or not answer else BOTH, agree=answer
                )
                rest = other if party is one else one
                rest.note("a player offers or declines a draw" if party is one or not answer else BOTH)
        elif chance < 0.15:
            self._leave_and_return(one, other, eve)
        else:
            self._act(one, other, chance)
            return True
        eve.skip()
        return True

    def _has_offered(self, party: Party) -> bool:
        """Return whether a draw was offered in this match, and record it."""
        before, self.offered = self.offered, party.match["match"]
        return before == self.offered

    def _act(self, one: Party, other: Party, chance: float) -> None:
        match = one.match
        if one.state == UNASKED:
            one.say("act", seq=match["seq"], action=other.match["asked"]["choices"][0])
        elif chance < 0.2:
            one.say("act", "act against the rules", seq=match["seq"], action={"type": "build", "by": 0, "at": 0})
        elif chance < 0.25:
            one.say("act", "act by an old state", seq=1, action=match["asked"]["choices"][0])
        else:
            one.say("act", seq=match["seq"], action=self._random.choice(match["asked"]["choices"]))
            other.note("the other acts")
            if self.eve.state == WATCHING:
                self.eve.note("something happens")

    def _leave_and_return(self, one: Party, other: Party, eve: Party) -> None:
        match, seat = one.match["match"], one.seat
        if self._random.random() < 0.5:
            one.say("leave")
            other.note("a player chats, leaves or returns")
            one.say("resume", match=match, seat=seat)
            other.note("a player chats, leaves or returns")
        else:
            again = Party(self)
            again.say("hello", token=one.token)
            again.visitor.say("resume", match=match, seat=seat)
            one.note("returns by another connection")
            again.visitor.say("leave")
            other.note("a player chats, leaves or returns")
            one.say("resume", match=match, seat=seat)
            other.note("a player chats, leaves or returns")
        if eve.state == WATCHING and self._random.random() < 0.3:
            eve.skip()
            eve.say("leave")
        elif eve.state == LOBBY:
            self._close(eve, 0.1)

    def _after(self, one: Party, other: Party, eve: Party) -> bool:
        one.say("act", "act, resign or undo", seq=one.match["seq"], action={"type": "done"})
        one.say("say", "a player chats", text="well played")
        other.note("a player chats")
        eve.skip()
        self._close(one, 0.1)
        if one.state == END or self._random.random() < 0.2:
            if one.state == END:
                other.note("a player leaves")
            other.say("leave")
            if eve.state == WATCHING:
                eve.note("a player leaves after the match")
            return False
        one.say("rematch", "a player wants a rematch")
        other.note("a player wants a rematch")
        if eve.state == WATCHING:
            eve.note("a player wants a rematch")
        other.say("rematch", "all want a rematch")
        one.note("all want a rematch")
        if eve.state == WATCHING:
            eve.note("all want a rematch")
        self._close(eve, 0.5)
        if eve.state == WATCHING:
            eve.say("leave")
        return eve.state != END

    def _close(self, party: Party, chance: float) -> None:
        if self._random.random() < chance:
            party.skip()
            party.visitor.peer.send(encode_close(1000, "", MASK))
            party.note("close")
            assert party.visitor.peer.closed


def test_every_step_is_an_arc_and_every_arc_is_taken() -> None:
    seen: set[Arc] = set()
    for seed in range(120):
        walk = Walk(seed)
        walk.run()
        seen |= walk.seen
        if seen == set(ARCS):
            break
    assert seen == set(ARCS)


def test_the_states_of_the_table_are_those_it_names() -> None:
    assert {arc.source for arc in ARCS} == {START, *STATES}
