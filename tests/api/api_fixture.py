"""A server without sockets, its HTTP application, and players who make matches."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
from starlette.types import ASGIApp

from boardwire import games
from boardwire.api.app import application
from boardwire.api.context import ApiContext
from boardwire.api.conversations import Conversations
from boardwire.games.game import Seat
from boardwire.lobby.requests import Enter, Seek
from boardwire.players.accounts import Accounts
from boardwire.proxy.stored_match import StoredConversations
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act, Command
from boardwire.table.events import Player
from boardwire.table.guest import Guest, Notification, Refusal
from boardwire.table.policy import Leaving, Policy
from boardwire.table.table import Table

FRIENDLY = Policy(Leaving.HOLDS, 60.0, undo=True)


class Sitting:
    """People at a separate table."""

    def __init__(
        self,
        server: SimulatedServer,
        game: str,
        seats: int = 2,
        options: Any = None,
        *,
        private: bool = False,
        policy: Policy = FRIENDLY,
    ) -> None:
        self.refused: list[str] = []
        self.guests = [Guest(self._hear) for _ in range(seats)]
        names = ("Ann", "Bob", "Cid", "Dee")
        first = Seek(
            game, seats, Player(names[0], "native", key="KEY-Ann"), options, policy, private=private, fresh=True
        )
        server.lobby.do(self.guests[0], first)
        table = self.guests[0].table
        assert isinstance(table, Table), self.refused
        self.table = table
        for seat in range(1, seats):
            player = Player(names[seat], "tris-lines", key=f"KEY-{names[seat]}")
            server.lobby.do(self.guests[seat], Enter(table.match.id, player, table.match.setting.code))
        self._server = server

    def _hear(self, notification: Notification) -> None:
        if isinstance(notification, Refusal):
            self.refused.append(str(notification.reason))

    @property
    def id(self) -> str:
        return self.table.match.id

    def do(self, seat: Seat, command: Command) -> None:
        """Send a request of a seat, which must be accepted."""
        self._server.clock.pass_time(1.25)
        self.table.do(self.guests[seat], command)
        assert self.refused == []

    def act(self, *actions: Any) -> None:
        """Play these actions of the seats to move, in order."""
        for action in actions:
            assert self.table.match.pending is not None
            seat = self.table.match.pending.seats[0]
            self.do(seat, Act(seat, (action,)))

    def wander(self, seed: int, steps: int = 100_000) -> Sitting:
        """Play a number of random steps, or to the end."""
        random = Random(seed)
        while (pending := self.table.match.pending) is not None and steps:
            steps -= 1
            choices = tuple(pending.choices)
            self.act(choices[random.randrange(len(choices))])
        return self

    def rise(self) -> None:
        """Let all players leave."""
        for guest in self.guests:
            self._server.lobby.leave(guest)


class Client:
    """HTTP client of an application, without a socket."""

    def __init__(self, app: ASGIApp, address: str = "192.0.2.1") -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 4711))
        self._client = httpx.AsyncClient(transport=transport, base_url="http://boardwire.test")
        self._runner = asyncio.Runner()

    def ask(self, method: str, path: str, **fields: Any) -> httpx.Response:
        """Send a request."""
        return self._runner.run(self._client.request(method, path, **fields))

    def get(self, path: str, **fields: Any) -> httpx.Response:
        """Send a GET request."""
        return self.ask("GET", path, **fields)

    def post(self, path: str, **fields: Any) -> httpx.Response:
        """Send a POST request."""
        return self.ask("POST", path, **fields)

    def together(self, *requests: tuple[str, str, dict[str, Any]]) -> list[httpx.Response]:
        """Send several requests at once."""

        async def gather() -> list[httpx.Response]:
            asked = (self._client.request(method, path, **fields) for method, path, fields in requests)
            return list(await asyncio.gather(*asked))

        return self._runner.run(gather())

    def close(self) -> None:
        self._runner.run(self._client.aclose())
        self._runner.close()


class Silent:
    """Search workers that never answer."""

    def ask(self, *asked: Any) -> Silent:
        return self

    def cancel(self) -> None:
        pass


_SILENT = Silent()


class ApiFixture:
    """A server, its API context and a client of its HTTP application."""

    def __init__(
        self,
        page: Path,
        *,
        docs: Path | None = None,
        seed: int = 1,
        limited: bool = False,
        accounts: Accounts | None = None,
        thinkers: Any = _SILENT,
    ) -> None:
        self.server = SimulatedServer(seed)
        self.reason = ""
        self.context = ApiContext(
            self.server.lobby,
            self.server.journal,
            lambda: self.reason,
            {"native": 7070},
            thinkers=thinkers,
            accounts=accounts,
        )
        self.context.conversations = Conversations(StoredConversations())
        self.app = application(self.context, page, docs or page, limited=limited)
        self.client = Client(self.app)

    def sit(self, game: str, seats: int = 2, options: Any = None, **fields: Any) -> Sitting:
        """Open a table and fill it."""
        return Sitting(self.server, game, seats, options, **fields)

    def tris(self, *cells: int) -> Sitting:
        """Play a match of Tris up to these marks; without marks, a whole match with a winner."""
        sitting = self.sit("tris")
        sitting.act(*(cells or (0, 3, 1, 4, 2)))
        return sitting

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON at a path, which must exist."""
        answer = self.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return msgspec.json.decode(answer.content)

    def close(self) -> None:
        self.client.close()
        self.context.close()


@contextmanager
def api_fixture(page: Path, **fields: Any) -> Iterator[ApiFixture]:
    """Yield an `ApiFixture` for one test."""
    place = ApiFixture(page, **fields)
    try:
        yield place
    finally:
        place.close()


def problem(answer: httpx.Response) -> dict[str, Any]:
    """Return the problem of a response, with its form checked."""
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert set(told) - {"code"} == {"type", "title", "status", "detail", "instance"}
    assert told["status"] == answer.status_code
    assert told["type"].startswith("urn:boardwire:problem:")
    return told


def options_of(game: str, **fields: Any) -> Any:
    """Return a game's options."""
    return msgspec.convert(fields, games.game(game).Options)
