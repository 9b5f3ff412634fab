"""Fast path of the decoder for complete values in the usual form.

A message almost always arrives complete, in the form that `writer` produces. `leaf` decodes a value in that form in one
go. If bytes are missing or the form is unusual, it consumes nothing and leaves the value to `graph`, which can wait for
bytes and reports errors. The fast path must never accept what `graph` rejects.

The fast path is tried for the whole message first (`at_once`). If that fails, `graph` decodes the message and tries the
fast path for small values only, so that no byte is decoded more than a few times, however a peer splits its messages.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

from boardwire.errors import Malformed
from boardwire.wire.javastream.descriptors import DescriptorSource
from boardwire.wire.javastream.grammar import (
    BASE_HANDLE,
    BLOCK,
    END_BLOCK,
    ENUM,
    NULL,
    OBJECT,
    REFERENCE,
    STRING,
    StreamLimits,
)
from boardwire.wire.javastream.layout import Descriptor, Kind, Level, Slot, Unbuilt
from boardwire.wire.javastream.library import IMMUTABLE_LIST_WITH_NULLS, IMMUTABLE_SORTS
from boardwire.wire.javastream.schema import Schema
from boardwire.wire.javastream.source import U32

UNREAD: Final = object()

LIST: Final = Unbuilt(list)
DICT: Final = Unbuilt(dict)
CLOSED: Final = Unbuilt(None)

LEVELS: Final = 4
"""Nesting up to which a value counts as small."""

_TREES: Final = (OBJECT, ENUM)
_NUMBER: Final = struct.Struct(">i")
_LIST: Final = struct.Struct(">iBBi")
_SET: Final = struct.Struct(">BBifi")
_MAP: Final = struct.Struct(">fiBBii")
_EMPTY_SET: Final = _SET.pack(BLOCK, 12, 16, 0.75, 0) + bytes([END_BLOCK])

_IS_PLAIN, _IS_LIST, _IS_SET, _IS_MAP, _IS_ENUM = Kind.PLAIN, Kind.LIST, Kind.SET, Kind.MAP, Kind.ENUM
_IS_IMMUTABLE, _IS_INTEGER = Kind.IMMUTABLE, Kind.INTEGER  # globals: an attribute of an enum class is slow to look up


class LeafSource(DescriptorSource):
    """A source that decodes small values in one go."""

    def __init__(self, schemas: tuple[Schema, ...], limits: StreamLimits) -> None:
        super().__init__(schemas, limits)
        self._kinds: dict[int, set[type]] = {}
        """Element types of each collection in the handle table, by `id`.

        A failed attempt may leave an entry behind; the next collection with that `id` overwrites it.
        """
        self._open: set[int] = set()
        """Shells of collections that are being decoded, by `id`."""
        self.later: list[tuple[Slot, Any]] = []
        """Fields that hold a shell, to be checked when it is filled."""
        self._at_once = False
        """Whether a whole message is being tried, so that it may be cyclic."""

    def at_once(self) -> Any:
        """Decode the message here, or return UNREAD if it is incomplete or in an unusual form."""
        self._at_once = True
        value = self.leaf(1, self.limits.depth + 1)
        self._at_once = False
        if value is UNREAD:
            self._open.clear()
            self.later.clear()
        return value

    def leaf(self, depth: int, levels: int = LEVELS) -> Any:
        """Decode the value here, at nesting `depth`; return UNREAD if it is incomplete, large or in an unusual form."""
        at, end = self.at, self.end
        if at >= end:
            return UNREAD
        tag = self.buffer[at]
        if tag == REFERENCE:
            return self._reference(at)
        if tag == NULL:
            self.at = at + 1
            return None
        if tag == STRING and at + 3 <= end:
            return self._text_at(at + 3, at + 3 + (self.buffer[at + 1] << 8 | self.buffer[at + 2]))
        if tag in _TREES:
            mark = len(self.handles)
            value = self._tree(self._class_of(at), tag, depth, levels)
            if value is UNREAD:
                self.at = at
                del self.handles[mark:]
            return value
        return UNREAD

    def _reference(self, at: int) -> Any:
        """Decode a reference to a value; a value that is being decoded gets a shell."""
        if at + 5 > self.end:
            return UNREAD
        handle = U32.unpack_from(self.buffer, at + 1)[0] - BASE_HANDLE
        if not 0 <= handle < len(self.handles):
            return UNREAD
        value = self.handles[handle]
        if type(value) is Descriptor:
            return UNREAD
        if type(value) is Unbuilt:
            if not self._at_once or value.shell is None:
                return UNREAD
            value = self.shell(handle, value.shell)
        self.at = at + 5
        return value

    def shell(self, handle: int, make: Callable[[], Any]) -> Any:
        """Make the shell of a value that is referred to while it is being decoded."""
        shell = self.handles[handle] = make()
        if type(shell) is list or type(shell) is dict:
            self._open.add(id(shell))
        return shell

    def _tree(self, descriptor: Descriptor | None, tag: int, depth: int, levels: int) -> Any:
        """Decode an object after its class. Bytes may have been consumed even if it returns UNREAD."""
        if descriptor is None or len(self.handles) >= self.max_handles:
            return UNREAD
        kind = descriptor.kind
        if tag == ENUM:
            return self._constant(descriptor) if kind is _IS_ENUM else UNREAD
        if descriptor.flat is not None:
            return self._flat(descriptor.flat, descriptor.type)
        if kind is _IS_INTEGER:
            return self._flat(_NUMBER, int)
        if depth > self.limits.depth or not levels:
            return UNREAD
        if kind is _IS_PLAIN:
            return self._record(descriptor, depth, levels)
        if kind is _IS_ENUM or kind not in _HEADS:
            return UNREAD
        return self._whole_collection(kind, depth, levels)

    def _constant(self, descriptor: Descriptor) -> Any:
        handle = self.assign(CLOSED)
        name = self.leaf(0, 0)
        constant = descriptor.java.constants.get(name) if type(name) is str else None
        if constant is None:
            return UNREAD
        self.handles[handle] = constant
        return constant

    def _record(self, descriptor: Descriptor, depth: int, levels: int) -> Any:
        """Decode an object of a declared class after its class."""
        java = descriptor.java
        handle = self.assign(java.unbuilt)
        values = descriptor.defaults.copy()
        for level in descriptor.levels:
            if level.custom or descriptor.missing_field or self.end - self.at < level.primitives.size:
                return UNREAD
            self.scatter(level, values)
            for place, slot in level.objects:
                value = self.leaf(depth + 1, levels - 1)
                if value is UNREAD:
                    return UNREAD
                if slot is not None:
                    self.check(slot, value)
                    values[place] = value
        return self.build(handle, descriptor, values)

    def build(self, handle: int, descriptor: Descriptor, values: list[Any]) -> Any:
        """Return an instance with these attributes; if it has a shell, fill and return that."""
        java, shell = descriptor.java, self.handles[handle]
        if shell is not java.unbuilt:
            java.fill(shell, values)
            return shell
        self.handles[handle] = value = java.build(values)
        return value

    def scatter(self, level: Level, values: list[Any]) -> None:
        """Decode the primitive fields here, which must be complete, into their places."""
        if not level.places:
            return
        numbers = level.primitives.unpack_from(self.buffer, self.at)
        self.at += level.primitives.size
        if level.span:
            values[level.span] = numbers
        else:
            for place, number in zip(level.places, numbers, strict=True):
                if place >= 0:
                    values[place] = number

    def check(self, slot: Slot, value: Any) -> None:
        """Raise `Malformed` if a field may not hold `value`."""
        if type(value) not in slot.types:
            raise Malformed(f"a field has a value of type {type(value).__name__}, which its declaration does not allow")
        if slot.elements and value is not None:
            if id(value) in self._open:
                self.later.append((slot, value))
            elif not self._allows_items(slot, value):
                raise Malformed("a collection has an element of a type that its declaration does not allow")

    def _allows_items(self, slot: Slot, collection: Any) -> bool:
        kinds = self._kinds[id(collection)]
        if not slot.values:
            return kinds <= slot.elements
        return kinds <= slot.elements and slot.values.issuperset(map(type, collection.values()))

    def _text_at(self, start: int, after: int) -> Any:
        """Decode the ASCII text between two places and assign its handle."""
        if after > self.end or after - start > self.limits.text or len(self.handles) >= self.max_handles:
            return UNREAD
        data = self.buffer[start:after]
        if not data.isascii():
            return UNREAD
        text = data.decode("ascii")
        self.handles.append(text)
        self.at = after
        return text

    def _class_of(self, at: int) -> Descriptor | None:
        """Decode the class of the object or constant at `at`."""
        if at + 6 <= self.end and self.buffer[at + 1] == REFERENCE:
            self.at = at + 6
            target = self.known(at + 1)
            return target if type(target) is Descriptor else None
        self.at = at + 1
        return self.match()

    def _flat(self, form: struct.Struct, type_: Callable[..., Any]) -> Any:
        at = self.at
        if at + form.size > self.end:
            return UNREAD
        value = type_(*form.unpack_from(self.buffer, at))
        self.handles.append(value)
        self.at = at + form.size
        return value

    def _whole_collection(self, kind: Kind, depth: int, levels: int) -> Any:
        """Decode a list, set or map of small values."""
        if kind is _IS_SET and self.buffer.startswith(_EMPTY_SET, self.at) and self.at + len(_EMPTY_SET) <= self.end:
            self.at += len(_EMPTY_SET)
            return self.close(self.assign(CLOSED), kind, [])
        form = _HEADS[kind]
        if self.at + form.size > self.end:
            return UNREAD
        head = _READ[kind](form.unpack_from(self.buffer, self.at))
        if head is None or not 0 <= head[0] <= self.limits.elements:
            return UNREAD
        size, unbuilt, kind, nulls = head
        count = size * 2 if kind is _IS_MAP else size
        self.at += form.size
        handle = self.assign(unbuilt)
        items = self._small_items(count, depth, levels)
        if len(items) < count or self.at >= self.end or self.buffer[self.at] != END_BLOCK:
            return UNREAD
        if not nulls and None in items:
            return UNREAD
        self.at += 1
        return self.close(handle, kind, items)

    def _small_items(self, count: int, depth: int, levels: int) -> list[Any]:
        """Decode up to `count` small values; stop before the first one that is not small.

        Flat elements of a collection almost always have the same class, which is already described. They then have the
        same prefix, so that one comparison is enough for each.
        """
        buffer, handles = self.buffer, self.handles
        items: list[Any] = []
        while len(items) < count:
            start = self.at
            value = self.leaf(depth + 1, levels - 1)
            if value is UNREAD:
                break
            items.append(value)
            if buffer[start] != OBJECT or buffer[start + 1] != REFERENCE:
                continue
            descriptor = self.known(start + 1)
            if descriptor is None or descriptor.flat is None:
                continue
            prefix = bytes(buffer[start : start + 6])
            form, type_, at = descriptor.flat, descriptor.type, self.at
            step = 6 + form.size
            room = min(count - len(items), self.max_handles - len(handles), (self.end - at) // step)
            while room > 0 and buffer.startswith(prefix, at):
                value = type_(*form.unpack_from(buffer, at + 6))
                handles.append(value)
                items.append(value)
                at += step
                room -= 1
            self.at = at
        return items

    def close(self, handle: int, kind: Kind, items: list[Any]) -> Any:
        """Return a collection of these items; if it has a shell, fill and return that."""
        kinds = set(map(type, items if kind is not _IS_MAP else items[::2]))
        if kind is not _IS_LIST and not kinds <= self.schema.flat:
            raise Malformed("a set or map has a key of a type that is not supported")
        collection: Any
        shell = self.handles[handle]
        is_new = type(shell) is Unbuilt
        if kind is _IS_SET:
            collection = frozenset(items)
        elif kind is _IS_MAP:
            collection = {} if is_new else shell
            collection.update(zip(items[::2], items[1::2], strict=True))
        elif is_new:
            collection = tuple(items)
        else:
            collection = shell
            collection.extend(items)
        if not is_new:
            self._open.discard(id(collection))
        self._kinds[id(collection)] = kinds
        self.handles[handle] = collection
        return collection


_Head = tuple[int, Unbuilt, Kind, bool] | None
"""Number of elements or entries, placeholder, resulting kind, and whether null is allowed; None: an unusual form."""


def _list_head(numbers: tuple[Any, ...]) -> _Head:
    size, block, length, _ = numbers
    return (size, LIST, _IS_LIST, True) if block == BLOCK and length == 4 else None


def _set_head(numbers: tuple[Any, ...]) -> _Head:
    block, length, capacity, load, size = numbers
    fits = block == BLOCK and length == 12 and capacity >= 0 and load > 0
    return (size, CLOSED, _IS_SET, True) if fits else None


def _map_head(numbers: tuple[Any, ...]) -> _Head:
    load, _, block, length, _, size = numbers
    return (size, DICT, _IS_MAP, True) if block == BLOCK and length == 8 and load > 0 else None


def _immutable_head(numbers: tuple[Any, ...]) -> _Head:
    tag, block, length, size = numbers
    kind = IMMUTABLE_SORTS.get(tag & 0xFF)
    nulls = tag & 0xFF == IMMUTABLE_LIST_WITH_NULLS
    return (size, CLOSED, kind, nulls) if kind is not None and block == BLOCK and length == 4 else None


_HEADS: Final = {_IS_LIST: _LIST, _IS_SET: _SET, _IS_MAP: _MAP, _IS_IMMUTABLE: _LIST}
_READ: Final = {
    _IS_LIST: _list_head,
    _IS_SET: _set_head,
    _IS_MAP: _map_head,
    _IS_IMMUTABLE: _immutable_head,
}
