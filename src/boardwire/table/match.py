"""State of a match, and how each event changes it.

- A match is the fold of its events. Only `evolve` changes it. It never refuses, because the event has happened.
- `evolve` returns a moment: the event, the match after it, and the events of the game.
- If the rules of this version cannot replay a stored match, `Unavailable` names the first event that fails.
- If absent players are skipped, the match records the time since which at most one side is present. Actions do not
  restart that time.

`decide.py` decides which events may happen. Both are pure; the table provides the clock, randomness and connections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from boardwire import games
from boardwire.errors import BoardwireError, Malformed, Reason, Unavailable
from boardwire.games.game import CHANCE, AnyGame, Decision, Outcome, Seat
from boardwire.table import events as ev
from boardwire.table.events import Event, Player
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import upgrade_outcome
from boardwire.wire.codec import convert


class Status(StrEnum):
    """Phase of a match."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


_PLAYING: Final = Status.PLAYING  # for every move: a global is ten times faster than an attribute of an enum


class MatchSetup(msgspec.Struct, frozen=True):
    """Fixed parameters of a match."""

    id: str
    game: AnyGame
    options: Any
    policy: Policy
    dialect: str = ""
    code: str = ""
    """Code of a private table; empty: public."""
    initial_options: Any = None
    """Options of the opening, before the wishes of the seats."""
    skips: bool = False
    """Whether the policy skips absent players; a field, because every event checks it."""


class SeatState(msgspec.Struct, frozen=True, gc=False):
    """State of one seat: its player, wish and presence."""

    player: Player | None = None
    wish: Any = None
    ready: bool = False
    away: float | None = None
    """Time at which the player of a held seat left; None: present."""
    returns: int = 0
    """Number of times that the player has returned."""


class Past(NamedTuple):
    """Position before an action, for undo."""

    position: Any
    seat: Seat
    moves: int
    earlier: Past | None


class ChatWindow(NamedTuple):
    """Number of chat lines in the minute that began at `since`."""

    since: float = 0.0
    lines: int = 0


NO_CHAT: Final = ChatWindow()
MINUTE: Final = 60.0


class Match(msgspec.Struct, frozen=True, gc=False):
    """Complete state of a match. `seq` is the number of its events, `moves` the number of actions of players."""

    setting: MatchSetup
    seq: int
    status: Status
    chairs: tuple[SeatState, ...]
    position: Any = None
    pending: Decision[Any] | None = None
    moves: int = 0
    outcome: Outcome | None = None
    past: Past | None = None
    agreed: tuple[Seat, ...] = ()
    """Seats that accept the offered undo, beginning with the one that offered it; empty: none is offered."""
    since: float = 0.0
    """Time since which the decision is pending."""
    banks: tuple[float, ...] = ()
    """Remaining seconds by seat, if the policy has a bank."""
    moved: int = 0
    """`seq` of the last change of the position; an action whose sender has seen it is not stale."""
    talk: ChatWindow = NO_CHAT
    declined: tuple[Seat, ...] = ()
    """Seats whose undo was declined since the last change of the position."""
    alone: float | None = None
    """Time since which at most one side is present, if absent players are skipped; else None."""
    drawing: Seat | None = None
    """The seat that offers a draw; None: there is no offer."""
    draw_offers: tuple[tuple[Seat, int], ...] = ()
    """All draw offers so far: the seat and the value of `moves`."""

    @property
    def id(self) -> str:
        return self.setting.id

    @property
    def players(self) -> tuple[Player | None, ...]:
        return tuple(chair.player for chair in self.chairs)


class Moment(msgspec.Struct, frozen=True, gc=False):
    """One event, the match after it, and the events of the game."""

    event: Event
    match: Match
    happened: tuple[Any, ...] = ()


def match_of_opening(event: ev.Opened) -> Match:
    """Return the match of an `Opened` event; raise `Unavailable` if this version does not have its rules."""
    name, _, version = event.game.partition("@")
    game = games.game(name)
    if version and int(version) > game.rules:
        raise Unavailable(
            f"match {event.match} was played with the rules {event.game}; this version has {name}@{game.rules}",
            reason=Reason.UNREADABLE,
        )
    options = to_type(event.options, game.Options)
    policy = event.policy
    skips = policy.leaving is Leaving.SKIPS
    setting = MatchSetup(event.match, game, options, policy, event.dialect, event.code, options, skips)
    return Match(setting, 1, Status.WAITING, (SeatState(),) * event.seats)


def missing_opening_error(first: Event | None) -> Unavailable:
    """Return the error for a match whose first event is not `Opened`; None: it has no event."""
    problem = "it has no event" if first is None else f"its first event is {type(first).__name__}"
    return Unavailable(f"a match must begin with Opened, but {problem}", reason=Reason.UNREADABLE)


def split_opening(events: Iterable[Event]) -> tuple[Match, Iterator[Event]]:
    """Return the match of the first event, and the other events."""
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, ev.Opened):
        raise missing_opening_error(first)
    return match_of_opening(first), rest


def replay_events(match: Match, events: Iterable[Event]) -> Iterator[Moment]:
    """Yield the moments of stored events that follow `match`."""
    for event in events:
        try:
            moment = evolve(match, _restore_event(match, event))
        except BoardwireError:
            raise
        except Exception as error:
            problem = f"the rules of this version fail at event {match.seq + 1}"
            raise Unavailable(problem, reason=Reason.UNREADABLE) from error
        yield moment
        match = moment.match


def moments(events: Iterable[Event]) -> Iterator[Moment]:
    """Yield the moments of all events but the first, which must be `Opened`."""
    return replay_events(*split_opening(events))


def fold(events: Iterable[Event]) -> Match:
    """Return the match after these events, the first of which is `Opened`."""
    match, rest = split_opening(events)
    for moment in replay_events(match, rest):
        match = moment.match
    return match


def _restore_event(match: Match, event: Event) -> Event:
    """Return a stored event with a typed action, and with an outcome in the current form."""
    if isinstance(event, ev.Acted | ev.Dealt):
        action = to_type(event.action, match.setting.game.Action)
        return event if action is event.action else msgspec.structs.replace(event, action=action)
    if isinstance(event, ev.Ended):
        names = [player.name if player is not None else "" for player in match.players]
        return msgspec.structs.replace(event, outcome=upgrade_outcome(event.outcome, names))
    return event


def to_type(raw: Any, kind: Any) -> Any:
    """Convert plain data from a journal to a type of the game; typed values are returned unchanged."""
    try:
        return convert(raw, kind)
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from error


def evolve(match: Match, event: Event) -> Moment:
    """Apply an event that `decide` has allowed."""
    moment = _EVOLVE[type(event)](match, event)
    return _mark_alone(match, moment) if match.setting.skips else moment


def _mark_alone(before: Match, moment: Moment) -> Moment:
    """Record the time since which at most one side is present; the policy ends such a match after a countdown."""
    match, alone = moment.match, None
    if match.status is Status.PLAYING and any(chair.away is not None for chair in match.chairs):
        present, absent_sides = sides(match)
        if len(present) <= 1 and any(match.chairs[seat].away is not None for side in absent_sides for seat in side):
            alone = moment.event.at if before.alone is None else before.alone
    if alone == match.alone:
        return moment
    return Moment(moment.event, msgspec.structs.replace(match, alone=alone), moment.happened)


def sides(match: Match) -> tuple[list[Sequence[Seat]], list[Sequence[Seat]]]:
    """Return the sides in play with a player present, and the other sides; no side is present if only bots are."""
    all_sides = match.setting.game.sides(match.position)
    present = [side for side in all_sides if any(match.chairs[seat].away is None for seat in side)]
    if all(_is_absent_or_bot(match.chairs[seat]) for side in present for seat in side):
        return [], list(all_sides)
    return present, [side for side in all_sides if side not in present]


def _is_absent_or_bot(chair: SeatState) -> bool:
    return chair.away is not None or _is_bot(chair)


def _is_bot(chair: SeatState) -> bool:
    return chair.player is not None and bool(chair.player.bot)


def can_wait(match: Match, seat: Seat) -> bool:
    """Return whether a match can wait for the player of `seat`: bots have all other seats, and it is not rated.

    In a rated match, absence forfeits even against bots.
    """
    chairs = match.chairs
    if match.setting.policy.rated is True:
        return False
    return not _is_bot(chairs[seat]) and all(_is_bot(chair) for place, chair in enumerate(chairs) if place != seat)


def _apply_joined(match: Match, event: ev.Joined) -> Moment:
    wish = event.wish if event.wish is None else to_type(event.wish, match.setting.game.Wish)
    return _with_seat(match, event, event.seat, SeatState(event.player, wish, event.ready))


def _apply_readied(match: Match, event: ev.Readied) -> Moment:
    return _with_seat(match, event, event.seat, SeatState(event.player, match.chairs[event.seat].wish, True))


def _apply_left(match: Match, event: ev.Left) -> Moment:
    if match.status is Status.WAITING:
        return _with_seat(match, event, event.seat, SeatState())
    if event.restart and not match.setting.policy.correspondence:  # correspondence clocks run during a restart
        match = msgspec.structs.replace(match, since=event.at)
    return _with_seat(match, event, event.seat, msgspec.structs.replace(match.chairs[event.seat], away=event.at))


def _apply_returned(match: Match, event: ev.Returned) -> Moment:
    chair = match.chairs[event.seat]
    must_decide = match.pending is not None and event.seat in match.pending.seats
    if must_decide and chair.away is not None and (match.setting.skips or can_wait(match, event.seat)):
        absent = event.at - max(chair.away, match.since)
        match = msgspec.structs.replace(match, since=match.since + absent)  # the clock stopped during the absence
    return _with_seat(match, event, event.seat, msgspec.structs.replace(chair, away=None, returns=chair.returns + 1))


def _apply_substituted(match: Match, event: ev.Substituted) -> Moment:
    # Only people can agree to a draw, so an offer ends when a bot takes the seat.
    without_offer = msgspec.structs.replace(match, drawing=None)
    return _with_seat(without_offer, event, event.seat, SeatState(event.player, ready=True))


def _with_seat(match: Match, event: Event, seat: Seat, chair: SeatState) -> Moment:
    chairs = (*match.chairs[:seat], chair, *match.chairs[seat + 1 :])
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, chairs=chairs))


def _apply_started(match: Match, event: ev.Started) -> Moment:
    setting = msgspec.structs.replace(match.setting, options=to_type(event.options, match.setting.game.Options))
    position = setting.game.new(setting.options, len(match.chairs))
    banks = (setting.policy.bank,) * len(match.chairs) if setting.policy.bank else ()
    after = Match(
        setting, match.seq + 1, Status.PLAYING, match.chairs, position, setting.game.pending(position),
        since=event.at, banks=banks, moved=match.seq + 1, talk=match.talk,
    )  # fmt: skip
    return Moment(event, after)


def _apply_acted(match: Match, event: ev.Acted) -> Moment:
    """Apply an action and charge its time."""
    setting = match.setting
    game = setting.game
    seat = event.seat
    position, happened = game.apply(match.position, seat, event.action)
    past = Past(match.position, seat, match.moves, match.past) if setting.policy.undo else None
    pending = game.pending(position)
    banks = _banks_after_action(match, seat, event.at, pending) if match.banks else ()
    after = Match(
        setting, match.seq + 1, _PLAYING, match.chairs, position, pending, match.moves + 1,
        None, past, (), event.at, banks, match.seq + 1, match.talk, (), None,
        match.drawing if match.drawing == seat else None, match.draw_offers,  # a move of the other declines an offer
    )  # fmt: skip
    return Moment(event, after, happened)


def _charged_banks(match: Match, seat: Seat, now: float, bonus: float = 0.0) -> tuple[float, ...]:
    """Return the clocks after charging a seat for the time that its decision has been pending; `bonus` is added."""
    remaining = max(0.0, match.banks[seat] - (now - match.since)) + bonus
    return (*match.banks[:seat], remaining, *match.banks[seat + 1 :])


def _banks_after_action(match: Match, seat: Seat, now: float, pending: Decision[Any] | None) -> tuple[float, ...]:
    """Return the clocks after charging the time of an action.

    At the end of a turn, when `seat` need not decide again, the increment is added; not at the end of the match.
    """
    bonus = match.setting.policy.bonus
    ends_turn = pending is not None and seat not in pending.seats
    return _charged_banks(match, seat, now, bonus if ends_turn else 0.0)


def _apply_dealt(match: Match, event: ev.Dealt) -> Moment:
    position, happened = match.setting.game.apply(match.position, CHANCE, event.action)
    return _with_position(match, event, position, happened, event.at)


def _apply_forfeit(match: Match, event: ev.Resigned | ev.TimedOut) -> Moment:
    """Apply a resignation or a timeout, which ends the seat's part in the match."""
    position, happened = match.setting.game.forfeit(match.position, event.seat)
    before, after = match.pending, match.setting.game.pending(position)
    if match.banks and before is not None and event.seat in before.seats and match.chairs[event.seat].away is None:
        # the final clock time
        match = msgspec.structs.replace(match, banks=_charged_banks(match, event.seat, event.at))
    others = () if before is None else tuple(seat for seat in before.seats if seat != event.seat)
    continues = before is not None and after is not None and (after.kind, after.seats) == (before.kind, others)
    since = match.since if continues else event.at  # a forfeit does not restart the time of the others
    return _with_position(match, event, position, happened, since)


def _apply_skipped(match: Match, event: ev.Skipped) -> Moment:
    position, happened = match.setting.game.skip(match.position, event.seat)
    away = match.chairs[event.seat].away
    if match.banks and away is not None:  # charge the time before the player left
        match = msgspec.structs.replace(match, banks=_charged_banks(match, event.seat, max(away, match.since)))
    return _with_position(match, event, position, happened, event.at)


def _with_position(match: Match, event: Event, position: Any, happened: tuple[Any, ...], since: float) -> Moment:
    """Return the match with a new position after any event but an action."""
    after = msgspec.structs.replace(
        match,
        seq=match.seq + 1,
        position=position,
        pending=match.setting.game.pending(position),
        agreed=(),
        declined=(),
        since=since,
        moved=match.seq + 1,
    )
    return Moment(event, after, happened)


def _apply_undo_consent(match: Match, event: ev.UndoOffered | ev.UndoAgreed) -> Moment:
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, agreed=(*match.agreed, event.seat)))


def _apply_undo_declined(match: Match, event: ev.UndoDeclined) -> Moment:
    declined = (*match.declined, match.agreed[0])
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, agreed=(), declined=declined))


def _apply_undone(match: Match, event: ev.Undone) -> Moment:
    """Restore the position before the last action of a seat."""
    past = last_step(match, event.seat)
    assert past is not None, "decide allows an undo only if there is an action to undo"
    after = msgspec.structs.replace(
        match,
        seq=match.seq + 1,
        position=past.position,
        pending=match.setting.game.pending(past.position),
        moves=past.moves,
        past=past.earlier,
        agreed=(),
        declined=(),
        drawing=None,
        since=event.at,
        moved=match.seq + 1,
    )
    return Moment(event, after)


def last_step(match: Match, seat: Seat) -> Past | None:
    """Return the state before the last action of `seat`, or None if it has no action to undo."""
    past = match.past
    while past is not None and past.seat != seat:
        past = past.earlier
    return past


def _apply_draw_offered(match: Match, event: ev.DrawOffered) -> Moment:
    offers = (*match.draw_offers, (event.seat, match.moves))
    after = msgspec.structs.replace(match, seq=match.seq + 1, drawing=event.seat, draw_offers=offers)
    return Moment(event, after)


def _apply_draw_answer(match: Match, event: ev.DrawAgreed | ev.DrawDeclined) -> Moment:
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, drawing=None))


def _apply_chatted(match: Match, event: ev.Chatted) -> Moment:
    since, lines = match.talk
    talk = ChatWindow(since, lines + 1) if 0 <= event.at - since < MINUTE else ChatWindow(event.at, 1)
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, talk=talk))


def _apply_ended(match: Match, event: ev.Ended) -> Moment:
    after = Match(
        match.setting, match.seq + 1, Status.OVER, match.chairs, match.position, None, match.moves, event.outcome,
        since=event.at, banks=match.banks, talk=match.talk,
    )  # fmt: skip
    return Moment(event, after)


_EVOLVE: Final[dict[type, Callable[[Match, Any], Moment]]] = {
    ev.Joined: _apply_joined,
    ev.Readied: _apply_readied,
    ev.Left: _apply_left,
    ev.Returned: _apply_returned,
    ev.Substituted: _apply_substituted,
    ev.Started: _apply_started,
    ev.Acted: _apply_acted,
    ev.Dealt: _apply_dealt,
    ev.Resigned: _apply_forfeit,
    ev.TimedOut: _apply_forfeit,
    ev.Skipped: _apply_skipped,
    ev.UndoOffered: _apply_undo_consent,
    ev.UndoAgreed: _apply_undo_consent,
    ev.UndoDeclined: _apply_undo_declined,
    ev.Undone: _apply_undone,
    ev.DrawOffered: _apply_draw_offered,
    ev.DrawAgreed: _apply_draw_answer,
    ev.DrawDeclined: _apply_draw_answer,
    ev.Chatted: _apply_chatted,
    ev.Ended: _apply_ended,
}
