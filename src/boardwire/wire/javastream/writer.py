"""From messages to bytes, as Java's own ObjectOutputStream would write them.

What is one object in Python is one object on the wire: the second time it is a reference.  That holds for structs, for
enum constants and for collections that are not empty (Python has but one empty tuple, Java many empty lists); boxed
integers are shared as `Integer.valueOf` shares them; strings are always written out.  Sets are written in the order of
a Java HashSet that was filled in the natural order of its elements.

A graph that leads back into itself is written as it is.  A type that the schema does not have is a `TypeError`: a fault
of the program, not of a peer.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import Any, Final

import msgspec

from boardwire.wire.javastream.grammar import (
    BLOCK,
    END_BLOCK,
    ENUM,
    HEADER,
    LONG_STRING,
    NULL,
    OBJECT,
    REFERENCE,
    RESET,
    STRING,
    Framing,
)
from boardwire.wire.javastream.layout import JavaClass
from boardwire.wire.javastream.library import ARRAY_LIST, HASH_MAP, HASH_SET, INTEGER
from boardwire.wire.javastream.plan import REFER, Handles, Plan, in_java_order, places_of, plans_of, set_capacity
from boardwire.wire.javastream.schema import Schema
from boardwire.wire.javastream.text import encode_text

_SHORT: Final = struct.Struct(">BH")
_LONG: Final = struct.Struct(">BQ")
_LIST: Final = struct.Struct(">iBBi")
_SET: Final = struct.Struct(">BBifi")
_MAP: Final = struct.Struct(">fiBBii")
_NUMBER: Final = struct.Struct(">i")
_END: Final = bytes([END_BLOCK])
_NULL: Final = bytes([NULL])


class Writer:
    """Writes the messages of one connection.  `opening` must be sent when the connection opens, before any message."""

    def __init__(self, schema: Schema, framing: Framing = Framing.EACH) -> None:
        self.schema: Final = schema
        self.opening: Final = HEADER if framing is Framing.ONCE else b""
        self._before: Final = HEADER if framing is Framing.EACH else b""
        self._after: Final = bytes([RESET]) if framing is Framing.ONCE else b""
        self._plans: Final = plans_of(schema)

    def encode(self, message: msgspec.Struct) -> bytes:
        """The bytes of one message, with what its framing puts around it."""
        plan = self._plans.get(type(message))
        if plan is None:
            raise TypeError(f"{type(message).__name__} is no message of this schema")
        graph = _Graph(self.schema, self._plans, plan)
        graph.out += (self._before, plan.opening)
        graph.fields(plan, message)
        graph.out.append(self._after)
        return b"".join(graph.out)


class _Graph(Handles):
    """One message being written."""

    __slots__ = ("numbers", "out", "plans", "schema")

    def __init__(self, schema: Schema, plans: dict[type, Plan], first: Plan) -> None:
        super().__init__(first.handles)
        self.schema = schema
        self.plans = plans
        self.out: list[bytes] = []
        self.numbers: dict[int, int] = {}

    def value(self, value: Any) -> None:
        """Any value, new or seen before."""
        if value is None:
            self.out.append(_NULL)
            return
        handle = self.seen.get(id(value))
        if handle is not None:
            self.out.append(REFER.pack(REFERENCE, handle))
            return
        kind = type(value)
        plan = self.plans.get(kind)
        if plan is not None:
            self._object(plan, value)
        elif kind is frozenset:
            self._set(value)
        elif kind is tuple or kind is list:
            self._list(value)
        elif kind is str:
            self._string(value)
        elif isinstance(value, Enum):
            self._constant(value)
        elif kind is int:
            self._integer(value)
        elif isinstance(value, Mapping):
            self._map(value)
        else:
            raise TypeError(f"{kind.__name__} has no form in this schema")

    def fields(self, plan: Plan, value: Any) -> None:
        """The fields of an instance; its class is already written."""
        out = self.out
        self.seen[id(value)] = self.next
        self.next += 1
        for level in plan.levels:
            out.append(level.form.pack(*level.numbers(value)))
            for get in level.objects:
                self.value(get(value))

    def _object(self, plan: Plan, value: Any) -> None:
        known = self.classes.get(plan.java)
        if known is None or not plan.is_flat:
            self._open(plan.java)
            self.fields(plan, value)
            return
        self.seen[id(value)] = self.next
        self.next += 1
        self.out.append(plan.again.pack(OBJECT, REFERENCE, known, *plan.numbers(value)))

    def _open(self, java: JavaClass, tag: int = OBJECT) -> None:
        self.out += (bytes([tag]), self.describe(java))

    def _string(self, text: str) -> None:
        data = encode_text(text)
        size = len(data)
        self.out += (_SHORT.pack(STRING, size) if size <= 0xFFFF else _LONG.pack(LONG_STRING, size), data)
        self.next += 1

    def _constant(self, constant: Enum) -> None:
        java = self.schema.by_type.get(type(constant))
        if java is None:
            raise TypeError(f"{type(constant).__name__} is no enum of this schema")
        self._open(java, ENUM)
        self.seen[id(constant)] = self.next
        self.next += 1
        self._string(constant.name)

    def _integer(self, number: int) -> None:
        if number in self.numbers:
            self.out.append(REFER.pack(REFERENCE, self.numbers[number]))
            return
        self._open(INTEGER)
        if -128 <= number <= 127:
            self.numbers[number] = self.next
        self.next += 1
        self.out.append(_NUMBER.pack(number))

    def _begin(self, java: JavaClass, collection: Collection[Any]) -> None:
        self._open(java)
        if collection:
            self.seen[id(collection)] = self.next
        self.next += 1

    def _list(self, elements: Sequence[Any]) -> None:
        self._begin(ARRAY_LIST, elements)
        size = len(elements)
        self.out.append(_LIST.pack(size, BLOCK, 4, size))
        for element in elements:
            self.value(element)
        self.out.append(_END)

    def _set(self, elements: Collection[Any]) -> None:
        self._begin(HASH_SET, elements)
        size = len(elements)
        capacity = set_capacity(size)
        self.out.append(_SET.pack(BLOCK, 12, capacity, 0.75, size))
        if elements:
            places = places_of(type(next(iter(elements))), self.plans)
            for element in in_java_order(elements, capacity, places):
                self.value(element)
        self.out.append(_END)

    def _map(self, entries: Mapping[Any, Any]) -> None:
        """Entries keep their order: that of enum keys is chance in Java.  An empty map is as new, others as copied."""
        self._begin(HASH_MAP, entries)
        size = len(entries)
        capacity = 16 if not size else 1
        while size * 4 > capacity * 3:
            capacity *= 2
        threshold = capacity * 3 // 4 if size else 0
        self.out.append(_MAP.pack(0.75, threshold, BLOCK, 8, capacity, size))
        for key, value in entries.items():
            self.value(key)
            self.value(value)
        self.out.append(_END)
