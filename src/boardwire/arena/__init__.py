"""Tournaments between programs: pairings, the match runner, ratings and sequential tests.

- `load` reads the file of a tournament, `check` takes its contents; `run` plays it and returns its `Standings`.
- `play_match` plays one match between players, `play_series` several with changing seats; `BotPlayer` and
  `EnginePlayer` are players.
- `round_robin`, `gauntlet`, `neighbours`, `swiss_round`, `knockout_round` and `ladder_round` are pairings.
- `difference`, `pair_difference`, `elo_ratings` and `skills` rate results; `Sprt` is a sequential test.
- `result_of` reads the result of a stored match, `table_of` adds up results to standings.
"""

from boardwire.arena.config import ArenaTournament, check, load
from boardwire.arena.match import (
    Allowance,
    Budget,
    Cause,
    Chosen,
    MatchPlayer,
    Opening,
    PlayedMatch,
    PlayerFault,
    play_match,
)
from boardwire.arena.players import BotPlayer, EnginePlayer
from boardwire.arena.results import Result, Standing, Standings, result_of, table_of
from boardwire.arena.runner import Progress, Runner, run
from boardwire.arena.series import play_series
from boardwire.competition.pairings import (
    Encounter,
    Format,
    Played,
    gauntlet,
    knockout_round,
    ladder_round,
    neighbours,
    round_robin,
    seat_order,
    swiss_round,
)
from boardwire.competition.ratings import (
    Difference,
    Rating,
    Skill,
    Tally,
    difference,
    elo_of,
    elo_ratings,
    expected_score,
    pair_difference,
    skills,
)
from boardwire.competition.sprt import Decision, Sprt, parse_sprt

__all__ = [
    "Allowance",
    "ArenaTournament",
    "BotPlayer",
    "Budget",
    "Cause",
    "Chosen",
    "Decision",
    "Difference",
    "Encounter",
    "EnginePlayer",
    "Format",
    "MatchPlayer",
    "Opening",
    "Played",
    "PlayedMatch",
    "PlayerFault",
    "Progress",
    "Rating",
    "Result",
    "Runner",
    "Skill",
    "Sprt",
    "Standing",
    "Standings",
    "Tally",
    "check",
    "difference",
    "elo_of",
    "elo_ratings",
    "expected_score",
    "gauntlet",
    "knockout_round",
    "ladder_round",
    "load",
    "neighbours",
    "pair_difference",
    "parse_sprt",
    "play_match",
    "play_series",
    "result_of",
    "round_robin",
    "run",
    "seat_order",
    "skills",
    "swiss_round",
    "table_of",
]
