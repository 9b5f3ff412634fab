"""Subjects of bans: what is read, and how it is normalised."""

from __future__ import annotations

import pytest

from boardwire.errors import Malformed
from boardwire.moderation.subjects import parse_subject


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("203.0.113.7", "address:203.0.113.7/32"),
        (" 203.0.113.0/24 ", "address:203.0.113.0/24"),
        ("address:203.0.113.0/24", "address:203.0.113.0/24"),
        ("2001:db8::1", "address:2001:db8::/64"),
        ("2001:db8:0:1::/64", "address:2001:db8:0:1::/64"),
        ("2001:db8::/32", "address:2001:db8::/32"),
        ("::ffff:203.0.113.7", "address:203.0.113.7/32"),
        ("::ffff:203.0.113.0/120", "address:203.0.113.0/24"),
        ("fe80::1%eth0", "address:fe80::/64"),
        ("player:12", "player:12"),
        ("guest:0f0f", "guest:0f0f"),
    ],
)
def test_a_subject_has_one_form(text: str, subject: str) -> None:
    assert parse_subject(text) == subject
    assert parse_subject(subject) == subject


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("", "203.0.113.0/24"),
        ("ann", "name:NAME"),
        ("203.0.113.7/24", "write 203.0.113.0/24"),
        ("203.0.113.7/33", "is not a subject"),
        ("0.0.0.0/0", "too wide"),
        ("::/0", "too wide"),
        ("::ffff:0:0/96", "too wide"),
        ("player:", "player:NUMBER"),
        ("player:ann", "name:NAME"),
        ("player:-1", "player:NUMBER"),
        ("guest:\x1b[31m", "guest:KEY"),
        ("player:" + "9" * 200, "player:NUMBER"),
    ],
)
def test_what_names_no_subject_is_refused_with_the_remedy(text: str, remedy: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse_subject(text)
    assert remedy in str(caught.value)
