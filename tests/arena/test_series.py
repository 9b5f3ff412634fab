"""A series of matches in one process."""

from boardwire import games
from boardwire.arena import BotPlayer, play_series, table_of
from boardwire.bots import LevelBot, RandomBot


def test_a_series_swaps_seats_and_is_rated_by_pairs() -> None:
    forza = games.game("forza")
    players = [BotPlayer(LevelBot("forza", 5)), BotPlayer(RandomBot())]
    results = play_series(forza, forza.Options(), players, ("level 5", "random"), 10, seed=1)
    assert [one.names[0] for one in results[:2]] == [("level 5",), ("random",)]
    table = table_of(results, ("level 5", "random"))
    assert sum(table.pairs) == 5
    assert table.standings[0].name == "level 5"
    again = play_series(forza, forza.Options(), players, ("level 5", "random"), 10, seed=1)
    assert [one.points for one in again] == [one.points for one in results]


def test_a_player_can_have_all_seats_of_a_team() -> None:
    santorini = games.game("santorini")
    players = [BotPlayer(RandomBot()), BotPlayer(RandomBot())]
    results = play_series(santorini, santorini.Options(), players, ("a", "b"), 2, seats=4)
    assert [set(one.names) for one in results] == [{("a",), ("b",)}] * 2
