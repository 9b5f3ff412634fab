"""The fold of acts: which bans, mutes and announcements are in force."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from hypothesis import given
from hypothesis import strategies as some

from boardwire.moderation.acts import Act, ActKind
from boardwire.moderation.sanctions import CLOSED_SECONDS, MAX_VERDICTS, Sanctions
from boardwire.moderation.subjects import parse_subject
from boardwire.net.client_address import address_key


def act(number: int, kind: ActKind, target: str = "", until: float = 0.0, reason: str = "", at: float = 0.0) -> Act:
    return Act(number=number, at=at, by="ann", kind=kind, target=target, until=until, reason=reason)


def ban(number: int, target: str, until: float = 0.0) -> Act:
    return act(number, ActKind.BAN, parse_subject(target), until)


def test_a_banned_network_covers_its_addresses_and_no_others() -> None:
    sanctions = Sanctions([ban(1, "203.0.113.0/24"), ban(2, "2001:db8::/32"), ban(3, "198.51.100.7")])
    for address in ("203.0.113.1", "203.0.113.255", "::ffff:203.0.113.9", "2001:db8:1:2::3", "198.51.100.7"):
        assert sanctions.ban_of_address(address_key(address), 0.0) is not None, address
    for address in ("203.0.114.1", "2001:db9::1", "198.51.100.8", "", "unix"):
        assert sanctions.ban_of_address(address_key(address), 0.0) is None, address


def test_a_ban_ends_by_itself_and_a_wider_one_goes_on() -> None:
    sanctions = Sanctions([ban(1, "203.0.113.7", until=10.0), ban(2, "203.0.113.0/24", until=20.0)])
    assert [sanctions.ban_of_address("203.0.113.7", now) is not None for now in (9.9, 10.0, 19.9, 20.0)] == [
        True, True, True, False,
    ]  # fmt: skip
    assert [one.number for one in sanctions.bans(15.0)] == [2]


def test_lifting_a_ban_admits_an_address_whose_verdict_was_cached() -> None:
    sanctions = Sanctions([ban(1, "203.0.113.0/24")])
    assert sanctions.ban_of_address("203.0.113.7", 0.0) is not None
    sanctions.apply(act(2, ActKind.UNBAN, "address:203.0.113.0/24"))
    assert sanctions.ban_of_address("203.0.113.7", 0.0) is None
    assert not sanctions.has_subjects


def test_an_act_is_applied_once_and_in_order() -> None:
    sanctions = Sanctions([ban(1, "203.0.113.7"), act(2, ActKind.UNBAN, "address:203.0.113.7/32")])
    sanctions.apply(ban(1, "203.0.113.7"))
    assert list(sanctions.bans(0.0)) == []


def test_players_and_guests_are_banned_and_muted_apart() -> None:
    sanctions = Sanctions([ban(1, "player:7"), act(2, ActKind.MUTE, "guest:abc", until=5.0)])
    assert sanctions.ban_of("player:7", 0.0) is not None
    assert sanctions.ban_of("guest:abc", 0.0) is None
    assert sanctions.mute_of("guest:abc", 4.0) is not None
    assert sanctions.mute_of("guest:abc", 5.0) is None


def test_an_empty_announcement_withdraws_the_last() -> None:
    sanctions = Sanctions([act(1, ActKind.ANNOUNCE, reason="restart at nine", until=50.0)])
    assert sanctions.announcement(49.0) is not None
    assert sanctions.announcement(50.0) is None
    sanctions.apply(act(2, ActKind.ANNOUNCE))
    assert sanctions.announcement(0.0) is None


def test_closed_matches_are_forgotten_after_a_day() -> None:
    sanctions = Sanctions([act(1, ActKind.CLOSE, "m1", at=0.0), act(2, ActKind.CLOSE, "m2", at=CLOSED_SECONDS + 1)])
    assert set(sanctions.closings) == {"m2"}


def test_the_cache_of_verdicts_is_bounded() -> None:
    sanctions = Sanctions([ban(1, "203.0.113.7")])
    for number in range(MAX_VERDICTS + 10):
        sanctions.ban_of_address(str(ip_address(number)), 0.0)
    assert len(sanctions._addresses._verdicts) <= MAX_VERDICTS


@given(
    some.lists(some.tuples(some.integers(0, 2**32 - 1), some.integers(8, 32)), min_size=1, max_size=8),
    some.lists(some.integers(0, 2**32 - 1), max_size=20),
)
def test_the_index_agrees_with_a_search_of_all_networks(networks: list[tuple[int, int]], others: list[int]) -> None:
    found = [ip_network((start >> (32 - prefix) << (32 - prefix), prefix)) for start, prefix in networks]
    sanctions = Sanctions([ban(number, str(network)) for number, network in enumerate(found, 1)])
    for number in [*others, *(start for start, _ in networks)]:
        address = ip_address(number)
        assert (sanctions.ban_of_address(str(address), 0.0) is not None) == any(address in one for one in found)
