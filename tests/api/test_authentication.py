"""Authentication of requests, with roles and scopes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from boardwire.api.authentication import authenticate, require
from boardwire.api.context import ApiContext
from boardwire.api.problem import Problem
from boardwire.lobby.held_seats import token_hash
from boardwire.players.account import Role, Scope
from boardwire.simulation.server import SimulatedServer


@pytest.fixture
def context() -> ApiContext:
    server = SimulatedServer()
    return ApiContext(server.lobby, server.journal)


def sent(authorization: str = "") -> Request:
    headers = [(b"authorization", authorization.encode())] if authorization else []
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/", "headers": headers}
    return Request(scope)


def status(context: ApiContext, request: Request, **wanted: Any) -> int:
    with pytest.raises(Problem) as caught:
        require(context, request, **wanted)
    return caught.value.status


def test_a_request_without_a_token_is_of_no_player(context: ApiContext) -> None:
    caller = authenticate(context, sent())
    assert (caller.key, caller.player, caller.roles, caller.scopes) == ("", 0, frozenset(), frozenset())
    assert status(context, sent()) == 401


def test_an_unknown_token_is_a_guests(context: ApiContext) -> None:
    token = "a token of some guest or other"
    caller = authenticate(context, sent(f"Bearer {token.replace(' ', '-')}"))
    assert caller.key == token_hash(token.replace(" ", "-"))
    assert caller.player == 0
    assert status(context, sent(f"Bearer {token.replace(' ', '-')}")) == 401


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer short", "nonsense"])
def test_a_malformed_token_is_refused(context: ApiContext, header: str) -> None:
    assert status(context, sent(header)) == 401


def test_a_session_has_every_scope_and_the_roles_of_its_player(context: ApiContext) -> None:
    session = asyncio.run(context.accounts.claim("Ann"))
    request = sent(f"Bearer {session.token}")
    caller, account = require(context, request)
    assert account.name == "Ann"
    assert caller.player == account.id
    assert status(context, request, role=Role.MODERATOR, scope=Scope.ADMIN) == 403
    asyncio.run(context.accounts.set_role(account.id, Role.ADMIN))
    assert require(context, request, role=Role.MODERATOR, scope=Scope.ADMIN)[0].player == account.id


def test_an_api_token_is_refused_beyond_its_scopes(context: ApiContext) -> None:
    session = asyncio.run(context.accounts.claim("Ann"))
    asyncio.run(context.accounts.set_role(session.account.id, Role.ADMIN))
    token = asyncio.run(context.accounts.add_api_token(session.account.id, "bot", [Scope.PLAY]))
    request = sent(f"Bearer {token}")
    assert require(context, request)[0].player == session.account.id
    assert status(context, request, role=Role.MODERATOR, scope=Scope.ADMIN) == 403


def test_the_accounts_of_a_file_are_those_of_the_next_process(tmp_path: Path) -> None:
    from boardwire.players.accounts import Accounts
    from boardwire.records.sqlite import SqliteRecords

    first = SqliteRecords(tmp_path)
    session = asyncio.run(Accounts(first).claim("Ann"))
    first.close()
    server, second = SimulatedServer(), SqliteRecords(tmp_path)
    context = ApiContext(server.lobby, server.journal, accounts=Accounts(second))
    assert require(context, sent(f"Bearer {session.token}"))[1].name == "Ann"
    second.close()
