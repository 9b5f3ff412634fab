"""The client's upgrade from HTTP to a WebSocket: unpredictable keys and masks, and the answer to the key."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from itertools import count

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import Dialect
from boardwire.errors import Malformed
from boardwire.net.client_upgrade import MAX_HEAD_BYTES, UpgradeDecoder, with_upgrade
from boardwire.simulation.server import SimulatedClient
from boardwire.wire.websocket import FrameDecoder, accept_key, encode_ping

NATIVE = dialects.dialect("native")
KEY = b"AAAAAAAAAAAAAAAAAAAAAA=="
ANSWER = (
    b"HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
    b"Sec-WebSocket-Accept: " + accept_key(KEY) + b"\r\n\r\n"
)


def counted() -> Callable[[int], bytes]:
    """Return a source of randomness that counts its calls."""
    asked = count(1)
    return lambda size: bytes([next(asked)]) * size


def said(dialect: Dialect) -> tuple[bytes, bytes]:
    """Return the key of a connection, and the masks of its first two frames: `hello`, and the answer to a ping."""
    client = SimulatedClient(dialect, lambda client, notification: None)
    head, _, frame = client.take().partition(b"\r\n\r\n")
    key = head.partition(b"Sec-WebSocket-Key: ")[2].partition(b"\r\n")[0]
    client.receive(ANSWER.replace(accept_key(KEY), accept_key(key)) + encode_ping(b"?"))
    pong = client.take()
    assert FrameDecoder().feed(frame + pong)[1:], "both can be read"
    return b64decode(key), frame[2:6] + pong[2:6]


def test_the_key_and_the_mask_of_every_frame_are_drawn_anew() -> None:
    assert said(with_upgrade(NATIVE, "there", 80, counted())) == (b"\x01" * 16, b"\x02" * 4 + b"\x03" * 4)


def test_no_two_connections_have_the_same_key_or_masks() -> None:
    (key, masks), (other, others) = said(with_upgrade(NATIVE, "there", 80)), said(with_upgrade(NATIVE, "there", 80))
    assert key != other
    assert len({masks[:4], masks[4:], others[:4], others[4:]}) == 4


def test_a_host_with_colons_is_named_in_brackets() -> None:
    assert b"\r\nHost: [::1]:7070\r\n" in with_upgrade(NATIVE, "::1", 7070).greeting
    assert b"\r\nHost: there:80\r\n" in with_upgrade(NATIVE, "there", 80).greeting


def test_the_head_may_come_in_pieces_and_frames_with_its_end() -> None:
    decoder = UpgradeDecoder(FrameDecoder(masked=False), KEY)
    assert [list(decoder.feed(bytes((byte,)))) for byte in ANSWER[:-1]] == [[]] * (len(ANSWER) - 1)
    assert decoder.buffered == len(ANSWER) - 1
    assert list(decoder.feed(ANSWER[-1:] + b"\x81\x02hi")) == ["hi"]
    assert list(decoder.feed(b"\x81\x02yo")) == ["yo"]
    assert (decoder.buffered, decoder.fault) == (0, None)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"HTTP/1.1 404 Not Found\r\n\r\n", "refused the WebSocket upgrade: HTTP/1.1 404 Not Found"),
        (ANSWER.replace(b"101 ", b"200 "), "refused the WebSocket upgrade: HTTP/1.1 200"),
        (ANSWER.replace(accept_key(KEY), b"b3RoZXI="), "does not match the key"),
        (ANSWER.replace(accept_key(KEY), accept_key(KEY) + b"x"), "does not match the key"),
        (ANSWER.replace(b"Sec-WebSocket-Accept", b"X-Accept"), "does not match the key"),
        (ANSWER.replace(b"WebSocket\r", b"h2c\r"), "other than WebSocket"),
        (ANSWER.replace(b", Upgrade", b""), "other than WebSocket"),
        (ANSWER.replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Protocol: x\r\n\r\n"), "was not requested"),
        (ANSWER.replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Extensions: x\r\n\r\n"), "was not requested"),
        (b"HTTP/1.1 101 Switching Protocols\r\n" + b"x" * MAX_HEAD_BYTES, "head exceeds 16384 bytes"),
        (b"HTTQ", "does not speak HTTP"),
    ],
)
def test_a_server_that_refuses_the_websocket_is_reported(answer: bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        UpgradeDecoder(FrameDecoder(masked=False), KEY).feed(answer)
