"""Bots that the server seats at tables.

- A bot that a table or a player has requested plays its seat like any guest.
- If a decision is open to several seats, a bot waits for the people who are present, for at most half of its time.
- Search bots think in worker processes (`pool.py`), bots listed by the operator in engines (`listed.py`). If no result
  arrives, the greedy bot chooses.
- If a bot raises or chooses an illegal action, the first legal choice is played. Each of these faults is reported with
  the match.
- A player in a practice match may request a hint, which is searched like a turn of an analysis (`match_analysis.py`),
  one per match at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from boardwire.bots.bot import BUDGET, Bot, RandomBot, decision_for
from boardwire.bots.engine import SearchResult
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.levels import BotName, Level, level_of, parse_bot
from boardwire.bots.listed import EngineQuestion, ListedBots, NoListedBots
from boardwire.bots.match_analysis import LEVEL
from boardwire.bots.memory import Memory, needs_past
from boardwire.bots.plan import MovePlan
from boardwire.bots.pool import MIN_SEARCH_SECONDS, Rank, SearchService, Ticket
from boardwire.errors import BoardwireError, Illegal, Malformed, Reason, Refused
from boardwire.games.game import Below, Decision, Seat
from boardwire.table.commands import Act
from boardwire.table.decide import deadline
from boardwire.table.events import Player, bot_name
from boardwire.table.guest import Advised, Guest, Notification, Refusal
from boardwire.table.match import Match, Status
from boardwire.table.ports import ReportFault, no_report
from boardwire.table.table import Table

RETRY_SECONDS: Final = 1.0
"""Delay before a bot repeats a move that the table refused, for example because the journal failed."""

BOTS: Final[dict[str, Bot]] = {"random": RandomBot(), "greedy": GreedyBot()}
"""Bots that choose immediately, without a search, by name."""

DEFAULT_BOT: Final = "greedy"
"""Bot that is seated if no other is requested."""

MAX_CLOCK_FRACTION: Final = 1 / 4
"""Largest share of its remaining clock that a search bot spends on one move."""

REFUSED_BUDGET: Final = 10
"""Positions that the greedy bot evaluates if the pool refuses a search: few, because it runs on the event loop."""


def bot_player(bot: str) -> Player:
    """Return the player that represents a bot at a table."""
    return Player(bot_name(bot), "bot", bot)


@dataclass(frozen=True, slots=True)
class BotContext:
    """Services of the server for seated bots.

    - `soon` runs a call after the current one, so that a bot never acts inside another player's move.
    - `later` runs a call after a delay in seconds.
    - `turns` runs a call on the event loop when a client address has its turn.
    """

    below: Below
    soon: Callable[[Callable[[], None]], Any]
    later: Callable[[float, Callable[[], None]], Any]
    turns: Callable[[str, Callable[[], None]], Any]
    report: ReportFault
    thinkers: SearchService | None
    listed: ListedBots


class ServerBots:
    """The bots of one server: names them, seats them and gives hints."""

    def __init__(
        self,
        below: Below,
        soon: Callable[[Callable[[], None]], Any],
        later: Callable[[float, Callable[[], None]], Any],
        report: ReportFault = no_report,
        thinkers: SearchService | None = None,
        default_bot: str = DEFAULT_BOT,
        turns: Callable[[str, Callable[[], None]], Any] | None = None,
        listed: ListedBots | None = None,
    ) -> None:
        turns = turns or (lambda address, call: soon(call))
        self._listed = listed or NoListedBots()
        self._context = BotContext(below, soon, later, turns, report, thinkers, self._listed)
        self._default_bot = default_bot
        self._matches_with_hint: set[str] = set()
        """Matches for which a hint is being searched."""

    def substitute(self, game: str) -> Player | None:
        """Return the bot that takes an abandoned or unfilled seat."""
        return bot_player(self._default_bot if self.knows(self._default_bot, game) else DEFAULT_BOT)

    def knows(self, bot: str, game: str) -> bool:
        """Return whether a bot of this name is available for a game."""
        try:
            return not self._parse(bot, game).level or self._context.thinkers is not None
        except Malformed:
            return False

    def _parse(self, bot: str, game: str) -> BotName:
        return parse_bot(bot, (*BOTS, *self._listed.names(game)))

    def advise(self, match: Match, seat: Seat, address: str, done: Callable[[Advised | BoardwireError], None]) -> None:
        """Search a hint for a seat on behalf of a client address, and call `done` with the result."""
        thinkers = self._context.thinkers
        if thinkers is None:
            raise Refused("hints are not available on this server", reason=Reason.UNAVAILABLE)
        if match.id in self._matches_with_hint:
            raise Refused("your previous hint request is still being processed", reason=Reason.LIMIT)
        assert match.pending is not None, "a hint is for an open decision"

        def on_result(result: SearchResult | BoardwireError) -> None:
            self._matches_with_hint.discard(match.id)
            if isinstance(result, BoardwireError):
                self._context.report(match.id, result)
                done(Refused("no bot worker is available; try again in a few seconds", reason=Reason.UNAVAILABLE))
            else:
                done(Advised(match, match.seq, result.turn, result.value, result.line, result.proved, result.forecast))

        game = match.setting.game
        thinkers.ask(
            game.name, game.view(match.position, seat), decision_for(match.pending, seat), LEVEL, match.seq, on_result,
            Rank.MOVE, address,
        )  # fmt: skip
        self._matches_with_hint.add(match.id)

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        """Seat a bot: it plays `seat` of `table` from now on."""
        game = table.match.setting.game.name
        # a journal may name a bot that no longer exists
        bot = player.bot if self.knows(player.bot, game) else DEFAULT_BOT
        SeatedBot(self._context, table, seat, self._parse(bot, game)).start()


class SeatedBot:
    """A bot in one seat of one table.

    It reacts to the table's notifications. A search result for a decision that is no longer open is discarded. If a
    search plans a whole turn, the later steps are played without another search unless something else happens.
    """

    def __init__(self, context: BotContext, table: Table, seat: Seat, name: BotName) -> None:
        self._context = context
        self._table = table
        self._seat = seat
        self._level = name.level
        self._engine = "" if name.level or name.bot in BOTS else name.bot
        """Name of the listed bot that chooses; empty: none."""
        self._bot = BOTS.get(name.bot) or BOTS[DEFAULT_BOT]
        self._plan = MovePlan()
        self._memory = Memory()
        self._remembers = False
        """Whether the view of the last search needs the earlier choices."""
        self._searched_decision: Decision[Any] | None = None
        """The decision that a search is running for."""
        self._ticket: Ticket | None = None
        self._guest = Guest(self._on_notification, bot=True)

    def start(self) -> None:
        """Watch the table, which answers with the current position."""
        self._table.watch(self._guest)

    def _on_notification(self, notification: Notification) -> None:
        """React to a notification: decide, cancel an obsolete search, or leave a match that is over."""
        match, pending = self._table.match, self._table.match.pending
        if self._searched_decision is not None and self._searched_decision is not pending:
            self._cancel_search()
        if match.status is Status.OVER:
            if self._engine:
                self._context.listed.over(self._engine, match.id, self._seat, match.outcome)
            self._table.leave(self._guest)
            self._guest.tell = _ignore  # breaks the reference cycle between guest and bot
            return
        if pending is None or self._seat not in pending.seats:
            return
        decide = partial(self._play, pending)
        if isinstance(notification, Refusal) and isinstance(notification.reason, Illegal):
            self._context.soon(partial(self._play_first_choice, notification.reason))
        elif isinstance(notification, Refusal):
            self._context.later(RETRY_SECONDS, decide)
        elif not _is_open_to_people(match, pending):
            self._context.turns(beneficiary(self._table)[1], decide)
        elif (due := deadline(match, self._seat)) is not None:
            self._context.later((due - match.since) / 2, decide)

    def _is_open(self, decision: Decision[Any]) -> bool:
        return self._table.match.pending is decision and self._guest.table is self._table

    def _play(self, decision: Decision[Any]) -> None:
        """Play the decision: at once, from the plan, or by a search."""
        if not self._is_open(decision):
            return
        if not self._level and not self._engine:
            self._choose_greedily(decision)
        elif (action := self._plan.step(decision.choices, self._table.match.seq)) is not None:
            self._play_action(action)
        elif self._searched_decision is not decision:
            self._start_search(decision)

    def _choose_greedily(self, decision: Decision[Any], budget: int = BUDGET) -> None:
        """Choose without a search; a fault is reported, and the first choice is played."""
        match = self._table.match
        try:
            view = match.setting.game.view(match.position, self._seat)
            action = self._bot.choose(view, decision_for(decision, self._seat), self._context.below, budget)
        except Exception as error:  # noqa: BLE001 - a fault of a bot must not block the match
            self._context.report(match.id, error)
            action = next(iter(decision.choices))
        self._play_action(action)

    def _choose_if_open(self, decision: Decision[Any]) -> None:
        if self._is_open(decision):
            self._choose_greedily(decision)

    def _start_search(self, decision: Decision[Any]) -> None:
        """Ask an engine or the search workers; if they refuse, choose without a search."""
        match = self._table.match
        try:
            self._ticket = self._ask_engine(decision) if self._engine else self._ask_thinkers(decision)
        except Exception as error:  # noqa: BLE001 - a fault of a bot must not block the match
            self._context.report(match.id, error)
            self._choose_greedily(decision, REFUSED_BUDGET)
        else:
            self._searched_decision = decision

    def _ask_thinkers(self, decision: Decision[Any]) -> Ticket:
        """Search a decision in the worker processes."""
        match, seat, thinkers = self._table.match, self._seat, self._context.thinkers
        assert thinkers is not None, "`knows` accepts a level only if there are thinkers"
        game = match.setting.game
        view = game.view(match.position, seat)
        self._remembers = needs_past(view)
        return thinkers.ask(
            game.name, view, decision_for(decision, seat),
            _in_time(level_of(game.name, self._level), match, seat), self._context.below(1 << 32),
            partial(self._on_result, decision), *beneficiary(self._table),
            past=self._memory.past,
        )  # fmt: skip

    def _ask_engine(self, decision: Decision[Any]) -> Ticket:
        """Ask the listed engine for a decision."""
        match, seat = self._table.match, self._seat
        setting, due = match.setting, deadline(match, seat)
        question = EngineQuestion(
            match.id, setting.game.name, seat, len(match.chairs), setting.options,
            setting.game.view(match.position, seat), decision_for(decision, seat), self._context.below(1 << 32),
            None if due is None else due - match.since,
        )  # fmt: skip
        on_result = partial(self._on_result, decision)
        return self._context.listed.ask(self._engine, question, on_result, beneficiary(self._table)[1])

    def _on_result(self, decision: Decision[Any], result: SearchResult | BoardwireError) -> None:
        """Play the result of a search, or let the greedy bot choose after an error."""
        self._searched_decision = self._ticket = None
        if not self._is_open(decision):
            return
        match = self._table.match
        if isinstance(result, BoardwireError):
            self._context.report(match.id, result)
            self._context.turns(beneficiary(self._table)[1], partial(self._choose_if_open, decision))
        else:
            self._plan.keep(result.turn[1:], match.seq + 1)
            self._play_action(result.turn[0])

    def _cancel_search(self) -> None:
        if self._ticket is not None:
            self._ticket.cancel()
        self._searched_decision = self._ticket = None

    def _play_first_choice(self, error: Illegal) -> None:
        match = self._table.match
        self._context.report(match.id, error)
        if match.pending is not None and self._seat in match.pending.seats:
            self._play_action(next(iter(match.pending.choices)))

    def _play_action(self, action: Any) -> None:
        if self._remembers:
            self._note_action(action)
        self._table.do(self._guest, Act(self._seat, (action,), self._table.match.seq))

    def _note_action(self, action: Any) -> None:
        """Note the view and the action for later searches, which infer hidden workers from them."""
        match = self._table.match
        try:
            self._memory.note(match.setting.game.view(match.position, self._seat), action)
        except Exception as error:  # noqa: BLE001 - a fault of a bot must not block the match
            self._context.report(match.id, error)


def beneficiary(table: Table) -> tuple[Rank, str]:
    """Return the rank and the client address to which a bot's search at this table is attributed.

    The address is that of a person who plays here or, if only bots play, of a person who watches; '' if there is none.
    """
    people = [guest for guest in table.guests if not guest.bot]
    players = [guest for guest in people if table.seat_of(guest) is not None]
    if players:
        return Rank.MOVE, players[0].address_key
    return Rank.BOTS_ONLY, people[0].address_key if people else ""


def _in_time(level: Level, match: Match, seat: Seat) -> Level:
    """Limit the seconds of a level by the remaining time on the table's clock."""
    due = deadline(match, seat)
    if due is None:
        return level
    return replace(level, seconds=max(MIN_SEARCH_SECONDS, min(level.seconds, (due - match.since) * MAX_CLOCK_FRACTION)))


def _ignore(notification: Notification) -> None:
    pass


def _is_open_to_people(match: Match, pending: Decision[Any]) -> bool:
    """Return whether a decision of several seats can be made by a person who is present."""
    chairs = (match.chairs[seat] for seat in pending.seats) if len(pending.seats) > 1 else ()
    return any(chair.player is not None and not chair.player.bot and chair.away is None for chair in chairs)
