"""Analysis of positions and matches by an engine, for `boardwire analyse`.

With `--lines` it is an opponent for any program: it reads positions in notation and writes the turns that an engine
would play. The answer to an invalid line has an `error`, so that one mistake does not end a match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from boardwire import games
from boardwire.bots.bot import decision_for
from boardwire.bots.engine import SearchResult
from boardwire.bots.engines import engine, has_engine
from boardwire.bots.eriantys import words
from boardwire.bots.eriantys.forecast import Forecast
from boardwire.bots.levels import LEVELS, Level, consider, level_of
from boardwire.bots.match_analysis import LEVEL, Remark, Study, study_of, turns_of
from boardwire.bots.search import until
from boardwire.commands.journals import events_of
from boardwire.errors import BoardwireError, Malformed, Refused
from boardwire.games import eriantys
from boardwire.games.game import CHANCE, AnyGame, Seat
from boardwire.table.match import Status
from boardwire.wire.text import escaped

_GRIDS: Final = {"tris": re.compile(r"[xo.]{3}/", re.IGNORECASE), "forza": re.compile(r"[xo.]{7}/", re.IGNORECASE)}
"""Beginnings of positions of Tris and Forza Quattro."""

ENDLESS: Final = 1 << 40
"""Node limit if only the time is limited."""


class EngineAdvice(msgspec.Struct, frozen=True):
    """The turn that an engine would play, in notation, with its evaluation.

    `value` is from -1 (lost) to 1 (won) for the side to move. A proven win or loss is given in turns, losses below
    zero. In Eriantys, the steps are also given in words, with a forecast of the round.
    """

    turn: str
    value: float
    depth: int
    nodes: int
    steps: tuple[str, ...]
    line: tuple[str, ...] = ()
    proved: int = 0
    words: tuple[str, ...] | UnsetType = UNSET
    forecast: Any = UNSET


def limits(game: str, level: int | None, seconds: float | None, nodes: int | None) -> Level:
    """Return the requested level, or the strongest one, with these limits; `seconds` alone removes the other limits."""
    if level is not None and level not in LEVELS:
        raise Malformed(f"--level {level}: a level is a number from {LEVELS[0]} to {LEVELS[-1]}")
    limited = level_of(game, level or LEVELS[-1])
    if seconds is not None:
        limited = msgspec.structs.replace(limited, seconds=seconds)
        if level is None and nodes is None and seconds:
            return msgspec.structs.replace(limited, nodes=ENDLESS, depth=0)
    return limited if nodes is None else msgspec.structs.replace(limited, nodes=nodes, depth=0)


def advise(game: AnyGame, position: Any, level: Level, seed: int | None = None) -> EngineAdvice:
    """Return the engine's turn for the seat to move."""
    decision = game.pending(position)
    if decision is None:
        raise Refused("the match is over in this position, so there is nothing to search")
    if CHANCE in decision.seats:
        raise Refused(f"chance, not a player, decides in this position ({decision.kind})")
    seat, below, thinker = decision.seats[0], Random(seed).randrange, engine(game.name)
    stop = until(level.seconds)  # after the engine is loaded, so that loading does not count
    result = consider(thinker, game.view(position, seat), decision_for(decision, seat), below, level, stop)
    turn, nodes, descriptions = list(result.turn), result.nodes, list[str]()
    position = _play_steps(game, position, seat, turn, descriptions)
    while (rest := _rest_of_turn(game, position, seat, decision.kind, result)) is not None:
        more = consider(thinker, game.view(position, seat), rest, below, level, stop)
        nodes += more.nodes
        turn += more.turn
        position = _play_steps(game, position, seat, more.turn, descriptions)
    steps = tuple(map(game.format_action, turn))
    line = tuple(map(game.format_action, result.line))
    forecast = UNSET if result.forecast is None else result.forecast
    return EngineAdvice(
        " ".join(steps), round(result.value, 4), result.depth, nodes, steps, line, result.proved,
        tuple(descriptions) or UNSET, forecast,
    )  # fmt: skip


def _play_steps(game: AnyGame, position: Any, seat: Seat, actions: Iterable[Any], descriptions: list[str]) -> Any:
    """Return the position after the steps of a seat, up to the first chance decision.

    For Eriantys, whose notation is hard to read, descriptions of the steps are appended to `descriptions`.
    """
    is_turn_known = True
    for action in actions:
        pending = game.pending(position)
        is_turn_known = is_turn_known and pending is not None and pending.seats == (seat,)
        if game.name == eriantys.name:
            # also after a chance decision, which changes neither islands nor mother nature
            descriptions.append(words.describe_step(action, game.view(position, seat)))
        if is_turn_known:
            position, _ = game.apply(position, seat, action)
    return position


def _rest_of_turn(game: AnyGame, position: Any, seat: Seat, kind: str, result: SearchResult) -> Any:
    """Return the next decision of the same turn if the result does not reach the end of the turn.

    The random choice of a low level is a single step, and so is a choice of the greedy bot.
    """
    if result.depth > 0 and has_engine(game.name):
        return None
    decision = game.pending(position)
    is_own = decision is not None and decision.seats == (seat,)
    return decision if is_own and decision is not None and kind in _GOES_ON.get(decision.kind, (kind,)) else None


_GOES_ON: Final[dict[str, tuple[str, ...]]] = {"assistant": (), "student": ("student", "swap")}
"""First decision of a turn by a later one of the same turn, for kinds that do not follow every first decision."""


def lines(game: str, positions: Iterable[str], level: Level, seed: int | None) -> Iterator[str]:
    """Yield a JSON object for each line with a position."""
    for text in positions:
        if not text.strip():
            continue
        try:
            answer: Any = _advise_on(game, text.strip(), level, seed)
        except BoardwireError as error:
            answer = {"error": str(error)}
        yield msgspec.json.encode(answer).decode()


def _advise_on(game: str, text: str, level: Level, seed: int | None) -> EngineAdvice:
    """Return the advice for a position in notation; raise `BoardwireError` if the position is invalid or over."""
    try:
        return advise(games.game(game), games.game(game).parse_position(text), level, seed)
    except (ValueError, IndexError, KeyError, AssertionError) as error:  # a position that no match can reach
        reason = f": {error}" if str(error) else ""
        raise Refused(f"this position cannot be played{reason}") from error


def game_of(text: str) -> str | None:
    """Return the game of a position in notation, or None if the text is not a position."""
    for game, beginning in _GRIDS.items():
        if beginning.match(text.strip()):
            return game
    return "santorini" if "/" in text else "eriantys" if "=" in text else None


def analyse_position(text: str, level: Callable[[str], Level], seed: int | None, *, json: bool) -> Iterator[str]:
    """Yield the lines of an engine's analysis of a position in notation."""
    game = game_of(text)
    assert game is not None, "the caller has checked it"
    advice = _advise_on(game, text, msgspec.structs.replace(level(game), samples=LEVEL.samples), seed)
    if json:
        yield msgspec.json.encode(advice).decode()
        return
    yield f"best    {', '.join(advice.words or ()) or advice.turn}"
    yield f"value   {advice.value:+.2f}{_proof_phrase(advice.proved)}"
    if advice.forecast is not UNSET:
        view = games.game(game).view(games.game(game).parse_position(text), None)
        for line in words.describe_forecast(view, msgspec.convert(advice.forecast, Forecast)):
            yield f"expect  {line}"
    if advice.line:
        yield f"then    {', '.join(advice.line)}"
    yield f"looked  {advice.depth} deep, at {advice.nodes:,} positions"


def _proof_phrase(proved: int) -> str:
    if not proved:
        return ""
    return f" (a certain {'win' if proved > 0 else 'loss'} in {abs(proved)})"


def match(name: str, place: Path | str, level: Level | None, *, json: bool) -> Iterator[str]:
    """Yield a line for each turn of a finished match."""
    studied = study(events_of(name, place), level or LEVEL)
    names = {seat: f"player {seat + 1}" for side in studied.sides for seat in side}
    for remark in studied.remarks:
        yield msgspec.json.encode(remark).decode() if json else escaped(_remark_row(remark, names))


def study(events: Iterable[Any], level: Level) -> Study:
    """Return the analysis of a finished match, computed in this process."""
    played, turns = turns_of(events)
    if played is None or played.status is not Status.OVER:
        raise Refused("the match is not over; analyse it after its end")
    game = played.setting.game
    thoughts = [
        consider(engine(game.name), turn.view, turn.decision, Random(turn.seq).randrange, level, until(level.seconds))
        for turn in turns
    ]
    return study_of(played, turns, thoughts, engine(game.name).name)


def _remark_row(remark: Remark, names: dict[Seat, str]) -> str:
    """Return the line of a turn: event, player, values before and after, actions and, for a mistake, the best ones."""
    played = " ".join(move.text for move in remark.played)
    row = f"{remark.seq:>4}  {names.get(remark.seat, ''):<9} {remark.value:+.2f} > {remark.after:+.2f}  {played}"
    if remark.mark is None:
        return row
    return f"{row}   {remark.mark}: {' '.join(move.text for move in remark.best)} was better"
