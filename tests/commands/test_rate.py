"""`boardwire rate --players`: the stored ratings, computed again from the journal."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from boardwire import cli
from boardwire.players.accounts import Accounts
from boardwire.players.ratings import Ratings
from boardwire.records.sqlite import SqliteRecords
from boardwire.table.events import Acted, Ended, Event, Joined, Opened, Player, Started, account_key
from boardwire.table.policy import Leaving, Policy

from ..store.harness import Harness


def events(match: str, numbers: tuple[int, int], at: float) -> list[Event]:
    from boardwire.games.game import Outcome

    players = [Player(f"p{number}", "native", key=account_key(number), account=number) for number in numbers]
    return [
        Opened(at, match, "tris@1", 2, {}, Policy(Leaving.HOLDS, 60.0, rated=True)),
        *(Joined(at, seat, player) for seat, player in enumerate(players)),
        Started(at, {}),
        *(Acted(at + 1, number % 2, cell) for number, cell in enumerate((0, 3, 1, 4, 2))),
        Ended(at + 2, Outcome("line", (0,))),
    ]


def test_stored_ratings_are_computed_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = SqliteRecords(tmp_path)
    accounts = Accounts(records)
    numbers = [asyncio.run(accounts.claim(f"p{number}")).account.id for number in (1, 2)]
    harness = Harness()
    with harness.open(tmp_path) as journal:
        ratings = Ratings(records, journal)
        for number in range(5):
            told = events(f"m{number}", (numbers[number % 2], numbers[(number + 1) % 2]), 10.0 * number)
            journal.append(f"m{number}", 1, told, lambda _: None)
        harness.run(journal)
        records.write_now(lambda db: db.many("INSERT INTO rating_pending VALUES (?)", [(f"m{n}",) for n in range(5)]))
        assert records.write_now(ratings.settle_pending) == 5
    find = "SELECT player, mu, sigma, played FROM ratings ORDER BY player, category"
    before = records.read(lambda db: db.all(find))
    assert len(before) == 4
    records.write_now(lambda db: db.run("UPDATE ratings SET mu = 0"))
    with pytest.raises(SystemExit) as ended:
        cli.main(["rate", "--players", "--data", str(tmp_path), "--json"])
    assert ended.value.code in (0, None)
    assert json.loads(capsys.readouterr().out) == {"matches": 5, "accounts": 2}
    assert records.read(lambda db: db.all(find)) == before
    records.close()


def test_files_and_accounts_are_not_rated_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["rate", "--players", "--data", str(tmp_path), "--game", "tris"])
    assert ended.value.code == 2
    assert "--players allows only --data" in capsys.readouterr().err
