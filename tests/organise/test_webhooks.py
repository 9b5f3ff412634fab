"""Webhooks: URLs, the addresses that may be contacted, signatures."""

from __future__ import annotations

import base64
import hashlib
import hmac
import socket
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.organise.webhooks import (
    MAX_WEBHOOKS_PER_ORGANISER,
    Target,
    add_webhook,
    delete_webhook,
    is_allowed,
    parse_url,
    read_webhooks,
    resolve,
    signature,
)
from boardwire.records.records import Records

HOOK = Target("https", "hooks.example", 443, "/")


def names(*addresses: str) -> Any:
    """A name server that knows these addresses."""
    return lambda host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://a.example/hook?x=1", Target("https", "a.example", 443, "/hook?x=1")),
        ("http://a.example:8080", Target("http", "a.example", 8080, "/")),
        ("http://[2001:db8::1]/x", Target("http", "2001:db8::1", 80, "/x")),
    ],
)
def test_urls_are_read(url: str, target: Target) -> None:
    assert parse_url(url) == target


@pytest.mark.parametrize(
    "url",
    [
        "", "nonsense", "ftp://a.example/", "file:///etc/passwd", "https://", "https://user:secret@a.example/",
        "https://a.example/#x", "https://a.example:99999/", "https://a.example/\r\nHost: b", "https://à.example/",
        "https://a.example/ b", "https://a.example/" + "x" * 500, "gopher://a.example",
    ],
)  # fmt: skip
def test_what_is_no_url_of_a_webhook_is_refused(url: str) -> None:
    with pytest.raises(Malformed):
        parse_url(url)


PRIVATE = [
    "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_with_a_private_address_is_not_contacted(address: str) -> None:
    with pytest.raises(Refused, match="not a public address"):
        resolve(HOOK, (), names(address))


def test_one_private_address_of_several_is_enough() -> None:
    with pytest.raises(Refused, match=r"10\.0\.0\.1"):
        resolve(HOOK, (), names("93.184.215.14", "10.0.0.1"))


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700::1111", "::ffff:93.184.215.14", "64:ff9b::5db8:d70e"])
def test_public_addresses_are_contacted(address: str) -> None:
    assert resolve(HOOK, (), names(address)) == address


def test_the_operator_may_allow_a_network() -> None:
    allowed = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
    assert is_allowed("10.1.2.3", allowed)
    assert is_allowed("::ffff:10.1.2.3", allowed)
    assert is_allowed("fd00::7", allowed)
    assert not is_allowed("127.0.0.1", allowed)


def test_a_name_that_is_not_found_is_tried_again() -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(Unavailable, match=r"hooks\.example"):
        resolve(HOOK, (), fails)


def test_the_signature_is_that_of_standard_webhooks() -> None:
    key = b"0123456789abcdef0123456789abcdef"
    secret = "whsec_" + base64.b64encode(key).decode()
    wanted = hmac.new(key, b'evt_1.1700000000.{"x":1}', hashlib.sha256).digest()
    assert signature(secret, "evt_1", 1_700_000_000, b'{"x":1}') == "v1," + base64.b64encode(wanted).decode()


def test_the_secret_is_shown_once_and_the_number_is_bounded(records: Records) -> None:
    made = [
        records.write_now(lambda db: add_webhook(db, 1, "https://a.example/", (), 0.0))
        for _ in range(MAX_WEBHOOKS_PER_ORGANISER)
    ]
    assert len({hook.secret for hook in made}) == MAX_WEBHOOKS_PER_ORGANISER
    shown = records.read(lambda db: read_webhooks(db, 1))
    assert [(hook.number, hook.secret) for hook in shown] == [(hook.number, "") for hook in made]
    with pytest.raises(Refused, match="the maximum"):
        records.write_now(lambda db: add_webhook(db, 1, "https://a.example/", (), 0.0))
    assert records.write_now(lambda db: add_webhook(db, 2, "https://a.example/", (), 0.0)).secret


def test_only_its_owner_deletes_a_webhook(records: Records) -> None:
    made = records.write_now(lambda db: add_webhook(db, 1, "https://a.example/", (), 0.0))
    assert not records.write_now(lambda db: delete_webhook(db, 2, made.number))
    assert records.write_now(lambda db: delete_webhook(db, 1, made.number))
    assert records.read(lambda db: read_webhooks(db, 1)) == []


def test_the_receiver_in_the_documentation_accepts_our_deliveries_alone() -> None:
    page = (Path(__file__).parents[2] / "docs" / "organise.md").read_text("utf-8")
    found: dict[str, Any] = {}
    exec(page.partition("```python\n")[2].partition("```")[0], found)
    secret = "whsec_" + base64.b64encode(b"k" * 32).decode()
    headers = {"webhook-id": "evt_1_1", "webhook-timestamp": "1700000000"}
    headers["webhook-signature"] = signature(secret, "evt_1_1", 1_700_000_000, b"{}")
    assert found["is_genuine"](secret, headers, b"{}")
    assert not found["is_genuine"](secret, headers, b"{ }")
    assert not found["is_genuine"](secret, {**headers, "webhook-timestamp": "1700000001"}, b"{}")
