"""What every journal does, in memory and in SQLite alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from boardwire.games.game import Outcome
from boardwire.store.memory import MemoryJournal
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.events import Acted, Chatted, Ended, Event, Joined, Opened, Player, Policy, Started
from boardwire.table.ports import Journal

from .desk import Desk


class Kept:
    """A journal, and a way to wait for it."""

    def __init__(self, journal: Journal, settle: Callable[[], None]) -> None:
        self.journal = journal
        self.settle = settle
        self.answers: list[tuple[str, bool]] = []

    def append(self, match: str, first: int, *events: Event) -> None:
        """Append, and note the answer."""
        self.journal.append(match, first, events, lambda durable: self.answers.append((match, durable)))

    def read(self, match: str) -> Sequence[Event]:
        """What is stored by now."""
        self.settle()
        return self.journal.read(match)


@pytest.fixture(params=["memory", "sqlite"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    if request.param == "memory":
        yield Kept(MemoryJournal(), lambda: None)
        return
    desk = Desk()
    with desk.open(tmp_path) as journal:
        assert isinstance(journal, SqliteJournal)
        yield Kept(journal, lambda: desk.run(journal))


def opening(match: str) -> Opened:
    return Opened(1.0, match, "tris@1", 2, {}, Policy())


BEGINNING: tuple[Event, ...] = (Joined(1.0, 0, Player("ann")), Joined(2.0, 1, Player("bob")), Started(2.0, {}))
END = Ended(9.0, Outcome("line", (0,)))


def test_events_are_read_as_they_were_appended(kept: Kept) -> None:
    kept.append("m", 1, opening("m"), *BEGINNING)
    kept.append("m", 5, Acted(3.0, 0, 4))
    kept.append("m", 6, Acted(4.0, 1, {"cell": [1, "x", None]}), END)
    wanted = [opening("m"), *BEGINNING, Acted(3.0, 0, 4), Acted(4.0, 1, {"cell": [1, "x", None]}), END]
    assert kept.read("m") == wanted
    assert kept.answers == [("m", True)] * 3


def test_an_unknown_match_has_no_events(kept: Kept) -> None:
    assert list(kept.read("nothing")) == []


def test_answers_come_in_the_order_of_the_appends(kept: Kept) -> None:
    names = [f"m{number}" for number in range(50)]
    for name in names:
        kept.append(name, 1, opening(name), *BEGINNING)
    for number, name in enumerate(names):
        kept.append(name, 5, Acted(float(number), 0, number % 9))
    kept.settle()
    assert kept.answers == [(name, True) for name in names * 2]
    assert all(kept.read(name)[-1] == Acted(float(number), 0, number % 9) for number, name in enumerate(names))


def test_the_unfinished_matches_are_listed_oldest_first(kept: Kept) -> None:
    assert list(kept.journal.unfinished()) == []
    for name in ("zeta", "alpha", "mid"):
        kept.append(name, 1, opening(name), *BEGINNING)
    kept.append("alpha", 5, END)
    kept.append("gone", 1, opening("gone"), END)
    kept.settle()
    assert list(kept.journal.unfinished()) == ["zeta", "mid"]


def test_there_is_talk_after_the_end_and_the_match_stays_finished(kept: Kept) -> None:
    kept.append("m", 1, opening("m"), END)
    kept.settle()
    kept.append("m", 3, Chatted(10.0, None, "well played", "zoe"))
    assert kept.read("m") == [opening("m"), END, Chatted(10.0, None, "well played", "zoe")]
    assert list(kept.journal.unfinished()) == []


def test_a_long_batch_is_stored_whole(kept: Kept) -> None:
    events = [Chatted(float(number), 0, f"line {number}") for number in range(1700)]
    kept.append("m", 1, opening("m"), *events)
    assert kept.read("m") == [opening("m"), *events]


def test_the_memory_journal_insists_on_the_right_number() -> None:
    journal = MemoryJournal()
    journal.append("m", 1, [opening("m")], lambda durable: None)
    with pytest.raises(AssertionError, match="event 3 of m comes after event 1"):
        journal.append("m", 3, [END], lambda durable: None)
    assert journal.names() == ("m",)
