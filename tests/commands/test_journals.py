"""The matches of a data directory, for people and programs."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from boardwire.commands import journals
from boardwire.commands.journals import line_of
from boardwire.errors import Refused, Unavailable
from boardwire.games.game import Outcome
from boardwire.store.archive import DATABASE_FILE
from boardwire.store.entry import parts, write_part
from boardwire.store.sqlite import SqliteJournal
from boardwire.table import events as ev
from boardwire.table.events import Event, Player
from boardwire.table.match import Status
from boardwire.table.policy import Leaving, Policy

ANN, BOB = Player("Ann", "native", key="secret-key"), Player("Bob", "tris-lines", mark="secret-mark")
BOT = Player("random bot", "bot", "random")

OPENED = ev.Opened(1.0, "m1", "tris@1", 2, {}, Policy(Leaving.BOT, undo=True), "native", "SECRETCODE")
WAITING: list[Event] = [OPENED, ev.Joined(2.0, 0, ANN)]
PLAYING: list[Event] = [*WAITING, ev.Joined(3.0, 1, BOB), ev.Started(3.0, {})]
MOVES: list[Event] = [ev.Acted(4.0, 0, 4), ev.Acted(5.0, 1, 0), ev.Acted(6.0, 0, 8)]
ENDED = ev.Ended(9.0, Outcome("line", (0,)))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with three matches."""
    journal = SqliteJournal(tmp_path, lambda *_: None)  # closing it stores everything
    other = ev.Opened(7.0, "m2", "tris@1", 2, {}, Policy(), "tris-lines")
    drawn: list[Event] = [ev.Opened(8.0, "m3", "tris@1", 2, {}, Policy()), ev.Ended(9.0, Outcome("full board"))]
    for name, events in (("m1", [*PLAYING, *MOVES, ENDED]), ("m2", [other]), ("m3", drawn)):
        journal.append(name, 1, events, lambda stored: None)
    journal.close()
    return tmp_path


# --- summaries ------------------------------------------------------------------------------------------------------


def test_a_summary_tells_who_plays_and_how_it_stands() -> None:
    summary = line_of([*PLAYING, *MOVES])
    assert (summary.id, summary.game, summary.rules) == ("m1", "tris", 1)
    assert (summary.players, summary.dialects) == (["Ann", "Bob"], ["native", "tris-lines"])
    assert (summary.status, summary.outcome, summary.moves) == (Status.PLAYING, None, 3)


def test_a_match_that_waits_has_empty_seats() -> None:
    summary = line_of(WAITING)
    assert (summary.players, summary.status, summary.moves) == (["Ann", ""], Status.WAITING, 0)


def test_a_seat_that_is_left_before_the_start_is_empty_and_later_is_not() -> None:
    assert line_of([*WAITING, ev.Left(3.0, 0)]).players == ["", ""]
    assert line_of([*PLAYING, ev.Left(4.0, 0)]).players == ["Ann", "Bob"]


def test_a_player_who_says_its_name_later_and_a_bot_that_plays_on_are_named() -> None:
    unnamed: list[Event] = [
        OPENED,
        ev.Joined(2.0, 0, Player(dialect="native"), ready=False),
        ev.Readied(3.0, 0, ANN),
    ]
    assert line_of(unnamed).players == ["Ann", ""]
    assert line_of([*PLAYING, ev.Substituted(4.0, 1, BOT)]).dialects == ["native", "bot"]


def test_moves_that_were_taken_back_do_not_count() -> None:
    assert line_of([*PLAYING, *MOVES, ev.Undone(7.0, 1)]).moves == 1
    assert line_of([*PLAYING, *MOVES, ev.Undone(7.0, 0)]).moves == 2


def test_talk_changes_nothing() -> None:
    assert line_of([*PLAYING, ev.Chatted(4.0, 0, "hello")]) == line_of(PLAYING)


def test_a_match_that_does_not_begin_at_its_beginning_is_refused() -> None:
    for events in ([ENDED], []):
        with pytest.raises(Unavailable, match="a match must begin with Opened, but it"):
            line_of(list[Event](events))


# --- lines ----------------------------------------------------------------------------------------------------------


def test_each_match_is_a_line_of_words(data: Path) -> None:
    assert list(journals.matches(data, json=False)) == [
        "m1  tris       over        3 moves  Ann - Bob  Ann won (line)",
        "m2  tris       waiting     0 moves  player 1 - player 2",
        "m3  tris       over        0 moves  player 1 - player 2  full board",
    ]


def test_one_move_is_a_move_and_the_columns_stay(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path, lambda *_: None)
    journal.append("m1", 1, [*PLAYING, MOVES[0]], lambda stored: None)
    journal.close()
    assert list(journals.matches(tmp_path, json=False)) == ["m1  tris       playing     1 move   Ann - Bob"]


def test_each_match_is_a_JSON_object_a_line(data: Path) -> None:
    rows = [json.loads(line) for line in journals.matches(data, json=True)]
    assert [row["id"] for row in rows] == ["m1", "m2", "m3"]
    assert rows[0]["outcome"] == {"termination": "line", "winners": [0]}


def test_each_event_is_a_JSON_object_a_line_and_actions_are_the_contracts(data: Path) -> None:
    rows = [json.loads(line) for line in journals.replay("m1", data, json=True)]
    assert [row["seq"] for row in rows] == list(range(1, 9))
    assert [row["event"] for row in rows] == ["opened", "joined", "joined", "started", *["acted"] * 3, "ended"]
    assert [(row["seat"], row["action"]) for row in rows[4:7]] == [(0, 4), (1, 0), (0, 8)]


def test_each_event_is_a_line_of_words(data: Path) -> None:
    lines = list(journals.replay("m1", data, json=False))
    assert len(lines) == 8
    assert lines[4].split()[0] == "5"
    assert lines[4].split()[3:] == ["acted", "seat=0", "action=4"]


@pytest.mark.parametrize("as_json", [True, False])
def test_keys_and_codes_are_not_disclosed(data: Path, as_json: bool) -> None:
    text = "\n".join([*journals.replay("m1", data, json=as_json), *journals.matches(data, json=as_json)])
    assert "secret" not in text.lower()
    assert "Ann" in text


def test_no_name_and_no_talk_steers_the_terminal(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path, lambda *_: None)
    odd: list[Event] = [OPENED, ev.Joined(2.0, 0, Player("A\x1b[2Jnn\n")), ev.Chatted(3.0, 0, "\x9b2J\x1b]0;x\x07")]
    journal.append("m1", 1, odd, lambda stored: None)
    journal.close()
    lines = [*journals.matches(tmp_path, json=False), *journals.replay("m1", tmp_path, json=False)]
    assert len(lines) == 4
    assert "A\\x1b[2Jnn\\x0a" in lines[0]
    assert all(line.isprintable() for line in lines)


def test_a_match_that_is_not_there_is_refused(data: Path) -> None:
    with pytest.raises(Refused, match="there is no match 'm9'"):
        list(journals.replay("m9", data, json=True))


def test_a_match_that_cannot_be_read_is_named_after_the_others(data: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE_FILE)) as store:
        ((number, entry),) = store.execute("SELECT number, body FROM log").fetchall()
        odd = {1: [b'{"event":"unheard of"}'], 3: [b"{"]}
        texts = [write_part(*part[:3], odd.get(part.key, part.bodies)) for part in parts(entry)]
        store.execute("UPDATE log SET body = ? WHERE number = ?", (b"".join(texts), number))
        store.commit()
    lines = journals.matches(data, json=False)
    assert next(lines).startswith("m2 ")
    with pytest.raises(Unavailable, match=r"cannot read these matches in .*: m1, m3$"):
        next(lines)
    for name in ("m1", "m3"):
        with pytest.raises(Unavailable, match=f"^match '{name}' cannot be read: "):
            list(journals.replay(name, data, json=True))
