"""Comparison of the clients' records with the journal, without files and processes.

Rules:

- A finished match has exactly the moves that its players sent, once each, in order.
- An unfinished match has every move that was confirmed, and no move that was not sent. The same holds after a
  resignation or a forfeit, which may cross with the last move.
- The students of an Eriantys turn may be stored in another order than chosen, because some protocols send them in one
  message. There, only the numbers of equal moves are compared.
- After a refused move, for example because of a full disk, only moves that were not sent are errors: protocols differ
  in how much of a turn they repeat.
- Every step that a native connection received is in the journal under its number, and was received once.
- A match between two soak players ends on the board, unless one left by plan or its server was down. A match between
  returning players always ends on the board.
- A bystander's move is answered within `MAX_MOVE_SECONDS`, unless the server was down.
- A bystander's GET is answered with 200 within `MAX_GET_SECONDS`, unless the server was down.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from boardwire import dialects
from boardwire.table import events as stored
from boardwire.table.events import Event
from boardwire.table.match import fold
from boardwire.table.termination import Termination
from soak.records import Got, Kept, Played, Saw, Wait
from soak.windows import Window, Windows

FINISHED: Final = frozenset({"won", "lost", "drawn"})
OFF_THE_BOARD: Final = frozenset({"", *Termination})
"""Terminations of a match that did not end on the board; '' if it never ended."""

MAX_MOVE_SECONDS: Final = 0.050
"""Limit of the 99th percentile of bystanders' moves, in seconds."""

MAX_GET_SECONDS: Final = 0.500
"""Limit of the 99th percentile of bystanders' GET requests, in seconds."""
MAX_SLOWDOWN: Final = 3.0
"""Limit of the ratio of the 99th percentiles of bystanders' moves with and without attack."""

BYSTANDERS: Final = "bystander's move"
GETS: Final = "bystander's GET"
NET: Final = "the same, net"
"""A bystander's move without the time that the server's main thread and the bystander waited for a processor."""
OTHERS: Final = "other guest's move"
"""Includes delays of the busy client process itself."""
ECHO: Final = "bare echo"
"""Round trip of a byte to another process, measured on the same machine at the same time."""
DISK: Final = "bare write"
"""Durable write of a page, measured on the same disk at the same time; every move needs one."""

NAMELESS: Final = frozenset(name for name in dialects.DIALECT_PACKAGES if not dialects.dialect(name).has_names)
"""Dialects without names; matches of their players are found by their moves."""

INDEXED_MOVES: Final = 3
"""Number of first moves by which matches are indexed."""

_COMPARED_KINDS: Final = frozenset({"move", "build", "assistant", "island", "hall", "steps"})
"""Action types that are compared. Set-up choices, powers and Eriantys clouds are not: some protocols cannot express
them, number them differently, or repeat the question when a square is taken."""

_GUEST_NAME: Final = re.compile(r"[gv]\d+x")


def guest_name(number: int) -> str:
    """Return the name of a player who plays one match."""
    return f"g{number}x"


def visitor_name(number: int) -> str:
    """Return the name of a player who returns after a disconnect."""
    return f"v{number}x"


def bare(name: str) -> str:
    """Return a name without the number that clients append if it is taken."""
    matched = _GUEST_NAME.match(name)
    return matched[0] if matched else name


def comparable_action(action: Any) -> str:
    """Return an action in a form that both sides share, or '' if it is not compared."""
    plain = msgspec.to_builtins(action)
    if not isinstance(plain, dict):
        return str(plain)
    if plain.get("type") not in _COMPARED_KINDS:
        return ""
    return " ".join(str(value) for key, value in sorted(plain.items()) if key != "island")


def comparable_match(events: Sequence[Event]) -> Kept:
    """Return the comparable part of a match; raise an exception if its events are inconsistent."""
    match = fold(events)
    seats = len(match.chairs)
    comparable = Kept(match.id, [""] * seats, [""] * seats, [[] for _ in range(seats)], events=len(events))
    moves: list[str] = []
    for event in events:
        match event:
            case stored.Joined(seat=seat, player=player) | stored.Readied(seat=seat, player=player):
                comparable.names[seat], comparable.dialects[seat] = bare(player.name), player.dialect
            case stored.Acted(seat=seat, action=action):
                done = comparable_action(action)
                moves.append(done)
                if done and _GUEST_NAME.match(comparable.names[seat]):
                    comparable.deeds[seat].append(done)
            case _:
                pass
    if not NAMELESS.isdisjoint(comparable.dialects):
        comparable.moves = moves
    comparable.ended = match.outcome.termination if match.outcome is not None else ""
    return comparable


class Auditor:
    """Collects records and matches, compares them and lists the errors."""

    def __init__(self) -> None:
        self.lost: list[str] = []
        self.doubled: list[str] = []
        self.unfinished: list[str] = []
        self.unsure = 0
        """Number of players with refused moves, whose moves are compared only in part."""
        self.matches: Counter[str] = Counter()
        self.finished: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.shown = 0
        self.waits: dict[str, list[Wait]] = {
            BYSTANDERS: [], NET: [], GETS: [], OTHERS: [], ECHO: [], DISK: [],
        }  # fmt: skip
        self._not_served: list[tuple[Wait, str]] = []
        self._players: dict[str, Played] = {}
        self._nameless: list[Played] = []
        self._by_name: dict[str, Kept] = {}
        self._unclaimed: Counter[tuple[int, tuple[str, ...]]] = Counter()

    # --- input ------------------------------------------------------------------------------------------------------

    def add_match(self, match: Kept) -> None:
        """Add a finished match of the journal."""
        for name in match.names:
            before = self._by_name.get(name)
            if _GUEST_NAME.match(name) and (before is None or before.events < match.events):
                self._by_name[name] = match  # a waiting player may be moved to another table and plays at the last one
        for seat, dialect in enumerate(match.dialects):
            if dialect in NAMELESS:
                self._unclaimed[seat, tuple(match.moves)] += 1

    def add_played(self, record: Played) -> None:
        """Add a player's record of a match."""
        if record.result == "never":
            return
        self.matches[record.dialect] += 1
        self.finished[record.dialect] += record.result in FINISHED
        self.moves[record.dialect] += len(record.answers)
        self.waits[BYSTANDERS if record.timed else OTHERS] += record.waits
        self.waits[NET] += record.net_waits
        record.waits = record.net_waits = []
        if record.dialect in NAMELESS:
            self._nameless.append(record)
        else:
            self._players[record.name] = record

    def add_gets(self, record: Got) -> None:
        """Add a bystander's GET requests."""
        for when, took, status, path in record.answers:
            self.waits[GETS].append((when, took))
            if status != 200:
                self._not_served.append(((when, took), f"{path}: {status or 'no answer'} after {took:.2f} s"))

    def compare_steps(self, record: Saw, events: Sequence[Event]) -> None:
        """Compare the steps that a connection received with the match's events."""
        last = 0
        for number, name, at, seat in record.steps:
            self.shown += 1
            if number <= last:
                self.doubled.append(f"match {record.match}: event {number} was received after {last}")
            last = number
            event = events[number - 1] if 0 < number <= len(events) else None
            if event is None:
                self.lost.append(
                    f"match {record.match}: event {number} ({name}) was received but is not in the journal"
                )
            elif (type(event).__name__.lower(), event.at, getattr(event, "seat", None)) != (name, at, seat):
                self.lost.append(
                    f"match {record.match}: event {number} was received as {name} at {at}, but the journal has {event}"
                )

    # --- results ----------------------------------------------------------------------------------------------------

    def close(self, windows: Iterable[Window]) -> None:
        """Compare all records and matches."""
        windows = tuple(windows)
        refusing = Windows(window for window in windows if window.refuses)
        down = {
            node: Windows(window for window in windows if window.node == node)
            for node in {window.node for window in windows}
        }
        for record in self._players.values():
            match = self._by_name.get(record.name)
            if match is not None:
                self._promise(record, match, down)
                self._compare(record, match, refusing)
            elif record.sure:
                self.lost.append(
                    f"{record.name} ({record.dialect}) has {record.sure} confirmed moves, but no match in the journal"
                )
        alike: dict[tuple[int, tuple[str, ...]], list[tuple[str, ...]]] = {}
        for seat, played in self._unclaimed:
            for length in range(INDEXED_MOVES + 1):
                alike.setdefault((seat, played[:length]), []).append(played)
        for record in sorted(
            self._nameless, key=lambda nameless: (-len(nameless.moves or ()), nameless.result not in FINISHED)
        ):
            self._claim(record, alike, refusing)

    def _compare(self, record: Played, match: Kept, refusing: Windows) -> None:
        there, sent = match.deeds[match.names.index(record.name)], record.answers
        played_out = record.result in FINISHED and match.ended not in OFF_THE_BOARD
        sure = sent if played_out else sent[: record.sure]
        if record.again or refusing.has_overlap(record.begun, record.ended):
            self.unsure += 1
            sure = []
        in_order = record.game != "eriantys"
        who = f"match {match.id}, {record.name} ({record.dialect}, {record.result})"
        if not _begins(there, sure, in_order):
            self.lost.append(f"{who}: confirmed {sure}, stored {there}")
        if not _within(there, sent, in_order):
            self.doubled.append(f"{who}: sent {sent}, stored {there}")

    def _promise(self, record: Played, match: Kept, down: Mapping[int, Windows]) -> None:
        """Check that soak players finished their match."""
        if record.firm:
            if match.ended in OFF_THE_BOARD or record.result == "stuck":
                how = f"{record.result} ({record.words}), {match.ended!r}"
                self.unfinished.append(f"match {match.id} of {record.game}, {record.name}: {how}")
            return
        others = [self._players.get(name) for name in match.names]
        if record.result in FINISHED or None in others:
            return
        nodes = {other.node for other in others if other is not None}
        if any(down[node].has_overlap(record.begun, record.ended) for node in nodes & down.keys()):
            return
        if len(others) == 1 and match.ended not in OFF_THE_BOARD:  # a solo match may end blocked, without a winner
            return
        if any(other is not None and other.result == "left" for other in others):
            return
        self.unfinished.append(
            f"match {match.id}: {record.name} ({record.dialect}) from {record.begun:.1f} to {record.ended:.1f}:"
            f" {record.result} ({record.words}), {match.ended!r}"
        )

    def _claim(
        self, record: Played, alike: dict[tuple[int, tuple[str, ...]], list[tuple[str, ...]]], refusing: Windows
    ) -> None:
        """Assign an unassigned match with the same moves to a player without a name.

        Records with the most moves are assigned first, because a long match also begins with the moves of a short one;
        among equals, finished records first, because the last move of an unfinished one may not be stored. `alike`
        are the matches by their first moves.
        """
        moves = tuple(record.moves or ())
        possible = [moves]
        if record.result not in FINISHED and len(record.answers) > record.sure:
            on_the_way = record.answers[-1]  # a client shows its own move before the server accepts it
            possible.append(moves[:-1] if moves and moves[-1] == on_the_way else (*moves, on_the_way))
        for played in possible:
            if self._unclaimed[record.seat, played] > 0:
                self._unclaimed[record.seat, played] -= 1
                return
        if record.result not in FINISHED:  # the other players may have continued
            for candidate in possible:
                for played in alike.get((record.seat, candidate[:INDEXED_MOVES]), ()):
                    if played[: len(candidate)] == candidate and self._unclaimed[record.seat, played] > 0:
                        self._unclaimed[record.seat, played] -= 1
                        return
        if refusing.has_overlap(record.begun, record.ended):
            self.unsure += 1
        elif moves:
            self.lost.append(
                f"no match in the journal has the moves {moves} of a {record.dialect} player ({record.result})"
            )

    def not_served(self, windows: Iterable[Window]) -> list[str]:
        """Return the bystanders' GET requests that failed outside of the windows."""
        down = Windows(windows)
        return [what for (when, took), what in self._not_served if not down.has_overlap(when - took, when)]

    def latency(
        self, windows: Iterable[Window], who: str = BYSTANDERS, phase: tuple[float, float] | None = None
    ) -> tuple[float, float, float, int]:
        """Return the median, the 99th percentile, the maximum and the number of waits outside of the windows.

        If a phase is given, only waits that began in it count.
        """
        down, (begin, end) = Windows(windows), phase or (float("-inf"), float("inf"))
        waits = sorted(
            took
            for when, took in self.waits[who]
            if begin <= when - took < end and not down.has_overlap(when - took, when)
        )
        if not waits:
            return 0.0, 0.0, 0.0, 0
        return waits[len(waits) // 2], waits[int(len(waits) * 0.99)], waits[-1], len(waits)


def _begins(there: list[str], sure: list[str], in_order: bool) -> bool:
    """Return whether the stored moves begin with all confirmed ones."""
    return there[: len(sure)] == sure if in_order else not Counter(sure) - Counter(there)


def _within(there: list[str], sent: list[str], in_order: bool) -> bool:
    """Return whether every stored move was sent at least as often."""
    if not in_order:
        return not Counter(there) - Counter(sent)
    left = iter(sent)
    return all(move in left for move in there)
