"""Tournaments: lists, standings, rounds, and the requests of organisers and participants.

- A participant is identified by a token: a guest by the one from `welcome`, a player by a session or an API token. Its
  matches are ordinary ones; it takes its seat with `resume` in the native dialect.
- With `after`, a request waits until the tournament has more events, for live standings without a WebSocket.
- Keys of players and names of deleted accounts are never sent.
- If the name of a guest belongs to an account, the guest gets another one, as at tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from starlette.requests import Request

from boardwire.api.authentication import CHALLENGE, Caller, authenticate, refuse_banned
from boardwire.api.body import decode_body
from boardwire.api.context import ENTRIES_PER_SECOND, ApiContext
from boardwire.api.endpoint import ApiResponse, client_address, spend
from boardwire.api.matches import Number
from boardwire.api.problem import Problem, over_rate
from boardwire.dialects.native.answer import NAME_LIMIT
from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games import game as rules
from boardwire.moderation.acts import ActKind
from boardwire.players.account import DELETED_NAME, Role, Scope
from boardwire.players.ratings import Category, Pool, mode_of, rating_in
from boardwire.players.speed import speed_of
from boardwire.table.events import account_key, bot_name
from boardwire.table.match import to_type
from boardwire.tournaments import decide
from boardwire.tournaments.events import Entrant, Event
from boardwire.tournaments.runner import Decider, Read
from boardwire.tournaments.setup import MAX_ENTRANTS, TournamentSetup
from boardwire.tournaments.standings import Standing, standings
from boardwire.tournaments.store import TournamentRow
from boardwire.tournaments.tournament import Board, Tournament, TournamentStatus
from boardwire.wire.text import printable

MAX_WAIT_SECONDS: Final = 25.0
"""Longest time that a request waits for a change of a tournament; proxies end requests after 30 seconds."""
MAX_BOARDS_SHOWN: Final = 500
"""Boards of a round in one response; of an arena, the newest ones."""

OwnDecider: TypeAlias = Callable[[Tournament, int, float], tuple[Event, ...]]
"""Decides a request of a participant, given by its number."""
Id = Annotated[str, msgspec.Meta(max_length=64, description="id of the tournament")]


class TournamentsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of tournaments, newest first."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=100, description="maximum number of results")] = 50
    before: Annotated[Number, msgspec.Meta(description="the `next` of the previous page")] | UnsetType = UNSET


class TournamentQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament, the requested part of its standings, and the event to wait for."""

    id: Id
    after: Annotated[Number, msgspec.Meta(description="wait until it has more events")] | UnsetType = UNSET
    limit: Annotated[int, msgspec.Meta(ge=0, le=MAX_ENTRANTS, description="maximum number of standings")] = 100
    offset: Annotated[int, msgspec.Meta(ge=0, le=MAX_ENTRANTS, description="number of standings to skip")] = 0


class TournamentIdQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament."""

    id: Id


class RoundQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round of a tournament, from 1."""

    id: Id
    round: Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class TournamentList(msgspec.Struct, frozen=True):
    """A page of tournaments; `creation` is the group that may create them: `anyone`, `players` or `organisers`."""

    tournaments: tuple[TournamentRow, ...]
    next: int | None
    creation: str


class BotEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bots of one kind that take part: `greedy`, `random`, `search:LEVEL` or one that the server lists."""

    bot: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    count: Annotated[int, msgspec.Meta(ge=1, le=MAX_ENTRANTS)] = 1


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to announce, with the bots that take part from the start; `name` is a guest's own name."""

    setup: TournamentSetup
    bots: tuple[BotEntry, ...] = ()
    name: Annotated[str, msgspec.Meta(max_length=NAME_LIMIT)] = ""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry: a guest gives its name; the organiser may enter bots instead."""

    name: Annotated[str, msgspec.Meta(max_length=NAME_LIMIT)] = ""
    bots: tuple[BotEntry, ...] = ()


class BoardInfo(msgspec.Struct, frozen=True):
    """A board: its round, the names of its players by seat, its match, and the points when it is over."""

    round: int
    names: tuple[str, str]
    match: str
    points: tuple[float, float] | None
    termination: str


class MyPart(msgspec.Struct, frozen=True):
    """Participation of the sender in a tournament, and its current match."""

    organises: bool
    number: int | None
    checked_in: bool = False
    withdrawn: bool = False
    match: str = ""
    seat: int = 0
    opponent: str = ""
    standing: Standing | None = None


class TournamentInfo(msgspec.Struct, frozen=True):
    """A tournament with standings and the boards of its round; `seq` is the number of its events."""

    id: str
    setup: TournamentSetup
    status: TournamentStatus
    seq: int
    organiser: str
    created_at: float
    started_at: float
    ends_at: float
    ended_at: float
    reason: str
    entrants: int
    rounds: int
    planned_rounds: int
    standings: tuple[Standing, ...]
    boards: tuple[BoardInfo, ...]
    byes: tuple[str, ...]
    me: MyPart
    now: float


class RoundInfo(msgspec.Struct, frozen=True):
    """A round: its boards, and the names of participants with a bye."""

    round: int
    boards: tuple[BoardInfo, ...]
    byes: tuple[str, ...]


# --- reading --------------------------------------------------------------------------------------------------------


async def list_tournaments(context: ApiContext, query: TournamentsQuery, request: Request) -> TournamentList:
    """Return the tournaments, newest first."""
    store = context.tournaments.store
    before = None if isinstance(query.before, UnsetType) else query.before
    rows = await context.read(
        lambda: store.newest(before, query.limit), client_address(request), ("tournaments", query)
    )
    next_number = rows[-1].number if len(rows) == query.limit else None
    return TournamentList(tuple(rows), next_number, context.tournament_creation)


async def one_tournament(context: ApiContext, query: TournamentQuery, request: Request) -> ApiResponse:
    """Return a tournament with its standings; with `after`, as soon as it has changed."""
    caller = authenticate(context, request)
    try:
        if isinstance(query.after, UnsetType):
            tournament = await _load_tournament(context, request, query.id)
        else:
            read = _reader_for(context, request, query.id)
            tournament = await context.tournaments.wait(query.id, query.after, MAX_WAIT_SECONDS, read)
    except BoardwireError as error:
        raise _problem_for(error) from None
    return await _tournament_response(context, request, tournament, caller, query.limit, query.offset)


async def one_round(context: ApiContext, query: RoundQuery, request: Request) -> RoundInfo:
    """Return the boards of a round."""
    try:
        tournament = await _load_tournament(context, request, query.id)
    except BoardwireError as error:
        raise _problem_for(error) from None
    if query.round > len(tournament.rounds):
        raise Problem(
            404, f"there is no round {query.round}; the tournament has {len(tournament.rounds)} rounds so far"
        )
    key = ("round", tournament.id, tournament.seq, query.round)
    return await context.read(
        lambda: _round_info(_without_deleted(context, tournament), query.round - 1), client_address(request), key
    )


async def _load_tournament(context: ApiContext, request: Request, tournament: str) -> Tournament:
    """Return a tournament, loaded within the share of the client's address."""
    return await context.tournaments.get(tournament, _reader_for(context, request, tournament))


def _reader_for(context: ApiContext, request: Request, tournament: str) -> Read:
    address = client_address(request)
    return lambda load: context.read(load, address, ("load tournament", tournament))


def _without_deleted(context: ApiContext, tournament: Tournament) -> Tournament:
    """Return a tournament without the names of deleted accounts."""
    is_deleted = context.accounts.directory.is_deleted
    deleted_numbers = [
        number
        for number, state in enumerate(tournament.entrants)
        if is_deleted(state.entrant.account, state.entrant.key)
    ]
    if deleted_numbers:
        entrants = list(tournament.entrants)
        for number in deleted_numbers:
            entrant = replace(entrants[number].entrant, name=f"{DELETED_NAME} {number + 1}")
            entrants[number] = replace(entrants[number], entrant=entrant)
        tournament = replace(tournament, entrants=tuple(entrants))
    if is_deleted(0, tournament.organiser):
        tournament = replace(tournament, organiser_name=DELETED_NAME)
    return tournament


async def _tournament_response(
    context: ApiContext,
    request: Request,
    tournament: Tournament,
    caller: Caller,
    limit: int = 100,
    offset: int = 0,
    status: int = 200,
) -> ApiResponse:
    """Return a tournament as the caller sees it; equal requests share one encoding."""
    seat_key, now = seat_key_of(caller), context.lobby.clock.now()
    key = ("tournament", tournament.id, tournament.seq, seat_key, limit, offset)
    body = await context.read(
        lambda: msgspec.json.encode(
            _tournament_info(_without_deleted(context, tournament), caller, limit, offset, now)
        ),
        client_address(request),
        key,
    )
    headers = {"Cache-Control": "no-store"}
    if status == 201:
        headers["Location"] = f"/api/tournaments/{tournament.id}"
    return ApiResponse(body, status=status, headers=headers)


def _tournament_info(tournament: Tournament, caller: Caller, limit: int, offset: int, now: float) -> TournamentInfo:
    """Return a tournament with a part of its standings and its last round, as the caller sees it."""
    rows = standings(tournament)
    last = _round_info(tournament, len(tournament.rounds) - 1) if tournament.rounds else RoundInfo(0, (), ())
    return TournamentInfo(
        tournament.id, tournament.setup, tournament.status, tournament.seq, tournament.organiser_name,
        tournament.created_at, tournament.started_at,
        tournament.ends_at if tournament.setup.is_arena and tournament.started_at else 0.0,
        tournament.ended_at, tournament.reason, len(tournament.active()), len(tournament.rounds),
        tournament.planned_rounds, tuple(rows[offset : offset + limit]), last.boards, last.byes,
        _my_part(tournament, rows, caller), now,
    )  # fmt: skip


def _my_part(tournament: Tournament, rows: list[Standing], caller: Caller) -> MyPart:
    """Return the caller's part in a tournament: organiser or entrant, its open board, its standing."""
    organises = _is_organiser(tournament, caller)
    number = _number_of(tournament, caller)
    if number is None:
        return MyPart(organises, None)
    state = tournament.entrants[number]
    standing = next((row for row in rows if row.number == number), None)
    for _, _, board in tournament.open_boards():
        if number in board.entrants and board.match:
            seat = board.entrants.index(number)
            opponent = tournament.entrants[board.entrants[1 - seat]].entrant.name
            return MyPart(
                organises, number, state.checked_in, state.withdrawn, board.match, seat, opponent, standing
            )  # fmt: skip
    return MyPart(organises, number, state.checked_in, state.withdrawn, standing=standing)


def _round_info(tournament: Tournament, number: int) -> RoundInfo:
    """Return a round, given its index, with at most `MAX_BOARDS_SHOWN` boards."""
    played_round = tournament.rounds[number]
    boards = played_round.boards[-MAX_BOARDS_SHOWN:]
    if tournament.setup.is_arena:
        boards = boards[::-1]  # newest first
    names = [state.entrant.name for state in tournament.entrants]
    return RoundInfo(
        number + 1,
        tuple(_board_info(board, number, names) for board in boards),
        tuple(names[bye] for bye in played_round.byes),
    )


def _board_info(board: Board, number: int, names: list[str]) -> BoardInfo:
    first, second = board.entrants
    return BoardInfo(number + 1, (names[first], names[second]), board.match, board.points, board.termination)


# --- requests -------------------------------------------------------------------------------------------------------


async def create_tournament(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Announce a tournament, if the server's settings allow it to the caller."""
    caller = _require_caller(context, request, Scope.ORGANISE)
    _check_creation(context, caller)
    body = await decode_body(request, NewTournament)
    name = _name_of(context, caller, body.name)
    if not context.new_tournaments.take(client_address(request)):
        raise over_rate("new tournaments", context.new_tournaments.limit, 600)
    try:
        bots = _bot_entrants(body.bots, 0)
        tournament = await context.tournaments.create(body.setup, seat_key_of(caller), name, bots)
    except BoardwireError as error:
        raise _problem_for(error) from None
    return await _tournament_response(context, request, tournament, caller, status=201)


async def enter_tournament(context: ApiContext, query: TournamentIdQuery, request: Request) -> ApiResponse:
    """Enter a tournament, or rejoin it after a withdrawal; its organiser may enter bots."""
    caller = _require_caller(context, request, Scope.PLAY)
    spend(context.entries, request, ENTRIES_PER_SECOND)
    body = await decode_body(request, Entry)
    try:
        tournament = await _load_tournament(context, request, query.id)
        if body.bots:
            _check_organises(tournament, caller)
            for bot in _bot_entrants(body.bots, len(tournament.entrants)):
                tournament = await context.tournaments.enter(query.id, bot)
        else:
            name, setup = _name_of(context, caller, body.name), tournament.setup
            rating = await context.read(lambda: _seeding_rating(context, caller.player, setup), client_address(request))
            entrant = Entrant(name, seat_key_of(caller), account=caller.player, rating=rating)
            tournament = await context.tournaments.enter(query.id, entrant)
    except BoardwireError as error:
        raise _problem_for(error) from None
    return await _tournament_response(context, request, tournament, caller)


def _seeding_rating(context: ApiContext, player: int, setup: TournamentSetup) -> float:
    """Return the rating by which a participant is seeded, or 0 if it has none."""
    if not player:
        return 0.0
    game = rules(setup.game)
    options = game.Options() if setup.options is None else to_type(setup.options, game.Options)
    mode = mode_of(msgspec.to_builtins(game.settle(options, (None, None))))
    category = Category(Pool.ALL, setup.game, mode, speed_of(setup.policy))
    return context.accounts.records.read(lambda db: rating_in(db, player, category))


async def withdraw_from_tournament(context: ApiContext, query: TournamentIdQuery, request: Request) -> ApiResponse:
    """Withdraw from a tournament; a match in play is finished first."""
    return await _own_request(context, query, request, decide.withdraw)


async def check_in_to_tournament(context: ApiContext, query: TournamentIdQuery, request: Request) -> ApiResponse:
    """Confirm the caller's presence before the start."""
    return await _own_request(context, query, request, decide.check_in)


async def start_tournament(context: ApiContext, query: TournamentIdQuery, request: Request) -> ApiResponse:
    """Start a tournament at once; only for its organiser."""
    return await _organiser_request(context, query, request, decide.start)


async def cancel_tournament(context: ApiContext, query: TournamentIdQuery, request: Request) -> ApiResponse:
    """End a tournament without a result; only for its organiser and moderators. Matches in play continue."""
    return await _organiser_request(context, query, request, decide.cancel, moderators=True)


async def _own_request(
    context: ApiContext, query: TournamentIdQuery, request: Request, own_decider: OwnDecider
) -> ApiResponse:
    """Change the caller's own entry; raise `Refused` if it has none."""
    caller = _require_caller(context, request, Scope.PLAY)
    spend(context.entries, request, ENTRIES_PER_SECOND)

    def decider(tournament: Tournament, now: float) -> tuple[Event, ...]:
        number = _number_of(tournament, caller)
        if number is None:
            raise Refused("you have not entered this tournament")
        return own_decider(tournament, number, now)

    return await _change_tournament(context, query, request, caller, decider)


async def _organiser_request(
    context: ApiContext, query: TournamentIdQuery, request: Request, decider: Decider, *, moderators: bool = False
) -> ApiResponse:
    """Change a tournament for its organiser or, with `moderators`, for a moderator, whose act is then logged."""
    caller = _require_caller(context, request, Scope.ORGANISE)
    try:
        tournament = await _load_tournament(context, request, query.id)
    except BoardwireError as error:
        raise _problem_for(error) from None
    moderates = moderators and Role.MODERATOR in caller.roles and Scope.ADMIN in caller.scopes
    if not moderates:
        _check_organises(tournament, caller)
    answer = await _change_tournament(context, query, request, caller, decider)
    if not _is_organiser(tournament, caller):
        await context.moderation.act(caller.signature, ActKind.CANCEL, tournament.id)
    return answer


async def _change_tournament(
    context: ApiContext, query: TournamentIdQuery, request: Request, caller: Caller, decider: Decider
) -> ApiResponse:
    try:
        tournament = await context.tournaments.change(query.id, decider)
    except BoardwireError as error:
        raise _problem_for(error) from None
    return await _tournament_response(context, request, tournament, caller)


# --- callers --------------------------------------------------------------------------------------------------------


def seat_key_of(caller: Caller) -> str:
    """Return the key that identifies the caller's seats at tables, or ''."""
    return caller.key if caller.account is None else account_key(caller.account.id)


def _require_caller(context: ApiContext, request: Request, scope: Scope) -> Caller:
    """Return the caller; raise `Problem` without a key, for a banned caller, or without this scope."""
    caller = authenticate(context, request)
    if not caller.key:
        raise Problem(401, "token of a guest or a player required", CHALLENGE, Reason.BAD_TOKEN)
    refuse_banned(context, caller)
    if caller.account is not None and scope not in caller.scopes:
        raise Problem(403, f"token with the scope {scope} required")
    return caller


def _check_creation(context: ApiContext, caller: Caller) -> None:
    needed = {"organisers": Role.ORGANISER, "players": Role.PLAYER}.get(context.tournament_creation)
    if needed is not None and needed not in caller.roles:
        raise Problem(403, f"on this server only {context.tournament_creation} may create tournaments")


def _name_of(context: ApiContext, caller: Caller, requested: str) -> str:
    if caller.account is not None:
        return caller.account.name
    name = " ".join(requested.split())
    if not name or name != printable(name):
        raise Problem(422, f"name required: 1 to {NAME_LIMIT} printable characters")
    return context.accounts.directory.guest_name(name)


def _number_of(tournament: Tournament, caller: Caller) -> int | None:
    key = seat_key_of(caller)
    return tournament.number_of(Entrant("", key, account=caller.player)) if key else None


def _is_organiser(tournament: Tournament, caller: Caller) -> bool:
    key = seat_key_of(caller)
    return bool(key) and key == tournament.organiser


def _bot_entrants(entries: tuple[BotEntry, ...], first: int) -> list[Entrant]:
    """Return bots with numbered names, such as `greedy #3`; the page shows a bot's name only if it has a number."""
    count = sum(entry.count for entry in entries)
    if count > MAX_ENTRANTS:
        raise Refused(f"a tournament must have at most {MAX_ENTRANTS} participants, not {count}", reason=Reason.LIMIT)
    entrants: list[Entrant] = []
    for entry in entries:
        for _ in range(entry.count):
            entrants.append(Entrant(f"{bot_name(entry.bot)} #{first + len(entrants) + 1}", bot=entry.bot))
    return entrants


_STATUSES: Final = {Reason.NO_SUCH_TABLE: 404, Reason.LIMIT: 429, Reason.UNAVAILABLE: 503, Reason.MALFORMED: 422}


def _problem_for(error: BoardwireError) -> Problem:
    return Problem(_STATUSES.get(error.reason, 409), str(error), reason=error.reason)


def _check_organises(tournament: Tournament, caller: Caller) -> None:
    if not _is_organiser(tournament, caller):
        raise Problem(403, "only the organiser of the tournament may do this")
