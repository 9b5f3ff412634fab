"""WebSocket frames (RFC 6455), both ends, after the HTTP handshake. Sans-I/O.

- Frames of a client are masked, those of a server are not. Violations are `Malformed`, and so are reserved bits,
  unknown opcodes, non-minimal lengths, fragmented or long control frames, text that is not UTF-8 and messages over the
  limit.
- Fragments are joined; control frames between them are returned at once.
- A message is returned as `str` or `bytes`, a control frame as `Ping`, `Pong` or `Close`.
- Extensions are not supported.
- Nothing after malformed input is decoded. The messages before it are returned first: `fault` is set at once, and
  raised by this call if it has no messages, else by the next.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha1
from struct import Struct
from typing import Final, TypeAlias

import msgspec

from boardwire.errors import Malformed

MAX_MESSAGE_BYTES: Final = 64 * 1024
"""Default limit of a message, in bytes."""
MAX_FRAGMENTS: Final = 64
"""Largest number of fragments of a message."""

_GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
_WHOLE_TEXT: Final = 0x80 | _TEXT
_CODES: Final = frozenset((*range(1000, 1004), *range(1007, 1015)))
"""Valid close codes below 3000 (RFC 6455, 7.4)."""
_HEAD: Final = Struct(">BBH").pack

NO_CODE: Final = 1005
"""Code of a close frame without a code."""


class Ping(msgspec.Struct, frozen=True):
    """A ping frame."""

    payload: bytes = b""


class Pong(msgspec.Struct, frozen=True):
    """A pong frame."""

    payload: bytes = b""


class Close(msgspec.Struct, frozen=True):
    """A close frame."""

    code: int = 1000
    reason: str = ""


Message: TypeAlias = str | bytes | Ping | Pong | Close


Masks: TypeAlias = Callable[[], bytes]
"""Source of frame masks: four new, unpredictable bytes per frame (5.3)."""


def zero_mask() -> bytes:
    """Return a mask that changes nothing, for reproducible conversations without a network."""
    return b"\x00\x00\x00\x00"


def accept_key(key: bytes) -> bytes:
    """Return the Sec-WebSocket-Accept of a Sec-WebSocket-Key."""
    return b64encode(sha1(key + _GUID, usedforsecurity=False).digest())


def encode_text(payload: bytes, mask: bytes = b"") -> bytes:
    """Encode a text message in one frame; a client passes a mask."""
    size = len(payload)
    if 125 < size < 65536 and not mask:  # fast path: almost every message from a server
        return _HEAD(_WHOLE_TEXT, 126, size) + payload
    return _frame(_TEXT, payload, mask)


def encode_pong(payload: bytes, mask: bytes = b"") -> bytes:
    """Encode a pong frame."""
    return _frame(_PONG, payload, mask)


def encode_ping(payload: bytes = b"", mask: bytes = b"") -> bytes:
    """Encode a ping frame."""
    return _frame(_PING, payload, mask)


def encode_close(code: int = 1000, reason: str = "", mask: bytes = b"") -> bytes:
    """Encode a close frame."""
    encoded_reason = reason.encode()[:123].decode(errors="ignore").encode()  # do not split a character
    return _frame(_CLOSE, code.to_bytes(2) + encoded_reason, mask)


def _frame(opcode: int, payload: bytes, mask: bytes) -> bytes:
    """Encode one whole frame (RFC 6455, 5.2)."""
    size = len(payload)
    flag = 0x80 if mask else 0
    if size < 126:
        head = bytes((0x80 | opcode, flag | size))
    elif size < 65536:
        head = _HEAD(0x80 | opcode, flag | 126, size)
    else:
        head = bytes((0x80 | opcode, flag | 127)) + size.to_bytes(8)
    return head + mask + _apply_mask(payload, mask) if mask else head + payload


def _apply_mask(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    pattern = mask * (size // 4 + 1)
    return (int.from_bytes(payload) ^ int.from_bytes(pattern[:size])).to_bytes(size)


class FrameDecoder:
    """Decodes frames into messages. `masked`: the peer is a client."""

    __slots__ = ("_buffer", "_fragment_count", "_limit", "_masked", "_opcode", "_parts", "fault", "overhead")

    def __init__(self, *, masked: bool = True, limit: int = MAX_MESSAGE_BYTES) -> None:
        self._masked = masked
        self._limit = limit
        self._buffer = b""
        self._opcode = 0
        """Opcode of the fragmented message; 0: none."""
        self._parts = bytearray()
        self._fragment_count = 0
        self.fault: Malformed | None = None
        """Error that ended the stream."""
        self.overhead = 0
        """Number of fragments that did not complete a message."""

    @property
    def buffered(self) -> int:
        """Number of buffered bytes of an incomplete message."""
        return len(self._buffer) + len(self._parts)

    def feed(self, data: bytes) -> list[Message]:
        """Return the messages that `data` completes."""
        # fast path: almost always one short, complete text frame of a client
        size = len(data) - 6
        if (
            0 <= size < 126
            and data[0] == _WHOLE_TEXT
            and data[1] == size | 0x80
            and self._masked
            and not self._buffer
            and not self._opcode
            and self.fault is None
        ):
            try:
                return [_apply_mask(data[6:], data[2:6]).decode()]
            except UnicodeDecodeError:
                pass  # the general path reports it
        if self.fault is not None:
            raise self.fault
        buffer = self._buffer + data if self._buffer else data
        messages: list[Message] = []
        start = 0
        try:
            while (frame := self._read_frame(buffer, start)) is not None:
                first, payload, start = frame
                message = self._complete_message(first, payload)
                if message is not None:
                    messages.append(message)
        except Malformed as fault:
            self.fault = fault.without_frames()
            self._buffer, self._parts = b"", bytearray()
            if not messages:
                raise
            return messages
        self._buffer = buffer[start:]
        return messages

    def _read_frame(self, buffer: bytes, start: int) -> tuple[int, bytes, int] | None:
        """Return the first byte, payload and end of the frame at `start`, or None if it is incomplete."""
        if len(buffer) < start + 2:
            return None
        first, second = buffer[start], buffer[start + 1]
        size, at = second & 0x7F, start + 2
        if size > 125:
            width = 2 if size == 126 else 8
            if len(buffer) < at + width:
                return None
            size, at = int.from_bytes(buffer[at : at + width]), at + width
            if size < (126 if width == 2 else 65536):  # RFC 6455, 5.2
                raise Malformed("a frame's length is not in its shortest form")
        self._check_header(first, second, size)
        end = at + size + (4 if self._masked else 0)
        if len(buffer) < end:
            return None
        if not self._masked:
            return first, buffer[at:end], end
        return first, _apply_mask(buffer[at + 4 : end], buffer[at : at + 4]), end

    def _check_header(self, first: int, second: int, size: int) -> None:
        """Check a frame header before its payload has arrived."""
        if first & 0x70:
            raise Malformed("a frame uses an extension that was not agreed on")
        if bool(second & 0x80) is not self._masked:
            raise Malformed("a client's frames must be masked, and a server's must not")
        opcode = first & 0x0F
        if opcode >= _CLOSE:
            if opcode > _PONG or size > 125 or not first & 0x80:
                raise Malformed("a control frame is unknown, too long or fragmented")
        elif opcode > _BINARY or (opcode == _CONTINUATION) is not bool(self._opcode):
            raise Malformed("a frame has an unknown opcode or does not continue a message")
        elif size + len(self._parts) > self._limit:
            raise Malformed(f"a message is longer than {self._limit} bytes")
        elif self._fragment_count >= MAX_FRAGMENTS:
            raise Malformed(f"a message has more than {MAX_FRAGMENTS} fragments")

    def _complete_message(self, first: int, payload: bytes) -> Message | None:
        """Add a frame to the message in progress; return the message that it completes, or None for a fragment."""
        opcode = first & 0x0F
        if opcode == _PING:
            return Ping(payload)
        if opcode == _PONG:
            return Pong(payload)
        if opcode == _CLOSE:
            return _parse_close(payload)
        if not first & 0x80:
            self._opcode = self._opcode or opcode
            self._parts += payload
            self._fragment_count += 1
            self.overhead += 1
            return None
        if self._opcode:
            opcode, payload = self._opcode, bytes(self._parts) + payload
            self._opcode, self._parts, self._fragment_count = 0, bytearray(), 0
        return payload if opcode == _BINARY else _decode_text(payload)


def _parse_close(payload: bytes) -> Close:
    if not payload:
        return Close(NO_CODE)
    if len(payload) == 1:
        raise Malformed("the payload of a close frame has 1 byte, but a close code has 2")
    code = int.from_bytes(payload[:2])
    if not (code in _CODES or 3000 <= code < 5000):
        raise Malformed(f"a close frame has the code {code}, which must not be sent (RFC 6455, 7.4)")
    return Close(code, _decode_text(payload[2:]))


def _decode_text(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise Malformed("a text message or a close reason is not valid UTF-8") from None
