"""Generator of the web page's TypeScript types from the msgspec types of the native dialect and the games.

- Types of a game start with its name (`SantoriniView`), so that a new game never renames those of another.
- A field that is omitted when it has its default is optional; every other field is required.
- A string enum becomes a list of its values and their union, under one name; an integer enum becomes an object of names
  and the union of its numbers.

`python -m scripts.typescript` writes the file; with `--check` it only compares.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import inspect as shape

from boardwire import games
from boardwire.dialects.native import messages
from boardwire.errors import Reason
from boardwire.table.termination import Termination

TARGET: Final = Path("web/src/wire/types.ts")

_HEAD: Final = """\
// Made by `python -m scripts.typescript` from the Python types.  Do not edit: `make types` writes it again.
"""

_PLAIN: Final[dict[type[shape.Type], str]] = {
    shape.AnyType: "unknown",
    shape.RawType: "unknown",
    shape.NoneType: "null",
    shape.BoolType: "boolean",
    shape.IntType: "number",
    shape.FloatType: "number",
    shape.StrType: "string",
}


def render() -> str:
    """Return the whole file."""
    page = Declarations()
    for alias in ("Request", "Reply"):
        page.union(alias, getattr(messages, alias))
    for kind in (Reason, Termination):
        page.type(shape.type_info(kind))
    for name in games.NAMES:
        game = games.game(name)
        for part in ("Kind", "Options", "View", "Termination", "Rule"):
            page.type(shape.type_info(getattr(game, part)))
        for part in ("Action", "Event"):
            page.union(name.capitalize() + part, getattr(game, part))
    return page.text()


class Declarations:
    """Declarations so far, by name, in the order of discovery."""

    def __init__(self) -> None:
        self._declared: dict[str, str] = {}
        self._unions: dict[frozenset[str], str] = {}

    def text(self) -> str:
        return _HEAD + "".join("\n" + declaration for declaration in self._declared.values())

    def union(self, alias: str, kind: Any) -> None:
        """Declare a union or plain type under a name, which later uses refer to."""
        info = shape.type_info(kind)
        members = info.types if isinstance(info, shape.UnionType) else (info,)
        if isinstance(info, shape.UnionType):  # before its members: one of them may hold the whole union
            self._unions[frozenset(map(_key, members))] = alias
        self._declared[alias] = ""
        texts = [self.type(member) for member in members]
        body = texts[0] if len(texts) == 1 else "".join(f"\n  | {text}" for text in texts)
        self._declared[alias] = f"export type {alias} ={'' if len(texts) > 1 else ' '}{body};\n"

    def type(self, info: shape.Type) -> str:
        """Return the TypeScript of a type, and declare what it needs."""
        match info:
            case shape.Metadata(type=inner):
                return self.type(inner)
            case shape.StructType(cls=cls):
                return self._once(_name(cls), info)
            case shape.EnumType(cls=cls):
                return self._once(_name(cls), info)
            case shape.UnionType(types=types):
                return self._alternatives(types)
            case shape.LiteralType(values=values):
                return " | ".join(_literal(value) for value in values)
            case shape.VarTupleType(item_type=item) | shape.ListType(item_type=item):
                return f"readonly {_grouped(self.type(item))}[]"
            case shape.TupleType(item_types=items):
                return f"readonly [{', '.join(self.type(item) for item in items)}]"
            case shape.DictType(value_type=value):
                return f"Readonly<Record<string, {self.type(value)}>>"
        plain = _PLAIN.get(type(info))
        if plain is None:
            raise TypeError(f"no TypeScript for {info}")
        return plain

    def _alternatives(self, types: tuple[shape.Type, ...]) -> str:
        null = any(isinstance(one, shape.NoneType) for one in types)
        others = tuple(one for one in types if not isinstance(one, shape.NoneType))
        alias = self._unions.get(frozenset(map(_key, others)))
        texts = [alias] if alias else [self.type(one) for one in others]
        return " | ".join([*texts, "null"] if null else texts)

    def _once(self, name: str, info: shape.StructType | shape.EnumType) -> str:
        if name not in self._declared:
            self._declared[name] = ""  # a type may hold itself
            self._declared[name] = self._struct(name, info) if isinstance(info, shape.StructType) else _enum(name, info)
        return name

    def _struct(self, name: str, info: shape.StructType) -> str:
        lines = [f"  {info.tag_field}: {_literal(info.tag)};"] if info.tag_field else []
        for field in info.fields:
            optional = info.cls.__struct_config__.omit_defaults and _is_left_out(field)
            lines.append(f"  {field.encode_name}{'?' if optional else ''}: {self.type(field.type)};")
        body = "\n".join(lines)
        return f"{_words(info.cls)}export interface {name} {{{f'{chr(10)}{body}{chr(10)}' if lines else ''}}}\n"


def _is_left_out(field: shape.Field) -> bool:
    """Whether msgspec omits the field when it has its default; defaults from a factory are always included."""
    made = field.default_factory
    return not field.required and (made is msgspec.NODEFAULT or isinstance(made, type))


def _enum(name: str, info: shape.EnumType) -> str:
    members: Iterator[Enum] = iter(info.cls)
    union = f"export type {name} = (typeof {name})[%s];\n"
    if issubclass(info.cls, IntEnum):
        body = "".join(f"  {member.name}: {member.value},\n" for member in members)
        return f"{_words(info.cls)}export const {name} = {{\n{body}}} as const;\n" + union % f"keyof typeof {name}"
    body = "".join(f"  {_literal(member.value)},\n" for member in members)
    return f"{_words(info.cls)}export const {name} = [\n{body}] as const;\n" + union % "number"


def _name(cls: type) -> str:
    parts = cls.__module__.split(".")
    game = parts[2].capitalize() if parts[1] == "games" and parts[2] in games.NAMES else ""
    return cls.__name__ if cls.__name__.startswith(game) and game else game + cls.__name__


def _key(info: shape.Type) -> str:
    return _name(info.cls) if isinstance(info, shape.StructType | shape.EnumType) else repr(info)


def _words(cls: type) -> str:
    text = inspect.cleandoc(cls.__doc__ or "")
    return f"/** {text.replace(chr(10), chr(10) + ' * ')} */\n" if text else ""


def _literal(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _grouped(text: str) -> str:
    return f"({text})" if " " in text else text


def main(arguments: list[str]) -> int:
    """Write the file or, with `--check`, compare it."""
    text = render()
    if "--check" not in arguments:
        TARGET.write_text(text)
        return 0
    if TARGET.read_text() == text:
        return 0
    sys.stderr.write(f"{TARGET} is not what the Python types say; `make types` writes it again\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
