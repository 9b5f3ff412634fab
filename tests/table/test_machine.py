"""Anything that can happen to the tables of a house, in any order: guests that come, go, play, watch and return, a
journal that is slow or fails, time, and a process that is killed and started again.

What must hold, always: the journal folds to the table's match; nothing is told that is not stored; every guest hears
every event once and in order; seats are booked as they are taken and promised; no two who wait could be brought
together and are not; and when all is quiet, nobody sits at a seat who is not there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from boardwire.bots.house import HouseBots
from boardwire.table import commands as ask
from boardwire.table.commands import Join
from boardwire.table.errands import Attend, Depart, Enter, Open, Rematch, Resume, Seek, Watch
from boardwire.table.events import Leaving, Player, Policy, encode
from boardwire.table.guest import Displaced, Guest, News, Refusal, Seated, Step, Tie, Watching
from boardwire.table.lobby import Lobby
from boardwire.table.match import Match, Status, fold
from boardwire.table.merge import moves
from boardwire.table.table import RETRY_SECONDS, Table
from boardwire.testing.luck import CountedNames, ScriptedDealer
from boardwire.testing.time import ManualClock

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
    ]
)
COLOURS = st.sampled_from(["", "", "red", "blue"])
TIES = st.sampled_from([Tie.NOTHING, Tie.NOTHING, *Tie])
ANY = st.integers(0, 1000)
"""Picks one of however many there are."""


class Witness(Guest):
    """A guest that checks what it is told against what is stored."""

    __slots__ = ("_last", "_place", "_seated", "_stored", "player")

    def __init__(self, player: Player, stored: HeldJournal) -> None:
        super().__init__(self._hear)
        self.player = player
        self._stored = stored
        self._last: tuple[str, int] | None = None
        self._place: tuple[str, int] | None = None
        self._seated = False

    def _hear(self, news: News) -> None:
        match news:
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
                self._last = None

    def _check_tie(self, name: str, seat: int) -> None:
        """Whoever is brought to another table while it waits may be: it never heard that it left the one before."""
        if self._place is not None and self._place[0] != name:
            assert self.tie is not Tie.TABLE
            assert self.tie is not Tie.SEAT or self._place[1] == seat
        self._place = name, seat

    def forget(self) -> None:
        """It leaves of its own will."""
        self._place = None

    def _check_step(self, first: Match, last: Match) -> None:
        """Steps follow each other; the one in which a guest sat down is told after its seat."""
        assert self._last is not None, "told of a table it is not at"
        name, seq = self._last
        assert name == first.id == last.id
        assert first.seq == seq + 1 or (self._seated and last.seq == seq), (seq, first.seq, last.seq)
        self._last, self._seated = (name, last.seq), False

    def _check_stored(self, match: Match) -> None:
        stored = self._stored.read(match.id)
        assert match.seq == 1 if not stored else fold(stored) == match


class House(RuleBasedStateMachine):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self.journal = HeldJournal()
        self.names = CountedNames()
        self.now = 1000.0
        self.count = 0
        self.seats: list[tuple[str, int, str]] = []

    @initialize()
    def start(self) -> None:
        """A process starts, on whatever the last one left."""
        self.journal.held.clear()
        self.clock = ManualClock(self.now)
        self.soon: deque[Callable[[], None]] = deque()
        self.guests: list[Witness] = []
        bots = HouseBots(Random(1).randrange, self.soon.append, self.clock.later)
        self.lobby = Lobby(self.journal, self.clock, ScriptedDealer(seed=0), self.names, bots)
        self.lobby.recover()

    # --- coming and going ---------------------------------------------------------------------------------------------

    def arrive(self, player: Player | None = None) -> Witness:
        """Somebody new, or somebody who comes back."""
        if player is None:
            self.count += 1
            player = Player(f"p{self.count}", key=f"k{self.count}")
        guest = Witness(player, self.journal)
        self.guests.append(guest)
        return guest

    def pick(self, number: int) -> Witness:
        return self.guests[number % len(self.guests)]

    def table(self, number: int) -> Table:
        return list(self.lobby)[number % len(self.lobby)]

    @rule(policy=POLICIES, private=st.booleans(), fresh=st.booleans(), ready=st.sampled_from([True, True, False]))
    def seek(self, policy: Policy, private: bool, fresh: bool, ready: bool) -> None:
        guest = self.arrive()
        self.lobby.do(guest, Seek("tris", 2, guest.player, None, policy, private=private, fresh=fresh, ready=ready))

    @rule(seats=st.sampled_from([2, 3, 3, 3]), fresh=st.booleans(), ready=st.booleans(), tie=TIES, colour=COLOURS)
    def wait(self, seats: int, fresh: bool, ready: bool, tie: Tie, colour: str) -> None:
        """At a table where many can wait, with a wish that not every table can meet."""
        guest = self.arrive()
        wish = Wish(colour) if colour else None
        self.lobby.do(guest, Seek("toy", seats, guest.player, wish=wish, fresh=fresh, ready=ready, tie=tie))

    @rule(number=ANY, policy=POLICIES)
    @precondition(lambda self: self.guests)
    def seek_again(self, number: int, policy: Policy) -> None:
        guest = self.pick(number)
        self.lobby.do(guest, Seek("tris", 2, guest.player, None, policy))

    @rule(number=ANY, table=ANY, seat=st.sampled_from([None, None, 0, 1, 2]))
    @precondition(lambda self: bool(self.guests) and len(self.lobby) > 0)
    def enter(self, number: int, table: int, seat: int | None) -> None:
        guest, setting = self.pick(number), self.table(table).match.setting
        self.lobby.do(guest, Enter(setting.id, guest.player, setting.code, seat=seat))

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
        self.lobby.do(self.arrive(Player(f"p{key[1:]}", key=key)), Resume(match, seat, key))

    @rule(number=ANY)
    @precondition(lambda self: self.guests)
    def depart(self, number: int) -> None:
        self.pick(number).forget()
        self.lobby.do(self.pick(number), Depart())

    @rule(number=ANY)
    @precondition(lambda self: self.guests)
    def drop(self, number: int) -> None:
        guest = self.pick(number)
        self.guests.remove(guest)
        self.lobby.goodbye(guest)

    # --- playing ------------------------------------------------------------------------------------------------------

    def command(self, number: int, make: Callable[[int], Any]) -> None:
        """What a seated guest asks of its table."""
        guest = self.pick(number)
        seat = None if guest.table is None else guest.table.seat_of(guest)
        if seat is not None:
            self.lobby.do(guest, make(seat))

    @rule(number=ANY, cell=st.integers(0, 9), stale=st.booleans())
    @precondition(lambda self: self.guests)
    def act(self, number: int, cell: int, stale: bool) -> None:
        guest = self.pick(number)
        seen = guest.table.match.seq if guest.table is not None and stale else None
        self.command(number, lambda seat: ask.Act(seat, (cell,), seen))

    @rule(cells=st.lists(st.integers(0, 8), min_size=1, max_size=9))
    @precondition(lambda self: self.guests)
    def play_on(self, cells: list[int]) -> None:
        """Whoever is asked, at every table, takes the next of these cells, if it can."""
        for cell in cells:
            for number, guest in enumerate(self.guests):
                pending = None if guest.table is None else guest.table.match.pending
                if pending is not None and guest.table is not None and guest.table.seat_of(guest) in pending.seats:
                    self.command(number, lambda seat, cell=cell: ask.Act(seat, (cell,)))  # type: ignore[misc]

    @rule(number=ANY, what=st.sampled_from(["ready", "resign", "offer", "agree", "decline", "chat", "rematch"]))
    @precondition(lambda self: self.guests)
    def say(self, number: int, what: str) -> None:
        player = self.pick(number).player
        make: dict[str, Callable[[int], Any]] = {
            "ready": lambda seat: ask.Ready(seat, player),
            "resign": lambda seat: ask.Resign(seat),
            "offer": lambda seat: ask.OfferUndo(seat),
            "agree": lambda seat: ask.AnswerUndo(seat, True),
            "decline": lambda seat: ask.AnswerUndo(seat, False),
            "chat": lambda seat: ask.Chat(seat, "hello"),
            "rematch": lambda seat: Rematch(),
        }
        self.command(number, make[what])

    # --- the world ----------------------------------------------------------------------------------------------------

    @rule(many=st.integers(1, 20))
    @precondition(lambda self: self.journal.held)
    def store(self, many: int) -> None:
        for _ in range(min(many, len(self.journal.held))):
            self.journal.answer()

    @rule()
    @precondition(lambda self: self.journal.held)
    def fail_to_store(self) -> None:
        self.journal.answer(False)

    @rule(seconds=st.sampled_from([0.1, 1.0, 3.0, 10.0]))
    def pass_time(self, seconds: float) -> None:
        self.clock.pass_time(seconds)
        self.now = self.clock.now()

    @rule()
    @precondition(lambda self: self.soon)
    def let_bots_think(self) -> None:
        for _ in range(len(self.soon)):
            self.soon.popleft()()

    @rule(seconds=st.sampled_from([0.0, 60.0]))
    def restart(self, seconds: float) -> None:
        """kill -9: what was on its way is lost, and nobody was told of it."""
        self.now += seconds
        self.start()

    # --- what must hold -----------------------------------------------------------------------------------------------

    @invariant()
    def the_journal_folds_to_the_match(self) -> None:
        for table in getattr(self, "lobby", ()):
            stored = self.journal.read(table.match.id)
            assert fold(stored) == table.match if stored else table.match.seq == 1

    @invariant()
    def seats_are_booked_as_they_are_taken_and_promised(self) -> None:
        for table in getattr(self, "lobby", ()):
            if table.match.status is not Status.WAITING:
                continue
            taken = sum(player is not None for player in table.match.players)
            asked = [] if table._storing is None else [table._storing[1]]
            asked += [command for _, command in table._inbox]
            assert table.booked == taken + sum(isinstance(command, Join) for command in asked)
            listed = table.match.id in self.lobby._waiting.get(table.terms, {})
            assert listed == (bool(table.terms) and table.booked < len(table.match.chairs) and not table.held)

    @invariant()
    def nobody_waits_apart_who_could_meet(self) -> None:
        lobby = getattr(self, "lobby", None)
        if lobby is None or lobby._stuck:
            return
        for tables in lobby._waiting.values():
            for one in tables.values():
                for other in tables.values():
                    assert one is other or not moves(one, other, self.now), (one.match.id, other.match.id)

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

    def teardown(self) -> None:
        """When all is quiet, everybody who sits at a seat is there, and what nobody is at is over or held."""
        if not hasattr(self, "lobby"):
            return
        for _ in range(5):
            self.journal.answer_all()
            self.clock.pass_time(RETRY_SECONDS)
        for table in self.lobby:
            match = table.match
            present = {table.seat_of(guest) for guest in table.guests}
            for seat, chair in enumerate(match.chairs):
                if match.status is Status.OVER or chair.player is None or chair.player.bot or chair.away is not None:
                    continue
                assert seat in present, f"a ghost sits at seat {seat} of {match.id}"
            if match.status is Status.WAITING:
                assert table.guests, f"{match.id} waits with nobody there"


TestHouse = House.TestCase
TestHouse.settings = settings(max_examples=30, stateful_step_count=40, deadline=None, derandomize=True, database=None)
