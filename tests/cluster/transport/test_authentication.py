"""Authentication of payloads between nodes."""

from __future__ import annotations

import pytest

from boardwire.cluster.transport.authentication import TAG_BYTES, Authenticator

KEY = bytes(range(32))


def test_a_member_opens_what_another_sealed_for_it() -> None:
    north, south = Authenticator(KEY, "north"), Authenticator(KEY, "south")
    assert south.open(north.seal("south", b"hello")) == b"hello"
    assert south.open(north.seal("south", b"")) == b""
    assert south.rejected == 0


def test_a_payload_for_another_node_is_rejected() -> None:
    payload = Authenticator(KEY, "north").seal("south", b"hello")
    east = Authenticator(KEY, "east")
    assert east.open(payload) is None
    assert east.rejected == 1


def test_a_payload_with_another_key_is_rejected() -> None:
    payload = Authenticator(KEY[::-1], "north").seal("south", b"hello")
    assert Authenticator(KEY, "south").open(payload) is None


@pytest.mark.parametrize("at", [0, TAG_BYTES - 1, TAG_BYTES, -1])
def test_a_payload_with_any_byte_changed_is_rejected(at: int) -> None:
    payload = bytearray(Authenticator(KEY, "north").seal("south", b"hello"))
    payload[at] ^= 1
    assert Authenticator(KEY, "south").open(bytes(payload)) is None


@pytest.mark.parametrize("payload", [b"", b"x", bytes(TAG_BYTES), b"hello, this carries no tag at all"])
def test_a_payload_without_a_tag_is_rejected(payload: bytes) -> None:
    assert Authenticator(KEY, "south").open(payload) is None


def test_the_addressee_cannot_be_shifted_into_the_data() -> None:
    payload = Authenticator(KEY, "north").seal("so", b"uth\0hello")
    assert Authenticator(KEY, "south").open(payload) is None


@pytest.mark.parametrize("size", [0, 31, 65])
def test_a_key_of_the_wrong_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"{size} bytes"):
        Authenticator(bytes(size), "north")
