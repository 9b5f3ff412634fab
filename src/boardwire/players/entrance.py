"""Entrance of a server: adds accounts to the requests of guests before the lobby handles them.

- A native client with the token of a session or an API token is introduced with the key and the name of its account.
- A guest whose name belongs to an account gets another one natively (`Ann (guest)`), because `welcome` reports it; in
  protocols that have no such answer the name is refused as taken.
- A program that the operator has listed (`programs.py`) gets the name and the account of its player.

Moves go to the table of their guest at once; all other requests are passed on unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.requests import Claim, Enter, Introduce, Reclaim, Resume, Seek
from boardwire.players.account import Scope
from boardwire.players.directory import Directory
from boardwire.players.programs import Program
from boardwire.table.commands import Act, Join, Ready
from boardwire.table.events import Player, account_of
from boardwire.table.guest import Guest, Refusal


class LobbyPort(Protocol):
    """The lobby of a single node, or the member of a cluster."""

    def do(self, guest: Guest, request: Any, /) -> None: ...
    def disconnected(self, guest: Guest, /) -> None: ...


class Entrance:
    """The lobby as connections see it."""

    def __init__(self, lobby: LobbyPort, directory: Directory, programs: Sequence[Program] = ()) -> None:
        self._lobby = lobby
        self._directory = directory
        self._programs = programs
        self._identify: dict[type, Callable[[Guest, Any], Any]] = {
            Introduce: self._introduce,
            Resume: self._resume,
            Claim: self._claim,
            **dict.fromkeys((Seek, Enter, Reclaim, Join, Ready), self._seat),
        }

    def do(self, guest: Guest, request: Any) -> None:
        """Pass a request on to the lobby, with the account of its guest."""
        table = guest.table
        if type(request) is Act and table is not None:
            table.do(guest, request)  # almost every request is a move, which neither lobby nor sanctions change
            return
        identify = self._identify.get(type(request))
        if identify is not None:
            try:
                request = identify(guest, request)
            except BoardwireError as reason:
                guest.tell(Refusal(request, reason.without_frames()))
                return
        self._lobby.do(guest, request)

    def disconnected(self, guest: Guest) -> None:
        """Pass on that a guest has disconnected."""
        self._lobby.disconnected(guest)

    def _introduce(self, guest: Guest, request: Introduce) -> Introduce:
        """Return the request with the name and the keys of the token's account, or with a guest's free name."""
        access = self._directory.access(token_hash(request.token)) if request.token else None
        account = None if access is None else self._directory.account(access.account)
        if access is None or account is None:
            return replace(request, name=self._directory.guest_name(request.name))
        if Scope.PLAY not in access.scopes:
            raise Refused("this token may not play; create one with the scope 'play'", reason=Reason.BAD_TOKEN)
        return replace(request, name=account.name, keys=tuple(self._directory.keys(account.id)))

    def _resume(self, guest: Guest, request: Resume) -> Resume:
        """Return the request with all keys of the account, any of which may hold the seat."""
        account = account_of(guest.key)
        return replace(request, others=tuple(self._directory.keys(account))) if account else request

    def _claim(self, guest: Guest, request: Claim) -> Claim:
        """Return the request with the name of the account, if the guest has one."""
        player = self._with_account(guest, Player(request.name, request.scope))
        return request if player.name == request.name else replace(request, name=player.name)

    def _seat(self, guest: Guest, request: Seek | Enter | Reclaim | Join | Ready) -> Any:
        """Return the request with the account of its player."""
        player = self._with_account(guest, request.player)
        return request if player is request.player else replace(request, player=player)

    def _with_account(self, guest: Guest, player: Player) -> Player:
        """Return a player with its account; raise `Refused` if its name belongs to another one."""
        number = account_of(player.key)
        if number:
            account = self._directory.account(number)
            if account is None:  # deleted since it was introduced
                raise Refused("this account was deleted; send hello again", reason=Reason.BAD_TOKEN)
            return replace(player, name=account.name, account=number)
        for program in self._programs:
            if program.matches(player.dialect, player.name, guest.address_key, guest.port):
                owner = self._directory.named(program.player)
                if owner is not None:
                    return replace(player, name=owner.name, account=owner.id)
        if player.name and self._directory.owner_or_lookalike(player.name) is not None:
            message = (
                f"the name {player.name!r} is claimed by another player, or looks like a claimed name; choose another"
            )
            raise Refused(message, reason=Reason.NAME_TAKEN)
        return player
