"""Encoder of Java object streams, with the same bytes as ObjectOutputStream.

- A Python object that occurs again is written as a reference. This applies to structs, enum constants and non-empty
  collections (Python has one empty tuple, Java many empty lists). Boxed integers are shared as by `Integer.valueOf`;
  strings are always written in full.
- Sets are written in the order of a Java HashSet that was filled in the natural order of its elements.
- Cyclic graphs are supported. A type that is not in the schema raises `TypeError`: it is a bug, not a peer's error.
- Each type has an encoding function, made once per schema. Before it is called, the value is looked up among those
  already written: most values of a game's messages are constants that occur again.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from msgspec import Struct

from boardwire.wire.javastream.grammar import BLOCK, END_BLOCK, ENUM, HEADER, OBJECT, RESET, Framing
from boardwire.wire.javastream.layout import JavaClass, Kind
from boardwire.wire.javastream.library import ARRAY_LIST, HASH_MAP, HASH_SET, INTEGER
from boardwire.wire.javastream.plan import (
    REFERENCES,
    EncodingPlan,
    Level,
    Start,
    describe,
    in_java_order,
    places_of,
    plans_of,
    set_capacity,
)
from boardwire.wire.javastream.schema import Schema
from boardwire.wire.javastream.text import string_object

_SET: Final = struct.Struct(">BBifi")
_MAP: Final = struct.Struct(">fiBBii")
_NUMBER: Final = struct.Struct(">i")
_END: Final = bytes([END_BLOCK])
_OBJECT: Final = bytes([OBJECT])
_ENUM: Final = bytes([ENUM])
_LIST: Final = id(ARRAY_LIST)


class _Sizes(dict[int, bytes]):
    """Encoded size of a list, which precedes its elements, cached."""

    def __missing__(self, size: int) -> bytes:
        encoded = struct.pack(">iBBi", size, BLOCK, 4, size)
        if size < 256:
            self[size] = encoded
        return encoded


_SIZES: Final = _Sizes()


class Writer:
    """Encodes the messages of one connection. Send `opening` when the connection opens, before any message."""

    def __init__(self, schema: Schema, framing: Framing = Framing.EACH) -> None:
        self.schema: Final = schema
        self.opening: Final = HEADER if framing is Framing.ONCE else b""
        self._before: Final = HEADER if framing is Framing.EACH else b""
        self._after: Final = bytes([RESET]) if framing is Framing.ONCE else b""
        self._plans: Final = plans_of(schema)
        self._forms: Final = _forms(schema)

    def encode(self, message: Struct) -> bytes:
        """Encode a message, with its framing."""
        plan = self._plans.get(type(message))
        if plan is None:
            raise TypeError(f"{type(message).__name__} is not a message of this schema")
        handle = plan.opening.next
        start = self._start(plan, message) if plan.first is not None else None
        if start is None:
            graph = _Graph(self._forms, plan.opening, handle + 1)
            levels = plan.levels
        else:
            graph = _Graph(self._forms, start, start.next)
            levels = plan.rest
        graph.seen[id(message)] = REFERENCES[handle]
        graph.fields(levels, message)
        return b"".join((self._before, *graph.out, self._after))

    def _start(self, plan: EncodingPlan, message: Struct) -> Start | None:
        """Return the beginning of a message whose first field is a constant, or None."""
        assert plan.first is not None
        constant = plan.first(message)
        start = plan.starts.get(id(constant))
        if start is None and isinstance(constant, Enum):
            graph = _Graph(self._forms, plan.opening, plan.opening.next + 1)
            graph.value(constant)
            start = plan.starts[id(constant)] = Start(b"".join(graph.out), graph.vocabulary, graph.next, graph.seen)
        return start


class _Graph:
    """State of one message that is being encoded."""

    __slots__ = ("forms", "next", "numbers", "out", "seen", "vocabulary")

    def __init__(self, forms: _Forms, start: Start, handle: int) -> None:
        self.forms = forms
        self.vocabulary = start.vocabulary
        self.next = handle
        self.out: list[bytes] = [start.data]
        self.seen: dict[int, bytes] = start.seen.copy()
        """References to classes, constants and objects that have a handle, by `id`.

        An `id` stays valid: objects of the message live until it is encoded, all others as long as the schema.
        """
        self.numbers: dict[int, bytes] = {}

    def value(self, value: Any) -> None:
        """Encode a value, new or seen before."""
        known = self.seen.get(id(value))
        if known is not None:
            self.out.append(known)
        else:
            self.forms[type(value)](self, value)

    def fields(self, levels: Sequence[Level], value: Any) -> None:
        """Encode the fields of an instance that already has a handle."""
        out, seen, forms = self.out, self.seen, self.forms
        for pack, numbers, objects in levels:
            if pack is not None:
                out.append(pack(*numbers(value)))
            for part in objects(value):
                known = seen.get(id(part))
                if known is not None:
                    out.append(known)
                else:
                    forms[type(part)](self, part)

    def describe(self, java: JavaClass) -> bytes:
        """Encode a class that has no handle yet."""
        data, self.vocabulary, self.next = describe(self.vocabulary, java, self.next)
        self.seen.update(self.vocabulary.classes)
        return data

    def begin(self, java: JavaClass) -> bytes:
        """Encode the class of an object, and assign the next handle to the object; return the reference to it."""
        known = self.seen.get(id(java))
        self.out += (_OBJECT, known if known is not None else self.describe(java))
        handle = self.next
        self.next = handle + 1
        return REFERENCES[handle]


Form: TypeAlias = Callable[[_Graph, Any], None]
"""Encodes a value that has not been written yet."""


class _Forms(dict[type, Form]):
    """Encoding function of each type."""

    def __missing__(self, kind: type) -> Form:
        if issubclass(kind, Enum):
            raise TypeError(f"{kind.__name__} is not an enum of this schema")
        if issubclass(kind, Mapping):
            return _map
        raise TypeError(f"cannot encode a {kind.__name__}: the schema has no class for it")


@lru_cache(maxsize=32)
def _forms(schema: Schema) -> _Forms:
    """Return the encoding functions of a schema, made once."""
    plans = plans_of(schema)
    forms = _Forms({tuple: _list, list: _list, str: _string, int: _integer, dict: _map})
    forms[frozenset] = partial(_set, plans)
    for type_, plan in plans.items():
        forms[type_] = partial(_object, plan)
        pack, numbers, objects = plan.levels[0]
        if len(plan.levels) == 1 and pack is not None:
            forms[type_] = (
                _flat(plan.java, pack, numbers) if plan.is_flat else _record(plan.java, pack, numbers, objects)
            )
    for type_, java in schema.by_type.items():
        if java.kind is Kind.ENUM:
            forms[type_] = _constant(java)
    return forms


def _object(plan: EncodingPlan, graph: _Graph, value: Any) -> None:
    graph.seen[id(value)] = graph.begin(plan.java)
    graph.fields(plan.levels, value)


Pack: TypeAlias = Callable[..., bytes]
Getter: TypeAlias = Callable[[Any], tuple[Any, ...]]


def _flat(java: JavaClass, pack: Pack, numbers: Getter) -> Form:
    """Return the function for instances with primitive fields only."""

    def write(graph: _Graph, value: Any) -> None:
        graph.seen[id(value)] = graph.begin(java)
        graph.out.append(pack(*numbers(value)))

    return write


def _record(java: JavaClass, pack: Pack, numbers: Getter, objects: Getter) -> Form:
    """Return the function for instances of a class without a parent.

    It inlines `_object`, `begin` and `fields` for speed: boards consist of these objects.
    """
    class_ = id(java)

    def write(graph: _Graph, value: Any) -> None:
        out, seen, forms = graph.out, graph.seen, graph.forms
        known = seen.get(class_)
        out += (_OBJECT, known if known is not None else graph.describe(java), pack(*numbers(value)))
        seen[id(value)] = REFERENCES[graph.next]
        graph.next += 1
        for part in objects(value):
            known = seen.get(id(part))
            if known is not None:
                out.append(known)
            else:
                forms[type(part)](graph, part)

    return write


def _constant(java: JavaClass) -> Form:
    """Return the function for enum constants; the name of a constant is a string object with the next handle."""
    class_ = id(java)
    names = {id(constant): string_object(name) for name, constant in java.constants.items()}

    def write(graph: _Graph, constant: Any) -> None:
        known = graph.seen.get(class_)
        graph.out += (_ENUM, known if known is not None else graph.describe(java), names[id(constant)])
        graph.seen[id(constant)] = REFERENCES[graph.next]
        graph.next += 2

    return write


def _string(graph: _Graph, text: str) -> None:
    graph.out.append(string_object(text))
    graph.next += 1


def _integer(graph: _Graph, number: int) -> None:
    known = graph.numbers.get(number)
    if known is not None:
        graph.out.append(known)
        return
    reference = graph.begin(INTEGER)
    graph.out.append(_NUMBER.pack(number))
    if -128 <= number <= 127:
        graph.numbers[number] = reference


def _list(graph: _Graph, elements: Sequence[Any]) -> None:
    """Encode a list as an ArrayList."""
    out, seen, forms = graph.out, graph.seen, graph.forms
    known = seen.get(_LIST)
    out += (_OBJECT, known if known is not None else graph.describe(ARRAY_LIST), _SIZES[len(elements)])
    if elements:
        seen[id(elements)] = REFERENCES[graph.next]
    graph.next += 1
    for element in elements:
        known = seen.get(id(element))
        if known is not None:
            out.append(known)
        else:
            forms[type(element)](graph, element)
    out.append(_END)


def _set(plans: dict[type, EncodingPlan], graph: _Graph, elements: Collection[Any]) -> None:
    """Encode a set as a HashSet, in its iteration order in Java."""
    reference = graph.begin(HASH_SET)
    size = len(elements)
    capacity = set_capacity(size)
    graph.out.append(_SET.pack(BLOCK, 12, capacity, 0.75, size))
    if elements:
        graph.seen[id(elements)] = reference
        places = places_of(type(next(iter(elements))), plans)
        for element in in_java_order(elements, capacity, places):
            graph.value(element)
    graph.out.append(_END)


def _map(graph: _Graph, entries: Mapping[Any, Any]) -> None:
    """Encode a map in the order of the dict, because the order of enum keys is random in Java.

    The capacity is that of a HashMap copied from another map, or of a new HashMap if the map is empty.
    """
    reference = graph.begin(HASH_MAP)
    size = len(entries)
    if entries:
        graph.seen[id(entries)] = reference
    capacity = 16 if not size else 1
    while size * 4 > capacity * 3:
        capacity *= 2
    threshold = capacity * 3 // 4 if size else 0
    graph.out.append(_MAP.pack(0.75, threshold, BLOCK, 8, capacity, size))
    for key, value in entries.items():
        graph.value(key)
        graph.value(value)
    graph.out.append(_END)
