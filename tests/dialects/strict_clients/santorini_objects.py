"""The original clients of santorini-objects: D1, D2 and F.

- D: the text of its number has the digit at index 15, and the names must be the very next object.  It picks god and
  workers together.  It knows which cells are taken from SerializableUpdateInitializeGame alone.  It answers requests
  with its own number; D1 ignores SerializableRequestOptional, D2 answers it, with worker 0 for builds and where one
  worker alone can move.  It leaves after its own loss.
- F: it answers HELLO; it dies on other texts of less than seven characters.  It opens its board at the update of the
  last player's god, so gods are told in the order of numbers.  It answers a request and ignores
  SerializableRequestError.
- Both know the fourteen gods; a player without one is called Mortal.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Any, ClassVar

from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.wire.javastream import Reader, Schema, Writer

from .client import BROKEN_OFF, LOST, WON, StrictClient

GODS = {
    "Apollo", "Artemis", "Athena", "Atlas", "Chronus", "Demeter", "Hephaestus", "Hera", "Hestia", "Minotaur", "Pan",
    "Prometheus", "Triton", "Zeus", "Mortal",
}  # fmt: skip


class Objects(StrictClient):
    """Common behaviour of the programs."""

    schema: ClassVar[Schema]

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        super().__init__(name, seats, luck)
        self._reader, self._writer = Reader(self.schema), Writer(self.schema)
        self._id = 0
        self._named = False
        self._taken: set[tuple[int, int]] = set()
        self._built: set[tuple[int, int]] = set()

    def decode(self, data: bytes) -> Iterable[Any]:
        return self._reader.feed(data)

    def say(self, message: Any) -> None:
        self._out += self._writer.encode(message)

    def hear(self, message: Any) -> None:
        if self._id and not self._named:
            if not isinstance(message, wire.UpdateInitializeNames):
                self.dies(f"{type(message).__name__} instead of the names")
            self._named = True
            return
        match message:
            case wire.UpdateWinner(player_id=winner):
                self.ends(WON if winner == self._id else LOST)
                self.closed = True
            case wire.UpdateDisconnection():
                self.ends(BROKEN_OFF)
                self.closed = True
            case wire.UpdateBuild(new_position=cell):
                self._built.add((cell.x, cell.y))
            case wire.UpdateLoser(player_id=loser):
                self.out(loser)
            case _:
                if getattr(message, "player_id", self._id) == self._id or type(message).__name__.startswith("Update"):
                    self.asked(message)
                else:
                    self.dies(f"a request to player {message.player_id}")

    def out(self, loser: int) -> None:
        """Handle an elimination."""

    def asked(self, message: Any) -> None:
        """Handle any other message."""
        raise NotImplementedError

    def _god(self, name: str) -> None:
        if name not in GODS:
            self.dies(f"no such god: {name}")

    def _free(self) -> tuple[wire.Position, wire.Position]:
        cells = [cell for cell in product(range(5), repeat=2) if cell not in self._taken | self._built]
        (x, y), (u, v) = self.luck.sample(cells, 2)
        return wire.Position(x, y, 0), wire.Position(u, v, 0)

    def _choose(self, sets: Iterable[frozenset[wire.Position]], climbs: bool) -> tuple[int, wire.Position] | None:
        ways = [(worker, cell) for worker, cells in enumerate(sets, 1) for cell in sorted(cells, key=_order)]
        if not ways:
            return None
        return max(ways, key=lambda way: (way[1].z if climbs else 0, self.luck.random()))


def _order(cell: wire.Position) -> tuple[int, int, int]:
    return cell.x, cell.y, cell.z


class D2(Objects):
    """The document's program, newer form."""

    schema = wire.D2
    optional = True

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        super().__init__(name, seats, luck)
        self.say(wire.Message(f"{seats} players"))

    def out(self, loser: int) -> None:
        if loser == self._id:
            self.ends(LOST)
            self.closed = True

    def asked(self, message: Any) -> None:
        match message:
            case wire.Message(message="Player's name"):
                self.say(wire.Message(self.name))
            case wire.Message(message=str(text)) if text[:15] == "You are player ":
                self._id = int(text[15])
            case wire.RequestInitializeGame(god_powers=gods):
                for god in gods:
                    self._god(god)
                self.say(wire.InitializeGame(self.luck.choice(gods), self._free()))
            case wire.UpdateInitializeGame(god_power=god, worker_positions=cells):
                self._god(god)
                self._taken |= {(cell.x, cell.y) for cell in cells}
            case wire.RequestMove(worker1_moves=one, worker2_moves=two):
                self._move(self._choose((one, two), climbs=True))
            case wire.RequestBuild(worker1_builds=one, worker2_builds=two, can_force_dome=dome):
                self._build(self._choose((one, two), climbs=False), dome and self.luck.random() < 0.2)
            case wire.RequestOptional() if self.optional:
                self._optional(message)

    def _move(self, way: tuple[int, wire.Position] | None, worker: int | None = None) -> None:
        if way is None:
            self.dies("a request without a move")
        else:
            self.say(wire.ConsolidateMove(way[0] if worker is None else worker, way[1]))

    def _build(self, way: tuple[int, wire.Position] | None, dome: bool, worker: int | None = None) -> None:
        if way is None:
            self.dies("a request without a build")
        else:
            self.say(wire.ConsolidateBuild(dome, way[0] if worker is None else worker, way[1]))

    def _optional(self, asked: wire.RequestOptional) -> None:
        if asked.can_decline and self.luck.random() < 0.6:
            self.say(wire.DeclineLastOptional())
            return
        moves = (asked.worker1_moves, asked.worker2_moves)
        move = self._choose(moves, climbs=True)
        build = self._choose((asked.worker1_builds, asked.worker2_builds), climbs=False)
        if move is not None and (build is None or self.luck.random() < 0.5):
            self._move(move, None if all(moves) else 0)
        else:
            self._build(build, False, 0)


class D1(D2):
    """The document's program, older form: it ignores optional actions."""

    schema = wire.D1
    optional = False


class F(Objects):
    """The shipped program."""

    schema = wire.F

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        super().__init__(name, seats, luck)
        self._gods = 0
        self.say(wire.Connection(seats, name))

    def asked(self, message: Any) -> None:
        match message:
            case wire.Message(message="HELLO"):
                self.say(wire.Message("HELLO"))
            case wire.Message(message=str(text)):
                if text.startswith("ERROR") or len(text) < 7:
                    self.dies(text)
                elif text.startswith("PLAYER_"):
                    self._id = int(text[-1])
            case wire.RequestInitializeGodPower(god_powers=gods):
                for god in gods:
                    self._god(god)
                self.say(wire.InitializeGodPower(self.luck.choice(gods)))
            case wire.UpdateInitializeGodPower(player_id=player, god_power=god):
                self._god(god)
                self._gods += 1
                if player != self._gods:
                    self.dies(f"the god of player {player} is told as number {self._gods}")
            case wire.RequestInitializeWorkerPositions(possible_positions=cells):
                one, two = self.luck.sample(cells, 2)
                self.say(wire.InitializeWorkerPositions((one, two)))
            case wire.RequestAction():
                self._act(message)

    def _act(self, asked: wire.RequestAction) -> None:
        move = self._choose((asked.worker1_moves, asked.worker2_moves), climbs=True)
        build = self._choose((asked.worker1_builds, asked.worker2_builds), climbs=False)
        if (move is None and build is None) or (asked.can_decline and self.luck.random() < 0.6):
            self.say(wire.DeclineLastAction())
        elif move is not None and (build is None or asked.is_build_optional or self.luck.random() < 0.5):
            self.say(wire.ConsolidateMove(*move))
        else:
            assert build is not None
            dome = asked.can_force_dome and self.luck.random() < 0.2
            self.say(wire.ConsolidateBuild(dome, *build))
