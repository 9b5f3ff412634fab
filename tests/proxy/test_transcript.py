"""Conversations as files: written, read again, cut and edited."""

from __future__ import annotations

import pytest

from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import MessageRecord
from boardwire.errors import Malformed
from boardwire.proxy.transcript import lines, parse

from ..conformance.watched import Table


@pytest.mark.parametrize("dialect", ["tris-lines", "santorini-objects"])
def test_written_values_are_read_back_byte_for_byte(dialect: str) -> None:
    table = Table(1)
    for name in ("ann", "bob"):
        table.join(dialect, name)
    text = "\n".join(lines(table.records, dialect)) + "\n"
    found = parse(text)
    assert found.cut == ""
    assert [(one.side, one.data) for one in found.entries if one.data is not None] == [
        (one.side, one.data) for one in table.records if isinstance(one, MessageRecord)
    ]


CONVERSATION = "+ 1 tris-lines\n~ 0.5\n< 1 WAIT\n< 1 READY\n> 1 4\n= 34 0d 0a\n- 1\n"


def test_times_sides_and_bytes_are_told() -> None:
    opened, wait, ready, cell, left = parse(CONVERSATION).entries
    assert (opened.opens, wait.at, ready.data, cell.data) == ("tris-lines", 0.5, b"READY\n", b"4\r\n")
    assert (left.data, left.side) == (None, Side.CLIENT)


@pytest.mark.parametrize("end", range(20, len(CONVERSATION)))
def test_a_recording_cut_anywhere_keeps_what_was_recorded(end: int) -> None:
    found = parse(CONVERSATION[:end])
    whole = CONVERSATION[:end].count("\n")
    assert len(found.entries) >= sum(line[0] in "+<>-" for line in CONVERSATION.split("\n")[:whole])
    assert bool(found.cut) is not CONVERSATION[:end].endswith("\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+ 1 tris-lines\n< 1 WAIT\n= zz\n< 1 READY\n", "line 3: 'zz' is not hexadecimal"),
        ("+ 1 tris-lines\n= 00\n", "line 2: = must follow the message"),
        ("+ 1 tris-lines\n~ soon\n", "line 2: ~ needs a number of seconds from 0 to 1,000,000,000, not 'soon'"),
        ("+ 1 tris-lines\n~ inf\n", "not 'inf'"),
        ("+ 1 tris-lines\n~ nan\n", "not 'nan'"),
        ("+ 1 tris-lines\n~ -1\n", "not '-1'"),
        ("+ 1 tris-lines\n> 1 4\n=\n", "line 3: = must have at least one byte"),
        ("+ 1 tris-lines\n? 1 WAIT\n", "line 2: a line must start with one of"),
        ("+ 1 tris-lines\n<\n", "line 2: '<' does not name a connection"),
        ("", "is not a transcript"),
    ],
)
def test_a_wrong_line_is_malformed_with_its_number(text: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        parse(text)
