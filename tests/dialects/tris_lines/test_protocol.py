"""The arcs match the server's behaviour and the specification."""

from pathlib import Path
from random import Random

from boardwire.dialects.protocol import END, START, Arc
from boardwire.dialects.tris_lines import messages as line
from boardwire.dialects.tris_lines.protocol import ARCS, MOVING, WAITING, WATCHING
from boardwire.dialects.tris_lines.server import MAX_BAD_MESSAGES
from boardwire.games.tris import outcome
from boardwire.games.tris.rules import Position
from boardwire.simulation.server import SimulatedConnection, SimulatedServer

SPECIFICATION = Path(__file__).parents[3] / "docs" / "dialects" / "tris-lines.md"


def heard(peer: SimulatedConnection) -> str:
    """Return the server's lines since the last call; a board line is called "board"."""
    words = []
    for said in peer.take().decode().splitlines():
        if "," in said:
            words.append("board" + {"": "", "L": " with L", "P": " with P"}[said.rpartition(",")[2]])
        else:
            words.append(said)
    return " ".join(words)


class Walk:
    """Two clients take random steps; every step must be an arc."""

    def __init__(self, seed: int) -> None:
        self.seen: set[Arc] = set()
        self._random = Random(seed)
        self._server = SimulatedServer()
        self._peers = [self._server.connect("tris-lines")]
        self._states = [START]
        self._note(0, "connects, first of a pair")

    def _note(self, who: int, what: str) -> None:
        peer = self._peers[who]
        said = heard(peer)
        source = self._states[who]
        arcs = [arc for arc in ARCS if (arc.source, arc.trigger, arc.reply) == (source, what, said)]
        assert len(arcs) == 1, f"in {source}, {what}: the server said {said!r}"
        assert peer.closed == (arcs[0].target == END)
        self._states[who] = arcs[0].target
        self.seen.add(arcs[0])

    def run(self) -> None:
        if self._random.random() < 0.5:
            self._peers[0].send(b"4\nx\n")
            self._note(0, "sends anything")
        if self._random.random() < 0.2:
            self._leave(0)
            return
        self._peers.append(self._server.connect("tris-lines"))
        self._states.append(START)
        self._note(1, "connects, second of a pair")
        self._note(0, "an opponent arrives")
        while END not in self._states:
            self._step(self._random.randrange(2))

    def _step(self, who: int) -> None:
        peer = self._peers[who]
        chance = self._random.random()
        if chance < 0.01:
            self._leave(who)
        elif self._states[who] == WATCHING:
            peer.send(b"%d\n" % self._random.randrange(9))
            self._note(who, "sends anything")
        elif chance < 0.02:
            for _ in range(MAX_BAD_MESSAGES):
                if not peer.closed:
                    peer.take()
                    peer.send(b"9\n")
            self._note(who, "reaches the limit of refused lines")
            self._note(1 - who, "opponent leaves")
        else:
            self._move(who, self._random.randrange(9))

    def _move(self, who: int, cell: int) -> None:
        position: Position = self._server.match().position
        free = not (position.marks[0] | position.marks[1]) >> cell & 1
        self._peers[who].send(b"%d\n" % cell)
        if not free:
            self._note(who, "sends anything but a free cell")
            return
        result = outcome(self._server.match().position)
        if result is None:
            mine, theirs = "sends a free cell", "opponent moves"
        elif result.winners:
            mine, theirs = "completes a line", "opponent completes a line"
        else:
            mine, theirs = "fills the board", "opponent fills the board"
        self._note(who, mine)
        self._note(1 - who, theirs)

    def _leave(self, who: int) -> None:
        if self._random.random() < 0.5:
            self._peers[who].drop()
        else:
            self._peers[who].send(b"x" * (line.LINE_LIMIT + 1))
        self._note(who, "leaves, or sends a line that is too long")
        if len(self._peers) == 2:
            self._note(1 - who, "opponent leaves")


def test_every_step_is_an_arc_and_every_arc_is_taken() -> None:
    seen: set[Arc] = set()
    for seed in range(150):
        walk = Walk(seed)
        walk.run()
        seen |= walk.seen
    assert seen == set(ARCS)


def test_the_arcs_use_exactly_the_named_states() -> None:
    assert {arc.source for arc in ARCS} == {START, WAITING, MOVING, WATCHING}
