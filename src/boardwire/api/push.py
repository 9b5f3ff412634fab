"""Subscriptions of browsers to push messages, which tell absent players that it is their turn."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from starlette.requests import Request

from boardwire.api.authentication import CHALLENGE, authenticate
from boardwire.api.body import decode_body
from boardwire.api.context import CHANGES_PER_SECOND, ApiContext
from boardwire.api.endpoint import NoQuery, spend
from boardwire.api.problem import Problem
from boardwire.api.tournaments import seat_key_of
from boardwire.errors import BoardwireError, Reason
from boardwire.push.notifier import Notifier, check_endpoint
from boardwire.push.subscriptions import MAX_ENDPOINT_LENGTH, Subscription

Endpoint = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_ENDPOINT_LENGTH)]


class PushInfo(msgspec.Struct, frozen=True):
    """The server's public key (`applicationServerKey`), or '' if this server sends no push messages."""

    key: str


class NewSubscription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A subscription as created by the browser (`PushSubscription`), and the language of the messages."""

    endpoint: Endpoint
    p256dh: Annotated[str, msgspec.Meta(max_length=200)]
    auth: Annotated[str, msgspec.Meta(max_length=100)]
    language: Literal["en", "it"] = "en"


class EndedSubscription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A subscription to end."""

    endpoint: Endpoint


class Subscribed(msgspec.Struct, frozen=True):
    """Whether the browser receives push messages from now on."""

    subscribed: bool


def push_info(context: ApiContext, query: NoQuery) -> PushInfo:
    """Return the key that a browser needs for a subscription."""
    return PushInfo("" if context.notifier is None else context.notifier.subscriptions.key.public)


async def subscribe(context: ApiContext, query: NoQuery, request: Request) -> Subscribed:
    """Notify this browser when the player whose token is sent is absent and it is their turn."""
    from boardwire.push.encryption import check_keys  # here, because importing cryptography takes 50 ms

    spend(context.changes, request, CHANGES_PER_SECOND)
    notifier, player = _authorize(context, request)
    body = await decode_body(request, NewSubscription)
    try:
        check_endpoint(body.endpoint)
        check_keys(body.p256dh, body.auth)
        subscription = Subscription(body.endpoint, body.p256dh, body.auth, body.language)
        await notifier.subscriptions.add(player, subscription, context.lobby.clock.now())
    except BoardwireError as error:
        status = 503 if error.reason is Reason.UNAVAILABLE else 422
        raise Problem(status, str(error), reason=error.reason) from None
    return Subscribed(True)


async def unsubscribe(context: ApiContext, query: NoQuery, request: Request) -> Subscribed:
    """Stop notifying this browser."""
    notifier, player = _authorize(context, request)
    body = await decode_body(request, EndedSubscription)
    await notifier.subscriptions.remove(player, body.endpoint)
    return Subscribed(False)


def _authorize(context: ApiContext, request: Request) -> tuple[Notifier, str]:
    """Return the notifier and the key of the caller's seats; raise `Problem` for a caller without a token."""
    caller = authenticate(context, request)
    if not caller.key:
        raise Problem(401, "token of a guest or a player required", CHALLENGE, Reason.BAD_TOKEN)
    if context.notifier is None:
        raise Problem(503, "this server sends no push messages")
    return context.notifier, seat_key_of(caller)
