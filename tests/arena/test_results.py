"""Results and tables, read from matches."""

from typing import Any

import pytest

from boardwire import games
from boardwire.arena.match import play_match
from boardwire.arena.players import BotPlayer
from boardwire.arena.results import Result, match_id, pair_counts, result_of, seat_name, table_of
from boardwire.bots import RandomBot
from boardwire.competition.ratings import Tally, difference
from boardwire.games.game import Outcome
from boardwire.table import events as ev
from boardwire.table.events import Event, Player
from boardwire.table.policy import Policy


def result(first: str, second: str, points: float, key: str = "", **more: Any) -> Result:
    return Result("m", "tris", ((first,), (second,)), (points, 1 - points), "line", set=key, **more)


def stored(outcome: Outcome, *players: Player, game: str = "tris", dialect: str = "") -> list[Event]:
    rules = games.game(game)
    opening = ev.Opened(1.0, "m", f"{game}@1", len(players), {}, Policy(), dialect)
    joined = [ev.Joined(1.0, seat, player) for seat, player in enumerate(players)]
    return [opening, *joined, ev.Started(1.0, rules.Options()), ev.Ended(2.0, outcome)]


ANN, BOB = Player("ann", "native"), Player(bot="search:3")


def test_a_result_has_points_by_side_and_names_of_bots_without_one() -> None:
    found = result_of(stored(Outcome("line", (0,)), ANN, BOB))
    assert found is not None
    assert (found.names, found.points) == ((("ann",), ("level 3 bot",)), (1, 0))
    drawn = result_of(stored(Outcome("full"), ANN, BOB))
    assert drawn is not None
    assert drawn.points == (0.5, 0.5)


@pytest.mark.parametrize("termination", ["abandoned", "connection lost", "interrupted", "fault"])
def test_a_match_that_was_broken_off_has_no_result(termination: str) -> None:
    assert result_of(stored(Outcome(termination), ANN, BOB)) is None
    assert result_of(stored(Outcome("line", (0,)), ANN, BOB)[:-1]) is None
    assert result_of([stored(Outcome("line", (0,)), ANN, BOB)[0], ev.Ended(1.0, Outcome("resigned"))]) is None


def test_a_team_is_one_side_and_a_participant_in_both_seats_is_named_once() -> None:
    players = [BotPlayer(RandomBot())] * 4
    names = [seat_name("a", 0), seat_name("b", 0), seat_name("a", 1), seat_name("b", 1)]
    assert names == ["a", "b", "a (2)", "b (2)"]
    santorini = games.game("santorini")
    found = result_of(play_match(santorini, santorini.Options(), players, names, seed=1).events)
    assert found is not None
    assert found.names == (("a",), ("b",))
    mixed = result_of(play_match(santorini, santorini.Options(), players, ["a", "b", "c", "d"], seed=1).events)
    assert mixed is not None
    assert mixed.names == (("a", "c"), ("b", "d"))
    assert not mixed.is_duel


def test_matches_of_an_opening_are_a_set() -> None:
    tris = games.game("tris")

    def key(number: int) -> str:
        match = match_id("abc", 0, 2, number)
        played = play_match(tris, tris.Options(), [BotPlayer(RandomBot())] * 2, ("a", "b"), match=match)
        found = result_of(played.events)
        assert found is not None
        return found.set

    assert match_id("abc", 0, 2, 4) == "abc-001-003-0005"
    assert key(0) == key(1) != key(2) == key(3)


def test_a_table_counts_and_rates() -> None:
    results = [result("a", "b", 1.0), result("b", "a", 0.5), result("a", "c", 1.0), result("c", "b", 0.0)]
    table = table_of(results, ["a", "b", "c", "d"])
    rows = {row.name: row for row in table.standings}
    assert (rows["a"].played, rows["a"].won, rows["a"].drawn, rows["a"].lost, rows["a"].points) == (3, 2, 1, 0, 2.5)
    assert (rows["c"].won, rows["c"].lost) == (0, 2)
    assert table.standings[0].name == "a"
    assert rows["a"].elo > rows["b"].elo > rows["c"].elo
    assert (rows["d"].played, rows["d"].elo) == (0, 0)
    assert table.cross["a", "b"] == Tally(1, 1, 0)
    assert table.cross["b", "a"] == Tally(0, 1, 1)
    assert table.difference is None


def test_two_participants_are_compared_by_pairs() -> None:
    results = [result("a", "b", 1.0, "1"), result("b", "a", 0.0, "1"), result("a", "b", 1.0, "2")]
    results += [result("b", "a", 1.0, "2"), result("a", "b", 0.5, "3")]
    table = table_of(results, ["a", "b"])
    assert table.pairs == (0, 0, 1, 0, 1), "the third pair is not complete"
    assert table.compared == ("a", "b")
    assert table.difference is not None
    assert table.difference.elo == pytest.approx(190.85, abs=0.01)
    assert pair_counts(results, "b") == (1, 0, 1, 0, 0)


def test_two_players_without_pairs_are_compared_by_single_matches() -> None:
    table = table_of([result("a", "b", 1.0), result("a", "b", 0.5), result("b", "a", 1.0)])
    assert table.pairs == ()
    assert table.difference == difference(Tally(1, 1, 1))


def test_forfeits_are_counted_by_cause() -> None:
    table = table_of([result("a", "b", 1.0, faults=(("b", "time"),)), result("a", "b", 1.0, faults=(("b", "died"),))])
    assert {row.name: row.losses for row in table.standings} == {"a": {}, "b": {"time": 1, "died": 1}}


def test_three_sides_are_rated_by_openskill() -> None:
    names = (("a",), ("b",), ("c",))
    three = Result("m", "santorini", names, (1.0, 0.0, 0.0), "move")
    rows = {row.name: row for row in table_of([three] * 4).standings}
    assert rows["a"].elo > 0 > rows["b"].elo
    assert rows["a"].mu is not None
    assert rows["a"].won == 4
    assert table_of([three], anchor="b").standings[-1].elo <= 0
