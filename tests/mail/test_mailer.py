"""The mailer, with a real mail server."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from boardwire.errors import ConfigError, Malformed, Unavailable
from boardwire.mail import mailer as module
from boardwire.mail.addresses import Addresses
from boardwire.mail.mailer import MAX_ATTEMPTS, Delays, Mailer
from boardwire.mail.server import MailServer, MailTls
from boardwire.push.notifier import Alert
from boardwire.records.sqlite import SqliteRecords

from .sink import Sink, mail_server

ADDRESS = "ann@example.org"
ACCOUNTS = {"ann's": 7, "carl's": 8}
AT_ONCE = Delays(0.0, 600.0, 0.0, 0.0)


class Place:
    """A mailer for the accounts of `ACCOUNTS`, with a clock that the test sets."""

    def __init__(self, server: MailServer, delays: Delays = AT_ONCE) -> None:
        self.now = 10_000.0
        self.over: set[tuple[str, int]] = set()
        self.records = SqliteRecords(None)
        self.addresses = Addresses(self.records)
        self.mailer = Mailer(
            server, self.addresses, lambda key: ACCOUNTS.get(key, 0),
            lambda match, turn: (match, turn) not in self.over, lambda: self.now, delays,
        )  # fmt: skip

    def subscribe(self, language: str = "en", account: int = 7, address: str = ADDRESS) -> None:
        code = asyncio.run(self.addresses.begin(account, address, language, self.now))
        asyncio.run(self.addresses.confirm(account, code, self.now))

    def turn(self, match: str = "m1", turn: int = 5, key: str = "ann's") -> None:
        self.mailer.alert(key, Alert("turn", "tris", match, turn=turn))

    def send_code(self) -> None:
        asyncio.run(self.mailer.send_code(ADDRESS, "en", "ABCD2345"))

    def close(self) -> None:
        self.mailer.close()
        self.records.close()


def until(condition: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    for _ in range(2000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def server_at(port: int, **fields: Any) -> MailServer:
    settings: dict[str, Any] = {"tls": MailTls.NONE, **fields}
    return MailServer("127.0.0.1", port, "games@boardwire.example", "https://games.example", **settings)


@pytest.fixture
def sink() -> Iterator[Sink]:
    with mail_server() as made:
        yield made


@pytest.fixture
def place(sink: Sink) -> Iterator[Place]:
    made = Place(server_at(sink.port))
    yield made
    made.close()


def test_a_player_is_notified_of_its_turn(place: Place, sink: Sink) -> None:
    place.subscribe()
    place.turn()
    message = sink.one()
    assert message["Subject"] == "It is your turn"
    assert (message["To"], message["From"]) == (ADDRESS, "games@boardwire.example")
    text = message.get_content()
    assert "- Tris: https://games.example/#/table/m1" in text
    found = place.addresses.find(7, place.now)
    assert found is not None
    assert f"https://games.example/#/unsubscribe/{found.unsubscribe}" in text
    assert message["List-Unsubscribe"] == f"<https://games.example/api/mail/unsubscribe?token={found.unsubscribe}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_messages_are_in_the_language_of_the_player(place: Place, sink: Sink) -> None:
    place.subscribe("it")
    place.turn()
    message = sink.one()
    assert message["Subject"] == "Tocca a te"
    assert message["Content-Language"] == "it"


def test_turns_within_the_quiet_time_are_notified_together_if_still_open(place: Place, sink: Sink) -> None:
    place.subscribe()
    place.turn("m1", 5)
    assert "m1" in sink.one().get_content()
    until(lambda: place.mailer.waiting == 0)
    place.turn("m1", 7)
    place.turn("m2", 3)
    place.turn("m3", 9)
    place.over.add(("m3", 9))
    assert sink.got.empty()
    place.now += 601.0
    place.turn("m4", 1)
    message = sink.one()
    assert message["Subject"] == "It is your turn in 3 matches"
    assert [one in message.get_content() for one in ("m1", "m2", "m3", "m4")] == [True, True, False, True]


def test_a_turn_is_not_notified_again_after_a_restart(place: Place, sink: Sink) -> None:
    place.subscribe()
    place.turn()
    sink.one()
    until(lambda: place.mailer.waiting == 0)
    place.now += 601.0
    place.turn("m1", 5)
    place.turn("m2", 6)
    message = sink.one()
    assert "m2" in message.get_content()
    assert "m1" not in message.get_content()


def test_only_an_account_with_a_confirmed_address_gets_messages(place: Place, sink: Sink) -> None:
    place.turn(key="bob's")
    place.turn()  # no address
    code = asyncio.run(place.addresses.begin(7, ADDRESS, "en", place.now))
    place.turn()  # not confirmed
    place.mailer.alert("ann's", Alert("ready", "tris", "m9"))
    until(lambda: place.mailer.waiting == 0)
    asyncio.run(place.addresses.confirm(7, code, place.now))
    place.turn("m2", 2)
    assert "m2" in sink.one().get_content()
    assert sink.asked == 1


def test_messages_to_all_players_together_are_a_pause_apart(sink: Sink) -> None:
    place = Place(server_at(sink.port), AT_ONCE._replace(pause=0.3))
    place.subscribe()
    place.subscribe(account=8, address="carl@example.org")
    place.turn()
    place.turn(key="carl's")
    assert {sink.one()["To"], sink.one()["To"]} == {ADDRESS, "carl@example.org"}
    first, second = sink.times
    assert second - first >= 0.3
    place.close()


def test_a_turn_that_ends_while_its_message_waits_for_another_is_not_told(sink: Sink) -> None:
    place = Place(server_at(sink.port), AT_ONCE._replace(pause=0.05))
    place.subscribe()
    place.subscribe(account=8, address="carl@example.org")
    sink.on_message = lambda: place.over.update({("m1", 5), ("m2", 6)})
    place.turn("m1", 5)
    place.turn("m2", 6, key="carl's")
    sink.one()
    until(lambda: place.mailer.waiting == 0)
    assert sink.asked == 1
    place.close()


@pytest.mark.parametrize("refusal", ["550 5.1.1 no such user ann@example.org", "553 5.1.3 syntax", "551 5.1.6 moved"])
def test_an_address_that_does_not_exist_is_removed(place: Place, sink: Sink, refusal: str) -> None:
    place.subscribe()
    sink.refusals = [refusal]
    with capture_logs() as logs:
        place.turn()
        until(lambda: place.addresses.find(7, place.now) is None)
    assert ADDRESS not in str(logs)


@pytest.mark.parametrize("refusal", [
    "554 5.7.1 <ann@example.org>: Relay access denied", "550 5.7.1 Relaying denied", "550 no such user",
    "550 5.1.0 Sender address rejected", "550 5.1.8 Sender address rejected: Domain not found", "552 5.1.1 odd",
    "550 5.7.1 see 5.1.1",
])  # fmt: skip
def test_an_address_stays_when_the_refusal_may_be_about_the_server(place: Place, sink: Sink, refusal: str) -> None:
    place.subscribe()
    sink.refusals = [refusal]
    with capture_logs() as logs:
        place.turn()
        assert "m1" in sink.one().get_content(), "it is tried again"
    assert place.addresses.find(7, place.now) is not None
    assert [line["log_level"] for line in logs] == ["warning"]
    assert refusal[:3] in logs[0]["error"]
    assert ADDRESS not in str(logs)


def test_a_message_that_is_not_accepted_now_is_tried_again(place: Place, sink: Sink) -> None:
    place.subscribe()
    sink.refusals = ["451 later, ann@example.org"] * 2
    with capture_logs() as logs:
        place.turn()
        assert "m1" in sink.one().get_content()
    assert sink.asked == 3
    assert [line["attempts"] for line in logs] == [1, 2]
    assert ADDRESS not in str(logs)


def test_attempts_end(place: Place, sink: Sink) -> None:
    place.subscribe()
    sink.refusals = ["451 later"] * MAX_ATTEMPTS
    place.turn()
    until(lambda: place.mailer.waiting == 0)
    assert sink.asked == MAX_ATTEMPTS
    place.turn("m2", 2)
    text = sink.one().get_content()
    assert "m2" in text
    assert sink.asked == MAX_ATTEMPTS + 1


def test_the_process_does_not_wait_at_exit_for_the_mail_server(place: Place) -> None:
    before = set(threading.enumerate())
    place.send_code()
    (thread,) = [one for one in threading.enumerate() if one.name == "mail" and one not in before]
    assert thread.daemon


def test_a_code_is_sent_at_once(place: Place, sink: Sink) -> None:
    place.send_code()
    message = sink.one()
    assert "ABCD2345" in message.get_content()
    assert message["Auto-Submitted"] == "auto-generated"


def test_a_code_to_a_refused_address_and_one_without_a_mail_server(place: Place, sink: Sink) -> None:
    sink.refusals = ["550 5.1.1 no such user", "554 5.7.1 relay access denied for ann@example.org"]
    with pytest.raises(Malformed, match="reports that this address does not exist"):
        place.send_code()
    with capture_logs() as logs, pytest.raises(Unavailable, match="code 554"):
        place.send_code()
    assert [line["event"] for line in logs] == ["cannot send a confirmation code"]
    assert ADDRESS not in str(logs)
    nowhere = Place(server_at(1))
    with pytest.raises(Unavailable, match="did not accept the message"):
        nowhere.send_code()
    nowhere.close()


def test_a_closed_mailer_sends_nothing(place: Place, sink: Sink) -> None:
    place.subscribe()
    place.mailer.close()
    place.turn()
    with pytest.raises(Unavailable, match="stopping"):
        place.send_code()
    assert sink.asked == 0


def test_too_many_waiting_players_are_dropped(monkeypatch: pytest.MonkeyPatch, sink: Sink) -> None:
    monkeypatch.setattr(module, "MAX_WAITING_PLAYERS", 0)
    place = Place(server_at(sink.port))
    place.subscribe()
    with capture_logs() as logs:
        place.turn()
        until(lambda: bool(logs))
    assert "too many players are waiting" in logs[0]["event"]
    place.close()


# --- encryption -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", place / "key.pem", "-out", place / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    return place / "cert.pem"


def server_context(certificate: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    return context


@pytest.mark.parametrize("tls", [MailTls.STARTTLS, MailTls.TLS])
def test_the_connection_is_encrypted_and_the_server_verified(certificate: Path, tls: MailTls) -> None:
    implicit = tls is MailTls.TLS
    with mail_server(server_context(certificate), implicit=implicit) as sink:
        trusting = Place(server_at(sink.port, tls=tls, ca=str(certificate)))
        trusting.send_code()
        assert "ABCD2345" in sink.one().get_content()
        assert implicit or sink.encrypted == [True]
        trusting.close()
        doubting = Place(server_at(sink.port, tls=tls))
        with pytest.raises(Unavailable):
            doubting.send_code()
        doubting.close()
        assert sink.got.empty()


def test_nothing_is_sent_to_a_server_without_encryption_unless_it_was_allowed(sink: Sink) -> None:
    place = Place(server_at(sink.port, tls=MailTls.STARTTLS))
    with pytest.raises(Unavailable):
        place.send_code()
    assert sink.asked == 0
    place.close()


def test_the_mailer_signs_in(certificate: Path) -> None:
    with mail_server(server_context(certificate), login=True) as sink:
        fields = {"tls": MailTls.STARTTLS, "ca": str(certificate), "user": "games"}
        right = Place(server_at(sink.port, password="right", **fields))
        right.send_code()
        assert sink.logins == [("games", "right")]
        sink.one()
        right.close()
        wrong = Place(server_at(sink.port, password="wrong-secret", **fields))
        with pytest.raises(Unavailable) as error:
            wrong.send_code()
        assert "wrong-secret" not in str(error.value)
        wrong.close()


def test_a_missing_file_of_authorities_is_reported_at_the_start() -> None:
    place = Place(server_at(1, tls=MailTls.TLS, ca="/missing.pem"))
    with pytest.raises(ConfigError, match=r"--mail-ca /missing\.pem"):
        place.mailer.check()
    place.close()


def test_a_missing_library_is_reported_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'boardwire\[mail\]'"):
        Place(server_at(1))
