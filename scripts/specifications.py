"""Generator of the message tables and state diagrams in docs/dialects; with --check, compare them.

Both are generated from the dialects' declarations (`dialects/NAME/protocol.py`). An edition has a separate table or
diagram if the specification has a place for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from scripts.page import ROOT, Table

from boardwire import dialects
from boardwire.dialects import Encoding, Protocol
from boardwire.dialects.protocol import MessageType, mermaid
from boardwire.wire.javastream import Schema

SCRIPT = "specifications"
TYPES = {int: "whole number", float: "number", str: "text", bool: "boolean", Any: "any value", NoneType: "null"}
OPTIONAL = ("values",)
"""Tables that a specification may leave out."""
COMMON = {"nickname"}
"""Fields of every message of a protocol, which its specification describes once."""


def tables() -> Iterator[Table]:
    """Yield the current tables and diagrams of all specifications."""
    for name in dialects.DIALECT_PACKAGES:
        protocol, path = dialects.protocol(name), ROOT / dialects.specification_path(name)
        page, edition = path.read_text("utf-8"), name.partition("/")[2]
        parts = {"diagram": ["```mermaid", *mermaid(protocol.arcs).splitlines(), "```"]}
        if protocol.java is not None:
            parts |= _java_tables(protocol, protocol.java)
        elif dialects.dialect(name).encoding is not Encoding.FRAMES:  # native has a section for each message
            parts["messages from the client"] = lines(protocol.client)
            parts["messages from the server"] = lines(protocol.server)
            parts["values"] = values((*protocol.client, *protocol.server))
        for part, rows in parts.items():
            table = Table(f"{part}, {edition}" if edition else part, path, rows, SCRIPT)
            if f"<!-- {table.name}:" in page or not (edition or part in OPTIONAL or protocol.java):
                yield table


def lines(messages: Sequence[MessageType]) -> list[str]:
    """Return a table of messages; messages that are lines of text have no fields."""
    if all(message.struct is None for message in messages):
        rows = [(_cell(message.form or f"`{message.name}`"), _cell(message.meaning)) for message in messages]
        return ["| Line | Meaning |", "|---|---|", *(f"| {form} | {meaning} |" for form, meaning in rows)]
    head = ["| Message | Fields | Meaning |", "|---|---|---|"]
    return head + [
        f"| `{message.name}` | {_fields(message.struct)} | {_cell(message.meaning)} |" for message in messages
    ]


def values(messages: Sequence[MessageType]) -> list[str]:
    """Return a table of the structs in the fields of messages."""
    kinds: dict[type[msgspec.Struct], None] = {}
    unvisited: list[Any] = [message.struct for message in messages if message.struct is not None]
    while unvisited:
        for hint in get_type_hints(unvisited.pop(0)).values():
            inner = [struct for struct in _flat(hint) if struct not in kinds]
            kinds.update(dict.fromkeys(inner))
            unvisited += inner
    rows = [
        f"| {struct.__name__} | {_fields(struct)} | {_cell(' '.join((struct.__doc__ or '').split()))} |"
        for struct in kinds
    ]
    return ["| Value | Fields | Meaning |", "|---|---|---|", *rows]


def _flat(hint: Any) -> Iterator[type[msgspec.Struct]]:
    """Yield the structs in a type."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for argument in get_args(hint):
        yield from _flat(argument)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _fields(struct: type[msgspec.Struct] | None) -> str:
    assert struct is not None
    hints = get_type_hints(struct, include_extras=True)
    fields = [field for field in msgspec.structs.fields(struct) if field.name not in COMMON]
    return ", ".join(f"`{field.encode_name}` {_words(hints[field.name])}" for field in fields)


def _words(hint: Any) -> str:
    """Describe a type in words."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        meta = arguments[1]
        return f"whole number from {meta.ge} to {meta.le}" if meta.le is not None and meta.le < 100 else _words(int)
    if origin in (tuple, list):
        return f"list of {_words(arguments[0])}"
    if origin is dict:
        return f"object of {_words(arguments[1])} by {_words(arguments[0])}"
    if origin in (Union, UnionType):
        return " or ".join(map(_words, arguments))
    return TYPES.get(hint) or hint.__name__


# --- Java objects -----------------------------------------------------------------------------------------------------

CODES = {"I": "int", "B": "byte", "Z": "boolean"}


def _java_tables(protocol: Protocol, schema: Schema) -> dict[str, list[str]]:
    """Return the tables of an edition's classes: one of all, and one for each side."""
    client, server = ({message.struct for message in side} for side in (protocol.client, protocol.server))
    senders = {kind: _sender(kind in client, kind in server) for kind in schema.types}
    return {
        "classes": _classes(schema, senders),
        "messages from the server": _classes(schema, {kind: "" for kind in senders if kind in server}),
        "messages from the client": _classes(schema, {kind: "" for kind in senders if kind in client}),
    }


def _sender(client: bool, server: bool) -> str:
    return "both" if client == server else "client" if client else "server"


def _classes(schema: Schema, senders: dict[type[msgspec.Struct], str]) -> list[str]:
    """Return the table of classes: name, sender, type, serialVersionUID, own fields and meaning.

    With senders, all classes of an edition are listed, and serialVersionUIDs are written as the bytes of the stream.
    """
    heads = ["Class", "serialVersionUID", "Own fields", "Meaning"]
    typed = any("message_type" in kind.__struct_fields__ for kind in senders)
    heads[1:1] = [*(["From"] if any(senders.values()) else []), *(["Type"] if typed else [])]
    rows = []
    for kind, sender in senders.items():
        java, fields = schema.types[kind], schema.by_type[kind].fields
        hints = get_type_hints(kind, include_extras=True)
        own = ", ".join(f"`{field.name}`: {_java_type(schema, field.code, hints[field.attribute])}" for field in fields)
        type_ = [
            getattr(field.default, "name", "") for field in msgspec.structs.fields(kind) if field.name == "message_type"
        ]
        name = f"`{java.name.rpartition('.')[2]}`"
        meaning = _cell(" ".join((kind.__doc__ or "").split()))
        rows.append(
            [name, *([sender] if sender else []), *type_, _suid(java.suid, bool(sender)), own or "none", meaning]
        )
    return [f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)]


def _suid(number: int, as_bytes: bool) -> str:
    return f"`{number & (1 << 64) - 1:016x}`" if as_bytes else str(number)


def _java_type(schema: Schema, code: str, hint: Any) -> str:
    """Describe the type of a Java field in words."""
    if code in CODES:
        return CODES[code]
    origin, arguments = get_origin(hint), [argument for argument in get_args(hint) if argument is not NoneType]
    if origin is Annotated:
        return str(arguments[1].name.rpartition(".")[2])
    if origin in (Union, UnionType):
        return _java_type(schema, code, arguments[0])
    if origin is not None:
        inner = [_java_type(schema, "", argument) for argument in arguments if argument is not ...]
        word = {dict: "map", Mapping: "map", frozenset: "set"}.get(origin, "list")
        return f"{word} of {' to '.join(inner)}"
    if hint in schema.by_type:
        return schema.by_type[hint].name.rpartition(".")[2]
    return "String" if hint is str else str(hint.__name__)


def main() -> int:
    """Write all tables or, with --check, compare them; return the exit code."""
    return max([table.main() for table in tables()])


if __name__ == "__main__":
    sys.exit(main())
