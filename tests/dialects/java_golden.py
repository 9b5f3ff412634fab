"""Golden bytes of Java objects, made from a catalogue of classes and from nothing of boardwire.

`Stream` writes objects as `java.io.ObjectOutputStream` does: class descriptors with their serialVersionUID and fields,
handles and back references, ArrayList, HashSet, HashMap, Integer and enums.  It follows the Java Object Serialization
Specification, section 6.4.  `Catalogue` holds the classes of a program, transcribed from its protocol page, and makes
a sample of each: the object as `Stream` writes it, and the same values for the struct that stands for it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from itertools import count
from typing import Any, NamedTuple

HEADER = bytes.fromhex("aced0005")
CODES = {"boolean": "Z", "byte": "B", "int": "I"}
PACKED = {"boolean": ">?", "byte": ">b", "int": ">i"}
LIBRARY = {"String": "java.lang.String", "List": "java.util.List", "Set": "java.util.Set", "Map": "java.util.Map"}

NULL, REFERENCE, CLASS, OBJECT, STRING = (bytes([code]) for code in (0x70, 0x71, 0x72, 0x73, 0x74))
BLOCK, END, ENUM = (bytes([code]) for code in (0x77, 0x78, 0x7E))
PLAIN, WRITING, ENUMERATION = 0x02, 0x03, 0x12


class JavaClass(NamedTuple):
    """A class descriptor; `fields` have the Java types as a catalogue spells them."""

    name: str
    uid: int
    fields: Sequence[tuple[str, str]] = ()
    parent: JavaClass | None = None
    flags: int = PLAIN


class JavaObject(NamedTuple):
    """An object; `values` has those of each class of its hierarchy, by the class's name."""

    java: JavaClass
    values: Mapping[str, Sequence[Any]]


class Constant(NamedTuple):
    """A constant of an enum."""

    enum: str
    name: str


class Cells(NamedTuple):
    """The elements of a HashSet, in the order of its buckets."""

    elements: Sequence[Any]


ARRAY_LIST = JavaClass("java.util.ArrayList", 8683452581122892189, [("size", "int")], flags=WRITING)
HASH_SET = JavaClass("java.util.HashSet", -5024744406713321676, flags=WRITING)
HASH_MAP_UID = 362498820763181265
NUMBER = JavaClass("java.lang.Number", -8742448824652078965)
INTEGER = JavaClass("java.lang.Integer", 1360826667806852920, [("value", "int")], NUMBER)
ENUM_PARENT = JavaClass("java.lang.Enum", 0, flags=ENUMERATION)


def utf(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode("ascii")


class Stream:
    """One object graph; handles start at 0x7E0000."""

    def __init__(self, signature: Callable[[str], str]) -> None:
        self._signature = signature
        self._handles: dict[Any, int] = {}

    def _assign(self, key: Any) -> None:
        self._handles[key] = len(self._handles)

    def _again(self, key: Any) -> bytes | None:
        handle = self._handles.get(key)
        return None if handle is None else REFERENCE + struct.pack(">I", 0x7E0000 + handle)

    def _string(self, text: str) -> bytes:
        if (known := self._again(("string", text))) is not None:
            return known
        self._assign(("string", text))
        return STRING + utf(text)

    def _descriptor(self, java: JavaClass | None) -> bytes:
        if java is None:
            return NULL
        if (known := self._again(("class", java.name))) is not None:
            return known
        self._assign(("class", java.name))
        out = CLASS + utf(java.name) + struct.pack(">qBH", java.uid, java.flags, len(java.fields))
        for name, kind in java.fields:
            if kind in CODES or kind == "float":
                out += CODES.get(kind, "F").encode() + utf(name)
            else:
                out += b"L" + utf(name) + self._string(self._signature(kind))
        return out + END + self._descriptor(java.parent)

    def write(self, value: Any) -> bytes:
        """One value that is an object."""
        match value:
            case None:
                return NULL
            case str():
                return self._string(value)
            case Constant(enum, name):
                return self._constant(enum, name)
            case JavaObject():
                return self._object(value)
            case bool():
                raise TypeError("no field is a Boolean")
            case int():
                return self._integer(value)
            case Cells(elements):
                block = BLOCK + struct.pack(">Bifi", 12, 16, 0.75, len(elements))
                return self._open(HASH_SET) + block + b"".join(map(self.write, elements)) + END
            case list():
                head = (
                    self._open(ARRAY_LIST) + struct.pack(">i", len(value)) + BLOCK + struct.pack(">Bi", 4, len(value))
                )
                return head + b"".join(map(self.write, value)) + END
            case dict():
                return self._map(value)
        raise TypeError(f"no Java object: {value!r}")

    def _open(self, java: JavaClass) -> bytes:
        """A new object up to its values."""
        descriptor = self._descriptor(java)
        self._assign(("object", len(self._handles)))
        return OBJECT + descriptor

    def _integer(self, value: int) -> bytes:
        """A boxed number; `Integer.valueOf` makes one object for each number of a byte."""
        assert -128 <= value <= 127
        if (known := self._again(("integer", value))) is not None:
            return known
        descriptor = self._descriptor(INTEGER)
        self._assign(("integer", value))
        return OBJECT + descriptor + struct.pack(">i", value)

    def _object(self, value: JavaObject) -> bytes:
        out, java = self._open(value.java), value.java
        chain: list[JavaClass] = []
        while java is not None:
            chain.insert(0, java)
            java = java.parent  # type: ignore[assignment] # None ends it
        for one in chain:
            for (_, kind), field in zip(one.fields, value.values[one.name], strict=True):
                out += struct.pack(PACKED[kind], field) if kind in PACKED else self.write(field)
        return out

    def _constant(self, enum: str, name: str) -> bytes:
        if (known := self._again(("constant", enum, name))) is not None:
            return known
        descriptor = self._descriptor(JavaClass(enum, 0, parent=ENUM_PARENT, flags=ENUMERATION))
        self._assign(("constant", enum, name))
        return ENUM + descriptor + self._string(name)

    def _map(self, value: dict[Any, Any]) -> bytes:
        assert len(value) == 5, "five entries have 8 buckets and the threshold 6 [eriantys-objects 1]"
        fields = [("loadFactor", "float"), ("threshold", "int")]
        out = self._open(JavaClass("java.util.HashMap", HASH_MAP_UID, fields, flags=WRITING))
        out += struct.pack(">fi", 0.75, 6) + BLOCK + struct.pack(">Bii", 8, 8, len(value))
        return out + b"".join(self.write(key) + self.write(entry) for key, entry in value.items()) + END


class Sample(NamedTuple):
    """One value twice: for `Stream`, and for a struct."""

    java: Any
    python: Any


class Catalogue:
    """The classes of a program, and the Python types that stand for them.

    `names` are the attributes whose Java name is not their camel case, by class and field.  Objects deeper than `depth`
    are null: the things of a game may lead back into themselves.
    """

    def __init__(
        self,
        classes: Mapping[str, Mapping[str, Any]],
        structs: Mapping[str, type],
        enums: Mapping[str, type[Enum]] | None = None,
        names: Mapping[tuple[str, str], str] | None = None,
        interfaces: Mapping[str, str] | None = None,
        depth: int = 9,
    ) -> None:
        self.classes = classes
        self._structs, self._enums, self._names = structs, enums or {}, names or {}
        self._interfaces, self._depth = interfaces or {}, depth
        self._full = {name.rpartition(".")[2]: name for name in (*classes, *self._enums, *self._interfaces.values())}
        self._numbers = count(1)

    def java(self, name: str) -> JavaClass:
        """The descriptor of a class."""
        entry = self.classes[name]
        parent = entry.get("super")
        return JavaClass(name, entry["uid"], [tuple(f) for f in entry["fields"]], parent and self.java(parent))

    def signature(self, kind: str) -> str:
        """The JVM signature of a declared type."""
        bare = kind.partition("<")[0]
        return f"L{(LIBRARY.get(bare) or self._full[bare]).replace('.', '/')};"

    def sample(self, name: str, depth: int = 0) -> Sample:
        """An object of a class with a value of its own in every field."""
        java, python, top = {}, {}, name
        current: str | None = name
        while current is not None:
            entry, values = self.classes[current], []
            for field, kind in entry["fields"]:
                made = self._fixed(top, current, field) or self._value(kind, depth)
                values.append(made.java)
                python[self._attribute(current, field)] = made.python
            java[current] = values
            current = entry.get("super")
        return Sample(JavaObject(self.java(name), java), self._structs[name](**python))

    def _attribute(self, name: str, field: str) -> str:
        return self._names.get((name.rpartition(".")[2], field)) or re.sub("([A-Z])", r"_\1", field).lower()

    def _fixed(self, top: str, name: str, field: str) -> Sample | None:
        """What the class of a message settles: its type, and what it displays, in the concrete class alone."""
        entry = self.classes[top]
        if field == "messageType":
            return self._constant("MessageType", entry["type"])
        if field == "objectDisplay":
            return self._constant("ObjectDisplay", entry["display"]) if name == top else Sample(None, None)
        return None

    def _constant(self, bare: str, constant: str) -> Sample:
        enum = self._full[bare]
        return Sample(Constant(enum, constant), self._enums[enum][constant])

    def _value(self, kind: str, depth: int) -> Sample:
        unique = next(self._numbers)
        number = unique % 100 + 1  # fits into a byte
        if kind in CODES:
            plain = bool(number % 2) if kind == "boolean" else number
            return Sample(plain, plain)
        if kind == "String":
            return Sample(f"text {unique}", f"text {unique}")
        bare, _, inner = kind.rstrip(">").partition("<")
        if depth >= self._depth and self._is_class((inner or bare).rpartition(" ")[2]):
            return Sample(None, None)
        if bare in ("List", "Set"):
            made = [self._value(inner, depth) for _ in range(2 if bare == "List" else 1)]
            if bare == "Set":
                return Sample(Cells([one.java for one in made]), frozenset(one.python for one in made))
            return Sample([one.java for one in made], tuple(one.python for one in made))
        if bare == "Map":
            return self._map(inner, depth)
        if bare == "Integer":
            return Sample(number, number)
        if (enum := self._enums.get(self._full[bare])) is not None:
            # NULL is a constant of two enums: Java shares the string of their name, which no reader needs
            named = [constant for constant in enum.__members__ if constant != "NULL"]
            return self._constant(bare, named[number % len(named)])
        concrete = {"Effect": "InitialConfigEffect", "Message": "PingMessage"}.get(bare, bare)
        return self.sample(self._full[concrete], depth + 1)

    def _is_class(self, bare: str) -> bool:
        return bare in self._interfaces or self._full.get(bare) in self.classes

    def _map(self, kinds: str, depth: int) -> Sample:
        key, entry = kinds.split(", ")
        keys = [self._constant(key, constant) for constant in list(self._enums[self._full[key]].__members__)[:5]]
        made = [self._value(entry, depth) for _ in keys]
        java = {one.java: other.java for one, other in zip(keys, made, strict=True)}
        return Sample(java, {one.python: other.python for one, other in zip(keys, made, strict=True)})

    def golden(self, value: Any) -> bytes:
        """The bytes of an object in a stream of its own, without the header."""
        return Stream(self.signature).write(value)
