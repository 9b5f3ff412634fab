"""Reports: text, JSON, CSV, HTML and records say the same, and nothing in them is taken for a command."""

import csv
import io
import math
from pathlib import Path

import pytest

from boardwire import games
from boardwire.arena.match import play_match
from boardwire.arena.players import BotPlayer
from boardwire.arena.report import (
    csv_text,
    final_board,
    format_elo,
    html_page,
    json_rows,
    match_line,
    record_text,
    rich_table,
    text_lines,
)
from boardwire.arena.results import Result, Standings, result_of, table_of
from boardwire.bots import RandomBot
from boardwire.competition.sprt import Sprt
from boardwire.table.events import Event


def duel(first: str, second: str, points: float, key: str = "", faults: tuple[tuple[str, str], ...] = ()) -> Result:
    return Result("m1", "tris", ((first,), (second,)), (points, 1 - points), "line", 9, faults, key)


def three() -> Standings:
    return table_of(
        [duel("ann", "bob", 1.0), duel("bob", "cyd", 0.5), duel("cyd", "ann", 0.0, faults=(("cyd", "time"),))]
    )


def two() -> Standings:
    results = [duel("ann", "bob", 1.0, "1"), duel("bob", "ann", 0.5, "1"), duel("ann", "bob", 1.0, "2")]
    return table_of([*results, duel("bob", "ann", 1.0, "2")], ["ann", "bob"])


def played(game: str = "forza") -> list[Event]:
    rules = games.game(game)
    bots = [BotPlayer(RandomBot()), BotPlayer(RandomBot())]
    return play_match(rules, rules.Options(), bots, ("<b>ann</b>", "bob"), match="abc-001-001-0001", seed=1).events


def test_the_text_has_standings_forfeits_and_a_cross_table() -> None:
    lines = text_lines(three())
    assert lines[0].split() == ["participant", "played", "won", "drawn", "lost", "points", "Elo", "±", "forfeits"]
    assert lines[1].split()[:6] == ["ann", "2", "2", "0", "0", "2"]
    assert next(line for line in lines if line.startswith("cyd")).endswith("1 time")
    assert any(line.split() == ["1", "ann", "·", "1/1", "1/1"] for line in lines)


def test_two_participants_are_compared() -> None:
    text = "\n".join(text_lines(two(), sprt=Sprt(0, 50)))
    assert "ann − bob: +89 Elo ±" in text
    assert "pairs with 0, ½, 1, 1½, 2 points: 0, 0, 1, 1, 0" in text
    assert "SPRT elo0=0 elo1=50: LLR" in text


def test_infinite_figures_are_signs() -> None:
    assert (format_elo(math.inf), format_elo(-math.inf), format_elo(12.4)) == ("+∞", "−∞", "+12")
    assert format_elo(math.inf, False) == "∞"


def test_a_line_per_match_names_the_forfeit() -> None:
    assert (
        match_line(duel("a", "b", 1.0, faults=(("b", "died"),)), 3, 10)
        == "3/10  a - b  1 - 0  (line, b forfeits (died))"
    )


def test_json_has_one_object_per_participant() -> None:
    rows = json_rows(three())
    assert [row["name"] for row in rows] == ["ann", "bob", "cyd"]
    assert set(rows[0]) >= {"name", "played", "won", "drawn", "lost", "elo", "error"}
    assert rows[2]["losses"] == {"time": 1}


def test_csv_is_a_matrix_and_no_name_is_a_formula() -> None:
    table = table_of([duel("=1+1", "bob", 1.0)])
    rows = list(csv.reader(io.StringIO(csv_text(table))))
    assert rows[0][:3] == ["name", "played", "won"]
    assert rows[1][0] == "'=1+1"
    assert all(len(row) == len(rows[0]) for row in rows)


@pytest.mark.parametrize("game", ["tris", "forza", "santorini", "eriantys"])
def test_records_and_boards_exist_for_every_game(game: str) -> None:
    events = played(game)
    (text,) = record_text([events])
    assert text.startswith('[Match "abc-001-001-0001"]')
    assert f'[Game "{game}@' in text
    assert len(final_board(events).splitlines()) > 2


def test_the_page_is_complete_in_itself_and_escapes_names(tmp_path: Path) -> None:
    events = played()
    result = result_of(events)
    assert result is not None
    page = html_page(
        table_of([result]), [result], title="<Cup>", facts={"game": "forza"}, events_of=lambda match: events,
        link="http://127.0.0.1:7070/",
    )  # fmt: skip
    assert "<title>&lt;Cup&gt;</title>" in page
    assert "&lt;b&gt;ann&lt;/b&gt;" in page
    assert "<b>ann" not in page
    assert "http://127.0.0.1:7070/#/replay/abc-001-001-0001" in page
    assert "<script" not in page
    assert " src=" not in page
    assert "<details>" in page


def test_the_table_of_a_terminal_has_all_participants() -> None:
    table = rich_table(three(), "title", "caption")
    assert table.row_count == 3
