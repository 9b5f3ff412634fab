"""Hidden workers: where they may stand, as far as the earlier views of a seat tell it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.bots.bot import RandomBot, decision_for
from boardwire.bots.engine import PastChoice, SearchLimits, SearchResult
from boardwire.bots.engines import new_engine
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.levels import Level
from boardwire.bots.memory import MAX_CHOICES, Memory, needs_past
from boardwire.bots.santorini import hidden
from boardwire.bots.santorini.hidden import Belief, Pair, belief
from boardwire.bots.santorini.rules_search import RulesSearch
from boardwire.bots.worker_messages import decode_past, encode_question
from boardwire.games import santorini, tris
from boardwire.games.game import CHANCE
from boardwire.games.santorini import Draft, God, Options
from boardwire.games.santorini.actions import Action, Build, Move, PlaceWorker
from boardwire.games.santorini.position import Position

OWN, FOE = 0, 1


def begun(own: God, places: tuple[int, int], hidden: tuple[int, int]) -> tuple[Position, Memory]:
    """Place the workers of both sides, the hidden ones last."""
    p, memory = santorini.new(Options(Draft.GIVEN, (own, God.HECATE), bans=False), 2), Memory()
    squares = {OWN: list(places), FOE: list(hidden)}
    while p.setup is not None:
        assert p.decision is not None
        seat = p.decision.seats[0]
        p = chosen(p, PlaceWorker(squares[seat].pop(0)), memory)
    return p, memory


def chosen(p: Position, action: Action, memory: Memory) -> Position:
    """Choose for the seat that is asked; the memory is that of the own seat."""
    assert p.decision is not None
    seat = p.decision.seats[0]
    if seat == OWN:
        memory.note(santorini.view(p, seat), action)
    return santorini.apply(p, seat, action)[0]


def likely(p: Position, memory: Memory) -> list[Pair]:
    """Return the pairs of squares, the likeliest first."""
    found = belief(santorini.view(p, OWN), memory.past, OWN)
    return sorted(found, key=lambda pair: -found[pair])


def own_turns(own: God, luck: Random) -> Iterator[tuple[Position, Memory]]:
    """Yield the positions of a match against the greedy bot in which an own turn begins."""
    p, memory = santorini.new(Options(Draft.GIVEN, (own, God.HECATE), bans=False, ply_cap=60), 2), Memory()
    while (due := p.decision) is not None:
        seat = due.seats[0]
        if seat == CHANCE:
            p, _ = santorini.apply(p, seat, luck.choice(tuple(due.choices)))
            continue
        if seat == OWN and p.setup is None and due.kind is santorini.Kind.OPEN:
            yield p, memory
        bot = RandomBot() if seat == OWN and not luck.randrange(8) else GreedyBot()
        p = chosen(p, bot.choose(santorini.view(p, seat), decision_for(due, seat), luck.randrange, 1000), memory)


def test_a_build_is_beside_a_hidden_worker() -> None:
    p, memory = begun(God.ATLAS, (0, 4), (21, 23))
    p = chosen(chosen(p, Move(0, 1), memory), Build(1, 0), memory)
    p = chosen(chosen(p, Move(21, 16), memory), Build(16, 15), memory)
    pairs = likely(p, memory)
    assert (16, 23) in pairs
    assert all(any(abs(at % 5) <= 1 and at >= 10 for at in pair) for pair in pairs)


def test_a_cancelled_step_proves_a_worker() -> None:
    p, memory = begun(God.ATLAS, (0, 4), (6, 23))
    p = chosen(p, Move(0, 6), memory)
    assert p.seat == FOE
    p = chosen(chosen(p, Move(23, 22), memory), Build(22, 21), memory)
    pairs = likely(p, memory)
    assert (6, 22) in pairs
    assert all(6 in pair for pair in pairs)


def test_a_cancelled_build_proves_a_worker() -> None:
    p, memory = begun(God.ATLAS, (0, 4), (6, 23))
    p = chosen(chosen(p, Move(0, 1), memory), Build(1, 6), memory)
    assert p.seat == FOE
    p = chosen(chosen(p, Move(23, 22), memory), Build(22, 21), memory)
    pairs = likely(p, memory)
    assert all(6 in pair for pair in pairs)


def test_squares_that_were_used_are_free() -> None:
    p, memory = begun(God.ATLAS, (0, 4), (21, 23))
    p = chosen(p, Move(0, 6), memory)
    assert all(6 not in pair for pair in likely(p, memory))


def test_the_workers_are_mostly_among_the_likeliest_pairs() -> None:
    luck, seen, first, few = Random(4), 0, 0, 0
    for own in (God.ATLAS, God.APOLLO, God.DEMETER, God.SIREN, God.TRITON, God.ZEUS) * 3:
        for p, memory in own_turns(own, luck):
            pairs = likely(p, memory)
            here = tuple(sorted(p.workers[FOE]))
            seen += 1
            first += here == pairs[0]
            few += here in pairs[:12]
    assert seen > 100
    assert first > 0.35 * seen
    assert few > 0.75 * seen


def test_every_god_and_a_past_with_gaps_give_a_belief() -> None:
    luck = Random(6)
    gods = [god for god in God if santorini.powers.catalogue.allowed(god, 2, False)]
    for own in gods:
        if own in (God.MORTAL, God.HECATE):
            continue
        for p, memory in own_turns(own, luck):
            if len([at for at in p.workers[FOE] if at >= 0]) < 2:
                continue
            view = santorini.view(p, OWN)
            kept = [one for one in memory.past if luck.randrange(5)]
            for past in (memory.past, kept, ()):
                found = belief(view, past, OWN)
                assert found
                assert all(0 <= one < other < 25 and weight > 0 for (one, other), weight in found.items())
            if p.ply > 12:
                break


def test_a_step_that_was_taken_back_is_survived() -> None:
    p, memory = begun(God.ATLAS, (0, 4), (21, 23))
    later = chosen(chosen(p, Move(0, 6), memory), Build(6, 0), memory)
    later = chosen(chosen(later, Move(21, 16), memory), Build(16, 15), memory)
    later = chosen(later, Move(6, 7), memory)
    assert likely(p, memory)


def test_a_hidden_turn_that_was_taken_back_is_forgotten() -> None:
    p, memory = begun(God.ATLAS, (0, 4), (21, 23))
    p = chosen(chosen(p, Move(0, 1), memory), Build(1, 0), memory)
    first = chosen(chosen(p, Move(21, 16), memory), Build(16, 15), memory)
    chosen(first, Move(1, 2), memory)
    again = chosen(chosen(p, Move(21, 22), memory), Build(22, 17), memory)
    assert (22, 23) in likely(again, memory)


def test_a_build_before_the_own_move_is_not_a_turn_taken_back() -> None:
    p, memory = begun(God.PROMETHEUS, (0, 4), (21, 23))
    p = chosen(chosen(p, Move(0, 1), memory), Build(1, 0), memory)
    p = chosen(chosen(p, Move(21, 16), memory), Build(16, 15), memory)
    before = {pair for pair in likely(p, memory) if 2 not in pair}
    p = chosen(p, Build(1, 2), memory)
    assert set(likely(p, memory)) == before


def placed(levels: dict[int, int]) -> santorini.View:
    """Return a view of an own turn on a board with these levels; the own workers are on 0 and 4."""
    p, _ = begun(God.ATLAS, (0, 4), (21, 23))
    return replace(santorini.view(p, OWN), levels=tuple(levels.get(at, 0) for at in range(25)))


def later(before: santorini.View, **changes: Any) -> Belief:
    """Return the belief after an own move from 0 to 1, and builds on 9 and 14 that no single turn explains."""
    levels = tuple(level + (at in (9, 14)) for at, level in enumerate(before.levels))
    view = replace(before, ply=before.ply + 2, workers=((1, 4), before.workers[FOE]), levels=levels)
    return belief(replace(view, **changes), (PastChoice(before, Move(0, 1)),), OWN)


def test_no_guess_is_on_a_square_of_an_own_worker() -> None:
    found = later(placed({}))
    assert found
    assert all(1 not in pair and 4 not in pair for pair in found)


def test_a_build_on_a_square_closed_since_leaves_a_belief() -> None:
    before = placed({})
    assert later(before, levels=tuple(int(at == 23) for at in range(25)), closed=(18, 19, 23))


def test_a_pair_that_could_have_won_in_two_ways_is_as_unlikely_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    before = placed({10: 3, 16: 2, 18: 2, 23: 3, 24: 3})
    ratios = []
    for weight in (1.0, hidden.LOST_WIN_WEIGHT):
        monkeypatch.setattr(hidden, "LOST_WIN_WEIGHT", weight)
        found = later(before)
        one, other = (
            sum(share for pair, share in found.items() if at in pair and apart not in pair)
            for at, apart in ((16, 18), (18, 16))
        )
        ratios.append(one / other)
    assert ratios[0] == pytest.approx(ratios[1])


def searched(p: Position, past: tuple[PastChoice, ...]) -> SearchResult:
    assert p.decision is not None
    luck = Random(1).randrange
    return new_engine("santorini").think(santorini.view(p, OWN), p.decision, luck, SearchLimits(20_000), bool, past)


def test_the_search_uses_the_past_and_its_choices_follow_from_it() -> None:
    p, memory = begun(God.ATLAS, (11, 13), (21, 23))
    p = chosen(chosen(p, Move(11, 6), memory), Build(6, 0), memory)
    p = chosen(chosen(p, Move(21, 16), memory), Build(16, 15), memory)
    assert p.decision is not None
    one, other = searched(p, memory.past), searched(p, memory.past)
    assert one == other
    assert one.turn[0] in p.decision.choices
    assert one.nodes <= 20_000


def test_a_search_without_a_turn_for_any_guess_plays_the_greedy_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    p, memory = begun(God.ATLAS, (11, 13), (21, 23))
    monkeypatch.setattr(RulesSearch, "values", lambda *asked: {})
    assert p.decision is not None
    found = searched(p, memory.past)
    assert found.turn[0] in p.decision.choices
    assert (found.value, found.depth) == (0.0, 0)


def test_the_oldest_choices_are_forgotten() -> None:
    p, memory = begun(God.ATLAS, (0, 4), (21, 23))
    view = santorini.view(p, OWN)
    for ply in range(MAX_CHOICES + 5):
        memory.note(replace(view, ply=ply), Move(0, 1))
    assert [one.view.ply for one in memory.past] == list(range(5, MAX_CHOICES + 5))


def test_only_matches_with_hidden_workers_are_remembered() -> None:
    _, memory = begun(God.ATLAS, (0, 4), (21, 23))
    assert len(memory.past) == 2
    assert all(needs_past(one.view) for one in memory.past)
    other = Memory()
    other.note(tris.view(tris.new(tris.Options(), 2), 0), 4)
    assert other.past == ()


def test_the_past_goes_through_the_pipe() -> None:
    p, memory = begun(God.ATLAS, (0, 4), (21, 23))
    p = chosen(chosen(p, Move(0, 6), memory), Build(6, 0), memory)
    assert p.decision is not None
    view = santorini.view(p, OWN)
    question = encode_question(1, "santorini", view, decision_for(p.decision, FOE), Level(10), 1, memory.past)
    assert tuple(decode_past(question)) == memory.past
    assert decode_past(encode_question(1, "santorini", view, decision_for(p.decision, FOE), Level(10), 1)) == ()
