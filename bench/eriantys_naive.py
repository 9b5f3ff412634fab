"""Reference implementation of the simplified Eriantys game, in straightforward Python.

- Lists are changed in place, without immutability or events. Every step lists all legal moves.
- Like an engine for untrusted clients it refuses a move that is not in the list, unless `checked=False`.
- Chance is a shuffled bag. It plays with 2, 3 or 4 players and takes the cloud last.
"""

from __future__ import annotations

import random
from typing import Any, TypeAlias

Move: TypeAlias = tuple[Any, ...]


class Player:
    """A school board and a hand."""

    def __init__(self, entrance: list[int]) -> None:
        self.entrance = entrance
        self.hall = [0, 0, 0, 0, 0]
        self.hand = list(range(1, 11))
        self.card = 0


class Island:
    """A group of tiles."""

    def __init__(self) -> None:
        self.students = [0, 0, 0, 0, 0]
        self.tiles = 1
        self.side: int | None = None


class Game:
    """A match in progress: apply one of `moves()` with `do` until `over`."""

    def __init__(self, seats: int, rng: random.Random, *, checked: bool = True) -> None:
        self.checked = checked
        self.seats = seats
        self.sides = [seat % 2 for seat in range(4)] if seats == 4 else list(range(seats))
        self.count = 4 if seats == 3 else 3
        self.islands = [Island() for _ in range(12)]
        self.mother = rng.randrange(12)
        first = [colour for colour in range(5) for _ in range(2)]
        rng.shuffle(first)
        for step in range(1, 12):
            if step != 6:
                self.islands[(self.mother + step) % 12].students[first.pop()] += 1
        self.bag = [colour for colour in range(5) for _ in range(24)]
        rng.shuffle(self.bag)
        size = 9 if seats == 3 else 7
        self.players = [Player([self.bag.pop() for _ in range(size)]) for _ in range(seats)]
        self.towers = [6 if seats == 3 else 8] * (2 if seats == 4 else seats)
        self.professors: list[int | None] = [None] * 5
        self.clouds: list[list[int]] = []
        self.over = False
        self.winners: list[int] = []
        self.last = False
        self.barren = False
        self.begin_round(rng.randrange(seats))

    def begin_round(self, first: int) -> None:
        self.clouds = []
        if len(self.bag) < self.seats * self.count:
            self.barren = self.last = True
        else:
            self.clouds = [[self.bag.pop() for _ in range(self.count)] for _ in range(self.seats)]
            if not self.bag:
                self.last = True
        self.planners = [(first + step) % self.seats for step in range(self.seats)]
        self.played: list[int] = []
        self.order: list[int] = []
        self.phase = "plan"
        self.turn = self.planners.pop(0)

    def moves(self) -> list[Move]:
        player = self.players[self.turn]
        if self.phase == "plan":
            cards = [card for card in player.hand if card not in self.played]
            return [("card", card) for card in cards or player.hand]
        if self.phase == "students":
            found: list[Move] = []
            for colour in set(player.entrance):
                if player.hall[colour] < 10:
                    found.append(("hall", colour))
                for island in range(len(self.islands)):
                    found.append(("island", colour, island))  # noqa: PERF401 - deliberately straightforward
            return found
        if self.phase == "mother":
            return [("steps", steps) for steps in range(1, (player.card + 1) // 2 + 1)]
        return [("cloud", index) for index, cloud in enumerate(self.clouds) if cloud]

    def do(self, move: Move) -> None:
        if self.checked and move not in self.moves():
            raise ValueError(f"illegal move: {move}")
        kind = move[0]
        player = self.players[self.turn]
        if kind == "card":
            self.plan(player, move[1])
        elif kind == "hall":
            player.entrance.remove(move[1])
            player.hall[move[1]] += 1
            self.professor(move[1])
            self.student_moved()
        elif kind == "island":
            player.entrance.remove(move[1])
            self.islands[move[2]].students[move[1]] += 1
            self.student_moved()
        elif kind == "steps":
            self.mother = (self.mother + move[1]) % len(self.islands)
            self.resolve(self.islands[self.mother])
            if not self.over:
                self.phase = "cloud"
                if self.barren:
                    self.next_turn()
        else:
            player.entrance.extend(self.clouds[move[1]])
            self.clouds[move[1]] = []
            self.next_turn()

    def plan(self, player: Player, card: int) -> None:
        player.hand.remove(card)
        player.card = card
        self.played.append(card)
        self.order.append(self.turn)
        if not player.hand:
            self.last = True
        if self.planners:
            self.turn = self.planners.pop(0)
            return
        self.order.sort(key=lambda seat: self.players[seat].card)
        self.first = self.order[0]
        self.next_turn()

    def next_turn(self) -> None:
        if self.order:
            self.turn = self.order.pop(0)
            self.phase = "students"
            self.moved = 0
        elif self.last:
            self.finish()
        else:
            self.begin_round(self.first)

    def student_moved(self) -> None:
        self.moved += 1
        if self.moved == self.count:
            self.phase = "mother"

    def professor(self, colour: int) -> None:
        mine = self.players[self.turn].hall[colour]
        if all(self.players[seat].hall[colour] < mine for seat in range(self.seats) if seat != self.turn):
            self.professors[colour] = self.turn

    def resolve(self, island: Island) -> None:
        influence = [0] * len(self.towers)
        for colour, holder in enumerate(self.professors):
            if holder is not None:
                influence[self.sides[holder]] += island.students[colour]
        if island.side is not None:
            influence[island.side] += island.tiles
        most = max(influence)
        side = influence.index(most)
        if influence.count(most) > 1 or side == island.side:
            return
        if island.side is not None:
            self.towers[island.side] += island.tiles
        island.side = side
        self.towers[side] -= min(island.tiles, self.towers[side])
        if self.towers[side] == 0:
            self.over = True
            self.winners = [side]
            return
        for neighbour in (1, -1):
            here = self.islands.index(island)
            other = self.islands[(here + neighbour) % len(self.islands)]
            if other.side == side:
                for colour in range(5):
                    island.students[colour] += other.students[colour]
                island.tiles += other.tiles
                self.islands.remove(other)
        self.mother = self.islands.index(island)
        if len(self.islands) <= 3:
            self.finish()

    def finish(self) -> None:
        self.over = True
        fewest = min(self.towers)
        tied = [side for side, left in enumerate(self.towers) if left == fewest]
        held = [sum(1 for p in self.professors if p is not None and self.sides[p] == side) for side in tied]
        self.winners = [side for side, count in zip(tied, held, strict=True) if count == max(held)]


def play(seats: int, rng: random.Random, *, checked: bool = True) -> int:
    """Play a random game and return the number of the players' actions."""
    game = Game(seats, rng, checked=checked)
    below = rng.random
    actions = 0
    while not game.over:
        moves = game.moves()
        game.do(moves[int(below() * len(moves))])
        actions += 1
    return actions
