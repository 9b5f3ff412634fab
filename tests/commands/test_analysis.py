"""`boardwire analyse`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from boardwire import cli
from boardwire.commands.analysis import ENDLESS, limits
from boardwire.games.eriantys.diagram import parse_position
from boardwire.games.eriantys.notation import parse_action
from boardwire.games.santorini.line import Line
from boardwire.store.sqlite import SqliteJournal

from ..bots.test_match_analysis import played

START = "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        cli.main(["analyse", *arguments])
    out, errors = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, out, errors


@pytest.mark.parametrize(
    ("game", "position", "turn"),
    [("tris", "xx./oo./... x", "2"), ("forza", "......./......./......./......./ooo..../xxx.... x", "4")],
)
def test_positions_of_every_game_come_by_lines(
    game: str, position: str, turn: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{position}\nnonsense\n{position}\n"))
    code, out, _ = run(capsys, game, "--lines", "--nodes", "300")
    first, bad, third = map(json.loads, out.splitlines())
    assert (code, set(bad)) == (0, {"error"})
    assert first["turn"] == third["turn"] == turn
    assert first["value"] == 1
    assert run(capsys, position)[1].startswith(f"best    {turn}\n")


def test_positions_come_by_lines_and_turns_go_out_and_a_bad_line_ends_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    over = "0000000000000000000000000/1/mortal:B3,D3/mortal:"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{START}\nnonsense\n\n{over}\n{START.replace('/1/', '/2/')}\n"))
    code, out, _ = run(capsys, "santorini", "--lines", "--nodes", "300", "--seed", "1")
    assert code == 0
    first, bad, worse, third = map(json.loads, out.splitlines())
    assert set(bad) == set(worse) == {"error"}
    for start, answer in ((START, first), (START.replace("/1/", "/2/"), third)):
        assert answer.keys() >= {"turn", "value", "depth", "nodes"}
        before = Line(start)
        after = Line(start).play(answer["turn"])
        assert after.position.seat != before.position.seat, "a whole turn"
        assert answer["steps"] == answer["turn"].split()


@pytest.mark.parametrize("level", [[], ["--level", "1"]])
def test_a_turn_of_eriantys_is_whole_at_every_level(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hall A = red 2; professor red = A\nhall A\nasked = mother-nature\n"))
    code, out, _ = run(capsys, "eriantys", "--lines", "--nodes", "300", *level)
    assert code == 0
    whole, unread, luck = map(json.loads, out.splitlines())
    assert parse_action(whole["steps"][-1]) is not None
    assert whole["steps"][-1].startswith(("cloud", "done"))
    assert "SUBJECT = VALUE" in unread["error"]
    assert "chance, not a player, decides" in luck["error"]


def test_a_line_of_eriantys_says_what_is_not_ordinary() -> None:
    assert parse_position("hall A = red 2; players = 3") == parse_position(" players=3 ;hall A= red 2;")


def test_a_position_is_told_in_words_or_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, START, "--nodes", "200")
    assert code == 0
    assert out.startswith("best ")
    code, out, _ = run(capsys, START, "--nodes", "200", "--json")
    assert json.loads(out)["nodes"] > 0


def test_a_position_of_eriantys_is_told_with_the_turn_in_words_and_what_is_to_be_expected(
    capsys: pytest.CaptureFixture[str],
) -> None:
    position = (
        "mode = expert; characters = monk herald postman; coins A = 3; on monk = red 4; hall A = red 2; "
        "professor red = A; moved = 3; asked = steps; card A = 1; island 2 = red 1 green 2; island 1 = red 2"
    )
    code, out, _ = run(capsys, position, "--nodes", "2000", "--seed", "1")
    assert code == 0
    rows = [row.split(maxsplit=1) for row in out.splitlines()]
    assert "mother nature 1 step, to island 1" in rows[0][1]
    assert [words.partition(":")[0] for kind, words in rows if kind == "expect"][:2] == ["white", "black"]
    code, out, _ = run(capsys, position, "--nodes", "2000", "--json")
    found = json.loads(out)
    assert len(found["words"]) == len(found["steps"])
    assert found["forecast"]["towers"] == [0, 0]


def test_luck_in_the_midst_of_a_turn_of_eriantys_does_not_end_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    position = (
        "mode = expert; characters = monk herald postman; coins A = 1; on monk = red 4; card A = 1; hall A = red 2; "
        "professor red = A; island 1 = blue 1; hall B = blue 1; professor blue = B; entrance A = green 7"
    )
    code, out, errors = run(capsys, position, "--nodes", "6000", "--seed", "1")
    assert (code, errors) == (0, "")
    assert "use the monk" in out
    assert "take cloud" in out


def test_the_same_seed_gives_the_same_advice_on_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (START, "--level", "1", "--seconds", "0", "--json", "--seed")
    first, again = ([run(capsys, *asked, str(seed))[1] for seed in range(6)] for _ in range(2))
    assert first == again
    assert len(set(first)) > 1, "another seed, another slip"


def test_a_position_that_no_match_reaches_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, "hall A = red 2; professor red = D", "--nodes", "20")
    assert (code, "this position cannot be played" in errors) == (1, True)


def test_a_match_is_told_turn_by_turn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path, lambda call, *given: call(*given), lambda error: None)
    journal.append("match-1", 1, played(4, 1, 0, 2, 8), lambda result: None)
    journal.append("match-2", 1, played(4), lambda result: None)
    journal.close()
    code, out, _ = run(capsys, "match-1", "--data", str(tmp_path), "--json")
    remarks = list(map(json.loads, out.splitlines()))
    assert code == 0
    assert [remark["seat"] for remark in remarks] == [0, 1, 0, 1, 0]
    assert run(capsys, "match-1", "--data", str(tmp_path), "--nodes", "50")[1].count("\n") == 5
    code, _, errors = run(capsys, "match-2", "--data", str(tmp_path))
    assert (code, "not over" in errors) == (1, True)
    assert run(capsys, "no-match", "--data", str(tmp_path))[0] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["chess", "--lines"], "no game called 'chess'"),
     (["santorini", "--lines", "--level", "11"], "from 1 to 10"), ([START, "--nodes", "0"], "must be at least 1"),
     ([START, "--seconds", "-1"], "must be from 0 to 3,600")],
)  # fmt: skip
def test_a_wrong_request_exits_with_2_and_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code, _, errors = run(capsys, *arguments)
    assert (code, words in errors) == (2, True)


def test_seconds_alone_are_the_only_limit_and_a_level_is_played_as_it_is() -> None:
    assert limits("tris", None, 1.0, None).nodes == ENDLESS
    assert limits("tris", None, 1.0, 7).nodes == 7
    assert limits("tris", 3, None, None).slips > 0
    assert limits("tris", None, None, None).slips == 0
