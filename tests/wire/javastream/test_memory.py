"""What was said before is given, with the name of its current sender."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, cast

import msgspec
import pytest

from boardwire.errors import Malformed
from boardwire.wire.javastream import HEADER, Framing, Java, Reader, Schema, StreamLimits, Writer
from boardwire.wire.javastream.graph import GraphSource
from boardwire.wire.javastream.memory import _OTHER_NAME
from boardwire.wire.javastream.text import string_object

from .streams import Shade, refer


class Spoken(msgspec.Struct, frozen=True):
    """Begins with its type, and then who says it."""

    about: Shade
    by: str | None


class Said(Spoken, frozen=True):
    count: int = 0
    shades: Sequence[Shade] = ()
    to: str | None = None


class Passed(Spoken, frozen=True):
    said: Said


SCHEMA = Schema(
    {Spoken: Java("t.Spoken", 1, abstract=True), Said: Java("t.Said", 1), Passed: Java("t.Passed", 1)},
    {Shade: "t.Shade"},
)
WRITER = Writer(SCHEMA, Framing.ONCE)


def connection(name: str, limits: StreamLimits | None = None) -> Reader:
    """Someone who has said hello."""
    reader = Reader(SCHEMA, framing=Framing.ONCE, limits=limits)
    reader.feed(HEADER)
    for _ in range(2):
        reader.feed(WRITER.encode(Said(Shade.DARK, name)))
    return reader


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows whenever a message is read from its bytes."""
    found: list[int] = []
    message = GraphSource.message

    def counted(self: Any) -> Any:
        found.append(1)
        return message(self)

    monkeypatch.setattr(GraphSource, "message", counted)
    return found


def test_a_cached_message_is_returned_with_the_name_of_its_sender(reads: list[int]) -> None:
    ann, bob = connection("ann"), connection("a rather long name")
    said = Said(Shade.PALE, "ann", 4711, (Shade.PALE, Shade.DARK), to="ann")
    assert ann.feed(WRITER.encode(said)) == [said]
    before = len(reads)
    mine = msgspec.structs.replace(said, by="a rather long name", to="a rather long name")
    assert bob.feed(WRITER.encode(mine)) == [mine]
    assert ann.feed(WRITER.encode(said)) == [said]
    assert len(reads) == before
    other = msgspec.structs.replace(mine, to="ann")
    assert bob.feed(WRITER.encode(other)) == [other], "the same, but not to oneself"
    assert len(reads) > before


def test_a_name_that_is_referred_to_later_is_not_left_out() -> None:
    """Java writes a string that comes twice as a reference; and the name may say which one is meant."""
    ann, bob = connection("ann"), connection("bob")
    spelt = WRITER.encode(Said(Shade.PALE, "ann", to="ann"))
    twice = string_object("ann")
    for handle in range(20):  # whichever is the name's
        first, second, third = spelt.split(twice)
        referring = first + twice + second + refer(handle) + third
        try:
            said = cast("Said", connection("ann").feed(referring)[0])
        except Malformed:
            continue
        if said.to == "ann":
            assert ann.feed(referring) == [said]
            meant = referring.replace(twice, string_object("bob"))
            assert bob.feed(meant) == [Said(Shade.PALE, "bob", to="bob")]
            return
    pytest.fail("no reference leads to the name")


def test_a_number_with_the_bytes_of_a_name_is_not_taken_for_the_name() -> None:
    for name in ("a", "b"):
        said = Said(Shade.PALE, name, int.from_bytes(string_object(name), "big"))
        assert connection(name).feed(WRITER.encode(said)) == [said], "a number whose bytes are those of the name"


def test_a_changed_name_is_understood() -> None:
    reader = connection("ann")
    for name in ("ann", "bob", None, "ann", "", "bob"):
        said = Said(Shade.PALE, name, 5)
        assert reader.feed(WRITER.encode(said)) == [said]


def test_a_name_that_makes_a_message_too_long_is_not_taken_because_it_was_said_with_another() -> None:
    said = Said(Shade.PALE, "ann", 6, (Shade.PALE,) * 9)
    limits = StreamLimits(size=len(WRITER.encode(said)))
    assert connection("ann", limits).feed(WRITER.encode(said)) == [said]
    longer = connection("a name of some length", limits)
    with pytest.raises(Malformed, match="longer than"):
        longer.feed(WRITER.encode(msgspec.structs.replace(said, by="a name of some length")))


def test_all_is_read_as_if_nothing_were_remembered() -> None:
    luck, names = Random(7), ("ann", "bob", "t", "", "\u00e8\0", None)
    readers = [connection(name or "nobody") for name in names]
    for _ in range(2000):
        shades = tuple(luck.choices(list(Shade), k=luck.randrange(4)))
        by, to = luck.choices(names, k=2)
        said = Said(luck.choice(list(Shade)), by, luck.choice((0, 1, 0x74000161)), shades, to)
        assert luck.choice(readers).feed(WRITER.encode(said)) == [said]


def test_an_unusual_name_does_not_affect_others() -> None:
    for name in (_OTHER_NAME, "Anna", _OTHER_NAME):
        message = Passed(Shade.DARK, name, Said(Shade.PALE, name))
        assert connection(name).feed(WRITER.encode(message)) == [message]
