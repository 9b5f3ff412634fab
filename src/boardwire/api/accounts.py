"""Accounts: claim a name, sign in and out, devices, API tokens, passkeys, recovery, rename, delete.

- Requests are authorized by a bearer token, never by a cookie.
- Claims, attempts to claim, sign-ins and challenges are limited per address, against guessing secrets and hoarding
  names.
- A passkey challenge can be answered only once.
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
    fold_name,
)
from boardwire.players.accounts import MAX_LABEL_LENGTH, Session
from boardwire.players.directory import TokenKind

T = TypeVar("T")
Name = Annotated[str, msgspec.Meta(max_length=4 * MAX_NAME_LENGTH, description="the name of a player")]
Label = Annotated[str, msgspec.Meta(max_length=MAX_LABEL_LENGTH, description="a name for the device or the token")]


class ChallengeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A challenge to create a passkey for a name or, without a name, to sign in."""

    name: Name = ""


class ChallengeInfo(msgspec.Struct, frozen=True):
    """Options for `navigator.credentials.create` or `get`, in WebAuthn's JSON form."""

    options: dict[str, Any]


class ClaimRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Claim a name; `credential` is a new passkey in WebAuthn's JSON form. Without one, a recovery code is created."""

    name: Name
    label: Label = ""
    credential: dict[str, Any] | None = None


class SignInRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sign in, with a passkey's response to a challenge or with a name and its recovery code."""

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
    """Create an API token for a program."""

    label: Label
    scopes: tuple[Scope, ...] = (Scope.PLAY,)


class TokenQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session or an API token."""

    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class PasskeyQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey."""

    credential: Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z_-]{1,1400}$")]


class DeviceInfo(msgspec.Struct, frozen=True):
    """A signed-in device; `current` marks the one that sent the request."""

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
    """The caller's account."""

    number: int
    name: str
    kind: Kind
    role: Role
    created: float
    devices: tuple[DeviceInfo, ...]
    tokens: tuple[TokenInfo, ...]
    passkeys: tuple[PasskeyInfo, ...]
    recovery: bool
    """Whether it has a recovery code."""


class SessionInfo(msgspec.Struct, frozen=True):
    """A new session. `token` and `recovery` are in this response only; `recovery` is '' if a passkey was created."""

    number: int
    name: str
    token: str
    recovery: str


class SecretInfo(msgspec.Struct, frozen=True):
    """A new recovery code or API token, in this response only."""

    secret: str


class Deleted(msgspec.Struct, frozen=True):
    """Confirmation of a deletion: the number of a token, or the name of an account."""

    deleted: str


# --- claiming and signing in ------------------------------------------------------------------------------------------


async def make_challenge(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Return a challenge to create a passkey for a name, or to sign in with one."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    body = await decode_body(request, ChallengeRequest)
    origin, name = _request_origin(request), checked_name(body.name) if body.name else ""
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
    return _uncached_response(ChallengeInfo(options))


async def claim_account(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Claim a name, with a passkey or a recovery code, and sign in. Matches played with the guest's token are kept."""
    spend(context.claim_attempts, request, CLAIM_ATTEMPTS_PER_SECOND)
    body = await decode_body(request, ClaimRequest)
    caller = authenticate(context, request)
    if caller.account is not None:
        raise Problem(409, f"you are signed in as {caller.account.name!r}; sign out first")
    name = _claimable_name(context, body.name)
    if context.accounts.directory.named(name) is not None:
        raise Refused(f"the name {name!r} is already taken", reason=Reason.NAME_TAKEN)
    spend(context.claims, request, CLAIMS_PER_SECOND)
    passkey = None if body.credential is None else await _new_passkey(context, request, body.credential)
    return _session_response(await context.accounts.claim(name, caller.key, passkey=passkey, label=body.label), 201)


def _claimable_name(context: ApiContext, text: str) -> str:
    """Return the name in its stored form; raise `Malformed` if it is reserved or belongs to a bot of this server."""
    name = claimable_name(text)
    bots = context.lobby.context.bots
    if any(bots.knows(spelling, game) for game in games.NAMES for spelling in (name, fold_name(name))):
        raise Malformed(f"the name {name!r} belongs to a bot; choose another one")
    return name


async def sign_in(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Sign in on this device, with a passkey or a recovery code."""
    spend(context.sign_ins, request, SIGN_INS_PER_SECOND)
    body = await decode_body(request, SignInRequest)
    if body.credential is None:
        return _session_response(await context.accounts.recover(body.name, body.recovery, body.label))
    credential, origin = body.credential, _request_origin(request)
    challenge = await _verify_passkey(context, request, lambda: passkeys.challenge_of(credential))
    await context.accounts.use_challenge(challenge)
    public_key_and_counter = await context.accounts.passkey(str(credential.get("id", "")))
    if public_key_and_counter is None:
        raise Problem(401, "this passkey belongs to no account", {"WWW-Authenticate": "Bearer"}, Reason.BAD_TOKEN)
    counter = await _verify_passkey(
        context, request, lambda: passkeys.verify_answer(credential, origin, challenge, *public_key_and_counter)
    )
    return _session_response(await context.accounts.sign_in(str(credential["id"]), counter, body.label))


async def _new_passkey(context: ApiContext, request: Request, credential: dict[str, Any]) -> passkeys.Passkey:
    """Verify a new passkey and use up its challenge."""
    origin = _request_origin(request)
    challenge = await _verify_passkey(context, request, lambda: passkeys.challenge_of(credential))
    await context.accounts.use_challenge(challenge)
    return await _verify_passkey(context, request, lambda: passkeys.verify_new(credential, origin, challenge))


async def _verify_passkey(context: ApiContext, request: Request, verify: Callable[[], T]) -> T:
    """Verify a passkey on a reader thread: this takes a millisecond, and a quarter of a second the first time."""

    def work() -> T:
        try:
            return verify()
        except BoardwireError as error:
            raise problem_of(error) from None

    return await context.read(work, client_address(request))


# --- the caller's account ---------------------------------------------------------------------------------------------


async def my_account(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Return the caller's account with its devices, tokens and passkeys."""
    caller, account = require_session(context, request)
    return await _account_response(context, request, account, caller.token)


async def rename_account(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Change the caller's name; the new one must be free. Stored matches keep the old name."""
    caller, account = _authorize_change(context, request)
    body = await decode_body(request, RenameRequest)
    changed_account = await context.accounts.rename(account.id, _claimable_name(context, body.name))
    return await _account_response(context, request, changed_account, caller.token)


async def renew_recovery(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Create a new recovery code, which replaces the old one."""
    _, account = _authorize_change(context, request)
    return _uncached_response(SecretInfo(await context.accounts.renew_recovery(account.id)))


async def add_passkey(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Add a passkey to the caller's account."""
    caller, account = _authorize_change(context, request)
    body = await decode_body(request, PasskeyRequest)
    passkey = await _new_passkey(context, request, body.credential)
    await context.accounts.add_passkey(account.id, passkey, body.label)
    return await _account_response(context, request, account, caller.token)


async def remove_passkey(context: ApiContext, query: PasskeyQuery, request: Request) -> ApiResponse:
    """Remove a passkey from the caller's account."""
    caller, account = _authorize_change(context, request)
    await context.accounts.remove_passkey(account.id, query.credential)
    return await _account_response(context, request, account, caller.token)


async def add_token(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Create an API token with scopes that the caller's roles allow. The token is in this response only."""
    _, account = _authorize_change(context, request)
    body = await decode_body(request, TokenRequest)
    for scope in body.scopes:
        if SCOPE_ROLES[scope] not in account.roles:
            raise Problem(403, f"a token with the scope {scope} needs the role {SCOPE_ROLES[scope]}")
    return _uncached_response(
        SecretInfo(await context.accounts.add_api_token(account.id, body.label, body.scopes)), 201
    )


async def remove_token(context: ApiContext, query: TokenQuery, request: Request) -> ApiResponse:
    """Sign out a device, this one or another, or revoke an API token."""
    _, account = _authorize_change(context, request)
    await context.accounts.remove_token(account.id, query.number)
    return _uncached_response(Deleted(str(query.number)))


async def delete_account(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Delete the caller's account permanently. The name becomes free; finished matches are shown without it."""
    _, account = _authorize_change(context, request)
    await context.accounts.delete(account.id)
    return _uncached_response(Deleted(account.name))


def _authorize_change(context: ApiContext, request: Request) -> tuple[Any, Account]:
    """Return caller and account of a request that changes the account; it counts for the rate limit."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    return require_session(context, request)


async def _account_response(context: ApiContext, request: Request, account: Account, current: int) -> ApiResponse:
    """Return the caller's account; `current` is the id of the token of this request."""
    keys = await context.read(lambda: context.accounts.keys(account.id), client_address(request))
    tokens = [token for token in keys.tokens if token.kind == TokenKind.API]
    devices = [token for token in keys.tokens if token.kind == TokenKind.SESSION]
    return _uncached_response(
        AccountInfo(
            account.id, account.name, account.kind, account.role, account.created,
            tuple(DeviceInfo(token.id, token.label, token.created, token.id == current) for token in devices),
            tuple(TokenInfo(token.id, token.label, tuple(sorted(token.scopes)), token.created) for token in tokens),
            tuple(PasskeyInfo(*passkey) for passkey in keys.passkeys),
            keys.has_recovery,
        )
    )  # fmt: skip


def _session_response(session: Session, status: int = 200) -> ApiResponse:
    account = session.account
    return _uncached_response(SessionInfo(account.id, account.name, session.token, session.recovery), status)


def _uncached_response(value: Any, status: int = 200) -> ApiResponse:
    """Return a response that no cache may store, because it is for this caller only; 201 adds the location."""
    headers = {"Cache-Control": "no-store", **({"Location": "/api/account"} if status == 201 else {})}
    return ApiResponse(msgspec.json.encode(value), status=status, headers=headers)


def _request_origin(request: Request) -> str:
    """Return the origin of the request; the guard has checked that it is this server's page."""
    origin = request.headers.get("origin", "")
    if not origin:
        raise Problem(422, "the request has no Origin, so it is not from a browser; use a recovery code, not a passkey")
    return origin
