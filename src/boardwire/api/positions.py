"""Positions of the analysis board: set up from notation or options, continued with steps, and searched.

- A request contains the whole position: its start and the steps since. The server stores nothing between requests.
- Every step is checked by the rules. A chance step without an outcome is drawn; the same request always draws the same.
- Searches run in the workers of the bots, at the priority of analyses and within the share of the client's address;
  their number per address and their rate are limited (`studies.py`).
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Annotated, Any, Final

import msgspec
from starlette.requests import Request

from boardwire import games
from boardwire.api.body import read_body
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, client_address, unless_gone
from boardwire.api.problem import Problem, over_rate
from boardwire.api.reader_threads import with_checks
from boardwire.bots.bot import decision_for
from boardwire.bots.engines import has_engine
from boardwire.bots.levels import LEVELS, Level, level_of
from boardwire.bots.match_analysis import LEVEL, Move, moves
from boardwire.errors import BoardwireError, Refused
from boardwire.games.game import AnyGame, Below, Decision, Outcome, Seat
from boardwire.games.positions import PlayedStep, follow, read_position

POSITION_BODY_LIMIT: Final = 128 * 1024
"""Largest request body with a position, in bytes."""
MAX_POSITION_STEPS: Final = 2000
"""Largest number of steps from the start to a position."""
MAX_POSITION_LENGTH: Final = 4000
"""Maximum length of a position in notation, in characters."""
DEFAULT_SEATS: Final = 2
"""Default number of seats of a new match: every game can be played by two."""
DEEP_NODES: Final = 400_000
"""Minimum node limit of a deep search."""
DEEP_SECONDS: Final = 2.0
"""Time limit of a deep search."""
MAX_EXCLUDED: Final = 8
"""Largest number of first steps that a search can exclude."""

_Text = Annotated[str, msgspec.Meta(max_length=500)]


class PositionStep(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An action in notation, or the absence of a seat. Without `seat`, the action is that of chance or of the seat to
    decide."""

    do: _Text = ""
    seat: Annotated[int, msgspec.Meta(ge=0, le=15)] | None = None
    absent: bool = False


class PositionRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position: a game, the start and the steps since.

    The start is a `position` in notation or, without one, a new match with these `options` and `seats` (0: two).
    """

    game: Annotated[str, msgspec.Meta(max_length=64)]
    position: Annotated[str, msgspec.Meta(max_length=MAX_POSITION_LENGTH)] = ""
    options: dict[str, Any] = {}
    seats: Annotated[int, msgspec.Meta(ge=0, le=16)] = 0
    steps: Annotated[tuple[PositionStep, ...], msgspec.Meta(max_length=MAX_POSITION_STEPS)] = ()


class SearchRequest(PositionRequest, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position to search. A `deep` search takes seconds instead of a fraction of a second. Turns that begin with a
    step in `without` are excluded."""

    deep: bool = False
    without: Annotated[tuple[_Text, ...], msgspec.Meta(max_length=MAX_EXCLUDED)] = ()


class PositionInfo(msgspec.Struct, frozen=True):
    """A position as the rules see it.

    - `notation`: the position in notation, or None if the notation cannot express it.
    - `steps`: all steps from the start, with their seats and the drawn chance steps.
    - `seat`, `kind` and `choices`: the open decision; `seat` is None at the end.
    - `happened`: the game's events since the last step but one.
    - `sides`: the seats that play together.
    - `options`: a new match that begins here, in games that allow it.
    """

    game: str
    seats: int
    notation: str | None
    steps: tuple[PlayedStep, ...]
    view: Any
    seat: Seat | None
    kind: str
    choices: tuple[Move, ...]
    happened: tuple[Any, ...]
    outcome: Outcome | None
    sides: tuple[tuple[Seat, ...], ...]
    options: Any = None


class Found(msgspec.Struct, frozen=True):
    """The result of a search: the value for `seat` from -1 to 1, the number of turns to a proved end (negative: a
    loss), the best turn and the expected continuation; `forecast` as in analyses of matches."""

    engine: str
    seat: Seat
    value: float
    proved: int
    depth: int
    nodes: int
    best: tuple[Move, ...]
    line: tuple[Move, ...]
    forecast: Any = None


async def check_position(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Check a position and return its board, decision and notation."""
    body = await _decoded_body(request, PositionRequest)
    body_bytes = await context.read(lambda: msgspec.json.encode(position_info(body)), client_address(request))
    return ApiResponse(body_bytes, headers={"Cache-Control": "no-store"})


async def search(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Search a position and return the best turn."""
    body = await _decoded_body(request, SearchRequest)
    studies, address = context.studies, client_address(request)
    if not studies.has_thinkers:
        raise Problem(503, "this server has no bot workers to search positions; use `boardwire analyse`")
    if not studies.search_allowances.take(address):
        raise over_rate("searches", studies.search_allowances.limit, 2)
    game, view, decision = await context.read(lambda: _decision_to_search(body), address)
    try:
        level = _search_level(game.name, deep=body.deep)
        result = await unless_gone(request, studies.search(game.name, view, decision, level, address))
    except BoardwireError as error:
        raise Problem(503, str(error), {"Retry-After": "2"}, reason=error.reason) from None
    engine = game.name if has_engine(game.name) else "greedy"
    answer = Found(
        engine, decision.seats[0], round(result.value, 4), result.proved, result.depth, result.nodes,
        moves(game, result.turn), moves(game, result.line), result.forecast,
    )  # fmt: skip
    return ApiResponse(msgspec.json.encode(answer), headers={"Cache-Control": "no-store"})


async def _decoded_body(request: Request, kind: type[Any]) -> Any:
    body = await read_body(request, POSITION_BODY_LIMIT, "position")
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(422, f"invalid position: {error}") from None


def _search_level(game: str, *, deep: bool) -> Level:
    """Return the budget of a search."""
    if not deep:
        return LEVEL
    nodes = max(DEEP_NODES, level_of(game, LEVELS[-1]).nodes)
    return msgspec.structs.replace(LEVEL, nodes=nodes, seconds=DEEP_SECONDS)


def position_info(body: PositionRequest) -> PositionInfo:
    """Return the position of a request; raise `Problem` if it cannot be played."""
    try:
        game, start, position, steps, happened = _position_of(body)
        decision = game.pending(position)
        seat = None if decision is None else decision.seats[0]
        return PositionInfo(
            game.name,
            1 + max(seat for side in game.sides(start) for seat in side),
            _notation_of(game, position),
            tuple(steps),
            game.view(position, seat),
            seat,
            "" if decision is None else str(decision.kind),
            () if decision is None else moves(game, decision.choices),
            happened,
            game.outcome(position) if decision is None else None,
            tuple(tuple(side) for side in game.sides(position)),
            _start_options(game, position),
        )
    except BoardwireError as error:
        raise Problem(422, str(error), reason=error.reason) from None


def _decision_to_search(body: SearchRequest) -> tuple[AnyGame, Any, Decision[Any]]:
    """Return the decision to search, without the excluded steps."""
    try:
        game, _, position, _, _ = _position_of(body)
        decision = game.pending(position)
        if decision is None:
            raise Problem(409, "the match is over in this position, so there is nothing to search")
        seat = decision.seats[0]
        decision = decision_for(decision, seat)
        if body.without:
            excluded = set(body.without)
            choices = tuple(action for action in decision.choices if game.format_action(action) not in excluded)
            if not choices:
                raise Problem(409, "`without` excludes every legal step; leave at least one")
            decision = msgspec.structs.replace(decision, choices=choices)
        return game, game.view(position, seat), decision
    except BoardwireError as error:
        raise Problem(422, str(error), reason=error.reason) from None


def _position_of(body: PositionRequest) -> tuple[AnyGame, Any, Any, list[PlayedStep], tuple[Any, ...]]:
    """Return the game, the start, the position, the steps and the last events."""
    game = games.game(body.game)
    if body.position:
        start = read_position(game, body.position)
    else:
        try:
            options = msgspec.convert(body.options, game.Options)
        except msgspec.ValidationError as error:
            raise Refused(f"invalid options: {error}") from None
        start = game.new(options, body.seats or DEFAULT_SEATS)
    steps = (PlayedStep(step.do, step.seat, step.absent) for step in with_checks(body.steps))
    seed = sha256(f"{body.game}/{body.position}".encode()).hexdigest()

    def below(number: int) -> Below:
        return Random(f"{seed}/{number}").randrange

    position, played_steps, last_events = follow(game, start, steps, below)
    return game, start, position, played_steps, last_events


def _notation_of(game: AnyGame, position: Any) -> str | None:
    """Return the notation of a position, or None if it has none."""
    try:
        return game.format_position(position)
    except BoardwireError:
        return None


def _start_options(game: AnyGame, position: Any) -> Any:
    """Return options of a new match that begins at a position, or None if the game does not allow it."""
    begin_at = getattr(game, "begin_at", None)
    try:
        return None if begin_at is None or game.pending(position) is None else msgspec.to_builtins(begin_at(position))
    except BoardwireError:
        return None
