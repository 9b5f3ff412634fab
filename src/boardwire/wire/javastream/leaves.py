"""Reading at once what is wholly at hand.

Most of what is sent is small: nulls, references, short strings, constants, and objects, lists and sets of these.
`leaf` reads such a thing in one go if all its bytes are there and it has the form we would write; else it reads nothing
and leaves it to `graph`, which can wait and which says what is wrong.  It must never accept what `graph` refuses.
"""

from __future__ import annotations

import struct
from typing import Any, Final

from boardwire.games.game import Malformed
from boardwire.wire.javastream.descriptors import DescriptorSource
from boardwire.wire.javastream.grammar import BLOCK, END_BLOCK, ENUM, NULL, OBJECT, REFERENCE, STRING, Limits
from boardwire.wire.javastream.layout import Descriptor, Kind, Level, Slot, Unbuilt
from boardwire.wire.javastream.schema import Schema

UNREAD: Final = object()

LIST: Final = Unbuilt(list)
CLOSED: Final = Unbuilt(None)

LEVELS: Final = 4
"""How far inside each other things may be to count as small; so no byte is looked at more often than that in vain."""

_LIST: Final = struct.Struct(">iBBi")
_SET: Final = struct.Struct(">BBifi")
_EMPTY_SET: Final = _SET.pack(BLOCK, 12, 16, 0.75, 0) + bytes([END_BLOCK])

_IS_PLAIN, _IS_LIST, _IS_SET, _IS_MAP = Kind.PLAIN, Kind.LIST, Kind.SET, Kind.MAP  # an enum is slow to ask each time


class LeafSource(DescriptorSource):
    """A source that reads small things whole."""

    def __init__(self, schemas: tuple[Schema, ...], limits: Limits) -> None:
        super().__init__(schemas, limits)
        self._kinds: dict[int, set[type]] = {}
        """The types of the elements of each collection in the handle table, by its `id`.  What was read in vain may
        leave its own behind; whatever gets that `id` next brings a new entry."""
        self._open: set[int] = set()
        """The shells of collections that are still being read, by `id`."""
        self.later: list[tuple[Slot, Any]] = []
        """Fields that hold such a shell, to be checked when it is full."""

    def leaf(self, depth: int, levels: int = LEVELS) -> Any:
        """The small thing here, at that depth; UNREAD if it is not wholly at hand or not small."""
        at, end = self.at, self.end
        if at >= end:
            return UNREAD
        tag = self.buffer[at]
        if tag in (OBJECT, ENUM):
            mark = len(self.handles)
            value = self._tree(self._class_of(at), tag, depth, levels)
            if value is UNREAD:
                self._undo(at, mark)
            return value
        if tag == REFERENCE and at + 5 <= end:
            value = self.known(at)
            if value is None or type(value) is Unbuilt or type(value) is Descriptor:
                return UNREAD
            self.at = at + 5
            return value
        if tag == NULL:
            self.at = at + 1
            return None
        if tag == STRING and at + 3 <= end:
            return self._text_at(at + 3, at + 3 + (self.buffer[at + 1] << 8 | self.buffer[at + 2]))
        return UNREAD

    def _undo(self, at: int, mark: int) -> None:
        self.at = at
        del self.handles[mark:]

    def _tree(self, known: Descriptor | None, tag: int, depth: int, levels: int) -> Any:
        """An object whose class is read; if it is UNREAD, some of it may have been read."""
        if known is None or len(self.handles) >= self.most_handles:
            return UNREAD
        if tag == ENUM:
            return self._constant(known) if known.kind is Kind.ENUM else UNREAD
        if known.flat is not None:
            return self._flat(known)
        if depth > self.limits.depth or not levels:
            return UNREAD
        kind = known.kind
        if kind is _IS_PLAIN:
            return self._record(known, depth, levels)
        if kind is _IS_SET or kind is _IS_LIST:
            return self._whole(kind, depth, levels)
        return UNREAD

    def _constant(self, known: Descriptor) -> Any:
        handle = self.assign(CLOSED)
        name = self.leaf(0, 0)
        constant = known.java.constants.get(name) if type(name) is str else None
        if constant is None:
            return UNREAD
        self.handles[handle] = constant
        return constant

    def _record(self, known: Descriptor, depth: int, levels: int) -> Any:
        java = known.java
        handle = self.assign(java.unbuilt)
        values = known.defaults.copy()
        for level in known.levels:
            if level.custom or known.lacks or self.end - self.at < level.primitives.size:
                return UNREAD
            self.scatter(level, values)
            for place, slot in level.objects:
                value = self.leaf(depth + 1, levels - 1)
                if value is UNREAD:
                    return UNREAD
                if slot is not None:
                    self.check(slot, value)
                    values[place] = value
        self.handles[handle] = made = java.build(values)
        return made

    def scatter(self, level: Level, values: list[Any]) -> None:
        """Put the numbers here, which are at hand, where they belong."""
        numbers = level.primitives.unpack_from(self.buffer, self.at)
        self.at += level.primitives.size
        if level.span:
            values[level.span] = numbers
        else:
            for place, number in zip(level.places, numbers, strict=True):
                if place >= 0:
                    values[place] = number

    def check(self, slot: Slot, value: Any) -> None:
        """Whether a field may hold `value`."""
        if type(value) not in slot.types:
            raise Malformed("a field holds something else than it declares")
        if slot.elements and value is not None:
            if id(value) in self._open:
                self.later.append((slot, value))
            elif not self._holds(slot, value):
                raise Malformed("a collection holds something else than its field declares")

    def _holds(self, slot: Slot, collection: Any) -> bool:
        kinds = self._kinds[id(collection)]
        if not slot.values:
            return kinds <= slot.elements
        return kinds <= slot.elements and slot.values.issuperset(map(type, collection.values()))

    def _text_at(self, start: int, after: int) -> Any:
        if after > self.end or after - start > self.limits.text or len(self.handles) >= self.most_handles:
            return UNREAD
        data = self.buffer[start:after]
        if not data.isascii():
            return UNREAD
        text = data.decode("ascii")
        self.handles.append(text)
        self.at = after
        return text

    def _class_of(self, at: int) -> Descriptor | None:
        """The class of the object or constant at `at`, which is read up to its fields."""
        if self.buffer[at + 1 : at + 2] == b"q" and at + 6 <= self.end:
            self.at = at + 6
            known = self.known(at + 1)
            return known if type(known) is Descriptor else None
        self.at = at + 1
        return self.match()

    def _flat(self, known: Descriptor) -> Any:
        form, at = known.flat, self.at
        if form is None or at + form.size > self.end:
            return UNREAD
        value = known.type(*form.unpack_from(self.buffer, at))
        self.handles.append(value)
        self.at = at + form.size
        return value

    def _whole(self, kind: Kind, depth: int, levels: int) -> Any:
        """A list or set of small things."""
        if self.buffer.startswith(_EMPTY_SET, self.at) and self.at + len(_EMPTY_SET) <= self.end and kind is _IS_SET:
            self.at += len(_EMPTY_SET)
            return self.close(self.assign(CLOSED), kind, [])
        form = _LIST if kind is _IS_LIST else _SET
        if self.at + form.size > self.end:
            return UNREAD
        if kind is _IS_LIST:
            size, block, length, _ = _LIST.unpack_from(self.buffer, self.at)
            fits = block == BLOCK and length == 4
        else:
            block, length, capacity, load, size = _SET.unpack_from(self.buffer, self.at)
            fits = block == BLOCK and length == 12 and capacity >= 0 and load > 0
        if not fits or not 0 <= size <= self.limits.elements:
            return UNREAD
        self.at += form.size
        handle = self.assign(LIST if kind is _IS_LIST else CLOSED)
        items = self._smalls(size, depth, levels)
        if len(items) < size or self.at >= self.end or self.buffer[self.at] != END_BLOCK:
            return UNREAD
        self.at += 1
        return self.close(handle, kind, items)

    def _smalls(self, count: int, depth: int, levels: int) -> list[Any]:
        """That many small things, or fewer if one is not small.

        Flat ones of a collection are nearly always of one class, described before: then they begin alike, and one
        comparison tells it.
        """
        buffer, handles = self.buffer, self.handles
        items: list[Any] = []
        while len(items) < count:
            start = self.at
            value = self.leaf(depth + 1, levels - 1)
            if value is UNREAD:
                break
            items.append(value)
            alike = bytes(buffer[start : start + 6])
            known = self.known(start + 1) if alike.startswith(b"sq") else None
            if known is None or known.flat is None:
                continue
            form, type_, at = known.flat, known.type, self.at
            step = 6 + form.size
            room = min(count - len(items), self.most_handles - len(handles), (self.end - at) // step)
            while room > 0 and buffer.startswith(alike, at):
                value = type_(*form.unpack_from(buffer, at + 6))
                handles.append(value)
                items.append(value)
                at += step
                room -= 1
            self.at = at
        return items

    def close(self, handle: int, kind: Kind, items: list[Any]) -> Any:
        """The collection of these items; if it was referred to meanwhile, the shell that was given out."""
        kinds = set(map(type, items if kind is not _IS_MAP else items[::2]))
        if kind is not _IS_LIST and not kinds <= self.schema.flat:
            raise Malformed("a set or a map holds something that cannot be a key")
        made: Any
        shell = self.handles[handle]
        is_new = type(shell) is Unbuilt
        if kind is _IS_SET:
            made = frozenset(items)
        elif kind is _IS_MAP:
            made = {} if is_new else shell
            made.update(zip(items[::2], items[1::2], strict=True))
        elif is_new:
            made = tuple(items)
        else:
            made = shell
            made.extend(items)
        if not is_new:
            self._open.discard(id(made))
        self._kinds[id(made)] = kinds
        self.handles[handle] = made
        return made
