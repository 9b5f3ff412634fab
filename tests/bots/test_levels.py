"""The scale of levels, and the names of bots."""

from __future__ import annotations

from random import Random

import pytest

from boardwire import games
from boardwire.bots.arena import duel
from boardwire.bots.bot import RandomBot
from boardwire.bots.engines import engine
from boardwire.bots.levels import LEVELS, SCALES, TITLES, BotName, Level, consider, level_of, parse_bot
from boardwire.bots.search import SearchBot, until
from boardwire.errors import Malformed
from boardwire.games import tris
from boardwire.games.santorini.line import Line
from boardwire.table.events import bot_name

BOTS = ("random", "greedy")


@pytest.mark.parametrize("game", games.NAMES)
def test_every_game_has_ten_levels_and_a_higher_one_never_has_less_to_spend_nor_slips_more(game: str) -> None:
    levels = [level_of(game, number) for number in LEVELS]
    assert len(TITLES) == len(set(TITLES)) == 10
    assert [level.nodes for level in levels] == sorted(level.nodes for level in levels)
    assert [level.slips for level in levels] == sorted((level.slips for level in levels), reverse=True)
    assert levels[-1].slips == 0


def test_a_scale_is_of_a_game_there_is() -> None:
    assert set(SCALES) <= set(games.NAMES)


@pytest.mark.parametrize("text", ["greedy", "random", "search:1", "search:10"])
def test_a_bot_is_named_by_its_kind_and_its_level(text: str) -> None:
    assert str(parse_bot(text, BOTS)) == text


def test_search_without_a_level_is_the_default_level() -> None:
    assert parse_bot("search", BOTS) == BotName("search", 5)


@pytest.mark.parametrize(
    ("text", "words"),
    [("search:0", "from 1 to 10"), ("search:11", "from 1 to 10"), ("search:", "from 1 to 10"),
     ("search:+5", "from 1 to 10"), ("search:٣", "from 1 to 10"), ("greedy:3", "has no levels"),
     ("nobody", "the bots are random, greedy, and search with a level")],
)  # fmt: skip
def test_an_unknown_bot_is_rejected_with_the_list_of_bots(text: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        parse_bot(text, BOTS)


def test_a_bot_is_called_by_its_level_at_a_table() -> None:
    assert bot_name("greedy") == "greedy bot"
    assert bot_name("search:7") == "level 7 bot"


def test_a_low_level_slips_and_a_high_one_does_not() -> None:
    low = duel(tris, tris.Options(), 2, SearchBot(1), SearchBot(10), Random(1).randrange, 40)
    assert low.lost > 10
    assert low.won == 0
    assert duel(tris, tris.Options(), 2, SearchBot(10), RandomBot(), Random(1).randrange, 40).lost == 0


@pytest.mark.parametrize(
    ("game", "position", "winning"),
    [
        ("santorini", "0000000230000000000000000/1/mortal:C4,A1/mortal:E1,E2", {"C4>D4"}),
        ("santorini", "0000000230000000000000000/1/artemis:C4,A1/pan:E1,E2", {"C4>D4"}),
        ("forza", "112233", {"4"}),
        ("tris", "0314", {"2"}),
    ],
)
def test_a_slip_never_misses_a_turn_that_wins_at_once(game: str, position: str, winning: set[str]) -> None:
    rules = games.game(game)
    if game == "santorini":
        here = Line(position).position
    else:
        here = rules.new(rules.Options(), 2)
        for number, action in enumerate(position):
            here, _ = rules.apply(here, number % 2, rules.parse_action(action))
    decision = rules.pending(here)
    assert decision is not None
    view = rules.view(here, decision.seats[0])
    for seed in range(10):
        level = Level(1, 1, 100)
        thought = consider(engine(game), view, decision, Random(seed).randrange, level, bool)
        assert rules.format_action(thought.turn[0]) in winning


def test_the_same_luck_makes_the_same_matches() -> None:
    def score(seed: int) -> object:
        return duel(tris, tris.Options(), 2, SearchBot(4, seconds=0), RandomBot(), Random(seed).randrange, 20)

    assert score(1) == score(1)


def test_seconds_end_and_none_never_do() -> None:
    assert until(1e-9)()
    assert not until(1000)()
    assert not until(0)()
