"""Moderation and administration over HTTP: what each act does, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from boardwire.lobby.held_seats import token_hash
from boardwire.moderation.act_log import MAX_OPEN_REPORTS_OF_PLAYER
from boardwire.players.account import Role, Scope
from boardwire.table.guest import Announced, Guest
from boardwire.table.match import Status

from .api_fixture import ApiFixture, problem

GUEST_TOKEN = "the-token-of-some-guest-or-other"


class Desk:
    """Server with players of every role, and moderators who act."""

    def __init__(self, api: ApiFixture) -> None:
        self.api = api
        self.tokens = {role: self.account(role.value.title(), role) for role in Role}
        self.dropped: list[list[str]] = []
        self.announced: list[Announced] = []
        self.drained: list[str] = []
        moderation = api.context.moderation
        moderation.guard(api.server.lobby)
        moderation.control(self, api.server.lobby.find_table, lambda act: self.drained.append(act.target))

    def drop_banned(self, is_banned: Any) -> int:
        self.dropped.append([act.target for act in self.api.context.moderation.sanctions.bans(0.0)])
        return 0

    def announce(self, announced: Announced) -> None:
        self.announced.append(announced)

    def account(self, name: str, role: Role = Role.PLAYER) -> str:
        """Claim a name; return the token of the session."""
        accounts = self.api.context.accounts
        return asyncio.run(accounts.claim(name, role=role)).token

    def ask(self, method: str, path: str, token: str | None = None, **fields: Any) -> httpx.Response:
        wanted = self.tokens[Role.MODERATOR] if token is None else token
        return self.api.client.ask(method, path, headers={"Authorization": f"Bearer {wanted}"}, **fields)

    def post(self, path: str, token: str | None = None, **body: Any) -> httpx.Response:
        return self.ask("POST", path, token, json=body)

    def audit(self) -> list[dict[str, Any]]:
        acts: list[dict[str, Any]] = self.ask("GET", "/api/admin/audit").json()["acts"]
        return acts


@pytest.fixture
def desk(api: ApiFixture) -> Desk:
    return Desk(api)


def test_a_ban_is_stored_carried_out_and_lifted(desk: Desk) -> None:
    answer = desk.post("/api/admin/bans", subject="203.0.113.0/24", seconds=60, reason="floods")
    assert answer.status_code == 200, answer.text
    act = answer.json()
    assert (act["kind"], act["target"], act["reason"], act["by"]) == (
        "ban", "address:203.0.113.0/24", "floods", "Moderator (player:3)",
    )  # fmt: skip
    assert act["until"] == pytest.approx(act["at"] + 60)
    assert desk.api.context.moderation.is_banned("203.0.113.9")
    assert desk.dropped
    listed = desk.ask("GET", "/api/admin/sanctions").json()
    assert [one["target"] for one in listed["bans"]] == ["address:203.0.113.0/24"]
    lifted = desk.ask("DELETE", "/api/admin/bans", params={"subject": "203.0.113.0/24"})
    assert lifted.status_code == 200, lifted.text
    assert not desk.api.context.moderation.is_banned("203.0.113.9")
    assert [one["kind"] for one in desk.audit()] == ["unban", "ban"]


def test_a_player_is_banned_by_its_name(desk: Desk) -> None:
    act = desk.post("/api/admin/bans", subject="name:pLAYER").json()
    assert act["target"] == "player:1"
    for what in ("sanctions", "audit"):
        assert desk.ask("GET", f"/api/admin/{what}").json()["names"] == {"player:1": "Player"}
    assert desk.post("/api/admin/bans", subject="name:stranger").status_code == 404
    assert desk.post("/api/admin/bans", subject="player:999").status_code == 404
    row = next(one for one in desk.ask("GET", "/api/admin/players?name=play").json()["players"])
    assert (row["number"], row["role"], row["ban"]["target"]) == (1, "player", "player:1")


@pytest.mark.parametrize("subject", ["", "0.0.0.0/0", "203.0.113.7/24", "ann", "player:x", "\x1b[31m", "name:"])
def test_an_act_without_a_subject_is_refused_and_not_logged(desk: Desk, subject: str) -> None:
    answer = desk.post("/api/admin/bans", subject=subject)
    assert answer.status_code in (404, 422)
    problem(answer)
    assert desk.audit() == []


def test_lifting_what_is_not_in_force_is_refused(desk: Desk) -> None:
    answer = desk.ask("DELETE", "/api/admin/mutes", params={"subject": "203.0.113.7"})
    assert answer.status_code == 409
    assert "is not muted" in problem(answer)["detail"]


def test_moderators_cannot_ban_each_other_admins_or_themselves(desk: Desk) -> None:
    for name in ("moderator", "admin"):
        for route in ("bans", "mutes"):
            assert desk.post(f"/api/admin/{route}", subject=f"name:{name}").status_code == 403
    admin = desk.tokens[Role.ADMIN]
    assert desk.post("/api/admin/bans", admin, subject="name:admin").status_code == 403
    assert desk.post("/api/admin/bans", admin, subject="name:moderator").status_code == 200


def test_the_address_of_the_moderator_cannot_be_banned(desk: Desk) -> None:
    for subject in ("192.0.2.1", "192.0.2.0/24"):
        answer = desk.post("/api/admin/bans", subject=subject)
        assert answer.status_code == 409
        assert "includes your own address" in problem(answer)["detail"]
    assert desk.post("/api/admin/mutes", subject="192.0.2.1").status_code == 200


def test_closing_a_table_ends_its_match_and_is_stored(desk: Desk) -> None:
    sitting = desk.api.tris(4)
    assert desk.post(f"/api/admin/matches/{sitting.id}/close", reason="insults").status_code == 200
    match = desk.api.server.match(sitting.id)
    assert match.status is Status.OVER
    assert match.outcome is not None
    assert match.outcome.termination == "closed"
    again = desk.post(f"/api/admin/matches/{sitting.id}/close")
    assert again.status_code in (200, 404)
    assert desk.post("/api/admin/matches/nothing/close").status_code == 404


def test_an_announcement_reaches_connections_and_is_withdrawn(desk: Desk) -> None:
    desk.post("/api/admin/announcement", text=" restart\x1b[31m at nine ", seconds=60)
    desk.post("/api/admin/announcement", text="")
    assert [one.text for one in desk.announced] == ["restart[31m at nine", ""]
    assert desk.ask("GET", "/api/admin/sanctions").json()["announcement"] is None


def test_only_admins_drain_and_give_roles(desk: Desk) -> None:
    assert desk.post("/api/admin/drain").status_code == 403
    assert desk.post("/api/admin/players/1/role", role="admin").status_code == 403
    admin = desk.tokens[Role.ADMIN]
    assert desk.post("/api/admin/drain", admin, node="other").status_code == 404
    assert desk.drained == []
    assert desk.post("/api/admin/drain", admin).status_code == 200
    assert desk.drained == [""]
    assert desk.post("/api/admin/players/1/role", admin, role="moderator").status_code == 200
    assert desk.ask("GET", "/api/admin/audit", desk.tokens[Role.PLAYER]).status_code == 200
    assert desk.post("/api/admin/players/4/role", admin, role="player").status_code == 409
    assert desk.post("/api/admin/players/99/role", admin, role="player").status_code == 404
    assert [(act["kind"], act["target"], act["reason"]) for act in desk.audit()] == [
        ("role", "player:1", "moderator"), ("drain", "", ""),
    ]  # fmt: skip


def test_the_audit_log_is_read_in_pages(desk: Desk) -> None:
    for number in range(5):
        desk.post("/api/admin/announcement", text=f"number {number}")
    first = desk.ask("GET", "/api/admin/audit?limit=3").json()
    rest = desk.ask("GET", f"/api/admin/audit?limit=3&before={first['next']}").json()
    assert [act["reason"] for act in first["acts"] + rest["acts"]] == [f"number {n}" for n in (4, 3, 2, 1, 0)]
    assert rest["next"] is None
    assert desk.ask("GET", "/api/admin/audit?kind=ban").json()["acts"] == []


def test_moderators_see_private_tables_and_what_to_ban(desk: Desk) -> None:
    sitting = desk.api.sit("tris", private=True)
    guest = sitting.guests[0]
    guest.address_key, guest.key = "198.51.100.1", "KEY-Ann"
    watcher = Guest(lambda notification: None, "198.51.100.2")
    desk.api.server.lobby.find_table(sitting.id).watch(watcher)
    (table,) = desk.ask("GET", "/api/admin/tables").json()["tables"]
    assert (table["match"], table["private"]) == (sitting.id, True)
    assert table["players"][0] == {
        "name": "Ann", "dialect": "native", "seat": 0, "subject": "guest:KEY-Ann", "address": "198.51.100.1",
    }  # fmt: skip
    assert table["spectators"] == [{"address": "198.51.100.2"}]


def test_quotas_show_who_uses_them(desk: Desk) -> None:
    found = {one["quota"]: one for one in desk.ask("GET", "/api/admin/quotas").json()["quotas"]}
    assert found["seats"]["limit"] == 16
    assert set(found) == set(desk.api.server.lobby.context.quotas.quotas.__struct_fields__)


def test_a_token_says_whose_it_is(desk: Desk) -> None:
    assert desk.api.client.get("/api/caller").json() == {}
    guest = desk.ask("GET", "/api/caller", GUEST_TOKEN).json()
    assert guest == {"subject": f"guest:{token_hash(GUEST_TOKEN)}"}
    token = asyncio.run(desk.api.context.accounts.add_api_token(4, "robot", [Scope.PLAY]))
    assert desk.ask("GET", "/api/caller", token).json() == {
        "subject": "player:4", "name": "Admin", "role": "admin", "scopes": ["play"],
    }  # fmt: skip


# --- reports ----------------------------------------------------------------------------------------------------------


def test_a_guest_reports_a_player_and_a_moderator_answers(desk: Desk) -> None:
    sitting = desk.api.tris(4)
    sent = desk.post("/api/reports", GUEST_TOKEN, match=sitting.id, seat=1, kind="abuse", text="rude\x07 words")
    assert sent.status_code == 201, sent.text
    number = sent.json()["number"]
    (report,) = desk.ask("GET", "/api/admin/reports").json()["reports"]
    assert (report["name"], report["text"], report["kind"], report["reporter"]) == (
        "Bob", "rude words", "abuse", f"guest:{token_hash(GUEST_TOKEN)}",
    )  # fmt: skip
    assert desk.post(f"/api/admin/reports/{number}", reason="muted").status_code == 200
    assert desk.post(f"/api/admin/reports/{number}", reason="again").status_code == 409
    assert desk.ask("GET", "/api/admin/reports").json()["reports"] == []
    (answered,) = desk.ask("GET", "/api/admin/reports?answered=true").json()["reports"]
    assert (answered["answered_by"], answered["answer"]) == ("Moderator (player:3)", "muted")
    assert [act["kind"] for act in desk.audit()] == ["resolve"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"match": "nothing", "kind": "abuse"}, 404),
        ({"match": "match-1", "kind": "rudeness"}, 422),
        ({"match": "match-1", "kind": "abuse", "seat": 7}, 422),
        ({"match": "match-1", "kind": "abuse", "seat": -1}, 422),
        ({"match": "match-1", "kind": "abuse", "text": "x" * 1001}, 422),
        ({"match": "match-1", "kind": "abuse", "other": 1}, 422),
        ({"kind": "abuse"}, 422),
        ([], 422),
    ],
)
def test_a_report_about_nothing_is_refused(desk: Desk, body: Any, status: int) -> None:
    desk.api.tris(4)
    answer = desk.ask("POST", "/api/reports", GUEST_TOKEN, json=body)
    assert answer.status_code == status
    problem(answer)


def test_a_private_match_is_reported_by_its_players_only(desk: Desk) -> None:
    sitting = desk.api.sit("tris", private=True)
    assert desk.post("/api/reports", GUEST_TOKEN, match=sitting.id, kind="abuse").status_code == 404


def test_reports_are_limited_by_address_and_by_player(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = desk.api.tris(4)
    statuses = [desk.post("/api/reports", GUEST_TOKEN, match=sitting.id, kind="other").status_code for _ in range(7)]
    assert statuses == [201] * 5 + [429] * 2
    monkeypatch.setattr(desk.api.context.reports, "take", lambda address: True)
    statuses = [desk.post("/api/reports", GUEST_TOKEN, match=sitting.id, kind="other").status_code for _ in range(6)]
    assert statuses == [201] * (MAX_OPEN_REPORTS_OF_PLAYER - 5) + [429]
    other = desk.post("/api/reports", "another-guest-of-this-server", match=sitting.id, kind="other")
    assert other.status_code == 201


# --- one's own data ---------------------------------------------------------------------------------------------------


def test_a_player_exports_what_is_stored_about_it(desk: Desk) -> None:
    sitting = desk.api.tris()
    desk.post("/api/reports", desk.tokens[Role.PLAYER], match=sitting.id, kind="other", text="mine")
    desk.post("/api/reports", GUEST_TOKEN, match=sitting.id, kind="other", text="another's")
    desk.post("/api/admin/mutes", subject="name:player", reason="loud")
    token = asyncio.run(desk.api.context.accounts.add_api_token(1, "robot", [Scope.PLAY]))
    answer = desk.ask("GET", "/api/privacy/export", desk.tokens[Role.PLAYER])
    assert answer.headers["cache-control"] == "no-store"
    data = answer.json()
    assert (data["subject"], data["account"]["name"]) == ("player:1", "Player")
    assert [(one["kind"], one["label"], one["scopes"]) for one in data["account"]["tokens"]][1:] == [
        ("api", "robot", ["play"])
    ]
    assert [report["text"] for report in data["reports"]] == ["mine"]
    assert (data["account"]["passkeys"], data["account"]["ratings"], data["account"]["follows"]) == ([], [], [])
    assert data["mute"]["reason"] == "loud"
    assert token not in answer.text
    assert token_hash(token) not in answer.text


def test_a_guest_exports_only_its_own_matches(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.api.tris()
    answer = desk.ask("GET", "/api/privacy/export", GUEST_TOKEN).json()
    assert (answer["account"], answer["matches"]) == (None, [])
    monkeypatch.setattr("boardwire.api.authentication.token_hash", lambda token: "KEY-Ann")
    mine = desk.ask("GET", "/api/privacy/export", GUEST_TOKEN).json()
    assert [(match["id"], match["seat"]) for match in mine["matches"]] == [("match-1", 0)]
