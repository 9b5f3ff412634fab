"""The cost of reconstructing a conversation is linear in its length, whatever its players do."""

from __future__ import annotations

import pytest

from boardwire.proxy.stored_match import dialects_of, reconstruct

from ..endless import LOOPS, calls, endless


def growth(game: str, loop: str, dialect: str, seat: int, length: int) -> float:
    """How much more a match of twice the length costs, in calls."""
    short, long = endless(game, length, loop), endless(game, 2 * length, loop)
    reconstruct(short, dialect, seat)  # what is worked out once is worked out here
    return calls(lambda: reconstruct(long, dialect, seat)) / calls(lambda: reconstruct(short, dialect, seat))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("game", ["tris", "santorini"])
def test_twice_the_match_costs_about_twice_as_much_in_native(game: str, loop: str, seat: int) -> None:
    assert growth(game, loop, "native", seat, 100) < 2.1


@pytest.mark.parametrize("game", ["tris", "forza", "santorini", "eriantys"])
@pytest.mark.parametrize("loop", LOOPS)
def test_twice_the_match_costs_about_twice_as_much_in_every_dialect(game: str, loop: str) -> None:
    for dialect in dialects_of(game):
        assert growth(game, loop, dialect, 0, 50) < 2.3, dialect


def test_an_exception_of_a_check_ends_the_work_at_once() -> None:
    class Stop(Exception):
        pass

    checks = 0

    def check() -> None:
        nonlocal checks
        checks += 1
        if checks == 5:
            raise Stop

    with pytest.raises(Stop):
        reconstruct(endless("tris", 100), "native", 0, None, check)
    assert checks == 5
