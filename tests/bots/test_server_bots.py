"""The bots of the server."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from boardwire.bots import server_bots
from boardwire.bots.bot import BUDGET, RandomBot
from boardwire.bots.engine import Past, SearchResult
from boardwire.bots.levels import level_of
from boardwire.bots.pool import NoAnswer, Rank
from boardwire.bots.server_bots import BOTS, REFUSED_BUDGET, RETRY_SECONDS, ServerBots, beneficiary
from boardwire.errors import Refused
from boardwire.games import tris
from boardwire.games.game import Decision, Outcome
from boardwire.games.santorini.actions import PlaceWorker
from boardwire.games.tris import Kind
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Seek
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.simulation.server import SimulatedServer
from boardwire.store.memory import MemoryJournal
from boardwire.table import events as ev
from boardwire.table.commands import Act, Chat, OfferUndo, Resign
from boardwire.table.events import Player
from boardwire.table.guest import Guest, Seated
from boardwire.table.policy import Leaving, Policy
from boardwire.table.ports import Appended, AppendResult
from boardwire.table.table import Table
from boardwire.table.termination import Termination

BOT = Player("random bot", "bot", "random")


class Soon:
    """Calls that are to come soon, and come when the test says so."""

    def __init__(self) -> None:
        self._calls: deque[Callable[[], None]] = deque()

    def __call__(self, call: Callable[[], None]) -> None:
        self._calls.append(call)

    def __len__(self) -> int:
        return len(self._calls)

    def run(self, most: int = 1000) -> None:
        for _ in range(most):
            if not self._calls:
                return
            self._calls.popleft()()
        raise AssertionError("there is always something to do")


class BrokenJournal(MemoryJournal):
    """Can be told to store nothing."""

    broken = False
    tries = 0

    def append(self, match: str, first: int, events: Any, done: Appended) -> None:
        self.tries += 1
        if self.broken:
            done(AppendResult.FAILED)
        else:
            super().append(match, first, events, done)


class Place(SimulatedServer):
    """A server with bots, whose journal can break."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.soon = Soon()
        self.disk = self.journal = BrokenJournal()
        self.faults: list[Exception] = []
        bots = ServerBots(Random(seed).randrange, self.soon, self.clock.later, lambda match, error: self._note(error))
        self.lobby = Lobby(self.journal, self.clock, ScriptedDealer(seed=seed), CountedNames(), bots)
        self.notification: list[Any] = []

    def _note(self, error: Exception) -> None:
        self.faults.append(error)

    def sit(self, *bots: int, policy: Policy | None = None) -> tuple[Guest, int]:
        """A guest at a new table with bots at these seats."""
        guest = Guest(self.notification.append)
        seek = Seek("tris", 2, Player("ann"), policy=policy or Policy(), bots=tuple((seat, BOT) for seat in bots))
        self.lobby.do(guest, seek)
        return guest, next(notification.seat for notification in self.notification if isinstance(notification, Seated))

    def table(self) -> Table:
        """Return the first table."""
        table = self.lobby.table("match-1")
        assert isinstance(table, Table)
        return table

    def acted(self) -> list[int]:
        return [event.seat for event in self.events() if isinstance(event, ev.Acted)]


def test_a_random_bot_picks_any_legal_choice() -> None:
    decision = Decision(Kind.MARK, (0,), (2, 5, 7))
    picked = {RandomBot().choose(None, decision, Random(seed).randrange, 0) for seed in range(50)}
    assert picked == {2, 5, 7}


def test_every_bot_is_known_by_its_name() -> None:
    assert all(bot.name == name for name, bot in BOTS.items())


def test_a_bot_in_the_first_seat_moves_first_but_not_inside_another_move() -> None:
    place = Place()
    place.sit(0)
    assert place.acted() == []
    assert len(place.soon) > 0
    place.soon.run()
    assert place.acted() == [0]


@pytest.mark.parametrize("seed", range(8))
def test_a_bot_plays_to_the_end_and_leaves(seed: int) -> None:
    place = Place(seed)
    guest, seat = place.sit(1)
    random = Random(seed)
    while (pending := place.match().pending) is not None:
        if seat in pending.seats:
            place.lobby.do(guest, Act(seat, (random.choice(list(pending.choices)),)))
        place.soon.run()
    assert len(set(place.acted())) == 2
    place.lobby.disconnected(guest)
    assert len(place.lobby) == 0, "nobody keeps the table"


def test_a_table_where_a_bot_has_played_is_freed_without_the_collector(no_collector: None) -> None:
    def alive() -> int:
        return sum(isinstance(one, Table | Guest) for one in gc.get_objects())

    place, before = Place(), alive()
    guest, seat = place.sit(1)
    assert alive() == before + 3
    place.lobby.do(guest, Resign(seat))
    place.soon.run()
    place.lobby.disconnected(guest)
    assert alive() == before + 1, "the guest is still here"


def test_a_bot_plays_on_in_a_seat_that_was_left_and_the_server_plays_it_out() -> None:
    place = Place()
    guest, seat = place.sit(1, policy=Policy(leaving=Leaving.BOT))
    place.lobby.do(guest, Act(seat, (4,)))
    place.soon.run()
    place.lobby.disconnected(guest)
    place.soon.run()
    assert [type(event) for event in place.events()].count(ev.Substituted) == 1
    assert place.match().outcome is not None
    assert len(place.lobby) == 0


def test_a_bot_thinks_once_for_each_decision() -> None:
    place = Place()
    guest, seat = place.sit(1)
    place.lobby.do(guest, Act(seat, (4,)))
    place.soon.run()
    place.soon.run()
    assert place.acted() == [0, 1]


def test_a_bot_whose_move_cannot_be_stored_tries_again_later_and_not_all_the_time() -> None:
    place = Place()
    guest, seat = place.sit(1)
    place.lobby.do(guest, Act(seat, (4,)))
    place.disk.broken = True
    tries = place.disk.tries
    place.soon.run()
    assert place.disk.tries == tries + 1
    place.clock.pass_time(RETRY_SECONDS * 3)
    place.soon.run()
    assert place.disk.tries <= tries + 4
    place.disk.broken = False
    place.clock.pass_time(RETRY_SECONDS)
    place.soon.run()
    assert place.acted() == [0, 1]


@pytest.mark.parametrize("choice", [KeyError("a square"), 4, 99])
def test_a_bot_that_fails_or_chooses_wrongly_plays_the_first_legal_choice(
    choice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(*asked: Any) -> Any:
        if isinstance(choice, Exception):
            raise choice
        return choice

    monkeypatch.setattr(RandomBot, "choose", choose)
    place = Place()
    guest, seat = place.sit(1)
    place.lobby.do(guest, Act(seat, (4,)))
    place.soon.run()
    assert [event.action for event in place.events() if isinstance(event, ev.Acted)] == [4, 0]
    assert len(place.faults) == 1
    assert len(place.soon) == 0


def broken(*asked: Any) -> Any:
    """A function of a game that raises what no rule says."""
    raise KeyError("no rule")


def test_a_bot_leaves_a_match_whose_rules_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    guest, seat = place.sit(1)
    place.lobby.do(guest, Act(seat, (4,)))
    monkeypatch.setattr(tris, "apply", broken)
    place.soon.run()
    place.clock.pass_time(RETRY_SECONDS * 3)
    place.soon.run()
    monkeypatch.undo()
    assert place.match().outcome == Outcome(Termination.FAULT)
    place.lobby.disconnected(guest)
    assert len(place.lobby) == 0, "nobody keeps the table"


def test_an_abandoned_seat_is_taken_by_a_server_bot() -> None:
    player = ServerBots(Random(0).randrange, Soon(), Place().clock.later).substitute("tris")
    assert player is not None
    assert player.bot in BOTS


def test_an_unknown_bot_in_a_journal_is_replaced() -> None:
    place = Place()
    place.sit()
    place.lobby.do(Guest(place.notification.append), Seek("tris", 2, Player("bob")))
    bots = ServerBots(Random(0).randrange, place.soon, place.clock.later)
    assert not bots.knows("long gone", "tris")
    bots.sit(place.table(), 0, Player("", "bot", "long gone"))
    place.soon.run()
    assert place.acted() == [0]


class Thinkers:
    """Think when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.cancelled = 0
        self.full = False

    def ask(self, *asked: Any, past: Past = ()) -> Thinkers:
        if self.full:
            raise Refused("too many bots are thinking")
        self.asked.append(asked)
        return self

    def cancel(self) -> None:
        self.cancelled += 1

    def answer(self, found: Any) -> None:
        """What was thought about the last question."""
        self.asked[-1][5](found)


class Study(Place):
    """A server whose bots think elsewhere."""

    def __init__(self, usual: str = "search:3") -> None:
        super().__init__()
        self.thinkers = Thinkers()
        bots = ServerBots(
            Random(0).randrange,
            self.soon,
            self.clock.later,
            lambda match, error: self._note(error),
            self.thinkers,
            usual,
        )
        self.lobby = Lobby(self.journal, self.clock, ScriptedDealer(seed=0), CountedNames(), bots)

    def play(self, bot: str = "search:7", policy: Policy | None = None) -> Guest:
        """Ann begins, and a bot has the other seat."""
        guest = Guest(self.notification.append, "192.0.2.7")
        seek = Seek("tris", 2, Player("ann"), policy=policy or Policy(undo=True), bots=((1, Player(bot, "bot", bot)),))
        self.lobby.do(guest, seek)
        self.lobby.do(guest, Act(0, (4,)))
        self.soon.run()
        return guest

    def actions(self) -> list[Any]:
        return [event.action for event in self.events() if isinstance(event, ev.Acted)]


def test_a_bot_that_searches_is_asked_by_its_view_and_its_level_and_plays_what_was_thought() -> None:
    place = Study()
    place.play()
    ((game, view, decision, level, seed, _done, rank, address),) = place.thinkers.asked
    assert (rank, address) == (Rank.MOVE, "192.0.2.7")
    assert (game, decision.seats, level) == ("tris", (1,), level_of("tris", 7))
    assert view == tris.view(place.match().position, 1)
    assert 0 <= seed < 1 << 32
    assert place.actions() == [4]
    place.thinkers.answer(SearchResult((8,), 0.0, 1, 1))
    assert place.actions() == [4, 8]


def test_a_bot_that_searches_is_asked_once_for_a_decision_whatever_else_is_said_at_the_table() -> None:
    place = Study()
    guest = place.play()
    place.lobby.do(guest, Chat(0, "hello"))
    place.soon.run()
    assert len(place.thinkers.asked) == 1


def test_what_a_bot_thinks_is_dropped_when_the_match_ends() -> None:
    place = Study()
    guest = place.play()
    place.lobby.do(guest, Resign(0))
    assert place.thinkers.cancelled == 1
    place.thinkers.answer(SearchResult((8,), 0.0, 1, 1))
    assert place.actions() == [4]
    place.lobby.disconnected(guest)
    assert len(place.lobby) == 0, "nobody keeps the table"


def test_what_a_bot_thinks_is_dropped_when_the_move_before_it_is_taken_back() -> None:
    place = Study()
    guest = place.play()
    place.lobby.do(guest, OfferUndo(0))
    place.soon.run()
    assert place.thinkers.cancelled == 1
    place.thinkers.answer(SearchResult((8,), 0.0, 1, 1))
    place.lobby.do(guest, Act(0, (0,)))
    place.soon.run()
    assert len(place.thinkers.asked) == 2
    place.thinkers.answer(SearchResult((8,), 0.0, 1, 1))
    assert place.actions()[-2:] == [0, 8]


def test_a_bot_whose_thought_fails_plays_like_the_greedy_one_and_that_is_reported() -> None:
    place = Study()
    place.play()
    place.thinkers.answer(NoAnswer("it died"))
    place.soon.run()
    assert len(place.actions()) == 2
    assert [str(fault) for fault in place.faults] == ["it died"]


def test_only_a_search_asks_for_a_view_in_a_game_without_hidden_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Study()
    place.play()
    monkeypatch.setattr(tris, "view", broken)
    place.thinkers.answer(SearchResult((8,), 0.0, 1, 1))
    assert place.actions() == [4, 8]
    assert place.faults == []


def test_a_choice_that_cannot_be_remembered_is_played_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_bots, "needs_past", lambda view: True)
    place = Study()
    place.play()
    monkeypatch.setattr(tris, "view", broken)
    place.thinkers.answer(SearchResult((8,), 0.0, 1, 1))
    assert place.actions() == [4, 8]
    assert [str(fault) for fault in place.faults] == ["'no rule'"]


def test_a_search_bot_without_a_worker_plays_the_greedy_choice_at_once() -> None:
    place = Study()
    place.thinkers.full = True
    place.play()
    assert len(place.actions()) == 2
    assert len(place.faults) == 1


def test_a_thought_that_is_illegal_is_replaced_by_the_first_legal_choice() -> None:
    place = Study()
    place.play()
    place.thinkers.answer(SearchResult((4,), 0.0, 1, 1))
    place.soon.run()
    assert place.actions() == [4, 0]


def test_a_bot_takes_a_part_of_its_clock_only() -> None:
    place = Study()
    place.play(policy=Policy(per_move=2.0))
    assert place.thinkers.asked[0][3].seconds == 0.5


def test_the_rest_of_a_turn_that_was_thought_of_is_played_without_another_thought() -> None:
    place = Study()
    guest = Guest(place.notification.append)
    bot = Player("bot", "bot", "search:7")
    place.lobby.do(guest, Seek("santorini", 2, Player("ann"), bots=((1, bot),)))
    place.lobby.do(guest, Act(0, (PlaceWorker(12),)))
    place.lobby.do(guest, Act(0, (PlaceWorker(13),)))
    place.soon.run()
    place.thinkers.answer(SearchResult((PlaceWorker(0), PlaceWorker(1)), 0.0, 1, 1))
    place.soon.run()
    assert place.acted() == [0, 0, 1, 1]
    assert len(place.thinkers.asked) == 1


def test_the_configured_bot_takes_free_seats() -> None:
    player = ServerBots(
        Random(0).randrange, Soon(), Place().clock.later, thinkers=Thinkers(), default_bot="search:3"
    ).substitute("tris")
    assert player == Player("level 3 bot", "bot", "search:3")


def test_a_server_without_thinkers_knows_no_bot_that_searches_and_lets_another_play_for_it() -> None:
    place = Place()
    bots = ServerBots(Random(0).randrange, place.soon, place.clock.later)
    assert not bots.knows("search:3", "tris")
    assert ServerBots(Random(0).randrange, place.soon, place.clock.later, thinkers=Thinkers()).knows("search:3", "tris")
    assert not ServerBots(Random(0).randrange, place.soon, place.clock.later, thinkers=Thinkers()).knows(
        "search:30", "tris"
    )
    place.sit()
    place.lobby.do(Guest(place.notification.append), Seek("tris", 2, Player("bob")))
    bots.sit(place.table(), 0, Player("", "bot", "search:3"))
    place.soon.run()
    assert place.acted() == [0]


def test_a_bot_thinks_for_the_address_of_a_player_before_that_of_a_spectator() -> None:
    place = Study()
    ann = place.play()
    assert isinstance(ann.table, Table)
    spectator = Guest(lambda notification: None, "198.51.100.9")
    ann.table.watch(spectator)
    assert beneficiary(ann.table) == (Rank.MOVE, "192.0.2.7")


def test_a_table_where_only_bots_play_comes_last_and_counts_for_its_spectator() -> None:
    bot, spectator = Guest(lambda notification: None, bot=True), Guest(lambda notification: None, "198.51.100.9")
    watched: Any = SimpleNamespace(guests=(bot, spectator), seat_of=lambda guest: None)
    alone: Any = SimpleNamespace(guests=(bot,), seat_of=lambda guest: None)
    assert beneficiary(watched) == (Rank.BOTS_ONLY, "198.51.100.9")
    assert beneficiary(alone) == (Rank.BOTS_ONLY, "")


def test_a_bot_chooses_in_the_turn_of_the_address_of_the_player_it_plays() -> None:
    place, turns = Place(), list[tuple[str, Callable[[], None]]]()
    bots = ServerBots(Random(0).randrange, place.soon, place.clock.later, turns=lambda *turn: turns.append(turn))
    place.lobby = Lobby(place.journal, place.clock, ScriptedDealer(seed=0), CountedNames(), bots)
    guest = Guest(place.notification.append, address_key="192.0.2.7")
    place.lobby.do(guest, Seek("tris", 2, Player("ann"), policy=Policy(), bots=((0, BOT),)))
    place.soon.run()
    assert place.acted() == []
    ((address_key, call),) = turns
    call()
    assert (address_key, place.acted()) == ("192.0.2.7", [0])


def test_a_refusal_of_the_thinking_pool_costs_little_on_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[int] = []

    def choose(view: Any, decision: Decision[Any], below: Any, budget: int) -> Any:
        budgets.append(budget)
        return next(iter(decision.choices))

    monkeypatch.setitem(BOTS, "greedy", SimpleNamespace(name="greedy", choose=choose))
    place = Study()
    place.thinkers.full = True
    place.play()
    second = Study()
    second.play()
    second.thinkers.answer(NoAnswer("it died"))
    second.soon.run()
    assert budgets == [REFUSED_BUDGET, BUDGET]
