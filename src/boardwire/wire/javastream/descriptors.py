"""Decoder of class descriptors.

Almost all descriptors are byte for byte those that `writer` produces, except that signatures may be references to
earlier ones. `match` recognises such descriptors in one step if they are complete, and caches a few forms of each
class, because the same forms come with every message. `descriptor` decodes any descriptor incrementally and rejects
what Java rejects: an unknown class, a wrong serialVersionUID, an object field before a primitive one, wrong flags.
"""

from __future__ import annotations

import struct
from abc import abstractmethod
from typing import Any, Final

from boardwire.errors import Malformed
from boardwire.wire.javastream.grammar import (
    BASE_HANDLE,
    BLOCK,
    CLASS_DESCRIPTOR,
    END_BLOCK,
    LONG_BLOCK,
    NULL,
    PRIMITIVES,
    REFERENCE,
    WRITE_METHOD,
    StreamLimits,
)
from boardwire.wire.javastream.layout import MAX_FORMS, Descriptor, Field, JavaClass, Kind, Shape, Unbuilt, form_of
from boardwire.wire.javastream.schema import Schema
from boardwire.wire.javastream.source import U32, Reading, Source

_CLASS_INFO: Final = struct.Struct(">qBH")  # serialVersionUID, flags, number of fields
_UNDECODED: Final = Unbuilt(None)
_MAX_PARENTS: Final = 16


class DescriptorSource(Source):
    """A source that decodes descriptors of the classes of a schema.

    With several schemas, the first descriptor selects one.
    """

    def __init__(self, schemas: tuple[Schema, ...], limits: StreamLimits) -> None:
        super().__init__(limits)
        self.schemas: Final = schemas
        self.schema = schemas[0]
        self.is_settled = len(schemas) == 1
        self._followed: list[int] = []
        """Handles of the references in the descriptor that is being matched."""

    def match(self) -> Descriptor | None:
        """Return the descriptor here if it is complete and in a known form; else return None and consume nothing."""
        if not self.is_settled:
            return None
        buffer, handles, at = self.buffer, self.handles, self.at
        mark = len(handles)
        java = self.schema.by_name.get(bytes(buffer[at + 3 : at + 3 + int.from_bytes(buffer[at + 1 : at + 3], "big")]))
        for form in java.forms if java is not None else ():
            after = at + len(form.data)
            if buffer.startswith(form.data, at) and after <= self.end and form.fits(handles):
                handles += form.added
                if len(handles) > self.max_handles:
                    del handles[mark:]
                    return None
                self.at = after
                return form.descriptor
        self._followed.clear()
        known = self._match(at)
        if known is None or known[1] > self.end or len(handles) > self.max_handles:
            del handles[mark:]
            return None
        if java is not None and len(java.forms) < MAX_FORMS:
            java.forms.append(form_of(known[0], bytes(buffer[at : known[1]]), handles, mark, self._followed))
        self.at = known[1]
        return known[0]

    def _match(self, at: int) -> tuple[Descriptor, int] | None:
        """Return the descriptor at `at` and its end if it is one that `writer` produces, else None."""
        buffer, handles = self.buffer, self.handles
        tag = buffer[at : at + 1]
        if tag == b"q":
            return self._match_reference(at)
        if tag != b"r":
            return None
        name = bytes(buffer[at + 3 : at + 3 + int.from_bytes(buffer[at + 1 : at + 3], "big")])
        java = self.schema.by_name.get(name)
        if java is None:
            return None
        if not buffer.startswith(java.head, at):
            return None
        handles.append(java.canonical)
        at += len(java.head)
        for full, signature, after in java.joints:
            if buffer.startswith(full, at):
                handles.append(signature)
                at += len(full)
            elif buffer.startswith(b"q\0~", at) and self._reference_target(at) == signature:
                at += 5
            else:
                return None
            if not buffer.startswith(after, at):
                return None
            at += len(after)
        if java.parent is None:
            return (java.canonical, at + 1) if buffer.startswith(b"p", at) else None
        parent = self._match(at)
        return (java.canonical, parent[1]) if parent and parent[0] is java.parent.canonical else None

    def _match_reference(self, at: int) -> tuple[Descriptor, int] | None:
        target = self._reference_target(at) if self.buffer.startswith(b"q\0~", at) else None
        return (target, at + 5) if type(target) is Descriptor else None

    def _reference_target(self, at: int) -> Any:
        """Return the target of the reference at `at`, and record its handle."""
        self._followed.append(int.from_bytes(self.buffer[at + 1 : at + 5], "big") - BASE_HANDLE)
        return self.known(at)

    def known(self, at: int) -> Any:
        """Return the target of the reference at `at`, or None if it is incomplete or invalid."""
        if at + 5 > len(self.buffer):
            return None
        handle = U32.unpack_from(self.buffer, at + 1)[0] - BASE_HANDLE
        return self.handles[handle] if 0 <= handle < len(self.handles) else None

    def descriptor(self, depth: int) -> Reading[Descriptor]:
        """Decode the descriptor of an object, enum or superclass, in any form that Java accepts."""
        read = yield from self._descriptor_or_null(depth, 0)
        if read is None:
            raise Malformed("an object has null as its class")
        return read

    def _descriptor_or_null(self, depth: int, rank: int) -> Reading[Descriptor | None]:
        """Decode a class descriptor, a reference to one, or null; `rank` counts the subclasses before it."""
        yield from self.need(1)
        tag = self.buffer[self.at]
        if tag == NULL:
            self.at += 1
            return None
        if tag == REFERENCE:
            target = self.handles[(yield from self.reference())]
            if type(target) is not Descriptor:
                raise Malformed("expected a class descriptor, found a reference to another value")
            return target
        if tag != CLASS_DESCRIPTOR:
            raise Malformed(f"expected a class descriptor, found the tag 0x{tag:02x}")
        self.at += 1
        return (yield from self._new_descriptor(depth, rank))

    def _new_descriptor(self, depth: int, rank: int) -> Reading[Descriptor]:
        """Decode a class descriptor in full and check it against the declared class."""
        name = yield from self.utf()
        java = self._lookup(name)
        info = yield from self.take(_CLASS_INFO.size)
        suid, flags, count = _CLASS_INFO.unpack(info)
        if suid != java.suid:
            raise Malformed(f"class {name} has the serialVersionUID {suid}, expected {java.suid}")
        if flags | WRITE_METHOD != java.flags | WRITE_METHOD:
            raise Malformed(f"class {name} has the flags 0x{flags:02x}, expected 0x{java.flags:02x}")
        if count > self.limits.fields:
            raise Malformed(f"class {name} has {count} fields; at most {self.limits.fields} are allowed")
        if rank >= _MAX_PARENTS:
            raise Malformed(f"class {name} has too many superclasses; at most {_MAX_PARENTS} are allowed")
        handle = self.assign(_UNDECODED)
        fields = yield from self._fields(count)
        yield from self.skip_to_end(depth + rank)
        parent = yield from self._descriptor_or_null(depth, rank + 1)
        chain = (*(parent.chain if parent else ()), (java, flags, fields))
        _check(java, chain)
        self.handles[handle] = descriptor = Descriptor(java, chain)
        return descriptor

    def _lookup(self, name: str) -> JavaClass:
        key = name.encode()
        if not self.is_settled:
            self.schema = next((schema for schema in self.schemas if key in schema.by_name), self.schema)
            self.is_settled = True
        java = self.schema.by_name.get(key)
        if java is None:
            raise Malformed(f"unknown class {name[:80]}")
        return java

    def _fields(self, count: int) -> Reading[tuple[Field, ...]]:
        """Decode the fields of a class descriptor."""
        fields: list[Field] = []
        for _ in range(count):
            code = chr((yield from self.take(1))[0])
            name = yield from self.utf()
            field = Field(name, code)
            if field.is_object:
                field = Field(name, code, (yield from self.string()))
            elif code not in PRIMITIVES:
                raise Malformed(f"the field {name[:80]!r} has the invalid type code {code!r}")
            elif fields and fields[-1].is_object:
                raise Malformed(f"the primitive field {name[:80]!r} follows an object field")
            fields.append(field)
        names = [field.name for field in fields]
        if len(set(names)) < count:
            twice = next(name for name in names if names.count(name) > 1)
            raise Malformed(f"a class declares the field {twice[:80]!r} twice")
        return tuple(fields)

    def skip_to_end(self, depth: int) -> Reading[None]:
        """Skip additional data, up to the end marker of the class or object."""
        while True:
            yield from self.need(1)
            tag = self.buffer[self.at]
            if tag == END_BLOCK:
                self.at += 1
                return
            if tag in (BLOCK, LONG_BLOCK):
                yield from self.take((yield from self.block()))
            elif depth >= self.limits.depth:
                raise Malformed(f"objects are nested deeper than {self.limits.depth} levels")
            else:
                self.overhead += 1
                yield from self.value(depth + 1)

    def block(self) -> Reading[int]:
        """Decode the header of a data block; return its length."""
        yield from self.need(1)
        tag = self.buffer[self.at]
        if tag not in (BLOCK, LONG_BLOCK):
            raise Malformed(f"expected block data, found the tag 0x{tag:02x}")
        self.at += 1
        self.overhead += 1
        if tag == BLOCK:
            return (yield from self.take(1))[0]
        length: int = yield from self.number(U32)
        return length

    @abstractmethod
    def value(self, depth: int) -> Reading[object]:
        """Decode any value at nesting `depth`."""


def _check(java: JavaClass, chain: tuple[Shape, ...]) -> None:
    """Raise `Malformed` unless this chain of descriptors can decode instances of `java`."""
    levels = [level for level, _, _ in chain]
    if len(set(levels)) < len(levels):
        raise Malformed(f"class {java.name} is its own superclass")
    is_declared = java.kind in (Kind.PLAIN, Kind.ABSTRACT)
    if not is_declared and chain != java.canonical.chain:
        raise Malformed(f"class {java.name} has unexpected fields or superclasses")
    if is_declared and any(level.kind not in (Kind.PLAIN, Kind.ABSTRACT) for level in levels):
        raise Malformed(f"class {java.name} has an invalid superclass")
