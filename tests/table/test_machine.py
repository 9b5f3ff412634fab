"""Stateful test of all operations on the tables of a lobby, in any order.

Rules: guests join, leave, play, watch and return by key or name; bots; merges; skipped absences; quotas; rules that
raise; a journal that is slow or fails; time; a killed process that restarts and recovers its matches one by one.

Invariants:

- The journal folds to the match of its table, and nothing is published that is not stored.
- Every guest receives every event once and in order.
- Seats are booked as they are taken and reserved, and no two waiting tables could be merged.
- A player present is not away, and no decision waits for a player who is skipped.
- Counts per address agree with the tables.
- At rest every occupied seat has a guest.  After all guests have left, no match and no count remains.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from boardwire.bots.server_bots import ServerBots
from boardwire.games.game import Outcome
from boardwire.lobby.context import is_suspended
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.merge import moves
from boardwire.lobby.quotas import Quotas
from boardwire.lobby.requests import Attend, Depart, Enter, Open, Reclaim, Rematch, Resume, Seek, Watch
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.table import commands as cmd
from boardwire.table.commands import Join
from boardwire.table.decide import countdown_end
from boardwire.table.events import Ended, Player, encode
from boardwire.table.guest import Displaced, Guest, Notification, Refusal, Seated, Step, Tie, Watching
from boardwire.table.match import Match, Status, fold
from boardwire.table.policy import BOT_MATCH_HOLD_SECONDS, Leaving, Policy
from boardwire.table.table import APPEND_RETRY_SECONDS, Table

from . import toy
from .doubles import HeldJournal
from .toy import Wish

POLICIES = st.sampled_from(
    [
        Policy(),
        Policy(undo=True, per_move=5.0),
        Policy(Leaving.HOLDS, grace=3.0, undo=True),
        Policy(Leaving.HOLDS, bank=8.0),
        Policy(Leaving.BOT, grace=3.0),
        Policy(Leaving.SKIPS, grace=3.0, undo=True, per_move=5.0),
        Policy(Leaving.SKIPS, grace=3.0, bank=8.0),
    ]
)
QUOTAS = Quotas(seats=3, openings=4, comings=6, held=2, bot_matches=2, openings_from=40, comings_from=60)
COLOURS = st.sampled_from(["", "", "red", "blue"])
TIES = st.sampled_from([Tie.NOTHING, Tie.NOTHING, *Tie])
ANY = st.integers(0, 1000)
"""Picks one of however many there are."""


class Witness(Guest):
    """A guest that compares its notifications with the journal."""

    __slots__ = ("_last", "_place", "_seated", "_stored", "player")

    def __init__(self, player: Player, stored: HeldJournal, address_key: str) -> None:
        super().__init__(self._receive, address_key, close=lambda reason: self.forget())
        self.player = player
        self.key = player.key
        self._stored = stored
        self._last: tuple[str, int] | None = None
        self._place: tuple[str, int] | None = None
        self._seated = False

    def _receive(self, notification: Notification) -> None:
        match notification:
            case Watching(match=match):
                self._check_stored(match)
                self._last, self._seated = (match.id, match.seq), False
            case Seated(match=match, seat=seat):
                assert match.chairs[seat].player == self.player
                self._check_stored(match)
                self._check_tie(match.id, seat)
                self._last, self._seated = (match.id, match.seq), True
            case Step(moments=moments):
                self._check_step(moments[0].match, moments[-1].match)
                journal = self._stored.read(moments[0].match.id)
                for moment in moments:
                    stored = journal[moment.match.seq - 1 : moment.match.seq]
                    assert [encode(event) for event in stored] == [encode(moment.event)], "told before it was stored"
            case Refusal(reason=reason):
                assert str(reason)
            case Displaced():
                self._last = self._place = None

    def _check_tie(self, name: str, seat: int) -> None:
        """A waiting guest may move to another table without seeing its departure from the first."""
        if self._place is not None and self._place[0] != name:
            assert self.tie is not Tie.TABLE
            assert self.tie is not Tie.SEAT or self._place[1] == seat
        self._place = name, seat

    def forget(self) -> None:
        """Stop expecting notifications: the guest leaves."""
        self._place = None

    def _check_step(self, first: Match, last: Match) -> None:
        """Steps are consecutive; the step that seats a guest follows `Seated`."""
        assert self._last is not None, "told of a table it is not at"
        name, seq = self._last
        assert name == first.id == last.id
        assert first.seq == seq + 1 or (self._seated and last.seq == seq), (seq, first.seq, last.seq)
        self._last, self._seated = (name, last.seq), False

    def _check_stored(self, match: Match) -> None:
        stored = self._stored.read(match.id)
        with toy.broken():
            assert match.seq == 1 if not stored else fold(stored) == match


class Server(RuleBasedStateMachine):
    """The state machine, with its rules and invariants."""

    def __init__(self) -> None:
        super().__init__()
        self.journal = HeldJournal()
        self.names = CountedNames()
        self.now = 1000.0
        self.count = 0
        self.seats: list[tuple[str, int, str]] = []
        self.failed = 0.0
        self.fault = ""
        self.faults: list[tuple[str, Exception]] = []

    @initialize(limit=st.sampled_from([0, 0, 2]), fill=st.sampled_from([0.0, 0.0, 2.0]))
    def settle(self, limit: int, fill: float) -> None:
        """Choose the settings of the lobby."""
        self.limit, self.fill = limit, fill
        self.start()

    def start(self) -> None:
        """Start a process on the data of the last one."""
        self.journal.held.clear()
        self.clock = ManualClock(self.now)
        self.soon: deque[Callable[[], None]] = deque()
        self.guests: list[Witness] = []
        bots = ServerBots(Random(1).randrange, self.soon.append, self.clock.later)
        self.lobby = Lobby(
            self.journal,
            self.clock,
            ScriptedDealer(seed=0),
            self.names,
            bots,
            limit=self.limit,
            fill=self.fill,
            report=lambda match, error: self.faults.append((match, error)),
            quotas=QUOTAS,
        )
        self.unreadable: set[str] = set()
        self.lobby.find_unfinished(lambda match, error: self.unreadable.add(match))

    @contextmanager
    def breaking(self) -> Iterator[None]:
        """Break a part of the rules during the next operation, if requested."""
        fault, self.fault = self.fault, ""
        with toy.broken(*[fault] * bool(fault)):
            yield

    def do(self, guest: Guest, request: Any) -> None:
        """Send a request of a guest."""
        with self.breaking():
            self.lobby.do(guest, request)

    # --- coming and going ---------------------------------------------------------------------------------------------

    def arrive(self, player: Player | None = None) -> Witness:
        """Add a player, with or without a key, or a returning one."""
        if player is None:
            self.count += 1
            player = Player(f"p{self.count}", "d", key=f"k{self.count}" if self.count % 2 else "")
        guest = Witness(player, self.journal, f"h{len(self.guests) % 3}")
        self.guests.append(guest)
        return guest

    def pick(self, number: int) -> Witness:
        return self.guests[number % len(self.guests)]

    def table(self, number: int) -> Table:
        table = list(self.lobby)[number % len(self.lobby)]
        assert isinstance(table, Table)
        return table

    @rule(policy=POLICIES, private=st.booleans(), fresh=st.booleans(), ready=st.sampled_from([True, True, False]))
    def seek(self, policy: Policy, private: bool, fresh: bool, ready: bool) -> None:
        guest = self.arrive()
        self.lobby.do(guest, Seek("tris", 2, guest.player, None, policy, private=private, fresh=fresh, ready=ready))

    @rule(
        seats=st.sampled_from([2, 3, 3, 3]),
        policy=POLICIES,
        fresh=st.booleans(),
        ready=st.booleans(),
        tie=TIES,
        colour=COLOURS,
    )
    def wait(self, seats: int, policy: Policy, fresh: bool, ready: bool, tie: Tie, colour: str) -> None:
        """Add a waiting player to a large table, with a wish that not every table can meet."""
        guest = self.arrive()
        wish = Wish(colour) if colour else None
        terms = (policy,)
        seek = Seek("toy", seats, guest.player, None, policy, terms, wish=wish, fresh=fresh, ready=ready, tie=tie)
        self.lobby.do(guest, seek)

    @rule(policy=POLICIES, private=st.booleans(), bots=st.integers(1, 2))
    def play_bots(self, policy: Policy, private: bool, bots: int) -> None:
        guest = self.arrive()
        seats = tuple((seat, Player(f"bot {seat}", "bot", "random")) for seat in range(bots))
        seek = Seek("toy", 3, guest.player, None, policy, (policy,), private=private, fresh=True, bots=seats)
        self.lobby.do(guest, seek)

    @rule(policy=POLICIES, gone=st.integers(0, 2))
    def begin(self, policy: Policy, gone: int) -> None:
        """Begin a match for three, which some players may have left."""
        guests = [self.arrive() for _ in range(3)]
        self.lobby.do(guests[0], Seek("toy", 3, guests[0].player, None, policy, private=True))
        self.journal.answer_all()
        for guest in guests[1:]:
            if (table := guests[0].table) is not None:
                self.lobby.do(guest, Enter(table.match.id, guest.player, table.match.setting.code))
        self.journal.answer_all()
        for guest in guests[:gone]:
            self.guests.remove(guest)
            self.lobby.disconnected(guest)

    @rule(number=ANY, policy=POLICIES)
    @precondition(lambda self: self.guests)
    def seek_again(self, number: int, policy: Policy) -> None:
        guest = self.pick(number)
        self.lobby.do(guest, Seek("tris", 2, guest.player, None, policy))

    @rule(number=ANY, table=ANY, seat=st.sampled_from([None, None, 0, 1, 2]))
    @precondition(lambda self: bool(self.guests) and len(self.lobby) > 0)
    def enter(self, number: int, table: int, seat: int | None) -> None:
        guest, setting = self.pick(number), self.table(table).match.setting
        self.do(guest, Enter(setting.id, guest.player, setting.code, seat=seat))

    @rule(table=ANY)
    @precondition(lambda self: len(self.lobby) > 0)
    def watch(self, table: int) -> None:
        setting = self.table(table).match.setting
        self.lobby.do(self.arrive(), Watch(setting.id, setting.code))

    @rule(policy=POLICIES)
    def open(self, policy: Policy) -> None:
        self.lobby.do(self.arrive(), Open(Seek("tris", 2, Player(), None, policy)))

    @rule(game=st.sampled_from(["tris", "toy"]), tie=st.sampled_from([Tie.NOTHING, Tie.COMPANY]))
    def attend(self, game: str, tie: Tie) -> None:
        self.lobby.do(self.arrive(), Attend(game, "", tie=tie))

    @rule(number=ANY)
    @precondition(lambda self: self.seats)
    def resume(self, number: int) -> None:
        match, seat, key = self.seats[number % len(self.seats)]
        self.do(self.arrive(Player(f"p{key[1:]}", "d", key=key)), Resume(match, seat, key))

    @rule(number=ANY, seeks=st.booleans(), policy=POLICIES)
    @precondition(lambda self: self.count)
    def come_back(self, number: int, seeks: bool, policy: Policy) -> None:
        """Let a player without a key return by name."""
        player = Player(f"p{number % self.count // 2 * 2 + 2}", "d")
        guest = self.arrive(player)
        self.do(guest, Seek("tris", 2, player, None, policy, returns=True) if seeks else Reclaim(player))

    @rule(number=ANY)
    @precondition(lambda self: self.guests)
    def depart(self, number: int) -> None:
        self.pick(number).forget()
        self.do(self.pick(number), Depart())

    @rule(number=ANY)
    @precondition(lambda self: self.guests)
    def drop(self, number: int) -> None:
        guest = self.pick(number)
        self.guests.remove(guest)
        with self.breaking():
            self.lobby.disconnected(guest)

    # --- playing ------------------------------------------------------------------------------------------------------

    def command(self, number: int, make: Callable[[int], Any]) -> None:
        """Send a command of a seated guest."""
        guest = self.pick(number)
        seat = None if guest.table is None else guest.table.seat_of(guest)
        if seat is not None:
            self.do(guest, make(seat))

    @rule(number=ANY, cell=st.integers(0, 9), stale=st.booleans())
    @precondition(lambda self: self.guests)
    def act(self, number: int, cell: int, stale: bool) -> None:
        guest = self.pick(number)
        seen = guest.table.match.seq if guest.table is not None and stale else None
        self.command(number, lambda seat: cmd.Act(seat, (cell,), seen))

    @rule(cells=st.lists(st.integers(0, 8), min_size=1, max_size=9))
    @precondition(lambda self: self.guests)
    def play_on(self, cells: list[int]) -> None:
        """At every table, let the player to move take the next of these cells, if possible."""
        for cell in cells:
            for number, guest in enumerate(self.guests):
                pending = None if guest.table is None else guest.table.match.pending
                if pending is not None and guest.table is not None and guest.table.seat_of(guest) in pending.seats:
                    self.command(number, partial(cmd.Act, actions=(cell,)))

    @rule(
        number=ANY,
        what=st.sampled_from(["ready", "resign", "offer", "agree", "decline", "draw", "play on", "chat", "rematch"]),
    )
    @precondition(lambda self: self.guests)
    def say(self, number: int, what: str) -> None:
        player = self.pick(number).player
        make: dict[str, Callable[[int], Any]] = {
            "ready": lambda seat: cmd.Ready(seat, player),
            "resign": lambda seat: cmd.Resign(seat),
            "offer": lambda seat: cmd.OfferUndo(seat),
            "agree": lambda seat: cmd.AnswerUndo(seat, True),
            "decline": lambda seat: cmd.AnswerUndo(seat, False),
            "draw": lambda seat: cmd.Draw(seat),
            "play on": lambda seat: cmd.Draw(seat, agree=False),
            "chat": lambda seat: cmd.Chat(seat, "hello"),
            "rematch": lambda seat: Rematch(),
        }
        self.command(number, make[what])

    # --- the world ----------------------------------------------------------------------------------------------------

    @rule(many=st.integers(1, 20))
    @precondition(lambda self: self.journal.held)
    def store(self, many: int) -> None:
        with self.breaking():
            for _ in range(min(many, len(self.journal.held))):
                self.journal.answer()

    @rule()
    @precondition(lambda self: self.journal.held)
    def fail_to_store(self) -> None:
        self.failed = self.now
        self.journal.fail()

    @rule()
    @precondition(lambda self: self.journal.held)
    def write_elsewhere(self) -> None:
        """Let another server take the match over and end it."""
        name, first, events, _ = self.journal.held[0]
        self.journal.store(name, *events[: first == 1], Ended(self.now, Outcome("interrupted")))
        self.journal.answer()
        assert name not in [table.match.id for table in self.lobby]

    @rule(seconds=st.sampled_from([0.1, 1.0, 3.0, 10.0]))
    def pass_time(self, seconds: float) -> None:
        with self.breaking():
            self.clock.pass_time(seconds)
        self.now = self.clock.now()

    @rule(what=st.sampled_from(toy.BREAKABLE))
    def break_rules(self, what: str) -> None:
        """Break a part of the rules for the next operation."""
        self.fault = what

    @rule()
    @precondition(lambda self: self.soon)
    def let_bots_think(self) -> None:
        for _ in range(len(self.soon)):
            self.soon.popleft()()

    @rule(seconds=st.sampled_from([0.0, 60.0]))
    def restart(self, seconds: float) -> None:
        """kill -9: pending events are lost, and were not published."""
        self.now += seconds
        self.start()

    @rule(many=st.integers(1, 5))
    @precondition(lambda self: self.lobby.recovery.unfinished)
    def take_up(self, many: int) -> None:
        """Recover the matches of the last process, one by one."""
        for _ in range(many):
            self.lobby.recover_next()

    # --- what must hold -----------------------------------------------------------------------------------------------

    @invariant()
    def the_journal_folds_to_the_match(self) -> None:
        for table in getattr(self, "lobby", ()):
            stored = self.journal.read(table.match.id)
            assert fold(stored) == table.match if stored else table.match.seq == 1

    @invariant()
    def seats_are_booked_as_they_are_taken_and_reserved(self) -> None:
        for listing in self.lobby.context.listings if hasattr(self, "lobby") else ():
            table = listing.table
            assert isinstance(table, Table)
            if table.match.status is not Status.WAITING:
                continue
            taken = sum(player is not None for player in table.match.players)
            asked = [] if table._storing is None else [table._storing[1]]
            asked += [command for _, command in table._inbox]
            promised = sum(isinstance(command, Join) for command in asked)
            again = self.now - self.failed < APPEND_RETRY_SECONDS  # what a table itself will ask again
            assert listing.booked >= taken + promised if again else listing.booked == taken + promised
            offered = self.lobby.context.listings.is_offered(listing)
            assert offered == (bool(listing.terms) and listing.booked < len(table.match.chairs) and not table.held)

    @invariant()
    def no_two_waiting_tables_could_be_merged(self) -> None:
        lobby = getattr(self, "lobby", None)
        if lobby is None or lobby.merging.suspended or lobby.full:
            return
        for one in lobby.context.listings.all_offered():
            for other in lobby.context.listings.offered_listings(one.terms):
                found = one is not other and moves(one.table, other.table, other.free, self.now)
                assert not found, (one.table.match.id, other.table.match.id)

    @invariant()
    def every_guest_is_where_its_table_thinks_it_is(self) -> None:
        for guest in getattr(self, "guests", ()):
            table = guest.table
            assert table is None or guest in table.guests or table.expects(guest)
            for one in self.lobby:
                assert one.guests.count(guest) == (one is table and guest in one.guests)
                if one.guests.count(guest) and (seat := one.seat_of(guest)) is not None and guest.player.key:
                    kept = (one.match.id, seat, guest.player.key)
                    if kept not in self.seats:
                        self.seats.append(kept)

    @invariant()
    def a_player_present_is_not_away(self) -> None:
        for table in getattr(self, "lobby", ()):
            for guest in table.guests if table.idle and table.match.status is Status.PLAYING else ():
                seat = table.seat_of(guest)
                assert seat is None or table.match.chairs[seat].away is None, (table.match.id, seat)

    @invariant()
    def no_decision_waits_for_a_skipped_player(self) -> None:
        again = (
            self.now - self.failed < APPEND_RETRY_SECONDS
        )  # after a restart, some who are away may not be said to be
        for table in getattr(self, "lobby", ()) if not again else ():
            match = table.match
            if match.setting.policy.leaving is Leaving.SKIPS and match.pending is not None and table.idle:
                absent = all(match.chairs[seat].away is not None for seat in match.pending.seats)
                assert not absent or countdown_end(match) is not None, match.id

    @invariant()
    def counts_agree_with_the_tables(self) -> None:
        lobby = getattr(self, "lobby", None)
        if lobby is None:
            return
        ledger = lobby.context.quotas
        in_play = [table.match for table in lobby if table.match.status is Status.PLAYING]
        assert lobby.context.playing == {match.id for match in in_play if not is_suspended(match)}
        for address_key, held in ledger._held.items():
            assert 0 < len(held) <= QUOTAS.held
            assert all(ledger._away[name][seat] == address_key and lobby.table(name) for name, seat in held)
        for address_key, matches in ledger._bots.items():
            assert 0 < len(matches) <= QUOTAS.bot_matches
            assert all(ledger._owner[name] == address_key and lobby.table(name) for name in matches)

    def teardown(self) -> None:
        """When all is quiet, everyone who sits at a seat is there, and what no one is at is over or held.  When all
        have gone, nothing is left of them."""
        if not hasattr(self, "lobby"):
            return
        while self.lobby.recover_next():
            pass
        self.settle_down(5)
        for table in self.lobby:
            match = table.match
            present = {table.seat_of(guest) for guest in table.guests}
            for seat, chair in enumerate(match.chairs):
                if match.status is Status.OVER or chair.player is None or chair.player.bot or chair.away is not None:
                    continue
                assert seat in present, f"a ghost sits at seat {seat} of {match.id}"
            if match.status is Status.WAITING:
                assert table.guests, f"{match.id} waits with nobody there"
        for guest in self.guests:
            self.lobby.disconnected(guest)
        self.settle_down(40)
        self.clock.pass_time(BOT_MATCH_HOLD_SECONDS)
        self.settle_down(5)
        assert [table.match for table in self.lobby] == []
        ledger = self.lobby.context.quotas
        assert (ledger._held, ledger._away, ledger._bots, ledger._owner) == ({}, {}, {}, {})
        listings = self.lobby.context.listings
        assert (listings._offered, listings._mobile, self.lobby.context.playing) == ({}, {}, set())
        assert (self.lobby.context.held_seats._tables, self.lobby.context.held_seats._keys) == ({}, {})
        assert set(self.journal.unfinished()) == self.unreadable  # they stay as they are

    def settle_down(self, seconds: int) -> None:
        """Advance the time, store appends, let bots act."""
        for _ in range(seconds):
            self.journal.answer_all()
            for _ in range(len(self.soon)):
                self.soon.popleft()()
            self.journal.answer_all()
            self.clock.pass_time(APPEND_RETRY_SECONDS)


TestServer = Server.TestCase
TestServer.settings = settings(max_examples=30, stateful_step_count=40, deadline=None, derandomize=True, database=None)
