"""Series of matches between the same players in this process, for benchmarks and bot authors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardwire.arena.match import MatchPlayer, Opening, play_match
from boardwire.arena.results import Result, match_id, result_of, seat_name
from boardwire.competition.pairings import seat_order
from boardwire.games.game import AnyGame


def play_series(
    game: AnyGame,
    options: Any,
    players: Sequence[MatchPlayer],
    names: Sequence[str],
    matches: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    opening: Opening = Opening(),
) -> list[Result]:
    """Play matches in sets with the same deals and opening, in which every player takes every seat once.

    There is one player for each side. `seats` is the number of seats, by default one per player; if there are more, a
    player has all seats of its side.
    """
    seats = seats or len(players)
    sides = game.sides(game.new(options, seats))
    results = []
    for number in range(matches):
        order = seat_order(tuple(range(len(players))), number)
        by_seat = {
            seat: (entrant, partner)
            for entrant, side in zip(order, sides, strict=True)
            for partner, seat in enumerate(side)
        }
        played = play_match(
            game,
            options,
            [players[by_seat[seat][0]] for seat in range(seats)],
            [seat_name(names[by_seat[seat][0]], by_seat[seat][1]) for seat in range(seats)],
            match=match_id("series", 0, 0, number),
            seed=seed + number,
            deal_seed=seed + number // len(players),
            opening=opening,
        )
        result = result_of(played.events)
        assert result is not None, "a match that was played to its end has a result"
        results.append(result)
    return results
