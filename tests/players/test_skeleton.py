"""Names that look alike have the same skeleton, and cannot be claimed beside each other."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from scripts.confusables import table

from boardwire.errors import Reason, Refused
from boardwire.players.accounts import Accounts
from boardwire.players.skeleton import TABLE, VERSION, skeleton
from boardwire.records.records import Transaction

ALIKE = [
    ("Ann", "\u0410nn"), ("coco", "\u0441\u043e\u0441\u043e"), ("Paul", "\u0420\u0430ul"), ("Ian", "lan"),
    ("Alice", "AIice"), ("mod", "rnod"), ("bob0", "bobo"), ("Ann", "\uff21\uff4e\uff4e"), ("nike", "\u0578ike"),
    ("TEO", "\u03a4\u0395\u039f"), ("\u0430\u0441\u0435", "ace"), ("omega", "\u03bfmega"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_have_the_same_skeleton(one: str, other: str) -> None:
    assert one != other
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Zo\u00eb", "Zoe"), ("bob", "dod"), ("\u0436", "x")])
def test_other_names_have_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_skeleton_is_its_own(accounts: Accounts) -> None:
    for line in TABLE.read_text("utf-8").splitlines()[2:]:
        once = skeleton(line[0]).removeprefix(f"{VERSION}:")
        assert skeleton(once).removeprefix(f"{VERSION}:") == once, line


def test_the_table_is_made_from_the_file_of_unicode() -> None:
    file = "# Version: 99.0\n0430 ;\t0061 ;\tMA\n0410 ;\t0041 ;\tMA\n006D ;\t0072 006E ;\tMA\n2223 ;\t006C ;\tMA\n"
    head, _, *lines = table(file).splitlines()
    assert head.endswith("version 99.0")
    assert lines == ["m\trn", "\u0410\tA", "\u0430\ta"], "signs are not letters"


def test_a_name_that_looks_like_a_claimed_one_is_taken(accounts: Accounts) -> None:
    ann = asyncio.run(accounts.claim("Paul")).account.id
    bob = asyncio.run(accounts.claim("Bob")).account.id
    with pytest.raises(Refused, match="looks like 'Paul'") as refused:
        asyncio.run(accounts.claim("PauI"))
    assert refused.value.reason is Reason.NAME_TAKEN
    with pytest.raises(Refused, match="looks like 'Paul'"):
        asyncio.run(accounts.rename(bob, "PauI"))
    asyncio.run(accounts.rename(ann, "PauI"))
    asyncio.run(accounts.delete(ann))
    asyncio.run(accounts.rename(bob, "Paul"))


def test_a_guest_does_not_look_like_a_player_in_other_letters(accounts: Accounts) -> None:
    asyncio.run(accounts.claim("coco"))
    directory = accounts.directory
    assert directory.guest_name("\u0441\u043e\u0441\u043e") == "\u0441\u043e\u0441\u043e (guest)"
    assert directory.guest_name("c0c0") == "c0c0", "names in ASCII are compared as they are"
    assert directory.guest_name("\u0441\u043e") == "\u0441\u043e"
    asyncio.run(accounts.delete(1))
    assert directory.guest_name("\u0441\u043e\u0441\u043e") == "\u0441\u043e\u0441\u043e"


def set_skeletons(db: Transaction, skeleton: str | None) -> None:
    db.run("UPDATE players SET skeleton = ?", skeleton)


def test_skeletons_of_an_older_version_are_made_again(accounts: Accounts) -> None:
    asyncio.run(accounts.claim("Paul"))
    for old in (None, "0:other"):
        accounts.records.write_now(partial(set_skeletons, skeleton=old))
        again = Accounts(accounts.records)
        assert again.directory.owner_or_lookalike("\u0420aul") is not None
        with pytest.raises(Refused, match="looks like"):
            asyncio.run(again.claim("PauI"))
