"""Deliveries of webhooks: signed, retried, bounded, and never to another address than the one that was checked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_network
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from boardwire.errors import Unavailable
from boardwire.organise import delivery, events
from boardwire.organise.delivery import DELIVERY_RETRY_SECONDS, Deliverer, Delivery, read_deliveries
from boardwire.organise.events import DeliveryState, EventKind, add_event, forget_organiser
from boardwire.organise.webhooks import Target, Webhook, add_webhook, delete_webhook, signature
from boardwire.records.records import Records

ANN, BOB = 1, 2
DOWN = "down.example"


class Receiver:
    """A receiver that answers with these statuses, then with 200; it has a clock."""

    def __init__(self, records: Records, *statuses: int) -> None:
        self.now = 1000.0
        self.received: list[tuple[Target, str, dict[str, Any], dict[str, str]]] = []
        self._statuses = list(statuses)
        self._records = records
        self._lock = threading.Lock()
        self.deliverer = Deliverer(
            records, now=lambda: self.now, send=self._answer, lookup=lambda target, allowed: "93.184.215.14"
        )

    def _answer(self, target: Target, address: str, body: bytes, headers: dict[str, str]) -> int:
        with self._lock:
            self.received.append((target, address, msgspec.json.decode(body), headers))
            if target.host == DOWN:
                return 500
            return self._statuses.pop(0) if self._statuses else 200

    def step(self) -> float | None:
        return self.deliverer.step()


def hook(records: Records, owner: int = ANN, *kinds: EventKind, url: str = "https://a.example/hook") -> Webhook:
    return records.write_now(lambda db: add_webhook(db, owner, url, kinds, 0.0))


def happen(records: Records, kind: EventKind = EventKind.ENDED, owner: int = ANN) -> int:
    return records.write_now(lambda db: add_event(db, owner, kind, 1000.0, "match-1", {"x": 1}))


def log(records: Records, owner: int = ANN) -> list[Delivery]:
    return records.read(lambda db: read_deliveries(db, owner, None, 100))


def test_an_event_is_delivered_once_with_its_signature(records: Records) -> None:
    made = hook(records)
    number = happen(records)
    receiver = Receiver(records)
    assert receiver.step() is None
    assert receiver.step() is None
    ((target, address, body, headers),) = receiver.received
    assert (target.host, address) == ("a.example", "93.184.215.14")
    assert body == {"number": number, "kind": "match.ended", "at": 1000.0, "match": "match-1", "data": {"x": 1}}
    name = f"evt_{number}_{made.number}"
    encoded = msgspec.json.encode(body)
    assert headers["webhook-id"] == name
    assert headers["webhook-timestamp"] == "1000"
    assert headers["webhook-signature"] == signature(made.secret, name, 1000, encoded)
    assert [(one.state, one.attempts, one.status) for one in log(records)] == [(DeliveryState.DELIVERED, 1, 200)]


def test_a_webhook_gets_the_kinds_it_wants_of_its_owner_alone(records: Records) -> None:
    hook(records, ANN, EventKind.ENDED)
    happen(records, EventKind.STARTED)
    happen(records, EventKind.ENDED, BOB)
    number = happen(records, EventKind.ENDED)
    receiver = Receiver(records)
    receiver.step()
    assert [body["number"] for _, _, body, _ in receiver.received] == [number]


def test_a_failed_delivery_is_retried_later_and_later_then_given_up(records: Records) -> None:
    hook(records)
    happen(records)
    receiver = Receiver(records, *[500] * 20)
    for attempt, pause in enumerate(DELIVERY_RETRY_SECONDS, 1):
        assert receiver.step() == receiver.now + pause
        assert len(receiver.received) == attempt
        receiver.now += pause - 0.5
        assert len(receiver.received) == attempt
        receiver.now += 0.5
    assert receiver.step() is None
    (last,) = log(records)
    assert (last.state, last.attempts, last.status) == (DeliveryState.FAILED, len(DELIVERY_RETRY_SECONDS) + 1, 500)
    assert last.error == "the receiver responded with status 500"


@pytest.mark.parametrize("status", [301, 302, 404, 500])
def test_everything_but_success_is_retried_and_redirects_are_not_followed(records: Records, status: int) -> None:
    hook(records)
    happen(records)
    receiver = Receiver(records, status)
    receiver.step()
    assert [one.state for one in log(records)] == [DeliveryState.WAITING]
    receiver.now += DELIVERY_RETRY_SECONDS[0]
    receiver.step()
    assert [one.state for one in log(records)] == [DeliveryState.DELIVERED]


def test_a_failing_webhook_does_not_delay_another_one(records: Records) -> None:
    hook(records, ANN, url=f"https://{DOWN}/hook")
    hook(records, BOB)
    for _ in range(3):
        happen(records, owner=ANN)
        happen(records, owner=BOB)
    receiver = Receiver(records)
    receiver.step()
    assert [one.state for one in log(records, BOB)] == [DeliveryState.DELIVERED] * 3


def test_what_waits_is_bounded_by_organiser_and_the_rest_is_recorded(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "MAX_WAITING_PER_ORGANISER", 3)
    hook(records)
    hook(records, BOB)
    for _ in range(5):
        happen(records)
    happen(records, owner=BOB)
    dropped, waiting = DeliveryState.DROPPED, DeliveryState.WAITING
    assert [one.state for one in log(records)] == [dropped, dropped, waiting, waiting, waiting]
    assert [one.state for one in log(records, BOB)] == [waiting]


def test_old_events_and_the_old_log_are_deleted(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MAX_EVENTS_PER_ORGANISER", 5)
    monkeypatch.setattr(events, "MAX_FINISHED_PER_ORGANISER", 4)
    hook(records)
    receiver = Receiver(records)
    for _ in range(12):
        happen(records)
        receiver.step()
    assert len(records.read(lambda db: events.read_events(db, ANN, 0, 100))) == 5
    assert len(log(records)) <= 5


def test_a_deleted_webhook_gets_nothing_more(records: Records) -> None:
    made = hook(records)
    happen(records)
    records.write_now(lambda db: delete_webhook(db, ANN, made.number))
    receiver = Receiver(records)
    assert receiver.step() is None
    assert receiver.received == []


def test_a_delivery_that_was_not_settled_is_sent_again_with_the_same_id(records: Records) -> None:
    hook(records)
    happen(records)
    first, second = Receiver(records), Receiver(records)
    first.deliverer.close()  # killed: the attempt's result is not stored
    first.deliverer.step()
    second.step()
    assert len(second.received) == 1


# --- a real receiver ----------------------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    received: list[tuple[str, bytes]] = []  # noqa: RUF012 - one list for the test

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.headers["webhook-id"], body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def listening() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), Handler)
    Handler.received.clear()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def deliver(records: Records, **options: Any) -> None:
    deliverer = Deliverer(records, now=lambda: 1000.0, **options)
    deliverer.step()


def test_a_receiver_on_this_machine_is_contacted_only_if_the_operator_allows_it(
    records: Records, listening: int
) -> None:
    hook(records, url=f"http://localhost:{listening}/")
    happen(records)
    deliver(records)
    assert Handler.received == []
    (one,) = log(records)
    assert "not a public address" in one.error
    records.write_now(lambda db: db.run("UPDATE organisers_deliveries SET due = 0"))
    deliver(records, allowed=(ip_network("127.0.0.0/8"), ip_network("::1/128")))
    assert [name for name, _ in Handler.received] == [f"evt_{one.event}_{one.webhook}"]


def test_the_connection_goes_to_the_address_that_was_checked(records: Records, listening: int) -> None:
    """A name that points elsewhere after the check (DNS rebinding) is not looked up again."""
    hook(records, url=f"http://no-such-name.invalid:{listening}/")
    happen(records)
    deliver(records, lookup=lambda target, allowed: "127.0.0.1")
    assert len(Handler.received) == 1


def test_a_receiver_that_cannot_be_reached_is_recorded(records: Records) -> None:
    def lost(*_: Any) -> int:
        raise ConnectionRefusedError(111, "Connection refused")

    def unknown(*_: Any) -> str:
        raise Unavailable("the name a.example cannot be resolved")

    hook(records)
    happen(records)
    deliver(records, send=lost, lookup=lambda target, allowed: "93.184.215.14")
    assert "Connection refused" in log(records)[0].error
    records.write_now(lambda db: db.run("UPDATE organisers_deliveries SET due = 0"))
    deliver(records, lookup=unknown)
    assert log(records)[0].error == "the name a.example cannot be resolved"


def test_a_receiver_that_does_not_answer_is_given_up(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setattr(delivery, "ATTEMPT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hook(records, url=f"http://a.example:{silent.getsockname()[1]}/")
        happen(records)
        deliver(records, lookup=lambda target, allowed: "127.0.0.1")
    assert log(records)[0].state is DeliveryState.WAITING
    assert log(records)[0].error


def test_the_thread_delivers_what_is_notified(records: Records) -> None:
    hook(records)
    done = threading.Event()

    def send(*_: Any) -> int:
        done.set()
        return 200

    deliverer = Deliverer(records, send=send, lookup=lambda target, allowed: "93.184.215.14")
    happen(records)
    deliverer.notify()
    assert done.wait(10.0)
    deliverer.close()


def test_the_thread_goes_on_after_an_error_that_it_does_not_know(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "DELIVERY_RETRY_SECONDS", (0.0,))
    hook(records)
    happen(records)
    arrived = threading.Event()
    faults = [ZeroDivisionError("once")]

    def now() -> float:
        if faults:
            raise faults.pop()
        return 1000.0

    def send(*_: object) -> int:
        arrived.set()
        return 200

    deliverer = Deliverer(records, now=now, send=send, lookup=lambda target, allowed: "93.184.215.14")
    deliverer.notify()
    assert arrived.wait(10)
    deliverer.close()


def test_a_server_that_stops_says_nothing_of_records_that_are_closed(records: Records) -> None:
    asked, closed = threading.Event(), threading.Event()

    def now() -> float:
        asked.set()
        assert closed.wait(10)
        raise Unavailable("the server is stopping")

    deliverer = Deliverer(records, now=now)
    with capture_logs() as logs:
        deliverer.notify()
        assert asked.wait(10)
        deliverer.close()
        threads = [thread for thread in threading.enumerate() if thread.name == "webhooks"]
        closed.set()
        for thread in threads:
            thread.join(10)
    assert logs == []


def test_a_deleted_organiser_has_no_webhooks_and_nothing_waits(records: Records) -> None:
    hook(records, ANN)
    hook(records, BOB)
    happen(records, owner=ANN)
    happen(records, owner=BOB)
    records.write_now(lambda db: forget_organiser(db, ANN))
    receiver = Receiver(records)
    assert receiver.step() is None
    assert len(receiver.received) == 1, "that of the other organiser"


def test_one_thread_is_started_and_none_after_the_close(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    class Noted:
        def __init__(self, name: str, **_: object) -> None:
            self.name = name

        def start(self) -> None:
            started.append(self.name)

    monkeypatch.setattr(delivery, "Thread", Noted)
    deliverer = Deliverer(records)
    deliverer.notify()
    deliverer.notify()
    assert started == ["webhooks"]
    closed = Deliverer(records)
    closed.close()
    closed.notify()
    assert started == ["webhooks"]
