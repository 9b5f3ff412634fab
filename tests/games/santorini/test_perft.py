"""Node counts: every vector there is, and the counting itself."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.perft import Count, divide, perft


class Vector(msgspec.Struct, frozen=True):
    fen: str
    depth: int
    states: int
    actions: int | None
    wins_states: int
    wins_actions: int | None
    stuck_leaves: int

    @property
    def count(self) -> Count:
        return Count(self.states, self.actions, self.wins_states, self.wins_actions, self.stuck_leaves)


class Vectors(msgspec.Struct, frozen=True):
    vectors: list[Vector]


VECTORS = msgspec.json.decode((Path(__file__).parent / "perft.json").read_bytes(), type=Vectors).vectors
QUICK = [vector for vector in VECTORS if vector.states <= 20_000]
LONG = [vector for vector in VECTORS if vector.states > 20_000]


def name(vector: Vector) -> str:
    return f"{vector.fen} {vector.depth}"


@pytest.mark.parametrize("vector", QUICK, ids=name)
def test_the_engine_counts_what_other_engines_count(vector: Vector) -> None:
    assert perft(parse_position(vector.fen), vector.depth) == vector.count


@pytest.mark.slow
@pytest.mark.parametrize("vector", LONG, ids=name)
def test_the_engine_counts_what_other_engines_count_further_on(vector: Vector) -> None:
    assert perft(parse_position(vector.fen), vector.depth) == vector.count


def test_hermes_with_no_move_left_has_his_turns_without_moving() -> None:
    fen = "02400 22400 44400 00000 00000/1/{}:A5/mortal:E1,D1"
    assert perft(parse_position(fen.format("hermes")), 1).states == 3
    assert perft(parse_position(fen.format("mortal")), 1) == Count(stuck=1)


def test_a_line_that_ends_earlier_adds_nothing_at_greater_depth() -> None:
    fen = "23000 00000 00000 00000 00000/1/mortal:A5/mortal:E1"
    one, two = perft(parse_position(fen), 1), perft(parse_position(fen), 2)
    assert (one.states, one.wins_states, one.wins_actions) == (14, 1, 1)
    assert two.states == sum(count for count in divide(parse_position(fen), 2).values())
    assert two.wins_states == 0


def test_a_winning_move_is_one_turn_without_a_build() -> None:
    below = divide(parse_position("23444 44444 00000 00000 00000/1/mortal:A5/mortal:E1"), 1)
    assert [format_position(end, extended=False)[:2] for end in below] == ["23"]
    assert sum(below.values()) == 1


def test_sequences_are_not_counted_where_they_have_no_end() -> None:
    count = perft(parse_position("00000 00000 00000 00000 00000/2/hermes:A5/mortal:E1"), 1)
    assert (count.actions, count.wins_actions) == (None, None)
    assert count.states == 18
