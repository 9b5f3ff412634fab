"""Matches of the arena: the same reducer as at a table, seeded, with clocks and forfeits."""

from random import Random
from typing import Any, ClassVar

import pytest

from boardwire import games
from boardwire.arena.match import Allowance, Budget, Cause, Chosen, Opening, PlayerFault, check_opening, play_match
from boardwire.arena.players import BotPlayer
from boardwire.arena.results import result_of
from boardwire.bots import GreedyBot, LevelBot, RandomBot
from boardwire.errors import Malformed
from boardwire.games.game import Decision, Outcome
from boardwire.table.events import Acted, Event, Resigned, TimedOut, encode
from boardwire.table.match import fold

NAMES = ("ann", "bob", "cyd", "dan")


class Scripted:
    """A player that does what a test says: an action, a fault, or after that the first choice."""

    def __init__(self, *script: Any, budget: Budget = Budget(), seconds: float = 0.0) -> None:
        self.script = list(script)
        self.budget = budget
        self.seconds = seconds
        self.allowed: list[Allowance] = []
        self.ends: list[Outcome | None] = []
        self.begun = 0

    def begin(self, game: str, seat: int, seats: int, options: Any, seed: int) -> None:
        self.begun += 1

    def choose(self, view: Any, decision: Decision[Any], allowance: Allowance) -> Chosen:
        self.allowed.append(allowance)
        action = self.script.pop(0) if self.script else next(iter(decision.choices))
        if isinstance(action, Exception):
            raise action
        return Chosen(action, self.seconds)

    def end(self, outcome: Outcome | None) -> None:
        self.ends.append(outcome)

    def log(self) -> str:
        return "printed"

    def close(self) -> None: ...


def bots(*made: Any) -> list[BotPlayer]:
    return [BotPlayer(bot) for bot in made]


def shape(events: list[Event]) -> list[bytes]:
    """Events without their times."""
    import msgspec

    return [encode(msgspec.structs.replace(event, at=0.0)) for event in events]


@pytest.mark.parametrize(("game", "seats"), [("tris", 2), ("forza", 2), ("santorini", 3), ("eriantys", 4)])
def test_a_match_is_the_fold_of_its_events_and_has_a_result(game: str, seats: int) -> None:
    rules = games.game(game)
    played = play_match(rules, rules.Options(), bots(*[RandomBot()] * seats), NAMES[:seats], seed=3)
    match = fold(played.events)
    assert match.outcome is not None
    result = result_of(played.events)
    assert result is not None
    assert sum(result.points) == pytest.approx(1)
    assert {name for side in result.names for name in side} == set(NAMES[:seats])


@pytest.mark.parametrize("game", ["santorini", "eriantys"])
def test_the_same_seed_gives_the_same_match(game: str) -> None:
    rules = games.game(game)

    def once(seed: int) -> list[bytes]:
        players = bots(LevelBot(game, 7), LevelBot(game, 5))
        return shape(play_match(rules, rules.Options(), players, NAMES[:2], seed=seed).events)

    assert once(1) == once(1)
    assert once(1) != once(2)


def test_a_player_plays_the_same_after_another_match_as_before_it() -> None:
    santorini = games.game("santorini")
    players = bots(LevelBot("santorini", 7), LevelBot("santorini", 6))
    first = shape(play_match(santorini, santorini.Options(), players, NAMES[:2], seed=1).events)
    play_match(santorini, santorini.Options(), players, NAMES[:2], seed=2)
    assert shape(play_match(santorini, santorini.Options(), players, NAMES[:2], seed=1).events) == first


def test_deals_are_shared_by_matches_with_the_same_deal_seed() -> None:
    eriantys = games.game("eriantys")

    def deals(seed: int) -> list[bytes]:
        players = bots(RandomBot(), RandomBot())
        played = play_match(eriantys, eriantys.Options(), players, NAMES[:2], seed=seed, deal_seed=9)
        return [text for text in shape(played.events) if b'"dealt"' in text][:3]

    assert deals(1) == deals(2)


@pytest.mark.parametrize("cause", [cause for cause in Cause if cause is not Cause.TIME])
def test_a_player_that_fails_forfeits_with_the_cause(cause: Cause) -> None:
    failing, other = Scripted(0, PlayerFault(cause, "why")), Scripted(4, 8)
    tris = games.game("tris")
    played = play_match(tris, tris.Options(), [failing, other], NAMES[:2])
    result = result_of(played.events)
    assert result is not None
    assert result.points == (0, 1)
    assert result.faults == (("ann", cause),)
    assert any(isinstance(event, Resigned) and event.cause == cause for event in played.events)
    assert played.seats[0].fault == f"{cause}: why"
    assert failing.ends == [None]
    assert other.ends == [Outcome("resigned", (1,), 0)]
    assert played.seats[0].log == "printed"


def test_a_player_that_is_late_loses_on_time() -> None:
    tris = games.game("tris")
    played = play_match(tris, tris.Options(), [Scripted(PlayerFault(Cause.TIME, "late")), Scripted()], NAMES[:2])
    assert any(isinstance(event, TimedOut) for event in played.events)
    result = result_of(played.events)
    assert result is not None
    assert result.faults == (("ann", "time"),)


def test_an_action_that_is_not_legal_is_a_forfeit() -> None:
    tris = games.game("tris")
    played = play_match(tris, tris.Options(), [Scripted(4), Scripted(4)], NAMES[:2])
    result = result_of(played.events)
    assert result is not None
    assert result.points == (1, 0)
    assert result.faults == (("bob", "illegal"),)


def test_three_players_play_on_when_one_fails() -> None:
    santorini = games.game("santorini")
    players: list[Any] = [Scripted(PlayerFault(Cause.DIED, "gone")), *bots(RandomBot(), RandomBot())]
    result = result_of(play_match(santorini, santorini.Options(), players, NAMES[:3], seed=1).events)
    assert result is not None
    assert result.points[0] == 0
    assert result.moves > 10
    assert result.faults == (("ann", "died"),)


def test_clocks_run_down_and_gain_the_increment() -> None:
    budget = Budget(match_seconds=10.0, increment=1.0, seconds=8.0, nodes=50)
    ann, bob = Scripted(budget=budget, seconds=4.0), Scripted()
    tris = games.game("tris")
    play_match(tris, tris.Options(), [ann, bob], NAMES[:2])
    assert ann.allowed[:4] == [(8, 10, 50), (7, 7, 50), (4, 4, 50), (1, 1, 50)]
    assert bob.allowed[0] == (None, None, None)


def test_an_opening_is_played_by_both_seats_before_the_players_choose() -> None:
    tris = games.game("tris")
    ann, bob = Scripted(), Scripted()
    played = play_match(tris, tris.Options(), [ann, bob], NAMES[:2], opening=Opening(("5", "1")))
    acts = [(event.seat, event.action) for event in played.events if isinstance(event, Acted)]
    first = [tris.parse_action("5"), tris.parse_action("1")]
    assert acts[:2] == [(0, first[0]), (1, first[1])]
    assert len(ann.allowed) + len(bob.allowed) == len(acts) - 2


def test_a_random_opening_is_the_same_for_the_same_deal_seed() -> None:
    forza = games.game("forza")

    def begin(seed: int) -> list[Any]:
        opening = Opening(random_plies=4)
        players = [Scripted(), Scripted()]
        played = play_match(forza, forza.Options(), players, NAMES[:2], seed=seed, deal_seed=1, opening=opening)
        return [event.action for event in played.events if isinstance(event, Acted)][:4]

    assert begin(1) == begin(2)


def test_a_match_that_is_too_long_is_a_draw() -> None:
    santorini = games.game("santorini")
    played = play_match(santorini, santorini.Options(), bots(RandomBot(), RandomBot()), NAMES[:2], max_moves=8)
    result = result_of(played.events)
    assert result is not None
    assert (result.termination, result.points, result.moves) == ("adjudicated", (0.5, 0.5), 8)


def test_a_bot_that_raises_forfeits() -> None:
    class Broken:
        name = "broken"

        def choose(self, view: Any, decision: Any, below: Any, budget: int) -> Any:
            raise KeyError("oops")

    tris = games.game("tris")
    played = play_match(tris, tris.Options(), bots(Broken(), GreedyBot()), NAMES[:2])
    assert played.seats[0].fault == "died: KeyError: 'oops'"


@pytest.mark.parametrize("remaining", [3.0, 0.03, 0.0])
def test_a_level_spends_a_part_of_its_clock_even_when_that_has_run_down(remaining: float) -> None:
    class Noted(LevelBot):
        limits: ClassVar[list[float | None]] = []

        def choose(self, view: Any, decision: Any, below: Any, budget: int = 0, seconds: float | None = None) -> Any:
            self.limits.append(seconds)
            return next(iter(decision.choices))

    tris = games.game("tris")
    position = tris.new(tris.Options(), 2)
    decision = tris.pending(position)
    assert decision is not None
    allowance = Allowance(remaining, remaining, None)
    BotPlayer(Noted("tris", 3)).choose(tris.view(position, 0), decision, allowance)
    assert Noted.limits[-1] == pytest.approx(max(0.001, remaining / 30))


def test_openings_are_checked() -> None:
    tris = games.game("tris")
    check_opening(tris, tris.Options(), 2, ("5", "1"))
    for moves, words in (
        (("5", "5"), r"action 2 \(5\)"),
        (("x",), r"action 1 \(x\)"),
        (("0", "3", "1", "4", "2"), "the match is over after the opening"),
    ):
        with pytest.raises(Malformed, match=words):
            check_opening(tris, tris.Options(), 2, moves)


def test_random_numbers_of_players_do_not_depend_on_the_deals() -> None:
    assert Random("1 0").getrandbits(32) != Random("deal 1").getrandbits(32)
