"""E-mail address of the caller's account: set, confirm and remove it; and the unsubscribe link in every message."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request

from boardwire.api.authentication import require_session
from boardwire.api.body import decode_body
from boardwire.api.context import CHANGES_PER_SECOND, MAIL_CODES_PER_SECOND, ApiContext
from boardwire.api.endpoint import ApiResponse, NoQuery, client_address, spend
from boardwire.api.problem import Problem
from boardwire.mail.addresses import CODE_LENGTH, MAX_ADDRESS_LENGTH, checked_address
from boardwire.mail.mailer import Mailer


class MailInfo(msgspec.Struct, frozen=True):
    """The caller's e-mail address, or ''. `offered` says whether this server sends e-mail."""

    offered: bool
    address: str = ""
    confirmed: bool = False


class NewAddress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An address to which a code is sent, and the language of the messages."""

    address: Annotated[str, msgspec.Meta(max_length=MAX_ADDRESS_LENGTH)]
    language: Literal["en", "it"] = "en"


class Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code that was sent to the address."""

    code: Annotated[str, msgspec.Meta(max_length=4 * CODE_LENGTH)]


class UnsubscribeQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The token of an unsubscribe link."""

    token: Annotated[str, msgspec.Meta(max_length=64, description="the token of the link")]


class Unsubscribed(msgspec.Struct, frozen=True):
    """Confirmation that no message follows."""

    unsubscribed: bool


async def my_mail(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Return the caller's e-mail address."""
    _, account = require_session(context, request)
    return await _address_response(context, request, account.id)


async def set_address(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Set the caller's e-mail address. A code is sent to it, with which it must be confirmed."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    _, account = require_session(context, request)
    body = await decode_body(request, NewAddress)
    mailer = _require_mailer(context)
    address = checked_address(body.address)
    spend(context.mail_codes, request, MAIL_CODES_PER_SECOND)
    send = partial(mailer.send_code, address, body.language)
    await mailer.addresses.begin(account.id, address, body.language, context.moderation.now(), send)
    return await _address_response(context, request, account.id)


async def confirm_address(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Confirm the caller's e-mail address with the code that was sent to it."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    _, account = require_session(context, request)
    body = await decode_body(request, Code)
    await _require_mailer(context).addresses.confirm(account.id, body.code, context.moderation.now())
    return await _address_response(context, request, account.id)


async def remove_address(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Remove the caller's e-mail address."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    _, account = require_session(context, request)
    await _require_mailer(context).addresses.remove(account.id)
    return await _address_response(context, request, account.id)


async def unsubscribe_mail(context: ApiContext, query: UnsubscribeQuery, request: Request) -> Unsubscribed:
    """Remove the e-mail address to which this token was sent, as mail programs do in one click (RFC 8058)."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    if context.mailer is not None:  # the response is the same if the token was used before
        await context.mailer.addresses.unsubscribe(query.token)
    return Unsubscribed(True)


def _require_mailer(context: ApiContext) -> Mailer:
    if context.mailer is None:
        raise Problem(503, "this server sends no e-mail")
    return context.mailer


async def _address_response(context: ApiContext, request: Request, account: int) -> ApiResponse:
    mailer, now = context.mailer, context.moderation.now()
    info = MailInfo(False)
    if mailer is not None:
        address = await context.read(lambda: mailer.addresses.find(account, now), client_address(request))
        info = MailInfo(True) if address is None else MailInfo(True, address.address, address.confirmed is not None)
    return ApiResponse(msgspec.json.encode(info), headers={"Cache-Control": "no-store"})
