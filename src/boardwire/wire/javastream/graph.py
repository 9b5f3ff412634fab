"""Decoder of values: strings, enums, objects, collections, and references between them.

An object is built when all its fields are decoded. If one of its fields refers back to it, an empty shell is made at
that moment and filled at the end, so that cyclic graphs work although the structs are frozen. Every value, including
the elements of collections, is checked against the declared type of its field.

`leaves` decodes complete values in the usual form; this module decodes all others, incrementally. Both accept the same
input: how bytes are split into segments never changes the result.
"""

from __future__ import annotations

import struct
from typing import Any, Final

from boardwire.errors import Malformed
from boardwire.wire.javastream.grammar import (
    BLOCK,
    END_BLOCK,
    ENUM,
    LONG_STRING,
    NULL,
    OBJECT,
    REFERENCE,
    STRING,
)
from boardwire.wire.javastream.layout import Descriptor, Kind, Unbuilt
from boardwire.wire.javastream.leaves import CLOSED, DICT, LIST, UNREAD, LeafSource
from boardwire.wire.javastream.library import IMMUTABLE_LIST_WITH_NULLS, IMMUTABLE_SORTS
from boardwire.wire.javastream.source import Reading

_COUNT: Final = struct.Struct(">i")
_SET: Final = struct.Struct(">ifi")
_MAP: Final = struct.Struct(">ii")
_MAP_FIELDS: Final = struct.Struct(">fi")


class GraphSource(LeafSource):
    """A source that decodes whole values."""

    def reset(self) -> None:
        """Clear the handle table."""
        self.handles.clear()
        self._kinds.clear()

    def message(self) -> Reading[Any]:
        """Decode a top-level value."""
        value = self.at_once()
        if value is UNREAD:
            value = yield from self.value(1)
        for slot, collection in self.later:
            self.check(slot, collection)
        self.later.clear()
        return value

    def value(self, depth: int) -> Reading[Any]:
        """Read a value: an object, an enumeration constant, text, a reference or null."""
        yield from self.need(1)
        tag = self.buffer[self.at]
        if tag == NULL:
            self.at += 1
            return None
        if tag == REFERENCE:
            return self._referenced_value((yield from self.reference()))
        if tag in (STRING, LONG_STRING):
            return (yield from self.string())
        if tag not in (OBJECT, ENUM):
            raise Malformed(f"expected a value, found the tag 0x{tag:02x}")
        self.at += 1
        descriptor = self.match() or (yield from self.descriptor(depth))
        if tag == ENUM or descriptor.kind is Kind.ENUM:
            return (yield from self._enum(descriptor, tag))
        if depth > self.limits.depth and descriptor.flat is None and descriptor.kind is not Kind.INTEGER:
            raise Malformed(f"objects are nested deeper than {self.limits.depth} levels")
        if descriptor.kind is Kind.PLAIN:
            return (yield from self._plain(descriptor, depth))
        if descriptor.kind is Kind.INTEGER:
            handle = self.assign(CLOSED)
            self.handles[handle] = number = yield from self.number(_COUNT)
            return number
        if descriptor.kind is Kind.ABSTRACT:
            raise Malformed(f"class {descriptor.java.name} is abstract")
        return (yield from self._collection(descriptor, depth))

    def _referenced_value(self, handle: int) -> Any:
        target = self.handles[handle]
        if type(target) is Descriptor:
            raise Malformed("expected a value, found a reference to a class")
        if type(target) is Unbuilt:
            if target.shell is None:
                raise Malformed("a value contains itself")
            return self.shell(handle, target.shell)
        return target

    def _enum(self, descriptor: Descriptor, tag: int) -> Reading[Any]:
        """Decode an enum constant after its class."""
        if descriptor.kind is not Kind.ENUM:
            raise Malformed(f"class {descriptor.java.name} is not an enum")
        if tag != ENUM:
            raise Malformed(f"a value of the enum {descriptor.java.name} is encoded as an object")
        handle = self.assign(CLOSED)
        name = yield from self.string()
        constant = descriptor.java.constants.get(name)
        if constant is None:
            raise Malformed(f"enum {descriptor.java.name} has no constant {name[:80]!r}")
        self.handles[handle] = constant
        return constant

    def _plain(self, descriptor: Descriptor, depth: int) -> Reading[Any]:
        """Decode an object of a declared class after its class."""
        java = descriptor.java
        if descriptor.missing_field:
            raise Malformed(f"{java.name} lacks the field {descriptor.missing_field}")
        handle = self.assign(java.unbuilt)
        values = descriptor.defaults.copy()
        for level in descriptor.levels:
            yield from self.need(level.primitives.size)
            self.scatter(level, values)
            for place, slot in level.objects:
                value = self.leaf(depth + 1)
                if value is UNREAD:
                    value = yield from self.value(depth + 1)
                if slot is not None:
                    self.check(slot, value)
                    values[place] = value
            if level.custom:
                yield from self.skip_to_end(depth)
        return self.build(handle, descriptor, values)

    def _collection(self, descriptor: Descriptor, depth: int) -> Reading[Any]:
        """Decode a list, set or map after its class."""
        kind = descriptor.kind
        if kind is Kind.LIST:
            handle = self.assign(LIST)
            size = yield from self.number(_COUNT)
            yield from self._block(_COUNT)
        elif kind is Kind.SET:
            handle = self.assign(CLOSED)
            capacity, load, size = yield from self._block(_SET)
            if capacity < 0 or not load > 0:
                raise Malformed(
                    f"a set has capacity {capacity} and load factor {load:g}; the capacity must not be negative, "
                    "the load factor must be positive"
                )
        elif kind is Kind.MAP:
            handle = self.assign(DICT)
            yield from self.need(_MAP_FIELDS.size)
            load, _ = _MAP_FIELDS.unpack_from(self.buffer, self.at)
            self.at += _MAP_FIELDS.size
            _, size = yield from self._block(_MAP)
            if not load > 0:
                raise Malformed(f"a map has load factor {load:g}; it must be positive")
            size *= 2
        else:
            return (yield from self._immutable(depth))
        items = yield from self._items(kind, size, depth)
        return self.close(handle, kind, items)

    def _immutable(self, depth: int) -> Reading[Any]:
        """Decode an immutable collection (`CollSer`) after its class."""
        handle = self.assign(CLOSED)
        tag = (yield from self.number(_COUNT)) & 0xFF
        kind = IMMUTABLE_SORTS.get(tag)
        if kind is None:
            raise Malformed(f"an immutable collection has an unknown type: {tag}")
        (size,) = yield from self._block(_COUNT)
        items = yield from self._items(kind, size, depth)
        if None in items and tag != IMMUTABLE_LIST_WITH_NULLS:
            raise Malformed("an immutable collection contains null")
        return self.close(handle, kind, items)

    def _items(self, kind: Kind, count: int, depth: int) -> Reading[list[Any]]:
        """Decode `count` values (for a map, keys and values) and the end of the collection's data."""
        if not 0 <= count <= self.limits.elements * (2 if kind is Kind.MAP else 1):
            size = count // 2 if kind is Kind.MAP else count
            raise Malformed(f"a collection has the size {size}; at most {self.limits.elements} elements are allowed")
        if kind is Kind.MAP and count % 2:
            raise Malformed("a map has a key without a value")
        items = []
        for _ in range(count):
            value = self.leaf(depth + 1)
            if value is UNREAD:
                value = yield from self.value(depth + 1)
            items.append(value)
        if self.at < self.end and self.buffer[self.at] == END_BLOCK:
            self.at += 1
        else:
            yield from self.skip_to_end(depth)
        return items

    def _block(self, form: struct.Struct) -> Reading[tuple[Any, ...]]:
        """Decode the numbers that a `writeObject` method has put before the elements, even across data blocks."""
        at, size = self.at, form.size
        if at + 2 + size <= self.end and self.buffer[at] == BLOCK and self.buffer[at + 1] == size:
            self.at = at + 2 + size
            return form.unpack_from(self.buffer, at + 2)
        data = b""
        while len(data) < size:
            length = yield from self.block()
            if length > size - len(data):
                raise Malformed("expected a value, found block data")
            data += yield from self.take(length)
        return form.unpack(data)
