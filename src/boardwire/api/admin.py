"""Moderation and administration over HTTP.

- Every route needs a token with the scope `admin` of a player with the role `moderator`; draining a node and assigning
  roles need the role `admin`.
- Every change is stored in the audit log, with the name of the player who made it, before it takes effect.
- Moderators cannot sanction players of their own rank or above, and a request cannot ban the address from which it was
  sent.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated, Any, Final

import msgspec
from starlette.requests import Request

from boardwire.api.authentication import Caller, authenticate, require
from boardwire.api.body import decode_body
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, client_address
from boardwire.api.problem import Problem
from boardwire.errors import Malformed
from boardwire.games.game import Seat
from boardwire.lobby.quotas import Quotas
from boardwire.moderation import act_log
from boardwire.moderation.acts import Act, ActKind, Report
from boardwire.moderation.subjects import SubjectKind, parse_network, parse_subject, subject_of, target_names
from boardwire.players.account import Account, Role, Scope
from boardwire.table.match import Match, Status
from boardwire.table.summary import summarize

MAX_SANCTION_SECONDS: Final = 10 * 365 * 86_400.0
"""Longest duration of a ban, a mute or an announcement that has an end."""
MAX_ROWS: Final = 200
"""Largest number of rows in one response."""
_AT_ONCE_SECONDS: Final = 0.001
"""Time for which a node that stops at once waits for its matches; 0 would mean forever."""
USAGE_ROWS: Final = 50
"""Players or addresses listed for each quota, those with the highest usage first."""

Seconds = Annotated[float, msgspec.Meta(ge=0, le=MAX_SANCTION_SECONDS, description="duration; 0: forever")]
ReasonText = Annotated[str, msgspec.Meta(max_length=500, description="reason, for the audit log and the player")]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53, description="only those before this number; 0: the newest")]
Rows = Annotated[int, msgspec.Meta(ge=1, le=MAX_ROWS, description="maximum number of results")]


class NewSanction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new ban or mute. `subject` is an address, a network, `player:NUMBER`, `name:NAME` or `guest:KEY`."""

    subject: Annotated[str, msgspec.Meta(max_length=200)]
    seconds: Seconds = 0.0
    reason: ReasonText = ""


class SubjectQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ban or mute to lift."""

    subject: Annotated[str, msgspec.Meta(max_length=200)]
    reason: ReasonText = ""


class Sanctions(msgspec.Struct, frozen=True):
    """Bans and mutes in force, oldest first."""

    bans: tuple[Act, ...]
    mutes: tuple[Act, ...]
    announcement: Act | None
    names: dict[str, str]
    """Names of the players among the targets."""


class CloseQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match."""

    id: Annotated[str, msgspec.Meta(max_length=64)]


class ActReason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reason of an act."""

    reason: ReasonText = ""


class NewAnnouncement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An announcement to all players; an empty `text` withdraws the last one."""

    text: Annotated[str, msgspec.Meta(max_length=500)] = ""
    seconds: Seconds = 0.0


class DrainRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The node to drain (empty: the one that answers), and how long it waits for matches in play."""

    node: Annotated[str, msgspec.Meta(max_length=64)] = ""
    seconds: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 0.0
    reason: ReasonText = ""


class AuditQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of the audit log, newest first."""

    before: Number = 0
    limit: Rows = 50
    kind: ActKind | None = None
    target: Annotated[str, msgspec.Meta(max_length=200)] = ""


class Audit(msgspec.Struct, frozen=True):
    """Acts, newest first; `next` continues."""

    acts: tuple[Act, ...]
    next: int | None
    names: dict[str, str]
    """Names of the players among the targets."""


class ReportsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of reports, newest first: the open or the answered ones."""

    answered: bool = False
    before: Number = 0
    limit: Rows = 50


class Reports(msgspec.Struct, frozen=True):
    """Reports, newest first; `next` continues."""

    reports: tuple[Report, ...]
    next: int | None


class ReportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A report."""

    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class GuestInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player or spectator at a table. `subject` and `address` can be banned; bots have neither."""

    name: str = ""
    dialect: str = ""
    bot: str = ""
    seat: Seat | None = None
    subject: str = ""
    address: str = ""
    away: bool = False


class AdminTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table with its guests, as moderators see it."""

    match: str
    game: str
    status: Status
    moves: int
    players: tuple[GuestInfo | None, ...]
    private: bool = False
    spectators: tuple[GuestInfo, ...] = ()


class AdminTables(msgspec.Struct, frozen=True):
    """All tables that this node knows, private ones included."""

    tables: tuple[AdminTable, ...]
    node: str


class PlayersQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search for players by a part of their name."""

    name: Annotated[str, msgspec.Meta(max_length=64)] = ""


class PlayerRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player with an account, and its sanctions in force."""

    number: int
    name: str
    role: Role
    created: float
    ban: Act | None = None
    mute: Act | None = None


class PlayerRows(msgspec.Struct, frozen=True):
    """Players, newest first."""

    players: tuple[PlayerRow, ...]


class PlayerQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player."""

    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The role of a player."""

    role: Role


class QuotaUse(msgspec.Struct, frozen=True):
    """Quota usage of one player or address."""

    who: str
    used: int


class QuotaInfo(msgspec.Struct, frozen=True):
    """A quota: its limit (0: none), and the players or addresses with the highest usage."""

    quota: str
    limit: int
    used: tuple[QuotaUse, ...]


class QuotasInfo(msgspec.Struct, frozen=True):
    """The quotas of this node."""

    quotas: tuple[QuotaInfo, ...]
    connections: tuple[QuotaUse, ...]


class CallerInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Sender of a request. `role` and `name` are those of its account, `scopes` those of its token."""

    subject: str = ""
    name: str = ""
    role: Role | None = None
    scopes: tuple[Scope, ...] = ()


async def caller_info(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Return the sender of the request: a guest, a player with role and scopes, or nothing without a token."""
    caller = authenticate(context, request)
    account = caller.account
    if account is None:
        return _uncached_response(CallerInfo(caller.subject))
    return _uncached_response(CallerInfo(caller.subject, account.name, account.role, tuple(sorted(caller.scopes))))


async def list_sanctions(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Return the bans, the mutes and the announcement in force."""
    _require_moderator(context, request)
    moderation = context.moderation
    await moderation.follow()
    now, sanctions = moderation.now(), moderation.sanctions
    bans, mutes = tuple(sanctions.bans(now)), tuple(sanctions.mutes(now))
    names = target_names((*bans, *mutes), context.accounts.directory)
    return _uncached_response(Sanctions(bans, mutes, sanctions.announcement(now), names))


async def ban(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Ban an address, a network, a player or a guest; its connections are closed."""
    return await _impose_sanction(context, request, ActKind.BAN)


async def mute(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Mute an address, a network, a player or a guest: its chat messages are refused."""
    return await _impose_sanction(context, request, ActKind.MUTE)


async def unban(context: ApiContext, query: SubjectQuery, request: Request) -> ApiResponse:
    """Lift a ban."""
    return await _lift_sanction(context, query, request, ActKind.UNBAN)


async def unmute(context: ApiContext, query: SubjectQuery, request: Request) -> ApiResponse:
    """Lift a mute."""
    return await _lift_sanction(context, query, request, ActKind.UNMUTE)


async def close_match(context: ApiContext, query: CloseQuery, request: Request) -> ApiResponse:
    """End a match without a result and close its table."""
    caller, _ = _require_moderator(context, request)
    body = await decode_body(request, ActReason)
    is_in_lobby = context.lobby.find_table(query.id) is not None or any(
        match.id == query.id for match in context.lobby.shared_survey().matches
    )
    if not is_in_lobby and not await context.read(lambda: _is_unfinished(context, query.id)):
        raise Problem(404, f"there is no unfinished match {query.id!r}")
    return await _act_response(context, caller, ActKind.CLOSE, query.id, body.reason)


async def announce(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Send an announcement to all players, on the page and over the native dialect."""
    caller, _ = _require_moderator(context, request)
    body = await decode_body(request, NewAnnouncement)
    return await _act_response(context, caller, ActKind.ANNOUNCE, "", body.text, body.seconds)


async def drain(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Drain a node: it accepts no new players, and stops when no match is in play or after `seconds`."""
    caller, _ = require(context, request, scope=Scope.ADMIN, role=Role.ADMIN)
    body = await decode_body(request, DrainRequest)
    own_node = "" if context.cluster is None else context.cluster.name
    if body.node and body.node != own_node and context.cluster is None:
        raise Problem(404, f"there is no node {body.node!r}: this server has one node, which has no name")
    if body.node and context.cluster is not None:
        nodes = await context.read(context.cluster.nodes)
        if body.node not in [node.name for node in nodes]:
            raise Problem(404, f"there is no node {body.node!r}; nodes are {', '.join(node.name for node in nodes)}")
    seconds = body.seconds or _AT_ONCE_SECONDS
    return await _act_response(context, caller, ActKind.DRAIN, body.node or own_node, body.reason, seconds)


async def audit_log(context: ApiContext, query: AuditQuery, request: Request) -> ApiResponse:
    """Return a page of the audit log: the acts of moderators and administrators."""
    _require_moderator(context, request)
    kind = "" if query.kind is None else query.kind.value
    records = context.moderation.records
    acts = await context.read(
        lambda: records.read(
            lambda db: act_log.acts_before(db, query.before, query.limit, kind, query.target)
        ),
        client_address(request),
    )  # fmt: skip
    names = target_names(acts, context.accounts.directory)
    return _uncached_response(Audit(tuple(acts), acts[-1].number if len(acts) == query.limit else None, names))


async def list_reports(context: ApiContext, query: ReportsQuery, request: Request) -> ApiResponse:
    """Return the reports of players."""
    _require_moderator(context, request)
    records = context.moderation.records
    reports = await context.read(
        lambda: records.read(
            lambda db: act_log.reports(db, answered=query.answered, before=query.before, count=query.limit)
        ),
        client_address(request),
    )  # fmt: skip
    return _uncached_response(Reports(tuple(reports), reports[-1].number if len(reports) == query.limit else None))


async def resolve_report(context: ApiContext, query: ReportQuery, request: Request) -> ApiResponse:
    """Answer a report, which closes it."""
    caller, _ = _require_moderator(context, request)
    body = await decode_body(request, ActReason)
    return await _act_response(context, caller, ActKind.RESOLVE, str(query.number), body.reason)


async def list_tables(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Return all tables with the addresses of their guests, private tables included."""
    _require_moderator(context, request)
    tables = {table.match.id: _table_info(table.match, table) for table in context.lobby}
    for match in context.lobby.shared_survey().matches:  # tables of other nodes: their guests are not known here
        tables.setdefault(match.id, _table_info(match))
    name = "" if context.cluster is None else context.cluster.name
    return _uncached_response(AdminTables(tuple(tables.values()), name))


async def list_players(context: ApiContext, query: PlayersQuery, request: Request) -> ApiResponse:
    """Return players with an account, newest first."""
    _require_moderator(context, request)
    sanctions, now = context.moderation.sanctions, context.moderation.now()
    rows = []
    accounts = await context.read(
        lambda: context.accounts.directory.search(query.name, MAX_ROWS), client_address(request)
    )
    for account in accounts:
        subject = f"{SubjectKind.PLAYER}:{account.id}"
        rows.append(
            PlayerRow(
                account.id, account.name, account.role, account.created, sanctions.ban_of(subject, now),
                sanctions.mute_of(subject, now),
            )
        )  # fmt: skip
    return _uncached_response(PlayerRows(tuple(rows)))


async def set_role(context: ApiContext, query: PlayerQuery, request: Request) -> ApiResponse:
    """Give a player a role."""
    caller, _ = require(context, request, scope=Scope.ADMIN, role=Role.ADMIN)
    body = await decode_body(request, NewRole)
    if query.number == caller.player and body.role is not Role.ADMIN:
        raise Problem(409, "you cannot give up your own admin role; ask another admin")
    if context.accounts.directory.account(query.number) is None:
        raise Problem(404, f"there is no player {query.number}")
    answer = await _act_response(context, caller, ActKind.ROLE, f"{SubjectKind.PLAYER}:{query.number}", body.role.value)
    await context.accounts.set_role(query.number, body.role)
    return answer


async def list_quotas(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Return the quotas of this node with the highest usage of each."""
    _require_moderator(context, request)
    usage = context.lobby.context.quotas.usage(context.lobby.clock.now())
    limits: Quotas = context.lobby.context.quotas.quotas
    rows = tuple(
        QuotaInfo(name, getattr(limits, name), _largest_uses(usage.get(name, {}))) for name in limits.__struct_fields__
    )
    connections = {} if context.connections is None else dict(context.connections.by_address)
    return _uncached_response(QuotasInfo(rows, _largest_uses(connections)))


# --- shared -----------------------------------------------------------------------------------------------------------


def _require_moderator(context: ApiContext, request: Request) -> tuple[Caller, Account]:
    return require(context, request, scope=Scope.ADMIN, role=Role.MODERATOR)


def _uncached_response(value: Any) -> ApiResponse:
    """Return a response that no cache may store, because it is for this caller only."""
    return ApiResponse(msgspec.json.encode(value), headers={"Cache-Control": "no-store"})


async def _act_response(
    context: ApiContext, caller: Caller, kind: ActKind, target: str = "", reason: str = "", seconds: float = 0.0
) -> ApiResponse:
    act = await context.moderation.act(caller.signature, kind, target, reason, seconds)
    return _uncached_response(act)


async def _impose_sanction(context: ApiContext, request: Request, kind: ActKind) -> ApiResponse:
    """Impose a sanction on the subject in the body; callers cannot ban their own address or a higher rank."""
    caller, account = _require_moderator(context, request)
    body = await decode_body(request, NewSanction)
    subject = resolve(context, body.subject)
    _check_rank(context, account, subject)
    if kind is ActKind.BAN:
        _check_own_address(request, subject)
    return await _act_response(context, caller, kind, subject, body.reason, body.seconds)


async def _lift_sanction(context: ApiContext, query: SubjectQuery, request: Request, kind: ActKind) -> ApiResponse:
    caller, _ = _require_moderator(context, request)
    return await _act_response(context, caller, kind, resolve(context, query.subject), query.reason)


def resolve(context: ApiContext, text: str) -> str:
    """Return the subject that a text names; raise an error if it names none."""
    prefix, _, name = text.strip().partition(":")
    if prefix == "name":
        account = context.accounts.directory.named(name)
        if account is None:
            raise Problem(404, f"no player has claimed the name {name!r}; ban the guest or its address instead")
        return f"{SubjectKind.PLAYER}:{account.id}"
    return parse_subject(text)


def _check_rank(context: ApiContext, account: Account, subject: str) -> None:
    """Raise `Problem` if the subject is a player whom this account may not sanction."""
    kind, _, number = subject.partition(":")
    if kind != SubjectKind.PLAYER:
        return
    other = context.accounts.directory.account(int(number))
    if other is None:
        raise Problem(404, f"there is no player {number}")
    if account.id == other.id or (Role.MODERATOR in other.roles and account.role is not Role.ADMIN):
        raise Problem(403, f"{other.name!r} has the role {other.role}: only another admin can do this")


def _check_own_address(request: Request, subject: str) -> None:
    """Raise `Problem` if the subject includes the address of the request."""
    kind, _, network = subject.partition(":")
    if kind != SubjectKind.ADDRESS or request.client is None:
        return
    try:
        own_network = parse_network(str(ip_address(request.client.host)))
    except (ValueError, Malformed):  # the client has no IP address
        return
    banned_network = parse_network(network)
    if own_network.version == banned_network.version and own_network.network_address in banned_network:
        raise Problem(
            409, f"{banned_network} includes your own address; use `boardwire admin ban --data` on the server"
        )


def _is_unfinished(context: ApiContext, match: str) -> bool:
    events = context.journal.read(match)
    return bool(events) and summarize(events).status is not Status.OVER


def _table_info(match: Match, table: Any = None) -> AdminTable:
    """Return a table for moderators, with the addresses of its guests if it is hosted here."""
    guests = () if table is None else tuple(guest for guest in table.guests if not guest.bot)
    guest_by_seat = {} if table is None else {table.seat_of(guest): guest for guest in guests}
    players: list[GuestInfo | None] = []
    for seat, chair in enumerate(match.chairs):
        player, guest = chair.player, guest_by_seat.get(seat)
        if player is None:
            players.append(None)
        else:
            players.append(
                GuestInfo(
                    player.name, player.dialect, player.bot, seat, "" if player.bot else subject_of(player.key),
                    "" if guest is None else guest.address_key, chair.away is not None,
                )
            )  # fmt: skip
    spectators = tuple(
        GuestInfo(guest.name, subject=subject_of(guest.key), address=guest.address_key)
        for guest in guests
        if table.seat_of(guest) is None
    )
    return AdminTable(
        match.id, match.setting.game.name, match.status, match.moves, tuple(players), bool(match.setting.code),
        spectators,
    )  # fmt: skip


def _largest_uses(used: dict[str, int]) -> tuple[QuotaUse, ...]:
    return tuple(QuotaUse(who, count) for who, count in sorted(used.items(), key=lambda item: -item[1])[:USAGE_ROWS])
