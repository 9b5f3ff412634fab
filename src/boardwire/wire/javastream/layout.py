"""Layout of a Java class on the wire, and the mapping of its fields to Python.

A `JavaClass` is the declared class: name, serialVersionUID, flags, parent, and fields in wire order (primitives first,
then objects, each sorted by name; the parent's before the child's). A `Descriptor` is the description of the class in a
stream, matched with the declaration as Java does ("Java Object Serialization Specification", section 5.6.2): unknown
fields are decoded and dropped, missing fields have their default, a primitive of another type is an error.

These tables are built once per class, and once per unusual descriptor.
"""

from __future__ import annotations

import inspect
import struct
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.errors import Malformed
from boardwire.wire.javastream.grammar import (
    BASE_HANDLE,
    CLASS_DESCRIPTOR,
    END_BLOCK,
    ENUM_CLASS,
    NULL,
    PRIMITIVES,
    REFERENCE,
    SERIALIZABLE,
    STRING,
    WRITE_METHOD,
)
from boardwire.wire.javastream.text import encode_text


class Kind(Enum):
    """How the instances of a class are represented in Python."""

    PLAIN = "plain"
    ENUM = "enum"
    LIST = "list"
    SET = "set"
    MAP = "map"
    IMMUTABLE = "immutable"
    INTEGER = "integer"
    ABSTRACT = "abstract"

    __hash__ = object.__hash__  # the hash of `Enum` is slow: it hashes the name in Python code


class Slot(msgspec.Struct, frozen=True):
    """Allowed types of an object field: of its value, of the elements or keys, and of a map's values."""

    types: frozenset[type]
    elements: frozenset[type] = frozenset()
    values: frozenset[type] = frozenset()


class Field(msgspec.Struct, frozen=True):
    """A field as declared in Java; `code` is its type code, `attribute` its name in Python."""

    name: str
    code: str
    signature: str = ""
    attribute: str = ""
    slot: Slot | None = None

    @property
    def is_object(self) -> bool:
        return self.code in "L["


class Unbuilt(msgspec.Struct, frozen=True, eq=False):
    """Placeholder in the handle table for a value that is being decoded.

    `shell` makes an empty value that is filled later, for cyclic graphs; None if the value cannot contain itself.
    """

    shell: Callable[[], Any] | None


def utf(text: str) -> bytes:
    """Encode a text with its length in two bytes before it, as in descriptors."""
    data = encode_text(text)
    return struct.pack(">H", len(data)) + data


def wire_order(fields: Sequence[Field]) -> tuple[Field, ...]:
    """Sort fields: primitives before objects, each group by name."""
    return tuple(sorted(fields, key=lambda field: (field.is_object, field.name)))


Shape: TypeAlias = "tuple[JavaClass, int, tuple[Field, ...]]"
"""One level of a descriptor in a stream: the declared class with this name, and the stream's flags and fields."""


class JavaClass:
    """A class of the allow-list."""

    def __init__(
        self,
        name: str,
        suid: int,
        kind: Kind,
        fields: Sequence[Field] = (),
        *,
        parent: JavaClass | None = None,
        flags: int = SERIALIZABLE,
        type_: type = object,
        constants: Mapping[str, Enum] | None = None,
        hash_code: Callable[[Any], int] | None = None,
    ) -> None:
        self.name: Final = name
        self.suid: Final = suid
        self.kind: Final = kind
        self.fields: Final = wire_order(fields)
        self.parent: Final = parent
        self.flags: Final = flags
        self.type: Final = type_
        self.constants: Final = constants or {}
        self.hash_code: Final = hash_code
        self.lineage: Final[tuple[JavaClass, ...]] = (*(parent.lineage if parent else ()), self)
        self.head, self.joints = _descriptor_bytes(self)
        self.attributes: Final = _attributes(type_)
        self.positional: Final = not _keyword_only(type_)
        self.places: Final = {
            (level.name, field.name): (self.attributes.index(field.attribute), field)
            for level in self.lineage
            for field in level.fields
            if field.attribute in self.attributes
        }
        self.unbuilt: Final = Unbuilt(self.shell if kind is Kind.PLAIN else None)
        self.shape: Final[Shape] = (self, flags, tuple(Field(f.name, f.code, f.signature) for f in self.fields))
        self.canonical: Final = Descriptor(self, tuple(level.shape for level in self.lineage))

        self.forms: Final = [_first_form(self)]
        """Cached forms of its descriptor, shared by all streams."""

    def build(self, values: Sequence[object]) -> Any:
        """Return the Python value with these attributes, in the order of `attributes`."""
        if self.positional:
            return self.type(*values)
        return self.type(**dict(zip(self.attributes, values, strict=True)))

    def shell(self) -> Any:
        """Return an instance to be filled later."""
        return self.build((None,) * len(self.attributes))

    def fill(self, shell: Any, values: Sequence[object]) -> None:
        """Set the attributes of a shell."""
        for name, value in zip(self.attributes, values, strict=True):
            msgspec.structs.force_setattr(shell, name, value)


class Level:
    """How to decode the fields that one class of a chain declares. A field with place -1 is dropped."""

    __slots__ = ("custom", "objects", "places", "primitives", "span")

    def __init__(self, java: JavaClass, shape: Shape) -> None:
        level, flags, fields = shape
        matched = [_match(java, level, field) for field in fields]
        primitives = [field for field in fields if not field.is_object]
        self.primitives: Final = struct.Struct(">" + "".join(PRIMITIVES[field.code] for field in primitives))
        self.places: Final = [place for place, _ in matched[: len(primitives)]]
        self.span: Final = _span(self.places)
        self.objects: Final = matched[len(primitives) :]
        self.custom: Final = bool(flags & WRITE_METHOD)


class Descriptor:
    """A class as a stream describes it, prepared for decoding instances."""

    __slots__ = ("chain", "defaults", "flat", "java", "kind", "levels", "missing_field", "type")

    def __init__(self, java: JavaClass, chain: tuple[Shape, ...]) -> None:
        self.java: Final = java
        self.kind: Final = java.kind
        self.type: Final = java.type
        self.chain: Final = chain
        self.levels: Final = [Level(java, shape) for shape in chain]
        given = {place for level in self.levels for place in [*level.places, *(place for place, _ in level.objects)]}
        self.defaults, self.missing_field = _defaults(java, given)
        self.flat: Final = self._flat()

    def _flat(self) -> struct.Struct | None:
        """Return the `struct` format of a whole instance if it has exactly the declared fields, all primitive."""
        if self.kind is not Kind.PLAIN or len(self.levels) != 1 or not self.java.positional:
            return None
        level = self.levels[0]
        whole = level.places == list(range(len(self.java.attributes))) and not level.objects and not level.custom
        return level.primitives if whole else None


def _match(java: JavaClass, level: JavaClass, field: Field) -> tuple[int, Slot | None]:
    """Return the place and the allowed types of a field of the stream."""
    place, declared = java.places.get((level.name, field.name), (-1, None))
    if declared is None:
        return -1, None
    if field.code != declared.code and not (field.is_object and declared.is_object):
        raise Malformed(f"{level.name}.{field.name} has the type {field.code}, expected {declared.code}")
    return place, declared.slot


def _defaults(java: JavaClass, given: set[int]) -> tuple[list[object], str]:
    """Return the default of each attribute, and the name of a missing field without default, or ''."""
    defaults: list[object] = [None] * len(java.attributes)
    missing_field = ""
    for place, field in java.places.values():
        if field.slot is None:
            defaults[place] = False if field.code == "Z" else 0.0 if field.code in "FD" else 0
        elif place not in given and type(None) not in field.slot.types:
            missing_field = field.name
    return defaults, missing_field


def _span(places: list[int]) -> slice | None:
    """Return the slice with these places if they are consecutive: the common case, and faster to fill."""
    if places and places[0] >= 0 and places == list(range(places[0], places[0] + len(places))):
        return slice(places[0], places[0] + len(places))
    return None


def _descriptor_bytes(java: JavaClass) -> tuple[bytes, tuple[tuple[bytes, str, bytes], ...]]:
    """Return the bytes of a descriptor, split at its signatures.

    A signature is a string object, written in full the first time and as a reference later. The result is the bytes
    before the first signature and, for each signature, its full form, its text and the bytes after it.
    """
    head = bytes([CLASS_DESCRIPTOR]) + utf(java.name) + struct.pack(">qBH", java.suid, java.flags, len(java.fields))
    pieces, signatures = [head], []
    for field in java.fields:
        pieces[-1] += field.code.encode("ascii") + utf(field.name)
        if field.is_object:
            signatures.append(field.signature)
            pieces.append(b"")
    pieces[-1] += bytes([END_BLOCK])
    joints = zip(signatures, pieces[1:], strict=True)
    return pieces[0], tuple((bytes([STRING]) + utf(sign), sign, after) for sign, after in joints)


class KnownDescriptor(msgspec.Struct, frozen=True):
    """Bytes of a known descriptor, and the handle tables for which they are valid.

    Its references are to handles that exist before it, or to parts of the descriptor itself. In the latter case it is
    valid at one place of the handle table only.
    """

    descriptor: Descriptor
    data: bytes
    added: tuple[Any, ...]
    """Entries that the descriptor adds to the handle table."""
    place: int | None
    known: tuple[tuple[int, Any], ...]
    """Entries that must exist, by handle."""

    def fits(self, handles: list[Any]) -> bool:
        """Return whether the bytes encode the descriptor if they follow these handles."""
        if self.place is not None and self.place != len(handles):
            return False
        return all(handle < len(handles) and handles[handle] == entry for handle, entry in self.known)


def form_of(descriptor: Descriptor, data: bytes, handles: list[Any], mark: int, followed: list[int]) -> KnownDescriptor:
    """Return the form of a descriptor that was just decoded at `mark` in the handle table."""
    known = tuple((handle, handles[handle]) for handle in sorted({*followed}) if handle < mark)
    return KnownDescriptor(
        descriptor, data, tuple(handles[mark:]), mark if max(followed, default=-1) >= mark else None, known
    )


MAX_FORMS: Final = 8
"""Cached forms of one class. Peers that use more are decoded without the cache."""


def _first_form(java: JavaClass) -> KnownDescriptor:
    """Return the descriptor of `java` and its parents for an empty handle table."""
    data, handles = b"", list[Any]()
    for level in reversed(java.lineage):
        handles.append(level.canonical)
        data += level.head
        for full, signature, after in level.joints:
            if signature in handles:
                data += struct.pack(">BI", REFERENCE, BASE_HANDLE + handles.index(signature)) + after
            else:
                handles.append(signature)
                data += full + after
    return KnownDescriptor(java.canonical, data + bytes([NULL]), tuple(handles), 0, ())


def _attributes(type_: type) -> tuple[str, ...]:
    return type_.__struct_fields__ if issubclass(type_, msgspec.Struct) else ()


def _keyword_only(type_: type) -> bool:
    """Return whether an instance must be constructed with keyword arguments."""
    if not issubclass(type_, msgspec.Struct):
        return False
    return any(part.kind is part.KEYWORD_ONLY for part in inspect.signature(type_).parameters.values())


ENUM_FLAGS: Final = SERIALIZABLE | ENUM_CLASS
WRITING_FLAGS: Final = SERIALIZABLE | WRITE_METHOD
