"""Routes of organisers: who may use them, and a table from its opening to its result."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from boardwire.lobby.requests import Enter
from boardwire.organise.schema import COMPONENT, MIGRATIONS
from boardwire.organise.tables import OrganisedTables
from boardwire.players.account import Role, Scope
from boardwire.records.sqlite import SqliteRecords
from boardwire.table.commands import Resign
from boardwire.table.events import Player
from boardwire.table.guest import Guest

from .api_fixture import ApiFixture

TABLE: dict[str, Any] = {"game": "tris", "seats": [{"name": "Rossi"}, {"name": "Bianchi"}], "per_move": 30}
ROUTES = [
    ("POST", "/api/organise/tables", TABLE, 201),
    ("GET", "/api/organise/tables", None, 200),
    ("GET", "/api/organise/tables/{match}", None, 200),
    ("DELETE", "/api/organise/tables/{match}", None, 200),
    ("GET", "/api/organise/events", None, 200),
    ("POST", "/api/organise/webhooks", {"url": "https://a.example/hook"}, 201),
    ("GET", "/api/organise/webhooks", None, 200),
    ("DELETE", "/api/organise/webhooks/{webhook}", None, 200),
    ("GET", "/api/organise/deliveries", None, 200),
]


class NoPorts:
    async def open(self, dialect: str, match: str, seat: int, port: int = 0) -> int:
        return 20_000

    def close(self, match: str) -> None:
        pass

    def __len__(self) -> int:
        return 0


class School:
    """Server with organisers' tables, and tokens by caller."""

    def __init__(self, api: ApiFixture) -> None:
        self.api = api
        self.records = SqliteRecords(None)
        self.records.migrate(COMPONENT, MIGRATIONS)
        api.context.organised = OrganisedTables(
            api.server.lobby, api.server.journal, self.records, NoPorts(), lambda: None
        )
        self.tokens = {"nobody": "", "a guest": "x" * 32, **asyncio.run(self._accounts())}

    async def _accounts(self) -> dict[str, str]:
        accounts = self.api.context.accounts
        found: dict[str, str] = {}
        for name, role in (("player", Role.PLAYER), ("organiser", Role.ORGANISER), ("other", Role.ORGANISER)):
            session = await accounts.claim(name, role=role)
            found[name] = session.token
            if name == "organiser":
                for who, scope in (("a program that plays", Scope.PLAY), ("a program that organises", Scope.ORGANISE)):
                    found[who] = await accounts.add_api_token(session.account.id, who, [scope])
        return found

    def ask(self, who: str, method: str, path: str, body: Any = None) -> Any:
        token = self.tokens[who]
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        fields: dict[str, Any] = {"headers": headers} if body is None else {"headers": headers, "json": body}
        return self.api.client.ask(method, path, **fields)


@pytest.fixture
def school(api: ApiFixture) -> Iterator[School]:
    found = School(api)
    yield found
    found.records.close()


@pytest.mark.parametrize(("method", "path", "body", "status"), ROUTES)
def test_only_organisers_with_the_scope_are_admitted(
    school: School, method: str, path: str, body: Any, status: int
) -> None:
    match = school.ask("organiser", "POST", "/api/organise/tables", TABLE).json()["match"]
    webhook = school.ask("organiser", "POST", "/api/organise/webhooks", {"url": "https://a.example/"}).json()["number"]
    path = path.format(match=match, webhook=webhook)
    wanted = {"nobody": 401, "a guest": 401, "player": 403, "a program that plays": 403}
    for who, refused in wanted.items():
        answer = school.ask(who, method, path, body)
        assert (who, answer.status_code) == (who, refused)
    if "/" + str(match) in path or "/" + str(webhook) in path:
        assert school.ask("other", method, path, body).status_code == 404
    assert school.ask("a program that organises", method, path, body).status_code == status


def test_an_organiser_sees_its_own_tables_events_and_webhooks_alone(school: School) -> None:
    school.ask("organiser", "POST", "/api/organise/tables", TABLE)
    school.ask("organiser", "POST", "/api/organise/webhooks", {"url": "https://a.example/"})
    assert school.ask("other", "GET", "/api/organise/tables").json() == {"tables": [], "next": None}
    assert school.ask("other", "GET", "/api/organise/events").json() == {"events": [], "next": 0}
    assert school.ask("other", "GET", "/api/organise/webhooks").json() == {"webhooks": []}
    assert school.ask("other", "GET", "/api/organise/deliveries").json() == {"deliveries": [], "next": None}


def test_a_table_is_opened_played_and_reported(school: School) -> None:
    answer = school.ask("organiser", "POST", "/api/organise/tables", {**TABLE, "label": "exercise 1"})
    table = answer.json()
    assert answer.headers["location"] == f"/api/organise/tables/{table['match']}"
    assert len({table["code"], *(seat["code"] for seat in table["seats"])}) == 3
    guests = []
    for seat in (0, 1):
        guest = Guest(lambda heard: None)
        player = Player("anyone", "native", key=f"K{seat}")
        school.api.server.lobby.do(guest, Enter(table["match"], player, table["seats"][seat]["code"]))
        guests.append(guest)
    shown = school.ask("organiser", "GET", f"/api/organise/tables/{table['match']}").json()
    assert (shown["state"], [seat["player"] for seat in shown["seats"]]) == ("playing", ["Rossi", "Bianchi"])
    school.api.server.lobby.do(guests[1], Resign(1))
    school.records.write_now(lambda db: None)
    shown = school.ask("organiser", "GET", f"/api/organise/tables/{table['match']}").json()
    assert (shown["state"], shown["outcome"]["winners"]) == ("over", [0])
    told = school.ask("organiser", "GET", "/api/organise/events").json()
    assert [event["kind"] for event in told["events"]][-1] == "match.ended"
    again = school.ask("organiser", "GET", f"/api/organise/events?after={told['next']}").json()
    assert again == {"events": [], "next": told["next"]}


def test_a_private_table_is_not_shown_to_others(school: School) -> None:
    match = school.ask("organiser", "POST", "/api/organise/tables", TABLE).json()["match"]
    assert school.api.client.get("/api/tables").json() == {"tables": []}
    assert match not in school.api.client.get("/api/matches").text


def test_tables_are_listed_page_by_page_newest_first(school: School) -> None:
    matches = [school.ask("organiser", "POST", "/api/organise/tables", TABLE).json()["match"] for _ in range(3)]
    first = school.ask("organiser", "GET", "/api/organise/tables?limit=2").json()
    rest = school.ask("organiser", "GET", f"/api/organise/tables?limit=2&before={first['next']}").json()
    assert [table["match"] for page in (first, rest) for table in page["tables"]] == matches[::-1]
    assert rest["next"] is None
    assert school.ask("organiser", "GET", "/api/organise/tables?state=over").json()["tables"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"game": "tris", "seats": []}, 422),
        ({"game": "chess", "seats": [{}, {}]}, 422),
        ({**TABLE, "surprise": 1}, 422),
        ({**TABLE, "per_move": -1}, 422),
        ({**TABLE, "label": "x" * 201}, 422),
        ({**TABLE, "seats": [{}] * 9}, 422),
        ([], 422),
    ],
)
def test_a_bad_request_is_explained(school: School, body: Any, status: int) -> None:
    answer = school.ask("organiser", "POST", "/api/organise/tables", body)
    assert answer.status_code == status
    assert answer.json()["detail"]


def test_without_the_service_the_routes_say_so(school: School) -> None:
    school.api.context.organised = None
    assert school.ask("organiser", "GET", "/api/organise/tables").status_code == 503
