"""Accounts over HTTP: claim, sign in, devices, tokens, passkeys, rename, delete; and what attackers try."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardwire.api.context import (
    CLAIM_ATTEMPT_BURST,
    CLAIM_ATTEMPTS_PER_SECOND,
    CLAIM_BURST,
    CLAIMS_PER_SECOND,
    SIGN_IN_BURST,
    SIGN_INS_PER_SECOND,
)
from boardwire.api.rate_limit import TokenBuckets
from boardwire.errors import Malformed
from boardwire.players.account import Role
from boardwire.players.accounts import CHALLENGE_SECONDS, Accounts
from boardwire.players.passkeys import relying_party
from boardwire.records.sqlite import SqliteRecords
from boardwire.table.ports import NoBots

from .api_fixture import ApiFixture, Client, api_fixture, problem
from .authenticator import Authenticator

ORIGIN = "http://localhost:7070"
GUEST = "a-guest's-token-from-the-welcome"


class Device:
    """Browser with a token."""

    def __init__(self, api: ApiFixture, token: str = "", address: str = "192.0.2.1", **headers: str) -> None:
        self._client = Client(api.app, address)
        self.token = token
        self._headers = {"Origin": ORIGIN, "Host": "localhost:7070", **headers}

    def ask(self, method: str, path: str, status: int = 200, **body: Any) -> Any:
        headers = self._headers | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        fields: dict[str, Any] = {"json": body} if method == "POST" and path != "/recovery" else {}
        answer = self._client.ask(method, f"/api/account{path}", headers=headers, **fields)
        assert answer.status_code == status, answer.text
        assert "set-cookie" not in answer.headers
        return answer.json() if status < 400 else problem(answer)

    def claim(self, name: str, status: int = 201, **body: Any) -> Any:
        return self.ask("POST", "", status, name=name, **body)

    def sign_in(self, status: int = 200, **body: Any) -> Any:
        return self.ask("POST", "/sessions", status, **body)

    def close(self) -> None:
        self._client.close()


class Time:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Place:
    """Server with browsers that are closed at the end."""

    def __init__(self, api: ApiFixture, clock: Time) -> None:
        self.api = api
        self.clock = clock
        self.devices: list[Device] = []

    def device(self, token: str = "", address: str = "192.0.2.1", **headers: str) -> Device:
        self.devices.append(Device(self.api, token, address, **headers))
        return self.devices[-1]

    def signed_in(self, name: str = "Ann") -> Device:
        device = self.device()
        device.token = device.claim(name)["token"]
        return device

    @property
    def accounts(self) -> Accounts:
        return self.api.context.accounts


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    clock, records = Time(), SqliteRecords(None)
    with api_fixture(tmp_path, accounts=Accounts(records, clock)) as api:
        place = Place(api, clock)
        yield place
        for device in place.devices:
            device.close()
    records.close()


# --- recovery codes ---------------------------------------------------------------------------------------------------


def test_a_name_is_claimed_in_one_step_and_taken_to_another_device_by_its_recovery_code(place: Place) -> None:
    claimed = place.device(GUEST).claim("Ann", label="my laptop")
    assert claimed["token"] != GUEST
    second = place.device()
    second.token = second.sign_in(name=" ann ", recovery=claimed["recovery"].lower().replace("-", " "))["token"]
    told = second.ask("GET", "")
    assert (told["name"], told["number"], told["recovery"]) == ("Ann", claimed["number"], True)
    assert [(one["label"], one["current"]) for one in told["devices"]] == [("my laptop", False), ("", True)]


def test_an_unknown_name_and_a_wrong_code_are_refused_alike(place: Place) -> None:
    code = place.device().claim("Ann")["recovery"]
    wrong = code[:-1] + ("A" if code[-1] != "A" else "B")
    refused = [place.device().sign_in(401, name=name, recovery=text)
               for name, text in (("Ann", wrong), ("Ann", ""), ("Bob", code), ("", "")) ]  # fmt: skip
    assert len({one["detail"] for one in refused}) == 1


def test_a_new_recovery_code_voids_the_old_one(place: Place) -> None:
    device = place.device()
    claimed = device.claim("Ann")
    device.token = claimed["token"]
    new = device.ask("POST", "/recovery")["secret"]
    place.device().sign_in(401, name="Ann", recovery=claimed["recovery"])
    assert place.device().sign_in(name="Ann", recovery=new)["name"] == "Ann"


# --- passkeys ---------------------------------------------------------------------------------------------------------


def with_passkey(place: Place, name: str = "Ann") -> tuple[Device, Authenticator]:
    device, key = place.device(GUEST), Authenticator()
    options = device.ask("POST", "/challenge", name=name)["options"]
    claimed = device.claim(name, credential=key.create(options))
    assert claimed["recovery"] == ""
    device.token = claimed["token"]
    return device, key


def test_a_name_is_claimed_with_a_passkey_which_signs_in_without_a_name(place: Place) -> None:
    _, key = with_passkey(place)
    second = place.device()
    options = second.ask("POST", "/challenge")["options"]
    assert options.get("allowCredentials", []) == []
    second.token = second.sign_in(credential=key.get(options), label="phone")["token"]
    told = second.ask("GET", "")
    assert told["name"] == "Ann"
    assert len(told["devices"]) == 2
    assert len(told["passkeys"]) == 1


def test_a_replayed_answer_is_refused(place: Place) -> None:
    _, key = with_passkey(place)
    device = place.device()
    answer = key.get(device.ask("POST", "/challenge")["options"])
    device.sign_in(credential=answer)
    assert "has been used" in device.sign_in(401, credential=answer)["detail"]


def test_an_answer_to_an_old_or_foreign_challenge_is_refused(place: Place) -> None:
    _, key = with_passkey(place)
    device = place.device()
    options = device.ask("POST", "/challenge")["options"]
    place.clock.now += CHALLENGE_SECONDS + 1
    device.sign_in(401, credential=key.get(options))
    device.sign_in(401, credential=key.get({"challenge": "AAAA", "rpId": "localhost"}))


def test_an_answer_for_another_page_or_of_another_key_is_refused(place: Place) -> None:
    _, key = with_passkey(place)
    device = place.device()
    key.origin = "http://evil.example"
    device.sign_in(401, credential=key.get(device.ask("POST", "/challenge")["options"]))
    key.origin = ORIGIN
    device.sign_in(401, credential=key.get(device.ask("POST", "/challenge")["options"] | {"rpId": "evil.example"}))
    forged = Authenticator()
    forged.id = key.id
    device.sign_in(401, credential=forged.get(device.ask("POST", "/challenge")["options"]))
    device.sign_in(401, credential=Authenticator().get(device.ask("POST", "/challenge")["options"]))
    device.sign_in(422, credential={"id": "x", "response": {"clientDataJSON": "!"}})


@pytest.mark.parametrize("origin", ["http://127.0.0.1:7070", "http://[::1]:7070", "http://games.example", "null", ""])
def test_pages_that_cannot_have_passkeys_get_the_reason(origin: str) -> None:
    with pytest.raises(Malformed, match="recovery code"):
        relying_party(origin)


def test_a_program_without_an_origin_is_asked_to_use_a_recovery_code(place: Place) -> None:
    answer = place.api.client.post("/api/account/challenge", json={})
    assert (answer.status_code, "recovery code" in answer.text) == (422, True)


def test_a_second_passkey_is_added_and_the_last_way_to_sign_in_stays(place: Place) -> None:
    device, _ = with_passkey(place)
    other = Authenticator()
    options = device.ask("POST", "/challenge", name="Ann")["options"]
    told = device.ask("POST", "/passkeys", credential=other.create(options), label="phone")
    assert [one["label"] for one in told["passkeys"]] == ["", "phone"]
    ids = [one["id"] for one in told["passkeys"]]
    assert len(device.ask("DELETE", f"/passkeys/{ids[0]}")["passkeys"]) == 1
    assert "only way" in device.ask("DELETE", f"/passkeys/{ids[1]}", 409)["detail"]
    device.ask("POST", "/recovery")
    assert device.ask("DELETE", f"/passkeys/{ids[1]}")["passkeys"] == []


# --- the account ------------------------------------------------------------------------------------------------------


def test_a_name_is_changed_to_one_that_is_free(place: Place) -> None:
    ann, _ = place.signed_in("Ann"), place.signed_in("Bob")
    assert ann.ask("POST", "/name", 409, name="BOB")["code"] == "name-taken"
    assert ann.ask("POST", "/name", name="ANN")["name"] == "ANN"
    assert ann.ask("POST", "/name", name="Carla")["name"] == "Carla"
    place.signed_in("Ann")


def test_a_device_is_signed_out_by_another_one(place: Place) -> None:
    first = place.device()
    claimed = first.claim("Ann")
    first.token = claimed["token"]
    second = place.device()
    second.token = second.sign_in(name="Ann", recovery=claimed["recovery"])["token"]
    number = next(one["number"] for one in second.ask("GET", "")["devices"] if not one["current"])
    second.ask("DELETE", f"/tokens/{number}")
    first.ask("GET", "", 401)
    second.ask("DELETE", f"/tokens/{number}", 409)


def test_api_tokens_have_scopes_within_the_role_and_may_not_change_the_account(place: Place) -> None:
    ann = place.signed_in()
    assert "organiser" in ann.ask("POST", "/tokens", 403, label="bot", scopes=["organise"])["detail"]
    token = ann.ask("POST", "/tokens", 201, label="bot")["secret"]
    asyncio.run(place.accounts.set_role(ann.ask("GET", "")["number"], Role.ORGANISER))
    ann.ask("POST", "/tokens", 201, label="pairing", scopes=["organise", "play"])
    assert [one["scopes"] for one in ann.ask("GET", "")["tokens"]] == [["play"], ["organise", "play"]]
    program = place.device(token)
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/recovery")):
        program.ask(method, path, 403)
    number = ann.ask("GET", "")["tokens"][0]["number"]
    ann.ask("DELETE", f"/tokens/{number}")
    program.ask("GET", "", 401)


def test_the_tokens_of_others_cannot_be_withdrawn(place: Place) -> None:
    ann, bob = place.signed_in("Ann"), place.signed_in("Bob")
    number = ann.ask("GET", "")["devices"][0]["number"]
    bob.ask("DELETE", f"/tokens/{number}", 409)
    assert ann.ask("GET", "")["name"] == "Ann"


def test_a_deleted_account_is_gone_and_its_name_is_free(place: Place) -> None:
    device = place.device()
    claimed = device.claim("Ann")
    device.token = claimed["token"]
    assert device.ask("DELETE", "")["deleted"] == "Ann"
    device.ask("GET", "", 401)
    place.device().sign_in(401, name="Ann", recovery=claimed["recovery"])
    assert place.signed_in("Ann").ask("GET", "")["number"] != claimed["number"]


# --- attacks ----------------------------------------------------------------------------------------------------------


def test_a_planted_guest_token_gives_no_access_after_the_claim(place: Place) -> None:
    planted = place.device(GUEST)
    victim = place.device(GUEST)
    victim.token = victim.claim("Ann")["token"]
    planted.ask("GET", "", 401)
    assert victim.ask("GET", "")["name"] == "Ann"


def test_a_page_of_another_site_can_neither_send_nor_read(place: Place) -> None:
    ann = place.signed_in()
    evil = place.device(ann.token, Origin="http://evil.example")
    assert "another site" in evil.ask("DELETE", "", 403)["detail"]
    without_token = place.device(Cookie=f"token={ann.token}; session={ann.token}")
    without_token.ask("DELETE", "", 401)
    answer = place.api.client.get("/api/account", headers={"Authorization": f"Bearer {ann.token}"})
    assert "access-control-allow-origin" not in answer.headers


def test_guessing_recovery_codes_is_limited_per_address(place: Place) -> None:
    code = place.device().claim("Ann")["recovery"]
    device = place.device(address="198.51.100.7")
    place.api.context.sign_ins = TokenBuckets(SIGN_IN_BURST, SIGN_INS_PER_SECOND, lambda: 0.0)
    for _ in range(SIGN_IN_BURST):
        device.sign_in(401, name="Ann", recovery="AAAAA-AAAAA-AAAAA-AAAAA")
    assert device.sign_in(429, name="Ann", recovery=code)["code"] == "limit"
    assert place.device(address="203.0.113.9").sign_in(name="Ann", recovery=code)["name"] == "Ann"


def test_collecting_names_by_claiming_them_is_limited_per_address(place: Place) -> None:
    place.device(address="203.0.113.9").claim("Ann")
    device = place.device(address="198.51.100.7")
    place.api.context.claim_attempts = TokenBuckets(CLAIM_ATTEMPT_BURST, CLAIM_ATTEMPTS_PER_SECOND, lambda: 0.0)
    for _ in range(CLAIM_ATTEMPT_BURST):
        device.claim("Ann", 409)
    device.claim("Ann", 429)


def test_claims_are_limited_per_address_and_failed_attempts_do_not_use_them_up(place: Place) -> None:
    place.api.context.claims = TokenBuckets(CLAIM_BURST, CLAIMS_PER_SECOND, lambda: 0.0)
    address = "198.51.100.7"
    place.device(address=address).claim("Ann")
    for _ in range(CLAIM_BURST):
        place.device(address=address).claim("Ann", 409)
        place.device(address=address).claim("admin", 422)
    for number in range(CLAIM_BURST - 1):
        place.device(address=address).claim(f"Bob {number}")
    place.device(address=address).claim("Cid", 429)


def test_the_name_of_a_bot_can_be_neither_claimed_nor_taken_by_a_rename(place: Place) -> None:
    class Bots(NoBots):
        def knows(self, bot: str, game: str) -> bool:
            return bot == "deep-forza"

    place.api.context.lobby.context.bots = Bots()
    place.device().claim("Deep-Forza", 422)
    ann = place.signed_in()
    for name in ("deep-forza", "server", "Bob (guest)"):
        assert ann.ask("POST", "/name", 422, name=name)["detail"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422), (b"[]", 422), (b'{"name": 5}', 422), (b'{"name": "x", "role": "admin"}', 422), (b"\xff", 422),
        (b'{"name": ""}', 422), (b'{"name": "' + b"x" * 20_000 + b'"}', 413), (b"[" * 16_000, 422),
        (b'{"name": "a", "credential": {}}', 422), (b'{"name": "a", "credential": {"response": 5}}', 422),
    ],
)  # fmt: skip
def test_malformed_requests_create_no_account(place: Place, body: bytes, status: int) -> None:
    headers = {"Content-Type": "application/json", "Origin": ORIGIN, "Host": "localhost:7070"}
    answer = place.api.client.post("/api/account", content=body, headers=headers)
    assert answer.status_code == status, answer.text
    problem(answer)
    assert len(place.accounts.directory) == 0
