"""Client addresses."""

from __future__ import annotations

import pytest

from boardwire.net.client_address import address_key


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("a:path", "a:path"),
        ("", ""),
    ],
)
def test_a_client_address_is_an_address_or_the_network_of_an_IPv6_one(address: str, counted: str) -> None:
    assert address_key(address) == counted
