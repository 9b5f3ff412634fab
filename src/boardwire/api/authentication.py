"""Authentication of requests: as a guest, or as a player by a session or an API token.

Tokens are sent as `Authorization: Bearer TOKEN`. There are no cookies, so a page of another site cannot make the
browser send credentials (CSRF).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from starlette.requests import Request

from boardwire.api.context import ApiContext
from boardwire.api.problem import Problem
from boardwire.errors import Reason, Refused
from boardwire.lobby.held_seats import check_token, token_hash
from boardwire.moderation.gate import refusal_sentence
from boardwire.moderation.subjects import subject_of
from boardwire.players.account import Account, Role, Scope
from boardwire.table.events import account_key

CHALLENGE: Final = {"WWW-Authenticate": "Bearer"}


class Caller(NamedTuple):
    """Sender of a request. Without a token all fields are empty; a guest has a `key` and no account."""

    key: str = ""
    account: Account | None = None
    scopes: frozenset[Scope] = frozenset()
    token: int = 0
    """Number of the session or API token."""
    is_session: bool = False

    @property
    def player(self) -> int:
        """Number of the account, or 0 for a guest."""
        return 0 if self.account is None else self.account.id

    @property
    def subject(self) -> str:
        """Subject of bans and reports: the account, or the guest; '' without a token."""
        return subject_of(self.key if self.account is None else account_key(self.account.id))

    @property
    def signature(self) -> str:
        """Author of an act in the audit log."""
        return self.subject if self.account is None else f"{self.account.name} ({self.subject})"

    @property
    def roles(self) -> frozenset[Role]:
        return frozenset() if self.account is None else self.account.roles


def bearer(request: Request) -> str:
    """Return the token of a request, or '' if it has none; raise `Problem` for a malformed one."""
    token = credentials(request)
    if token:
        try:
            check_token(token)
        except Refused as error:
            raise Problem(401, str(error), CHALLENGE, error.reason) from None
    return token


def credentials(request: Request) -> str:
    """Return the bearer credentials of a request, or ''; raise `Problem` for another authentication scheme."""
    value = request.headers.get("authorization", "")
    if not value:
        return ""
    scheme, _, token = value.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Problem(401, "send a token as `Authorization: Bearer TOKEN`", CHALLENGE, Reason.BAD_TOKEN)
    return token.strip()


def authenticate(context: ApiContext, request: Request) -> Caller:
    """Return the caller that a request's token identifies; a token that is in no account still identifies a guest."""
    token = bearer(request)
    if not token:
        return Caller()
    key = token_hash(token)
    access = context.accounts.directory.access(key)
    account = None if access is None else context.accounts.directory.account(access.account)
    return (
        Caller(key)
        if access is None or account is None
        else Caller(key, account, access.scopes, access.token, access.is_session)
    )


def refuse_banned(context: ApiContext, caller: Caller) -> None:
    """Raise `Problem` if the sender of a request is banned."""
    moderation = context.moderation
    now, subject = moderation.now(), caller.subject
    if subject and (ban := moderation.sanctions.ban_of(subject, now)) is not None:
        raise Problem(403, refusal_sentence("banned", ban, now), reason=Reason.BANNED)


def require(
    context: ApiContext,
    request: Request,
    *,
    scope: Scope = Scope.PLAY,
    role: Role = Role.PLAYER,
    admits_banned: bool = False,
) -> tuple[Caller, Account]:
    """Return the sender of a request and its account; raise `Problem` if it lacks the scope or the role."""
    caller = authenticate(context, request)
    if not admits_banned:
        refuse_banned(context, caller)
    if caller.account is None:
        raise Problem(401, "token of a player with a claimed name required; sign in", CHALLENGE, Reason.BAD_TOKEN)
    if role not in caller.roles:
        raise Problem(403, f"role {role} required; {caller.account.name!r} has the role {caller.account.role}")
    if scope not in caller.scopes:
        raise Problem(403, f"token with the scope {scope} required")
    return caller, caller.account


def require_session(context: ApiContext, request: Request) -> tuple[Caller, Account]:
    """Return the sender of a request and its account; raise `Problem` unless it is signed in.

    Banned players are admitted, because they may change and delete their accounts.
    """
    caller, account = require(context, request, admits_banned=True)
    if not caller.is_session:
        raise Problem(403, "an API token gives no access to the account; sign in")
    return caller, account
