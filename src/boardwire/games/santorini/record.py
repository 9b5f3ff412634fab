"""Records: a whole match as readable text, formatted and parsed.

    record  = "santorini" version { header } "set-up" { line } "turns" { line } result
    header  = ("player" seat | "draft" | "gods" | "pool" | "wording" | "bans" | "ply cap" | "position") ":" value
    line    = [number "."] (seat | "luck") [god] ":" step { " " step } [";" comment]
    step    = [seat ":"] (a step, see `steps` | "resigns" | "absent")
    result  = "result:" ("unfinished" | winners "(" reason ")")

- A line is one turn, or consecutive steps of one seat in the set-up. A step of another seat is preceded by its number.
- The steps are exactly the actions passed to `apply`, so a record replays the same match.
- The number of a turn, the god and the comment (the text of the turn) are for people; the parser ignores them and blank
  lines.
- Options with default values are omitted.
- Clocks, chat and undone steps belong to the table and are not recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec

from boardwire.errors import BoardwireError, Illegal, Malformed
from boardwire.games.game import CHANCE, Idle, Outcome, Seat
from boardwire.games.santorini.actions import Action, DealCard, DealGod
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.notation import parse_termination
from boardwire.games.santorini.options import Options, Wording
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.rules import apply, forfeit, new, rules, skip
from boardwire.games.santorini.steps import format_action, parse_action
from boardwire.games.santorini.turntext import text_of


class Taken(msgspec.Struct, frozen=True):
    """A step of a seat or of chance: an action, a resignation or an absence."""

    seat: Seat
    action: Action | Idle


class Record(msgspec.Struct, frozen=True):
    """A match: its players, options, steps and result (None: unfinished)."""

    players: tuple[str, ...]
    options: Options
    steps: tuple[Taken, ...]
    outcome: Outcome | None = None


class Played(msgspec.Struct, frozen=True):
    """A step with the positions before and after it, and its events."""

    before: Position
    taken: Taken
    after: Position
    events: tuple[Event, ...]


def record_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> Record:
    """Return the record of a match, replayed for its result; raise `Illegal` or `Refused` if it cannot be played."""
    record = Record(tuple(players), options, tuple(Taken(seat, action) for seat, action in steps))
    position = new(options, len(players))
    for played in replay(record):
        position = played.after
    return msgspec.structs.replace(record, outcome=position.outcome)


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> str:
    """Format a match as a record."""
    return format_record(record_match(players, options, steps))


def replay(record: Record) -> Iterator[Played]:
    """Yield the steps of a recorded match while playing it."""
    position = new(record.options, len(record.players))
    for taken in record.steps:
        match taken.action:
            case Idle.RESIGNS:
                after, events = forfeit(position, taken.seat)
            case Idle.ABSENT:
                after, events = skip(position, taken.seat)
            case action:
                after, events = apply(position, taken.seat, action)
        yield Played(position, taken, after, events)
        position = after


# --- formatting ------------------------------------------------------------------------------------------------------

_COMMENT_COLUMN: Final = 48


def format_record(record: Record) -> str:
    """Format a record, with a newline at the end."""
    lines = [f"santorini {rules}", *_header_lines(record), "", "set-up"]
    played = list(replay(record))
    turns = [step for step in played if step.before.setup is None]
    for seat, steps in groupby(played[: len(played) - len(turns)], key=lambda step: step.taken.seat):
        lines.append(f"{_format_seat(seat)}: {_format_steps(seat, steps)}")
    lines += ["", "turns"]
    for ply, steps in groupby(turns, key=lambda step: step.before.ply):
        lines.append(_format_record_turn(ply, list(steps)))
    return "\n".join([*lines, "", f"result: {_format_result(record.outcome)}", ""])


def _header_lines(record: Record) -> Iterator[str]:
    """Yield the header lines: players and options that differ from the defaults."""
    for number, name in enumerate(record.players, 1):
        yield f"player {number}: {_format_name(name)}".rstrip()
    options, default_options = record.options, Options()
    yield f"draft: {options.draft}"
    if options.gods:
        yield f"gods: {' '.join(options.gods)}"
    if options.pool:
        yield f"pool: {' '.join(options.pool)}"
    if options.wording is not default_options.wording:
        yield f"wording: {options.wording}"
    if not options.bans:
        yield "bans: off"
    if options.ply_cap != default_options.ply_cap:
        yield f"ply cap: {options.ply_cap}"
    if options.position:
        yield f"position: {' '.join(options.position.split())}"


def _format_name(name: str) -> str:
    """Format a player's name, as a JSON string if the parser could not read it otherwise."""
    is_plain = name.isprintable() and name == name.strip() and not name.startswith('"')
    return name if is_plain else msgspec.json.encode(name).decode()


def _format_seat(seat: Seat) -> str:
    return "luck" if seat == CHANCE else str(seat + 1)


def _format_steps(seat: Seat, steps: Iterable[Played]) -> str:
    return " ".join(_format_step(seat, played.taken) for played in steps)


def _format_step(seat: Seat, taken: Taken) -> str:
    """Format a step, with its seat if that is not the seat of the turn."""
    text = taken.action if isinstance(taken.action, Idle) else format_action(taken.action)
    return text if taken.seat in (seat, CHANCE) else f"{taken.seat + 1}:{text}"


def _format_record_turn(ply: int, steps: list[Played]) -> str:
    """Format a turn, with its text as comment unless the seat resigned or was absent."""
    start = steps[0].before
    seat, god = start.seat, start.lineup.gods[start.seat]
    line = f"{ply + 1:>3}. {seat + 1} {god}: {_format_steps(seat, steps)}"
    actions = [(step.taken.action, step.events) for step in steps if not isinstance(step.taken.action, Idle)]
    if len(actions) < len(steps):
        return line
    return f"{line:<{_COMMENT_COLUMN}} ; {text_of(start, actions)}"


def _format_result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "unfinished"
    winners = " ".join(_format_seat(seat) for seat in outcome.winners) or "nobody"
    return f"{winners} ({outcome.termination})"


# --- parsing ---------------------------------------------------------------------------------------------------------

_IDLE: Final = frozenset(Idle)
_LINE: Final = re.compile(r"(?:[0-9]+\. *)?([1-4]|luck)(?: [a-z]+)?: *(.*)")


def parse_record(text: str) -> Record:
    """Parse a record and replay it as a check."""
    lines = [line for line in map(str.strip, text.split("\n")) if line and not line.startswith(";")]
    if not lines or not re.fullmatch(rf"santorini {rules}", lines[0]):
        raise Malformed(f"the first line of a record must be 'santorini {rules}'")
    if lines.count("set-up") != 1 or lines.count("turns") != 1 or not lines[-1].startswith("result:"):
        raise Malformed("a record needs one line 'set-up', one line 'turns', and 'result: ...' as its last line")
    begin, turns = lines.index("set-up"), lines.index("turns")
    players, options = _read_header(lines[1:begin])
    steps = [taken for line in (*lines[begin + 1 : turns], *lines[turns + 1 : -1]) for taken in _read_line(line)]
    outcome = _read_result(lines[-1])
    try:
        played = record_match(players, options, ((taken.seat, taken.action) for taken in steps))
    except BoardwireError as error:
        raise Illegal(f"the match cannot be played as recorded: {error}") from None
    if played.outcome != outcome:
        raise Illegal(
            f"the result of the recorded match is {_format_result(played.outcome)}, not {_format_result(outcome)}"
        )
    return played


def _read_header(lines: list[str]) -> tuple[list[str], Options]:
    """Parse the header lines to players and options."""
    headers: dict[str, str] = {}
    for line in lines:
        key, colon, value = line.partition(":")
        if not colon or key in headers:
            raise Malformed(f"{line!r} is not a header line 'KEY: VALUE', or its key is repeated")
        headers[key] = value.strip()
    players = [_read_name(headers.pop(f"player {number}")) for number in range(1, 5) if f"player {number}" in headers]
    options: dict[str, object] = {
        "draft": headers.pop("draft", ""),
        "gods": headers.pop("gods", "").split(),
        "pool": headers.pop("pool", "").split(),
        "wording": headers.pop("wording", Wording.REVISED.value),
        "bans": {"on": True, "off": False}.get(headers.pop("bans", "on")),
        "position": headers.pop("position", ""),
        "ply_cap": _parse_number(headers.pop("ply cap", str(Options().ply_cap))),
    }
    if headers:
        raise Malformed(f"{next(iter(headers))!r} is not a header of a record")
    try:
        return players, msgspec.convert(options, Options)
    except msgspec.ValidationError as error:
        raise Malformed(f"a header has an invalid value: {error}") from None


def _read_name(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return msgspec.json.decode(text, type=str)
    except msgspec.DecodeError:
        raise Malformed(f"{text} is not a player's name: a quoted name must be a JSON string") from None


def _parse_number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def _read_line(line: str) -> Iterator[Taken]:
    """Yield the steps of a line."""
    match = _LINE.fullmatch(line.partition(";")[0].strip())
    if not match:
        raise Malformed(f"{line!r} is not a line of steps, such as '1. 1 pan: B3>C3 C3^B2'")
    for word in match[2].split():
        other = re.fullmatch(r"([1-4]):(.+)", word)
        seat, text = (other[1], other[2]) if other else (match[1], word)
        action = Idle(text) if text in _IDLE else parse_action(text)
        dealt = seat == "luck" or isinstance(action, DealGod | DealCard)
        yield Taken(CHANCE if dealt else int(seat) - 1, action)


def _read_result(line: str) -> Outcome | None:
    match = re.fullmatch(r"result: *(?:(unfinished)|(nobody|[1-4](?: [1-4])*) \(([a-z ]+)\))", line)
    if not match:
        raise Malformed(f"{line!r} is not a result, such as 'result: 1 (climb)' or 'result: unfinished'")
    if match[1]:
        return None
    winners = () if match[2] == "nobody" else tuple(int(number) - 1 for number in match[2].split())
    return Outcome(parse_termination(match[3]), winners)
