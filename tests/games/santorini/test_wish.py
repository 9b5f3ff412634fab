"""What seats bring along: the gods their programs know."""

from __future__ import annotations

import pytest

from boardwire.errors import Refused
from boardwire.games import santorini
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.wish import Wish

PAN, ATLAS, APOLLO = God.PAN, God.ATLAS, God.APOLLO


def test_the_pool_is_what_all_programs_at_the_table_know() -> None:
    options = Options(Draft.PRINTED)
    settled = santorini.settle(options, [Wish((PAN, ATLAS, APOLLO)), Wish((APOLLO, PAN, God.HERA))])
    assert settled.pool == (APOLLO, PAN)
    assert santorini.settle(Options(Draft.PRINTED, pool=(ATLAS, PAN)), [Wish((PAN, ATLAS)), None]).pool == (ATLAS, PAN)


def test_seats_without_a_wish_know_every_god() -> None:
    options = Options(Draft.PRINTED)
    assert santorini.settle(options, [None, Wish()]) == options


def test_programs_with_too_few_gods_in_common_cannot_sit_at_one_table() -> None:
    with pytest.raises(Refused, match="too few gods"):
        santorini.settle(Options(Draft.PRINTED), [Wish((PAN, ATLAS)), Wish((PAN,))])
