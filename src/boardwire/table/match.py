"""A match: its state, and what each event does to it.

Rules:

- A match is the fold of its events.  `evolve` is the only way a match changes, and it never refuses: an event is
  something that has happened.
- `evolve` gives a moment: the event, the match after it, and what the game says happened.
- What was stored may not be told by this program's rules: `Unavailable` names the event at which they fail.
- Where absent players are skipped, a match knows since when at most one side is there; what anybody does meanwhile does
  not begin that anew.

Which events may happen is `decide.py`'s business.  Neither knows a clock, luck or a connection: those are the table's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from boardwire import games
from boardwire.errors import BoardwireError, Malformed, Reason, Unavailable
from boardwire.games.game import CHANCE, AnyGame, Decision, Outcome, Seat
from boardwire.table import events as told
from boardwire.table.events import Event, Player
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import renewed
from boardwire.wire.codec import convert


class Status(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


_PLAYING: Final = Status.PLAYING  # by its own name where every move asks: a member of an enum takes ten times as long


class Setting(msgspec.Struct, frozen=True):
    """What never changes in a match."""

    id: str
    game: AnyGame
    options: Any
    policy: Policy
    dialect: str = ""
    code: str = ""
    """What a player must know to join a private table."""
    asked: Any = None
    """The options the table was opened with, before the seats' wishes."""
    skips: bool = False
    """Whether absent players are skipped, as the policy says; asked with every event."""


class Chair(msgspec.Struct, frozen=True, gc=False):
    """One seat: who sits there, with which wish, and whether the player is there now."""

    player: Player | None = None
    wish: Any = None
    ready: bool = False
    away: float | None = None
    """Since when a player is away from a seat that is held."""
    returns: int = 0
    """How often the player came back."""


class Past(NamedTuple):
    """The position before a step, for undo."""

    position: Any
    seat: Seat
    moves: int
    earlier: Past | None


class Talk(NamedTuple):
    """How much was said in the minute that began at `since`."""

    since: float = 0.0
    lines: int = 0


SILENCE: Final = Talk()
MINUTE: Final = 60.0


class Match(msgspec.Struct, frozen=True, gc=False):
    """The whole state of a match.  `seq` counts its events, `moves` the steps that players took."""

    setting: Setting
    seq: int
    status: Status
    chairs: tuple[Chair, ...]
    position: Any = None
    pending: Decision[Any] | None = None
    moves: int = 0
    outcome: Outcome | None = None
    past: Past | None = None
    agreed: tuple[Seat, ...] = ()
    """The seats that want the undo on offer, the one that asked first; nothing on offer: empty."""
    since: float = 0.0
    """When the pending decision was put."""
    banks: tuple[float, ...] = ()
    """Thinking time left, by seat, where the policy has a bank."""
    moved: int = 0
    """`seq` when the play last changed: whoever has seen that event has seen what is to be decided."""
    talk: Talk = SILENCE
    declined: tuple[Seat, ...] = ()
    """The seats whose undo was declined since the play last changed."""
    alone: float | None = None
    """Where absent players are skipped: since when at most one side is there while others are away; else None."""

    @property
    def id(self) -> str:
        return self.setting.id

    @property
    def players(self) -> tuple[Player | None, ...]:
        return tuple(chair.player for chair in self.chairs)


class Moment(msgspec.Struct, frozen=True, gc=False):
    """One event, the match after it, and what the game says happened."""

    event: Event
    match: Match
    happened: tuple[Any, ...] = ()


def opened(event: told.Opened) -> Match:
    """The match that an `Opened` event begins."""
    name, _, version = event.game.partition("@")
    game = games.game(name)
    if version and int(version) > game.rules:
        words = f"match {event.match} was played by {event.game}; this program knows {name}@{game.rules}"
        raise Unavailable(words, reason=Reason.UNREADABLE)
    options = typed(event.options, game.Options)
    policy = event.policy
    skips = policy.leaving is Leaving.SKIPS
    setting = Setting(event.match, game, options, policy, event.dialect, event.code, options, skips)
    return Match(setting, 1, Status.WAITING, (Chair(),) * event.seats)


def begun(events: Iterable[Event]) -> tuple[Match, Iterator[Event]]:
    """The match that the first of these events opens, and the rest of them."""
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, told.Opened):
        raise Unavailable("a match begins with its opening", reason=Reason.UNREADABLE)
    return opened(first), rest


def further(match: Match, events: Iterable[Event]) -> Iterator[Moment]:
    """Each of these stored events, with the match after it; they come after those that made `match`."""
    for event in events:
        try:
            moment = evolve(match, _restore(match, event))
        except BoardwireError:
            raise
        except Exception as error:
            words = f"the rules of this program fail at event {match.seq + 1}"
            raise Unavailable(words, reason=Reason.UNREADABLE) from error
        yield moment
        match = moment.match


def moments(events: Iterable[Event]) -> Iterator[Moment]:
    """Every event but the opening, with the match after it."""
    return further(*begun(events))


def fold(events: Iterable[Event]) -> Match:
    """The match that these events, the first of them `Opened`, add up to."""
    match, rest = begun(events)
    for moment in further(match, rest):
        match = moment.match
    return match


def _restore(match: Match, event: Event) -> Event:
    """An event read from a journal, with its action in the game's own type and its outcome in today's words."""
    if isinstance(event, told.Acted | told.Dealt):
        action = typed(event.action, match.setting.game.Action)
        return event if action is event.action else msgspec.structs.replace(event, action=action)
    if isinstance(event, told.Ended):
        names = [player.name if player is not None else "" for player in match.players]
        return msgspec.structs.replace(event, outcome=renewed(event.outcome, names))
    return event


def typed(raw: Any, kind: Any) -> Any:
    """Plain data from a journal as the game's own type; what is typed already stays as it is."""
    try:
        return convert(raw, kind)
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from error


def evolve(match: Match, event: Event) -> Moment:
    """The match after `event`, which some `decide` once allowed."""
    moment = _EVOLVE[type(event)](match, event)
    return _mark_alone(match, moment) if match.setting.skips else moment


def _mark_alone(before: Match, moment: Moment) -> Moment:
    match, alone = moment.match, None
    if match.status is Status.PLAYING and any(chair.away is not None for chair in match.chairs):
        there, gone = sides(match)
        if len(there) <= 1 and any(match.chairs[seat].away is not None for side in gone for seat in side):
            alone = moment.event.at if before.alone is None else before.alone
    if alone == match.alone:
        return moment
    return Moment(moment.event, msgspec.structs.replace(match, alone=alone), moment.happened)


def sides(match: Match) -> tuple[list[Sequence[Seat]], list[Sequence[Seat]]]:
    """The sides in play that somebody is there of, and the others.  Bots alone are nobody."""
    every = match.setting.game.sides(match.position)
    there = [side for side in every if any(match.chairs[seat].away is None for seat in side)]
    if all(_is_nobody(match.chairs[seat]) for side in there for seat in side):
        return [], list(every)
    return there, [side for side in every if side not in there]


def _is_nobody(chair: Chair) -> bool:
    return chair.away is not None or (chair.player is not None and bool(chair.player.bot))


def _joined(match: Match, event: told.Joined) -> Moment:
    wish = event.wish if event.wish is None else typed(event.wish, match.setting.game.Wish)
    return _seated(match, event, event.seat, Chair(event.player, wish, event.ready))


def _readied(match: Match, event: told.Readied) -> Moment:
    return _seated(match, event, event.seat, Chair(event.player, match.chairs[event.seat].wish, True))


def _left(match: Match, event: told.Left) -> Moment:
    if match.status is Status.WAITING:
        return _seated(match, event, event.seat, Chair())
    if event.restart:
        match = msgspec.structs.replace(match, since=event.at)
    return _seated(match, event, event.seat, msgspec.structs.replace(match.chairs[event.seat], away=event.at))


def _returned(match: Match, event: told.Returned) -> Moment:
    chair = match.chairs[event.seat]
    asked = match.pending is not None and event.seat in match.pending.seats
    if match.setting.skips and asked and chair.away is not None:
        absent = event.at - max(chair.away, match.since)
        match = msgspec.structs.replace(match, since=match.since + absent)  # while it was away its clock stood still
    return _seated(match, event, event.seat, msgspec.structs.replace(chair, away=None, returns=chair.returns + 1))


def _substituted(match: Match, event: told.Substituted) -> Moment:
    return _seated(match, event, event.seat, Chair(event.player, ready=True))


def _seated(match: Match, event: Event, seat: Seat, chair: Chair) -> Moment:
    chairs = (*match.chairs[:seat], chair, *match.chairs[seat + 1 :])
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, chairs=chairs))


def _started(match: Match, event: told.Started) -> Moment:
    setting = msgspec.structs.replace(match.setting, options=typed(event.options, match.setting.game.Options))
    position = setting.game.new(setting.options, len(match.chairs))
    banks = (setting.policy.bank,) * len(match.chairs) if setting.policy.bank else ()
    after = Match(
        setting, match.seq + 1, Status.PLAYING, match.chairs, position, setting.game.pending(position),
        since=event.at, banks=banks, moved=match.seq + 1, talk=match.talk,
    )  # fmt: skip
    return Moment(event, after)


def _acted(match: Match, event: told.Acted) -> Moment:
    setting = match.setting
    game = setting.game
    seat = event.seat
    position, happened = game.apply(match.position, seat, event.action)
    past = Past(match.position, seat, match.moves, match.past) if setting.policy.undo else None
    banks = _charge(match, seat, event.at) if match.banks else ()
    after = Match(
        setting, match.seq + 1, _PLAYING, match.chairs, position, game.pending(position), match.moves + 1,
        None, past, (), event.at, banks, match.seq + 1, match.talk,
    )  # fmt: skip
    return Moment(event, after, happened)


def _charge(match: Match, seat: Seat, now: float) -> tuple[float, ...]:
    left = max(0.0, match.banks[seat] - (now - match.since))
    return (*match.banks[:seat], left, *match.banks[seat + 1 :])


def _dealt(match: Match, event: told.Dealt) -> Moment:
    position, happened = match.setting.game.apply(match.position, CHANCE, event.action)
    return _moved_on(match, event, position, happened, event.at)


def _forfeited(match: Match, event: told.Resigned | told.TimedOut) -> Moment:
    position, happened = match.setting.game.forfeit(match.position, event.seat)
    before, after = match.pending, match.setting.game.pending(position)
    others = () if before is None else tuple(seat for seat in before.seats if seat != event.seat)
    goes_on = before is not None and after is not None and (after.kind, after.seats) == (before.kind, others)
    since = match.since if goes_on else event.at  # nobody gets new time to decide because another one gave up
    return _moved_on(match, event, position, happened, since)


def _skipped(match: Match, event: told.Skipped) -> Moment:
    position, happened = match.setting.game.skip(match.position, event.seat)
    away = match.chairs[event.seat].away
    if match.banks and away is not None:  # it may have thought for a while before it left
        match = msgspec.structs.replace(match, banks=_charge(match, event.seat, max(away, match.since)))
    return _moved_on(match, event, position, happened, event.at)


def _moved_on(match: Match, event: Event, position: Any, happened: tuple[Any, ...], since: float) -> Moment:
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


def _undo_wanted(match: Match, event: told.UndoOffered | told.UndoAgreed) -> Moment:
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, agreed=(*match.agreed, event.seat)))


def _undo_declined(match: Match, event: told.UndoDeclined) -> Moment:
    declined = (*match.declined, match.agreed[0])
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, agreed=(), declined=declined))


def _undone(match: Match, event: told.Undone) -> Moment:
    past = last_step(match, event.seat)
    assert past is not None, "an undo is only decided where there is a step to take back"
    after = msgspec.structs.replace(
        match,
        seq=match.seq + 1,
        position=past.position,
        pending=match.setting.game.pending(past.position),
        moves=past.moves,
        past=past.earlier,
        agreed=(),
        declined=(),
        since=event.at,
        moved=match.seq + 1,
    )
    return Moment(event, after)


def last_step(match: Match, seat: Seat) -> Past | None:
    """The last step of `seat` that can be taken back."""
    past = match.past
    while past is not None and past.seat != seat:
        past = past.earlier
    return past


def _chatted(match: Match, event: told.Chatted) -> Moment:
    since, lines = match.talk
    talk = Talk(since, lines + 1) if 0 <= event.at - since < MINUTE else Talk(event.at, 1)
    return Moment(event, msgspec.structs.replace(match, seq=match.seq + 1, talk=talk))


def _ended(match: Match, event: told.Ended) -> Moment:
    after = Match(
        match.setting, match.seq + 1, Status.OVER, match.chairs, match.position, None, match.moves, event.outcome,
        since=event.at, banks=match.banks, talk=match.talk,
    )  # fmt: skip
    return Moment(event, after)


_EVOLVE: Final[dict[type, Callable[[Match, Any], Moment]]] = {
    told.Joined: _joined,
    told.Readied: _readied,
    told.Left: _left,
    told.Returned: _returned,
    told.Substituted: _substituted,
    told.Started: _started,
    told.Acted: _acted,
    told.Dealt: _dealt,
    told.Resigned: _forfeited,
    told.TimedOut: _forfeited,
    told.Skipped: _skipped,
    told.UndoOffered: _undo_wanted,
    told.UndoAgreed: _undo_wanted,
    told.UndoDeclined: _undo_declined,
    told.Undone: _undone,
    told.Chatted: _chatted,
    told.Ended: _ended,
}
