"""E-mail addresses: confirmed by a code, limited, removed in one step."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from boardwire.errors import Malformed, Reason, Refused, Unavailable
from boardwire.mail.addresses import (
    CODE_VALID_SECONDS,
    MAX_CODE_ATTEMPTS,
    MAX_CODES_PER_DAY,
    TURN_KEPT_SECONDS,
    Addresses,
    checked_address,
    forget_account,
    new_code,
    remove_old,
)
from boardwire.records.records import Records, Transaction
from boardwire.records.sqlite import SqliteRecords

DAY = 86_400.0


@pytest.fixture
def records() -> Iterator[Records]:
    made = SqliteRecords(None)
    yield made
    made.close()


@pytest.fixture
def addresses(records: Records) -> Addresses:
    return Addresses(records)


def begin(addresses: Addresses, player: int = 1, address: str = "ann@example.org", now: float = 100.0) -> str:
    return asyncio.run(addresses.begin(player, address, "en", now))


def confirm(addresses: Addresses, code: str, now: float = 101.0, player: int = 1) -> None:
    asyncio.run(addresses.confirm(player, code, now))


@pytest.mark.parametrize("text", ["ann@example.org", " a.b+c@mail.example.co ", "o'neil@x-y.example"])
def test_ordinary_addresses_are_accepted(text: str) -> None:
    assert checked_address(text) == text.strip()


@pytest.mark.parametrize("text", [
    "", "ann", "ann@", "@example.org", "ann@example", "a b@example.org", "ann@example.org\r\nBcc: all@example.org",
    "ann@example.org,bob@example.org", '"ann"@example.org', "ann@[127.0.0.1]", "ann..b@example.org", ".a@example.org",
    "änn@example.org", "ann@exämple.org", "<ann@example.org>", "ann@-x.example", "a" * 65 + "@example.org",
    "ann@" + "x." * 130 + "org", "ann@example.org\n",
])  # fmt: skip
def test_other_texts_are_refused(text: str) -> None:
    if text.endswith("\n"):
        assert "\n" not in checked_address(text)
        return
    with pytest.raises(Malformed):
        checked_address(text)


def test_an_address_counts_after_its_code_was_entered_however_it_is_typed(addresses: Addresses) -> None:
    code = begin(addresses)
    found = addresses.find(1, 100.0)
    assert found is not None
    assert found.confirmed is None
    confirm(addresses, f" {code[:4].lower()}-{code[4:]} ")
    found = addresses.find(1, 1e9)
    assert found is not None
    assert (found.address, found.confirmed) == ("ann@example.org", 101.0)


def test_codes_are_stored_as_hashes(addresses: Addresses, records: Records) -> None:
    code = begin(addresses)
    rows = records.read(lambda db: db.all("SELECT * FROM mail_addresses") + db.all("SELECT * FROM mail_codes"))
    assert code not in str(rows)
    assert str(rows).count("ann@example.org") == 1, "the limit of codes stores the address as a hash"


def test_wrong_codes_are_counted_and_then_the_right_one_is_refused(addresses: Addresses) -> None:
    code = begin(addresses)
    for _ in range(MAX_CODE_ATTEMPTS):
        with pytest.raises(Refused, match="wrong"):
            confirm(addresses, new_code())
    with pytest.raises(Refused, match="request a new code") as refused:
        confirm(addresses, code)
    assert refused.value.reason is Reason.LIMIT
    confirm(addresses, begin(addresses))


def test_an_address_that_is_not_confirmed_in_time_is_removed(addresses: Addresses, records: Records) -> None:
    code = begin(addresses)
    late = 101.0 + CODE_VALID_SECONDS
    assert addresses.find(1, late) is None
    with pytest.raises(Refused, match="has expired"):
        confirm(addresses, code, late)
    begin(addresses, 2, "bob@example.org", late)
    assert records.read(lambda db: db.all("SELECT player FROM mail_addresses")) == [(2,)]


def test_another_players_code_confirms_nothing(addresses: Addresses) -> None:
    begin(addresses, 1)
    code = begin(addresses, 2, "bob@example.org")
    with pytest.raises(Refused, match="wrong"):
        confirm(addresses, code, player=1)


def test_a_mailbox_gets_few_codes_a_day_from_all_accounts_together(addresses: Addresses) -> None:
    for player in range(MAX_CODES_PER_DAY):
        begin(addresses, player, "Victim@example.org" if player % 2 else "victim@example.org")
    with pytest.raises(Refused) as refused:
        begin(addresses, 99, "victim@example.org")
    assert refused.value.reason is Reason.LIMIT
    begin(addresses, 99, "victim@example.org", 101.0 + DAY)


def test_an_account_requests_few_codes_a_day(addresses: Addresses) -> None:
    for number in range(MAX_CODES_PER_DAY):
        begin(addresses, 1, f"a{number}@example.org")
    with pytest.raises(Refused, match="tomorrow"):
        begin(addresses, 1, "new@example.org")
    found = addresses.find(1, 100.0)
    assert found is not None
    assert found.address == f"a{MAX_CODES_PER_DAY - 1}@example.org"


def test_the_token_of_a_message_ends_the_mail_in_one_step(addresses: Addresses) -> None:
    confirm(addresses, begin(addresses))
    found = addresses.find(1, 101.0)
    assert found is not None
    assert not asyncio.run(addresses.unsubscribe("another"))
    assert addresses.find(1, 101.0) is not None
    assert asyncio.run(addresses.unsubscribe(found.unsubscribe))
    assert addresses.find(1, 101.0) is None
    assert not asyncio.run(addresses.unsubscribe(found.unsubscribe))


def test_the_former_address_stays_if_the_code_for_a_new_one_cannot_be_sent(addresses: Addresses) -> None:
    confirm(addresses, begin(addresses))
    before = addresses.find(1, 101.0)

    async def fail(code: str) -> None:
        assert addresses.find(1, 101.0) == before
        raise Unavailable("the mail server is away")

    for _ in range(MAX_CODES_PER_DAY - 1):
        with pytest.raises(Unavailable):
            asyncio.run(addresses.begin(1, "new@example.org", "en", 102.0, fail))
    assert addresses.find(1, 1e9) == before
    with pytest.raises(Refused, match="tomorrow"):
        begin(addresses)


def players_in(db: Transaction, table: str) -> list[tuple[Any, ...]]:
    return db.all(f"SELECT player FROM {table} ORDER BY player")


def test_what_is_stored_for_a_limited_time_is_removed(addresses: Addresses, records: Records) -> None:
    def stored() -> list[list[tuple[int]]]:
        tables = ("mail_addresses", "mail_codes", "mail_turns")
        return [records.read(partial(players_in, table=table)) for table in tables]

    begin(addresses)
    confirm(addresses, begin(addresses, 2, "bob@example.org"), player=2)
    addresses.mark_reported(2, [("m", 5)], 100.0)
    records.write_now(lambda db: remove_old(db, 100.0 + CODE_VALID_SECONDS))
    assert stored() == [[(1,), (2,)], [(1,), (2,)], [(2,)]]
    records.write_now(lambda db: remove_old(db, 101.0 + CODE_VALID_SECONDS))
    assert stored() == [[(2,)], [(1,), (2,)], [(2,)]]
    records.write_now(lambda db: remove_old(db, 101.0 + DAY))
    assert stored() == [[(2,)], [], [(2,)]]
    records.write_now(lambda db: remove_old(db, 101.0 + TURN_KEPT_SECONDS))
    assert stored() == [[(2,)], [], []]


def test_the_limit_of_a_mailbox_outlives_the_accounts_that_used_it(addresses: Addresses, records: Records) -> None:
    for player in range(1, MAX_CODES_PER_DAY + 1):
        begin(addresses, player, "victim@example.org")
        records.write_now(partial(forget_account, player=player))
    with pytest.raises(Refused) as refused:
        begin(addresses, 99, "victim@example.org")
    assert refused.value.reason is Reason.LIMIT


def test_a_deleted_account_leaves_only_the_limit_of_its_mailbox(addresses: Addresses, records: Records) -> None:
    for player in (1, 2):
        confirm(addresses, begin(addresses, player, f"p{player}@example.org"), player=player)
        addresses.mark_reported(player, [("m", 5)], 200.0)
    records.write_now(lambda db: forget_account(db, 1))
    assert records.read(lambda db: db.all("SELECT player FROM mail_codes ORDER BY player")) == [(0,), (2,)]
    for table in ("mail_addresses", "mail_turns"):
        assert records.read(partial(players_in, table=table)) == [(2,)]


def test_a_turn_is_notified_once_and_the_next_one_again(addresses: Addresses) -> None:
    assert addresses.unreported(1, [("m", 5), ("n", 3)]) == (["m", "n"], 0.0)
    addresses.mark_reported(1, [("m", 5)], 200.0)
    assert addresses.unreported(1, [("m", 5), ("n", 3)]) == (["n"], 200.0)
    assert addresses.unreported(1, [("m", 7)]) == (["m"], 200.0)
    assert addresses.unreported(2, [("m", 5)]) == (["m"], 0.0)
    addresses.mark_reported(1, [("m", 7)], 300.0)
    assert addresses.unreported(1, [("m", 7)]) == ([], 300.0)
