"""Subscriptions to push messages over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.lobby.held_seats import token_hash
from boardwire.push.notifier import Notifier
from boardwire.push.subscriptions import Subscriptions

from .api_fixture import ApiFixture, problem

TOKEN = {"Authorization": "Bearer " + "t" * 24}
GOOD = {
    "endpoint": "https://push.example/1",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


@pytest.fixture
def notifier(api: ApiFixture) -> Notifier:
    subscriptions = Subscriptions(api.context.accounts.records)
    api.context.notifier = Notifier(subscriptions, api.server.lobby, api.server.clock.now, "https://games.example/")
    return api.context.notifier


def test_a_browser_subscribes_and_ends_it(api: ApiFixture, notifier: Notifier) -> None:
    assert api.get("/api/push")["key"] == notifier.subscriptions.key.public
    assert api.client.post("/api/push", headers=TOKEN, json=GOOD).json() == {"subscribed": True}
    player = token_hash("t" * 24)
    assert [one.endpoint for one in notifier.subscriptions.for_keys(player)] == [GOOD["endpoint"]]
    other = {"Authorization": "Bearer " + "o" * 24}
    api.client.post("/api/push/end", headers=other, json={"endpoint": GOOD["endpoint"]})
    assert len(notifier.subscriptions.for_keys(player)) == 1, "it is not the other's"
    assert api.client.post("/api/push/end", headers=TOKEN, json={"endpoint": GOOD["endpoint"]}).status_code == 200
    assert notifier.subscriptions.for_keys(player) == []
    notifier.close()


@pytest.mark.parametrize("changes", [
    {"endpoint": "http://push.example/1"}, {"endpoint": "nonsense"}, {"endpoint": "https://a b"}, {"p256dh": "AAAA"},
    {"auth": "AAAA"}, {"language": "xx"}, {"evil": 1},
])  # fmt: skip
def test_a_faulty_subscription_is_refused(api: ApiFixture, notifier: Notifier, changes: dict[str, Any]) -> None:
    answer = api.client.post("/api/push", headers=TOKEN, json={**GOOD, **changes})
    assert answer.status_code == 422, answer.text
    problem(answer)
    notifier.close()


def test_without_a_token_or_a_notifier_there_is_none(api: ApiFixture) -> None:
    assert api.client.post("/api/push", json=GOOD).status_code == 401
    assert api.client.post("/api/push", headers=TOKEN, json=GOOD).status_code == 503
    assert api.get("/api/push") == {"key": ""}
