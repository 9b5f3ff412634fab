"""The classes of a dialect: Python structs and the Java classes that they stand for.

A dialect declares frozen structs and one `Schema` per edition:

    class Position(msgspec.Struct, frozen=True):
        x: int
        y: int
        z: int

    EDITION = Schema({Position: Java("it.polimi.ingsw.Position", 4717572954679150015)})

- The Java name of a field is its name in camel case (`new_position` is `newPosition`), unless `Java.names` has another.
- Annotations define the Java type: `bool`, `int`, `float`, `Byte`, `Long` are primitives; `str`, a declared struct or
  enum, `tuple[X, ...]` or `Sequence[X]` (List), `frozenset[X]` (Set) and `Mapping[K, V]` (Map) are objects.
- A field of type `X | None` may be null; any other null is malformed.
- A union of structs needs its Java interface: `Annotated[A | B, Interface("package.Name")]`.
- If the Python base of a struct is declared too, it is the Java superclass.
- Use `Sequence` where a list may contain itself, directly or indirectly: it is then decoded as a `list`, otherwise as a
  `tuple`.

The reader rejects every class that is not declared here or in `library`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from boardwire.wire.javastream.layout import ENUM_FLAGS, Field, JavaClass, Kind, Slot
from boardwire.wire.javastream.library import ENUM_PARENT, LIBRARY


class Code(msgspec.Struct, frozen=True):
    """Marks an integer as a Java primitive of another size than `int`."""

    code: str


class Interface(msgspec.Struct, frozen=True):
    """The declared Java type of a field that holds several classes."""

    name: str


Byte = Annotated[int, Code("B")]
Long = Annotated[int, Code("J")]


class Java(msgspec.Struct, frozen=True):
    """The Java class of a struct.

    `names` has the Java names of fields that are not the Python name in camel case; `hash_code` is the Java method
    `hashCode`, which determines the order of sets of the class.
    """

    name: str
    suid: int
    names: Mapping[str, str] = {}
    abstract: bool = False
    hash_code: Callable[[Any], int] | None = None


def named(prefix: str, suids: Mapping[type[msgspec.Struct], int]) -> dict[type[msgspec.Struct], Java]:
    """Return the Java classes of structs whose Java names are a prefix, such as the package, and the Python name."""
    return {kind: Java(prefix + kind.__name__, suid) for kind, suid in suids.items()}


class Schema:
    """The allow-list of one edition of a dialect."""

    def __init__(
        self,
        classes: Mapping[type[msgspec.Struct], Java],
        enums: Mapping[type[Enum], str] | None = None,
    ) -> None:
        self.types: Final = dict(classes)
        self.enums: Final = dict(enums or {})
        self.by_type: Final[dict[type, JavaClass]] = {}
        for enum, name in self.enums.items():
            self.by_type[enum] = JavaClass(
                name, 0, Kind.ENUM, parent=ENUM_PARENT, flags=ENUM_FLAGS, type_=enum, constants=enum.__members__
            )
        for type_ in sorted(classes, key=lambda type_: len(type_.__mro__)):
            self.by_type[type_] = self._bind(type_)
        every = [*LIBRARY, *self.by_type.values()]
        self.by_name: Final = {java.name.encode(): java for java in every}
        self.flat: Final = frozenset({NoneType, str, int, *self.enums, *filter(self._is_flat, classes)})
        for java in self.by_type.values():
            for field in java.fields:
                self._check_keys(java, field)

    def _bind(self, type_: type[msgspec.Struct]) -> JavaClass:
        """Return the Java class of a struct, with its fields."""
        java = self.types[type_]
        parent = next((self.by_type[base] for base in type_.__mro__[1:] if base in self.by_type), None)
        hints = get_type_hints(type_, include_extras=True)
        inherited = parent.attributes if parent else ()
        fields = [
            self._field(attribute, java.names.get(attribute, _camel(attribute)), hints[attribute])
            for attribute in type_.__struct_fields__
            if attribute not in inherited
        ]
        kind = Kind.ABSTRACT if java.abstract else Kind.PLAIN
        return JavaClass(java.name, java.suid, kind, fields, parent=parent, type_=type_, hash_code=java.hash_code)

    def _field(self, attribute: str, name: str, hint: Any) -> Field:
        """Return the Java field of an attribute, derived from its annotation."""
        interface = ""
        if get_origin(hint) is Annotated:
            hint, mark = get_args(hint)
            if isinstance(mark, Code):
                return Field(name, mark.code, attribute=attribute)
            interface = mark.name
        if hint in _PRIMITIVES:
            return Field(name, _PRIMITIVES[hint], attribute=attribute)
        members = _members(hint)
        scalars = {member for member in members if isinstance(member, type) and get_origin(member) is None}
        generic = [member for member in members if member not in scalars]
        if not generic:
            declared = interface or self._java_name(scalars - {NoneType})
            return Field(name, "L", _signature(declared), attribute, Slot(self._family(scalars)))
        return self._collection(attribute, name, generic[0], scalars)

    def _collection(self, attribute: str, name: str, hint: Any, scalars: set[type]) -> Field:
        origin, arguments = get_origin(hint), [self._family(_members(arg)) for arg in get_args(hint) if arg is not ...]
        declared, types = _COLLECTIONS[origin]
        slot = Slot(frozenset({*types, *scalars}), arguments[0], arguments[-1] if origin is Mapping else frozenset())
        return Field(name, "L", _signature(declared), attribute, slot)

    def _java_name(self, scalars: set[type]) -> str:
        (type_,) = scalars
        if type_ in _BOXES:
            return _BOXES[type_]
        if issubclass(type_, Enum):
            return self.enums[type_]
        return next(java.name for bound, java in self.types.items() if bound is type_)

    def _family(self, types: Iterable[type]) -> frozenset[type]:
        """Return the types and all declared subclasses of them."""
        bound = {sub for type_ in types for sub in self.types if issubclass(sub, type_)}
        return frozenset({*types, *bound})

    def _is_flat(self, type_: type) -> bool:
        """Return whether a class has primitive fields only: hashing an instance of it cannot recurse."""
        java = self.by_type[type_]
        return all(field.slot is None for level in java.lineage for field in level.fields)

    def _check_keys(self, java: JavaClass, field: Field) -> None:
        slot = field.slot
        if slot is not None and slot.types & {frozenset, dict} and not slot.elements <= self.flat:
            raise TypeError(
                f"{java.name}.{field.name}: the keys of a map and the elements of a set must be strings, integers, "
                "enum constants or structs of primitive fields"
            )


_PRIMITIVES: Final[Mapping[Any, str]] = {bool: "Z", int: "I", float: "D"}

_BOXES: Final[Mapping[type, str]] = {str: "java.lang.String", int: "java.lang.Integer"}

_COLLECTIONS: Final[Mapping[Any, tuple[str, tuple[type, ...]]]] = {
    tuple: ("java.util.List", (tuple,)),
    Sequence: ("java.util.List", (tuple, list)),
    frozenset: ("java.util.Set", (frozenset,)),
    Mapping: ("java.util.Map", (dict,)),
}


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _signature(name: str) -> str:
    return f"L{name.replace('.', '/')};"


def _camel(attribute: str) -> str:
    first, *rest = attribute.split("_")
    return first + "".join(word.capitalize() for word in rest)
