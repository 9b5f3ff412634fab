"""Self-describing Java object streams: split into messages, and shown field by field.

No object is created, and no class needs to be known: a stream carries the names and types of all fields.

- A message is shown as `Class {field: value}`; a list, set or map by its elements; a boxed number or text as itself;
  repeated or deeply nested values as `...`.
- `JavaObjectFramer` returns other data as one unreadable piece.

Grammar: "Java Object Serialization Specification", chapter 6.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Generator
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.errors import Malformed
from boardwire.wire.javastream.grammar import (
    BASE_HANDLE,
    BLOCK,
    CLASS_DESCRIPTOR,
    END_BLOCK,
    ENUM,
    HEADER,
    LONG_BLOCK,
    LONG_STRING,
    NULL,
    OBJECT,
    PRIMITIVES,
    REFERENCE,
    RESET,
    STRING,
    WRITE_METHOD,
    Framing,
)

# Type codes and flags of section 6.4.2 that our own streams do not need.
ARRAY: Final = 0x75
CLASS: Final = 0x76
EXCEPTION: Final = 0x7B
PROXY_DESCRIPTOR: Final = 0x7D
EXTERNAL: Final = 0x04
BLOCK_DATA: Final = 0x08

MAX_MESSAGE_BYTES: Final = 1024 * 1024
"""Maximum length of one message."""

MAX_DEPTH: Final = 60
SHOWN_DEPTH: Final = 6
MAX_VALUES: Final = 50_000
"""Limit of the values of one message, and of the handles of a stream that never resets."""

_NUMBERS: Final = {code: struct.Struct(f">{code}") for code in {"B", "H", "Q", "i", *PRIMITIVES.values()}}


class Shape(msgspec.Struct):
    """An object: its class, its fields by name, and the data that a `writeObject` method wrote after them."""

    name: str
    fields: dict[str, Any] = {}
    items: list[Any] | None = None


class Constant(msgspec.Struct):
    """An enum constant."""

    name: str


class _Class(msgspec.Struct):
    name: str
    flags: int = 0
    fields: list[tuple[str, str]] = []
    parent: Any = None


Parse: TypeAlias = Generator[None, None, Any]
"""A parser that yields whenever it needs more bytes, and returns the value."""


class JavaObjectFramer:
    """Splits one direction of a connection into messages (a `Framer` of `boardwire.conformance.framing`)."""

    def __init__(self, framing: Framing) -> None:
        self.separators = bytes((RESET,))
        self._parser = _Parser(framing)
        self._parse: Parse | None = None
        self._has_failed = False

    def feed(self, data: bytes) -> list[tuple[bytes, Any]]:
        """Return the messages that `data` completes, each with its bytes.

        A message is a value, usually a `Shape`, None for a bare header, or a `str` that says why the rest cannot be
        read.
        """
        if self._has_failed:
            return [(data, "messages after the fault cannot be separated")]
        parser = self._parser
        parser.buffer += data
        pieces: list[tuple[bytes, Any]] = []
        try:
            while parser.at < len(parser.buffer) or self._parse is None:
                if self._parse is None:
                    if not parser.buffer:
                        break
                    self._parse = parser.message()
                try:
                    next(self._parse)
                except StopIteration as done:
                    pieces.append((bytes(parser.buffer[: parser.at]), done.value))
                    del parser.buffer[: parser.at]
                    parser.at, self._parse = 0, None
                    continue
                if len(parser.buffer) > MAX_MESSAGE_BYTES:
                    raise Malformed(f"a message is longer than {MAX_MESSAGE_BYTES} bytes")
                break
        except Malformed as error:
            self._has_failed = True
            pieces.append((bytes(parser.buffer), str(error)))
            parser.buffer.clear()
        return pieces

    @property
    def buffered(self) -> int:
        """Bytes of an unfinished message."""
        return len(self._parser.buffer)

    def rest(self) -> bytes:
        """Return the bytes of the unfinished message."""
        return bytes(self._parser.buffer)


class _Parser:
    """Parser of one direction, with its unread bytes.

    The framer has the generators, which refer to the parser. If they referred to the framer, only the garbage collector
    could free it.
    """

    def __init__(self, framing: Framing) -> None:
        self.buffer = bytearray()
        self.at = 0
        self._framing = framing
        self._handles: list[Any] = []
        self._values = 0
        self._has_header = False
        """Whether the header of the stream has been read, if the framing has only one."""

    def _take(self, count: int) -> Generator[None, None, bytes]:
        while len(self.buffer) - self.at < count:
            yield
        self.at += count
        return bytes(self.buffer[self.at - count : self.at])

    def _number(self, code: str) -> Parse:
        number = _NUMBERS[code]
        while len(self.buffer) - self.at < number.size:
            yield
        (value,) = number.unpack_from(self.buffer, self.at)
        self.at += number.size
        return value

    def _text(self, code: str = "H") -> Generator[None, None, str]:
        length = yield from self._number(code)
        if length > MAX_MESSAGE_BYTES:
            raise Malformed(f"a string has {length:,} bytes; a message may have at most {MAX_MESSAGE_BYTES:,}")
        data = yield from self._take(length)
        return _decode_text(data)

    def message(self) -> Parse:
        """Read a message: the header of the stream if the framing has one here, and a value."""
        self._values = 0
        if self._framing is Framing.EACH or not self._has_header:
            data = yield from self._take(len(HEADER))
            if data != HEADER:
                raise Malformed(f"a Java object stream begins with {HEADER.hex(' ')}, not with {data.hex(' ')}")
            if self._framing is Framing.ONCE:
                self._has_header = True
                return None
            self._handles.clear()
        while True:
            tag = yield from self._number("B")
            if tag != RESET:
                return (yield from self._value(tag, 1))
            self._handles.clear()

    def _assign(self, value: Any) -> Any:
        """Give a value the next handle, and return the value."""
        if len(self._handles) >= MAX_VALUES:
            raise Malformed(f"more than {MAX_VALUES:,} handles before a reset")
        self._handles.append(value)
        return value

    def _value(self, tag: int, depth: int) -> Parse:
        """Read a value of the stream whose tag has been read (Java Object Serialization, 6.4.2)."""
        self._values += 1
        if self._values > MAX_VALUES or depth > MAX_DEPTH:
            raise Malformed(f"a message has more than {MAX_VALUES:,} values, or more than {MAX_DEPTH} levels")
        if tag == NULL:
            return None
        if tag == REFERENCE:
            handle = (yield from self._number("i")) - BASE_HANDLE
            if not 0 <= handle < len(self._handles):
                raise Malformed(f"a reference to handle {handle}, but the stream has only {len(self._handles)}")
            return self._handles[handle]
        if tag == STRING:
            return self._assign((yield from self._text()))
        if tag == LONG_STRING:
            return self._assign((yield from self._text("Q")))
        if tag == OBJECT:
            return (yield from self._object(depth))
        if tag == ENUM:
            class_ = yield from self._class(depth)
            constant = self._assign(Constant(""))
            constant.name = yield from self._value((yield from self._number("B")), depth + 1)
            return constant if class_ is not None else None
        if tag == ARRAY:
            return (yield from self._array(depth))
        if tag == CLASS:
            class_ = yield from self._class(depth)
            return self._assign(Shape("Class", {"name": class_.name if class_ else None}))
        if tag in (CLASS_DESCRIPTOR, PROXY_DESCRIPTOR):
            class_ = yield from self._class_descriptor(tag, depth)
            return Shape("ObjectStreamClass", {"name": class_.name})
        if tag in (BLOCK, LONG_BLOCK):
            return (yield from self._take((yield from self._number("B" if tag == BLOCK else "i"))))
        if tag == EXCEPTION:
            self._handles.clear()
            return Shape("exception", {"thrown": (yield from self._value((yield from self._number("B")), depth + 1))})
        raise Malformed(f"expected a value, found the byte {tag:02x}")

    def _class(self, depth: int) -> Parse:
        """Read a class: a new descriptor, a reference to an earlier one, or None."""
        tag = yield from self._number("B")
        if tag in (CLASS_DESCRIPTOR, PROXY_DESCRIPTOR):
            return (yield from self._class_descriptor(tag, depth))
        class_ = yield from self._value(tag, depth) if tag in (NULL, REFERENCE) else self._no_class(tag)
        if class_ is not None and not isinstance(class_, _Class):
            raise Malformed("expected a class, found a reference to a value that is not a class")
        return class_

    def _no_class(self, tag: int) -> Parse:
        raise Malformed(f"expected a class, found the byte {tag:02x}")
        yield  # makes this a generator like its alternative

    def _class_descriptor(self, tag: int, depth: int) -> Parse:
        """Read a new class descriptor: name, flags, fields and parent."""
        if depth > MAX_DEPTH:
            raise Malformed(f"classes are nested more than {MAX_DEPTH} levels deep")
        if tag == PROXY_DESCRIPTOR:
            class_ = self._assign(_Class("Proxy"))
            for _ in range((yield from self._number("i"))):
                yield from self._text()
        else:
            name = yield from self._text()
            yield from self._take(8)  # serialVersionUID
            class_ = self._assign(_Class(name))
            class_.flags = yield from self._number("B")
            fields = []
            for _ in range((yield from self._number("H"))):
                code = chr((yield from self._number("B")))
                field = yield from self._text()
                if code in "L[":
                    yield from self._value((yield from self._number("B")), depth + 1)
                elif code not in PRIMITIVES:
                    raise Malformed(f"a field has the invalid type code {code!r}")
                fields.append((field, code))
            class_.fields = fields
        yield from self._annotations(depth)
        class_.parent = yield from self._class(depth + 1)
        return class_

    def _annotations(self, depth: int) -> Parse:
        """Return the values up to the end of a block."""
        items = []
        while (tag := (yield from self._number("B"))) != END_BLOCK:
            if tag == RESET:
                self._handles.clear()
            else:
                items.append((yield from self._value(tag, depth + 1)))
        return items

    def _object(self, depth: int) -> Parse:
        """Read an object as a `Shape`, with the fields of all its classes."""
        class_ = yield from self._class(depth)
        if class_ is None:
            raise Malformed("an object has no class")
        shape = self._assign(Shape(class_.name.rpartition(".")[2], {}))
        ancestry: list[_Class] = []
        level = class_
        while level is not None and len(ancestry) < MAX_DEPTH:
            ancestry.append(level)
            level = level.parent
        for level in reversed(ancestry):  # a stream has the fields of the most general class first
            if level.flags & EXTERNAL and not level.flags & BLOCK_DATA:
                raise Malformed(f"the external data of {level.name} has no length, so its end cannot be found")
            if not level.flags & EXTERNAL:
                for field, code in level.fields:
                    shape.fields[field] = yield from self._field_value(code, depth)
            if level.flags & (WRITE_METHOD | EXTERNAL):
                items = yield from self._annotations(depth)
                shape.items = [*(shape.items or ()), *(item for item in items if not isinstance(item, bytes))]
        return shape

    def _field_value(self, code: str, depth: int) -> Parse:
        if code in PRIMITIVES:
            number = yield from self._number(PRIMITIVES[code])
            return chr(number) if code == "C" else number
        return (yield from self._value((yield from self._number("B")), depth + 1))

    def _array(self, depth: int) -> Parse:
        """Read an array as a list."""
        class_ = yield from self._class(depth)
        items: list[Any] = self._assign([])
        count = yield from self._number("i")
        if class_ is None:
            raise Malformed("an array has no class")
        if not 0 <= count <= MAX_VALUES:
            raise Malformed(f"an array has {count} elements; it must have 0 to {MAX_VALUES:,}")
        while len(items) < count:
            items.append((yield from self._field_value(class_.name[1:2], depth)))
        return items


def show(value: Any, depth: int = SHOWN_DEPTH) -> str:
    """Return a value of a stream as one line of text."""
    match value:
        case Constant(name=name):
            return str(name)
        case Shape(name=name, fields=fields, items=items):
            if depth <= 0:
                return f"{name} {{...}}"
            if set(fields) == {"value"} and items is None:
                return show(fields["value"], depth)
            if items is not None and ("HashMap" in name or "Map" in name):
                pairs = zip(items[::2], items[1::2], strict=False)
                return "{" + ", ".join(f"{show(key, depth - 1)}: {show(part, depth - 1)}" for key, part in pairs) + "}"
            if items is not None and set(fields) <= {"size", "tag", "loadFactor", "threshold"}:
                return "[" + ", ".join(show(item, depth - 1) for item in items) + "]"
            text = ", ".join(f"{field}: {show(part, depth - 1)}" for field, part in fields.items())
            suffix = "" if not items else " [" + ", ".join(show(item, depth - 1) for item in items) + "]"
            return f"{name} {{{text}}}{suffix}"
        case list():
            return "[" + ", ".join(show(item, depth - 1) for item in value) + "]" if depth > 0 else "[...]"
        case bytes():
            return value.hex(" ")
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case _Class(name=name):
            return name
    return json.dumps(value, ensure_ascii=False, default=str)


def _decode_text(data: bytes) -> str:
    """Decode modified UTF-8.

    Invalid data becomes U+FFFD: records are written as JSON, which cannot contain a lone surrogate.
    """
    data = data.replace(b"\xc0\x80", b"\0")
    try:
        units = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        units = data.decode("utf-8", "replace")
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
