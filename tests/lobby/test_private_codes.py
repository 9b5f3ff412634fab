"""Private tables are joined by their code, and codes cannot be guessed."""

from __future__ import annotations

from boardwire.lobby.requests import (
    Enter,
    Watch,
)
from boardwire.table.events import Player
from boardwire.table.match import MINUTE

from ..table.doubles import NotedGuest
from .hall import Hall, seek, table_of
from .test_quotas import Hall as QuotaHall
from .test_quotas import seek as quota_seek


def test_a_private_table_is_joined_by_its_code_alone() -> None:
    hall = Hall()
    ann = hall.guest(seek("ann", private=True))
    assert ann.table is not None
    assert ann.table.match.setting.code == "CODE1"
    assert table_of(hall.guest(seek())) == "match-2"
    bob = NotedGuest()
    for code in ("", "CODE2", "code1"):
        for request in (Enter("match-1", Player("bob"), code), Watch("match-1", code)):
            problem = "the code is wrong" if code else "a code is required"
            assert hall.do(bob, request) == [f"this table is private: {problem}"]
    assert hall.do(bob, Enter("match-1", Player("bob"), "CODE1"))[0] == "Seated"
    assert hall.do(NotedGuest(), Watch("match-1", "CODE1")) == ["Watching"]


def private_table(hall: QuotaHall) -> tuple[str, str]:
    """Open a private table where Ann waits; return its match and code."""
    ann = hall.player(address_key="elsewhere")
    hall.do(ann, quota_seek(ann, bots=()))
    (table,) = hall.lobby
    return table.match.id, table.match.setting.code


WRONG = "this table is private: the code is wrong"


def test_wrong_codes_are_counted_by_address_over_all_connections_and_tables() -> None:
    hall = QuotaHall(wrong_codes_from=3)
    match, code = private_table(hall)
    told_ = [hall.do(hall.player(), Watch(match, f"WRONG{number}"))[-1] for number in range(3)]
    assert told_ == [WRONG] * 3
    limit = "too many wrong codes from your address: at most 3 per minute"
    assert hall.do(hall.player(), Watch(match, "WRONG"))[-1] == limit
    assert hall.do(hall.player(), Watch(match, code))[-1] == limit, "the right one is not told from a wrong one"
    assert hall.do(hall.player(address_key="there"), Watch(match, code))[-1] == "Watching"
    hall.clock.pass_time(MINUTE)
    assert hall.do(hall.player(), Watch(match, code))[-1] == "Watching"


def test_right_codes_cost_nothing() -> None:
    hall = QuotaHall(wrong_codes_from=1, wrong_codes_at=1)
    match, code = private_table(hall)
    assert [hall.do(hall.player(), Watch(match, code))[-1] for _ in range(5)] == ["Watching"] * 5


def test_a_table_under_attack_admits_only_addresses_without_a_wrong_code() -> None:
    hall = QuotaHall(wrong_codes_at=4)
    match, code = private_table(hall)
    for number in range(4):
        assert hall.do(hall.player(address_key=f"bot{number}"), Watch(match, "WRONG"))[-1] == WRONG
    again = hall.do(hall.player(address_key="bot0"), Watch(match, code))[-1]
    assert again == "too many wrong codes for this table: at most 4 per minute"
    assert hall.do(hall.player(address_key="friend"), Watch(match, code))[-1] == "Watching"


def test_without_an_address_only_the_limit_of_the_table_applies() -> None:
    hall = QuotaHall(wrong_codes_from=1, wrong_codes_at=2)
    match, code = private_table(hall)
    heard = [hall.do(hall.player(address_key=""), Watch(match, word))[-1] for word in ("A", "B", code)]
    assert heard == [WRONG, WRONG, "too many wrong codes for this table: at most 2 per minute"]
