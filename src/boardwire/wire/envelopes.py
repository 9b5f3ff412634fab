"""JSON lines in envelopes: one member names the type of the message, another has its content.

    {"action": "selectWorker", "data": {"x": 1, "y": 2}}

A protocol declares each message as a struct of its content; the tag is derived from the name of the struct.

- Output is ASCII: other characters are escaped, so that peers in any locale can read it.
- Unknown members are ignored. A message without fields has no content member, unless `empty` is given.
- Messages in `optional` may come without content if all their fields have defaults.
- The protocol decides how to respond to malformed input.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, Generic, TypeVar, Union, get_args

import msgspec

from boardwire.errors import Malformed

M = TypeVar("M", bound=msgspec.Struct)


class Envelopes(Generic[M]):
    """Codec of the messages in a union of structs. Unless `strict`, numbers may be written as text."""

    def __init__(
        self,
        union: Any,
        tag_field: str,
        content: str,
        tag: Callable[[str], str],
        *,
        strict: bool = True,
        empty: bool = False,
        optional: Collection[type[M]] = (),
    ) -> None:
        self.kinds: Final[dict[str, type[M]]] = {tag(kind.__name__): kind for kind in get_args(union)}
        """Message types by tag."""
        self.tags: Final[dict[type, str]] = {kind: name for name, kind in self.kinds.items()}
        self._content = content
        self._envelopes: dict[type, type] = {}
        self._without_content: dict[type, M] = {}
        """The message of each envelope type that has no content member."""
        for name, kind in self.kinds.items():
            fields: list[Any] = [(content, kind)]
            if kind in optional or not kind.__struct_fields__:
                fields = [(content, kind, kind())]
            has_content = bool(kind.__struct_fields__) or empty
            envelope = msgspec.defstruct(
                kind.__name__, fields if has_content else [], tag_field=tag_field, tag=name, frozen=True, gc=False
            )
            self._envelopes[kind] = envelope
            if not has_content:
                self._without_content[envelope] = kind()
        envelopes = Union[tuple(self._envelopes.values())]  # type: ignore[valid-type]  # noqa: UP007 - the members are known only at run time
        self._decode: Final[Callable[[bytes], Any]] = msgspec.json.Decoder(envelopes, strict=strict).decode
        self._encode: Final = msgspec.json.Encoder().encode

    def encode(self, message: M) -> bytes:
        """Encode a message as a line."""
        envelope = self._envelopes[type(message)]
        return ascii_only(self._encode(envelope() if envelope in self._without_content else envelope(message))) + b"\n"

    def decode(self, line: bytes) -> M:
        """Decode a line; raise `Malformed`."""
        try:
            envelope = self._decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise Malformed(str(error)) from None
        message: M = self._without_content.get(type(envelope)) or getattr(envelope, self._content)
        return message


def ascii_only(json: bytes) -> bytes:
    r"""Replace all non-ASCII characters of a JSON text by ``\u`` escapes."""
    if json.isascii():
        return json
    return "".join(char if char.isascii() else _escape(char) for char in json.decode()).encode("ascii")


def _escape(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2]):04x}" for at in range(0, len(units), 2))
