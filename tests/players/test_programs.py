"""The operator's file of programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.errors import Malformed, Refused
from boardwire.players.account import Kind
from boardwire.players.accounts import Accounts
from boardwire.players.programs import Program, load_programs


def test_programs_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "programs.toml"
    file.write_text('[[program]]\nplayer = "a"\nport = 7102\n[[program]]\nplayer = "b"\nsecret = "-123456"\n')
    assert load_programs(file) == (Program("a", 7102), Program("b", secret="-123456"))


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('player = "a"', "exactly one of"), ('player = "a"\nport = 1\nsecret = "1234567"', "exactly one of"),
        ('player = "a"\nsecret = "123"', "3 characters; the minimum is 6"), ('player = ""\nport = 1', "1 to 24"),
        ('player = "a"\naddress = "here"', "does not appear to be"), ('player = "a"\nport = 99999', "not a port"),
        ('player = "a"\nport = "x"', "expected int"), ('player = "a"\nport = 1\ncolour = "red"', "colour"),
        ('player = "a"\nport = 1\ndialect = "native"', "API token"), ("player = a", "not TOML"),
    ],
)  # fmt: skip
def test_a_faulty_file_is_refused_with_the_reason(tmp_path: Path, entry: str, words: str) -> None:
    file = tmp_path / "programs.toml"
    file.write_text(f"[[program]]\n{entry}\n")
    with pytest.raises(Malformed, match=words):
        load_programs(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot read"):
        load_programs(tmp_path / "none.toml")


def test_accounts_of_programs_are_made_once_and_never_from_a_persons(accounts: Accounts) -> None:
    accounts.ensure_programs(["blue", "blue"])
    first = accounts.directory.named("blue")
    accounts.ensure_programs(["blue"])
    assert accounts.directory.named("blue") == first
    assert first is not None
    assert first.kind is Kind.PROGRAM
    import asyncio

    asyncio.run(accounts.claim("Ann"))
    with pytest.raises(Refused, match="belongs to a person"):
        accounts.ensure_programs(["ann"])
