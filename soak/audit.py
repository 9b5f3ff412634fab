"""Compares what everybody was told with the journal.  Pure: it knows neither files nor processes.

Rules:

- A match played to its end has exactly the moves that its players sent, once each, in their order.
- Of a match that was cut off, the journal has every move that is known to be taken, and none that was not sent.
- Students of one turn in Eriantys may be stored in another order than they were chosen: a protocol has one message for
  all of them.  So there, numbers of equal moves are compared.
- Where a move was refused, as all are while the disk is full, it is only compared that nothing is there that was not
  sent: protocols differ in how much of a turn they ask for again.
- Every step that a native connection was shown is in the journal under its number, and came once.
- A match between two of our own players ends on the board, unless one of them left by plan or the server was taken down.
- A bystander's move is answered soon, unless the server was down.

Moves are compared as they are in play; see `_PLAY`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from boardwire.store.sqlite import Archive
from boardwire.table import events as stored
from boardwire.table.events import Event
from boardwire.table.match import fold
from soak.told import Played, Saw

FINISHED: Final = frozenset({"won", "lost", "drawn"})
OFF_THE_BOARD: Final = frozenset({"", "abandoned", "interrupted", "forfeit"})
"""How a match ends that is not played to its end; empty: it never ended."""
BOUND: Final = 0.050
"""Seconds within which 99 of 100 moves of a bystander must be answered."""

_PLAY: Final = frozenset({"move", "build", "assistant", "island", "hall", "steps"})
"""What is compared, of games whose actions have types.  Choices of the set-up, powers and Eriantys' clouds are not: for
some of them a protocol has no words, or other numbers, or asks again when a square turns out to be taken."""
_OWN: Final = re.compile(r"g\d+x")


def own_name(number: int) -> str:
    """The name of a guest."""
    return f"g{number}x"


def bare(name: str) -> str:
    """A name as its owner knows it: where one is taken, or seems to be, clients put a number behind it."""
    found = _OWN.match(name)
    return found[0] if found else name


def deed(action: Any) -> Any:
    """An action as both sides name it; None if it is not compared."""
    plain = msgspec.to_builtins(action)
    if not isinstance(plain, dict):
        return plain
    if plain.get("type") not in _PLAY:
        return None
    return [value for key, value in sorted(plain.items()) if key not in ("island",)]


class Window(msgspec.Struct, frozen=True):
    """A time in which the server was not itself."""

    begin: float
    end: float
    why: str

    @property
    def refuses(self) -> bool:
        """Whether moves were refused then, and made again."""
        return self.why == "disk"


def inside(windows: Iterable[Window], begin: float, end: float) -> bool:
    """Whether any of the windows touches this time."""
    return any(window.begin <= end and begin <= window.end for window in windows)


class Kept(msgspec.Struct):
    """A match of the journal, as far as it is compared."""

    id: str
    names: list[str]
    dialects: list[str]
    deeds: list[list[Any]]
    moves: list[Any]
    ended: str
    """How; empty: not yet."""
    events: int


def kept(events: Sequence[Event]) -> Kept:
    """What there is to compare of a match; fails if its events do not add up."""
    match = fold(events)
    seats = len(match.chairs)
    names, dialects = [""] * seats, [""] * seats
    deeds: list[list[Any]] = [[] for _ in range(seats)]
    moves: list[Any] = []
    for event in events:
        match event:
            case stored.Joined(seat=seat, player=player) | stored.Readied(seat=seat, player=player):
                names[seat], dialects[seat] = bare(player.name), player.dialect
            case stored.Acted(seat=seat, action=action):
                moves.append(action)
                if (done := deed(action)) is not None:
                    deeds[seat].append(done)
            case _:
                pass
    ended = match.outcome.termination if match.outcome is not None else ""
    return Kept(match.id, names, dialects, deeds, moves, ended, len(events))


def _begins(there: list[Any], sure: list[Any], in_order: bool) -> bool:
    """Whether all that is sure is there, at the beginning."""
    if in_order:
        return there[: len(sure)] == sure
    return not Counter(map(tuple, sure)) - Counter(map(tuple, there))


def _within(there: list[Any], sent: list[Any], in_order: bool) -> bool:
    """Whether nothing is there that was not sent, or more often."""
    if in_order:
        left = iter(sent)
        return all(one in left for one in there)
    return not Counter(map(tuple, there)) - Counter(map(tuple, sent))


class Auditor:
    """Takes records and matches as they come, and keeps what is wrong."""

    def __init__(self) -> None:
        self.windows: list[Window] = []
        self.lost: list[str] = []
        self.doubled: list[str] = []
        self.unfinished: list[str] = []
        self.unsure = 0
        """Matches that had refused moves: which of them were taken is not compared."""
        self.matches: Counter[str] = Counter()
        self.finished: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.shown = 0
        self._by_name: dict[str, Kept] = {}
        self._by_id: dict[str, Kept] = {}
        self._nameless: list[Played] = []
        self._unclaimed: Counter[tuple[int, tuple[Any, ...]]] = Counter()
        self._players: list[Played] = []
        self._waits: list[tuple[float, float]] = []

    # --- what comes in ----------------------------------------------------------------------------------------------

    def journal(self, match: Kept) -> None:
        """A match that is over, from the journal."""
        for name in match.names:
            if name:
                self._by_name[name] = match
        for seat, dialect in enumerate(match.dialects):
            if dialect == "tris-lines":
                self._unclaimed[seat, tuple(match.moves)] += 1

    def played(self, record: Played) -> None:
        """A match, as one of our players lived it."""
        if record.result == "never":
            return
        self.matches[record.dialect] += 1
        self.finished[record.dialect] += record.result in FINISHED
        self.moves[record.dialect] += len(record.answers)
        self._waits += record.waits
        (self._players if record.moves is None else self._nameless).append(record)

    def saw(self, record: Saw, events: Sequence[Event]) -> None:
        """Steps that a connection was shown, of a match with these events."""
        last = 0
        for number, name, at, seat in record.steps:
            self.shown += 1
            if number <= last:
                self.doubled.append(f"match {record.match}: event {number} was shown after {last}")
            last = number
            event = events[number - 1] if 0 < number <= len(events) else None
            if event is None:
                self.lost.append(f"match {record.match}: event {number} ({name}) was shown and is not there")
            elif (type(event).__name__.lower(), event.at, getattr(event, "seat", None)) != (name, at, seat):
                self.lost.append(f"match {record.match}: event {number} was shown as {name} at {at}, and is {event}")

    # --- what comes of it -------------------------------------------------------------------------------------------

    def close(self) -> None:
        """All records and matches have come: compare them."""
        for record in self._players:
            self._compare(record)
        for record in sorted(self._nameless, key=lambda record: -len(record.moves or ())):
            self._claim(record)

    def _compare(self, record: Played) -> None:
        match = self._by_name.get(record.name)
        if match is None:
            if record.sure:
                self.lost.append(f"{record.name} ({record.dialect}) made {record.sure} moves in no match")
            return
        seat = match.names.index(record.name)
        self._promise(record, match)
        there, sent = match.deeds[seat], record.answers
        who = f"match {match.id}, {record.name} ({record.dialect}, {record.result})"
        in_order = record.game != "eriantys"
        if record.again or any(
            inside([window], record.begun, record.ended) for window in self.windows if window.refuses
        ):
            self.unsure += 1
            sure: list[Any] = []
        else:
            sure = sent if record.result in FINISHED else sent[: record.sure]
        if not _begins(there, sure, in_order):
            self.lost.append(f"{who}: {sure} is sure, {there} is there")
        if not _within(there, sent, in_order):
            self.doubled.append(f"{who}: {sent} was sent, {there} is there")

    def _promise(self, record: Played, match: Kept) -> None:
        """Our own two players finish their match; those who come back, whatever happens to the server."""
        if record.firm:
            if match.ended in OFF_THE_BOARD or record.result == "stuck":
                self.unfinished.append(
                    f"match {match.id} of {record.game}: {record.name} {record.result}, {match.ended!r}"
                )
            return
        ours = all(name in self._names for name in match.names)
        if not ours or record.result in FINISHED or inside(self.windows, record.begun, record.ended):
            return
        others = [self._names[name] for name in match.names]
        if any(other.result == "left" for other in others):
            return
        self.unfinished.append(
            f"match {match.id}: {record.name} ({record.dialect}) ended as {record.result!r} ({record.words}),"
            f" the journal says {match.ended!r}; from {record.begun:.1f} to {record.ended:.1f}"
        )

    @property
    def _names(self) -> dict[str, Played]:
        if len(self._named) != len(self._players):
            self._named = {record.name: record for record in self._players}
        return self._named

    _named: dict[str, Played] = {}

    def _claim(self, record: Played) -> None:
        """A player without a name finds a match that begins with its moves, and that no other took; the longest first,
        because whatever begins with a long match begins with its short ones too."""
        moves = tuple(record.moves or ())
        possible = [moves]
        if record.result not in FINISHED and len(record.answers) > record.sure:
            on_the_way = record.answers[-1]  # a client draws its own move before it is taken
            possible.append(moves[:-1] if moves and moves[-1] == on_the_way else (*moves, on_the_way))
        for played in possible:
            if self._unclaimed[record.seat, played] > 0:
                self._unclaimed[record.seat, played] -= 1
                return
        for (seat, played), count in self._unclaimed.items():
            if count > 0 and seat == record.seat and played[: len(moves)] == moves and record.result not in FINISHED:
                self._unclaimed[seat, played] -= 1
                return
        if moves:
            self.lost.append(f"a player of {record.dialect} was shown {moves} ({record.result}), which no match has")

    def latency(self) -> tuple[float, float, float, int]:
        """Median, 99th of a hundred and longest wait outside of the windows, and of how many."""
        windows = sorted(self.windows, key=lambda window: window.begin)
        waits = sorted(took for when, took in self._waits if not inside(windows, when - took, when))
        if not waits:
            return 0.0, 0.0, 0.0, 0
        return waits[len(waits) // 2], waits[int(len(waits) * 0.99)], waits[-1], len(waits)


def read(archive: Archive, match: str) -> tuple[list[Event], Kept]:
    """A match of the journal."""
    events = archive.events(match)
    return events, kept(events)
