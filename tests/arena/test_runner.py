"""The runner: stored matches, the same table for every number of processes, and no loss by kill -9."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardwire import games
from boardwire.arena.config import ArenaTournament, check
from boardwire.arena.match import play_match
from boardwire.arena.players import BotPlayer
from boardwire.arena.results import table_of
from boardwire.arena.runner import LOG_DIRECTORY, MatchStore, Progress, Runner, check_players, run, stored_results
from boardwire.arena.schedule import Schedule
from boardwire.bots import RandomBot
from boardwire.errors import Malformed, Unavailable
from boardwire.store.archive import Archive
from boardwire.table.match import Status, fold

ENGINE = [sys.executable, str(Path(__file__).with_name("engine.py"))]
LEVELS = {"levels": [1, 2, 3]}


def tournament(base: Path, *participants: dict[str, Any], data: str = "data", **keys: Any) -> ArenaTournament:
    raw = {"game": "forza", "games": 4, "participant": list(participants) or [LEVELS], **keys}
    return check(raw, base, data=str(base / data))


def test_every_match_is_stored_like_any_other(tmp_path: Path) -> None:
    one = tournament(tmp_path)
    table = run(one)
    assert table.matches == 12
    with Archive(one.data) as archive:
        matches = [fold(archive.events(name)) for name in archive.names()]
    assert {match.id for match in matches} == set(Schedule(one).jobs)
    assert all(match.status is Status.OVER for match in matches)
    assert {player.bot for match in matches for player in match.players if player} == {
        "search:1",
        "search:2",
        "search:3",
    }


def test_the_table_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    keys = {"game": "santorini", "openings": {"random_plies": 4}}
    one = run(tournament(tmp_path, {"levels": [3, 5, 6]}, data="one", concurrency=1, **keys))
    many = run(tournament(tmp_path, {"levels": [3, 5, 6]}, data="many", concurrency=4, **keys))
    assert one == many


def test_matches_are_stored_however_long_the_last_one_was_ago(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.store.group_commit.OVERDUE_SECONDS", 0.0)
    rules = games.game("tris")
    store = MatchStore(tmp_path)
    for number in range(3):
        played = play_match(rules, rules.Options(), [BotPlayer(RandomBot())] * 2, ("a", "b"), match=f"m{number}")
        store.add([(played.match, played.events)])
    store.close()
    assert len(stored_results(tmp_path)) == 3


def test_a_finished_tournament_plays_nothing(tmp_path: Path) -> None:
    one = tournament(tmp_path)
    table = run(one)
    seen: list[Progress] = []
    with Runner(one) as runner:
        assert runner.resumed == 12
        assert runner.run(seen.append)
        assert runner.table == table
    assert seen == []


def test_a_stopped_tournament_continues_with_the_rest(tmp_path: Path) -> None:
    one = tournament(tmp_path, concurrency=1)
    with Runner(one) as runner:
        assert not runner.run(lambda progress: runner.stop() if progress.new else None)
        before = runner.schedule.played
    assert 0 < before < 12
    new: list[str] = []
    with Runner(one) as runner:
        assert runner.run(lambda progress: new.extend(result.match for result in progress.new))
        table = runner.table
    assert len(new) == len(set(new)) == 12 - before
    assert table == run(tournament(tmp_path, data="other"))


def test_another_tournament_in_the_same_directory_is_refused(tmp_path: Path) -> None:
    run(tournament(tmp_path))
    with pytest.raises(Unavailable, match=r"results of another tournament \(different keys: seed\)"):
        run(tournament(tmp_path, seed=5))
    assert run(tournament(tmp_path, rounds=2)).matches == 24


def test_two_arenas_do_not_share_a_directory(tmp_path: Path) -> None:
    with Runner(tournament(tmp_path)), pytest.raises(Unavailable, match="open"):
        Runner(tournament(tmp_path))


def test_a_sequential_test_ends_the_tournament(tmp_path: Path) -> None:
    one = tournament(tmp_path, {"levels": [6, 1]}, rounds=500, games=2, sprt="elo0=0,elo1=200")
    with Runner(one) as runner:
        assert runner.run()
        assert str(runner.schedule.decision) == "elo1 accepted"
        assert runner.table.matches < 200


def test_engines_play_and_their_failures_are_counted_by_cause(tmp_path: Path) -> None:
    engines = [
        {"name": way or "good", "engine": [*ENGINE, way], "restart": True} for way in ("", "die", "illegal", "sleep")
    ]
    one = tournament(tmp_path, *engines, games=2, budget={"seconds": 0.2})
    check_players(one)
    table = run(one)
    losses = {row.name: row.losses for row in table.standings}
    assert losses["good"] == {}
    for way, cause in (("die", "died"), ("illegal", "illegal"), ("sleep", "time")):
        assert set(losses[way]) == {cause}
    assert table.standings[0].name == "good"
    logs = sorted((one.data / LOG_DIRECTORY).iterdir())
    texts = [log.read_text() for log in logs]
    assert any(text.startswith("died: ") and "a note" in text for text in texts)
    assert any(text == "a note\n" for text in texts), "standard error is kept without a fault, too"


def test_an_engine_that_cannot_start_is_reported_before_a_match(tmp_path: Path) -> None:
    broken = {"name": "broken", "engine": [sys.executable, "-c", "import sys; sys.exit('no luck')"]}
    with pytest.raises(Unavailable, match=r"participant broken: .*no luck"):
        check_players(tournament(tmp_path, broken, {"bot": "random"}))


def test_an_engine_whose_program_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"participant x: there is no program 'no-such-program'"):
        check_players(tournament(tmp_path, {"name": "x", "engine": "no-such-program"}, {"bot": "random"}))


def test_a_python_bot_plays(tmp_path: Path) -> None:
    (tmp_path / "my_bots.py").write_text(
        "class First:\n    name = 'first'\n    def choose(self, view, decision, below, budget):\n"
        "        return next(iter(decision.choices))\n"
    )
    one = tournament(tmp_path, {"python": "my_bots:First"}, {"bot": "random"})
    check_players(one)
    table = run(one)
    assert {row.name: row.losses for row in table.standings} == {"First": {}, "random": {}}


@pytest.mark.slow
def test_no_time_is_lost_by_engines_that_answer_in_time(tmp_path: Path) -> None:
    engines = [{"name": str(number), "engine": ENGINE} for number in range(4)]
    table = run(tournament(tmp_path, *engines, game="tris", games=400, concurrency=4, budget={"seconds": 0.02}))
    assert table.matches == 2400
    assert [row.losses for row in table.standings] == [{}] * 4


def arena(file: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "boardwire", "arena", str(file), "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def kill_in_a_loop(tmp_path: Path, kills: int, games: int) -> None:
    file = tmp_path / "t.toml"
    file.write_text(f"game = 'forza'\ngames = {games}\nconcurrency = 2\n[[participant]]\nlevels = [1, 3, 5]\n")
    luck = Random(kills)
    shown: list[str] = []
    for _ in range(kills):
        process = arena(file)
        assert process.stdout is not None
        for _ in range(luck.randrange(1, games // 3)):  # matches shown before the kill
            line = process.stdout.readline()
            if not line:
                break
            shown.append(json.loads(line)["match"])
        time.sleep(luck.random() * 0.02)  # any moment of the next match or commit
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
        shown += [json.loads(line)["match"] for line in rest.splitlines() if line.startswith(b'{"match"')]
    last = arena(file)
    out, errors = last.communicate(timeout=120)
    assert last.returncode == 0, errors
    lines = [json.loads(line) for line in out.splitlines()]
    shown += [line["match"] for line in lines if isinstance(line, dict) and "match" in line]
    table = lines[-1]
    assert len(shown) == len(set(shown)), "no match was played twice"
    with Archive(tmp_path / "t.arena") as archive:
        names = archive.names()
    assert len(names) == len(set(names)) == 3 * games
    assert set(shown) <= set(names), "what was shown is stored"
    one = check({"game": "forza", "games": games, "participant": [{"levels": [1, 3, 5]}]}, tmp_path)
    expected = run(check({**one.raw}, tmp_path, data=str(tmp_path / "whole")))
    found = table_of(Schedule(one, stored_results(tmp_path / "t.arena")).results, one.names)
    assert found == expected
    assert [row["name"] for row in table] == [row.name for row in expected.standings]


def test_kill_9_loses_and_repeats_nothing(tmp_path: Path) -> None:
    kill_in_a_loop(tmp_path, kills=2, games=20)


@pytest.mark.slow
def test_ten_kills_lose_and_repeat_nothing(tmp_path: Path) -> None:
    kill_in_a_loop(tmp_path, kills=10, games=400)
