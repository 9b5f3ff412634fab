"""The authorization matrix: every route and every native request, with every role and token.

`ROUTES` says what each route needs.  It is compared with the OpenAPI document, so a new route without a row fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
import pytest

from boardwire import dialects
from boardwire.api import openapi, routes
from boardwire.api.rate_limit import TokenBuckets
from boardwire.dialects.native import messages as wire
from boardwire.errors import Reason
from boardwire.lobby.held_seats import token_hash
from boardwire.moderation.acts import ActKind
from boardwire.moderation.moderation import Moderation
from boardwire.organise.schema import COMPONENT, MIGRATIONS
from boardwire.organise.tables import OrganisedTables
from boardwire.players.account import ALL_SCOPES, Role, Scope
from boardwire.players.accounts import Accounts
from boardwire.players.entrance import Entrance
from boardwire.records.sqlite import SqliteRecords
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.wire.codec import feed
from boardwire.wire.websocket import FrameDecoder, encode_text

from .api_fixture import ApiFixture, api_fixture, problem


class Needs(Enum):
    """What a route asks of its caller."""

    NOTHING = "nothing"
    TOKEN = "the token of a guest or a player that may play"
    ANY_TOKEN = "the token of a guest or a player, also of a banned one"
    OWN_TOKEN = "the token of a guest, or a player who is signed in, also a banned one"
    ORGANISING_TOKEN = "the token of a guest or a player that may organise"
    SESSION = "a player who is signed in, also a banned one"
    PLAYER = "a player with an account and a token that may play"
    ORGANISER = "an organiser"
    MODERATOR = "a moderator"
    ADMIN = "an admin"
    INSPECT_TOKEN = "the inspect token of the operator"


N = Needs
ROUTES = {
    "GET /api/tables": N.NOTHING,
    "GET /api/matches": N.NOTHING,
    "GET /api/matches/{id}": N.NOTHING,
    "GET /api/matches/{id}/events": N.NOTHING,
    "GET /api/matches/{id}/steps": N.NOTHING,
    "GET /api/matches/{id}/export": N.NOTHING,
    "GET /api/matches/{id}/analysis": N.NOTHING,
    "GET /api/matches/{id}/wire": N.NOTHING,
    "GET /api/wire": N.INSPECT_TOKEN,
    "POST /api/matches/import": N.NOTHING,
    "GET /api/mine": N.ANY_TOKEN,
    "POST /api/organise/tables": N.ORGANISER,
    "GET /api/organise/tables": N.ORGANISER,
    "GET /api/organise/tables/{id}": N.ORGANISER,
    "DELETE /api/organise/tables/{id}": N.ORGANISER,
    "GET /api/organise/events": N.ORGANISER,
    "POST /api/organise/webhooks": N.ORGANISER,
    "GET /api/organise/webhooks": N.ORGANISER,
    "DELETE /api/organise/webhooks/{number}": N.ORGANISER,
    "GET /api/organise/deliveries": N.ORGANISER,
    "GET /api/account": N.SESSION,
    "POST /api/account": N.NOTHING,
    "DELETE /api/account": N.SESSION,
    "POST /api/account/challenge": N.NOTHING,
    "POST /api/account/sessions": N.NOTHING,
    "POST /api/account/name": N.SESSION,
    "POST /api/account/recovery": N.SESSION,
    "POST /api/account/passkeys": N.SESSION,
    "DELETE /api/account/passkeys/{credential}": N.SESSION,
    "POST /api/account/tokens": N.SESSION,
    "DELETE /api/account/tokens/{number}": N.SESSION,
    "GET /api/players": N.NOTHING,
    "GET /api/players/{player}": N.NOTHING,
    "GET /api/players/{player}/history": N.NOTHING,
    "GET /api/players/{player}/matches": N.NOTHING,
    "GET /api/players/{player}/against/{other}": N.NOTHING,
    "POST /api/players/{player}/challenge": N.PLAYER,
    "PUT /api/players/{player}/follow": N.PLAYER,
    "DELETE /api/players/{player}/follow": N.PLAYER,
    "PUT /api/players/{player}/block": N.PLAYER,
    "DELETE /api/players/{player}/block": N.PLAYER,
    "GET /api/account/relations": N.PLAYER,
    "GET /api/account/challenges": N.PLAYER,
    "DELETE /api/account/challenges/{number}": N.PLAYER,
    "GET /api/leaderboard": N.NOTHING,
    "GET /api/leaderboard/categories": N.NOTHING,
    "GET /api/leaderboard/distribution": N.NOTHING,
    "GET /api/games": N.NOTHING,
    "GET /api/games/{name}": N.NOTHING,
    "GET /api/bots": N.NOTHING,
    "POST /api/positions": N.NOTHING,
    "POST /api/positions/search": N.NOTHING,
    "GET /api/puzzles": N.NOTHING,
    "GET /api/puzzles/{name}": N.NOTHING,
    "GET /api/puzzles/{name}/try": N.NOTHING,
    "POST /api/reports": N.TOKEN,
    "GET /api/caller": N.NOTHING,
    "GET /api/privacy/export": N.OWN_TOKEN,
    "GET /api/admin/tables": N.MODERATOR,
    "GET /api/admin/players": N.MODERATOR,
    "POST /api/admin/players/{number}/role": N.ADMIN,
    "GET /api/admin/sanctions": N.MODERATOR,
    "POST /api/admin/bans": N.MODERATOR,
    "DELETE /api/admin/bans": N.MODERATOR,
    "POST /api/admin/mutes": N.MODERATOR,
    "DELETE /api/admin/mutes": N.MODERATOR,
    "POST /api/admin/matches/{id}/close": N.MODERATOR,
    "POST /api/admin/announcement": N.MODERATOR,
    "POST /api/admin/drain": N.ADMIN,
    "GET /api/admin/reports": N.MODERATOR,
    "POST /api/admin/reports/{number}": N.MODERATOR,
    "GET /api/admin/audit": N.MODERATOR,
    "GET /api/admin/quotas": N.MODERATOR,
    "GET /api/tournaments": N.NOTHING,
    "POST /api/tournaments": N.ORGANISING_TOKEN,
    "GET /api/tournaments/{id}": N.NOTHING,
    "GET /api/tournaments/{id}/rounds/{round}": N.NOTHING,
    "POST /api/tournaments/{id}/enter": N.TOKEN,
    "POST /api/tournaments/{id}/withdraw": N.TOKEN,
    "POST /api/tournaments/{id}/check-in": N.TOKEN,
    "POST /api/tournaments/{id}/start": N.ORGANISING_TOKEN,
    "POST /api/tournaments/{id}/cancel": N.ORGANISING_TOKEN,
    "GET /api/push": N.NOTHING,
    "POST /api/push": N.ANY_TOKEN,
    "POST /api/push/end": N.ANY_TOKEN,
    "GET /api/account/mail": N.SESSION,
    "POST /api/account/mail": N.SESSION,
    "POST /api/account/mail/confirm": N.SESSION,
    "DELETE /api/account/mail": N.SESSION,
    "POST /api/mail/unsubscribe": N.NOTHING,
    "GET /api/nodes": N.NOTHING,
    "GET /match/{id}": N.NOTHING,
    "GET /match/{id}/picture.png": N.NOTHING,
    "GET /healthz": N.NOTHING,
    "GET /readyz": N.NOTHING,
    "GET /metrics": N.NOTHING,
    "GET /openapi.json": N.NOTHING,
    "GET /asyncapi.json": N.NOTHING,
}

PARAMETERS = {
    "puzzles/{name}": "puzzles/today", "{id}": "match-1", "{name}": "tris", "{number}": "99", "{credential}": "abc",
    "{round}": "1", "{player}": "99", "{other}": "98",
}  # fmt: skip
QUERIES = {
    "DELETE /api/admin/bans": {"subject": "198.51.100.9"},
    "DELETE /api/admin/mutes": {"subject": "198.51.100.9"},
    "POST /api/mail/unsubscribe": {"token": "abc"},
    "GET /api/wire": {"match": "match-1"},
    "GET /api/matches/{id}/wire": {"dialect": "tris-lines", "seat": "0"},
}
"""Queries without which a request is malformed."""

WRONG_CODE = "the name or the recovery code is wrong"
GUEST_TOKEN = "the-token-of-some-guest-or-other"


class Caller(msgspec.Struct, frozen=True):
    """Who asks: the role of the account (None: no account), and the scopes of an API token (None: a session)."""

    name: str
    role: Role | None = None
    scopes: frozenset[Scope] | None = None
    token: bool = True
    banned: bool = False

    def may(self, needs: Needs) -> bool:
        """Whether this caller should be admitted."""
        scopes = ALL_SCOPES if self.scopes is None else self.scopes
        rank = list(Role).index(self.role) if self.role is not None else -1
        match needs:
            case Needs.NOTHING:
                return True
            case Needs.INSPECT_TOKEN:
                return False
            case Needs.ANY_TOKEN:
                return self.token
            case Needs.OWN_TOKEN:
                return self.token and self.scopes is None
            case Needs.SESSION:
                return self.role is not None and self.scopes is None
            case _ if self.banned:
                return False
            case Needs.TOKEN | Needs.ORGANISING_TOKEN:
                scope = Scope.PLAY if needs is Needs.TOKEN else Scope.ORGANISE
                return self.token and (self.role is None or scope in scopes)
            case Needs.PLAYER:
                return self.role is not None and Scope.PLAY in scopes
            case Needs.ORGANISER:
                return rank >= list(Role).index(Role.ORGANISER) and Scope.ORGANISE in scopes
            case Needs.MODERATOR:
                return rank >= list(Role).index(Role.MODERATOR) and Scope.ADMIN in scopes
            case Needs.ADMIN:
                return rank >= list(Role).index(Role.ADMIN) and Scope.ADMIN in scopes


CALLERS = (
    Caller("nobody", token=False),
    Caller("guest"),
    *(Caller(role.value, role) for role in Role),
    *(Caller(f"admin's {scope} token", Role.ADMIN, frozenset({scope})) for scope in Scope),
    Caller("player's forged admin token", Role.PLAYER, ALL_SCOPES),
    Caller("banned guest", banned=True),
    Caller("banned player", Role.PLAYER, banned=True),
    Caller("banned moderator", Role.MODERATOR, banned=True),
)


def token_of(caller: Caller, accounts: Accounts, moderation: Moderation) -> str:
    """Make the account and the token of a caller."""
    if not caller.token:
        return ""
    if caller.role is None:
        token = f"{GUEST_TOKEN}-{caller.name.replace(' ', '-')}"
        subject = f"guest:{token_hash(token)}"
    else:
        session = asyncio.run(accounts.claim(caller.name[:24], role=caller.role))
        account, token = session.account, session.token
        subject = f"player:{account.id}"
        if caller.scopes is not None:
            token = asyncio.run(accounts.add_api_token(account.id, "program", caller.scopes))
    if caller.banned:
        asyncio.run(moderation.act("console", ActKind.BAN, subject))
    return token


class NoPorts:
    async def open(self, dialect: str, match: str, seat: int, port: int = 0) -> int:
        return 20_000

    def close(self, match: str) -> None:
        pass

    def __len__(self) -> int:
        return 0


class NoTraffic:
    token = "the-inspect-token-of-the-operator"

    def after(self, match: str, number: int, most: int) -> Any:
        raise AssertionError("somebody reads live traffic")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ApiFixture]:
    with api_fixture(tmp_path / "page") as found:
        context = found.context
        context.accounts.records.migrate(COMPONENT, MIGRATIONS)
        context.organised = OrganisedTables(
            found.server.lobby, found.server.journal, context.accounts.records, NoPorts(), lambda: None
        )
        context.tap = NoTraffic()
        context.reports = TokenBuckets(100, 1.0)
        context.changes = TokenBuckets(100, 1.0)
        found.tris()
        yield found


def ask(place: ApiFixture, route: str, token: str, **headers: str) -> httpx.Response:
    """Ask a route with an empty body: admitted callers may hear that something is missing in it."""
    method, path = route.split()
    for name, value in PARAMETERS.items():
        path = path.replace(name, value)
    fields: dict[str, Any] = {"params": QUERIES.get(route, {})}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if method == "POST":
        fields["json"] = {}
    return place.client.ask(method, path, headers=headers, **fields)


def test_every_route_of_the_document_has_a_row_in_the_matrix() -> None:
    document = openapi.document(routes.ROUTES)
    paths = document["paths"].items()
    told = {f"{method.upper()} {path}" for path, operations in paths for method in operations}
    assert told == set(ROUTES)


def test_the_document_says_of_every_route_whether_it_needs_a_token() -> None:
    for endpoint in routes.ROUTES:
        needs = ROUTES[f"{endpoint.method} {endpoint.path}"]
        assert endpoint.bearer == (needs not in (N.NOTHING, N.INSPECT_TOKEN)), endpoint.path
        if endpoint.bearer:
            assert 401 in endpoint.errors, endpoint.path
        if endpoint.bearer and needs is not N.ANY_TOKEN:
            assert 403 in endpoint.errors, endpoint.path


@pytest.mark.parametrize("route", [route for route, needs in ROUTES.items() if needs is not N.NOTHING])
def test_a_route_admits_those_who_may_and_no_others(place: ApiFixture, route: str) -> None:
    needs = ROUTES[route]
    acts = place.context.moderation
    for caller in CALLERS:
        token = token_of(caller, place.context.accounts, acts)
        before = acts.sanctions.last_number
        answer = ask(place, route, token)
        admitted = answer.status_code not in (401, 403)
        if not admitted and caller.may(needs):  # for another reason than who asks
            admitted = problem(answer)["detail"].startswith(("only the organiser of", "a token with the scope"))
        assert admitted == caller.may(needs), f"{caller.name}: {answer.status_code} {answer.text}"
        if not admitted:
            known = caller.role is not None or (caller.banned and needs is not N.SESSION)
            assert answer.status_code == (403 if known and needs is not N.INSPECT_TOKEN else 401), caller.name
            assert acts.sanctions.last_number == before, f"{caller.name} left an act"


@pytest.mark.parametrize("route", [route for route, needs in ROUTES.items() if needs is N.NOTHING])
def test_a_public_route_needs_no_authentication(place: ApiFixture, route: str) -> None:
    answer = ask(place, route, "")
    if answer.status_code in (401, 403):
        assert (route, problem(answer)["detail"]) == ("POST /api/account/sessions", WRONG_CODE)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1;by=127.0.0.1"},
        {"X-Forwarded-User": "admin", "X-Remote-User": "admin", "X-Real-IP": "127.0.0.1"},
        {"Cookie": "token=admin; session=admin"},
        {"X-HTTP-Method-Override": "GET"},
        {"Authorization": "Basic YWRtaW46YWRtaW4="},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer null"},
        {"Authorization": f"Bearer {'0' * 32}"},
    ],
    ids=lambda headers: " ".join(headers)[:40],
)
def test_no_header_but_a_token_makes_a_moderator(place: ApiFixture, headers: dict[str, str]) -> None:
    for route in (route for route, needs in ROUTES.items() if needs in (N.MODERATOR, N.ADMIN)):
        assert ask(place, route, "", **headers).status_code == 401, route


def test_a_page_of_another_site_cannot_act_with_the_token_of_a_moderator(place: ApiFixture) -> None:
    token = token_of(CALLERS[4], place.context.accounts, place.context.moderation)
    for route in (route for route, needs in ROUTES.items() if needs is N.MODERATOR and not route.startswith("GET")):
        answer = ask(place, route, token, Origin="https://evil.example", Host="boardwire.test")
        assert answer.status_code == 403
        assert "another site" in problem(answer)["detail"]
    assert place.context.moderation.sanctions.last_number == 0


def test_a_role_that_was_taken_away_is_gone_at_once(place: ApiFixture) -> None:
    accounts = place.context.accounts
    token = token_of(CALLERS[4], accounts, place.context.moderation)
    assert ask(place, "GET /api/admin/audit", token).status_code == 200
    asyncio.run(accounts.set_role(1, Role.PLAYER))
    assert ask(place, "GET /api/admin/audit", token).status_code == 403


# --- native requests --------------------------------------------------------------------------------------------------


class World:
    """A server as connections see it: the entrance, the gate, the lobby."""

    def __init__(self) -> None:
        self.server = SimulatedServer(seed=1)
        self.accounts = Accounts(SqliteRecords(None))
        self.moderation = Moderation(self.accounts.records)
        self.lobby = Entrance(self.moderation.guard(self.server.lobby), self.accounts.directory)

    @property
    def clock(self) -> ManualClock:
        return self.server.clock


class Native:
    """A native connection."""

    def __init__(self, world: World) -> None:
        self._connection = SimulatedConnection(world, dialects.dialect("native"))
        self._decoder = FrameDecoder(masked=False)

    def ask(self, request: wire.Request) -> list[Any]:
        self._connection.send(encode_text(wire.encode(request), b"\0\0\0\0"))
        told: list[Any] = []
        feed(self._decoder, self._connection.take(), told.append)
        return [wire.decode_reply(text) for text in told if isinstance(text, str)]

    def refusal(self, request: wire.Request) -> str:
        """The code with which a request is refused; empty: it is not."""
        return next((reply.code for reply in self.ask(request) if isinstance(reply, wire.Refused)), "")


REQUESTS: dict[type, wire.Request] = {
    wire.Hello: wire.Hello(name="ann"),
    wire.List: wire.List(),
    wire.Open: wire.Open(game="tris"),
    wire.Find: wire.Find(game="tris"),
    wire.Pair: wire.Pair(game="tris"),
    wire.Join: wire.Join(match="match-1"),
    wire.Watch: wire.Watch(match="match-1"),
    wire.Resume: wire.Resume(match="match-1", seat=0),
    wire.Act: wire.Act(seq=0, action=0),
    wire.Say: wire.Say(text="hello"),
    wire.Undo: wire.Undo(),
    wire.Agree: wire.Agree(agree=True),
    wire.Draw: wire.Draw(),
    wire.Hint: wire.Hint(),
    wire.Resign: wire.Resign(),
    wire.CallTime: wire.CallTime(),
    wire.Rematch: wire.Rematch(),
    wire.Leave: wire.Leave(),
    wire.Sync: wire.Sync(),
    wire.Why: wire.Why(action=0),
    wire.Ping: wire.Ping(),
}
NEEDS_SEAT: set[type] = {
    wire.Act, wire.Undo, wire.Agree, wire.Draw, wire.Hint, wire.Resign, wire.CallTime, wire.Rematch, wire.Why,
}  # fmt: skip
NEEDS_TABLE = {wire.Say, wire.Leave, wire.Sync}
TO_A_TABLE = {wire.Open, wire.Find, wire.Pair, wire.Join, wire.Watch, wire.Resume}
ANYWHERE = {wire.Hello, wire.List, wire.Ping}


def test_every_native_request_has_a_row_in_the_matrix() -> None:
    assert set(REQUESTS) == set(get_args(wire.Request)) == NEEDS_SEAT | NEEDS_TABLE | TO_A_TABLE | ANYWHERE


def played(world: World) -> tuple[Native, Native]:
    """Two guests in a match of Tris, `match-1`."""
    pair = Native(world), Native(world)
    for number, one in enumerate(pair):
        one.ask(wire.Hello(name=f"guest {number}"))
        one.ask(wire.Find(game="tris"))
    return pair


@pytest.mark.parametrize("kind", REQUESTS, ids=lambda kind: kind.__name__)
def test_without_hello_nothing_is_done(kind: type) -> None:
    world = World()
    played(world)
    events = len(world.server.events("match-1"))
    assert bool(Native(world).refusal(REQUESTS[kind])) == (kind is not wire.Hello)
    assert len(world.server.events("match-1")) == events


@pytest.mark.parametrize("caller", CALLERS[1:], ids=lambda caller: caller.name)
@pytest.mark.parametrize("kind", REQUESTS, ids=lambda kind: kind.__name__)
def test_no_role_does_more_at_a_table_than_a_guest(caller: Caller, kind: type) -> None:
    """A role is no seat: moderators act over HTTP, where it is logged, and players of every role alone at theirs."""
    world = World()
    played(world)
    events = len(world.server.events("match-1"))
    token = token_of(caller, world.accounts, world.moderation)
    native = Native(world)
    welcomed = native.refusal(wire.Hello(name="x", token=token))
    plays = caller.scopes is None or Scope.PLAY in caller.scopes
    if caller.banned or not plays:
        assert welcomed == (Reason.BANNED if caller.banned else Reason.BAD_TOKEN)
        request = wire.Hello(name="x", token=token) if kind is wire.Hello else REQUESTS[kind]
        assert native.refusal(request)
        assert len(world.server.events("match-1")) == events
        return
    assert welcomed == ""
    refused = native.refusal(REQUESTS[kind])
    if kind in NEEDS_SEAT:
        assert refused == Reason.NO_SEAT
    elif kind in NEEDS_TABLE:
        assert refused == Reason.NO_TABLE
    elif kind is wire.Join:
        assert refused in (Reason.BEGUN, Reason.FULL)
    elif kind is wire.Resume:
        assert refused == Reason.NOT_YOUR_SEAT
    else:
        assert refused == ""
    assert len(world.server.events("match-1")) == events


@pytest.mark.parametrize("caller", CALLERS[1:7], ids=lambda caller: caller.name)
@pytest.mark.parametrize("kind", sorted(NEEDS_SEAT, key=str), ids=lambda kind: kind.__name__)
def test_a_spectator_of_any_role_has_no_seat(caller: Caller, kind: type) -> None:
    world = World()
    played(world)
    native = Native(world)
    native.ask(wire.Hello(name="x", token=token_of(caller, world.accounts, world.moderation)))
    native.ask(wire.Watch(match="match-1"))
    events = len(world.server.events("match-1"))
    assert native.refusal(REQUESTS[kind]) == Reason.NO_SEAT
    assert len(world.server.events("match-1")) == events


def test_a_player_acts_for_its_own_seat_alone() -> None:
    world = World()
    first, second = played(world)
    assert second.refusal(wire.Act(seq=4, action=0)) in (Reason.NOT_YOUR_TURN, Reason.STALE)
    assert second.refusal(wire.Resume(match="match-1", seat=0)) == Reason.AT_TABLE
    assert first.refusal(wire.Sync()) == ""


def test_a_muted_player_is_refused_chat_and_nothing_else() -> None:
    world = World()
    token = token_of(CALLERS[2], world.accounts, world.moderation)
    native, other = Native(world), Native(world)
    native.ask(wire.Hello(token=token))
    native.ask(wire.Find(game="tris"))
    other.ask(wire.Hello())
    other.ask(wire.Find(game="tris"))
    asyncio.run(world.moderation.act("console", ActKind.MUTE, "player:1", "loud", 60))
    assert native.refusal(wire.Say(text="hello")) == Reason.MUTED
    assert other.refusal(wire.Say(text="hello")) == ""
    assert native.refusal(wire.Sync()) == ""
    asyncio.run(world.moderation.act("console", ActKind.UNMUTE, "player:1"))
    assert native.refusal(wire.Say(text="hello")) == ""
