"""E-mail addresses over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.mail.sink import Sink, mail_server

from boardwire.api.context import MAIL_CODE_BURST
from boardwire.mail.addresses import Addresses
from boardwire.mail.mailer import Mailer
from boardwire.mail.server import MailServer, MailTls

from .api_fixture import ApiFixture, problem

ADDRESS = "ann@example.org"


@pytest.fixture
def sink() -> Iterator[Sink]:
    with mail_server() as made:
        yield made


@pytest.fixture
def mailer(api: ApiFixture, sink: Sink) -> Iterator[Mailer]:
    server = MailServer("127.0.0.1", sink.port, "games@b.example", "https://games.example", MailTls.NONE)
    made = Mailer(server, Addresses(api.context.accounts.records), lambda key: 0, lambda match, turn: True, lambda: 1.0)
    api.context.mailer = made
    yield made
    made.close()


def claim(api: ApiFixture, name: str = "Ann") -> dict[str, str]:
    return {"Authorization": f"Bearer {api.client.post('/api/account', json={'name': name}).json()['token']}"}


def code_in(sink: Sink) -> str:
    found = re.search(r"[A-Z2-9]{8}", sink.one().get_content())
    assert found is not None
    return found[0]


def put(api: ApiFixture, headers: dict[str, str], address: str = ADDRESS, **fields: Any) -> Any:
    return api.client.ask("POST", "/api/account/mail", headers=headers, json={"address": address, **fields})


def test_an_address_is_given_confirmed_and_removed(api: ApiFixture, mailer: Mailer, sink: Sink) -> None:
    ann = claim(api)
    assert api.client.get("/api/account/mail", headers=ann).json() == {
        "offered": True, "address": "", "confirmed": False,
    }  # fmt: skip
    assert put(api, ann, language="it").json() == {"offered": True, "address": ADDRESS, "confirmed": False}
    code = code_in(sink)
    wrong = api.client.post("/api/account/mail/confirm", headers=ann, json={"code": "WRONG234"})
    assert wrong.status_code == 409
    assert "wrong" in problem(wrong)["detail"]
    right = api.client.post("/api/account/mail/confirm", headers=ann, json={"code": code})
    assert right.json() == {"offered": True, "address": ADDRESS, "confirmed": True}
    assert right.headers["cache-control"] == "no-store"
    assert api.client.ask("DELETE", "/api/account/mail", headers=ann).json()["address"] == ""


def test_a_mail_program_unsubscribes_in_one_click(api: ApiFixture, mailer: Mailer, sink: Sink) -> None:
    ann = claim(api)
    put(api, ann)
    account = api.client.get("/api/account", headers=ann).json()["number"]
    found = mailer.addresses.find(account, 0.0)
    assert found is not None
    url = f"/api/mail/unsubscribe?token={found.unsubscribe}"
    assert api.client.ask("GET", url).status_code == 405, "a program that only looks at links ends nothing"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = api.client.ask("POST", url, headers=form, content=b"List-Unsubscribe=One-Click")
    assert answer.json() == {"unsubscribed": True}
    assert mailer.addresses.find(account, 0.0) is None
    assert api.client.ask("POST", url).json() == {"unsubscribed": True}, "the answer does not say whether it is known"


@pytest.mark.parametrize("address", ["nonsense", "a@b.example\r\nBcc: all@b.example", "x" * 300])
def test_a_faulty_address_is_refused(api: ApiFixture, mailer: Mailer, sink: Sink, address: str) -> None:
    answer = put(api, claim(api), address)
    assert answer.status_code == 422
    problem(answer)
    assert sink.asked == 0


def test_an_address_refused_by_the_mail_server_is_reported(api: ApiFixture, mailer: Mailer, sink: Sink) -> None:
    sink.refusals = ["550 5.1.1 no such user"]
    answer = put(api, claim(api))
    assert answer.status_code == 422
    assert "reports that this address does not exist" in problem(answer)["detail"]


def test_an_unreachable_mail_server_is_reported(api: ApiFixture, mailer: Mailer, sink: Sink) -> None:
    ann = claim(api)
    put(api, ann)
    confirmed = api.client.post("/api/account/mail/confirm", headers=ann, json={"code": code_in(sink)}).json()
    sink.refusals = ["451 later"]
    answer = put(api, ann, "new@example.org")
    assert answer.status_code == 503
    assert "try again later" in problem(answer)["detail"]
    assert api.client.get("/api/account/mail", headers=ann).json() == confirmed, "the former address stays"


def test_codes_are_limited_per_client_address(api: ApiFixture, mailer: Mailer, sink: Sink) -> None:
    for number in range(MAIL_CODE_BURST):
        assert put(api, claim(api, f"Ann {number}"), f"a{number}@b.example").status_code == 200
    answer = put(api, claim(api, "Bob"), "bob@b.example")
    assert answer.status_code == 429
    assert sink.asked == MAIL_CODE_BURST


def test_a_server_without_e_mail_says_so(api: ApiFixture) -> None:
    ann = claim(api)
    assert api.client.get("/api/account/mail", headers=ann).json()["offered"] is False
    assert put(api, ann).status_code == 503
    assert api.client.ask("POST", "/api/mail/unsubscribe", params={"token": "x"}).json() == {"unsubscribed": True}
