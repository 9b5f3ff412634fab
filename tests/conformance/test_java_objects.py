"""Java object streams: split into messages and shown field by field, without building objects."""

from __future__ import annotations

import pytest

from boardwire.conformance.java_objects import JavaObjectFramer, show
from boardwire.dialects.eriantys_objects import messages as eriantys
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes
from boardwire.wire.javastream import Framing

STRANGE = (
    b"\xac\xed\x00\x05sr\x00\x0borg.Unknown\x00\x00\x00\x00\x00\x00\x00\x01\x02\x00\x03I\x00\x05countL\x00\x04listt\x00"
    b"\x10Ljava/util/List;L\x00\x04namet\x00\x12Ljava/lang/String;xp\x00\x00\x00\x07pt\x00\x03ann"
)
"""new org.Unknown(): count = 7, list = null, name = "ann"."""


def test_an_object_of_an_unknown_class_is_shown_by_its_fields() -> None:
    ((data, shape),) = JavaObjectFramer(Framing.EACH).feed(STRANGE)
    assert data == STRANGE
    assert show(shape) == 'Unknown {count: 7, list: null, name: "ann"}'


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_messages_do_not_depend_on_segmentation(step: int) -> None:
    message = Edition.D2.encode(classes.Message("Player's name"))
    moves = Edition.D2.encode(classes.RequestMove(1, frozenset({classes.Position(1, 2, 0)}), frozenset()))
    stream, framer = message + moves, JavaObjectFramer(Framing.EACH)
    found = [piece for at in range(0, len(stream), step) for piece in framer.feed(stream[at : at + step])]
    assert [data for data, _ in found] == [message, moves]
    assert show(found[0][1]) == 'Message {message: "Player\'s name"}'
    assert "worker1Moves: [Position {x: 1, y: 2, z: 0}]" in show(found[1][1])


def test_the_header_of_a_stream_is_a_separate_piece() -> None:
    said = eriantys.encode(eriantys.LoginRequest(nickname="ann"))
    header, login = JavaObjectFramer(Framing.ONCE).feed(eriantys.GREETING + said)
    assert header == (eriantys.GREETING, None)
    assert 'nickname: "ann"' in show(login[1])


@pytest.mark.parametrize("at", range(5, len(STRANGE), 7))
def test_data_that_is_no_stream_is_returned_with_a_reason(at: int) -> None:
    broken = STRANGE[:at] + b"\xff\xff\xff\xff\xff\xff\xff\xff" + STRANGE[at:]
    framer = JavaObjectFramer(Framing.EACH)
    found = framer.feed(broken)
    assert b"".join(data for data, _ in found) + framer.rest() == broken


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xed\xa0\xbd\xed\xb8\x80", "\U0001f600"),
        (b"half \xed\xa0\xbd", "half \ufffd"),
        (b"\xed\xa0", "\ufffd\ufffd"),
        (b"\xff\xed\x9f\xbf", "\ufffd\ud7ff"),
        (b"\xc0\x80", "\0"),
    ],
)
def test_text_of_an_object_can_always_be_written_as_json(data: bytes, text: str) -> None:
    message = b"\xac\xed\x00\x05t" + len(data).to_bytes(2, "big") + data
    ((_, found),) = JavaObjectFramer(Framing.EACH).feed(message)
    assert found == text
    show(found).encode()
