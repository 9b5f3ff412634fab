"""The greedy bot against the random one, in every game and mode where skill can show."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from boardwire.bots.arena import duel, play
from boardwire.bots.bot import RandomBot
from boardwire.bots.greedy import GreedyBot
from boardwire.games import eriantys, santorini, tris
from boardwire.games.eriantys import CloudTime, Mode
from boardwire.games.game import AnyGame, Decision
from boardwire.games.santorini import Draft

NO_GODS = santorini.Options()
GODS = santorini.Options(draft=Draft.RANDOM)
SIMPLIFIED = eriantys.Options()
EXPERT = eriantys.Options(mode=Mode.EXPERT)

MODES: list[tuple[AnyGame, Any, int]] = [
    *((santorini, options, seats) for options in (NO_GODS, GODS) for seats in (2, 3, 4)),
    *((eriantys, options, seats) for options in (SIMPLIFIED, EXPERT) for seats in (2, 3, 4)),
]


@pytest.mark.parametrize(("game", "options", "seats"), MODES)
def test_it_beats_the_random_bot(game: AnyGame, options: Any, seats: int) -> None:
    matches = 20 if game is santorini else 3
    score = duel(game, options, seats, GreedyBot(), RandomBot(), Random(seats).randrange, matches)
    assert score.won >= 0.95 * matches, score
    assert score.won + score.drawn + score.lost == matches


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "seats"), MODES)
def test_it_beats_the_random_bot_in_95_of_100_matches(game: AnyGame, options: Any, seats: int) -> None:
    matches = 300 if game is santorini else 100
    score = duel(game, options, seats, GreedyBot(), RandomBot(), Random(7).randrange, matches)
    assert score.won >= 0.95 * matches, score


@pytest.mark.slow
def test_in_thousands_of_matches_of_tris_it_never_loses() -> None:
    score = duel(tris, tris.Options(), 2, GreedyBot(), RandomBot(), Random(7).randrange, 5000)
    assert score.lost == 0
    assert score.won > 4500


@pytest.mark.parametrize("draft", [draft for draft in Draft if draft not in (Draft.GIVEN, Draft.POSITION)])
def test_it_finds_a_choice_in_every_set_up_of_santorini(draft: Draft) -> None:
    gods = (santorini.God.ARTEMIS,) if draft is Draft.FLEECE else ()
    options = santorini.Options(draft=draft, gods=gods)
    assert play(santorini, options, [GreedyBot(), GreedyBot()], Random(3).randrange).termination


@pytest.mark.parametrize("cloud", list(CloudTime))
def test_it_finds_a_choice_at_every_time_for_clouds(cloud: CloudTime) -> None:
    options = msgspec.structs.replace(EXPERT, cloud=cloud)
    assert play(eriantys, options, [GreedyBot(), RandomBot()], Random(3).randrange).termination


def test_in_a_game_it_does_not_know_it_takes_any_choice() -> None:
    decision = Decision(tris.Kind.MARK, (0,), (3, 5))
    assert {GreedyBot().choose(None, decision, Random(seed).randrange, 0) for seed in range(20)} == {3, 5}
