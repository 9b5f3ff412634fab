"""Whatever comes in: messages, `Malformed`, or waiting for more; and the same however it is cut into segments."""

from __future__ import annotations

import contextlib
import itertools
import json
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.dialects.eriantys_objects import messages as eriantys
from boardwire.dialects.santorini_objects.messages.classes import D2, F
from boardwire.errors import Malformed
from boardwire.wire.javastream import HEADER, Framing, Reader, Schema, StreamLimits, Writer

from .streams import SCHEMA, Bag, Child, Node, Point, Shade, Text

VECTORS = json.loads((Path(__file__).parent / "vectors/santorini-objects.json").read_text())
SANTORINI = [bytes.fromhex(vector["hex"]) for vector in VECTORS if vector["dialect"] in ("D2", "F")]

RING = Node(1)
msgspec.structs.force_setattr(RING, "peers", (RING, Node(2, RING)))
OWN = [
    Writer(SCHEMA).encode(message)
    for message in (
        RING,
        Bag(names=("a", None), points=frozenset([Point(1, 2), Point(3, 4)]), shades={Shade.DARK: 1, Shade.PALE: 1}),
        Child(1, "é", 2, None),
    )
]
PLAYER = eriantys.PlayerModel(nickname="ada", student_in_hall={eriantys.ColorPawns.RED: 1})
msgspec.structs.force_setattr(PLAYER, "deck_assistant_card_model", (eriantys.AssistantCardModel(owner=PLAYER),))
ERIANTYS = [
    Writer(eriantys.SHIPPED).encode(message)
    for message in (eriantys.LoginRequest(nickname="ada"), eriantys.WinMessage(nickname="server", winner=PLAYER))
]

LIMITS = StreamLimits(size=4096, depth=12, handles=120, elements=40, text=200)


def result(schemas: tuple[Schema, ...], framing: Framing, segments: list[bytes]) -> tuple[list[str], bool]:
    """All messages, and whether the stream turned out malformed."""
    reader, found = Reader(*schemas, framing=framing, limits=LIMITS), []
    with contextlib.suppress(Malformed):
        for segment in segments:
            found += [repr(message) for message in reader.feed(segment)]
            assert reader.buffered <= LIMITS.size + len(segment)
    return found, reader.fault is not None


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[start:end] for start, end in itertools.pairwise(edges)]


def agree(schemas: tuple[Schema, ...], framing: Framing, data: bytes, places: list[int]) -> None:
    whole = result(schemas, framing, [data])
    assert result(schemas, framing, cut(data, places)) == whole
    assert result(schemas, framing, [data[at : at + 1] for at in range(len(data))]) == whole


def mutate(data: bytes, changes: list[tuple[int, int, int]]) -> bytes:
    """Put bytes in, take them out, change them."""
    for place, kind, value in changes:
        at = place % (len(data) + 1)
        data = data[:at] + [bytes([value]), b"", data[at : at + 3]][kind] + data[at + (kind != 2) :]
    return data


changes = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 2), st.integers(0, 255)), max_size=3)
places = st.lists(st.integers(0, 5000), max_size=4)
framings = st.sampled_from(list(Framing))
fuzz = settings(max_examples=60, deadline=None, derandomize=True)


@given(st.sampled_from(SANTORINI), changes, places)
@fuzz
def test_mutated_santorini_messages(raw: bytes, changed: list[tuple[int, int, int]], cuts: list[int]) -> None:
    agree((D2, F), Framing.EACH, raw + mutate(raw, changed), cuts)


@given(st.sampled_from(ERIANTYS), changes, places, framings)
@fuzz
def test_mutated_eriantys_messages(
    raw: bytes, changed: list[tuple[int, int, int]], cuts: list[int], framing: Framing
) -> None:
    agree((eriantys.SHIPPED,), framing, mutate(raw, changed), cuts)


@given(st.sampled_from(OWN), st.sampled_from(OWN), changes, places)
@fuzz
def test_mutated_graphs_that_share_their_handles(
    first: bytes, second: bytes, changed: list[tuple[int, int, int]], cuts: list[int]
) -> None:
    agree((SCHEMA,), Framing.ONCE, mutate(first + second[4:], changed), cuts)


@given(
    st.lists(st.one_of(st.binary(max_size=6), st.sampled_from([HEADER, *b"pqrstuvwxyz{|}~" * 1])), max_size=40), places
)
@fuzz
def test_random_bytes(pieces: list[bytes | int], cuts: list[int]) -> None:
    data = HEADER + b"".join(bytes([piece]) if isinstance(piece, int) else piece for piece in pieces)
    agree((SCHEMA,), Framing.ONCE, data, cuts)


names = st.one_of(st.none(), st.text(st.sampled_from("ab\0é\U0001f600"), max_size=5))
points = st.builds(Point, st.integers(-(2**31), 2**31 - 1), st.integers(-3, 3))
messages = st.one_of(
    points,
    st.builds(Text, names),
    st.builds(
        Bag,
        big=st.integers(-(2**63), 2**63 - 1),
        small=st.integers(-128, 127),
        is_open=st.booleans(),
        ratio=st.floats(allow_nan=False),
        boxed=st.one_of(st.none(), st.integers(-300, 300)),
        names=st.one_of(st.none(), st.lists(names, max_size=5).map(tuple)),
        points=st.one_of(st.none(), st.frozensets(points, max_size=30)),
        shade=st.one_of(st.none(), st.sampled_from(Shade)),
        shades=st.one_of(st.none(), st.dictionaries(st.sampled_from(Shade), st.integers(-200, 200))),
        thing=st.one_of(st.none(), points, st.builds(Text, names)),
    ),
)


@given(st.lists(messages, max_size=4), places, framings)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_written_values_are_read_back(wanted: list[msgspec.Struct], cuts: list[int], framing: Framing) -> None:
    writer, reader = Writer(SCHEMA, framing), Reader(SCHEMA, framing=framing)
    stream = writer.opening + b"".join(map(writer.encode, wanted))
    assert [message for segment in cut(stream, cuts) for message in reader.feed(segment)] == wanted
