"""Grammar of the dialects' messages, from their declarations (`boardwire.dialects.protocol`).

- `inputs`: one message of every declared type, so that the fuzzer also starts from those that random play never sends.
- `tokens`: the words of a protocol, for libFuzzer's dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from boardwire import dialects

VALUES: Final[dict[Any, Any]] = {int: 1, float: 1.0, str: "a", bool: True, bytes: b"", NoneType: None, Any: None}


def example(hint: Any) -> Any:
    """Return a value of a type: a struct has a value in every field without a default."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Annotated, Union, UnionType):
        return example(arguments[0])
    if origin in (tuple, list, Sequence, frozenset, Set):
        return (list if origin is list else frozenset if origin in (frozenset, Set) else tuple)(
            (example(arguments[0]),)
        )
    if origin in (dict, Mapping):
        return {example(arguments[0]): example(arguments[1])}
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        hints = get_type_hints(hint, include_extras=True)
        return hint(
            **{field.name: example(hints[field.name]) for field in msgspec.structs.fields(hint) if field.required}
        )
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    return VALUES[hint]


def inputs(target: str) -> list[bytes]:
    """Return an encoded message of every declared type for a dialect's target; nothing for other targets."""
    name, side = _dialect(target)
    if not name:
        return []
    protocol, greeting = dialects.protocol(name), dialects.dialect(name).greeting
    client = side == "requests"
    encode = protocol.encode_request if client else protocol.encode_reply
    messages = protocol.client if client else protocol.server
    return [] if encode is None else [greeting + encode(example(message.struct)) for message in messages]


def tokens(target: str) -> list[bytes]:
    """Return the names of the messages of a dialect's target and of their fields; nothing for other targets."""
    name, side = _dialect(target)
    if not name:
        return []
    messages = dialects.protocol(name).client if side == "requests" else dialects.protocol(name).server
    words = {message.name for message in messages}
    words |= {
        field.encode_name for message in messages if message.struct for field in msgspec.structs.fields(message.struct)
    }
    return sorted(word.encode() for word in words)


def _dialect(target: str) -> tuple[str, str]:
    """Return the dialect of a target and its side, or two empty texts."""
    name, _, side = target.replace(".", "/").rpartition("-")
    return (name, side) if name in dialects.DIALECT_PACKAGES else ("", "")
