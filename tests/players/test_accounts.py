"""Accounts: claimed names, sessions, tokens."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

import pytest

from boardwire.errors import Malformed, Reason, Refused
from boardwire.lobby.held_seats import token_hash
from boardwire.players.account import ALL_SCOPES, Role, Scope, checked_name
from boardwire.players.accounts import Accounts, new_token
from boardwire.records.sqlite import SqliteRecords
from boardwire.table.events import account_key


def test_a_claimed_name_has_one_owner_without_regard_to_case_or_typography(accounts: Accounts) -> None:
    ann = asyncio.run(accounts.claim("Ann Öz"))
    assert accounts.directory.named("ANN  öz".replace("  ", " ")) == ann.account
    for name in ("ann ÖZ", "Ａnn Öz", " Ann   Öz "):
        with pytest.raises(Refused) as caught:
            asyncio.run(accounts.claim(name))
        assert caught.value.reason is Reason.NAME_TAKEN


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\u202eb", "a\x1b[31m", "---", "Deleted Player", "a\0"])
def test_names_that_cannot_be_shown_or_distinguished_are_refused(name: str) -> None:
    with pytest.raises(Malformed):
        checked_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "admin", "Admin", "ADMIN.", "admin-2", "console", "Server", "guest", "bot", "Bot 7", "greedy", "random",
        "search:3", "level 3 bot", "Greedy Bot", "deep-forza bot", "Ann (guest)", "Ann （ＧＵＥＳＴ）", "player:2",
        "\N{FULLWIDTH LATIN SMALL LETTER A}dmin",
        "\N{CYRILLIC CAPITAL LETTER A}nn", "Ann\N{GREEK SMALL LETTER OMICRON}", "Ann\N{HANGUL FILLER}",
    ],
)  # fmt: skip
def test_reserved_names_and_names_that_look_like_others_are_not_claimed(accounts: Accounts, name: str) -> None:
    with pytest.raises(Malformed):
        asyncio.run(accounts.claim(name))
    ann = asyncio.run(accounts.claim("Ann")).account
    with pytest.raises(Malformed):
        asyncio.run(accounts.rename(ann.id, name))


@pytest.mark.parametrize("name", ["Robot", "Bottega", "Анна", "Ελένη", "Ann Öz", "李 Ann", "Adminton", "Ann 2"])
def test_other_names_are_claimed(accounts: Accounts, name: str) -> None:
    assert asyncio.run(accounts.claim(name)).account.name == name


def test_a_claim_starts_a_session_with_a_new_token_and_keeps_the_guests_matches(accounts: Accounts) -> None:
    guest = token_hash("the token that a guest had before")
    session = asyncio.run(accounts.claim("Ann", guest))
    access = accounts.directory.access(token_hash(session.token))
    assert access is not None
    assert (access.account, access.scopes) == (session.account.id, ALL_SCOPES)
    assert accounts.directory.access(guest) is None
    assert accounts.directory.keys(session.account.id) == (account_key(session.account.id), guest)


def test_roles_include_those_before_them() -> None:
    assert Role.PLAYER.included == {Role.PLAYER}
    assert Role.ADMIN.included == set(Role)


def test_an_api_token_has_the_scopes_that_it_was_made_with(accounts: Accounts) -> None:
    session = asyncio.run(accounts.claim("Ann"))
    token = asyncio.run(accounts.add_api_token(session.account.id, "my bot", [Scope.PLAY]))
    access = accounts.directory.access(token_hash(token))
    assert access is not None
    assert access.scopes == {Scope.PLAY}


def test_a_token_is_never_taken_for_an_option_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(["-tyNp2j6", "--xo5k0w", "Um-Lkqro"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(made))
    assert new_token() == "Um-Lkqro"


def test_another_process_sees_the_changes_after_a_refresh(tmp_path: Path) -> None:
    records = SqliteRecords(tmp_path), SqliteRecords(tmp_path)
    one, other = map(Accounts, records)
    session = asyncio.run(one.claim("Ann"))
    asyncio.run(one.claim("Bob"))
    assert other.directory.named("Ann") is None
    asyncio.run(other.refresh())
    assert other.directory.named("ann") == session.account
    asyncio.run(one.set_role(session.account.id, Role.ADMIN))
    asyncio.run(other.refresh())
    found = other.directory.named("Ann")
    assert found is not None
    assert found.role is Role.ADMIN
    assert other.directory.access(token_hash(session.token)) is not None
    assert Accounts(records[0]).directory.named("Bob") is not None
    for each in records:
        each.close()


def test_a_refresh_that_read_before_a_change_does_not_undo_it(accounts: Accounts) -> None:
    session = asyncio.run(accounts.claim("Ann"))
    before = accounts.records.read(accounts._read_changes)  # what a refresh on another thread has read
    token = asyncio.run(accounts.add_api_token(session.account.id, "my bot", [Scope.PLAY]))
    accounts._apply(before)
    assert accounts.directory.access(token_hash(token)) is not None
