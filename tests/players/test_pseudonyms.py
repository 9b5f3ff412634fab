"""Deleted accounts on the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from boardwire import cli
from boardwire.games.game import Outcome
from boardwire.players.accounts import Accounts
from boardwire.records.sqlite import SqliteRecords
from boardwire.table.events import Ended, Event, Joined, Opened, Player, Started, account_key
from boardwire.table.policy import Policy

from ..store.harness import Harness


@pytest.mark.parametrize("command", [["matches"], ["matches", "--json"], ["replay", "m"], ["replay", "m", "--json"]])
def test_a_deleted_account_is_not_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    records = SqliteRecords(tmp_path)
    accounts = Accounts(records)
    number = asyncio.run(accounts.claim("Annabella", "GUEST")).account.id
    harness = Harness()
    with harness.open(tmp_path) as journal:
        players = Player("Annabella", "native", key=account_key(number), account=number), Player("Bella", key="GUEST")
        joined = [Joined(1.0, seat, player) for seat, player in enumerate(players)]
        told: list[Event] = [
            Opened(1.0, "m", "tris@1", 2, {}, Policy()),
            *joined,
            Started(1.0, {}),
            Ended(2.0, Outcome("line", (0,))),
        ]
        journal.append("m", 1, told, lambda _: None)
        harness.run(journal)
    asyncio.run(accounts.delete(number))
    records.close()
    with pytest.raises(SystemExit):
        cli.main([*command, "--data", str(tmp_path)])
    out = capsys.readouterr().out
    assert "ella" not in out
    assert "deleted player 1" in out
    assert "deleted player 2" in out


def test_a_seat_with_the_key_of_a_deleted_account_belongs_to_it(tmp_path: Path) -> None:
    """Matches of tournaments were stored with the key alone."""
    records = SqliteRecords(tmp_path)
    accounts = Accounts(records)
    number = asyncio.run(accounts.claim("Dora")).account.id
    assert not accounts.directory.is_deleted(0, account_key(number))
    asyncio.run(accounts.delete(number))
    assert accounts.directory.is_deleted(0, account_key(number))
    records.close()
