"""The bots of the house: they sit down at tables when the table or a player asks for one.

Where a decision is for several seats, as that who proposes the gods, people go first: a bot leaves it to those who are
there, and where its own time runs it leaves them half of it.

Whoever plays against a bot must not suffer for its faults.  One that searches thinks elsewhere (`pool.py`); what comes
back for a decision that is no longer open is not looked at, and where nothing comes back, the greedy bot chooses.
Who practises against them may ask what is good: that is thought about like a turn of a match that is over (`study.py`),
one question for a table at a time.
A bot that fails, or chooses what is illegal, plays the first legal choice instead.  Every fault is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from boardwire.bots.bot import BUDGET, Bot, RandomBot, asked_of
from boardwire.bots.engine import Thought
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.levels import Level, level_of, parse_bot
from boardwire.bots.match_analysis import LEVEL
from boardwire.bots.plan import Plan
from boardwire.bots.pool import LEAST_SECONDS, Rank, Thinkers, Ticket
from boardwire.errors import BoardwireError, Illegal, Malformed, Reason, Refused
from boardwire.games.game import Below, Decision, Seat
from boardwire.table.commands import Act
from boardwire.table.decide import deadline
from boardwire.table.events import Player, bot_name
from boardwire.table.guest import Advised, Guest, News, Refusal
from boardwire.table.match import Match, Status
from boardwire.table.ports import Report, no_report
from boardwire.table.table import Table

RETRY_SECONDS: Final = 1.0
"""How long a bot waits when its move was refused, as it is while the journal cannot be written."""

BOTS: Final[dict[str, Bot]] = {"random": RandomBot(), "greedy": GreedyBot()}
"""Every bot that answers at once, by name."""

USUAL: Final = "greedy"
"""Who sits down where nobody asked for another one."""

SHARE_OF_TIME: Final = 4
"""A bot that searches takes at most one part in so many of the time that a clock gives it."""


REFUSED_BUDGET: Final = 10
"""What the greedy bot may look at where the thinking pool has refused: a refusal must cost the event loop little."""


def bot_player(bot: str) -> Player:
    """A bot as a table knows it."""
    return Player(bot_name(bot), "bot", bot)


class HouseBots:
    """Seats bots.  `soon` runs a call after the current one, so that a bot never thinks inside somebody's move; `turns`
    does so when it is the turn of a client address, for whatever thinks on the event loop; `later` runs one after so
    many seconds; `thinkers` think for those that search; `usual` sits down where nobody asked for another one."""

    def __init__(
        self,
        below: Below,
        soon: Callable[[Callable[[], None]], Any],
        later: Callable[[float, Callable[[], None]], Any],
        report: Report = no_report,
        thinkers: Thinkers | None = None,
        usual: str = USUAL,
        turns: Callable[[str, Callable[[], None]], Any] | None = None,
    ) -> None:
        self._below = below
        self._soon = soon
        self._later = later
        self._turns = turns or (lambda household, call: soon(call))
        self._report = report
        self._thinkers = thinkers
        self._usual = usual
        self._advising: set[str] = set()
        """The matches in which advice is being thought about."""

    def player(self, game: str) -> Player | None:
        """Who plays on in a seat that was left, or sits down where nobody else comes."""
        return bot_player(self._usual)

    def knows(self, bot: str) -> bool:
        """Whether there is a bot of this name."""
        try:
            return not parse_bot(bot, tuple(BOTS)).level or self._thinkers is not None
        except Malformed:
            return False

    def advise(self, match: Match, seat: Seat, address: str, done: Callable[[Advised | BoardwireError], None]) -> None:
        """See `boardwire.table.ports.Bots`."""
        if self._thinkers is None:
            raise Refused("nobody here gives advice", reason=Reason.UNAVAILABLE)
        if match.id in self._advising:
            raise Refused("your last question is still being thought about", reason=Reason.LIMIT)
        assert match.pending is not None, "whoever asks is asked"

        def thought(found: Thought | BoardwireError) -> None:
            self._advising.discard(match.id)
            if isinstance(found, BoardwireError):
                self._report(match.id, found)
                done(Refused("nobody could think about it; try again", reason=Reason.UNAVAILABLE))
            else:
                done(Advised(match, match.seq, found.turn, found.value, found.line, found.proved, found.forecast))

        game = match.setting.game
        self._thinkers.ask(
            game.name, game.view(match.position, seat), asked_of(match.pending, seat), LEVEL, match.seq, thought,
            Rank.MOVE, address,
        )  # fmt: skip
        self._advising.add(match.id)

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        """Let `player` play `seat` from now on."""
        name = parse_bot(
            player.bot if self.knows(player.bot) else USUAL, tuple(BOTS)
        )  # an old journal may name another
        bot = BOTS.get(name.bot) or BOTS[USUAL]
        thinking = _Thinking()

        def think(asked: Decision[Any]) -> None:
            if not is_open(asked):
                return
            if name.level == 0:
                choose(asked)
            elif (action := thinking.planned(table.match)) is not None:
                act(action)
            elif thinking.about is not asked:
                ask(asked)

        def is_open(asked: Decision[Any]) -> bool:
            return table.match.pending is asked and guest.table is table

        def choose(asked: Decision[Any], budget: int = BUDGET) -> None:
            match = table.match
            try:
                view = match.setting.game.view(match.position, seat)
                action = bot.choose(view, asked_of(asked, seat), self._below, budget)
            except Exception as error:  # noqa: BLE001 - whatever a bot does wrong must not hang the match
                self._report(match.id, error)
                action = next(iter(asked.choices))
            act(action)

        def choose_if_open(asked: Decision[Any]) -> None:
            if is_open(asked):
                choose(asked)

        def ask(asked: Decision[Any]) -> None:
            match = table.match
            assert self._thinkers is not None, "whoever has a level was known"
            try:
                game = match.setting.game
                view = game.view(match.position, seat)
                level = _in_time(level_of(game.name, name.level), match, seat)
                done = partial(thought, asked)
                ticket = self._thinkers.ask(
                    game.name, view, asked_of(asked, seat), level, self._below(1 << 32), done, *beneficiary(table)
                )  # fmt: skip
            except Exception as error:  # noqa: BLE001 - as above
                self._report(match.id, error)
                choose(asked, REFUSED_BUDGET)
            else:
                thinking.begin(asked, ticket)

        def thought(asked: Decision[Any], found: Thought | BoardwireError) -> None:
            thinking.about = thinking.ticket = None
            if not is_open(asked):
                return
            if isinstance(found, BoardwireError):
                self._report(table.match.id, found)
                self._turns(beneficiary(table)[1], partial(choose_if_open, asked))
            else:
                thinking.plan(found.turn, table.match)
                act(found.turn[0])

        def act(action: Any) -> None:
            table.do(guest, Act(seat, (action,), table.match.seq))

        def stumble(error: Illegal) -> None:
            match = table.match
            self._report(match.id, error)
            if match.pending is not None and seat in match.pending.seats:
                act(next(iter(match.pending.choices)))

        def tell(news: News) -> None:
            pending = table.match.pending
            if thinking.about is not None and thinking.about is not pending:
                thinking.drop()
            if table.match.status is Status.OVER:
                table.leave(guest)
                guest.tell = _nothing  # this function holds the guest: only the collector would free such a ring
                return
            if pending is None or seat not in pending.seats:
                return
            consider = partial(think, pending)
            if isinstance(news, Refusal) and isinstance(news.reason, Illegal):
                self._soon(partial(stumble, news.reason))
            elif isinstance(news, Refusal):
                self._later(RETRY_SECONDS, consider)
            elif not _is_for_people(table.match, pending):
                self._turns(beneficiary(table)[1], consider)
            elif (due := deadline(table.match, seat)) is not None:
                self._later((due - table.match.since) / 2, consider)

        guest = Guest(tell, bot=True)
        table.watch(guest)


class _Thinking:
    """What a bot is thinking about, and what it has made up its mind to do next in its turn."""

    def __init__(self) -> None:
        self.about: Decision[Any] | None = None
        self.ticket: Ticket | None = None
        self._plan = Plan()
        """The rest of its turn, by the number of the last event."""

    def begin(self, asked: Decision[Any], ticket: Ticket) -> None:
        """It thinks about this now."""
        self.about, self.ticket = asked, ticket

    def drop(self) -> None:
        """Nobody waits for what it thinks."""
        if self.ticket is not None:
            self.ticket.cancel()
        self.about = self.ticket = None

    def plan(self, turn: tuple[Any, ...], match: Match) -> None:
        """It does the first of these now, and the rest if nothing comes between."""
        self._plan.keep(turn[1:], match.seq + 1)

    def planned(self, match: Match) -> Any:
        """What it had made up its mind to do now; None: it has to think."""
        return self._plan.step(() if match.pending is None else match.pending.choices, match.seq)


def beneficiary(table: Table) -> tuple[Rank, str]:
    """For whom a bot of this table thinks: the address of a person who plays there, or of one who watches bots."""
    people = [guest for guest in table.guests if not guest.bot]
    players = [guest for guest in people if table.seat_of(guest) is not None]
    if players:
        return Rank.MOVE, players[0].household
    return Rank.BOTS_ONLY, people[0].household if people else ""


def _in_time(level: Level, match: Match, seat: Seat) -> Level:
    """A level with no more seconds than the table's clock allows."""
    due = deadline(match, seat)
    if due is None:
        return level
    return replace(level, seconds=max(LEAST_SECONDS, min(level.seconds, (due - match.since) / SHARE_OF_TIME)))


def _nothing(news: News) -> None:
    """Whoever has left is told nothing more."""


def _is_for_people(match: Match, pending: Decision[Any]) -> bool:
    """Whether somebody who is no bot, and is there, may answer."""
    chairs = (match.chairs[seat] for seat in pending.seats) if len(pending.seats) > 1 else ()
    return any(chair.player is not None and not chair.player.bot and chair.away is None for chair in chairs)
