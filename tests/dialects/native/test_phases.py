"""Every request in every phase of a connection: its answers, and that refused requests change nothing.

The table below is the whole truth: a row for each request, a column for each phase.  A cell lists the types of the
replies; `-word` is a refusal with that code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from boardwire.dialects.native.answer import ANSWER
from boardwire.simulation.server import SimulatedServer

from .visitor import Visitor

WAITING, RUNNING, OWN = "match-1", "match-2", "match-3"
"""A table where cyd waits, one where dan and eve play, and the one that ann opens."""

FIELDS: dict[str, dict[str, Any]] = {
    "hello": {"name": "ann"},
    "list": {},
    "open": {"game": "tris"},
    "find": {"game": "tris"},
    "pair": {"game": "tris"},
    "join": {"match": WAITING},
    "watch": {"match": RUNNING},
    "resume": {"match": OWN, "seat": 0},
    "act": {"action": 0},
    "say": {"text": "well"},
    "undo": {},
    "agree": {"agree": False},
    "draw": {},
    "resign": {},
    "rematch": {},
    "leave": {},
    "sync": {},
    "hint": {},
    "calltime": {},
    "why": {"action": 0},
    "ping": {},
    "nonsense": {},
}

TABLE = """
         new      lobby       waiting    to-move   not-to-move offered   over      watching  left        displaced
hello    welcome  welcome     -at-table  -at-table -at-table   -at-table -at-table -at-table welcome     welcome
list     -refused tables      tables     tables    tables      tables    tables    tables    tables      tables
open     -refused seated,step -at-table  -at-table -at-table   -at-table -at-table -at-table seated,step seated,step
find     -refused seated,step -at-table  -at-table -at-table   -at-table -at-table -at-table seated,step seated,step
pair     -refused seated,step -at-table  -at-table -at-table   -at-table -at-table -at-table seated,step seated,step
join     -refused seated,step -at-table  -at-table -at-table   -at-table -at-table -at-table seated,step seated,step
watch    -refused watching    -at-table  -at-table -at-table   -at-table -at-table -at-table watching    watching
resume   -refused -no-such-table -at-table  -at-table -at-table   -at-table -at-table -at-table seated,step seated
act      -refused -no-seat    -not-begun step      -not-your-turn step      -over     -no-seat  -no-seat    -no-seat
say      -refused -no-table   step       step      step        step      step      step      -no-table   -no-table
undo     -refused -no-seat    -no-undo   step      step        -refused  -no-undo  -no-seat  -no-seat    -no-seat
agree    -refused -no-seat    -no-undo   -no-undo  -no-undo    step      -no-undo  -no-seat  -no-seat    -no-seat
draw     -refused -no-seat    -not-begun step      step        step      -over     -no-seat  -no-seat    -no-seat
resign   -refused -no-seat    -not-begun step      step        step      -over     -no-seat  -no-seat    -no-seat
rematch  -refused -no-seat    -refused   -refused  -refused    -refused  wanted    -no-seat  -no-seat    -no-seat
leave    -refused -no-table   gone       gone      gone        gone      gone      gone      -no-table   -no-table
sync     -refused -no-table   state      state     state       state     state     state     -no-table   -no-table
hint     -refused -no-seat    -refused   -refused  -refused    -refused  -refused  -no-seat  -no-seat    -no-seat
calltime -refused -no-seat    -not-begun -not-due  -not-due    -not-due  -over     -no-seat  -no-seat    -no-seat
why      -refused -no-seat    -not-begun because   -not-your-turn because   -over     -no-seat  -no-seat    -no-seat
ping     -refused pong        pong       pong      pong        pong      pong      pong      pong        pong
nonsense -malformed -malformed -malformed -malformed -malformed -malformed -malformed -malformed -malformed -malformed
"""


class Scene:
    """ann in some phase, bob with her where he has to be, and the others of the server."""

    def __init__(self) -> None:
        self.server = SimulatedServer(seed=0)
        self.cyd, self.dan, self.eve = (Visitor(self.server, name) for name in ("cyd", "dan", "eve"))
        self.cyd.say("open", game="tris")
        self.dan.say("open", game="tris")
        self.eve.say("join", match=RUNNING)
        self.ann = Visitor(self.server)
        self.bob = Visitor(self.server, "bob")
        self.seq = 0

    def new(self) -> None:
        """No request was sent yet."""

    def lobby(self) -> None:
        self.ann.ask("hello", name="ann")

    def waiting(self) -> None:
        self.lobby()
        self.ann.say("open", game="tris")
        self.seq = 2

    def to_move(self) -> None:
        self.waiting()
        self.bob.say("join", match=OWN)
        self._move(self.ann, 4, 1)
        self._move(self.bob, 5, 2)

    def not_to_move(self) -> None:
        self.to_move()
        self._move(self.ann, 6, 3)

    def offered(self) -> None:
        self.to_move()
        self.bob.say("undo")
        self.seq += 1

    def over(self) -> None:
        self.to_move()
        self.bob.say("resign")
        self.seq += 2

    def watching(self) -> None:
        self.lobby()
        self.ann.say("watch", match=RUNNING)
        self.seq = 4

    def left(self) -> None:
        self.to_move()
        self.ann.say("leave")

    def displaced(self) -> None:
        self.to_move()
        other = Visitor(self.server)
        other.ask("hello", name="ann", token=self.ann.token)
        other.say("resume", match=OWN, seat=0)

    def _move(self, who: Visitor, seq: int, cell: int) -> None:
        who.say("act", seq=seq, action=cell)
        self.seq = seq + 1

    def settle(self) -> None:
        """Drain the input of all clients."""
        for visitor in (self.ann, self.bob, self.cyd, self.dan, self.eve):
            visitor.take()

    def heard_by_others(self) -> list[Any]:
        """Return the messages to all clients but ann."""
        return [said for visitor in (self.bob, self.cyd, self.dan, self.eve) for said in visitor.take()]

    def journal(self) -> list[Any]:
        """Return all stored events."""
        return [self.server.events(f"match-{number}") for number in range(1, 6)]


PHASES: dict[str, Callable[[Scene], None]] = {
    "new": Scene.new,
    "lobby": Scene.lobby,
    "waiting": Scene.waiting,
    "to-move": Scene.to_move,
    "not-to-move": Scene.not_to_move,
    "offered": Scene.offered,
    "over": Scene.over,
    "watching": Scene.watching,
    "left": Scene.left,
    "displaced": Scene.displaced,
}


def cells() -> list[tuple[str, str, str]]:
    """Yield the cells of the table: phase, request, types of the replies."""
    head, *rows = TABLE.strip().splitlines()
    return [
        (phase, row.split()[0], cell) for row in rows for phase, cell in zip(head.split(), row.split()[1:], strict=True)
    ]


def test_the_table_has_every_request_and_every_phase() -> None:
    assert {request for _, request, _ in cells()} == {kind.__name__.lower() for kind in ANSWER} | {"nonsense"}
    assert {phase for phase, _, _ in cells()} == set(PHASES)


@pytest.mark.parametrize(("phase", "request_", "answer"), cells())
def test_a_request_is_answered_as_the_table_says(phase: str, request_: str, answer: str) -> None:
    scene = Scene()
    PHASES[phase](scene)
    scene.settle()
    before = scene.journal()
    fields = dict(FIELDS[request_], seq=scene.seq) if request_ == "act" else FIELDS[request_]
    replies = scene.ann.say(request_, **fields)
    told = ",".join("-" + one["code"] if one["type"] == "refused" else one["type"] for one in replies)
    assert told == answer
    if answer.startswith("-"):
        assert replies[0]["reason"]
        assert scene.journal() == before
    if answer.startswith("-") or request_ in ("hello", "list", "watch", "sync"):
        assert scene.heard_by_others() == []
