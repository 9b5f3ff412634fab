"""Node counts: every vector there is, and the counting itself."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boardwire.games.santorini.board import AROUND
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


def test_sequences_are_counted_once_an_endless_power_is_spent() -> None:
    fen = "00000 00000 00000 00000 00000/1/{}:B3,D3/{}:C4,C2"
    plain = perft(parse_position(fen.format("mortal", "mortal")), 2)
    assert perft(parse_position(fen.format("atalanta[x]", "heracles[x]")), 2) == plain
    assert perft(parse_position(fen.format("atalanta[x]", "heracles")), 1).actions is None


def test_a_turn_includes_what_happens_by_itself_at_its_end() -> None:
    """Medusa on B4, level 2, turns the only foe on C3 into a block; she builds on one of B4's seven other squares."""
    count = perft(parse_position("01000 02000 00000 00000 00000/1/medusa:B5,E1/mortal:C3"), 1)
    assert (count.states, count.wins_states) == (44, 7)
    torn = perft(parse_position("00000 00000 00000 00000 00000/1/maenads:A3,C4/mortal:B3,E1"), 1)
    assert torn.wins_states == 7 + 4  # C4 to C3, or A3 to A2, and a build


def test_a_turn_that_makes_another_win_is_not_a_win() -> None:
    count = perft(parse_position("44440 30000 00000 00000 00000/1/mortal:B3,C3/chronus:E1,D1"), 1)
    assert (count.states, count.wins_states) == (72, 0)


def test_answers_and_luck_belong_to_the_turn_they_interrupt() -> None:
    """Three turns put the dome on A4; the squares of B4, A3 and B3 that are then free are two, two and one."""
    fen = "44440 30000 00000 00000 00000/1/{}:B3,C3/{}:E1,D1"
    plain = perft(parse_position(fen.format("mortal", "mortal")), 1)
    gaea = perft(parse_position(fen.format("mortal", "gaea")), 1)
    assert (plain.states, gaea.states) == (72, 72 + 2 + 2 + 1)
    tyche = perft(parse_position(fen.format("tyche", "mortal")), 1)
    assert (tyche.states, tyche.actions) == (2 * plain.states, 6 * plain.states)


def test_only_workers_that_a_power_tells_apart_are_told_apart() -> None:
    fen = "00000 00000 00000 00000 00000/1/castor:B3,C3/{}:E1,D1"
    assert perft(parse_position(fen.format("selene[E1]")), 1) == perft(parse_position(fen.format("mortal")), 1)
    assert perft(parse_position(fen.format("eris")), 1).states > perft(parse_position(fen.format("mortal")), 1).states


def test_a_walk_without_end_reaches_every_place() -> None:
    """On flat ground Hermes' two workers can stand on any two free squares; then one builds beside itself."""
    count = perft(parse_position("00000 00000 00000 00000 00000/1/hermes:A5,A4/mortal:E1,D1"), 1)
    ends = set()
    for one in range(23):
        for other in range(one):
            for by in (one, other):
                ends |= {(one, other, at) for at in AROUND[by] if at not in (one, other, 23, 24)}
    assert count.states == len(ends)


def test_what_a_hidden_worker_makes_impossible_is_a_turn_too() -> None:
    """Moving to Hecate's worker on B5 ends the turn at once, building there after the move."""
    fen = "00000 00000 00000 00000 00000/1/mortal:A5/{}:B5,E1"
    assert perft(parse_position(fen.format("mortal")), 1).states == 4 + 7
    assert perft(parse_position(fen.format("hecate")), 1).states == 1 + 5 + 8


def test_to_place_all_workers_is_a_turn() -> None:
    start = parse_position(f"{'0' * 25}/1/mortal/mortal")
    assert perft(start, 1) == Count(300, 600)
    assert perft(parse_position(f"{'0' * 25}/2/mortal:B3,D3/hermes"), 1).states == 253
    rest = parse_position(f"{'0' * 25}/2/mortal:A5,B5/bia:")
    assert perft(rest, 2).states == sum(divide(rest, 2).values())
