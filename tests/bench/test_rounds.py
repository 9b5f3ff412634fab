"""Interleaved rounds and warm-up."""

from collections.abc import Callable
from functools import partial

from bench.rounds import MAX_WARM_ROUNDS, WARM_TOLERANCE, last_change, round_order, run_in_turns, warm_up


def test_every_second_round_has_the_reverse_order() -> None:
    assert [list(round_order("abc", number)) for number in range(3)] == [
        ["a", "b", "c"],
        ["c", "b", "a"],
        ["a", "b", "c"],
    ]


def test_all_contenders_are_measured_in_a_round_before_any_is_measured_again() -> None:
    measured: list[str] = []

    def measure(name: str) -> int:
        measured.append(name)
        return len(measured)

    found = run_in_turns({name: partial(measure, name) for name in "abc"}, 3)
    assert "".join(measured) == "abccbaabc"
    assert found == {"a": [1, 6, 7], "b": [2, 5, 8], "c": [3, 4, 9]}


def _rates(*rates: float) -> Callable[[], float]:
    return partial(next, iter(rates))


def test_warm_up_ends_for_each_contender_when_two_successive_rounds_agree() -> None:
    found = warm_up({"quick": _rates(50, 99, 100), "slow": _rates(10, 20, 30, 40, 41)})
    assert found == {"quick": [50, 99, 100], "slow": [10, 20, 30, 40, 41]}


def test_two_early_rounds_that_agree_do_not_end_the_warm_up() -> None:
    assert warm_up({"late": _rates(10, 10, 40, 41)}) == {"late": [10, 10, 40, 41]}


def test_warm_up_is_bounded_if_no_two_rounds_agree() -> None:
    unstable = warm_up({"unstable": _rates(*(10 * number for number in range(1, 100)))})["unstable"]
    assert len(unstable) == MAX_WARM_ROUNDS
    assert last_change(unstable) > WARM_TOLERANCE
