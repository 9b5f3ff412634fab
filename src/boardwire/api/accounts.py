"""Accounts: claim a name, sign in and out, devices, API tokens, passkeys, recovery, rename, delete.

- Everything is authorized by a bearer token, never by a cookie.
- Claims, attempts to claim, sign-ins and challenges are limited per address, against guessing and against collecting
  names.
- A challenge of a passkey can be answered once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.requests import Request

from boardwire import games
from boardwire.api.authentication import authenticate, require_session
from boardwire.api.body import decode_body
from boardwire.api.context import (
    CHANGES_PER_SECOND,
    CLAIM_ATTEMPTS_PER_SECOND,
    CLAIMS_PER_SECOND,
    SIGN_INS_PER_SECOND,
    ApiContext,
)
from boardwire.api.endpoint import ApiResponse, NoQuery, client_address, spend
from boardwire.api.problem import Problem, problem_of
from boardwire.errors import BoardwireError, Malformed, Reason, Refused
from boardwire.players import passkeys
from boardwire.players.account import (
    MAX_NAME_LENGTH,
    SCOPE_ROLES,
    Account,
    Kind,
    Role,
    Scope,
    checked_name,
    claimable_name,
    folded,
)
from boardwire.players.accounts import MAX_LABEL_LENGTH, Session
from boardwire.players.directory import TokenKind

T = TypeVar("T")
Name = Annotated[str, msgspec.Meta(max_length=4 * MAX_NAME_LENGTH, description="the name of a player")]
Label = Annotated[str, msgspec.Meta(max_length=MAX_LABEL_LENGTH, description="a name for the device or the token")]


class ChallengeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """With a name: to make a passkey for it; without: to sign in with one."""

    name: Name = ""


class ChallengeInfo(msgspec.Struct, frozen=True):
    """Options for `navigator.credentials.create` or `get`, as WebAuthn's JSON."""

    options: dict[str, Any]


class ClaimRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Claim a name; `credential` is a new passkey as WebAuthn's JSON; without one, a recovery code is made."""

    name: Name
    label: Label = ""
    credential: dict[str, Any] | None = None


class SignInRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sign in: with a passkey's answer, or with a name and its recovery code."""

    credential: dict[str, Any] | None = None
    name: Name = ""
    recovery: Annotated[str, msgspec.Meta(max_length=64, description="the recovery code")] = ""
    label: Label = ""


class RenameRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Change the name."""

    name: Name


class PasskeyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Add a passkey."""

    credential: dict[str, Any]
    label: Label = ""


class TokenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make an API token for a program."""

    label: Label
    scopes: tuple[Scope, ...] = (Scope.PLAY,)


class TokenQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session or an API token."""

    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class PasskeyQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey."""

    credential: Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z_-]{1,1400}$")]


class DeviceInfo(msgspec.Struct, frozen=True):
    """A signed-in device; `current`: the one that asks."""

    number: int
    label: str
    created: float
    current: bool


class TokenInfo(msgspec.Struct, frozen=True):
    """An API token, without its secret."""

    number: int
    label: str
    scopes: tuple[Scope, ...]
    created: float


class PasskeyInfo(msgspec.Struct, frozen=True):
    """A passkey."""

    id: str
    label: str
    created: float


class AccountInfo(msgspec.Struct, frozen=True):
    """One's own account."""

    number: int
    name: str
    kind: Kind
    role: Role
    created: float
    devices: tuple[DeviceInfo, ...]
    tokens: tuple[TokenInfo, ...]
    passkeys: tuple[PasskeyInfo, ...]
    recovery: bool
    """Whether there is a recovery code."""


class SessionInfo(msgspec.Struct, frozen=True):
    """A new session. `token` and `recovery` are shown this once; `recovery` is '' if a passkey was made."""

    number: int
    name: str
    token: str
    recovery: str


class SecretInfo(msgspec.Struct, frozen=True):
    """A new recovery code or API token, shown this once."""

    secret: str


class Deleted(msgspec.Struct, frozen=True):
    """What was removed."""

    deleted: str


# --- claiming and signing in ------------------------------------------------------------------------------------------


async def make_challenge(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Return a challenge for a passkey, to make one for a name or to sign in."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    body = await decode_body(request, ChallengeRequest)
    origin, name = _origin(request), checked_name(body.name) if body.name else ""
    passkeys.relying_party(origin)
    challenge = await context.accounts.challenge()
    options = await context.read(
        lambda: (
            passkeys.creation_options(origin, challenge, name, secrets.token_bytes(32))
            if name
            else passkeys.request_options(origin, challenge)
        ),
        client_address(request),
    )
    return _private(ChallengeInfo(options))


async def claim_account(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Claim a name, with a passkey or a recovery code, and sign in. Matches played with the guest's token are kept."""
    spend(context.claim_attempts, request, CLAIM_ATTEMPTS_PER_SECOND)
    body = await decode_body(request, ClaimRequest)
    caller = authenticate(context, request)
    if caller.account is not None:
        raise Problem(409, f"you are signed in as {caller.account.name!r}; sign out first")
    name = _claimable(context, body.name)
    if context.accounts.directory.named(name) is not None:
        raise Refused(f"the name {name!r} is already taken", reason=Reason.NAME_TAKEN)
    spend(context.claims, request, CLAIMS_PER_SECOND)
    passkey = None if body.credential is None else await _new_passkey(context, request, body.credential)
    return _signed_in(await context.accounts.claim(name, caller.key, passkey=passkey, label=body.label), 201)


def _claimable(context: ApiContext, text: str) -> str:
    """Return a name that a player may have; raise `Malformed` if it is reserved or that of a bot of this server."""
    name = claimable_name(text)
    bots = context.lobby.context.bots
    if any(bots.knows(one, game) for game in games.NAMES for one in (name, folded(name))):
        raise Malformed(f"the name {name!r} belongs to a bot; choose another one")
    return name


async def sign_in(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Sign in on this device, with a passkey or a recovery code."""
    spend(context.sign_ins, request, SIGN_INS_PER_SECOND)
    body = await decode_body(request, SignInRequest)
    if body.credential is None:
        return _signed_in(await context.accounts.recover(body.name, body.recovery, body.label))
    credential, origin = body.credential, _origin(request)
    challenge = await _verified(context, request, lambda: passkeys.challenge_of(credential))
    await context.accounts.use_challenge(challenge)
    known = await context.accounts.passkey(str(credential.get("id", "")))
    if known is None:
        raise Problem(401, "this passkey belongs to no account", {"WWW-Authenticate": "Bearer"}, Reason.BAD_TOKEN)
    counter = await _verified(context, request, lambda: passkeys.verify_answer(credential, origin, challenge, *known))
    return _signed_in(await context.accounts.sign_in(str(credential["id"]), counter, body.label))


async def _new_passkey(context: ApiContext, request: Request, credential: dict[str, Any]) -> passkeys.Passkey:
    origin = _origin(request)
    challenge = await _verified(context, request, lambda: passkeys.challenge_of(credential))
    await context.accounts.use_challenge(challenge)
    return await _verified(context, request, lambda: passkeys.verify_new(credential, origin, challenge))


async def _verified(context: ApiContext, request: Request, verify: Callable[[], T]) -> T:
    """Verify a passkey on a reader thread: that takes a millisecond, the first time a quarter of a second."""

    def work() -> T:
        try:
            return verify()
        except BoardwireError as error:
            raise problem_of(error) from None

    return await context.read(work, client_address(request))


# --- one's own account ------------------------------------------------------------------------------------------------


async def my_account(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Return one's own account with its devices, tokens and passkeys."""
    caller, account = require_session(context, request)
    return await _account_response(context, request, account, caller.token)


async def rename_account(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Change one's own name, which must be free. Matches show the names of their time."""
    caller, account = _authorize_change(context, request)
    body = await decode_body(request, RenameRequest)
    renamed = await context.accounts.rename(account.id, _claimable(context, body.name))
    return await _account_response(context, request, renamed, caller.token)


async def renew_recovery(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Make a new recovery code. The old one is void."""
    _, account = _authorize_change(context, request)
    return _private(SecretInfo(await context.accounts.renew_recovery(account.id)))


async def add_passkey(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Add a passkey to one's own account."""
    caller, account = _authorize_change(context, request)
    body = await decode_body(request, PasskeyRequest)
    passkey = await _new_passkey(context, request, body.credential)
    await context.accounts.add_passkey(account.id, passkey, body.label)
    return await _account_response(context, request, account, caller.token)


async def remove_passkey(context: ApiContext, query: PasskeyQuery, request: Request) -> ApiResponse:
    """Remove a passkey from one's own account."""
    caller, account = _authorize_change(context, request)
    await context.accounts.remove_passkey(account.id, query.credential)
    return await _account_response(context, request, account, caller.token)


async def add_token(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Make an API token with scopes that one's roles allow. It is shown once."""
    _, account = _authorize_change(context, request)
    body = await decode_body(request, TokenRequest)
    for scope in body.scopes:
        if SCOPE_ROLES[scope] not in account.roles:
            raise Problem(403, f"a token with the scope {scope} needs the role {SCOPE_ROLES[scope]}")
    return _private(SecretInfo(await context.accounts.add_api_token(account.id, body.label, body.scopes)), 201)


async def remove_token(context: ApiContext, query: TokenQuery, request: Request) -> ApiResponse:
    """Sign out a device, this one or another, or withdraw an API token."""
    _, account = _authorize_change(context, request)
    await context.accounts.remove_token(account.id, query.number)
    return _private(Deleted(str(query.number)))


async def delete_account(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Delete one's own account for good. The name is free again; finished matches are shown without it."""
    _, account = _authorize_change(context, request)
    await context.accounts.delete(account.id)
    return _private(Deleted(account.name))


def _authorize_change(context: ApiContext, request: Request) -> tuple[Any, Account]:
    spend(context.changes, request, CHANGES_PER_SECOND)
    return require_session(context, request)


async def _account_response(context: ApiContext, request: Request, account: Account, current: int) -> ApiResponse:
    keys = await context.read(lambda: context.accounts.keys(account.id), client_address(request))
    tokens = [one for one in keys.tokens if one.kind == TokenKind.API]
    devices = [one for one in keys.tokens if one.kind == TokenKind.SESSION]
    return _private(
        AccountInfo(
            account.id, account.name, account.kind, account.role, account.created,
            tuple(DeviceInfo(one.id, one.label, one.created, one.id == current) for one in devices),
            tuple(TokenInfo(one.id, one.label, tuple(sorted(one.scopes)), one.created) for one in tokens),
            tuple(PasskeyInfo(*one) for one in keys.passkeys),
            keys.has_recovery,
        )
    )  # fmt: skip


def _signed_in(session: Session, status: int = 200) -> ApiResponse:
    account = session.account
    return _private(SessionInfo(account.id, account.name, session.token, session.recovery), status)


def _private(value: Any, status: int = 200) -> ApiResponse:
    headers = {"Cache-Control": "no-store", **({"Location": "/api/account"} if status == 201 else {})}
    return ApiResponse(msgspec.json.encode(value), status=status, headers=headers)


def _origin(request: Request) -> str:
    """Return the origin of the page, which the guard has checked to be ours."""
    origin = request.headers.get("origin", "")
    if not origin:
        raise Problem(422, "passkeys are for browsers: the request has no Origin; use a recovery code")
    return origin
