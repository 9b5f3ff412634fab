"""The file of a tournament: what is accepted, and how errors name the key."""

from pathlib import Path
from typing import Any

import pytest

from boardwire.arena.config import DEFAULT_BUDGET, check, load
from boardwire.arena.match import Budget, Opening
from boardwire.competition.pairings import Format
from boardwire.competition.sprt import Sprt
from boardwire.errors import Malformed

BASE = Path("/nowhere")
LEVELS = {"levels": [1, 2, 3]}


def file(*participants: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {"game": "tris", "participant": list(participants) or [LEVELS], **keys}


def test_levels_become_participants_with_names() -> None:
    found = check(file(), BASE)
    assert found.names == ("level 1", "level 2", "level 3")
    assert [one.kind for one in found.participants] == ["search:1", "search:2", "search:3"]
    assert (found.format, found.rounds, found.games) == (Format.ROUND_ROBIN, 1, 2)
    assert found.data == BASE / "arena.arena"


def test_every_kind_of_participant_is_accepted() -> None:
    found = check(
        file(
            {"bot": "greedy"},
            {"engine": "./my_engine --fast", "mode": "text", "restart": True, "limits": {"memory_bytes": 1000}},
            {"python": "my_bots:CornerBot"},
            {"name": "client", "dialect": "tris-lines", "listen": 0, "run": "client {port}"},
            {"name": "server", "dialect": "tris-lines", "connect": "localhost:7002"},
            budget={"nodes": 10},
        ),
        BASE,
    )
    assert found.names == ("greedy", "my_engine", "CornerBot", "client", "server")
    assert found.participants[0].budget is None, "built-in bots have their own budgets"
    assert found.participants[1].budget == Budget(nodes=10)
    assert check(file({"bot": "random"}, {"python": "a:B"}), BASE).participants[1].budget == DEFAULT_BUDGET


def test_a_team_is_one_side_unless_partners_change() -> None:
    four = {"game": "santorini", "seats": 4, "participant": [{"levels": [1, 2, 3, 4]}]}
    assert check(four, BASE).sides == ((0, 2), (1, 3))
    assert check({**four, "partners": True, "games": 4}, BASE).sides == ((0,), (1,), (2,), (3,))


def test_openings_come_from_the_file_and_from_another_one(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("# corners\n0 4\n\n2 4\n")
    found = check(file(openings={"moves": ["4 0"], "file": "book.txt", "random_plies": 1}), tmp_path)
    assert found.openings == (Opening(("4", "0"), 1), Opening(("0", "4"), 1), Opening(("2", "4"), 1))
    assert check(file(), BASE).openings == (Opening(),)


def test_the_fingerprint_changes_with_what_results_depend_on_alone() -> None:
    first = check(file(), BASE).fingerprint
    assert check(file(rounds=5, concurrency=3, anchor="level 1", name="x"), BASE).fingerprint == first
    for other in (file(seed=1), file(games=4), file(openings={"random_plies": 1}), file({"levels": [1, 2]})):
        assert check(other, BASE).fingerprint != first


def test_sprt_is_for_two_participants() -> None:
    assert check(file({"levels": [1, 2]}, sprt="elo0=0,elo1=10"), BASE).sprt == Sprt(0, 10)
    with pytest.raises(Malformed, match=r"SPRT compares two participants .* this tournament has 3"):
        check(file(sprt="elo0=0,elo1=10"), BASE)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (file(gams=4), r"unknown key 'gams' \(did you mean 'games'\?\); the keys are game,"),
        (file(budget={"second": 1}), r"unknown key 'second' in budget \(did you mean 'seconds'\?\)"),
        (file(limits={"memory": 1}), r"unknown key 'memory' in limits \(did you mean 'memory_bytes'\?\)"),
        (file({"name": "x", "bott": "greedy"}), r"unknown key 'bott' in participant x \(did you mean 'bot'\?\)"),
        (file(openings={"randomplies": 1}), "did you mean 'random_plies'"),
        (file(games="many"), r"games: expected int, got str"),
        (file(games=3), "games = 3: must be a multiple of 2"),
        (file(games=0), "games = 0: must be from 1"),
        (file(format="swis"), r"format = 'swis' \(did you mean 'swiss'\?\); the formats are round-robin,"),
        (file(format="swiss", rounds=9), "rounds = 9: 3 participants have at most 3 rounds"),
        (file(seats=3), "seats = 3: tris is for 2 players"),
        (file(anchor="level 9"), r"anchor = 'level 9': unknown participant \(did you mean 'level"),
        (file(budget={"seconds": -1}), r"budget: seconds must be from 0 to 86,400"),
        (file(budget={"increment": 1.0}), "increment needs match_seconds"),
        (file(options={"strat": 1}), r"options: tris has no option 'strat' \(did you mean 'start'\?\)"),
        (file(openings={"moves": ["4 4"]}), r"openings.moves, line 1: action 2 \(4\)"),
        (file(openings={"file": "none.txt"}), "openings.file: cannot read /nowhere/none.txt: No such file"),
        (file({"bot": "greedy"}), "needs at least two participants; there is one"),
        (file({"bot": "greedy"}, {"bot": "greedy"}), "two participants are named 'greedy'"),
        (file({"bot": "gredy"}), r"participant 1: bot = 'gredy': unknown bot \(did you mean 'greedy'\?\)"),
        (file({"bot": "search", "level": 11}), "level = 11: search has levels 1 to 10"),
        (file({"bot": "greedy", "level": 1}), "greedy has no levels"),
        (file({"name": "x"}), "participant x: needs exactly one of bot, engine, python and dialect; it has none"),
        (file({"bot": "greedy", "engine": "x"}), "it has bot and engine"),
        (file({"bot": "greedy", "restart": True}), "restart is only for participants with engine or python"),
        (file({"python": "nothing"}), "python = 'nothing' is not of the form MODULE:CLASS"),
        (file({"name": "a\x1b", "bot": "greedy"}), "printable characters"),
        (file({"name": "a (2)", "bot": "greedy"}), "reserved for team mates"),
        (file({"dialect": "tris-line", "listen": 1}), r"unknown protocol \(did you mean 'tris-lines'\?\)"),
        (file({"dialect": "forza-lines", "listen": 1}), "is a protocol for forza, not for tris"),
        (file({"dialect": "tris-lines"}), "needs either listen = PORT"),
        (file({"dialect": "tris-lines", "listen": 0}), "listen = 0 uses a free port, so the arena must start"),
        (file({"dialect": "tris-lines", "connect": "x"}), "connect = 'x' is not HOST:PORT"),
        (file({"dialect": "tris-lines", "connect": "x:99999"}), "connect = 'x:99999' is not HOST:PORT"),
        (file({"engine": " "}), "engine is empty"),
        ({"participant": []}, "the key 'game' is missing; the games are"),
        ({**file(), "game": "triss"}, r"unknown game \(did you mean 'tris'\?\)"),
    ],
)
def test_errors_name_the_key_and_what_would_be_right(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        check(raw, BASE)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"cannot read .*none.toml: No such file"):
        load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("game = \n")
    with pytest.raises(Malformed, match=r"bad.toml is not TOML: "):
        load(tmp_path / "bad.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(Malformed, match=r"cannot read .*bytes.toml"):
        load(tmp_path / "bytes.toml")
