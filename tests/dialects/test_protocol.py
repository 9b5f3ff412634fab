"""Declarations of protocols: what is in them fits together, for every dialect."""

import re
from pathlib import Path

import msgspec
import pytest

from boardwire import dialects
from boardwire.dialects.protocol import END, START, Arc, mermaid, message_types
from fuzz import grammar

from ..pages import sections

ARCS = (Arc(START, "connects", "HELLO", "Open"), Arc("Open", "says; nothing\nmuch", "", END))


def test_each_arc_is_a_line_and_an_empty_output_is_omitted() -> None:
    assert mermaid(ARCS) == (
        "stateDiagram-v2\n    [*] --> Open: connects / HELLO\n    Open --> [*]: says, nothing much\n"
    )


@pytest.mark.parametrize("name", dialects.DIALECT_PACKAGES)
def test_every_section_of_a_declaration_is_in_the_specification(name: str) -> None:
    protocol = dialects.protocol(name)
    there = {"", *sections(Path(dialects.specification_path(name)).read_text("utf-8"))}
    subjects = {field: getattr(protocol.sections, field) for field in protocol.sections.__struct_fields__}
    messages = {one.name: one.section for one in (*protocol.client, *protocol.server)}
    assert {what: section for what, section in (subjects | messages).items() if section not in there} == {}


@pytest.mark.parametrize("name", dialects.DIALECT_PACKAGES)
def test_every_message_has_a_meaning_and_one_name_for_each_side(name: str) -> None:
    protocol = dialects.protocol(name)
    for side in (protocol.client, protocol.server):
        assert [one.name for one in side if not one.meaning] == []
        assert len({one.name for one in side}) == len(side)
    names = {one.name for one in (*protocol.client, *protocol.server)}
    assert protocol.heartbeats | protocol.queries | (protocol.farewells or frozenset()) <= names


@pytest.mark.parametrize("name", dialects.DIALECT_PACKAGES)
def test_every_state_of_a_conversation_can_be_reached_and_left(name: str) -> None:
    arcs = dialects.protocol(name).arcs
    assert {arc.source for arc in arcs} == {arc.target for arc in arcs}
    assert START in {arc.source for arc in arcs}


def test_the_messages_of_native_are_numbered_as_in_the_specification() -> None:
    text = Path("docs/dialects/native.md").read_text("utf-8")
    protocol = dialects.protocol("native")
    headings = re.findall(r"^### ([34]\.\d+) `(\w+)`", text, re.MULTILINE)
    assert headings == [(one.section, one.name) for one in (*protocol.client, *protocol.server)]


class Greeting(msgspec.Struct):
    """Says hello [5], to anyone [1]."""


class Silence(msgspec.Struct):
    """Says nothing."""


def test_the_first_section_that_a_docstring_cites_is_the_section_of_the_message() -> None:
    first, second = message_types(Greeting | Silence)
    assert (first.name, first.section, first.struct) == ("Greeting", "5", Greeting)
    assert (second.meaning, second.section) == ("Says nothing.", "")


@pytest.mark.parametrize("name", dialects.DIALECT_PACKAGES)
def test_every_message_is_decoded_as_it_was_encoded(name: str) -> None:
    protocol, spoken = dialects.protocol(name), dialects.dialect(name)
    for messages, encode, decoder, decode in (
        (protocol.client, protocol.encode_request, spoken.decoder, protocol.decode_request),
        (protocol.server, protocol.encode_reply, spoken.replies or spoken.decoder, protocol.decode_reply),
    ):
        for one in messages if encode is not None and name != "native" else ():
            message = grammar.example(one.struct)
            heard = decoder().feed(spoken.greeting + encode(message))[-1]  # type: ignore[misc]  # `encode` is not None, see the loop
            assert message == (heard if decode is None else decode(heard)), one.name


def test_the_words_of_a_protocol_are_those_of_its_messages_and_fields() -> None:
    assert grammar.tokens("forza-lines-requests") == [b"RESIGN", b"SAY", b"column", b"name"]
    assert {b"CHOOSE_GOD", b"firstPlayer"} <= set(grammar.tokens("santorini-lobby-requests"))
    assert grammar.tokens("nats") == grammar.inputs("nats") == []
