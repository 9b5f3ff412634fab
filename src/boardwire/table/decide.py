"""Decide which events a command leads to: `decide(match, command, now)`.

- It is pure and may refuse: `Refused`, or `Illegal` from the game, with a reason.
- It evolves the match while it decides, because the rules validate an action by applying it. It returns moments, so
  that no move is applied twice.
- Before the start, seats are joined and left freely. The match starts when all seats are taken and ready.
- In mid-play the policy decides the effect of a departure: the match ends, the seat is held, a bot takes it, or its
  turns are skipped. The departure of a player who is out of the game has no effect.
- If absent players are skipped, a decision is skipped when every player who could make it is away. If at most one side
  is present (bots alone do not count), no turn is skipped until a player returns or the countdown ends. The countdown
  starts when that side is left alone, and its actions do not restart it.
- A match against bots alone waits for its only person, unless it is rated: no absence forfeits, the clock stops, and
  after `Policy.hold` the match ends without a winner.
- If the policy has a patience, any player present may call time on a player who has been away for longer.
- Two people may agree to a draw if the game has draws. An offer is open until it is answered or the other player moves;
  the number of offers is limited, so that they do not become a nuisance.
- A match that the rules have ended gets its `Ended` event in the same step; `Outcome` names the rule or the forfeit.
- A match has a bounded length: the rules limit actions, and constants of this module limit chat, undo and returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from boardwire.errors import Reason, Refused
from boardwire.games.game import CHANCE, Outcome, Seat
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.commands import Command
from boardwire.table.events import Event, Player
from boardwire.table.match import MINUTE, Match, Moment, SeatState, Status, can_wait, evolve, last_step, sides
from boardwire.table.policy import Leaving
from boardwire.table.termination import Termination

CHAT_LIMIT: Final = 500
"""Maximum length of a chat line, in characters."""

NAME_LIMIT: Final = 64
"""Maximum length of a player's name, in characters. Dialects have shorter limits."""

TALK_LIMIT: Final = 60
"""Maximum number of chat lines per table and minute; spectators may use half of them."""

DRAW_OFFERS: Final = 3
"""Maximum number of draw offers per seat and match."""

DRAW_PAUSE_MOVES: Final = 4
"""Minimum number of moves between two draw offers of a seat."""

RETURN_LIMIT: Final = 1000
"""Maximum number of returns to a seat of one match."""

_PLAYING: Final = Status.PLAYING

LENGTH_LIMIT: Final = 10_000
"""Number of events after which a match accepts moves only, no chat and no undo."""


def decide(match: Match, command: Command, now: float) -> tuple[Moment, ...]:
    """Return the moments that result from `command` at time `now`; empty if it changes nothing."""
    if type(command) is cmd.Act:  # without a seat check, because the game checks the turn
        moments = _act(match, command, now)
    else:
        _check_seat(match, getattr(command, "seat", None))
        moments = _DECIDE[type(command)](match, command, now)
    return _skip_absent(moments, now) if match.setting.skips else moments


def _match_is_over() -> Refused:
    return Refused("the match is over", reason=Reason.OVER)


def _check_seat(match: Match, seat: Seat | None) -> None:
    if seat is not None and not 0 <= seat < len(match.chairs):
        raise Refused(f"seat {seat} does not exist: this table has seats 0 to {len(match.chairs) - 1}")


# --- seats --------------------------------------------------------------------------------------------------------


def _join(match: Match, command: cmd.Join, now: float) -> tuple[Moment, ...]:
    """Take a seat, and start the match if all seats are ready."""
    if match.status is not Status.WAITING:
        raise (
            _match_is_over()
            if match.status is Status.OVER
            else Refused("the match has already begun", reason=Reason.BEGUN)
        )
    free = [seat for seat, chair in enumerate(match.chairs) if chair.player is None]
    if not free:
        raise Refused("the table is full", reason=Reason.FULL)
    seat = free[0] if command.seat is None else command.seat
    if seat not in free:
        raise Refused(f"seat {seat} is taken; free seats: {', '.join(map(str, free))}", reason=Reason.SEAT_TAKEN)
    _check_name(match, seat, command.player)
    _check_account(match, command.player)
    joined = evolve(match, ev.Joined(now, seat, command.player, command.wish, command.ready))
    # raises `Refused` if this wish conflicts with another; the options are settled only when the match starts
    match.setting.game.settle(match.setting.options, [chair.wish for chair in joined.match.chairs])
    return _start_if_ready((joined,), now)


def _ready(match: Match, command: cmd.Ready, now: float) -> tuple[Moment, ...]:
    if match.status is not Status.WAITING or match.chairs[command.seat].player is None:
        raise Refused("only a seated player can be ready, and only before the start")
    _check_name(match, command.seat, command.player)
    _check_account(match, command.player)
    return _start_if_ready((evolve(match, ev.Readied(now, command.seat, command.player)),), now)


def _check_name(match: Match, seat: Seat, player: Player) -> None:
    """Raise `Refused` if a name is too long or another player at the table has it."""
    _check_name_length(player.name)
    others = (other.player for place, other in enumerate(match.chairs) if place != seat)
    if player.name and any(other is not None and other.name == player.name for other in others):
        raise Refused(f"a player called {player.name!r} already sits at this table", reason=Reason.NAME_TAKEN)


def _check_account(match: Match, player: Player) -> None:
    if match.setting.policy.rated is True and not (player.account or player.bot):
        raise Refused("this table is rated: claim a name first", reason=Reason.NO_ACCOUNT)


def _start_if_ready(moments: tuple[Moment, ...], now: float) -> tuple[Moment, ...]:
    """Add the start of the match if every seat has a player who is ready."""
    match = moments[-1].match
    if not all(chair.player is not None and chair.ready for chair in match.chairs):
        return moments
    options = match.setting.game.settle(match.setting.options, [chair.wish for chair in match.chairs])
    return _end_if_over((*moments, evolve(match, ev.Started(now, options))), now)


def _leave(match: Match, command: cmd.Leave, now: float) -> tuple[Moment, ...]:
    """Leave a seat; in mid-play, the policy decides the effect."""
    seat = command.seat
    chair = match.chairs[seat]
    if chair.player is None or match.status is Status.OVER or (chair.away is not None and not command.restart):
        return ()
    departure = evolve(match, ev.Left(now, seat, command.restart))
    if match.status is Status.WAITING:
        is_deserted = all(other.player is None or other.player.bot for other in departure.match.chairs)
        return (
            (departure, _end_without_winner(departure.match, now))
            if is_deserted and not command.awaited
            else (departure,)
        )
    if command.restart or _is_out(match, seat):
        return (departure,)
    match match.setting.policy.leaving:
        case Leaving.ENDS:
            return departure, _end_without_winner(departure.match, now, by=seat)
        case Leaving.BOT if command.substitute is not None:
            return departure, evolve(departure.match, ev.Substituted(now, seat, command.substitute))
        case _ if command.forfeit and can_wait(match, seat):
            return departure, _end_without_winner(departure.match, now, by=seat)
        case _ if command.forfeit:
            return _end_if_over((departure, evolve(departure.match, ev.TimedOut(now, seat))), now)
        case Leaving.SKIPS if match.agreed:
            return _undo_if_agreed(departure, now)  # the undo may have waited only for this player's answer
        case _:
            return (departure,)


def _is_out(match: Match, seat: Seat) -> bool:
    """Return whether a seat is out of the game, so that the rules refuse its forfeit.

    A match that another node hosts may be known without its position; its seats count as playing.
    """
    if match.position is None:
        return False
    try:
        match.setting.game.forfeit(match.position, seat)
    except Refused:
        return True
    return False


def _return(match: Match, command: cmd.Return, now: float) -> tuple[Moment, ...]:
    chair = match.chairs[command.seat]
    if match.status is Status.OVER:
        raise _match_is_over()
    if not _is_owner(chair, command):
        raise Refused("this seat belongs to another player", reason=Reason.NOT_YOUR_SEAT)
    if chair.returns >= RETURN_LIMIT:
        raise Refused(f"you have returned to this match {RETURN_LIMIT} times, the maximum", reason=Reason.LIMIT)
    return () if chair.away is None else (evolve(match, ev.Returned(now, command.seat)),)


def _is_owner(chair: SeatState, command: cmd.Return) -> bool:
    """Return whether a returning player had the seat: by its key or, without one, by name and dialect while away."""
    player, other = chair.player, command.player
    if player is None or player.key:
        return player is not None and player.key == command.key
    is_same_player = (
        other is not None and player.name != "" and (player.name, player.dialect) == (other.name, other.dialect)
    )
    return is_same_player and chair.away is not None


# --- absent players -----------------------------------------------------------------------------------------------


def _skip_absent(moments: tuple[Moment, ...], now: float) -> tuple[Moment, ...]:
    """Skip the decisions of absent players while others can continue."""
    if not moments or (isinstance(left := moments[-1].event, ev.Left) and left.restart):
        return moments  # after a restart, all players are recorded as absent one after the other
    match = moments[-1].match
    while (
        match.status is Status.PLAYING
        and match.pending is not None
        and all(seat != CHANCE and match.chairs[seat].away is not None for seat in match.pending.seats)
        and countdown_end(match) is None
    ):
        moments += (evolve(match, ev.Skipped(now, match.pending.seats[0])),)
        match = moments[-1].match
    return _end_if_over(moments, now)


def countdown_end(match: Match) -> float | None:
    """Return the time at which the match ends because at most one side is present; None without a countdown."""
    if match.alone is None:
        return None
    _, absent_sides = sides(match)
    times = [away for side in absent_sides for seat in side if (away := match.chairs[seat].away) is not None]
    return max(match.alone, *times) + match.setting.policy.countdown  # in full for the player who left last


def _end_countdown(match: Match, now: float) -> tuple[Moment, ...]:
    """End the match at the end of the countdown: the present side wins; without one, there is no winner."""
    present, absent_sides = sides(match)
    if not present:
        return (_end_without_winner(match, now),)
    return _forfeit_all(match, [seat for side in absent_sides for seat in side], now)


def _forfeit_all(match: Match, seats: Iterable[Seat], now: float, caller: Seat | None = None) -> tuple[Moment, ...]:
    """Let these seats forfeit in order until the match is over; `caller` is the seat that called their time, if any."""
    moments: tuple[Moment, ...] = ()
    for seat in seats:
        if match.pending is not None and not _is_out(match, seat):  # a forfeit of a team mate counts for the team
            moments += (evolve(match, ev.TimedOut(now, seat, caller)),)
            match = moments[-1].match
    return _end_if_over(moments, now)


def waiting_since(match: Match, seat: Seat) -> float | None:
    """Return the time since which the others wait for an absent player; None if they do not wait for this seat."""
    away = match.chairs[seat].away
    if away is None or match.status is not Status.PLAYING or can_wait(match, seat) or _is_out(match, seat):
        return None
    policy = match.setting.policy
    if not match.setting.skips:
        return away if policy.grace else None
    ends = countdown_end(match)
    return None if ends is None else ends - policy.countdown


def call_due(match: Match, seat: Seat) -> float | None:
    """Return the time from which another player may call time on `seat`, or None if that is not possible."""
    call = match.setting.policy.call
    since = waiting_since(match, seat) if call else None
    return None if since is None else since + call


def _call_time(match: Match, command: cmd.CallTime, now: float) -> tuple[Moment, ...]:
    """Let all players forfeit who have been away for longer than the policy's patience."""
    if match.status is not Status.PLAYING:
        raise (
            _match_is_over()
            if match.status is Status.OVER
            else Refused("the match has not begun", reason=Reason.NOT_BEGUN)
        )
    if _is_out(match, command.seat):
        raise Refused("you are out of the match")
    due_times = [(due, seat) for seat in range(len(match.chairs)) if (due := call_due(match, seat)) is not None]
    late_seats = [seat for due, seat in due_times if due <= now]
    if not late_seats:
        wait = f"; wait {min(due_times)[0] - now:.0f} seconds more" if due_times else ""
        raise Refused(f"no player has been away long enough{wait}", reason=Reason.NOT_DUE)
    return _forfeit_all(match, late_seats, now, command.seat)


# --- play ---------------------------------------------------------------------------------------------------------


def _act(match: Match, command: cmd.Act, now: float) -> tuple[Moment, ...]:
    """Play one or more actions; an illegal one rejects all of them."""
    if match.status is not _PLAYING:
        raise (
            _match_is_over()
            if match.status is Status.OVER
            else Refused("the match has not begun", reason=Reason.NOT_BEGUN)
        )
    if command.seen is not None and not match.moved <= command.seen <= match.seq:
        raise Refused(
            f"the match has moved on: you saw event {command.seen}, it is now at {match.seq}", reason=Reason.STALE
        )
    if not command.actions:
        raise Refused("the command has no action; it must have at least one")
    moments: tuple[Moment, ...] = ()
    for action in command.actions:
        if match.pending is None:
            raise _match_is_over()
        moment = evolve(match, ev.Acted(now, command.seat, action))
        moments += (moment,)
        match = moment.match
    return moments if match.pending is not None else (*moments, _end_by_rules(moments[-1], now))


def _deal(match: Match, command: cmd.Deal, now: float) -> tuple[Moment, ...]:
    if match.pending is None or CHANCE not in match.pending.seats:
        raise Refused("no chance decision is pending")
    return _end_if_over((evolve(match, ev.Dealt(now, command.action)),), now)


def _resign(match: Match, command: cmd.Resign, now: float) -> tuple[Moment, ...]:
    return _forfeit_seat(match, ev.Resigned(now, command.seat), now)


def _forfeit(match: Match, command: cmd.Forfeit, now: float) -> tuple[Moment, ...]:
    is_late = command.cause == cmd.OUT_OF_TIME
    event = ev.TimedOut(now, command.seat) if is_late else ev.Resigned(now, command.seat, command.cause)
    return _forfeit_seat(match, event, now)


def _forfeit_seat(match: Match, event: Event, now: float) -> tuple[Moment, ...]:
    """Apply a resignation or a loss on time during play."""
    if match.status is not Status.PLAYING:
        if match.status is Status.OVER:
            raise _match_is_over()
        raise Refused("the match has not begun", reason=Reason.NOT_BEGUN)
    return _end_if_over((evolve(match, event),), now)


def _time_out(match: Match, command: cmd.TimeOut, now: float) -> tuple[Moment, ...]:
    """Let a seat forfeit if its time is up; a match that only waits for it ends without a winner."""
    seat = command.seat
    due = deadline(match, seat)
    if due is None or now < due:
        raise Refused(f"the time of seat {seat} is not up")
    if match.chairs[seat].away is not None and can_wait(match, seat):
        return (_end_without_winner(match, now, by=seat),)
    if match.setting.skips and match.chairs[seat].away is not None:
        return _end_countdown(match, now)
    return _forfeit_seat(match, ev.TimedOut(now, seat), now)


def deadline(match: Match, seat: Seat) -> float | None:
    """Return the time at which `seat` loses by time: its grace time if it is away, or its time to decide; None: never.

    If absent players are skipped, an absent one has until the end of the countdown. A match against bots alone waits
    longer (`Policy.hold`), and its clock stops meanwhile.
    """
    if match.status is not Status.PLAYING:
        return None
    policy = match.setting.policy
    deadlines = []
    away = match.chairs[seat].away
    if away is not None and can_wait(match, seat):
        return away + policy.hold if policy.hold and not _is_out(match, seat) else None
    if away is not None and match.setting.skips:
        return countdown_end(match)
    if away is not None and policy.grace and not _is_out(match, seat):
        deadlines.append(away + policy.grace)
    if match.pending is not None and seat in match.pending.seats:
        if policy.per_move:
            deadlines.append(match.since + policy.per_move)
        if match.banks:
            deadlines.append(match.since + match.banks[seat])
    return min(deadlines, default=None)


def _end_if_over(moments: tuple[Moment, ...], now: float) -> tuple[Moment, ...]:
    """Add the end of the match if the last moment leaves nothing to decide."""
    match = moments[-1].match
    if match.status is not Status.PLAYING or match.pending is not None:
        return moments
    return (*moments, _end_by_rules(moments[-1], now))


def _end_by_rules(last: Moment, now: float) -> Moment:
    return evolve(last.match, ev.Ended(now, verdict(last)))


def verdict(last: Moment) -> Outcome:
    """Return the outcome of a match that the rules have ended; a forfeit in the `last` moment is its termination."""
    match = last.match
    outcome: Outcome | None = match.setting.game.outcome(match.position)
    assert outcome is not None, "a position without a pending decision has an outcome"
    match last.event:
        case ev.Resigned(seat=seat):
            return Outcome(Termination.RESIGNED, outcome.winners, seat)
        case ev.TimedOut(seat=seat):
            is_away = match.chairs[seat].away is not None
            return Outcome(Termination.STAYED_AWAY if is_away else Termination.TIMED_OUT, outcome.winners, seat)
    return outcome


def _end_without_winner(
    match: Match, now: float, why: Termination = Termination.ABANDONED, by: Seat | None = None
) -> Moment:
    return evolve(match, ev.Ended(now, Outcome(why, by=by)))


def _close(match: Match, command: cmd.Close, now: float) -> tuple[Moment, ...]:
    return () if match.status is Status.OVER else (_end_without_winner(match, now, command.why, command.by),)


# --- undo and talk ------------------------------------------------------------------------------------------------


def _offer_undo(match: Match, command: cmd.OfferUndo, now: float) -> tuple[Moment, ...]:
    """Offer an undo; it takes place at once if no other person must agree."""
    if not match.setting.policy.undo:
        raise Refused("undo is not allowed at this table", reason=Reason.NO_UNDO)
    if match.agreed:
        raise Refused("an undo is already offered")
    if match.status is not Status.PLAYING or last_step(match, command.seat) is None:
        raise Refused("you have no action to undo", reason=Reason.NO_UNDO)
    if command.seat in match.declined:
        raise Refused("your undo was declined; offer it again after the next step", reason=Reason.UNDO_DECLINED)
    _check_length(match)
    return _undo_if_agreed(evolve(match, ev.UndoOffered(now, command.seat)), now)


def _answer_undo(match: Match, command: cmd.AnswerUndo, now: float) -> tuple[Moment, ...]:
    if not match.agreed:
        raise Refused("no undo is offered", reason=Reason.NO_UNDO)
    if command.seat in match.agreed:
        raise Refused("you have already accepted the undo")
    if not command.agree:
        return (evolve(match, ev.UndoDeclined(now, command.seat)),)
    return _undo_if_agreed(evolve(match, ev.UndoAgreed(now, command.seat)), now)


def _undo_if_agreed(moment: Moment, now: float) -> tuple[Moment, ...]:
    """Undo if all people agree. Bots always agree, and so do absent players if their turns are skipped."""
    match = moment.match
    skips = match.setting.skips
    people = {
        seat
        for seat, chair in enumerate(match.chairs)
        if chair.player is not None and not chair.player.bot and not (skips and chair.away is not None)
    }
    if not people <= set(match.agreed):
        return (moment,)
    return moment, evolve(match, ev.Undone(now, match.agreed[0]))


def _draw(match: Match, command: cmd.Draw, now: float) -> tuple[Moment, ...]:
    """Offer a draw, or answer an open offer."""
    if match.status is not Status.PLAYING:
        raise (
            _match_is_over()
            if match.status is Status.OVER
            else Refused("the match has not begun", reason=Reason.NOT_BEGUN)
        )
    seat, drawing = command.seat, match.drawing
    if drawing is not None and drawing != seat:
        if not command.agree:
            return (evolve(match, ev.DrawDeclined(now, seat)),)
        agreed = evolve(match, ev.DrawAgreed(now, seat))
        return agreed, _end_without_winner(agreed.match, now, Termination.AGREED)
    if not command.agree:
        raise Refused("no draw is offered to you", reason=Reason.NO_DRAW)
    if drawing is not None:
        raise Refused("you have already offered a draw", reason=Reason.DRAW_DECLINED)
    _check_draw_offer(match, seat)
    return (evolve(match, ev.DrawOffered(now, seat)),)


def _check_draw_offer(match: Match, seat: Seat) -> None:
    """Raise `Refused` if a seat may not offer a draw now."""
    if not match.setting.game.draws:
        raise Refused(f"{match.setting.game.name} does not allow draws by agreement", reason=Reason.NO_DRAW)
    if not has_draws(match):
        raise Refused("a draw can be agreed only between two people, not with a bot", reason=Reason.NO_DRAW)
    if match.moves < len(match.chairs):
        raise Refused("a draw can be offered only after each player's first move", reason=Reason.NO_DRAW)
    _check_length(match)
    own_offers = [moves for place, moves in match.draw_offers if place == seat]
    if len(own_offers) >= DRAW_OFFERS:
        raise Refused(f"you have offered a draw {DRAW_OFFERS} times, the maximum", reason=Reason.DRAW_DECLINED)
    if own_offers and match.moves - own_offers[-1] < DRAW_PAUSE_MOVES:
        wait = own_offers[-1] + DRAW_PAUSE_MOVES - match.moves
        raise Refused(f"you have offered a draw already; offer again after {wait} moves", reason=Reason.DRAW_DECLINED)


def has_draws(match: Match) -> bool:
    """Return whether a draw can be agreed: the game has draws, and the table is for two people."""
    people = [chair.player for chair in match.chairs if chair.player is not None and not chair.player.bot]
    return match.setting.game.draws and len(match.chairs) == len(people) == 2


def _chat(match: Match, command: cmd.Chat, now: float) -> tuple[Moment, ...]:
    """Accept a chat line within the limits of length and rate."""
    text = command.text.strip()
    if not text:
        raise Refused("a chat message must not be empty")
    if len(text) > CHAT_LIMIT:
        raise Refused(f"a chat message must have at most {CHAT_LIMIT} characters, not {len(text)}")
    _check_name_length(command.name)
    _check_length(match)
    limit = TALK_LIMIT // 2 if command.seat is None else TALK_LIMIT
    if 0 <= now - match.talk.since < MINUTE and match.talk.lines >= limit:
        raise Refused(f"too many chat messages at this table: at most {limit} per minute", reason=Reason.LIMIT)
    return (evolve(match, ev.Chatted(now, command.seat, text, command.name)),)


def _check_name_length(name: str) -> None:
    if len(name) > NAME_LIMIT:
        raise Refused(f"a name must have at most {NAME_LIMIT} characters, not {len(name)}", reason=Reason.NAME_TOO_LONG)


def _check_length(match: Match) -> None:
    """Raise `Refused` if a match is so long that it accepts only moves."""
    if match.seq >= LENGTH_LIMIT:
        raise Refused(f"this match has {LENGTH_LIMIT} events, the maximum: it accepts only moves", reason=Reason.LIMIT)


_DECIDE: Final[dict[type, Callable[[Match, Any, float], tuple[Moment, ...]]]] = {
    cmd.Join: _join,
    cmd.Ready: _ready,
    cmd.Leave: _leave,
    cmd.Return: _return,
    cmd.Act: _act,
    cmd.Deal: _deal,
    cmd.Resign: _resign,
    cmd.Forfeit: _forfeit,
    cmd.OfferUndo: _offer_undo,
    cmd.AnswerUndo: _answer_undo,
    cmd.Draw: _draw,
    cmd.Chat: _chat,
    cmd.TimeOut: _time_out,
    cmd.CallTime: _call_time,
    cmd.Close: _close,
}
