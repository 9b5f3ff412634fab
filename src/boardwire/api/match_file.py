"""Export format of a match: readable by people, and importable by a server.

It is JSON with one step per line, in the notation of the game. It has the players, the options, the actions and deals
with their times, and the outcome. Undone steps, chat, clocks, disconnects and credentials are not included.

`record_of` and `events_of` are inverse functions, except for the name of the match: `record_of(events_of(record))`
equals the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from boardwire import games
from boardwire.api.reader_threads import with_checks
from boardwire.errors import BoardwireError, Illegal, Malformed, Refused
from boardwire.games.game import CHANCE, AnyGame, Idle, Outcome, Seat
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.decide import decide, has_draws, verdict
from boardwire.table.events import Event, Player
from boardwire.table.match import Match, Moment, Status, evolve, match_of_opening, moments
from boardwire.table.policy import Policy
from boardwire.table.summary import IMPORTED
from boardwire.table.termination import Termination, is_aborted, upgrade_outcome
from boardwire.wire.text import printable

STEP_LIMIT: Final = 8000
"""Largest number of steps in an imported match."""
MAX_TIMESTAMP: Final = 4_102_444_800
"""Latest time of a match: the year 2100."""

Elapsed: TypeAlias = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
"""Seconds since the match was opened; negative if the clock was set back."""
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]


class RecordedPlayer(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The player of a seat; the last one if there were several."""

    name: Name = ""
    dialect: Name = ""
    bot: Name = ""


class RecordedStep(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One of three: an action in the game's notation (without `seat`, a deal), a forfeit of the seat, or a skipped
    turn (`absent`)."""

    t: Elapsed
    seat: Annotated[int, msgspec.Meta(ge=0, le=15)] | None = None
    do: Annotated[str, msgspec.Meta(max_length=500)] = ""
    forfeit: Literal["", "resigned", "timed out"] = ""
    absent: bool = False


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A match. `opened` is the time when the table was opened, `lasted` the seconds until the end. Without an outcome,
    the match was not finished."""

    boardwire: Literal["match/1"]
    id: Name = ""
    game: Annotated[str, msgspec.Meta(max_length=64)]
    rules: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    opened: Annotated[datetime, msgspec.Meta(tz=True)]
    lasted: Elapsed = 0.0
    players: Annotated[tuple[RecordedPlayer, ...], msgspec.Meta(min_length=1, max_length=16)]
    options: dict[str, Any] = {}
    outcome: Outcome | None = None
    steps: Annotated[tuple[RecordedStep, ...], msgspec.Meta(max_length=STEP_LIMIT)] = ()


# --- from events --------------------------------------------------------------------------------------------------


def record_of(events: Sequence[Event]) -> Record:
    """Return the record of a finished match; raise `Refused` if it never began or is not over."""
    opening = events[0]
    assert isinstance(opening, ev.Opened), "the caller has checked the opening"
    name, _, rules = opening.game.partition("@")
    steps: list[Moment] = []
    last: Moment | None = None
    for moment in moments(with_checks(events)):
        match moment.event:
            case ev.Acted() | ev.Dealt() | ev.Resigned() | ev.TimedOut() | ev.Skipped():
                steps.append(moment)
            case ev.Undone(seat=seat):
                _take_back(steps, seat)
            case ev.Ended():
                last = moment
    if last is None or last.match.position is None:
        raise Refused("the match cannot be exported: it never began, or it is still being played")
    write = last.match.setting.game.format_action
    start = round(opening.at, 3)
    return Record(
        boardwire="match/1",
        id=opening.match,
        game=name,
        rules=int(rules),
        opened=datetime.fromtimestamp(start, UTC),
        lasted=round(last.event.at - start, 3),
        players=tuple(_recorded_player(chair.player) for chair in last.match.chairs),
        options=_plain_options(last.match.setting.options),
        outcome=last.match.outcome,
        steps=tuple(_recorded_step(moment.event, start, write) for moment in steps),
    )


def _plain_options(options: Any) -> dict[str, Any]:
    """Return options as decoded from their JSON."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(options))
    return plain


def _take_back(steps: list[Moment], seat: Seat) -> None:
    """Remove the last action of a seat, and the steps after it."""
    while True:
        event = steps.pop().event
        if isinstance(event, ev.Acted) and event.seat == seat:
            return


def _recorded_player(player: Player | None) -> RecordedPlayer:
    player = player or Player()
    return RecordedPlayer(player.name, player.dialect, player.bot)


def _recorded_step(event: Any, start: float, write: Callable[[Any], str]) -> RecordedStep:
    """Return the record of an event, with its seconds since the start."""
    t = round(event.at - start, 3)
    match event:
        case ev.Acted(seat=seat, action=action):
            return RecordedStep(t, seat, write(action))
        case ev.Dealt(action=action):
            return RecordedStep(t, None, write(action))
        case ev.TimedOut(seat=seat):
            return RecordedStep(t, seat, forfeit="timed out")
        case ev.Skipped(seat=seat):
            return RecordedStep(t, seat, absent=True)
        case _:
            return RecordedStep(t, event.seat, forfeit="resigned")


# --- to events ----------------------------------------------------------------------------------------------------


def name_of(record: Record) -> str:
    """Return the match name of a record, derived from its content, so that importing it twice yields one match."""
    return sha256(msgspec.json.encode(msgspec.structs.replace(record, id=""), order="sorted")).hexdigest()[:16]


def events_of(record: Record) -> list[Event]:
    """Return the events of a recorded match, checked by replaying it; raise `BoardwireError` if that fails."""
    start = record.opened.timestamp()
    if not 0 <= start < MAX_TIMESTAMP:
        raise Malformed(f"opened is {record.opened.isoformat()}; the year must be from 1970 to 2099")
    if record.game not in games.NAMES:
        raise Malformed(f"there is no game called {record.game!r}; the games are {', '.join(games.NAMES)}")
    rules = f"{record.game}@{record.rules}"
    opening = ev.Opened(start, "", rules, len(record.players), record.options, Policy(), IMPORTED)
    match = match_of_opening(opening)
    if len(record.players) not in match.setting.game.seat_counts:
        counts = " or ".join(map(str, match.setting.game.seat_counts))
        raise Illegal(f"{record.game} is for {counts} players, not {len(record.players)}")
    options = _plain_options(match.setting.options)
    name = name_of(msgspec.structs.replace(record, options=options))
    events: list[Event] = [msgspec.structs.replace(opening, match=name, options=options)]
    for moment in _replay(match, record, start):
        events.append(moment.event)
        match = moment.match
    outcome = _outcome_of(match, record)
    if match.status is Status.OVER:
        events.pop()
    return [*events, ev.Ended(start + record.lasted, outcome)]


def _replay(match: Match, record: Record, start: float) -> Iterator[Moment]:
    """Yield every event of a recorded match with the match after it; `start` is its opening time."""
    for seat, player in enumerate(record.players):
        moment = evolve(match, ev.Joined(start, seat, Player(player.name, player.dialect, player.bot)))
        yield moment
        match = moment.match
    start_moment = evolve(match, ev.Started(start, match.setting.options))
    yield start_moment
    match = start_moment.match
    read = match.setting.game.parse_action
    for number, step in enumerate(with_checks(record.steps), 1):
        try:
            for moment in _moments_of(match, step, start + step.t, read):
                yield moment
                match = moment.match
        except BoardwireError as reason:
            raise Illegal(f"step {number} is not legal: {reason}") from None


def _moments_of(match: Match, step: RecordedStep, at: float, read: Callable[[str], Any]) -> tuple[Moment, ...]:
    """Return the events of a recorded step, each with the match after it; raise an error if it is illegal."""
    if bool(step.do) + bool(step.forfeit) + step.absent > 1:
        raise Malformed("a step must have only one of `do`, `forfeit` and `absent`")
    if step.absent:
        return _skip_moments(match, step, at)
    if step.forfeit == "timed out":
        return _timeout_moments(match, step, at)
    if step.forfeit:
        return decide(match, cmd.Resign(_seat_of(step)), at)
    action = read(step.do)
    return decide(match, cmd.Deal(action) if step.seat is None else cmd.Act(step.seat, (action,)), at)


def _seat_of(step: RecordedStep) -> Seat:
    if step.seat is None:
        raise Malformed("a step without a seat is a deal; it cannot have `forfeit` or `absent`")
    return step.seat


def _timeout_moments(match: Match, step: RecordedStep, at: float) -> tuple[Moment, ...]:
    """Return what `decide` would return with the clock of the recorded table."""
    decide(match, cmd.Resign(_seat_of(step)), at)
    return _with_end(evolve(match, ev.TimedOut(at, _seat_of(step))))


def _skip_moments(match: Match, step: RecordedStep, at: float) -> tuple[Moment, ...]:
    """Return what `decide` would return if the seat were absent."""
    return _with_end(evolve(match, ev.Skipped(at, _seat_of(step))))


def _with_end(moment: Moment) -> tuple[Moment, ...]:
    """Return the moment, followed by the end of the match if no decision is pending."""
    if moment.match.pending is not None:
        return (moment,)
    return moment, evolve(moment.match, ev.Ended(moment.event.at, verdict(moment)))


def _outcome_of(match: Match, record: Record) -> Outcome:
    """Return the outcome of the match: from its last step or, if none ended it, from the record."""
    recorded = record.outcome
    if recorded is not None:
        recorded = upgrade_outcome(recorded, [player.name for player in record.players])
    by_rules: Outcome | None = match.setting.game.outcome(match.position)  # a match may start in a final position
    outcome = match.outcome or by_rules
    if outcome is not None:
        return _reconcile_outcomes(recorded, outcome, by_rules)
    if recorded is None:
        return Outcome(Termination.ADJOURNED)
    if recorded == Outcome(Termination.AGREED) and has_draws(match):
        return recorded
    if recorded.winners or not is_aborted(recorded) or recorded.by not in (None, *range(len(record.players))):
        raise Illegal("the recorded outcome does not follow from the steps, which do not end the match")
    return recorded


def _reconcile_outcomes(recorded: Outcome | None, outcome: Outcome, by_rules: Outcome | None) -> Outcome:
    """Return the outcome of an imported match; raise `Illegal` if the record contradicts the steps.

    Older records have the outcome `by_rules` after a resignation.
    """
    if recorded is None or recorded in (outcome, by_rules):
        return outcome
    absence = msgspec.structs.replace(outcome, termination=Termination.STAYED_AWAY)
    if recorded == absence and outcome.termination == Termination.TIMED_OUT:  # disconnects are not recorded
        return recorded
    raise Illegal("the recorded outcome differs from the outcome of the steps")


# --- as a file ----------------------------------------------------------------------------------------------------

decode = msgspec.json.Decoder(Record).decode


def write_json(record: Record) -> bytes:
    """Encode a record as JSON, with one field or step per line."""
    fields = msgspec.to_builtins(record)
    steps = fields.pop("steps")
    lines = [f"  {_json_text(key)}: {_json_text(value)}," for key, value in fields.items()]
    step_lines = ",\n".join(f"    {_json_text(step)}" for step in steps)
    return "\n".join(["{", *lines, '  "steps": [', step_lines, "  ]", "}", ""]).encode()


def _json_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def write_text(record: Record) -> bytes:
    """Format a record as text, in the game's format if it has one."""
    game = games.game(record.game)
    steps = ((CHANCE if step.seat is None else step.seat, _action_of(game, step)) for step in record.steps)
    names = [printable(player.name) for player in record.players]
    text = game.format_match(names, msgspec.convert(record.options, game.Options), steps)
    return (_format_lines(record) if text is None else text).encode()


def _action_of(game: AnyGame, step: RecordedStep) -> Any:
    """Return the action of a step, or why there is none (`Idle`)."""
    if step.forfeit or step.absent:
        return Idle.RESIGNS if step.forfeit else Idle.ABSENT
    return game.parse_action(step.do)


def _format_lines(record: Record) -> str:
    names = [printable(player.name) or f"player {seat}" for seat, player in enumerate(record.players, 1)]
    lines = [f"{record.game} {record.rules}", f"opened: {record.opened:%Y-%m-%d %H:%M:%S} UTC"]
    lines += [f"player {seat}: {name}" for seat, name in enumerate(names, 1)]
    lines += [f"{key}: {_json_text(value)}" for key, value in record.options.items()]
    lines.append("")
    for number, step in enumerate(record.steps, 1):
        who = "luck" if step.seat is None else names[step.seat]
        lines.append(f"{number:>4}. {who}: {step.do or step.forfeit or 'absent'}")
    return "\n".join([*lines, "", f"result: {_format_result(record.outcome, names)}", ""])


def _format_result(outcome: Outcome | None, names: list[str]) -> str:
    if outcome is None:
        return "unfinished"
    winners = " and ".join(names[seat] for seat in outcome.winners) or "nobody"
    return f"{winners} ({outcome.termination})"
