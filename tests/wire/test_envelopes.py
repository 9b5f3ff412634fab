"""Envelopes: a tag, and what a message says in a member of its own."""

from __future__ import annotations

from typing import TypeAlias

import msgspec
import pytest

from boardwire.errors import Malformed
from boardwire.wire.envelopes import Envelopes, ascii_only


class Step(msgspec.Struct, frozen=True):
    x: int
    word: str = ""


class Fault(msgspec.Struct, frozen=True):
    text: str = "?"


class Stop(msgspec.Struct, frozen=True):
    pass


Said: TypeAlias = Step | Fault | Stop

CODEC: Envelopes[Said] = Envelopes(Said, "type", "content", str.upper, strict=False, optional=(Fault,))
EMPTY: Envelopes[Said] = Envelopes(Said, "type", "content", str.lower, empty=True)

LINES = {
    b'{"type":"STEP","content":{"x":2,"word":"a"}}\n': Step(2, "a"),
    b'{"type":"FAULT","content":{"text":"?"}}\n': Fault(),
    b'{"type":"STOP"}\n': Stop(),
}


@pytest.mark.parametrize(("line", "message"), LINES.items())
def test_a_message_is_written_and_read_by_the_name_of_its_struct(line: bytes, message: Said) -> None:
    assert CODEC.encode(message) == line
    assert CODEC.decode(line) == message
    assert type(CODEC.decode(line)) is type(message)


def test_messages_without_fields_may_have_empty_content_or_none() -> None:
    assert EMPTY.encode(Stop()) == b'{"type":"stop","content":{}}\n'
    assert EMPTY.decode(b'{"type":"stop"}') == EMPTY.decode(b'{"type":"stop","content":{}}') == Stop()
    assert CODEC.decode(b'{"type":"STOP","content":7}') == Stop(), "nobody looks at it"
    with pytest.raises(Malformed):
        EMPTY.decode(b'{"type":"stop","content":7}')


def test_only_what_is_optional_may_come_without_content() -> None:
    assert CODEC.decode(b'{"type":"FAULT"}') == Fault()
    with pytest.raises(Malformed, match="content"):
        EMPTY.decode(b'{"type":"fault"}')


def test_order_and_further_members_are_free_and_numbers_may_be_text_where_it_is_not_strict() -> None:
    assert CODEC.decode(b'{"more":1,"content":{"x":"2","y":0},"type":"STEP"}') == Step(2)
    with pytest.raises(Malformed, match=r"content\.x"):
        EMPTY.decode(b'{"type":"step","content":{"x":"2"}}')


@pytest.mark.parametrize(
    "line", [b"", b"7", b"{", b'{"type":"GO"}', b'{"content":{"x":1}}', b'{"type":"STEP","content":{"word":"\xff"}}']
)
def test_anything_else_is_malformed(line: bytes) -> None:
    with pytest.raises(Malformed):
        CODEC.decode(line)


def test_letters_outside_ascii_are_escaped_as_utf16() -> None:
    assert CODEC.encode(Step(1, "é𝄞")) == b'{"type":"STEP","content":{"x":1,"word":"\\u00e9\\ud834\\udd1e"}}\n'
    assert ascii_only(b'"plain"') == b'"plain"'


def test_tags_and_messages_are_known_by_each_other() -> None:
    assert CODEC.kinds == {"STEP": Step, "FAULT": Fault, "STOP": Stop}
    assert CODEC.tags == {Step: "STEP", Fault: "FAULT", Stop: "STOP"}
