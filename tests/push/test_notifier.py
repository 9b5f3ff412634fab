"""Players who are away are called when it is their turn, and only then."""

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from boardwire.errors import Malformed
from boardwire.lobby.requests import Enter, Resume, Seek
from boardwire.organise.webhooks import Target
from boardwire.push.notifier import Notifier, check_endpoint
from boardwire.push.subscriptions import MAX_SUBSCRIPTIONS_PER_PLAYER, Subscription, Subscriptions, forget
from boardwire.records.sqlite import SqliteRecords
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.policy import Leaving, Policy

DAY = 86_400.0
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"


class Service:
    """A push service that answers with a status."""

    def __init__(self) -> None:
        self.status = 201
        self.got: list[tuple[str, dict[str, str]]] = []
        self.arrived = threading.Semaphore(0)

    def send(self, target: Target, address: str, body: bytes, headers: dict[str, str]) -> int:
        self.got.append((target.host, headers))
        self.arrived.release()
        return self.status


class Place:
    def __init__(self, policy: Policy = Policy(Leaving.HOLDS, per_move=14 * DAY)) -> None:
        self.server = SimulatedServer(0)
        self.records = SqliteRecords(None)
        self.service = Service()
        self.subscriptions = Subscriptions(self.records)
        self.notifier = Notifier(
            self.subscriptions, self.server.lobby, self.server.clock.now, "https://games.example/", self.service.send,
            lambda target: "203.0.113.1",
        )  # fmt: skip
        self.guests = [Guest(lambda told: None) for _ in range(2)]
        seek = Seek("tris", 2, Player("ann", "native", key="ann's"), None, policy, fresh=True)
        self.server.lobby.do(self.guests[0], seek)
        (self.match,) = (match.id for match in self.server.lobby.survey())
        self.server.lobby.do(self.guests[1], Enter(self.match, Player("bob", "native", key="bob's")))

    def subscribe(self, player: str, endpoint: str = "https://push.example/1") -> None:
        asyncio.run(self.subscriptions.add(player, Subscription(endpoint, PUBLIC, SECRET), 1.0))

    def leave(self, seat: int) -> None:
        self.server.lobby.disconnected(self.guests[seat])

    def act(self, seat: int, cell: int) -> None:
        self.server.lobby.do(self.guests[seat], Act(seat, (cell,)))

    def close(self) -> None:
        self.notifier.close()
        self.records.close()


def drain(notifier: Notifier) -> None:
    """Wait until all calls are sent."""
    for _ in range(1000):
        if not notifier.waiting:
            return
        time.sleep(0.01)
    raise AssertionError("calls still wait")


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    yield made
    made.close()


def test_who_is_away_is_called_when_its_turn_comes(place: Place) -> None:
    place.subscribe("bob's")
    place.leave(1)
    place.act(0, 4)
    assert place.service.arrived.acquire(timeout=10)
    ((host, headers),) = place.service.got
    assert host == "push.example"
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Authorization"].endswith(f"k={place.subscriptions.key.public}")


def test_players_who_are_present_or_not_to_move_are_not_notified(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(place.notifier, "alert", lambda key, alert: calls.append(key))
    place.act(0, 4)
    place.act(1, 0)
    assert calls == []
    place.leave(1)
    assert calls == [], "it is ann's turn"
    place.act(0, 8)
    assert calls == ["bob's"]
    place.leave(0)
    assert calls == ["bob's"], "once for each turn"
    again = Guest(lambda told: None)
    place.server.lobby.do(again, Resume(place.match, 1, "bob's"))
    place.server.lobby.do(again, Act(1, (1,)))
    assert calls == ["bob's", "ann's"]


def test_tables_for_people_who_stay_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(Policy(Leaving.HOLDS, 60.0))
    calls: list[str] = []
    monkeypatch.setattr(place.notifier, "alert", lambda key, alert: calls.append(key))
    place.leave(1)
    place.act(0, 4)
    assert calls == []
    place.close()


def test_a_match_by_correspondence_ends_and_its_table_goes(place: Place) -> None:
    for seat, cell in ((0, 0), (1, 3), (0, 1), (1, 4), (0, 2)):
        place.act(seat, cell)
    for seat in (0, 1):
        place.leave(seat)
    assert len(place.server.lobby) == 0


def test_a_subscription_that_has_ended_is_removed(place: Place) -> None:
    place.subscribe("bob's")
    place.service.status = 410
    place.notifier.alert_match_ready("bob's", "tris", "m")
    assert place.service.arrived.acquire(timeout=10)
    drain(place.notifier)
    assert place.subscriptions.for_keys("bob's") == []


def test_a_player_has_a_bounded_number_of_subscriptions(place: Place) -> None:
    for number in range(MAX_SUBSCRIPTIONS_PER_PLAYER + 3):
        asyncio.run(
            place.subscriptions.add("ann's", Subscription(f"https://push.example/{number}", PUBLIC, SECRET), number)
        )
    found = {one.endpoint for one in place.subscriptions.for_keys("ann's")}
    assert len(found) == MAX_SUBSCRIPTIONS_PER_PLAYER
    assert "https://push.example/0" not in found


def test_the_key_outlives_the_process(place: Place) -> None:
    assert Subscriptions(place.records).key.public == place.subscriptions.key.public


def test_only_https_addresses_are_push_services() -> None:
    check_endpoint("https://push.example/x")
    for url in ("http://push.example/x", "https://", "ftp://a/b", "https://push.example/" + "x" * 500):
        with pytest.raises(Malformed):
            check_endpoint(url)


def test_private_addresses_are_not_contacted() -> None:
    place = Place()
    now = place.server.clock.now
    contacted = Notifier(place.subscriptions, place.server.lobby, now, "https://g/", place.service.send)
    place.subscribe("bob's", "https://127.0.0.1/x")
    contacted.alert_match_ready("bob's", "tris", "m")
    drain(contacted)
    contacted.close()
    assert place.service.got == []
    place.close()


def test_a_turn_that_comes_after_the_notifier_has_closed_is_not_called(place: Place) -> None:
    place.subscribe("bob's")
    place.leave(1)
    place.notifier.close()
    place.act(0, 4)  # the table is still played while the server stops
    assert place.notifier.waiting == 0
    assert place.service.got == []


def test_the_process_does_not_wait_at_exit_for_a_push_service_that_hangs(place: Place) -> None:
    place.subscribe("bob's")
    place.leave(1)
    place.act(0, 4)
    drain(place.notifier)
    threads = [thread for thread in threading.enumerate() if thread.name == "push"]
    assert threads
    assert all(thread.daemon for thread in threads)


def test_a_deleted_account_has_no_subscriptions(place: Place) -> None:
    place.subscribe("bob's")
    place.records.write_now(lambda db: forget(db, ["bob's"]))
    assert place.subscriptions.for_keys("bob's") == []
