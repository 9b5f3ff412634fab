"""Gate: checks the requests of guests against the sanctions before the lobby or a table handles them.

- `Gate` wraps the lobby, or the member of a cluster, and has the same methods. A move costs one comparison.
- A banned player can neither introduce itself nor join or watch a table. A muted one cannot chat.
- While the node drains, no guest gets a new seat; players can still return to held seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from boardwire.errors import Reason, Refused
from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.requests import Attend, Enter, Introduce, Open, Reclaim, Rematch, Resume, Seek, Watch
from boardwire.moderation.acts import FOREVER, Act
from boardwire.moderation.sanctions import Sanctions
from boardwire.moderation.subjects import SubjectKind, subject_of
from boardwire.table.commands import Act as Move
from boardwire.table.commands import Chat, Join, Ready
from boardwire.table.guest import Announced, Guest, Refusal

NEW_SEATS: Final = frozenset({Seek, Enter, Open, Attend, Rematch, Join})
"""Requests that a draining node refuses."""
CHECKED: Final = NEW_SEATS | {Introduce, Resume, Reclaim, Watch, Ready, Chat}
"""Requests that sanctions or a drain may refuse; all others pass."""


class RequestHandler(Protocol):
    """Executes the requests of guests: the lobby, or the member of a cluster."""

    def do(self, guest: Guest, request: Any, /) -> None: ...
    def disconnected(self, guest: Guest, /) -> None: ...


class Gate:
    """A request handler that refuses what the sanctions or a drain forbid."""

    def __init__(
        self,
        handler: RequestHandler,
        sanctions: Sanctions,
        now: Callable[[], float],
    ) -> None:
        self._handler = handler
        self._sanctions = sanctions
        self._now = now
        self.drain_reason = ""
        """The reason why new seats are refused, or ''."""

    def do(self, guest: Guest, request: Any) -> None:
        """Execute a request, or refuse it to its guest."""
        kind = type(request)
        if kind is Move or kind not in CHECKED:
            self._handler.do(guest, request)
            return
        try:
            self._check(guest, request)
        except Refused as reason:
            guest.tell(Refusal(request, reason.without_frames()))
            return
        self._handler.do(guest, request)
        if kind is Introduce and (announcement := self._sanctions.announcement(self._now())) is not None:
            guest.tell(notification_of(announcement))

    def disconnected(self, guest: Guest) -> None:
        """Handle the disconnect of a guest."""
        self._handler.disconnected(guest)

    def is_banned(self, guest: Guest) -> bool:
        """Return whether the player of a guest is banned."""
        return self._sanctions.ban_of(_subject(guest), self._now()) is not None

    def _check(self, guest: Guest, request: Any) -> None:
        """Raise `Refused` if the node is draining or the guest is banned or, for a chat message, muted."""
        if self.drain_reason and type(request) in NEW_SEATS:
            raise Refused(self.drain_reason, reason=Reason.UNAVAILABLE)
        sanctions = self._sanctions
        if not sanctions.has_subjects:
            return
        subject = _subject(guest, request)
        now = self._now()
        if (ban := sanctions.ban_of(subject, now)) is not None:
            raise Refused(refusal_sentence("banned", ban, now), reason=Reason.BANNED)
        if type(request) is Chat:
            mute = sanctions.mute_of(subject, now) or sanctions.mute_of_address(guest.address_key, now)
            if mute is not None:
                raise Refused(refusal_sentence("muted", mute, now), reason=Reason.MUTED)


def _subject(guest: Guest, request: Any = None) -> str:
    """Return the subject of a guest, from the request that introduces it, its key or its seat; '' if it has none."""
    if type(request) is Introduce and request.token:
        return subject_of(request.keys[0] if request.keys else token_hash(request.token))
    if guest.key:
        return subject_of(guest.key)
    player = request.seek.player if type(request) is Open else getattr(request, "player", None)
    if player is None and guest.table is not None and (seat := guest.table.seat_of(guest)) is not None:
        player = guest.table.match.players[seat]  # a program that the operator has assigned to a player has no key
    return f"{SubjectKind.PLAYER}:{player.account}" if player is not None and player.account else ""


def refusal_sentence(state: str, act: Act, now: float) -> str:
    """Return the message for a player whom an act has `banned` or `muted`."""
    duration = "" if act.until == FOREVER else f" for {_duration(act.until - now)}"
    reason = f": {act.reason}" if act.reason else ""
    return f"you are {state} on this server{duration}{reason}"


def _duration(seconds: float) -> str:
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            number = -(-int(seconds) // size)
            return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
    return "less than a minute"


def notification_of(act: Act) -> Announced:
    """Return the notification of an announcement."""
    return Announced(act.number, act.reason, act.until)
