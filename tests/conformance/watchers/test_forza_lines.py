"""Results that a forza-lines server may send after a resignation."""

from __future__ import annotations

import pytest

from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Monitor, Record
from boardwire.conformance.watchers.watcher import WatcherGroup

BOARD = b"| . . . . . . . |\n" * 6 + b"+-1-2-3-4-5-6-7-+\n"
HELLO = b"HELLO What is your name?\n"
START = b"WELCOME Wait for your opponent.\nSTART RED bob\n" + BOARD + b"TURN RED\n"


def codes(*said: tuple[Side, bytes]) -> list[str]:
    """Return the codes of the findings in a conversation of one player."""
    records: list[Record] = []
    monitor = Monitor("forza-lines", WatcherGroup(), 1, records.append)
    for number, (side, data) in enumerate(said):
        monitor.receive(side, data, float(number))
    return [record.code for record in records if isinstance(record, Finding)]


@pytest.mark.parametrize(
    ("resigns", "result", "found"),
    [
        (True, b"LOST forfeit\n", []),
        (True, b"WON forfeit\n", ["forza-lines.resigns"]),
        (False, b"WON forfeit\n", []),
        (False, b"WON line\n", ["forza-lines.end"]),
    ],
)
def test_a_player_who_resigns_loses_and_no_one_else(resigns: bool, result: bytes, found: list[str]) -> None:
    before = [(Side.SERVER, HELLO), (Side.CLIENT, b"ann\n"), (Side.SERVER, START)]
    said = [(Side.CLIENT, b"RESIGN\n")] if resigns else []
    assert codes(*before, *said, (Side.SERVER, result)) == found
