"""The contract of a journal (`table.ports.Journal`): what every store does, in memory, in SQLite and in PostgreSQL
alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.games.game import Outcome
from boardwire.store.memory import MemoryJournal
from boardwire.table.events import (
    Acted,
    Chatted,
    Ended,
    Event,
    Joined,
    Left,
    Opened,
    Player,
    Readied,
    Started,
    Substituted,
)
from boardwire.table.policy import Policy
from boardwire.table.ports import AppendResult, Journal, MatchFilter

from .harness import Harness


class Kept:
    """A journal, and a way to wait for it."""

    def __init__(self, journal: Journal, settle: Callable[[], None]) -> None:
        self.journal = journal
        self.settle = settle
        self.answers: list[tuple[str, AppendResult]] = []

    def append(self, match: str, first: int, *events: Event) -> None:
        """Append, and note the answer."""
        self.journal.append(match, first, events, lambda result: self.answers.append((match, result)))

    def read(self, match: str) -> Sequence[Event]:
        """What is stored by now."""
        self.settle()
        return self.journal.read(match)


@pytest.fixture(params=["memory", "memory soon", "sqlite", pytest.param("postgres", marks=pytest.mark.cluster)])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    if request.param == "memory":
        yield Kept(MemoryJournal(), lambda: None)
        return
    harness = Harness()
    if request.param == "memory soon":
        later = MemoryJournal(harness.post)
        yield Kept(later, lambda: harness.run(later))
        return
    database = request.getfixturevalue("database") if request.param == "postgres" else None
    with harness.open(tmp_path) if database is None else harness.connect(database.url) as journal:
        yield Kept(journal, lambda: harness.run(journal))


def opening(match: str) -> Opened:
    return Opened(1.0, match, "tris@1", 2, {}, Policy())


BEGINNING: tuple[Event, ...] = (Joined(1.0, 0, Player("ann")), Joined(2.0, 1, Player("bob")), Started(2.0, {}))
END = Ended(9.0, Outcome("line", (0,)))
STORED, FAILED, SUPERSEDED = AppendResult


def test_events_are_read_as_they_were_appended(kept: Kept) -> None:
    kept.append("m", 1, opening("m"), *BEGINNING)
    kept.append("m", 5, Acted(3.0, 0, 4))
    kept.append("m", 6, Acted(4.0, 1, {"cell": [1, "x", None]}), END)
    wanted = [opening("m"), *BEGINNING, Acted(3.0, 0, 4), Acted(4.0, 1, {"cell": [1, "x", None]}), END]
    assert kept.read("m") == wanted
    assert kept.answers == [("m", STORED)] * 3


def test_an_unknown_match_has_no_events(kept: Kept) -> None:
    assert list(kept.read("nothing")) == []


def test_answers_come_in_the_order_of_the_appends(kept: Kept) -> None:
    names = [f"m{number}" for number in range(50)]
    for name in names:
        kept.append(name, 1, opening(name), *BEGINNING)
    for number, name in enumerate(names):
        kept.append(name, 5, Acted(float(number), 0, number % 9))
    kept.settle()
    assert kept.answers == [(name, STORED) for name in names * 2]
    assert all(kept.read(name)[-1] == Acted(float(number), 0, number % 9) for number, name in enumerate(names))


def test_the_unfinished_matches_are_listed_oldest_first(kept: Kept) -> None:
    assert list(kept.journal.unfinished()) == []
    for name in ("zeta", "alpha", "mid"):
        kept.append(name, 1, opening(name), *BEGINNING)
    kept.append("alpha", 5, END)
    kept.append("gone", 1, opening("gone"), END)
    kept.settle()
    assert list(kept.journal.unfinished()) == ["zeta", "mid"]


def test_the_matches_of_a_player_are_found_by_its_key_newest_first(kept: Kept) -> None:
    ann, bob = Player("ann", key="ann's"), Player("bob", key="bob's")
    for name in ("one", "two", "three", "four"):
        kept.append(name, 1, opening(name), Joined(1.0, 0, ann))
    kept.append("two", 3, Joined(2.0, 1, bob), Started(2.0, {}))
    kept.append("others", 1, opening("others"), *BEGINNING)
    kept.append("three", 3, Left(2.0, 0))
    kept.append("three", 4, Joined(3.0, 0, ann))
    kept.append("four", 3, Joined(2.0, 1, bob), Started(2.0, {}), END)
    kept.settle()
    found = kept.journal.of_player("ann's", None, 9)
    assert [name for _, name in found] == ["four", "three", "two", "one"]
    assert found == [row for row in kept.journal.newest(None, 9) if row[1] != "others"]
    assert kept.journal.of_player("ann's", found[0][0], 2) == found[1:3]
    assert [name for _, name in kept.journal.of_player("bob's", None, 9)] == ["four", "two"]
    assert kept.journal.of_player("nobody's", None, 9) == []


def test_lists_are_of_public_matches_by_game_player_and_end_newest_first(kept: Kept) -> None:
    ann, bob = Player("ann"), Player("b\0\u00f6b'\u2028")
    tris, forza = opening(""), replace(opening(""), game="forza@1")
    for name, first in (("one", tris), ("two", forza), ("three", tris), ("four", forza), ("secret", tris)):
        code = "code" if name == "secret" else ""
        kept.append(name, 1, replace(first, match=name, code=code), Joined(1.0, 0, ann))
    kept.append("two", 3, Joined(2.0, 1, bob), Started(2.0, {}), END)
    kept.append("three", 3, Readied(2.0, 0, bob))
    kept.append("four", 3, Substituted(2.0, 0, bob), END)
    kept.settle()

    def names(*wanted: Any, before: int | None = None, count: int = 9) -> str:
        return " ".join(name for _, name in kept.journal.list_public(MatchFilter(*wanted), before, count))

    numbers = {name: number for number, name in kept.journal.newest(None, 9)}
    assert names() == "four three two one"
    assert names(before=numbers["three"]) == "two one"
    assert names(count=2) == "four three"
    assert names("tris") == "three one"
    assert names("tris", before=numbers["three"]) == "one"
    assert names("chess") == names("", "eve") == ""
    assert names("", "ann") == "four three two one"
    assert names("", bob.name) == "four three two"
    assert names("", bob.name, before=numbers["four"], count=1) == "three"
    assert names("", "", True) == "four two"
    assert names("", "", False) == "three one"
    assert names("tris", bob.name, False) == "three"
    assert names("forza", bob.name, True) == "four two"


def test_a_superseded_append_gives_its_player_no_match(kept: Kept) -> None:
    kept.append("m", 1, opening("m"), *BEGINNING)
    kept.settle()
    kept.append("m", 4, Joined(3.0, 1, Player("eve", key="eve's")))
    kept.settle()
    assert kept.answers == [("m", STORED), ("m", SUPERSEDED)]
    assert kept.journal.of_player("eve's", None, 9) == []


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


def test_a_taken_number_means_that_another_node_has_the_match(kept: Kept) -> None:
    kept.append("m", 1, opening("m"), *BEGINNING)
    kept.settle()
    kept.append("m", 4, Acted(3.0, 0, 4), END)
    kept.append("n", 1, opening("n"))
    kept.settle()
    kept.append("m", 1, opening("m"))
    kept.settle()
    kept.append("m", 5, Acted(3.0, 0, 5))
    assert kept.read("m") == [opening("m"), *BEGINNING, Acted(3.0, 0, 5)]
    assert kept.answers == [("m", STORED), ("m", SUPERSEDED), ("n", STORED), ("m", SUPERSEDED), ("m", STORED)]
    assert list(kept.journal.unfinished()) == ["m", "n"]
    assert not kept.journal.failing


def test_a_match_that_is_over_is_not_opened_again(kept: Kept) -> None:
    kept.append("m", 1, opening("m"), END)
    kept.settle()
    kept.append("m", 1, opening("m"), *BEGINNING)
    assert kept.read("m") == [opening("m"), END]
    assert kept.answers == [("m", STORED), ("m", SUPERSEDED)]


def test_a_failed_write_leaves_nothing_behind(kept: Kept) -> None:
    with pytest.raises(TypeError):
        kept.append("m", 1, opening("m"), Acted(2.0, 0, object()))
    assert (kept.read("m"), kept.answers, list(kept.journal.unfinished())) == ([], [], [])
    kept.append("m", 1, opening("m"), Acted(2.0, 0, 4))
    assert kept.read("m") == [opening("m"), Acted(2.0, 0, 4)]
    assert kept.answers == [("m", STORED)]


def test_a_match_is_read_from_any_event_on(kept: Kept) -> None:
    kept.append("m", 1, opening("m"), *BEGINNING)
    kept.settle()
    assert [list(kept.journal.read("m", after)) for after in (0, 3, 4, 9)] == [
        [opening("m"), *BEGINNING], [BEGINNING[2]], [], [],
    ]  # fmt: skip


def test_a_long_match_is_read_in_parts_between_which_the_reader_may_stop(kept: Kept) -> None:
    kept.append("m", 1, opening("m"), *BEGINNING)
    for first in range(5, 1000, 5):
        kept.append("m", first, *(Chatted(float(first), 0, "hello") for _ in range(5)))
    kept.settle()
    checks = 0

    def check() -> None:
        nonlocal checks
        checks += 1

    whole = kept.journal.read("m", 0, check)
    assert (len(whole), checks >= 9) == (999, True)

    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        kept.journal.read("m", 0, stop)
    kept.append("m", 1000, END)
    assert kept.read("m") == [*whole, END], "a reader that stopped left nothing locked"


def test_several_matches_are_read_at_once_on_a_thread_of_the_readers_own(kept: Kept) -> None:
    for name in ("a", "b"):
        kept.append(name, 1, opening(name))
    kept.settle()

    def read() -> list[Sequence[Event]]:
        with kept.journal.reading() as events:
            return [events(name) for name in ("b", "nothing", "a")]

    with ThreadPoolExecutor(1) as reader:
        assert reader.submit(read).result() == [[opening("b")], [], [opening("a")]]


def test_matches_come_newest_first_from_any_number_on(kept: Kept) -> None:
    for number in range(1, 6):
        kept.append(f"m{number}", 1, opening(f"m{number}"))
    kept.settle()
    newest = kept.journal.newest
    assert newest(None, 2) == [(5, "m5"), (4, "m4")]
    assert newest(4, 2) == [(3, "m3"), (2, "m2")]
    assert newest(2, 9) == [(1, "m1")]
    assert newest(1, 9) == newest(0, 9) == []
    assert newest(99, 1) == [(5, "m5")]


def test_a_journal_that_has_answered_everything_is_not_busy_and_a_probe_of_it_succeeds(kept: Kept) -> None:
    kept.append("m", 1, opening("m"))
    kept.settle()
    kept.journal.probe()
    kept.settle()
    assert (kept.journal.busy, kept.journal.waiting, kept.journal.failing) == (False, 0, False)
    assert kept.journal.tally.failures == 0


def test_stored_events_can_be_read_after_the_journal_is_closed(kept: Kept) -> None:
    kept.append("m", 1, opening("m"))
    kept.journal.close()
    assert kept.journal.read("m") == [opening("m")]


def test_the_memory_journal_insists_on_the_right_number() -> None:
    journal = MemoryJournal()
    journal.append("m", 1, [opening("m")], lambda result: None)
    with pytest.raises(AssertionError, match="event 3 of match m does not follow event 1"):
        journal.append("m", 3, [END], lambda result: None)
    assert journal.names() == ("m",)
