"""The arcs match the server's behaviour and the specification."""

from pathlib import Path
from random import Random

from boardwire.dialects.forza_lines.protocol import ARCS, MOVING, NAMELESS, WAITING, WATCHING
from boardwire.dialects.protocol import END, START, Arc
from boardwire.simulation.server import SimulatedConnection, SimulatedServer

SPECIFICATION = Path(__file__).parents[3] / "docs" / "dialects" / "forza-lines.md"


def heard(peer: SimulatedConnection) -> str:
    """Return the first words of the server's lines since the last call; a board line is called "board"."""
    words = [said.partition(" ")[0] for said in peer.take().decode().splitlines()]
    return " ".join("board" if word.startswith("+") else word for word in words if word != "|")


class Walk:
    """Two clients take random steps; every step must be an arc."""

    def __init__(self, seed: int) -> None:
        self.seen: set[Arc] = set()
        self._luck = Random(seed)
        self._server = SimulatedServer()
        self._peers: list[SimulatedConnection] = []
        self._states: list[str] = []

    def _note(self, who: int, what: str) -> None:
        said, source = heard(self._peers[who]), self._states[who]
        arcs = [arc for arc in ARCS if (arc.source, arc.trigger, arc.reply) == (source, what, said)]
        assert len(arcs) == 1, f"in {source}, {what}: the server said {said!r}"
        assert self._peers[who].closed == (arcs[0].target == END)
        self._states[who] = arcs[0].target
        self.seen.add(arcs[0])

    def _come(self, which: str) -> bool:
        """Connect and log in; return whether the client stays."""
        who = len(self._peers)
        self._peers.append(self._server.connect("forza-lines"))
        self._states.append(START)
        self._note(who, "connects")
        self._say(who, b"\n", "sends an invalid name")
        if self._luck.random() < 0.1:
            return self._leave(who)
        self._say(who, b"%d\n" % who, f"sends a name, {which} of a pair")
        return True

    def _say(self, who: int, line: bytes, what: str) -> None:
        self._peers[who].send(line)
        self._note(who, what)

    def _leave(self, who: int) -> bool:
        self._peers[who].drop()
        self._note(who, "leaves")
        return False

    def run(self) -> None:
        if not self._come("first"):
            return
        self._say(0, b"4\n", "sends a column")
        if self._luck.random() < 0.1:
            self._leave(0)
        elif self._come("second"):
            self._note(0, "an opponent arrives")
            while END not in self._states:
                self._step(self._luck.randrange(2))

    def _step(self, who: int) -> None:
        chance, other = self._luck.random(), 1 - who
        if chance < 0.02:
            self._leave(who)
            self._note(other, "opponent leaves")
        elif chance < 0.04:
            self._say(who, b"resign\n", "resigns")
            self._note(other, "opponent resigns")
        elif chance < 0.1:
            self._say(who, b"say so\n", "either player chats")
            self._note(other, "either player chats")
        elif self._states[who] == WATCHING:
            self._say(who, b"4\n", "sends a column")
        else:
            self._drop(who, self._luck.randrange(9))

    def _drop(self, who: int, column: int) -> None:
        open_ = {choice + 1 for choice in self._server.match().pending.choices}
        self._peers[who].send(b"%d\n" % column)
        if column not in open_:
            self._note(who, "sends anything but an open column")
        elif self._server.match().outcome is None:
            self._note(who, "sends an open column")
            self._note(1 - who, "opponent drops a disc")
        else:
            self._note(who, "makes four in a row")
            self._note(1 - who, "opponent makes four in a row")


def test_every_step_is_an_arc_and_every_arc_is_taken() -> None:
    seen: set[Arc] = set()
    for seed in range(50):
        walk = Walk(seed)
        walk.run()
        seen |= walk.seen
    assert seen == set(ARCS)


def test_the_arcs_use_exactly_the_named_states() -> None:
    assert {arc.source for arc in ARCS} == {START, NAMELESS, WAITING, MOVING, WATCHING}
