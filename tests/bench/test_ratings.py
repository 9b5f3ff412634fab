"""Ratings of bot levels and reference players."""

from random import Random

from bench.ratings import PLIES, PlainBot, bot_of, pairs

from boardwire.bots.arena import duel
from boardwire.bots.bot import RandomBot
from boardwire.bots.levels import LEVELS
from boardwire.games import santorini


def test_every_participant_is_rated_and_can_play() -> None:
    names = {name for pair in pairs() for name in pair}
    levels = {f"level {number}" for number in LEVELS}
    assert names == levels | {f"plain {plies}" for plies in PLIES} | {"random", "greedy"}
    assert {bot_of(name).name for name in names} >= {"random", "greedy", "plain 6", "search:10"}


def test_plain_alpha_beta_plays_legally_and_beats_the_random_bot() -> None:
    score = duel(santorini, santorini.Options(), 2, PlainBot(2), RandomBot(), Random(1).randrange, 6)
    assert score.won == 6
