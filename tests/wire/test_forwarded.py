"""The client of a request: who counts when proxies say so, and who when anyone can have said it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire.wire.forwarded import ProxyHeader, TrustedProxies, trusted_proxies

PROXY = "10.0.0.1"
PROXIES = trusted_proxies(("10.0.0.0/8", "2001:db8:ffff::/48"))


def client(*headers: tuple[str, str], peer: str = PROXY) -> str:
    return PROXIES.client_address(peer, [(name.encode(), value.encode("latin-1")) for name, value in headers])


def by_address(*values: str) -> str:
    return client(*(("x-forwarded-for", value) for value in values))


def by_forwarded(*values: str) -> str:
    return client(*(("forwarded", value) for value in values))


@pytest.mark.parametrize("name", ["x-forwarded-for", "forwarded"])
def test_a_peer_that_is_no_trusted_proxy_is_the_client_whatever_it_says(name: str) -> None:
    value = "203.0.113.7" if name == "x-forwarded-for" else "for=203.0.113.7"
    assert client((name, value), peer="198.51.100.1") == "198.51.100.1"
    assert TrustedProxies().client_address(PROXY, [(name.encode(), value.encode())]) == PROXY


def test_a_proxy_without_headers_is_the_client_itself() -> None:
    assert client() == PROXY


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.7:4711", "203.0.113.7"),
        ("2001:db8::7", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        ("[2001:DB8:0::7]:4711", "2001:db8::7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7", "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7, 10.0.0.2", "203.0.113.7"),
        ("203.0.113.7, 2001:db8:ffff::9, 10.0.0.2", "203.0.113.7"),
        ("<script>, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.9, 10.0.0.2", "10.0.0.9"),
    ],
)
def test_the_rightmost_untrusted_hop_is_the_client(value: str, found: str) -> None:
    assert by_address(value) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("for=203.0.113.7", "203.0.113.7"),
        ("For=203.0.113.7;proto=https;by=10.0.0.1", "203.0.113.7"),
        ('for="203.0.113.7:4711"', "203.0.113.7"),
        ('for="[2001:db8::7]"', "2001:db8::7"),
        ('host="a, for=6.6.6.6";for="[2001:db8::7]:4711"', "2001:db8::7"),
        ("for=6.6.6.6, for=203.0.113.7,for=10.0.0.2", "203.0.113.7"),
        ('for="6.6.6.6, for=203.0.113.7', "203.0.113.7"),
        ('for=6.6.6.6;x=", for="[2001:db8::7]";by="10.0.0.2"', "2001:db8::7"),
        ('for="\\2\\0\\3.0.113.7"', "203.0.113.7"),
    ],
)
def test_forwarded_is_read_like_the_other_header(value: str, found: str) -> None:
    assert by_forwarded(value) == found


@pytest.mark.parametrize(
    "hop",
    [
        "", "unknown", "_hidden", "localhost", "203.0.113", "203.0.113.256", "203.0.113.07", "203.0.113.7:",
        "1.2.3.4:70000",
        "203.0.113.7 6.6.6.6", "[203.0.113.7", "2001:db8::7::1", "fe80::1%eth0", "[fe80::1%\x1b]", "[::1]x", "\x1b[31m",
        "203.0.113.7\t6", "²03.0.113.7", "0x7f.0.0.1", "2130706433", "[" + "1:" * 40 + "]", "a" * 9_999,
    ],
)  # fmt: skip
def test_a_hop_that_is_no_address_leaves_the_proxy_that_reported_it(hop: str) -> None:
    assert by_address(hop) == PROXY
    assert by_address(f"6.6.6.6, {hop}, 10.0.0.2") == "10.0.0.2"
    assert by_forwarded(f"for={hop}") == PROXY


@pytest.mark.parametrize(
    "value",
    ["203.0.113.7", "for", "for=", "=203.0.113.7", 'for="203.0.113.7', "for=1.2.3.4;for=5.6.7.8", "by=203.0.113.7",
     "for=203.0.113.7;", "for = 203.0.113.7", "for=2001:db8::7", "for=203.0.113.7,", "for=[2001:db8::7]",
     "x=" + "a" * 600 + ";for=203.0.113.7"],
)  # fmt: skip
def test_an_element_of_forwarded_that_cannot_be_read_leaves_the_proxy(value: str) -> None:
    assert by_forwarded(value) == PROXY


def test_several_lines_of_a_header_are_one_list() -> None:
    assert by_address("6.6.6.6", "203.0.113.7", "10.0.0.2") == "203.0.113.7"
    assert by_forwarded('for="6.6.6.6', "for=203.0.113.7", "for=10.0.0.2") == "203.0.113.7"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (ProxyHeader.FORWARDED, "203.0.113.7"),
        (ProxyHeader.X_FORWARDED_FOR, "203.0.113.8"),
        (ProxyHeader.EITHER, PROXY),
    ],
)
def test_the_header_that_the_proxies_maintain_decides_if_the_two_disagree(header: ProxyHeader, found: str) -> None:
    proxies = trusted_proxies(("10.0.0.0/8",), header)
    headers = [(b"forwarded", b"for=203.0.113.7"), (b"x-forwarded-for", b"203.0.113.8")]
    assert proxies.client_address(PROXY, headers) == found
    assert proxies.client_address("198.51.100.1", headers) == "198.51.100.1", "no trusted proxy"


@pytest.mark.parametrize(
    ("header", "forged"),
    [
        (ProxyHeader.FORWARDED, (b"x-forwarded-for", b"6.6.6.6")),
        (ProxyHeader.X_FORWARDED_FOR, (b"forwarded", b"for=6.6.6.6")),
    ],
)
def test_a_header_that_the_proxies_do_not_maintain_is_ignored(header: ProxyHeader, forged: tuple[bytes, bytes]) -> None:
    assert trusted_proxies(("10.0.0.0/8",), header).client_address(PROXY, [forged]) == PROXY


def test_two_headers_count_only_if_they_agree() -> None:
    assert client(("forwarded", "for=203.0.113.7"), ("x-forwarded-for", "203.0.113.7")) == "203.0.113.7"
    assert client(("forwarded", "for=6.6.6.6"), ("x-forwarded-for", "203.0.113.7")) == PROXY


def test_a_peer_with_a_mapped_or_scoped_address_is_known() -> None:
    assert PROXIES.trusts("::ffff:10.0.0.1")
    assert trusted_proxies(("fe80::/10",)).trusts("fe80::1%eth0")
    assert not PROXIES.trusts("")
    assert not PROXIES.trusts("::ffff:11.0.0.1")


@given(st.text(st.characters(max_codepoint=255), max_size=200))
def test_hops_that_a_client_adds_on_the_left_change_nothing(text: str) -> None:
    assert by_address(f"{text}, 203.0.113.7") == "203.0.113.7"
    assert by_forwarded(f"{text}, for=203.0.113.7") == "203.0.113.7"
    assert by_forwarded(f'{text}, for="[2001:db8::7]";proto=https') == "2001:db8::7"
